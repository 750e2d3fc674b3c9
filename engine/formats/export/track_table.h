// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/project/labels.h"

namespace skein::formats {

/// Which instances of a video stand in a table that has one place for each track on each frame, as in SLEAP's analysis
/// files: a person's instance goes before the prediction of the same track; tracks without an instance have no place;
/// of projects without any track each instance of a frame has a place of its own, in their order; otherwise instances
/// without a track have none. Only instances of the first skeleton count.
struct TrackTable {
    std::uint32_t video = 0;
    std::vector<std::size_t> rows;      ///< of the project, in frame order
    std::vector<std::int32_t> placeOf;  ///< of each track of the project; -1: none
    std::vector<std::string> names;     ///< of each place
    std::int64_t frameCount = 0;        ///< up to the last labelled frame, and to the video's end where it is known
    std::size_t leftOut = 0;            ///< instances without a place
    bool isTracked = false;             ///< places are tracks

    [[nodiscard]] std::size_t places() const { return names.size(); }
};

struct PlacedInstance {
    std::size_t place = 0;
    project::InstanceView instance;
};

/// Errors: InvalidArgument (nothing labelled in that video, no skeleton).
[[nodiscard]] Result<TrackTable> makeTrackTable(const project::Labels& labels, std::uint32_t video);

/// Calls `visit` for each labelled frame of `table` by frame number, with its instances by place; frames that are
/// listed twice come once. `from`, `upTo`: part of table.rows. An error of `visit` ends it.
[[nodiscard]] Result<void> visitFrames(
    const project::Labels& labels, const TrackTable& table, std::size_t from, std::size_t upTo,
    const std::function<Result<void>(std::int64_t frame, std::span<const PlacedInstance>)>& visit);
[[nodiscard]] Result<void> visitFrames(
    const project::Labels& labels, const TrackTable& table,
    const std::function<Result<void>(std::int64_t frame, std::span<const PlacedInstance>)>& visit);

}  // namespace skein::formats
