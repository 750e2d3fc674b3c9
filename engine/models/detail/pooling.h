// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

namespace skein::models {

/// Largest of each 2x2 pixels, [n, c, h, w] -> [n, c, h/2, w/2]; an odd last row or column is left out. Channels-last
/// float32 on the CPU goes through a loop of our own: LibTorch's kernel also writes where each maximum was.
[[nodiscard]] at::Tensor pool2x2(const at::Tensor& x);

/// Bilinear doubling, pixel centres at halves (align_corners false). Channels-last float32 on the CPU goes through a
/// loop of our own: the weights are always a quarter and three quarters.
[[nodiscard]] at::Tensor enlarge2x(const at::Tensor& x);

}  // namespace skein::models
