// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "engine/base/image.h"

namespace skein::suggestions::detail {

/// A picture of one channel, [height, width] uint8.
struct Gray {
    int width = 0, height = 0;
    std::vector<std::uint8_t> pixels;
    [[nodiscard]] int at(int x, int y) const {
        return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
    }
};

/// The picture in grey (mean of its channels), each new pixel the mean of the old ones that it covers. At least 1 x 1.
[[nodiscard]] Gray reduced(const Image& image, double scale);

/// Orientations of gradients, unsigned, in 8 bins for each whole cell of 16 x 16 px, each cell of length 1 (or 0),
/// [cells down, cells across, 8]. Pictures under one cell are one cell. Source: Dalal and Triggs 2005.
[[nodiscard]] std::vector<float> orientationHistograms(const Gray& picture);

/// 256 bits, each whether one of two smoothed pixels near a corner is the brighter one.
using BinaryDescriptor = std::array<std::uint8_t, 32>;
/// At the strongest corners, at most 100. Sources: Harris and Stephens 1988; Calonder et al. 2010.
[[nodiscard]] std::vector<BinaryDescriptor> cornerDescriptors(const Gray& picture);

}  // namespace skein::suggestions::detail
