// SPDX-License-Identifier: GPL-3.0-or-later
// The widgets of the dialog.
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/batch/entry_list.h"
#include "ui/dialogs/dialog_columns.h"
#include "ui/dialogs/model_picker.h"
#include "ui/dialogs/option_editors.h"
#include "ui/dialogs/preset_bar.h"
#include "ui/dialogs/run_options_form.h"
#include "ui/dialogs/tracking_preset_box.h"
#include "ui/icons.h"
#include "ui/queue/batch_dialog.h"
#include "ui/queue/found_videos.h"
#include "ui/theme.h"
#include "ui/widgets/plain_table.h"

namespace skein::ui {

void BatchDialog::build() {
    // Before the foot, so that the Tab key comes to them first.
    const std::vector<DialogColumn> columns{
        {tr("Videos"), makeVideos(), 9}, {tr("Model"), m_model, 5}, {tr("Options"), makeOptions(), 5}};
    layOutColumns(this, columns, makeFoot());
}

QWidget* BatchDialog::makeVideos() {
    auto* box = new QWidget(this);
    const auto name = [](QWidget* widget, const char* objectName, const QString& title, const QString& help) {
        widget->setObjectName(QLatin1String(objectName));
        widget->setAccessibleName(title);
        widget->setToolTip(help);
    };
    auto* folder = new QPushButton(tr("Folder…"), box);
    auto* files = new QPushButton(tr("Videos…"), box);
    name(folder, "batchChooseFolder", tr("Folder of videos"), tr("Take all videos of a folder."));
    name(files, "batchChooseVideos", tr("Videos"), tr("Take single videos."));
    for (QPushButton* button : {folder, files})
        button->setAutoDefault(false);
    m_foundLine = new QLabel(box);
    m_foundLine->setObjectName(QStringLiteral("batchFound"));
    m_foundLine->setForegroundRole(QPalette::PlaceholderText);
    m_subfolders = new QCheckBox(box);
    name(m_subfolders, "batchSubfolders", tr("With subfolders"), tr("Take the videos in the folder's subfolders too."));
    m_subfolders->hide();
    connect(m_subfolders, &QCheckBox::clicked, this, &BatchDialog::chooseSubfolders);
    auto* head = new QHBoxLayout;
    head->setSpacing(theme::kMargin);
    head->addWidget(m_foundLine, 1);
    head->addWidget(m_subfolders);
    head->addWidget(folder);
    head->addWidget(files);

    m_table = new PlainTable(QStringLiteral("batchVideos"), tr("Videos"), box);
    m_table->setModel(m_found);
    m_table->setColumnWidths({22, 7, 11, 28}, FoundVideos::Output);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setEmptySentence(tr("Choose a folder of videos, or drop one on the window."));

    m_problems = new QLabel(box);
    m_problems->setObjectName(QStringLiteral("batchProblems"));
    m_problems->setWordWrap(true);
    m_problems->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_problems->setForegroundRole(QPalette::PlaceholderText);
    m_problems->hide();
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(theme::kGap);
    grid->setVerticalSpacing(theme::kGrid);
    grid->setColumnStretch(1, 1);
    const auto addRow = [&](int row, const QString& title, QWidget* editor, QWidget* extra = nullptr) {
        auto* label = new QLabel(title, box);
        label->setBuddy(editor);
        grid->addWidget(label, row, 0);
        grid->addWidget(editor, row, 1, 1, extra == nullptr ? 2 : 1);
        if (extra != nullptr)
            grid->addWidget(extra, row, 2);
    };
    m_together = new QComboBox(box);
    name(m_together, "batchTogether", tr("Projects"), tr("Whether each video gets a project of its own."));
    m_together->addItems({tr("One for each video"), tr("One for all videos")});
    m_folder = new QLineEdit(box);
    name(m_folder, "batchFolder", tr("Folder of the results"),
         tr("Where the results are saved; left empty, each lies beside its video."));
    m_folder->setPlaceholderText(tr("Beside each video"));
    m_folder->setClearButtonEnabled(true);
    auto* browse = new QToolButton(box);
    browse->setIcon(icon(QStringLiteral("open")));
    name(browse, "batchBrowse", tr("Choose the folder of the results"), tr("Choose the folder of the results."));
    m_pattern = new QLineEdit(QLatin1String(batch::kOutputPattern), box);
    name(m_pattern, "batchPattern", tr("Names of the results"),
         tr("{video} is the video's name (or the folder's, for one project of all videos), {model} the model's."));
    m_existing = new QComboBox(box);
    name(m_existing, "batchExisting", tr("Results that are there"),
         tr("What becomes of a result that is there already when its turn comes."));
    m_existing->addItem(tr("Keep them and skip the video"), static_cast<int>(batch::ExistingOutput::Skip));
    m_existing->addItem(tr("Replace them"), static_cast<int>(batch::ExistingOutput::Overwrite));
    m_existing->addItem(tr("Give the new ones a number"), static_cast<int>(batch::ExistingOutput::Number));
    for (QComboBox* choice : {m_together, m_existing})
        guardWheel(choice);
    addRow(0, tr("Projects"), m_together);
    addRow(1, tr("Save in"), m_folder, browse);
    addRow(2, tr("Named"), m_pattern);
    addRow(3, tr("Already there"), m_existing);

    auto* results = new QLabel(tr("Results"), box);
    results->setFont(theme::headingFont());
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kMargin);
    layout->addLayout(head);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_problems);
    layout->addWidget(results);
    layout->addLayout(grid);

    connect(folder, &QPushButton::clicked, this, [this] { chooseFolder(false); });
    connect(files, &QPushButton::clicked, this, &BatchDialog::chooseVideos);
    connect(browse, &QToolButton::clicked, this, [this] { chooseFolder(true); });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &BatchDialog::refreshVideos);
    connect(m_together, &QComboBox::activated, this, &BatchDialog::edited);
    connect(m_existing, &QComboBox::activated, this, &BatchDialog::edited);
    connect(m_folder, &QLineEdit::textChanged, this, &BatchDialog::edited);
    connect(m_pattern, &QLineEdit::textChanged, this, &BatchDialog::edited);
    return box;
}

QWidget* BatchDialog::makeOptions() {
    auto* box = new QWidget(this);
    m_form = new RunOptionsForm(&m_settings, QStringLiteral("batch"), box, [this](QGridLayout* grid, QWidget* parent) {
        m_tracking = new TrackingPresetBox(QStringLiteral("batch"), parent);
        m_tracking->addTo(grid);
    });
    connect(m_tracking, &TrackingPresetBox::chosen, this, [this](const QString& key) {
        TrackingPresetBox::choose(m_settings, key, std::nullopt);
        m_form->settle();
        edited();
    });
    m_optionsNote = new QLabel(box);
    m_optionsNote->setObjectName(QStringLiteral("batchOptionsNote"));
    m_optionsNote->setWordWrap(true);
    m_optionsNote->setTextFormat(Qt::PlainText);
    m_optionsNote->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kMargin);
    layout->addWidget(m_presets);
    layout->addWidget(m_optionsNote);
    layout->addWidget(m_form, 1);
    return box;
}

QWidget* BatchDialog::makeFoot() {
    auto* foot = new QWidget(this);
    m_summaryIcon = new QLabel(foot);
    m_summaryIcon->setFixedSize(kStateIcon, kStateIcon);
    m_summary = makeSummaryLabel(QStringLiteral("batchSummary"), foot);
    const auto button = [foot](const char* objectName, const QString& title, const QString& help) {
        auto* result = new QPushButton(title, foot);
        result->setObjectName(QLatin1String(objectName));
        result->setAccessibleName(title);
        result->setToolTip(help);
        result->setAutoDefault(false);
        return result;
    };
    m_fix = button("batchFix", QString(), QString());
    auto* close = button("batchClose", tr("Close"), tr("Closes without queuing anything."));
    m_add =
        button("batchAdd", tr("Add to Queue"), tr("Puts the runs at the end of the queue; nothing begins by that."));
    m_start = button("batchStart", tr("Add and Start"), tr("Puts the runs at the end of the queue and starts it."));
    m_start->setDefault(true);
    connect(m_fix, &QPushButton::clicked, this, &BatchDialog::fix);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_add, &QPushButton::clicked, this, [this] { addToQueue(false); });
    connect(m_start, &QPushButton::clicked, this, [this] { addToQueue(true); });
    auto* layout = new QHBoxLayout(foot);
    layout->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    layout->setSpacing(theme::kMargin);
    layout->addWidget(m_summaryIcon, 0, Qt::AlignVCenter);
    layout->addWidget(m_summary, 1);
    layout->addWidget(m_fix);
    layout->addWidget(close);
    layout->addWidget(m_add);
    layout->addWidget(m_start);
    return foot;
}

}  // namespace skein::ui
