// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/culling.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/tracking/detail/features.h"

namespace skein::tracking {

namespace {

double sortable(double score) {
    return std::isnan(score) ? -std::numeric_limits<double>::infinity() : score;
}

double area(const std::vector<double>& box) {
    return (box[2] - box[0] + 1) * (box[3] - box[1] + 1);
}

/// Share of `other` that `box` covers; NaN where a box is.
double coverage(const std::vector<double>& box, const std::vector<double>& other) {
    const double width = std::max(0.0, std::min(box[2], other[2]) - std::max(box[0], other[0]) + 1);
    const double height = std::max(0.0, std::min(box[3], other[3]) - std::max(box[1], other[1]) + 1);
    return width * height / area(other);
}

/// Positions in `all` (ascending scores) that stay; the others are covered by a better one.
std::vector<std::size_t> uncovered(std::span<const Detection> detections, const std::vector<std::size_t>& ascending,
                                   std::size_t count, double iou) {
    std::vector<std::vector<double>> boxes(detections.size());
    for (const std::size_t i : ascending)
        computeFeature(Feature::Boxes, detections[i].points, boxes[i]);
    std::vector<std::size_t> left = ascending;
    std::vector<std::size_t> picked;
    std::vector<std::size_t> covered;
    while (!left.empty()) {
        const std::size_t best = left.back();
        left.pop_back();
        picked.push_back(best);
        std::vector<std::size_t> still;
        for (const std::size_t i : left)
            (coverage(boxes[best], boxes[i]) > iou ? covered : still).push_back(i);
        left = std::move(still);
    }
    if (picked.size() < count) {
        std::stable_sort(covered.begin(), covered.end(), [&detections](std::size_t a, std::size_t b) {
            return sortable(detections[a].score) > sortable(detections[b].score);
        });
        for (std::size_t k = 0; k < covered.size() && picked.size() < count; ++k)
            picked.push_back(covered[k]);
    }
    std::sort(picked.begin(), picked.end());
    return picked;
}

}  // namespace

std::vector<std::size_t> beyondCount(std::span<const Detection> detections, std::size_t count, double iou) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < detections.size(); ++i)
        if (!detections[i].user)
            all.push_back(i);
    if (all.size() <= count)
        return {};
    const auto byScore = [&detections](std::size_t a, std::size_t b) {
        return sortable(detections[a].score) < sortable(detections[b].score);
    };
    std::vector<std::size_t> kept = all;
    if (iou > 0) {
        std::vector<std::size_t> ascending = all;
        std::stable_sort(ascending.begin(), ascending.end(), byScore);
        kept = uncovered(detections, ascending, count, iou);
    }
    if (kept.size() > count) {
        std::stable_sort(kept.begin(), kept.end(), byScore);
        kept.erase(kept.begin(), kept.end() - static_cast<std::ptrdiff_t>(count));
        std::sort(kept.begin(), kept.end());
    }
    std::vector<std::size_t> removed;
    std::set_difference(all.begin(), all.end(), kept.begin(), kept.end(), std::back_inserter(removed));
    return removed;
}

}  // namespace skein::tracking
