// SPDX-License-Identifier: BSD-3-Clause
#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/roll.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/softmax.h>

#include <cmath>

#include "engine/models/detail/encoder_layers.h"

namespace skein::models {
namespace {

constexpr double kEpsilon = 1e-5;
/// Added to the attention between pixels that only the cyclic shift has brought together.
constexpr float kFarApart = -100.0F;

std::int64_t roundedUp(std::int64_t size, std::int64_t multiple) {
    return (size + multiple - 1) / multiple * multiple;
}

class SwinEncoder final : public StagedEncoder {
public:
    SwinEncoder(const StageEncoderPlan& plan, const WeightSource& weight)
        : m_window(plan.window),
          m_patchSize(plan.patchSize),
          m_patchStride(plan.patchStride),
          m_stem(weight, StageEncoderPlan::stemKey() + "0", plan.patchStride, 1),
          m_stemNorm(weight, StageEncoderPlan::stemKey() + "2", kEpsilon),
          m_lastNorm(weight, "backbone.enc.norm", kEpsilon) {
        for (std::size_t t = 0; t < plan.depths.size(); ++t) {
            Stage stage;
            for (int j = 0; j < plan.depths[t]; ++j)
                stage.blocks.push_back(block(weight, StageEncoderPlan::blockKey(t, j), plan.heads[t], j % 2 == 1));
            if (t + 1 < plan.depths.size()) {
                const std::string key = StageEncoderPlan::halvingKey(t);
                stage.norm = ChannelNorm(weight, key + "norm", kEpsilon);
                stage.reduction = LinearLayer(weight, key + "reduction", false);
            }
            m_stages.push_back(std::move(stage));
        }
        const at::Device device = weight("backbone.enc.norm.weight").device();
        m_bottomMask = edgeMask(true, false, device);
        m_rightMask = edgeMask(false, true, device);
        m_cornerMask = edgeMask(true, true, device);
    }

    std::vector<at::Tensor> forward(const at::Tensor& x) override {
        at::Tensor rows = m_stemNorm.apply(m_stem.apply(asRows(x)));
        std::vector<at::Tensor> outputs = {asPicture(rows)};
        for (std::size_t t = 0; t < m_stages.size(); ++t) {
            for (const Block& block : m_stages[t].blocks) {
                rows = at::add(rows, attention(block, block.norm1.apply(rows)));
                rows = at::add(rows, block.narrow.apply(at::gelu(block.widen.apply(block.norm2.apply(rows)))));
            }
            rows = t + 1 < m_stages.size() ? halved(m_stages[t], rows) : m_lastNorm.apply(rows);
            outputs.push_back(asPicture(rows));
        }
        return outputs;
    }

    std::int64_t outputSize(std::int64_t size) const override {
        return size + 2 < m_patchSize ? 0 : roundedUp((size + 2 - m_patchSize) / m_patchStride + 1, 8) / 8;
    }

private:
    struct Block {
        ChannelNorm norm1, norm2;
        LinearLayer qkv, project, widen, narrow;
        at::Tensor bias;  // [1, heads, pixels, pixels] of a window
        std::int64_t heads = 1;
        bool shifted = false;
    };
    struct Stage {
        std::vector<Block> blocks;
        ChannelNorm norm;
        LinearLayer reduction;  // not of the last stage
    };

    [[nodiscard]] Block block(const WeightSource& weight, const std::string& key, std::int64_t heads,
                              bool shifted) const {
        Block b{ChannelNorm(weight, key + "norm1", kEpsilon),
                ChannelNorm(weight, key + "norm2", kEpsilon),
                LinearLayer(weight, key + "attn.qkv"),
                LinearLayer(weight, key + "attn.proj"),
                LinearLayer(weight, key + "mlp.0"),
                LinearLayer(weight, key + "mlp.3"),
                {},
                heads,
                shifted};
        const std::int64_t pixels = m_window * m_window;
        const at::Tensor table = weight(key + "attn.relative_position_bias_table");
        const at::Tensor index = weight(key + "attn.relative_position_index");
        b.bias = at::index_select(table, 0, index).view({pixels, pixels, heads}).permute({2, 0, 1}).contiguous();
        b.bias = b.bias.unsqueeze(0);
        return b;
    }

    /// Self-attention inside windows, which every second block moves by half a window around the edges.
    [[nodiscard]] at::Tensor attention(const Block& block, const at::Tensor& input) const {
        const std::int64_t n = input.size(0), height = input.size(1), width = input.size(2), channels = input.size(3);
        const std::int64_t paddedHeight = roundedUp(height, m_window), paddedWidth = roundedUp(width, m_window);
        at::Tensor x = input;
        if (paddedHeight != height || paddedWidth != width)
            x = at::constant_pad_nd(x, {0, 0, 0, paddedWidth - width, 0, paddedHeight - height}, 0);
        // One window leaves nowhere to move to.
        const std::int64_t shiftY = block.shifted && m_window < paddedHeight ? m_window / 2 : 0;
        const std::int64_t shiftX = block.shifted && m_window < paddedWidth ? m_window / 2 : 0;
        const bool shifted = shiftY > 0 || shiftX > 0;
        if (shifted)
            x = at::roll(x, {-shiftY, -shiftX}, {1, 2});

        const std::int64_t down = paddedHeight / m_window, across = paddedWidth / m_window;
        const std::int64_t windows = down * across, pixels = m_window * m_window;
        x = x.view({n, down, m_window, across, m_window, channels})
                .permute({0, 1, 3, 2, 4, 5})
                .reshape({n * windows, pixels, channels});
        const std::int64_t perHead = channels / block.heads;
        const at::Tensor qkv =
            block.qkv.apply(x).reshape({n * windows, pixels, 3, block.heads, perHead}).permute({2, 0, 3, 1, 4});
        const at::Tensor query = qkv.select(0, 0).mul(1.0 / std::sqrt(static_cast<double>(perHead)));
        at::Tensor scores = at::matmul(query, qkv.select(0, 1).transpose(-2, -1));
        scores.add_(block.bias);
        if (shifted)
            part(scores.view({n, down, across, block.heads, pixels, pixels}), shiftY > 0, shiftX > 0);
        x = at::matmul(at::softmax(scores, -1), qkv.select(0, 2))
                .transpose(1, 2)
                .reshape({n * windows, pixels, channels});
        x = block.project.apply(x);

        x = x.view({n, down, across, m_window, m_window, channels})
                .permute({0, 1, 3, 2, 4, 5})
                .reshape({n, paddedHeight, paddedWidth, channels});
        if (shifted)
            x = at::roll(x, {shiftY, shiftX}, {1, 2});
        return x.narrow(1, 0, height).narrow(2, 0, width);
    }

    /// [pixels, pixels] of a window at the lower (`y`) and right (`x`) edge: kFarApart between the two sides of the
    /// line where the shift has joined opposite edges of the picture, else 0.
    [[nodiscard]] at::Tensor edgeMask(bool y, bool x, at::Device device) const {
        const std::int64_t pixels = m_window * m_window;
        const std::int64_t line = m_window - m_window / 2;
        const auto side = [&](std::int64_t pixel) {
            return (y && pixel / m_window >= line ? 2 : 0) + (x && pixel % m_window >= line ? 1 : 0);
        };
        const at::Tensor mask = at::empty({pixels, pixels}, at::TensorOptions().dtype(at::kFloat));
        float* out = mask.mutable_data_ptr<float>();
        for (std::int64_t a = 0; a < pixels; ++a)
            for (std::int64_t b = 0; b < pixels; ++b)
                *out++ = side(a) == side(b) ? 0.0F : kFarApart;
        return mask.to(device);
    }

    /// Parts what only the shift has joined; scores are [n, down, across, heads, pixels, pixels].
    void part(const at::Tensor& scores, bool shiftedY, bool shiftedX) const {
        const std::int64_t down = scores.size(1), across = scores.size(2);
        const at::Tensor bottom = scores.narrow(1, down - 1, 1);
        const at::Tensor right = scores.narrow(2, across - 1, 1);
        if (shiftedY)
            bottom.narrow(2, 0, across - (shiftedX ? 1 : 0)).add_(m_bottomMask);
        if (shiftedX)
            right.narrow(1, 0, down - (shiftedY ? 1 : 0)).add_(m_rightMask);
        if (shiftedY && shiftedX)
            bottom.narrow(2, across - 1, 1).add_(m_cornerMask);
    }

    /// Joins the channels of each 2x2 pixels and reduces them to half as many.
    [[nodiscard]] static at::Tensor halved(const Stage& stage, const at::Tensor& rows) {
        at::Tensor x = rows;
        if (x.size(1) % 2 != 0 || x.size(2) % 2 != 0)
            x = at::constant_pad_nd(x, {0, 0, 0, x.size(2) % 2, 0, x.size(1) % 2}, 0);
        const auto every = [&](std::int64_t y, std::int64_t column) {
            return at::slice(at::slice(x, 1, y, std::nullopt, 2), 2, column, std::nullopt, 2);
        };
        return stage.reduction.apply(
            stage.norm.apply(at::cat({every(0, 0), every(1, 0), every(0, 1), every(1, 1)}, 3)));
    }

    std::int64_t m_window, m_patchSize, m_patchStride;
    PictureConv m_stem;
    ChannelNorm m_stemNorm, m_lastNorm;
    std::vector<Stage> m_stages;
    at::Tensor m_bottomMask, m_rightMask, m_cornerMask;
};

}  // namespace

Result<std::unique_ptr<StagedEncoder>> makeSwinEncoder(const StageEncoderPlan& plan,
                                                       const StagedEncoder::WeightSource& weight) {
    const std::int64_t entries = std::int64_t{2 * plan.window - 1} * (2 * plan.window - 1);
    for (const ParameterPlan& parameter : plan.parameters)
        if (parameter.integer) {
            const at::Tensor index = weight(parameter.key);
            if (index.min().item<std::int64_t>() < 0 || index.max().item<std::int64_t>() >= entries)
                return fail(ErrorCode::Model, "The weight '" + parameter.key + "' points outside the table of " +
                                                  std::to_string(entries) + " entries that it belongs to.");
        }
    return std::make_unique<SwinEncoder>(plan, weight);
}

}  // namespace skein::models
