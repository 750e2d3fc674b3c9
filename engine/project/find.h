// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/project/edit/pose.h"
#include "engine/project/labels.h"

/// Finding frames by what is on them. "Shown" instances are those that the window draws: all but predictions that a
/// user instance of the frame was made from. A centre is the mean of the visible points of an instance.
namespace skein::project {

enum class FindBy {
    InstanceCount,  ///< `compare` the number of shown instances with `number`
    ScoreBelow,     ///< a shown prediction has an instance score below `limit`
    NodeInvisible,  ///< a shown instance lacks the node, or has it not visible
    Track,          ///< a shown instance has the track
    SpeedAbove,     ///< a centre moved by more than `limit` pixels a frame since the recorded frame before this one
    TracksClose,    ///< centres of `track` and `otherTrack` are less than `limit` pixels apart
    Inside,         ///< a centre lies inside `region`
    User,           ///< there is a user instance
    Predicted,      ///< there is a shown prediction
    Empty,          ///< the frame was recorded and has no instance
    Negative        ///< the frame is marked as background
};

enum class Compare { Equal, Less, Greater };

/// Tracks and nodes go by name, so that a filter fits other projects too; a name that the project does not know is on
/// no frame. Fields that `by` does not name are not looked at.
struct FindCondition {
    FindBy by = FindBy::User;
    bool negated = false;  ///< the frames that are not so
    Compare compare = Compare::Equal;
    std::int64_t number = 0;
    double limit = 0;
    std::string node;
    std::string track, otherTrack;
    edit::Box region;  ///< pixels of the frame
};

struct FoundFrame {
    std::uint32_t video = 0;
    std::int64_t frame = 0;
    std::uint32_t instances = 0;  ///< shown ones
    friend bool operator==(const FoundFrame&, const FoundFrame&) = default;
};

/// Frames for which every condition holds, of one video or of all, by video and frame, each once. Looks at frames that
/// were recorded or are marked as background; no condition finds none. Cost: one pass over the headers, over the points
/// too where a condition needs them, on all cores. Errors: Cancelled.
[[nodiscard]] Result<std::vector<FoundFrame>> findFrames(const Labels& labels,
                                                         const std::vector<FindCondition>& conditions,
                                                         std::optional<std::uint32_t> video = std::nullopt,
                                                         std::stop_token stop = {});

}  // namespace skein::project
