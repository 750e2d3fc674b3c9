// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/project/labels.h"

namespace skein::ui {

/// Where a track's centre (mean of the existing nodes) was on each frame on which it is there, ascending. Of several
/// instances of the track on a frame the user instance counts.
struct TrackPath {
    int track = -1;
    std::vector<std::int64_t> frames;
    std::vector<double> x, y;  ///< frame pixels
};

/// Paths in the order of `tracks`. Cost: one pass over the video; for workers. Thread-compatible.
[[nodiscard]] std::vector<TrackPath> pathsOf(const project::Labels& labels, std::uint32_t video,
                                             const std::vector<int>& tracks);

/// One curve over frames; a value that is not a number interrupts it.
struct PlotCurve {
    std::vector<double> frames, values;
};

/// px a frame, from the frame before; interrupted where the track was absent.
[[nodiscard]] PlotCurve speedOf(const TrackPath& path);
/// Direction of that movement in degrees, from -180 to 180: 0 is to the right, 90 is up. Steps of less than half a
/// pixel have none.
[[nodiscard]] PlotCurve headingOf(const TrackPath& path);
/// Of the centres, px, on frames that have both.
[[nodiscard]] PlotCurve distanceOf(const TrackPath& a, const TrackPath& b);
[[nodiscard]] PlotCurve curveOf(const TrackPath& path, const std::vector<double>& values);
/// Runs of frames without a pause: first and last.
[[nodiscard]] std::vector<std::pair<std::int64_t, std::int64_t>> runsOf(const TrackPath& path);

/// How often the centres lay in each cell of a grid over the frame; cells of `cell` pixels, by rows from the top.
struct Occupancy {
    int columns = 0, rows = 0;
    double cell = 1;
    std::vector<std::int64_t> counts;
};
/// `width` and `height` of the frame in pixels (0: as far as the paths go); the longer side has `most` cells.
[[nodiscard]] Occupancy occupancyOf(const std::vector<TrackPath>& paths, int width, int height, int most);

}  // namespace skein::ui
