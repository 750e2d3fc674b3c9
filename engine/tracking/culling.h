// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "engine/tracking/tracker.h"

namespace skein::tracking {

/// Which of `detections` are too many when at most `count` may stay: positions in ascending order. Only predicted ones
/// are culled; those of a person stay and do not count.
///
/// With `iou` > 0 first those go that a better one covers by more than this share of their own area (boxes of the
/// visible nodes, both ends included; as many as needed come back, best first), then the lowest scores (equal scores:
/// the earlier one). As sleap-nn's cull_instances.
[[nodiscard]] std::vector<std::size_t> beyondCount(std::span<const Detection> detections, std::size_t count,
                                                   double iou);

}  // namespace skein::tracking
