// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QGridLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/dialogs/inference_dialog.h"
#include "ui/dialogs/model_picker.h"
#include "ui/dialogs/preset_bar.h"
#include "ui/dialogs/run_options_form.h"
#include "ui/dialogs/tracking_preset_box.h"
#include "ui/theme.h"

// The column of options.
namespace skein::ui {

QWidget* InferenceDialog::makeHow() {
    auto* box = new QWidget(this);
    m_options = new RunOptionsForm(&m_settings, QStringLiteral("inference"), box,
                                   [this](QGridLayout* grid, QWidget* parent) { buildTrackingPresets(grid, parent); });
    connect(m_options, &RunOptionsForm::optionEdited, this, [this](const RunOption& option) {
        if (option.name == std::string_view("max_tracks"))
            m_animals = m_settings.tracker.maxTracks;
    });
    connect(m_options, &RunOptionsForm::edited, this, [this] {
        m_settings.trackOnly = m_settings.trackOnly && m_settings.tracking;
        clearMessages();
        refresh();
    });
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGap);
    layout->addWidget(m_presets);
    layout->addWidget(m_options, 1);
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
            return chooseTracking(QStringLiteral("tolerant_oks"));
        clearMessages();
        refresh();
    });
    grid->addWidget(m_trackOnly, grid->rowCount(), 0, 1, 2);

    m_trackingPreset = new TrackingPresetBox(QStringLiteral("inference"), parent);
    connect(m_trackingPreset, &TrackingPresetBox::chosen, this, &InferenceDialog::chooseTracking);
    m_trackingPreset->addTo(grid);
    m_compare = new QPushButton(tr("Compare on a stretch…"), parent);
    m_compare->setObjectName(QStringLiteral("inferenceCompare"));
    m_compare->setAccessibleName(m_compare->text());
    m_compare->setAutoDefault(false);
    connect(m_compare, &QPushButton::clicked, this, &InferenceDialog::comparePresets);
    grid->addWidget(m_compare, grid->rowCount(), 1);
}

void InferenceDialog::refreshTracking() {
    m_trackingPreset->show(m_settings);
    m_trackOnly->setChecked(m_settings.trackOnly);
    // What no model does needs no options of one.
    m_options->networkBox()->setEnabled(!m_settings.trackOnly);
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
