// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <optional>

#include "engine/project/edit/edit.h"
#include "engine/project/edit/pose.h"

namespace skein::project::edit {

/// Where a new instance comes from.
enum class Placement {
    /// The first that there is: the frame's best prediction without a user instance; an instance of the nearest earlier
    /// labelled frame whose track is not here, moved on by its last velocity (one body length at most); the average.
    Best,
    Average,         ///< mean pose of user instances (Procrustes), else of predictions, else the spring layout
    ForceDirected,   ///< spring layout of the skeleton's graph
    Random,          ///< each node somewhere in the visible part, the same for the same frame and number of instances
    CopyPriorFrame,  ///< as the second of Best, without the velocity
    CopyPrediction   ///< the frame's best prediction without a user instance
};

struct PlacementView {
    int frameWidth = 0, frameHeight = 0;  ///< 0: unknown, no limit
    std::optional<Box> visible;           ///< what the person sees, in frame pixels; none: the whole frame
    std::optional<Vec> at;                ///< centre of an averaged pose: the cursor; none: the middle of `visible`
};

/// A new user instance of `skeleton`, its nodes incomplete. Copies that fall on an instance that is there already are
/// shifted by 10 px until they do not. All methods are deterministic, give finite coordinates inside the frame, and
/// fall back on the average where they have nothing to copy. Cost: one chunk, and for the average at most some two
/// thousand frames nearby. Nothing is added when the project lacks the skeleton or it has no nodes.
[[nodiscard]] Outcome addInstance(const Labels& labels, std::uint32_t video, std::int64_t frame, std::uint32_t skeleton,
                                  Placement placement, const PlacementView& view);

/// Mean pose of the instances of that skeleton that are labelled near the frame, centred at (0, 0): user instances,
/// else predictions. All absent when there are none.
[[nodiscard]] Pose averagePose(const Labels& labels, std::uint32_t video, std::int64_t frame, std::uint32_t skeleton);

/// `pose`, shifted diagonally in steps of 10 px until it equals no instance of the frame; inside `box` when given.
[[nodiscard]] Pose besideOthers(Pose pose, const FrameData& frame, const Box* box);

}  // namespace skein::project::edit
