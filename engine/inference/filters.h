// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <span>

#include "engine/inference/host_batch.h"
#include "engine/inference/options.h"

namespace skein::inference {

/// What the instances of a frame are, as far as filters have to know.
struct FilteredKind {
    bool hasInstanceScores = true;  ///< single-instance models have none at this point
    bool isCentroid = false;        ///< bare centroids: only scores and distances can be judged
};

/// Leaves out points and instances, in sleap-nn's order: weak points; instances with few visible nodes, with low
/// scores, that overlap a better one, whose centroid is too close to a better one's. Instances that stay keep their
/// order.
void applyFilters(FrameDetections& frame, const FilterOptions& options, FilteredKind kind);

/// Likeness of two instances, [node][2]: intersection over union of the boxes around their visible points.
[[nodiscard]] double boxOverlap(std::span<const float> a, std::span<const float> b);
/// Object keypoint similarity over the nodes visible in both, scaled by the box of `a`.
[[nodiscard]] double keypointSimilarity(std::span<const float> a, std::span<const float> b);

/// Keeps only the instances of these numbers, in this order.
void keepInstances(FrameDetections& frame, std::span<const std::size_t> kept);

}  // namespace skein::inference
