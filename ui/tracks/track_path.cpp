// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/track_path.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/timeline/statistic.h"
#include "ui/timeline/statistic_walk.h"

namespace skein::ui {

namespace {
constexpr double kLeastStep = 0.5;  ///< px

/// A curve over the steps of a path from frame to frame.
template <class Value>
PlotCurve overSteps(const TrackPath& path, Value value) {
    PlotCurve curve;
    for (std::size_t i = 1; i < path.frames.size(); ++i) {
        const bool next = path.frames[i] == path.frames[i - 1] + 1;
        curve.frames.push_back(static_cast<double>(path.frames[i]));
        curve.values.push_back(next ? value(path.x[i] - path.x[i - 1], path.y[i] - path.y[i - 1]) : project::kNaN);
    }
    return curve;
}
}  // namespace

std::vector<TrackPath> pathsOf(const project::Labels& labels, std::uint32_t video, const std::vector<int>& tracks) {
    std::vector<TrackPath> paths(tracks.size());
    for (std::size_t i = 0; i < tracks.size(); ++i)
        paths[i].track = tracks[i];
    statistic::walk(labels, video, 0, std::numeric_limits<std::int64_t>::max(), [&](const statistic::Frame& frame) {
        for (TrackPath& path : paths) {
            const project::InstanceView* found = nullptr;
            for (const project::InstanceView& instance : frame.instances)
                if (instance.header->track == path.track &&
                    (found == nullptr || (statistic::isPrediction(*found) && !statistic::isPrediction(instance))))
                    found = &instance;
            const auto centre = found != nullptr ? centreOf(found->points) : std::nullopt;
            if (!centre)
                continue;
            path.frames.push_back(frame.index);
            path.x.push_back(centre->first);
            path.y.push_back(centre->second);
        }
    });
    return paths;
}

PlotCurve curveOf(const TrackPath& path, const std::vector<double>& values) {
    PlotCurve curve;
    for (std::size_t i = 0; i < path.frames.size(); ++i) {
        if (i > 0 && path.frames[i] != path.frames[i - 1] + 1) {
            curve.frames.push_back(static_cast<double>(path.frames[i - 1] + 1));
            curve.values.push_back(project::kNaN);
        }
        curve.frames.push_back(static_cast<double>(path.frames[i]));
        curve.values.push_back(values[i]);
    }
    return curve;
}

PlotCurve speedOf(const TrackPath& path) {
    return overSteps(path, [](double dx, double dy) { return std::hypot(dx, dy); });
}

PlotCurve headingOf(const TrackPath& path) {
    return overSteps(path, [](double dx, double dy) {
        return std::hypot(dx, dy) < kLeastStep ? project::kNaN : std::atan2(-dy, dx) * 180 / M_PI;
    });
}

PlotCurve distanceOf(const TrackPath& a, const TrackPath& b) {
    PlotCurve curve;
    std::size_t j = 0;
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (std::size_t i = 0; i < a.frames.size(); ++i) {
        while (j < b.frames.size() && b.frames[j] < a.frames[i])
            ++j;
        if (j == b.frames.size())
            break;
        if (b.frames[j] != a.frames[i])
            continue;
        if (!curve.frames.empty() && a.frames[i] != last + 1) {
            curve.frames.push_back(static_cast<double>(last + 1));
            curve.values.push_back(project::kNaN);
        }
        last = a.frames[i];
        curve.frames.push_back(static_cast<double>(last));
        curve.values.push_back(std::hypot(a.x[i] - b.x[j], a.y[i] - b.y[j]));
    }
    return curve;
}

std::vector<std::pair<std::int64_t, std::int64_t>> runsOf(const TrackPath& path) {
    std::vector<std::pair<std::int64_t, std::int64_t>> runs;
    for (const std::int64_t frame : path.frames)
        if (!runs.empty() && runs.back().second == frame - 1)
            runs.back().second = frame;
        else
            runs.emplace_back(frame, frame);
    return runs;
}

Occupancy occupancyOf(const std::vector<TrackPath>& paths, int width, int height, int most) {
    double right = width, bottom = height;
    if (width <= 0 || height <= 0)
        for (const TrackPath& path : paths)
            for (std::size_t i = 0; i < path.x.size(); ++i) {
                right = std::max(right, path.x[i] + 1);
                bottom = std::max(bottom, path.y[i] + 1);
            }
    Occupancy map;
    if (!(right > 0 && bottom > 0) || most <= 0)
        return map;
    map.cell = std::max(right, bottom) / most;
    map.columns = std::clamp(static_cast<int>(std::ceil(right / map.cell)), 1, most);
    map.rows = std::clamp(static_cast<int>(std::ceil(bottom / map.cell)), 1, most);
    map.counts.assign(static_cast<std::size_t>(map.columns) * static_cast<std::size_t>(map.rows), 0);
    for (const TrackPath& path : paths)
        for (std::size_t i = 0; i < path.x.size(); ++i) {
            // The centre of the top-left pixel is (0, 0).
            const double column = std::floor((path.x[i] + 0.5) / map.cell),
                         row = std::floor((path.y[i] + 0.5) / map.cell);
            if (column >= 0 && row >= 0 && column < map.columns && row < map.rows)
                ++map.counts[static_cast<std::size_t>(row) * static_cast<std::size_t>(map.columns) +
                             static_cast<std::size_t>(column)];
        }
    return map;
}

}  // namespace skein::ui
