// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "engine/models/plan_parts.h"

namespace skein::models {
namespace {

constexpr std::size_t kStages = 4;

/// Lists the weights of an encoder in the order in which the checkpoint has them.
class ParameterList {
public:
    explicit ParameterList(std::vector<ParameterPlan>& out) : m_out(out) {}
    void add(const std::string& key, std::vector<std::int64_t> shape, bool integer = false) {
        m_out.push_back({key, std::move(shape), integer});
    }
    /// A layer with weight and bias, the latter of the weight's first size.
    void layer(const std::string& key, const std::vector<std::int64_t>& shape) {
        add(key + ".weight", shape);
        add(key + ".bias", {shape.front()});
    }

private:
    std::vector<ParameterPlan>& m_out;
};

void listConvNext(StageEncoderPlan& plan, int inChannels) {
    ParameterList list(plan.parameters);
    list.layer(plan.stemKey() + "0", {plan.channels[0], inChannels, plan.patchSize, plan.patchSize});
    list.layer(plan.stemKey() + "1", {plan.channels[0]});
    for (std::size_t t = 0; t < kStages; ++t) {
        const std::int64_t c = plan.channels[t];
        for (int j = 0; j < plan.depths[t]; ++j) {
            const std::string key = StageEncoderPlan::blockKey(t, j);
            list.add(key + "layer_scale", {c, 1, 1});
            list.layer(key + "block.0", {c, 1, 7, 7});
            list.layer(key + "block.2", {c});
            list.layer(key + "block.3", {4 * c, c});
            list.layer(key + "block.5", {c, 4 * c});
        }
        if (t + 1 < kStages) {
            const std::string key = StageEncoderPlan::halvingKey(t);
            list.layer(key + "0", {c});
            list.layer(key + "1", {plan.channels[t + 1], c, 2, 2});
        }
    }
}

void listSwin(StageEncoderPlan& plan, int inChannels) {
    ParameterList list(plan.parameters);
    list.layer(plan.stemKey() + "0", {plan.channels[0], inChannels, plan.patchSize, plan.patchSize});
    list.layer(plan.stemKey() + "2", {plan.channels[0]});
    const std::int64_t reach = 2 * plan.window - 1;
    const std::int64_t inWindow = std::int64_t{plan.window} * plan.window;
    for (std::size_t t = 0; t < kStages; ++t) {
        const std::int64_t c = plan.channels[t];
        for (int j = 0; j < plan.depths[t]; ++j) {
            const std::string key = StageEncoderPlan::blockKey(t, j);
            list.layer(key + "norm1", {c});
            list.add(key + "attn.relative_position_bias_table", {reach * reach, plan.heads[t]});
            list.add(key + "attn.relative_position_index", {inWindow * inWindow}, true);
            list.layer(key + "attn.qkv", {3 * c, c});
            list.layer(key + "attn.proj", {c, c});
            list.layer(key + "norm2", {c});
            list.layer(key + "mlp.0", {4 * c, c});
            list.layer(key + "mlp.3", {c, 4 * c});
        }
        if (t + 1 < kStages) {
            const std::string key = StageEncoderPlan::halvingKey(t);
            list.add(key + "reduction.weight", {2 * c, 4 * c});
            list.layer(key + "norm", {4 * c});
        }
    }
    list.layer("backbone.enc.norm", {plan.channels[kStages - 1]});
}

}  // namespace

std::string StageEncoderPlan::blockKey(std::size_t stage, int block) {
    return "backbone.enc.features." + std::to_string(1 + 2 * stage) + "." + std::to_string(block) + ".";
}

std::string StageEncoderPlan::halvingKey(std::size_t stage) {
    return "backbone.enc.features." + std::to_string(2 + 2 * stage) + ".";
}

Result<NetworkPlan> planStaged(const TransformerConfig& c, BackboneType type) {
    const std::string name = backboneName(type);
    const auto refuse = [&](const std::string& what) {
        return fail(ErrorCode::Model, "This " + name + " configuration cannot be built: " + what + ".");
    };
    const bool swin = type == BackboneType::SwinT;
    const auto within = [](int value, int least, int most) { return value >= least && value <= most; };
    if (!within(c.inChannels, 1, kMaxChannels))
        return refuse("in_channels is " + std::to_string(c.inChannels));
    if (c.depths.size() != kStages || (swin ? c.numHeads.size() : c.channels.size()) != kStages)
        return refuse("arch does not describe four stages");
    for (const int depth : c.depths)
        if (!within(depth, 0, 256))
            return refuse("a stage of " + std::to_string(depth) + " blocks");
    if (!within(c.patchSize, 1, 64) || !within(c.stemPatchStride, 1, 64))
        return refuse("its stem has a kernel of " + std::to_string(c.patchSize) + " and a stride of " +
                      std::to_string(c.stemPatchStride));
    if (!within(c.kernelSize, 1, 63))
        return refuse("kernel_size is " + std::to_string(c.kernelSize));
    if (!within(c.convsPerBlock, 1, 64))
        return refuse("convs_per_block is " + std::to_string(c.convsPerBlock));
    if (!within(c.outputStride, 1, 16 * c.stemPatchStride))
        return refuse("output_stride is " + std::to_string(c.outputStride) + " and the network ends at stride " +
                      std::to_string(16 * c.stemPatchStride));
    if (!within(c.maxStride, 1, kMaxStride))
        return refuse("max_stride is " + std::to_string(c.maxStride));
    if (!(c.filtersRate > 0))
        return refuse("filters_rate must be positive");

    StageEncoderPlan encoder;
    encoder.type = type;
    encoder.patchSize = c.patchSize;
    encoder.patchStride = c.stemPatchStride;
    encoder.depths = c.depths;
    if (swin) {
        if (!within(c.windowSize, 1, 64))
            return refuse("window_size is " + std::to_string(c.windowSize));
        if (!within(c.embed, 1, kMaxChannels / 8))
            return refuse("embed is " + std::to_string(c.embed));
        encoder.window = c.windowSize;
        encoder.heads = c.numHeads;
        for (std::size_t t = 0; t < kStages; ++t) {
            encoder.channels.push_back(c.embed << t);
            if (c.numHeads[t] < 1 || encoder.channels[t] % c.numHeads[t] != 0)
                return refuse("the " + std::to_string(encoder.channels[t]) + " channels of stage " +
                              std::to_string(t + 1) + " cannot be shared out to " + std::to_string(c.numHeads[t]) +
                              " heads");
        }
        listSwin(encoder, c.inChannels);
    } else {
        encoder.channels = c.channels;
        for (const int channels : c.channels)
            if (!within(channels, 1, kMaxChannels))
                return refuse("a stage of " + std::to_string(channels) + " channels");
        listConvNext(encoder, c.inChannels);
    }

    NetworkPlan plan;
    plan.inChannels = c.inChannels;
    const int first = encoder.channels.front();
    const int last = encoder.channels.back();
    const int expanded = channelsAt(last, c.filtersRate, 1);
    plan.bottleneckChannels = c.blockContraction ? last : expanded;
    if (!within(expanded, 1, kMaxChannels))
        return refuse("filters_rate " + std::to_string(c.filtersRate) + " gives an impossible number of channels");
    if (c.convsPerBlock == 1 && expanded != last)
        return refuse("convs_per_block is 1, which leaves the middle with the wrong number of channels");
    // The names are ConvNeXt's in both.
    if (c.convsPerBlock > 1)
        plan.middle = convBlock("backbone.middle_blocks.0.blocks.convnext_middle_expand_conv", c.convsPerBlock - 1,
                                last, expanded, c.kernelSize);
    plan.middle.push_back({"backbone.middle_blocks." + std::string(c.convsPerBlock > 1 ? "1" : "0") +
                               ".blocks.convnext_middle_contract_conv0",
                           expanded, plan.bottleneckChannels, c.kernelSize});
    plan.bottleneckStride = 16 * c.stemPatchStride;

    DecoderOptions decoder;
    decoder.backbone = name;
    decoder.stackKey = "backbone.dec.decoder_stack.";
    decoder.blockName = "dec";
    // Two logarithms cut to whole numbers each, as the peer has it; exact for powers of two.
    decoder.blocks = std::max(0, static_cast<int>(std::log2(16.0 / c.outputStride)) +
                                     static_cast<int>(std::log2(static_cast<double>(c.stemPatchStride))));
    decoder.joinedBlocks = static_cast<int>(kStages);
    decoder.skipChannels.assign(encoder.channels.rbegin(), encoder.channels.rend());
    decoder.channelsAt = [&](int b) {
        return channelsAt(first, c.filtersRate, c.blockContraction ? 2 - b : std::max(0, 3 - b));
    };
    decoder.interpolate = c.upInterpolate;
    decoder.kernel = c.kernelSize;
    if (auto ok = planDecoder(plan, decoder); !ok)
        return fail(ok.error());
    plan.stages = std::move(encoder);
    return plan;
}

}  // namespace skein::models
