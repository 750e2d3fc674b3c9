// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "engine/base/image.h"
#include "engine/video/detail/libav.h"

namespace skein::video::detail {

/// RGB of a decoded JPEG as image readers give it (libjpeg's "fancy" upsampling and its conversion): chroma is
/// interpolated with weights 3/4 and 1/4 between sample centres, not by the video scaler's filters, whose pixels differ
/// by up to 70. What remains between this and OpenCV comes from the order of rounding in the inverse transform: one
/// level in fewer than 2 % of the luma samples. False: the picture's layout is none of 4:4:4, 4:2:2, 4:4:0, 4:2:0 with
/// 8 bits, and `image` is untouched. Thread-safe.
[[nodiscard]] bool jpegToRgb(const AVFrame& frame, Image& image);

}  // namespace skein::video::detail
