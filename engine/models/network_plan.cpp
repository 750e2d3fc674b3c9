// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/network_plan.h"

#include <cmath>

#include "engine/models/plan_parts.h"

namespace skein::models {
namespace {

void addConv(std::vector<ParameterPlan>& out, const ConvPlan& conv) {
    const std::int64_t first = conv.transposed ? conv.inChannels : conv.outChannels;
    const std::int64_t second = conv.transposed ? conv.outChannels : conv.inChannels;
    out.push_back({conv.key + ".weight", {first, second, conv.kernel, conv.kernel}});
    out.push_back({conv.key + ".bias", {conv.outChannels}});
}

Result<void> planHeads(NetworkPlan& plan, const ModelSpec& spec) {
    if (spec.heads.empty())
        return fail(ErrorCode::Model, "The configuration has no head.");
    for (std::size_t i = 0; i < spec.heads.size(); ++i) {
        HeadPlan head;
        head.spec = spec.heads[i];
        const std::string name = headName(head.spec.kind);
        const std::string prefix = "head_layers." + std::to_string(i) + ".";
        if (head.spec.channels < 1 || head.spec.channels > kMaxChannels)
            return fail(ErrorCode::Model, name + " would have " + std::to_string(head.spec.channels) + " channels.");
        if (head.spec.kind == HeadKind::ClassVectors) {
            if (head.spec.fcLayers < 0 || head.spec.fcLayers > 64 || head.spec.fcUnits < 1 ||
                head.spec.fcUnits > kMaxChannels)
                return fail(ErrorCode::Model, "ClassVectorsHead has impossible num_fc_layers or num_fc_units.");
            if (head.spec.fcLayers == 0 && head.spec.fcUnits != plan.bottleneckChannels)
                return fail(ErrorCode::Model, "ClassVectorsHead without layers needs num_fc_units " +
                                                  std::to_string(plan.bottleneckChannels) +
                                                  ", the channels that it reads.");
            std::int64_t width = plan.bottleneckChannels;
            for (int j = 0; j < head.spec.fcLayers; ++j) {
                const std::string key = prefix + "pre_classification" + std::to_string(j) + "_fc";
                head.fc.push_back({key + ".weight", {head.spec.fcUnits, width}});
                head.fc.push_back({key + ".bias", {head.spec.fcUnits}});
                width = head.spec.fcUnits;
            }
            head.fc.push_back({prefix + name + ".weight", {head.spec.channels, width}});
            head.fc.push_back({prefix + name + ".bias", {head.spec.channels}});
            plan.heads.push_back(std::move(head));
            continue;
        }
        int channels = plan.bottleneckChannels;
        if (!plan.decoder.empty()) {
            for (std::size_t b = 0; b < plan.decoder.size() && head.source < 0; ++b)
                if (plan.decoder[b].stride == head.spec.outputStride)
                    head.source = static_cast<int>(b);
            if (head.source < 0)
                return fail(ErrorCode::Model, name + " wants output_stride " + std::to_string(head.spec.outputStride) +
                                                  ", which no decoder block of this backbone has.");
            channels = plan.decoder[static_cast<std::size_t>(head.source)].channels;
        } else if (head.spec.outputStride != plan.bottleneckStride) {
            return fail(ErrorCode::Model, name + " wants output_stride " + std::to_string(head.spec.outputStride) +
                                              ", but the backbone has no decoder and ends at stride " +
                                              std::to_string(plan.bottleneckStride) + ".");
        }
        head.conv = {prefix + name + ".0", channels, head.spec.channels, 1, false};
        plan.heads.push_back(std::move(head));
    }
    return {};
}

}  // namespace

bool isPowerOfTwo(int value) {
    return value > 0 && (value & (value - 1)) == 0;
}

int log2Of(int powerOfTwo) {
    int exponent = 0;
    while ((1 << exponent) < powerOfTwo)
        ++exponent;
    return exponent;
}

int channelsAt(int filters, double rate, int k) {
    const double channels = static_cast<double>(filters) * std::pow(rate, k);
    return channels > kMaxChannels ? kMaxChannels + 1 : static_cast<int>(channels);
}

std::vector<ConvPlan> convBlock(const std::string& prefix, int count, int inChannels, int outChannels, int kernel) {
    std::vector<ConvPlan> block;
    for (int i = 0; i < count; ++i)
        block.push_back({prefix + std::to_string(i), i == 0 ? inChannels : outChannels, outChannels, kernel});
    return block;
}

Result<void> planDecoder(NetworkPlan& plan, const DecoderOptions& options) {
    int channels = plan.bottleneckChannels;
    int stride = plan.bottleneckStride;
    for (int b = 0; b < options.blocks; ++b) {
        DecoderBlockPlan block;
        block.interpolate = options.interpolate;
        block.channels = options.channelsAt(b);
        if (block.channels < 1 || block.channels > kMaxChannels)
            return fail(ErrorCode::Model, "This " + options.backbone +
                                              " configuration cannot be built: a decoder block would have " +
                                              std::to_string(block.channels) + " channels.");
        const std::string index = std::to_string(b);
        const std::string prefix = options.stackKey + index + ".blocks." + options.blockName + index + "_s" +
                                   std::to_string(stride) + "_to_s" + std::to_string(stride / 2);
        if (!block.interpolate)
            block.up = {prefix + "_trans_conv", channels, block.channels, 3, true, true};
        int joined = block.interpolate ? channels : block.channels;
        if (b < options.joinedBlocks) {
            block.skip = b;
            block.skipChannels = options.skipChannels[static_cast<std::size_t>(b)];
            joined += block.skipChannels;
        } else if (joined != block.channels) {
            return fail(ErrorCode::Model, "This " + options.backbone +
                                              " configuration cannot be built: a decoder block gets " +
                                              std::to_string(joined) + " channels where its convolution takes " +
                                              std::to_string(block.channels) + ".");
        }
        // Always two, whatever convs_per_block says; one where nothing is joined.
        block.refine =
            convBlock(prefix + "_refine_conv", block.skip >= 0 ? 2 : 1, joined, block.channels, options.kernel);
        channels = block.channels;
        stride /= 2;
        block.stride = stride;
        plan.decoder.push_back(std::move(block));
    }
    return {};
}

std::vector<ParameterPlan> NetworkPlan::parameters() const {
    std::vector<ParameterPlan> out;
    const auto addAll = [&](const std::vector<ConvPlan>& block) {
        for (const ConvPlan& conv : block)
            addConv(out, conv);
    };
    for (const auto& block : stem)
        addAll(block);
    for (const auto& block : encoder)
        addAll(block);
    if (stages) {
        out.insert(out.end(), stages->parameters.begin(), stages->parameters.end());
        addAll(middle);
    }
    for (const DecoderBlockPlan& block : decoder) {
        if (!block.interpolate)
            addConv(out, block.up);
        addAll(block.refine);
    }
    if (!stages)
        addAll(middle);
    for (const HeadPlan& head : heads) {
        if (head.fc.empty())
            addConv(out, head.conv);
        else
            out.insert(out.end(), head.fc.begin(), head.fc.end());
    }
    return out;
}

Result<NetworkPlan> planNetwork(const ModelSpec& spec) {
    auto plan = spec.backbone == BackboneType::UNet ? planUNet(spec.unet) : planStaged(spec.transformer, spec.backbone);
    if (!plan)
        return plan;
    if (auto heads = planHeads(*plan, spec); !heads)
        return fail(heads.error());
    return plan;
}

}  // namespace skein::models
