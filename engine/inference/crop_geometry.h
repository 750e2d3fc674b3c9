// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <algorithm>
#include <cmath>

namespace skein::inference {

/// Where a crop lies along one axis, in pixels of the size-matched frame.
///
/// Pixels are cut from `first` on without interpolation, yet points found in the crop are moved back by `origin`, which
/// has a fraction: every point of the crop is reported up to a pixel further right and down. sleap-nn does this (its
/// training crops are cut between pixels, so that its networks learnt to undo most of it), and results agree only if
/// Skein does it too.
struct CropAxis {
    float origin = 0;  ///< added to points
    int first = 0;     ///< first pixel
};

/// `centre` and `size` in pixels. A centre beyond any frame gives a crop outside, never an overflow.
[[nodiscard]] inline CropAxis cropAxis(float centre, int size) {
    constexpr float kFar = 1e7F;
    const float origin = (centre - static_cast<float>(size) / 2.0F) + 0.5F;
    const int half = size / 2;
    // Truncation after the shift: rounds down for all centres inside the frame, as the peer's crops do.
    const float shifted = std::trunc(std::clamp(origin, -kFar, kFar) + static_cast<float>(half));
    return {origin, static_cast<int>(shifted) - half};
}

}  // namespace skein::inference
