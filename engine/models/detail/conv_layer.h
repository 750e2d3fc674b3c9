// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/models/detail/fused_ops.h"
#include "engine/models/detail/row_kernel.h"
#include "engine/models/detail/winograd_kernel.h"
#include "engine/models/network_plan.h"

namespace skein::models {

/// One convolution of a network with its weights. Thread-compatible: the fused form reorders its weights when it first
/// needs them (LibTorch's functions: for each new input size) and keeps them.
class ConvLayer {
public:
    ConvLayer() = default;
    /// Weights as the checkpoint has them. `kerasAlignment` concerns transposed convolutions only.
    ConvLayer(ConvPlan plan, at::Tensor weight, at::Tensor bias, bool kerasAlignment);

    /// x is [n, inChannels, h, w]. With `ops` the fused form, channels-last on the CPU; without, plain tensor
    /// functions.
    [[nodiscard]] at::Tensor apply(const at::Tensor& x, const FusedOps* ops);

    /// The convolution of `skip` and `x` joined along the channels, skip first. The fused form never joins them: a
    /// convolution is the sum of those of its parts.
    [[nodiscard]] at::Tensor applyJoined(const at::Tensor& skip, const at::Tensor& x, const FusedOps* ops);

    /// apply(), and the largest of each 2x2 of its result. `keepAll` false: the first is not needed and may be left
    /// undefined.
    struct Pooled {
        at::Tensor all;
        at::Tensor pooled;
    };
    [[nodiscard]] Pooled applyAndPool(const at::Tensor& x, const FusedOps* ops, bool keepAll);
    /// The same behind another layer: next.applyAndPool(apply(x)). Where the kernels allow it, what lies between is
    /// never there as a whole, but in bands of rows that stay in the cache.
    [[nodiscard]] Pooled applyBothAndPool(ConvLayer& next, const at::Tensor& x, const FusedOps* ops, bool keepAll);

    [[nodiscard]] const ConvPlan& plan() const { return m_plan; }

private:
    struct Packed {
        std::array<std::int64_t, 3> size{};  // n, h, w of the input
        at::Tensor first;                    // all channels, or those of the skip connection
        at::Tensor second;                   // the others, when joined
    };
    [[nodiscard]] at::Tensor padded(const at::Tensor& x) const;
    [[nodiscard]] std::int64_t padding() const;
    [[nodiscard]] at::Tensor plain(const at::Tensor& x) const;
    /// Kernels of our own, made on first use; null where they do not suit, and LibTorch's functions compute instead.
    [[nodiscard]] bool hasOwnKernels(const FusedOps* ops) const;
    [[nodiscard]] const WinogradKernel* winograd(const FusedOps* ops);
    [[nodiscard]] const RowKernel* rowKernel(const FusedOps* ops);
    [[nodiscard]] const Packed& packed(const FusedOps& ops, const at::Tensor& x, std::int64_t skipChannels);

    ConvPlan m_plan;
    at::Tensor m_weight;
    at::Tensor m_bias;
    bool m_kerasAlignment = false;
    std::vector<Packed> m_packed;
    std::optional<WinogradKernel> m_winograd;
    std::optional<RowKernel> m_rowKernel;
};

}  // namespace skein::models
