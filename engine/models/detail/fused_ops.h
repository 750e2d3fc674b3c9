// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

namespace skein::models {

/// LibTorch's CPU convolutions that apply the ReLU (and an addition) while the result is still in registers, and read
/// weights reordered once for the processor. They are not part of the C++ interface, but registered by name for the
/// compiler of PyTorch (mkldnn::*), present in 2.11 to 2.15. Activations are channels-last float32. Thread-safe.
class FusedOps {
public:
    /// Null when this LibTorch does not have them in the form known here; the plain functions then do the work.
    [[nodiscard]] static const FusedOps* find();

    virtual ~FusedOps() = default;
    /// Weights [out, in, k, k] in the processor's order for inputs of this size; `padding` on all four sides.
    [[nodiscard]] virtual at::Tensor packConv(const at::Tensor& weight, std::int64_t padding,
                                              at::IntArrayRef inputSize) const = 0;
    /// Weights [in, out, 3, 3] of a doubling transposed convolution (stride 2, padding 1, output padding 1).
    [[nodiscard]] virtual at::Tensor packTransposed(const at::Tensor& weight, at::IntArrayRef inputSize) const = 0;

    [[nodiscard]] virtual at::Tensor conv(const at::Tensor& x, const at::Tensor& packed, const at::Tensor& bias,
                                          std::int64_t padding, bool relu) const = 0;
    /// sum = relu?(sum + conv(x)), without bias, in place.
    virtual void addConv(at::Tensor& sum, const at::Tensor& x, const at::Tensor& packed, std::int64_t padding,
                         bool relu) const = 0;
    [[nodiscard]] virtual at::Tensor transposed(const at::Tensor& x, const at::Tensor& packed, const at::Tensor& bias,
                                                bool relu) const = 0;
};

}  // namespace skein::models
