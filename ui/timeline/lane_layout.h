// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace skein::ui {

/// In which order the tracks stand on the timeline.
enum class LaneOrder { Index, FirstFrame, Length, Name, Issues };

/// Which track is drawn on which row of the timeline. Tracks that do not overlap may share a row, so that thousands of
/// short ones fit. A value without Qt.
struct LaneLayout {
    struct Track {
        int track = 0;
        std::int64_t first = 0, last = 0;  ///< frames
        std::int64_t length = 0;           ///< frames on which it is there
        int issues = 0;
        friend bool operator==(const Track&, const Track&) = default;
    };

    std::vector<std::vector<Track>> rows;  ///< of each row by first frame
    std::vector<std::int32_t> rowOf;       ///< by track index; -1: none

    [[nodiscard]] int row(int track) const {
        return track >= 0 && static_cast<std::size_t>(track) < rowOf.size() ? rowOf[static_cast<std::size_t>(track)]
                                                                            : -1;
    }
    /// Index into rows[row] of the track that is there at `frame`, -1 none.
    [[nodiscard]] int trackAt(int row, std::int64_t frame) const;
};

/// `name` is asked only for LaneOrder::Name. Packed, a row is used again `gap` frames after its last track ended, and
/// the order is that of the first tracks of the rows. Cost: n log n.
[[nodiscard]] LaneLayout layOutLanes(std::vector<LaneLayout::Track> tracks, LaneOrder order, bool packed,
                                     std::int64_t gap, const std::function<std::string(int)>& name);

}  // namespace skein::ui
