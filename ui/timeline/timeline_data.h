// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "engine/project/labels.h"

namespace skein::ui {

/// What the timeline shows of one video, arranged so that each pixel is answered by a binary search: lists of frame
/// indices and spans in ascending order. A value without Qt; built by a worker from a snapshot.
struct TimelineData {
    using Span = std::pair<std::int64_t, std::int64_t>;  ///< first and last frame, both included

    struct Lane {
        int track = -1;
        std::vector<Span> spans;  ///< frames on which the track is present; neighbours are one span
        std::vector<std::int64_t> userFrames;
    };

    std::uint32_t video = 0;
    std::vector<std::int64_t> user;            ///< frames with a user instance
    std::vector<std::int64_t> predicted;       ///< frames with a predicted instance
    std::vector<Span> labelled;                ///< runs of frames with any instance
    std::vector<std::int64_t> userOrNegative;  ///< frames with a user instance or a mark as background
    /// First and last frame of each lane; a frame stands as often as tracks begin or end there.
    std::vector<std::int64_t> trackStarts, trackEnds;
    std::vector<std::int64_t> negative;  ///< frames marked as background
    std::vector<Lane> lanes;             ///< by track index, only tracks that occur
    std::vector<std::int32_t> placeOf;   ///< place in lanes of each track, -1 none; shorter than the list of tracks

    /// Null: the track is not in this video.
    [[nodiscard]] const Lane* lane(int track) const;
    /// Adds a frame; cheapest when frames come in ascending order.
    void add(std::int64_t frame, const std::vector<int>& userTracks, const std::vector<int>& predictedTracks,
             bool hasUser, bool hasPredicted);
    /// Brings one frame up to date with `labels`. Cost: the number of lanes, and moving part of the lists; not the
    /// frames.
    void refreshFrame(const project::Labels& labels, std::int64_t frame);
    [[nodiscard]] bool isEmpty() const { return user.empty() && predicted.empty(); }
};

/// Walks all frames of `video`; duplicates of a frame count together. Cost: proportional to its instances; for worker
/// threads.
[[nodiscard]] TimelineData timelineOf(const project::Labels& labels, std::uint32_t video);

/// First value of the ascending list that lies in [from, to); -1 none.
[[nodiscard]] std::int64_t firstIn(const std::vector<std::int64_t>& frames, std::int64_t from, std::int64_t to);
/// Whether a span of the ascending list meets [from, to).
[[nodiscard]] bool meets(const std::vector<TimelineData::Span>& spans, std::int64_t from, std::int64_t to);
/// The span that holds `frame`, or null.
[[nodiscard]] const TimelineData::Span* spanAt(const std::vector<TimelineData::Span>& spans, std::int64_t frame);
/// Value of the ascending list that lies nearest to `frame`; -1 when the list is empty.
[[nodiscard]] std::int64_t nearest(const std::vector<std::int64_t>& frames, std::int64_t frame);

}  // namespace skein::ui
