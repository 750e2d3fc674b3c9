// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <array>
#include <optional>

#include "engine/pipeline/job.h"

namespace skein::ui {

/// What holds a run back.
struct Bottleneck {
    std::optional<profile::Stage> stage;  ///< the stage that limits; nullopt: not known yet
    QString sentence;
    QString hint;  ///< what else costs more than a fifth of the run; may be empty
};

/// Judges by how busy each thread of the pipeline is: the stages of one thread follow each other, those of different
/// threads overlap. `groupThreads` share the matching; `isOver`: no more figures will come.
[[nodiscard]] Bottleneck findBottleneck(const pipeline::JobProgress& progress, int groupThreads, bool isOver = false);

/// The critical path: for each stage the share of the run's time in which everything waits for it, 0 to 1; together at
/// most 1. What the device's thread does itself lies on the path; while it waits for frames, decoding does
/// (frame_buffer.get); and while it has no room for what it has found, the slower of matching and of what follows it.
[[nodiscard]] std::array<double, profile::kStageCount> criticalPath(const pipeline::JobProgress& progress,
                                                                    int groupThreads);

}  // namespace skein::ui
