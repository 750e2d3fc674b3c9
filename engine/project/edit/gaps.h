// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "engine/project/edit/tracks.h"

/// Frames on which a track is absent although it is there before and after, and what can be put there. A filled
/// instance is a prediction whose score and points' scores are all 0, which no model gives; by that it is known again,
/// also from a file.
namespace skein::project::edit {

struct Gap {
    std::uint32_t video = 0;
    std::int32_t track = -1;
    FrameSpan span;  ///< the frames without it
    [[nodiscard]] std::int64_t frames() const { return span.last - span.first + 1; }
    friend bool operator==(const Gap&, const Gap&) = default;
};

enum class GapPath {
    Linear,
    Smooth  ///< cubic, with the velocities of the frames before and after (linear where those are not known)
};

/// Gaps of at most `longest` frames, by track and frame; of one track, or with -1 of all. Cost: the video's headers.
[[nodiscard]] std::vector<Gap> gapsOf(const Labels& labels, std::uint32_t video, std::int32_t track,
                                      std::int64_t longest);
/// The gap of at most `longest` frames that `frame` lies in.
[[nodiscard]] std::optional<Gap> gapAt(const Labels& labels, std::uint32_t video, std::int32_t track,
                                       std::int64_t frame, std::int64_t longest);

/// The poses that would fill a gap, one a frame; nodes that are missing before or after stay absent. Empty when the
/// track is not on both sides, or no node is.
[[nodiscard]] std::vector<InstanceData> posesFor(const Labels& labels, const Gap& gap, GapPath path);

/// Fills gaps with predictions of score 0; frames that are not recorded are added. changed: instances made.
[[nodiscard]] Outcome fillGaps(const Labels& labels, std::span<const Gap> gaps, GapPath path);

/// Nodes that are missing for at most `longest` frames in predictions of tracks get a place on the way from where they
/// were before to where they are after, with score 0. Of `tracks`, or of all where there are none. changed: points.
[[nodiscard]] Outcome fillNodes(const Labels& labels, std::uint32_t video, std::int64_t longest,
                                std::span<const std::int32_t> tracks = {});

[[nodiscard]] bool isFilled(const InstanceView& instance);
/// Takes all filled instances out, of every video.
[[nodiscard]] Outcome removeFilled(const Labels& labels);

}  // namespace skein::project::edit
