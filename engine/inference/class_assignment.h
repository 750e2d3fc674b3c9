// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "engine/base/assignment.h"

// Who is who, from class probabilities. Follows sleap-nn 0.3.5, except that a probability that is not a number counts
// as 0 there where the peer stops with an error.
namespace skein::inference {

struct ClassedPeak {
    int peak = 0;
    int classIndex = 0;
    float probability = 0;
};

/// Gives the peaks of one node in one frame to classes, so that the sum of probabilities is largest; a peak whose class
/// is then not its own most probable one is left out. `probabilities` is [peaks, classes], row-major. Pairs in
/// ascending order of the peak.
[[nodiscard]] std::vector<ClassedPeak> classifyPeaks(Assigner& assigner, std::span<const float> probabilities,
                                                     std::size_t peaks, std::size_t classes);

/// Gives the crops of one frame to classes, so that the sum of probabilities is largest. `probabilities` is [crops,
/// classes]. One entry for each crop; with more crops than classes those left over have class -1 and probability NaN.
[[nodiscard]] std::vector<ClassedPeak> classifyCrops(Assigner& assigner, std::span<const float> probabilities,
                                                     std::size_t crops, std::size_t classes);

}  // namespace skein::inference
