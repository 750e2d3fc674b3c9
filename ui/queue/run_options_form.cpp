// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/run_options_form.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/dialogs/option_editors.h"
#include "ui/dialogs/run_settings.h"
#include "ui/theme.h"
#include "ui/widgets/fold_button.h"

namespace skein::ui {

RunOptionsForm::RunOptionsForm(RunSettings* settings, QWidget* parent)
    : QWidget(parent), m_settings(settings), m_editors(new OptionEditors(settings, this)) {
    // One width for the labels of all groups, so that their editors stand in one column.
    const auto makeGrid = [width = fontMetrics().horizontalAdvance(tr("Nodes to be compared"))](QWidget* box) {
        auto* grid = new QGridLayout(box);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setHorizontalSpacing(theme::kGap);
        grid->setVerticalSpacing(theme::kGrid);
        grid->setColumnStretch(1, 1);
        grid->setColumnMinimumWidth(0, width);
        return grid;
    };
    const auto addFold = [](QGridLayout* grid, const QString& name, const QString& title, QWidget* contents,
                            QWidget* box) {
        const int row = grid->rowCount();
        grid->addWidget(new FoldButton(name, title, contents, box), row, 0, 1, 2, Qt::AlignLeft);
        grid->addWidget(contents, row + 1, 0, 1, 2);
    };
    const auto addChoice = [](QGridLayout* grid, QWidget* box, int row, const char* name, const QString& title) {
        auto* choice = new QComboBox(box);
        choice->setObjectName(QLatin1String(name));
        choice->setAccessibleName(title);
        choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        choice->setMinimumContentsLength(10);
        guardWheel(choice);
        auto* label = new QLabel(title, box);
        label->setBuddy(choice);
        grid->addWidget(label, row, 0);
        grid->addWidget(choice, row, 1);
        return choice;
    };

    auto* basicBox = new QWidget(this);
    auto* basic = makeGrid(basicBox);
    m_device = addChoice(basic, basicBox, 0, "batchDevice", tr("Device"));
    m_device->setToolTip(tr("What computes the network. Automatic takes a GPU if there is one."));
    m_device->addItem(tr("Automatic"), QStringLiteral("auto"));
    m_device->addItem(tr("CPU"), QStringLiteral("cpu"));
    m_editors->addGroup(basic, OptionGroup::Basic, basicBox);
    auto* more = new QWidget(basicBox);
    auto* moreGrid = makeGrid(more);
    m_editors->addGroup(moreGrid, OptionGroup::Peaks, more, tr("Peaks"));
    m_editors->addGroup(moreGrid, OptionGroup::Filters, more, tr("Filters"));
    m_editors->addGroup(moreGrid, OptionGroup::Grouping, more, tr("Grouping by part affinity fields"));
    m_editors->addGroup(moreGrid, OptionGroup::Input, more, tr("Input"));
    addFold(basic, QStringLiteral("batchMoreFold"), tr("More options"), more, basicBox);

    auto* trackBox = new QWidget(this);
    auto* track = makeGrid(trackBox);
    auto* heading = new QLabel(tr("Tracking"), trackBox);
    heading->setFont(theme::headingFont());
    track->addWidget(heading, 0, 0, 1, 2);
    m_tracker = addChoice(track, trackBox, 1, "batchTracker", tr("Tracker"));
    m_tracker->setToolTip(tr("Gives each animal an identity from frame to frame: a track."));
    for (const auto& [title, choice] :
         {std::pair{tr("None"), TrackerChoice::None}, std::pair{tr("Classic"), TrackerChoice::Classic},
          std::pair{tr("Flow"), TrackerChoice::Flow}, std::pair{tr("Kalman"), TrackerChoice::Kalman},
          std::pair{tr("SORT"), TrackerChoice::Sort}, std::pair{tr("ByteTrack"), TrackerChoice::ByteTrack},
          std::pair{tr("OC-SORT"), TrackerChoice::OcSort}, std::pair{tr("Skein"), TrackerChoice::Skein}})
        m_tracker->addItem(title, static_cast<int>(choice));
    m_editors->addGroup(track, OptionGroup::Tracker, trackBox);
    m_note = new QLabel(trackBox);
    m_note->setObjectName(QStringLiteral("batchTrackerNote"));
    m_note->setWordWrap(true);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    track->addWidget(m_note, track->rowCount(), 0, 1, 2);
    auto* details = new QWidget(trackBox);
    auto* detailsGrid = makeGrid(details);
    m_editors->addGroup(detailsGrid, OptionGroup::TrackerDetails, details, tr("Matching"));
    m_editors->addGroup(detailsGrid, OptionGroup::Motion, details, tr("Motion"));
    m_editors->addGroup(detailsGrid, OptionGroup::Counts, details, tr("Numbers and repair"));
    addFold(track, QStringLiteral("batchTrackerFold"), tr("Tracker options"), details, trackBox);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGap);
    layout->addWidget(basicBox);
    layout->addWidget(trackBox);
    layout->addStretch();

    connect(m_device, &QComboBox::activated, this, [this] {
        m_settings->inference.device = m_device->currentData().toString().toStdString();
        Q_EMIT edited();
    });
    connect(m_tracker, &QComboBox::activated, this, [this] {
        chooseTracker(*m_settings, static_cast<TrackerChoice>(m_tracker->currentData().toInt()));
        m_reconciled = reconcile(*m_settings, m_nodeCount);
        Q_EMIT edited();
    });
    connect(m_editors, &OptionEditors::edited, this, &RunOptionsForm::chosen);
}

void RunOptionsForm::chosen(const RunOption& option) {
    m_settings->chosen.feature = m_settings->chosen.feature || option.name == std::string_view("features");
    m_settings->chosen.scoring = m_settings->chosen.scoring || option.name == std::string_view("scoring_method");
    m_reconciled = reconcile(*m_settings, m_nodeCount);
    Q_EMIT edited();
}

void RunOptionsForm::refresh(ModelUse use, const QStringList& nodes, int nodeCount) {
    if (m_nodeCount != nodeCount) {
        m_nodeCount = nodeCount;
        m_reconciled = reconcile(*m_settings, nodeCount);
    }
    m_editors->refresh(use, nodes);
    m_tracker->setCurrentIndex(m_tracker->findData(static_cast<int>(trackerChoice(*m_settings))));
    const QString device = QString::fromStdString(m_settings->inference.device);
    if (m_device->findData(device) < 0)
        m_device->addItem(device, device);  // of the last run: one of several GPUs
    m_device->setCurrentIndex(m_device->findData(device));
    const QString note = m_reconciled.isEmpty() ? animalsNote(*m_settings) : m_reconciled;
    m_note->setText(note);
    m_note->setVisible(m_settings->tracking && !note.isEmpty());
}

}  // namespace skein::ui
