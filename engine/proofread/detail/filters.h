// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <span>

#include "engine/proofread/smoothing.h"

namespace skein::proofread {

/// Filters one coordinate of one node in place. `frames` ascend; no two are farther apart than the longest gap.
void filterSeries(std::span<const std::int64_t> frames, std::span<double> values, const SmoothOptions& options);

}  // namespace skein::proofread
