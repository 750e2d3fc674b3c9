// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "engine/base/result.h"
#include "engine/project/labels.h"

namespace skein::formats {

/// A place where an instance is, without its nodes.
struct PredictedCentroid {
    std::uint32_t video = 0;
    std::int64_t frameIndex = 0;
    double x = 0, y = 0;  ///< image pixels
    float score = 0;
};

/// Makes the next writeSlp() of `labels`, a project that was read from no file, also write these as sleap-io's
/// predicted centroids (`/centroids`). `source` says what they stand for: "anchor:NODE", "center_of_mass" ...
/// Errors: OutOfMemory, Io.
[[nodiscard]] Result<void> attachCentroids(project::Labels& labels, std::span<const PredictedCentroid> centroids,
                                           const std::string& source);

}  // namespace skein::formats
