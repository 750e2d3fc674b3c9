// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>

#include "engine/project/labels.h"
#include "ui/bridge/running_job.h"

namespace skein::ui {

/// The skeleton of the predictions on these frames (ascending) of a video. Errors: InvalidArgument, when they are of
/// several skeletons; NotFound, when there are none.
[[nodiscard]] Result<project::Skeleton> predictedSkeleton(const project::Labels& labels, std::uint32_t video,
                                                          const std::vector<std::int64_t>& frames);

/// Starts jobs that compute nothing: the predictions of `labels` on the frames of the job's source get new tracks. All
/// results come at the end, since a track is known only when the frames are through.
[[nodiscard]] JobStarter retrackJobs(project::Labels labels);

}  // namespace skein::ui
