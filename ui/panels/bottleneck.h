// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
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
/// threads overlap. `groupThreads` share the matching.
[[nodiscard]] Bottleneck findBottleneck(const pipeline::JobProgress& progress, int groupThreads);

}  // namespace skein::ui
