// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/preset_comparison.h"

#include <algorithm>
#include <utility>

#include "engine/evaluation/identity_metrics.h"
#include "engine/tracking/presets.h"

namespace skein::ui {
namespace {

bool isTruth(const project::FrameView& frame) {
    for (std::size_t i = 0; i < frame.instanceCount(); ++i)
        if (const project::InstanceHeader& header = *frame.instance(i).header;
            header.kind == project::InstanceKind::User && header.track >= 0)
            return true;
    return false;
}

/// The frames of the stretch on which a person has given tracks. What lies between says nothing about the truth.
std::vector<std::int64_t> trueFrames(const project::Labels& labels, const tracking::Stretch& stretch) {
    std::vector<std::int64_t> frames;
    for (const std::size_t row : labels.rowsOf(stretch.video)) {
        const project::FrameView frame = labels.frame(row);
        if (frame.frameIndex() >= stretch.first && frame.frameIndex() <= stretch.last && isTruth(frame))
            frames.push_back(frame.frameIndex());
    }
    std::sort(frames.begin(), frames.end());
    return frames;
}

/// Only these frames of one video.
project::Labels only(project::Labels labels, std::uint32_t video, const std::vector<std::int64_t>& frames) {
    std::vector<std::size_t> others;
    for (std::size_t row = 0; row < labels.frameCount(); ++row)
        if (const project::FrameView frame = labels.frame(row);
            frame.video() != video || !std::binary_search(frames.begin(), frames.end(), frame.frameIndex()))
            others.push_back(row);
    labels.removeFrames(others);
    return labels;
}

}  // namespace

Result<PresetComparison> comparePresets(const project::Labels& labels, const tracking::Stretch& stretch,
                                        std::optional<int> animals, const tracking::TrackingProgress& progress,
                                        std::stop_token stop) {
    auto outcomes = tracking::compareOnStretch(labels, stretch, tracking::trackingPresets(), animals,
                                               tracking::suspiciousEvents, progress, std::move(stop));
    if (!outcomes)
        return fail(std::move(outcomes.error()));
    const std::vector<std::int64_t> frames = trueFrames(labels, stretch);
    const project::Labels truth = frames.empty() ? project::Labels() : only(labels, stretch.video, frames);
    PresetComparison comparison;
    comparison.trueFrames = static_cast<std::int64_t>(frames.size());
    for (tracking::PresetOutcome& outcome : *outcomes) {
        ComparedPreset row;
        row.preset = outcome.preset;
        row.problem = std::move(outcome.problem);
        row.frames = outcome.frames;
        row.tracks = outcome.tracks;
        row.untracked = outcome.untracked;
        row.suspiciousPer1000 = outcome.suspiciousPer1000;
        row.seconds = outcome.seconds;
        if (!frames.empty() && row.problem.empty()) {
            evaluation::IdentityOptions options;
            options.userLabelsOnly = true;
            if (const auto metrics = evaluation::identityMetrics(
                    truth, only(std::move(outcome.tracked), stretch.video, frames), options)) {
                row.switches = metrics->scores.switches;
                row.idf1 = metrics->scores.idf1;
            }
        }
        comparison.presets.push_back(std::move(row));
    }
    return comparison;
}

}  // namespace skein::ui
