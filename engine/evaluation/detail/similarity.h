// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <array>
#include <span>
#include <vector>

#include "engine/project/labels.h"

namespace skein::evaluation {

/// Pixels at which a pose without extent stops matching (see poseSimilarity()).
inline constexpr double kPointMatchPixels = 50.0;

/// Area of the box of the existing nodes, in square pixels; NaN without any.
[[nodiscard]] double poseArea(std::span<const project::Point> points);

/// Object keypoint similarity in COCO's form: mean over the truth's existing nodes of exp(-d^2 / ((2 s)^2 2 (A + e))),
/// nodes missing in the prediction counting 0; A is `scale` or, where that is not above 0, the area of the truth's box;
/// e = 2^-52. NaN when the truth has no node.
[[nodiscard]] double keypointSimilarity(std::span<const project::Point> truth,
                                        std::span<const project::Point> prediction, double stddev, double scale = 0);

/// keypointSimilarity(), except that a truth without extent (area below 1e-9: one node, or all on one line along an
/// axis) would demand equal numbers; it scores max(0, 1 - mean distance of common nodes / 50 px) instead.
[[nodiscard]] double poseSimilarity(std::span<const project::Point> truth, std::span<const project::Point> prediction,
                                    double stddev, double scale = 0);

/// Mean of the existing nodes; NaN without any.
[[nodiscard]] std::array<double, 2> centroidOf(std::span<const project::Point> points);

/// Linear-interpolated percentile, 0 to 100, of `sorted` ascending values; NaN when empty.
[[nodiscard]] double percentile(std::span<const double> sorted, double percent);

}  // namespace skein::evaluation
