// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <span>
#include <vector>

#include "engine/tracking/tracker.h"

namespace skein::tracking {

/// Number of nodes with both coordinates.
[[nodiscard]] int visibleNodes(std::span<const PointD> points);

/// Replaces `out` by the feature of `points`: all coordinates x, y, x, y, ...; or the per-axis median x, y of the
/// visible nodes; or their box x1, y1, x2, y2. Without a visible node centroid and box are NaN.
void computeFeature(Feature feature, std::span<const PointD> points, std::vector<double>& out);

}  // namespace skein::tracking
