// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include "engine/inference/input_geometry.h"
#include "engine/models/model_spec.h"

namespace skein::inference {

/// Frames as the network's input before normalisation: channels converted, size matched, scaled, padded; uint8
/// [n, c, h, w] on the device of `frames`, which are uint8 [n, h, w, c]. Rounds to uint8 after every step, as the peer.
[[nodiscard]] at::Tensor preprocess(const at::Tensor& frames, const InputGeometry& geometry,
                                    const models::PreprocessSpec& spec);

/// uint8 [n, c, h, w] to float32 in 0..1, channels-last.
[[nodiscard]] at::Tensor normalise(const at::Tensor& pixels);

/// Colour [n, 3, h, w] to grey [n, 1, h, w], uint8, truncated: white becomes 254.
[[nodiscard]] at::Tensor toGrey(const at::Tensor& pixels);

/// Antialiased bilinear resize of uint8 [n, c, h, w]. Fixed-point arithmetic whose every bit matters: on CPUs
/// LibTorch's own kernel, elsewhere resizeExactly().
[[nodiscard]] at::Tensor resize(const at::Tensor& pixels, Size size);

/// The same arithmetic by integer tensor operations, for devices on which LibTorch has no uint8 kernel.
[[nodiscard]] at::Tensor resizeExactly(const at::Tensor& pixels, Size size);

}  // namespace skein::inference
