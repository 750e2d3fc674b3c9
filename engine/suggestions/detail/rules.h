// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <vector>

#include "engine/suggestions/suggest.h"

// The methods, one function each: frames of one video (of all videos for image groups), before those that are taken
// already are left out.
namespace skein::suggestions::detail {

/// The frames of a video that a request looks at; suggested ones are ascending.
struct VideoTask {
    const project::Labels& labels;
    std::uint32_t video;
    std::int64_t frames;  ///< of the video
    project::edit::FrameSpan span;
    std::vector<std::int64_t> suggested;  ///< already, and not to be replaced
    const Surroundings& around;
};

/// Predictions that no user instance of the frame was made from, and user instances.
void shownOn(const project::FrameView& frame, std::vector<project::InstanceView>& shown);

/// `count` of 0 .. total - 1: every (total / count)-th, or random ones in ascending order.
[[nodiscard]] std::vector<std::int64_t> pick(std::int64_t total, std::int64_t count, Sampling sampling,
                                             std::uint64_t seed);

using Found = std::vector<Suggested>;
[[nodiscard]] Found sample(const VideoTask& task, const Sample& method);
[[nodiscard]] Found predictionScore(const VideoTask& task, const PredictionScore& method);
[[nodiscard]] Found velocity(const VideoTask& task, const Velocity& method);
[[nodiscard]] Found displacement(const VideoTask& task, const MaxPointDisplacement& method);
[[nodiscard]] Found chunk(const VideoTask& task, const FrameChunk& method);
[[nodiscard]] Found disagreement(const VideoTask& task, const Disagreement& method);
[[nodiscard]] Found novelty(const VideoTask& task, const PoseNovelty& method);
[[nodiscard]] Found instanceCount(const VideoTask& task, const InstanceCount& method);
[[nodiscard]] Result<Found> imageGroups(const std::vector<VideoTask>& tasks, const ImageFeatures& method);

}  // namespace skein::suggestions::detail
