// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "engine/tracking/presets.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/dialogs/model_picker.h"
#include "ui/dialogs/option_editors.h"
#include "ui/dialogs/preset_bar.h"
#include "ui/dialogs/run_settings.h"
#include "ui/theme.h"
#include "ui/widgets/fold_button.h"

// The column of options.
namespace skein::ui {

QWidget* InferenceDialog::makeHow() {
    auto* box = new QWidget(this);
    // One width for the labels of all groups, so that their editors stand in one column.
    const auto makeGrid = [width = fontMetrics().horizontalAdvance(tr("Nodes to be compared"))](QWidget* parent) {
        auto* grid = new QGridLayout(parent);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setHorizontalSpacing(theme::kGap);
        grid->setVerticalSpacing(theme::kGrid);
        grid->setColumnStretch(1, 1);
        grid->setColumnMinimumWidth(0, width);
        return grid;
    };
    auto* basicBox = m_networkBox = new QWidget(box);
    auto* basic = makeGrid(basicBox);

    m_device = new QComboBox(box);
    m_device->setObjectName(QStringLiteral("inferenceDevice"));
    m_device->setAccessibleName(tr("Device"));
    m_device->setToolTip(
        tr("<p>What computes the network. Automatic takes a GPU if there is one.</p>"
           "<p>Default: Automatic<br><code>--device</code></p>"));
    m_device->addItem(tr("Automatic"), QStringLiteral("auto"));
    m_device->addItem(tr("CPU"), QStringLiteral("cpu"));
    m_device->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_device->setMinimumContentsLength(10);
    guardWheel(m_device);
    connect(m_device, &QComboBox::activated, this, [this] {
        m_settings.inference.device = m_device->currentData().toString().toStdString();
        refresh();
    });
    auto* deviceLabel = new QLabel(tr("Device"), box);
    deviceLabel->setBuddy(m_device);
    basic->addWidget(deviceLabel, 0, 0);
    basic->addWidget(m_device, 0, 1);
    m_editors->addGroup(basic, OptionGroup::Basic, basicBox);

    auto* more = new QWidget(box);
    auto* moreGrid = makeGrid(more);
    m_editors->addGroup(moreGrid, OptionGroup::Peaks, more, tr("Peaks"));
    m_editors->addGroup(moreGrid, OptionGroup::Filters, more, tr("Filters"));
    m_editors->addGroup(moreGrid, OptionGroup::Grouping, more, tr("Grouping by part affinity fields"));
    m_editors->addGroup(moreGrid, OptionGroup::Input, more, tr("Input"));
    const auto addFold = [](QGridLayout* grid, const QString& name, const QString& title, QWidget* contents,
                            QWidget* parent) {
        const int row = grid->rowCount();
        grid->addWidget(new FoldButton(name, title, contents, parent), row, 0, 1, 2, Qt::AlignLeft);
        grid->addWidget(contents, row + 1, 0, 1, 2);
    };
    addFold(basic, QStringLiteral("inferenceMoreFold"), tr("More options"), more, basicBox);

    auto* trackBox = new QWidget(box);
    auto* track = makeGrid(trackBox);
    auto* trackHeading = new QLabel(tr("Tracking"), trackBox);
    trackHeading->setFont(theme::headingFont());
    track->addWidget(trackHeading, 0, 0, 1, 2);
    buildTrackingPresets(track, trackBox);
    m_tracker = new QComboBox(trackBox);
    m_tracker->setObjectName(QStringLiteral("inferenceTracker"));
    m_tracker->setAccessibleName(tr("Tracker"));
    const auto addTracker = [this](const QString& title, TrackerChoice choice, const QString& help) {
        m_tracker->addItem(title, static_cast<int>(choice));
        m_tracker->setItemData(m_tracker->count() - 1, help, Qt::ToolTipRole);
    };
    addTracker(tr("None"), TrackerChoice::None, tr("Instances have no identity."));
    addTracker(tr("Classic"), TrackerChoice::Classic, tr("Compares poses with those of the last frames."));
    addTracker(tr("Flow"), TrackerChoice::Flow, tr("As Classic, with earlier poses moved by the optical flow."));
    addTracker(tr("Kalman"), TrackerChoice::Kalman,
               tr("As Classic, with earlier poses moved as each animal has moved. Needs the number of animals."));
    addTracker(tr("SORT"), TrackerChoice::Sort, tr("Follows boxes; the simplest of the three."));
    addTracker(tr("ByteTrack"), TrackerChoice::ByteTrack,
               tr("Follows boxes, and gives doubtful instances to tracks that are left over."));
    addTracker(tr("OC-SORT"), TrackerChoice::OcSort,
               tr("Follows boxes, and corrects what was expected when a lost animal is found again."));
    addTracker(
        tr("Skein"), TrackerChoice::Skein,
        tr("Follows whole poses, makes no match where none is likely, and links tracks at the end. Best with the "
           "number of animals."));
    m_tracker->setToolTip(
        tr("<p>Gives each animal an identity from frame to frame: a track.</p>"
           "<p>Default: None<br><code>--tracking</code>, <code>--use_flow</code>, <code>--use_kalman</code>, "
           "<code>--tracker</code></p>"));
    guardWheel(m_tracker);
    connect(m_tracker, &QComboBox::activated, this, [this] {
        chooseTracker(m_settings, static_cast<TrackerChoice>(m_tracker->currentData().toInt()));
        m_settings.trackOnly = m_settings.trackOnly && m_settings.tracking;
        clearMessages();
        m_reconciled = reconcile(m_settings, nodeCount());
        refresh();
    });
    auto* trackerLabel = new QLabel(tr("Tracker"), trackBox);
    trackerLabel->setBuddy(m_tracker);
    const int trackerRow = track->rowCount();
    track->addWidget(trackerLabel, trackerRow, 0);
    track->addWidget(m_tracker, trackerRow, 1);
    m_editors->addGroup(track, OptionGroup::Tracker, trackBox);
    m_note = new QLabel(trackBox);
    m_note->setObjectName(QStringLiteral("inferenceTrackerNote"));
    m_note->setWordWrap(true);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    track->addWidget(m_note, track->rowCount(), 0, 1, 2);
    auto* details = new QWidget(trackBox);
    auto* detailsGrid = makeGrid(details);
    m_editors->addGroup(detailsGrid, OptionGroup::TrackerDetails, details, tr("Matching"));
    m_editors->addGroup(detailsGrid, OptionGroup::Motion, details, tr("Motion"));
    m_editors->addGroup(detailsGrid, OptionGroup::Counts, details, tr("Numbers and repair"));
    addFold(track, QStringLiteral("inferenceTrackerFold"), tr("Tracker options"), details, trackBox);

    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGap);
    layout->addWidget(m_presets);
    layout->addWidget(basicBox);
    layout->addWidget(trackBox);
    layout->addStretch();
    return box;
}

/// Choices that a person can understand, above the tracker and its thirty options; and what comes before them: whether
/// anything is to be found at all.
void InferenceDialog::buildTrackingPresets(QGridLayout* grid, QWidget* parent) {
    m_trackOnly = new QCheckBox(tr("Only track the predictions that are there"), parent);
    m_trackOnly->setObjectName(QStringLiteral("inferenceTrackOnly"));
    m_trackOnly->setAccessibleName(m_trackOnly->text());
    m_trackOnly->setToolTip(
        tr("<p>No model is run: the predictions of the frames get new tracks. What people made stays as it is.</p>"
           "<p>Default: off<br><code>skein track</code></p>"));
    connect(m_trackOnly, &QCheckBox::clicked, this, [this](bool on) {
        m_settings.trackOnly = on;
        if (on && !m_settings.tracking)
            return chooseTracking("tolerant_oks");
        clearMessages();
        refresh();
    });
    int row = grid->rowCount();
    grid->addWidget(m_trackOnly, row, 0, 1, 2);

    m_trackingPreset = new QComboBox(parent);
    m_trackingPreset->setObjectName(QStringLiteral("inferenceTrackingPreset"));
    m_trackingPreset->setAccessibleName(tr("Kind of tracking"));
    m_trackingPreset->setToolTip(tr(
        "<p>Choices of tracker and options that go together. The guide says how each does on several scenes; compare "
        "them on a stretch of your own video.</p><p>Default: None<br><code>--tracking_preset</code></p>"));
    m_trackingPreset->addItem(tr("None"), QStringLiteral("none"));
    for (const tracking::TrackingPreset& preset : tracking::trackingPresets()) {
        const auto words = [](std::string_view text) {
            return QCoreApplication::translate("TrackingPreset", std::string(text).c_str());
        };
        m_trackingPreset->addItem(words(preset.name), QString::fromStdString(std::string(preset.key)));
        m_trackingPreset->setItemData(m_trackingPreset->count() - 1, words(preset.description), Qt::ToolTipRole);
    }
    m_trackingPreset->addItem(tr("Own choice"), QString());
    m_trackingPreset->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_trackingPreset->setMinimumContentsLength(10);
    guardWheel(m_trackingPreset);
    connect(m_trackingPreset, &QComboBox::activated, this, [this] {
        const QString key = m_trackingPreset->currentData().toString();
        if (key == QLatin1String("none")) {
            chooseTracker(m_settings, TrackerChoice::None);
            m_settings.trackOnly = false;
        } else if (key.isEmpty() && !m_settings.tracking) {
            chooseTracker(m_settings, TrackerChoice::Classic);
        }
        chooseTracking(key.toStdString());
    });
    auto* label = new QLabel(tr("Kind"), parent);
    label->setBuddy(m_trackingPreset);
    row = grid->rowCount();
    grid->addWidget(label, row, 0);
    grid->addWidget(m_trackingPreset, row, 1);
    m_compare = new QPushButton(tr("Compare on a stretch…"), parent);
    m_compare->setObjectName(QStringLiteral("inferenceCompare"));
    m_compare->setAccessibleName(m_compare->text());
    m_compare->setAutoDefault(false);
    connect(m_compare, &QPushButton::clicked, this, &InferenceDialog::comparePresets);
    grid->addWidget(m_compare, grid->rowCount(), 1);
}

void InferenceDialog::refreshTracking() {
    m_tracker->setCurrentIndex(m_tracker->findData(static_cast<int>(trackerChoice(m_settings))));
    const std::string_view preset = trackingPresetOf(m_settings);
    const QString key = m_settings.tracking ? QString::fromStdString(std::string(preset)) : QStringLiteral("none");
    m_trackingPreset->setCurrentIndex(m_trackingPreset->findData(key));
    m_trackOnly->setChecked(m_settings.trackOnly);
    const QString note = m_reconciled.isEmpty() ? animalsNote(m_settings) : m_reconciled;
    m_note->setText(note);
    m_note->setVisible(m_settings.tracking && !note.isEmpty());
    // What no model does needs no options of one.
    m_networkBox->setEnabled(!m_settings.trackOnly);
    m_model->setEnabled(!m_settings.trackOnly);

    const bool known = m_video && m_labelFrames && m_video->index < m_labelFrames->size();
    const bool hasPredictions =
        known && !intersection({comparedStretch()}, (*m_labelFrames)[m_video->index].predicted).empty();
    m_compare->setEnabled(hasPredictions);
    m_compare->setToolTip(
        !hasPredictions ? tr("There are no predictions to track here yet. Run a model on a stretch first.")
        : m_selection && m_selection->count() > 1
            ? tr("Tracks the predictions of the selected range with each kind, and shows how they do.")
            : tr("Tracks the predictions around this frame with each kind, and shows how they do. "
                 "Select a range on the timeline to choose another stretch."));
}

}  // namespace skein::ui
