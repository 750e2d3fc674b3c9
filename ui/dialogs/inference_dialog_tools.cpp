// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "ui/dialogs/compare_presets_dialog.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/dialogs/preview_window.h"
#include "ui/dialogs/run_command.h"
#include "ui/run_text.h"

// What can be done with the settings beside a run: look at a frame, compare trackers, copy the command.
namespace skein::ui {
namespace {

// Trackers are compared on so many frames where no range is selected.
constexpr std::int64_t kComparedFrames = 2000;

}  // namespace

QString InferenceDialog::commandLine(bool ofSleapNn) const {
    const RunSituation now = situation();
    const bool hasVideo = m_video && m_video->index < m_labels.videos().size();
    return runCommand(m_settings, now, m_plan,
                      hasVideo ? QString::fromStdString(m_labels.videos()[m_video->index].filename) : QString(),
                      QString::fromStdString(m_labels.origin().path), ofSleapNn);
}

/// Why the current frame cannot be looked at; empty when it can.
QString InferenceDialog::previewRefusal() const {
    RunSettings settings = m_settings;
    settings.target = RunTarget::CurrentFrame;
    settings.trackOnly = false;
    RunSituation now = situation();
    // The model of a run is not held up by a glance beside it; the glance waits for its turn on the device.
    now.running = false;
    const RunPlan plan = planRun(settings, now);
    return plan.canRun ? QString() : plan.summary;
}

void InferenceDialog::preview() {
    if (m_previewWindow == nullptr) {
        m_previewWindow = new PreviewWindow(previewer ? previewer : enginePreview(), this);
        connect(m_previewWindow, &PreviewWindow::againWanted, this, &InferenceDialog::preview);
    }
    m_previewWindow->show();
    m_previewWindow->raise();
    RunSettings settings = m_settings;
    settings.target = RunTarget::CurrentFrame;
    settings.trackOnly = false;
    RunSituation now = situation();
    now.running = false;
    auto made = makeRequest(settings, now);
    if (!made)
        return m_previewWindow->refuse(QString::fromStdString(made.error().message()));
    m_previewWindow->look(std::move(made->job), m_settings, made->info.model, made->info.title, m_labels);
}

void InferenceDialog::comparePresets() {
    if (!m_video)
        return;
    const FrameRange stretch = comparedStretch();
    auto* dialog =
        new ComparePresetsDialog(m_labels, {m_video->index, stretch.first, stretch.last},
                                 tr("%1 of %2").arg(text::frameRange(stretch, m_fromZero), m_video->name),
                                 m_settings.tracker.maxTracks ? m_settings.tracker.maxTracks : m_animals, this);
    connect(dialog, &ComparePresetsDialog::presetChosen, this,
            [this](const std::string& key, const std::optional<int>& animals) {
                m_animals = animals;
                m_settings.tracker.maxTracks = animals;
                chooseTracking(QString::fromStdString(key));
            });
    dialog->show();
}

/// The selected range, or what lies around the current frame.
FrameRange InferenceDialog::comparedStretch() const {
    if (m_selection && m_selection->count() > 1)
        return *m_selection;
    const std::int64_t first = std::max<std::int64_t>(0, m_frame - kComparedFrames / 2);
    return {first, std::min(first + kComparedFrames, m_video->frameCount) - 1};
}

}  // namespace skein::ui
