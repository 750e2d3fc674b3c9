// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>

#include "engine/base/image.h"

namespace skein::video {

/// Rank of a frame in presentation order, from 0.
using FrameNumber = std::int64_t;

/// Layout a frame is delivered in. Gray8 is channel R of Rgb24, never a weighted sum: this is what models of grey
/// videos are trained on. Bgra32 matches QImage's 32-bit RGB (alpha 255) and feeds the canvas.
enum class PixelFormat { Gray8, Rgb24, Bgra32 };

/// 1, 3 or 4.
[[nodiscard]] constexpr int channelsOf(PixelFormat format) noexcept {
    return format == PixelFormat::Gray8 ? 1 : format == PixelFormat::Rgb24 ? 3 : 4;
}

/// Which YUV matrix a video is converted with. Tagged: the one the stream names, BT.601 where it names none (OpenCV >=
/// 5, the peer's default reader). Bt601: always BT.601 (OpenCV 4, PyAV); differs for videos tagged BT.709 or BT.2020.
enum class MatrixPolicy { Tagged, Bt601 };

/// `image` (1, 3 or 4 channels) in another layout; returns the same object when it already has it. 1 -> 3/4 repeats the
/// channel, 3/4 -> 1 takes R. For sources whose frames do not come from libav (HDF5 packages, arrays).
[[nodiscard]] ImagePtr toFormat(const ImagePtr& image, PixelFormat format);

/// Whether R equals B at every pixel: the test by which a video counts as grey, applied to its first frame.
[[nodiscard]] bool redEqualsBlue(const Image& image);

}  // namespace skein::video
