// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <vector>

#include "engine/project/labels.h"
#include "ui/run_host.h"

namespace skein::ui {

/// Frames as ranges that neither touch nor overlap, ascending: a whole video costs one entry.
using FrameRanges = std::vector<FrameRange>;

[[nodiscard]] std::int64_t countOf(const FrameRanges& ranges);
[[nodiscard]] FrameRanges intersection(const FrameRanges& a, const FrameRanges& b);
[[nodiscard]] FrameRanges unionOf(const FrameRanges& a, const FrameRanges& b);
/// Frames of `a` that are not in `b`.
[[nodiscard]] FrameRanges difference(const FrameRanges& a, const FrameRanges& b);
[[nodiscard]] std::vector<std::int64_t> toFrames(const FrameRanges& ranges);
/// `count` of the frames, evenly likely and always the same for the same seed; all of them when there are fewer.
[[nodiscard]] FrameRanges sampleOf(const FrameRanges& ranges, int count, std::uint32_t seed);

/// Frames of one video by what the project holds on them.
struct LabelFrames {
    FrameRanges labelled;   ///< with an instance that a person made
    FrameRanges suggested;  ///< suggested for labelling, and not labelled yet
    FrameRanges predicted;  ///< with a predicted instance
};
/// Reads the labels of the video: for a worker. O(n log n).
[[nodiscard]] LabelFrames labelFramesOf(const project::Labels& labels, std::uint32_t video);

}  // namespace skein::ui
