// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <cstdint>
#include <vector>

#include "engine/base/result.h"
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

/// Frames that a person lists, "1-100, 250", as the window counts them; of `count` frames. Errors: InvalidArgument, one
/// sentence (no list, or none of its frames is in the video).
[[nodiscard]] Result<FrameRanges> listedFrames(const QString& list, bool fromZero, std::int64_t count);

/// Frames of one video by what the project holds on them.
struct LabelFrames {
    FrameRanges labelled;   ///< with an instance that a person made
    FrameRanges suggested;  ///< suggested for labelling, and not labelled yet
    FrameRanges predicted;  ///< with a predicted instance
    FrameRanges tracked;    ///< with a predicted instance that has a track
};
/// Reads the labels of the video: for a worker. O(n log n).
[[nodiscard]] LabelFrames labelFramesOf(const project::Labels& labels, std::uint32_t video);

}  // namespace skein::ui
