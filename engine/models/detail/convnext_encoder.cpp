// SPDX-License-Identifier: BSD-3-Clause
#include <ATen/ops/addcmul.h>
#include <ATen/ops/gelu.h>

#include "engine/models/detail/encoder_layers.h"

namespace skein::models {
namespace {

constexpr double kEpsilon = 1e-6;

class ConvNextEncoder final : public StagedEncoder {
public:
    ConvNextEncoder(const StageEncoderPlan& plan, const WeightSource& weight)
        : m_patchSize(plan.patchSize),
          m_patchStride(plan.patchStride),
          m_stem(weight, StageEncoderPlan::stemKey() + "0", plan.patchStride, 1),
          m_stemNorm(weight, StageEncoderPlan::stemKey() + "1", kEpsilon) {
        for (std::size_t t = 0; t < plan.depths.size(); ++t) {
            Stage stage;
            for (int j = 0; j < plan.depths[t]; ++j) {
                const std::string key = StageEncoderPlan::blockKey(t, j);
                stage.blocks.push_back({PictureConv(weight, key + "block.0", 1, 3, plan.channels[t]),
                                        ChannelNorm(weight, key + "block.2", kEpsilon),
                                        LinearLayer(weight, key + "block.3"), LinearLayer(weight, key + "block.5"),
                                        weight(key + "layer_scale").flatten()});
            }
            if (t + 1 < plan.depths.size()) {
                const std::string key = StageEncoderPlan::halvingKey(t);
                stage.norm = ChannelNorm(weight, key + "0", kEpsilon);
                stage.halving = PictureConv(weight, key + "1", 2, 0);
            }
            m_stages.push_back(std::move(stage));
        }
    }

    std::vector<at::Tensor> forward(const at::Tensor& x) override {
        at::Tensor rows = m_stemNorm.apply(m_stem.apply(asRows(x)));
        std::vector<at::Tensor> outputs = {asPicture(rows)};
        for (std::size_t t = 0; t < m_stages.size(); ++t) {
            for (const Block& block : m_stages[t].blocks) {
                const at::Tensor y =
                    block.narrow.apply(at::gelu(block.widen.apply(block.norm.apply(block.conv.apply(rows)))));
                rows = at::addcmul(rows, y, block.scale);
            }
            if (t + 1 < m_stages.size())
                rows = m_stages[t].halving.apply(m_stages[t].norm.apply(rows));
            outputs.push_back(asPicture(rows));
        }
        return outputs;
    }

    std::int64_t outputSize(std::int64_t size) const override {
        return size + 2 < m_patchSize ? 0 : ((size + 2 - m_patchSize) / m_patchStride + 1) / 8;
    }

private:
    struct Block {
        PictureConv conv;  // each channel by itself
        ChannelNorm norm;
        LinearLayer widen, narrow;
        at::Tensor scale;
    };
    struct Stage {
        std::vector<Block> blocks;
        ChannelNorm norm;
        PictureConv halving;  // not of the last stage
    };
    std::int64_t m_patchSize, m_patchStride;
    PictureConv m_stem;
    ChannelNorm m_stemNorm;
    std::vector<Stage> m_stages;
};

}  // namespace

std::unique_ptr<StagedEncoder> makeConvNextEncoder(const StageEncoderPlan& plan,
                                                   const StagedEncoder::WeightSource& weight) {
    return std::make_unique<ConvNextEncoder>(plan, weight);
}

Result<std::unique_ptr<StagedEncoder>> StagedEncoder::make(const StageEncoderPlan& plan, const WeightSource& weight) {
    if (plan.type == BackboneType::SwinT)
        return makeSwinEncoder(plan, weight);
    return makeConvNextEncoder(plan, weight);
}

}  // namespace skein::models
