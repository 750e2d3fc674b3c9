// SPDX-License-Identifier: BSD-3-Clause
#include "engine/evaluation/detail/similarity.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skein::evaluation {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kNoArea = 1e-9;

double squaredDistance(const project::Point& a, const project::Point& b) {
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

double pointScore(std::span<const project::Point> truth, std::span<const project::Point> prediction) {
    double sum = 0;
    int common = 0;
    for (std::size_t k = 0; k < std::min(truth.size(), prediction.size()); ++k)
        if (truth[k].exists() && prediction[k].exists()) {
            sum += std::sqrt(squaredDistance(truth[k], prediction[k]));
            ++common;
        }
    return common == 0 ? 0.0 : std::max(0.0, 1.0 - sum / common / kPointMatchPixels);
}

}  // namespace

double poseArea(std::span<const project::Point> points) {
    double left = std::numeric_limits<double>::infinity();
    double top = left;
    double right = -left;
    double bottom = -left;
    for (const project::Point& point : points)
        if (point.exists()) {
            left = std::min(left, point.x);
            right = std::max(right, point.x);
            top = std::min(top, point.y);
            bottom = std::max(bottom, point.y);
        }
    return right >= left ? (right - left) * (bottom - top) : project::kNaN;
}

double keypointSimilarity(std::span<const project::Point> truth, std::span<const project::Point> prediction,
                          double stddev, double scale) {
    const double area = scale > 0 ? scale : poseArea(truth);
    const double norm = (2 * stddev) * (2 * stddev) * (2 * (area + kEpsilon));
    double sum = 0;
    int nodes = 0;
    for (std::size_t k = 0; k < truth.size(); ++k) {
        if (!truth[k].exists())
            continue;
        ++nodes;
        if (k < prediction.size() && prediction[k].exists())
            sum += std::exp(-(squaredDistance(truth[k], prediction[k]) / norm));
    }
    return nodes == 0 ? project::kNaN : sum / nodes;
}

double poseSimilarity(std::span<const project::Point> truth, std::span<const project::Point> prediction, double stddev,
                      double scale) {
    if (poseArea(truth) < kNoArea)
        return pointScore(truth, prediction);
    return keypointSimilarity(truth, prediction, stddev, scale);
}

std::array<double, 2> centroidOf(std::span<const project::Point> points) {
    double x = 0;
    double y = 0;
    int nodes = 0;
    for (const project::Point& point : points)
        if (point.exists()) {
            x += point.x;
            y += point.y;
            ++nodes;
        }
    if (nodes == 0)
        return {project::kNaN, project::kNaN};
    return {x / nodes, y / nodes};
}

double percentile(std::span<const double> sorted, double percent) {
    if (sorted.empty())
        return project::kNaN;
    const double place = percent / 100.0 * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

}  // namespace skein::evaluation
