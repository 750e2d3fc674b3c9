// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <optional>

#include "engine/project/edit/edit.h"
#include "engine/project/edit/pose.h"

/// Deleting many instances at once. Frames stay, even when nothing is left on them. Cost: the headers of the frames
/// looked at, and the chunks in which something goes.
namespace skein::project::edit {

/// Picks instances; conditions that are set must all hold.
struct InstanceFilter {
    std::optional<InstanceKind> kind;
    std::optional<std::uint32_t> video;
    std::optional<FrameSpan> frames;    ///< of every video that is looked at
    std::optional<std::int32_t> track;  ///< -1: those without one
    std::optional<double> scoreBelow;   ///< predictions with an instance score under this; NaN counts as under
    bool onUserFrames = false;          ///< only on frames with a user instance

    [[nodiscard]] bool operator()(const FrameView& frame, const InstanceView& instance) const;
};

/// Rows that the filter can concern, ascending.
[[nodiscard]] std::vector<std::size_t> rowsFor(const Labels& labels, const InstanceFilter& filter);
[[nodiscard]] std::size_t countMatching(const Labels& labels, const InstanceFilter& filter);
[[nodiscard]] Outcome deleteMatching(const Labels& labels, const InstanceFilter& filter);

/// Predictions of one video, all of whose existing nodes (at least one) lie inside `area`.
[[nodiscard]] Outcome deletePredictionsInArea(const Labels& labels, std::uint32_t video, const Box& area);
/// Keeps the `most` best predictions of each frame of the video, by instance score; of equal ones the earlier.
[[nodiscard]] Outcome deletePredictionsBeyond(const Labels& labels, std::uint32_t video, std::size_t most);
/// Predictions of the video on frames outside the span.
[[nodiscard]] Outcome deletePredictionsOutside(const Labels& labels, std::uint32_t video, FrameSpan span);

}  // namespace skein::project::edit
