// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/compare_presets_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/bridge/background.h"
#include "ui/bridge/throttled.h"
#include "ui/models/preset_table_model.h"
#include "ui/run_text.h"
#include "ui/theme.h"
#include "ui/ui_error.h"
#include "ui/widgets/plain_table.h"
#include "ui/widgets/progress_line.h"

namespace skein::ui {

ComparePresetsDialog::ComparePresetsDialog(project::Labels labels, const tracking::Stretch& stretch,
                                           const QString& where, std::optional<int> animals, QWidget* parent)
    : QDialog(parent), m_labels(std::move(labels)), m_stretch(stretch) {
    setObjectName(QStringLiteral("comparePresetsDialog"));
    setWindowTitle(tr("Compare trackers on a stretch"));
    setAttribute(Qt::WA_DeleteOnClose);

    auto* heading =
        new QLabel(tr("Each preset tracks the predictions of %1 anew; the project stays as it is.").arg(where), this);
    heading->setObjectName(QStringLiteral("compareWhere"));
    heading->setWordWrap(true);

    m_animals = new QSpinBox(this);
    m_animals->setObjectName(QStringLiteral("compareAnimals"));
    m_animals->setAccessibleName(tr("Number of animals"));
    m_animals->setToolTip(tr("How many animals there are. Kalman and ByteTrack need to know."));
    m_animals->setRange(0, 1000);
    m_animals->setSpecialValueText(tr("not known"));
    m_animals->setValue(animals.value_or(0));
    auto* animalsLabel = new QLabel(tr("Number of animals"), this);
    animalsLabel->setBuddy(m_animals);
    m_again = new QPushButton(this);
    m_again->setObjectName(QStringLiteral("compareAgain"));
    m_again->setAutoDefault(false);
    auto* top = new QHBoxLayout;
    top->setSpacing(theme::kMargin);
    top->addWidget(animalsLabel);
    top->addWidget(m_animals);
    top->addWidget(m_again);
    top->addStretch();

    m_model = new PresetTableModel(this);
    m_table = new PlainTable(QStringLiteral("compareTable"), tr("Tracking presets"), this);
    m_table->setModel(m_model);
    m_table->setColumnWidths({26, 8, 15, 10, 8, 9, 10}, PresetTableModel::Preset);
    m_table->setEmptySentence(tr("Tracking…"));
    m_table->setMinimumHeight(theme::kRowHeight * 7);
    m_progress = new ProgressLine(QStringLiteral("compareProgress"), this);
    QSizePolicy room = m_progress->sizePolicy();
    room.setRetainSizeWhenHidden(true);
    m_progress->setSizePolicy(room);
    m_note = new QLabel(this);
    m_note->setObjectName(QStringLiteral("compareNote"));
    m_note->setWordWrap(true);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    // Three lines, so that the table does not jump as the words change.
    m_note->setMinimumHeight(m_note->fontMetrics().height() * 3);
    m_note->setAlignment(Qt::AlignLeft | Qt::AlignTop);

    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(QStringLiteral("compareClose"));
    close->setAutoDefault(false);
    m_use = new QPushButton(this);
    m_use->setObjectName(QStringLiteral("compareUse"));
    m_use->setDefault(true);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(theme::kMargin);
    foot->addStretch();
    foot->addWidget(close);
    foot->addWidget(m_use);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    layout->setSpacing(theme::kGap);
    layout->addWidget(heading);
    layout->addLayout(top);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_progress);
    layout->addWidget(m_note);
    layout->addLayout(foot);
    resize(800, 380);

    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_use, &QPushButton::clicked, this, &ComparePresetsDialog::choose);
    connect(m_table, &QAbstractItemView::doubleClicked, this, &ComparePresetsDialog::choose);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ComparePresetsDialog::refresh);
    connect(m_animals, &QSpinBox::valueChanged, this, &ComparePresetsDialog::refresh);
    connect(m_again, &QPushButton::clicked, this, [this] {
        if (m_comparing)
            m_stop.request_stop();
        else
            compare();
    });
    compare();
}

ComparePresetsDialog::~ComparePresetsDialog() {
    m_stop.request_stop();
}

std::optional<int> ComparePresetsDialog::animals() const {
    return m_animals->value() > 0 ? std::optional(m_animals->value()) : std::nullopt;
}

const ComparedPreset* ComparePresetsDialog::selected() const {
    const QList<int> rows = m_table->selectedModelRows();
    const auto& presets = m_model->comparison().presets;
    return rows.size() == 1 && rows.front() < static_cast<int>(presets.size())
               ? &presets[static_cast<std::size_t>(rows.front())]
               : nullptr;
}

void ComparePresetsDialog::compare() {
    m_comparing = true;
    m_stop = std::stop_source();
    m_model->clear();
    m_note->clear();
    m_progress->set(0, ProgressLine::State::Active);
    const auto send = throttled(this, [this, question = m_question + 1](double fraction) {
        if (question == m_question && m_comparing)
            m_progress->set(fraction, ProgressLine::State::Active);
    });
    inBackground(
        this,
        [labels = m_labels, stretch = m_stretch, animals = animals(), stop = m_stop.get_token(), send] {
            return comparePresets(
                labels, stretch, animals,
                [&send](std::int64_t done, std::int64_t total) {
                    send(total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0);
                },
                stop);
        },
        [this, question = ++m_question](Result<PresetComparison> comparison) {
            if (question == m_question)
                showComparison(std::move(comparison));
        });
    refresh();
}

void ComparePresetsDialog::showComparison(Result<PresetComparison> comparison) {
    m_comparing = false;
    if (comparison) {
        const std::int64_t truth = comparison->trueFrames;
        const bool lacksNumber =
            !animals() && std::any_of(comparison->presets.begin(), comparison->presets.end(),
                                      [](const ComparedPreset& row) { return !row.problem.empty(); });
        m_model->setComparison(std::move(*comparison));
        m_table->selectModelRow(m_model->best());
        m_note->setText(
            truth > 0
                ? tr("Switches and IDF1 come from %1 of the stretch on which a person has given tracks. The one in "
                     "bold is best by them.")
                      .arg(text::frames(truth))
                : tr("The one in bold has the fewest doubts. Give tracks to instances that you made on some frames "
                     "of the stretch, and the table counts switches too."));
        if (lacksNumber)
            m_note->setText(tr("%1 Those that were not run need the number of animals: give it and compare again.")
                                .arg(m_note->text()));
    } else {
        m_table->setEmptySentence(tr("Nothing was compared."));
        m_note->setText(toUiError(comparison.error()).message);
    }
    refresh();
}

void ComparePresetsDialog::refresh() {
    const ComparedPreset* row = selected();
    const bool usable = row != nullptr && row->problem.empty();
    m_use->setEnabled(usable);
    const auto found = row != nullptr ? tracking::findPreset(row->preset) : tracking::findPreset({});
    m_use->setText(found ? tr("Use %1").arg(
                               QString::fromUtf8((*found)->name.data(), static_cast<qsizetype>((*found)->name.size())))
                         : tr("Use the preset"));
    m_use->setAccessibleName(m_use->text());
    m_use->setToolTip(usable           ? tr("Sets the tracker of the inference dialog to it.")
                      : row != nullptr ? QString::fromStdString(row->problem)
                                       : tr("Choose a row of the table."));
    m_again->setText(m_comparing ? tr("Stop") : tr("Compare again"));
    m_again->setAccessibleName(m_again->text());
    m_animals->setEnabled(!m_comparing);
    m_progress->setVisible(m_comparing);
}

void ComparePresetsDialog::choose() {
    const ComparedPreset* row = selected();
    if (row == nullptr || !row->problem.empty())
        return;
    Q_EMIT presetChosen(std::string(row->preset), animals());
    accept();
}

}  // namespace skein::ui
