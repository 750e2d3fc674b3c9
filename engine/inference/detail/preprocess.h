// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "engine/inference/detail/byte_resize.h"
#include "engine/inference/input_geometry.h"
#include "engine/models/model_spec.h"

namespace skein::inference {

/// Antialiased bilinear, uint8 [n, c, h, w] with 1 or 3 channels, bit-identical to torchvision on CPUs with AVX2
/// (see byte_resize.h). Tables are made once per pair of sizes and stay on the device. Thread-compatible.
class Resizer {
public:
    /// By loops on the CPU, elsewhere by tensor operations with the same arithmetic.
    [[nodiscard]] at::Tensor resize(const at::Tensor& pixels, Size size);
    /// By tensor operations, on any device.
    [[nodiscard]] at::Tensor resizeByOperations(const at::Tensor& pixels, Size size);
    /// The tables on devices that there are by now.
    [[nodiscard]] std::vector<at::Tensor> tables() const;

private:
    struct Weights {
        std::int64_t in = 0;
        std::int64_t out = 0;
        AxisWeights axis;
    };
    struct Axis {
        std::int64_t in = 0;
        std::int64_t out = 0;
        int precision = 0;
        at::Tensor index;   // [taps, out] int64: where each output reads
        at::Tensor weight;  // [taps, out] int32, in units of 2^-precision
    };
    [[nodiscard]] at::Tensor resizeByLoops(const at::Tensor& pixels, Size size);
    [[nodiscard]] const AxisWeights& weights(std::int64_t in, std::int64_t out);
    [[nodiscard]] const Axis& axis(std::int64_t in, std::int64_t out, at::Device device);
    [[nodiscard]] at::Tensor along(const at::Tensor& pixels, std::int64_t dimension, std::int64_t out);
    std::vector<Weights> m_weights;
    std::vector<Axis> m_axes;
};

/// Frames as the network's input before normalisation: channels converted, size matched, scaled, padded; uint8
/// [n, c, h, w] on the device of `frames`, which are uint8 [n, h, w, c]. Rounds to uint8 after every step, as the peer.
[[nodiscard]] at::Tensor preprocess(const at::Tensor& frames, const InputGeometry& geometry,
                                    const models::PreprocessSpec& spec, Resizer& resizer);

/// Whether preprocess() turns these frames into grey or colour.
[[nodiscard]] bool changesChannels(const at::Tensor& frames, const models::PreprocessSpec& spec);
/// The two halves of preprocess() without channels: uint8 [n, h, w, c] resized and padded to the size matcher's target,
/// as [n, c, h, w] ...
[[nodiscard]] at::Tensor matchSize(const at::Tensor& frames, const InputGeometry& geometry, Resizer& resizer);
/// ... and from there by the input scale and padded to the stride.
[[nodiscard]] at::Tensor scaleAndPad(const at::Tensor& pixels, const InputGeometry& geometry, Resizer& resizer);

/// uint8 [n, c, h, w] to float32 in 0..1, channels-last.
[[nodiscard]] at::Tensor normalise(const at::Tensor& pixels);

/// Colour [n, 3, h, w] to grey [n, 1, h, w], uint8, truncated: white becomes 254.
[[nodiscard]] at::Tensor toGrey(const at::Tensor& pixels);

}  // namespace skein::inference
