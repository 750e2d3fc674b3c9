// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <vector>

#include "engine/models/detail/fused_ops.h"
#include "engine/models/network_plan.h"

namespace skein::models {

/// One convolution of a network with its weights. Thread-compatible: the fused form reorders its weights for each new
/// input size and keeps them.
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
    [[nodiscard]] const Packed& packed(const FusedOps& ops, const at::Tensor& x, std::int64_t skipChannels);

    ConvPlan m_plan;
    at::Tensor m_weight;
    at::Tensor m_bias;
    bool m_kerasAlignment = false;
    std::vector<Packed> m_packed;
};

}  // namespace skein::models
