// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <vector>

#include "ui/timeline/statistic.h"

namespace skein::ui {

/// The statistics that follow tracks from frame to frame (PrimaryDisplacement..., TrackSpeed, SwapSuspicion), as
/// statisticOf() says. `values` holds one NaN a frame at first.
void motionStatistic(const project::Labels& labels, const StatisticRequest& request, std::int64_t first,
                     std::int64_t last, std::vector<double>& values);

/// Last frame whose value can differ, as framesConcerned() says.
[[nodiscard]] std::int64_t motionReach(const project::Labels& before, const project::Labels& after,
                                       const StatisticRequest& request, std::int64_t first, std::int64_t last);

}  // namespace skein::ui
