// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/detail/conv_layer.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/conv_transpose2d.h>
#include <ATen/ops/relu.h>

namespace skein::models {
namespace {

// Frames of one video have one size; a batch's last piece and a second video may have others. Of large layers only one
// copy is kept: to reorder them again is soon done beside what they compute, and networks of 500 MB exist.
constexpr std::size_t kKeptSizes = 4;
constexpr std::size_t kLargeLayer = std::size_t{4} << 20;

}  // namespace

ConvLayer::ConvLayer(ConvPlan plan, at::Tensor weight, at::Tensor bias, bool kerasAlignment)
    : m_plan(std::move(plan)), m_weight(std::move(weight)), m_bias(std::move(bias)), m_kerasAlignment(kerasAlignment) {}

/// "Same" padding of an even kernel is one larger at the right and bottom, which no convolution does by itself.
at::Tensor ConvLayer::padded(const at::Tensor& x) const {
    if (m_plan.kernel % 2 == 1)
        return x;
    const std::int64_t before = (m_plan.kernel - 1) / 2;
    const std::int64_t after = m_plan.kernel - 1 - before;
    return at::constant_pad_nd(x, {before, after, before, after}, 0).contiguous(x.suggest_memory_format());
}

std::int64_t ConvLayer::padding() const {
    return m_plan.kernel % 2 == 1 ? (m_plan.kernel - 1) / 2 : 0;
}

at::Tensor ConvLayer::plain(const at::Tensor& x) const {
    at::Tensor y;
    if (!m_plan.transposed) {
        y = at::conv2d(padded(x), m_weight, m_bias, 1, padding());
    } else if (m_kerasAlignment) {
        // Output pixel 2i + k instead of 2i + k - 1, cut to twice the size.
        y = at::conv_transpose2d(x, m_weight, m_bias, 2)
                .narrow(2, 0, 2 * x.size(2))
                .narrow(3, 0, 2 * x.size(3))
                .contiguous(x.suggest_memory_format());
    } else {
        y = at::conv_transpose2d(x, m_weight, m_bias, 2, 1, 1);
    }
    return m_plan.relu ? at::relu_(y) : y;
}

const ConvLayer::Packed& ConvLayer::packed(const FusedOps& ops, const at::Tensor& x, std::int64_t skipChannels) {
    const std::array<std::int64_t, 3> size = {x.size(0), x.size(2), x.size(3)};
    for (const Packed& entry : m_packed)
        if (entry.size == size)
            return entry;
    if (m_packed.size() >= (m_weight.nbytes() >= kLargeLayer ? 1 : kKeptSizes))
        m_packed.erase(m_packed.begin());
    const auto inputSize = [&](std::int64_t channels) {
        return std::vector<std::int64_t>{size[0], channels, size[1], size[2]};
    };
    Packed entry{size, {}, {}};
    if (m_plan.transposed) {
        entry.first = ops.packTransposed(m_weight, inputSize(m_plan.inChannels));
    } else if (skipChannels == 0) {
        entry.first = ops.packConv(m_weight, padding(), inputSize(m_plan.inChannels));
    } else {
        const std::int64_t others = m_plan.inChannels - skipChannels;
        entry.first =
            ops.packConv(m_weight.narrow(1, 0, skipChannels).contiguous(), padding(), inputSize(skipChannels));
        entry.second =
            ops.packConv(m_weight.narrow(1, skipChannels, others).contiguous(), padding(), inputSize(others));
    }
    m_packed.push_back(std::move(entry));
    return m_packed.back();
}

at::Tensor ConvLayer::apply(const at::Tensor& x, const FusedOps* ops) {
    if (ops == nullptr || (m_plan.transposed && m_kerasAlignment))
        return plain(x);
    const at::Tensor input = padded(x);
    const Packed& weights = packed(*ops, input, 0);
    if (m_plan.transposed)
        return ops->transposed(input, weights.first, m_bias, m_plan.relu);
    return ops->conv(input, weights.first, m_bias, padding(), m_plan.relu);
}

at::Tensor ConvLayer::applyJoined(const at::Tensor& skip, const at::Tensor& x, const FusedOps* ops) {
    if (ops == nullptr)
        return plain(at::cat({skip, x}, 1));
    const at::Tensor first = padded(skip);
    const Packed& weights = packed(*ops, first, skip.size(1));
    at::Tensor sum = ops->conv(first, weights.first, m_bias, padding(), false);
    ops->addConv(sum, padded(x), weights.second, padding(), m_plan.relu);
    return sum;
}

}  // namespace skein::models
