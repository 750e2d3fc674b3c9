// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <vector>

#include "engine/project/labels.h"

namespace skein::ui {

/// What there is to say about one track of one video. Frames with several instances of a track count once, and of these
/// the user instance counts.
struct TrackSummary {
    int track = 0;
    std::int64_t first = 0, last = 0;  ///< frames
    std::int64_t frames = 0;           ///< on which it is there
    std::int64_t fragments = 0;        ///< runs of frames without a pause
    std::int64_t longestGap = 0;       ///< frames of the longest pause
    std::int64_t userFrames = 0;
    double meanScore = project::kNaN, minScore = project::kNaN;  ///< of its predictions
    double meanTrackingScore = project::kNaN;
    double meanSpeed = project::kNaN;  ///< px a frame, of the centre, over steps from frame to frame
    double maxJump = project::kNaN;    ///< px: the longest such step
    std::int64_t jumpFrame = -1;       ///< where that step ends
    std::int64_t encounters = 0;       ///< times that another centre was nearer than half a body length

    [[nodiscard]] std::int64_t gaps() const { return fragments - 1; }
};

struct TrackSummaries {
    std::uint32_t video = 0;
    std::vector<TrackSummary> tracks;   ///< by track index, those that occur
    double bodyLength = project::kNaN;  ///< px: median diagonal of the instances' boxes
};

/// Cost: one pass over the instances of the video, and the pairs on each frame; for workers. Thread-compatible.
[[nodiscard]] TrackSummaries summarizeTracks(const project::Labels& labels, std::uint32_t video);

}  // namespace skein::ui
