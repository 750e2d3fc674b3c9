// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>

#include <string>

#include "engine/models/detail/staged_encoder.h"

// Layers that both encoders are made of, on features [n, h, w, c].
namespace skein::models {

/// Features as LibTorch's picture functions want them, and back; no copy where they are channels-last in memory.
inline at::Tensor asPicture(const at::Tensor& rows) {
    return rows.permute({0, 3, 1, 2});
}
inline at::Tensor asRows(const at::Tensor& picture) {
    return picture.permute({0, 2, 3, 1}).contiguous();
}

class PictureConv {
public:
    PictureConv() = default;
    PictureConv(const StagedEncoder::WeightSource& weight, const std::string& key, std::int64_t stride,
                std::int64_t padding, std::int64_t groups = 1)
        : m_weight(weight(key + ".weight").contiguous(at::MemoryFormat::ChannelsLast)),
          m_bias(weight(key + ".bias")),
          m_stride(stride),
          m_padding(padding),
          m_groups(groups) {}
    [[nodiscard]] at::Tensor apply(const at::Tensor& rows) const {
        return asRows(at::conv2d(asPicture(rows), m_weight, m_bias, m_stride, m_padding, 1, m_groups));
    }

private:
    at::Tensor m_weight, m_bias;
    std::int64_t m_stride = 1, m_padding = 0, m_groups = 1;
};

class ChannelNorm {
public:
    ChannelNorm() = default;
    ChannelNorm(const StagedEncoder::WeightSource& weight, const std::string& key, double epsilon)
        : m_weight(weight(key + ".weight")), m_bias(weight(key + ".bias")), m_epsilon(epsilon) {}
    [[nodiscard]] at::Tensor apply(const at::Tensor& rows) const {
        return at::layer_norm(rows, m_weight.sizes(), m_weight, m_bias, m_epsilon);
    }

private:
    at::Tensor m_weight, m_bias;
    double m_epsilon = 1e-5;
};

class LinearLayer {
public:
    LinearLayer() = default;
    LinearLayer(const StagedEncoder::WeightSource& weight, const std::string& key, bool hasBias = true)
        : m_weight(weight(key + ".weight")), m_bias(hasBias ? weight(key + ".bias") : at::Tensor()) {}
    [[nodiscard]] at::Tensor apply(const at::Tensor& rows) const {
        return m_bias.defined() ? at::linear(rows, m_weight, m_bias) : at::linear(rows, m_weight);
    }

private:
    at::Tensor m_weight, m_bias;
};

}  // namespace skein::models
