// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/detail/features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace skein::tracking {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Sorts `values`; the mean of the two middle ones where their number is even.
double median(std::span<double> values) {
    if (values.empty())
        return kNaN;
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double medianOf(std::span<const PointD> points, double PointD::*axis) {
    // Skeletons are small: no allocation for up to 64 nodes.
    std::array<double, 64> few{};
    std::vector<double> many;
    std::span<double> values = few;
    if (points.size() > few.size()) {
        many.resize(points.size());
        values = many;
    }
    std::size_t count = 0;
    for (const PointD& point : points)
        if (!std::isnan(point.*axis))
            values[count++] = point.*axis;
    return median(values.first(count));
}

}  // namespace

int visibleNodes(std::span<const PointD> points) {
    int count = 0;
    for (const PointD& point : points)
        if (!std::isnan(point.x) && !std::isnan(point.y))
            ++count;
    return count;
}

void computeFeature(Feature feature, std::span<const PointD> points, std::vector<double>& out) {
    switch (feature) {
        case Feature::Keypoints:
            out.resize(2 * points.size());
            for (std::size_t i = 0; i < points.size(); ++i) {
                out[2 * i] = points[i].x;
                out[2 * i + 1] = points[i].y;
            }
            return;
        case Feature::Centroids:
            out.resize(2);
            out[0] = medianOf(points, &PointD::x);
            out[1] = medianOf(points, &PointD::y);
            return;
        case Feature::Boxes:
            out.assign(4, kNaN);
            for (const PointD& point : points) {
                // fmin and fmax ignore the NaN of the start and of missing nodes.
                out[0] = std::fmin(out[0], point.x);
                out[1] = std::fmin(out[1], point.y);
                out[2] = std::fmax(out[2], point.x);
                out[3] = std::fmax(out[3], point.y);
            }
            return;
    }
}

}  // namespace skein::tracking
