// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/models/detail/conv_layer.h"
#include "engine/models/detail/staged_encoder.h"
#include "engine/models/model_spec.h"
#include "engine/models/network_plan.h"

namespace skein::models {

/// How the layers are computed. Plain: tensor functions, on any device, the yardstick of the tests. Fused: the CPU's
/// fast way (ConvLayer's own kernels, else FusedOps); results differ in the last bits.
enum class ForwardWay { Plain, Fused };

/// A trained network for inference, weights on one device. Thread-compatible.
class Network {
public:
    /// Reads the weights of `spec`. Fused falls back to plain on other devices and on LibTorch builds without the
    /// fused functions. `numbers`: what is computed with; anything but kFloat goes the plain way.
    /// Errors: as planNetwork() and readWeights(); Unsupported (an encoder that needs kFloat).
    [[nodiscard]] static Result<std::unique_ptr<Network>> load(const ModelSpec& spec, at::Device device, ForwardWay way,
                                                               at::ScalarType numbers = at::kFloat);

    /// Maps of all heads in the order of the configuration, float32 [n, channels, h, w] (class vectors: [n, classes]).
    /// `x`: float32 [n, c, h, w] in 0..1, channels-last; c other than the network's is adapted where that can be done
    /// (grey repeated, colour turned to grey). h and w: multiples of the largest stride. Throws std::invalid_argument
    /// for frames that are too small for the network.
    [[nodiscard]] std::vector<at::Tensor> forward(const at::Tensor& x);

    /// Grey repeated or colour turned to grey where the network wants the other, on numbers in 0..1; part of forward().
    [[nodiscard]] at::Tensor adaptChannels(const at::Tensor& x) const;

    [[nodiscard]] ForwardWay way() const { return m_ops != nullptr ? ForwardWay::Fused : ForwardWay::Plain; }

private:
    Network() = default;
    struct DecoderBlock {
        DecoderBlockPlan plan;
        ConvLayer up;
        std::vector<ConvLayer> refine;
    };
    struct Head {
        HeadPlan plan;
        ConvLayer conv;
        std::vector<at::Tensor> fc;  // weight, bias, weight, bias, ...
    };
    void checkSize(std::int64_t height, std::int64_t width) const;
    [[nodiscard]] at::Tensor run(std::vector<ConvLayer>& block, at::Tensor x);
    [[nodiscard]] ConvLayer::Pooled runAndPool(std::vector<ConvLayer>& block, at::Tensor x, bool keepAll);
    [[nodiscard]] bool isSkipRead(std::size_t skip) const;
    /// What goes into the middle; the skip connections, coarsest first.
    [[nodiscard]] at::Tensor encode(at::Tensor x, std::vector<at::Tensor>& skips);
    [[nodiscard]] at::Tensor decode(DecoderBlock& block, const at::Tensor& x, const std::vector<at::Tensor>& skips);
    [[nodiscard]] at::Tensor applyHead(Head& head, const at::Tensor& bottleneck, const std::vector<at::Tensor>& levels);

    NetworkPlan m_plan;
    std::unique_ptr<StagedEncoder> m_stages;
    std::vector<std::vector<ConvLayer>> m_stem, m_encoder;
    std::vector<ConvLayer> m_middle;
    std::vector<DecoderBlock> m_decoder;
    std::vector<Head> m_heads;
    const FusedOps* m_ops = nullptr;
    at::ScalarType m_numbers = at::kFloat;
};

}  // namespace skein::models
