// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/network_plan.h"

#include <cmath>

namespace skein::models {
namespace {

constexpr int kMaxChannels = 1 << 16;
constexpr int kMaxStride = 1 << 10;

bool isPowerOfTwo(int value) {
    return value > 0 && (value & (value - 1)) == 0;
}

int log2Of(int powerOfTwo) {
    int exponent = 0;
    while ((1 << exponent) < powerOfTwo)
        ++exponent;
    return exponent;
}

/// Channels of level `k`: computed in double and truncated, as the training code does (40.5 becomes 40).
int filtersAt(const UNetConfig& config, int k) {
    const double filters = static_cast<double>(config.filters) * std::pow(config.filtersRate, k);
    return filters > kMaxChannels ? kMaxChannels + 1 : static_cast<int>(filters);
}

std::vector<ConvPlan> convBlock(const std::string& prefix, int count, int inChannels, int outChannels, int kernel) {
    std::vector<ConvPlan> block;
    for (int i = 0; i < count; ++i)
        block.push_back({prefix + std::to_string(i), i == 0 ? inChannels : outChannels, outChannels, kernel});
    return block;
}

void addConv(std::vector<ParameterPlan>& out, const ConvPlan& conv) {
    const std::int64_t first = conv.transposed ? conv.inChannels : conv.outChannels;
    const std::int64_t second = conv.transposed ? conv.outChannels : conv.inChannels;
    out.push_back({conv.key + ".weight", {first, second, conv.kernel, conv.kernel}});
    out.push_back({conv.key + ".bias", {conv.outChannels}});
}

Result<void> checkUNet(const UNetConfig& c) {
    const auto refuse = [](const std::string& what) {
        return fail(ErrorCode::Model, "This UNet configuration cannot be built: " + what + ".");
    };
    if (c.stacks != 1)
        return refuse("stacks is " + std::to_string(c.stacks) + ", and sleap-nn itself runs only 1");
    if (c.convsPerBlock < 2)
        return refuse("convs_per_block is " + std::to_string(c.convsPerBlock) + ", and at least 2 are needed");
    if (c.convsPerBlock > 64)
        return refuse("convs_per_block is " + std::to_string(c.convsPerBlock));
    if (!c.middleBlock)
        return refuse("middle_block is false, which leaves the decoder with the wrong number of channels");
    if (!isPowerOfTwo(c.maxStride) || c.maxStride < 2 || c.maxStride > kMaxStride)
        return refuse("max_stride " + std::to_string(c.maxStride) + " is not a power of two from 2 to 1024");
    if (!isPowerOfTwo(c.outputStride) || c.outputStride > c.maxStride)
        return refuse("output_stride " + std::to_string(c.outputStride) + " is not a power of two up to max_stride " +
                      std::to_string(c.maxStride));
    if (c.stemStride && (!isPowerOfTwo(*c.stemStride) || *c.stemStride >= c.maxStride))
        return refuse("stem_stride " + std::to_string(*c.stemStride) + " is not a power of two below max_stride " +
                      std::to_string(c.maxStride));
    if (c.inChannels < 1 || c.inChannels > kMaxChannels)
        return refuse("in_channels is " + std::to_string(c.inChannels));
    if (c.kernelSize < 1 || c.kernelSize > 63)
        return refuse("kernel_size is " + std::to_string(c.kernelSize));
    if (c.filters < 1 || !(c.filtersRate > 0))
        return refuse("filters and filters_rate must be positive");
    return {};
}

Result<NetworkPlan> planUNet(const UNetConfig& c) {
    if (auto ok = checkUNet(c); !ok)
        return fail(ok.error());
    const int stemBlocks = c.stemStride ? log2Of(*c.stemStride) : 0;
    const int encoderBlocks = log2Of(c.maxStride) - stemBlocks;
    const int decoderBlocks = log2Of(c.maxStride / c.outputStride) + stemBlocks;
    for (int k = 0; k <= encoderBlocks + stemBlocks; ++k)
        if (filtersAt(c, k) < 1 || filtersAt(c, k) > kMaxChannels)
            return fail(ErrorCode::Model, "This UNet configuration cannot be built: filters " +
                                              std::to_string(c.filters) + " and filters_rate " +
                                              std::to_string(c.filtersRate) +
                                              " give an impossible number of channels.");

    NetworkPlan plan;
    plan.inChannels = c.inChannels;
    int channels = c.inChannels;
    for (int b = 0; b < stemBlocks; ++b) {
        const std::string block = std::to_string(b);
        plan.stem.push_back(convBlock("backbone.stem.stem_stack." + block + ".blocks.stem" + block + "_conv",
                                      c.convsPerBlock, channels, filtersAt(c, b), 7));
        channels = filtersAt(c, b);
    }
    for (int b = 0; b < encoderBlocks; ++b) {
        const std::string block = std::to_string(b);
        plan.encoder.push_back(
            convBlock("backbone.encoders.0.encoder_stack." + block + ".blocks.stack0_enc" + block + "_conv",
                      c.convsPerBlock, channels, filtersAt(c, b + stemBlocks), c.kernelSize));
        channels = filtersAt(c, b + stemBlocks);
    }
    const int bottom = filtersAt(c, encoderBlocks + stemBlocks);
    // The last pool counts as an entry of the encoder, hence the numbers one and two above the last block's.
    plan.middle = convBlock(
        "backbone.middle_blocks.0.blocks.stack0_enc" + std::to_string(encoderBlocks + 1) + "_middle_expand_conv",
        c.convsPerBlock - 1, channels, bottom, c.kernelSize);
    plan.middle.push_back(
        {"backbone.middle_blocks.1.blocks.stack0_enc" + std::to_string(encoderBlocks + 2) + "_middle_contract_conv0",
         bottom, bottom, c.kernelSize});
    plan.bottleneckChannels = bottom;
    // With a stem, its last pool and the first encoder block's both halve: the real stride is twice the configured one.
    plan.bottleneckStride = stemBlocks == 0 ? c.maxStride : 2 * c.maxStride;

    const int skips = encoderBlocks + (stemBlocks > 0 ? 1 : 0);
    channels = bottom;
    int stride = plan.bottleneckStride;
    for (int b = 0; b < decoderBlocks; ++b) {
        DecoderBlockPlan block;
        block.interpolate = c.upInterpolate;
        block.channels = filtersAt(c, std::max(0, encoderBlocks + stemBlocks - 1 - b));
        const std::string index = std::to_string(b);
        const std::string prefix = "backbone.decoders.0.decoder_stack." + index + ".blocks.stack0_dec" + index + "_s" +
                                   std::to_string(stride) + "_to_s" + std::to_string(stride / 2);
        if (!c.upInterpolate)
            block.up = {prefix + "_trans_conv", channels, block.channels, 3, true, true};
        int joined = c.upInterpolate ? channels : block.channels;
        if (b < skips) {
            block.skip = b;
            const auto& source =
                b < encoderBlocks ? plan.encoder[static_cast<std::size_t>(encoderBlocks - 1 - b)] : plan.stem.back();
            block.skipChannels = source.back().outChannels;
            joined += block.skipChannels;
        } else if (b < encoderBlocks + stemBlocks) {
            return fail(ErrorCode::Model, "This UNet configuration cannot be built: with stem_stride " +
                                              std::to_string(*c.stemStride) + " and output_stride " +
                                              std::to_string(c.outputStride) +
                                              " a decoder block has no skip connection to read.");
        }
        // Always two, whatever convs_per_block says; one where nothing is joined.
        block.refine =
            convBlock(prefix + "_refine_conv", block.skip >= 0 ? 2 : 1, joined, block.channels, c.kernelSize);
        channels = block.channels;
        stride /= 2;
        block.stride = stride;
        plan.decoder.push_back(std::move(block));
    }
    return plan;
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
            if (!head.spec.globalPool)
                return fail(ErrorCode::Unsupported,
                            "ClassVectorsHead without global_pool fits only a bottleneck of one pixel.");
            if (head.spec.fcLayers < 0 || head.spec.fcLayers > 64 || head.spec.fcUnits < 1 ||
                head.spec.fcUnits > kMaxChannels)
                return fail(ErrorCode::Model, "ClassVectorsHead has impossible num_fc_layers or num_fc_units.");
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

std::vector<ParameterPlan> NetworkPlan::parameters() const {
    std::vector<ParameterPlan> out;
    for (const auto& block : stem)
        for (const ConvPlan& conv : block)
            addConv(out, conv);
    for (const auto& block : encoder)
        for (const ConvPlan& conv : block)
            addConv(out, conv);
    for (const DecoderBlockPlan& block : decoder) {
        if (!block.interpolate)
            addConv(out, block.up);
        for (const ConvPlan& conv : block.refine)
            addConv(out, conv);
    }
    for (const ConvPlan& conv : middle)
        addConv(out, conv);
    for (const HeadPlan& head : heads) {
        if (head.fc.empty())
            addConv(out, head.conv);
        else
            out.insert(out.end(), head.fc.begin(), head.fc.end());
    }
    return out;
}

Result<NetworkPlan> planNetwork(const ModelSpec& spec) {
    if (spec.backbone != BackboneType::UNet)
        return fail(ErrorCode::Unsupported, std::string("Models with a ") + backboneName(spec.backbone) +
                                                " backbone cannot be run yet; UNet models can.");
    auto plan = planUNet(spec.unet);
    if (!plan)
        return plan;
    if (auto heads = planHeads(*plan, spec); !heads)
        return fail(heads.error());
    return plan;
}

}  // namespace skein::models
