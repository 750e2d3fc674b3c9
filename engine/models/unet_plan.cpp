// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/plan_parts.h"

namespace skein::models {
namespace {

tl::unexpected<Error> refuse(const std::string& what) {
    return fail(ErrorCode::Model, "This UNet configuration cannot be built: " + what + ".");
}

Result<void> checkUNet(const UNetConfig& c) {
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

}  // namespace

Result<NetworkPlan> planUNet(const UNetConfig& c) {
    if (auto ok = checkUNet(c); !ok)
        return fail(ok.error());
    const int stemBlocks = c.stemStride ? log2Of(*c.stemStride) : 0;
    const int encoderBlocks = log2Of(c.maxStride) - stemBlocks;
    const int levels = encoderBlocks + stemBlocks;
    const auto filtersAt = [&](int k) { return channelsAt(c.filters, c.filtersRate, k); };
    for (int k = 0; k <= levels; ++k)
        if (filtersAt(k) < 1 || filtersAt(k) > kMaxChannels)
            return refuse("filters " + std::to_string(c.filters) + " and filters_rate " +
                          std::to_string(c.filtersRate) + " give an impossible number of channels");

    NetworkPlan plan;
    plan.inChannels = c.inChannels;
    int channels = c.inChannels;
    for (int b = 0; b < stemBlocks; ++b) {
        const std::string block = std::to_string(b);
        plan.stem.push_back(convBlock("backbone.stem.stem_stack." + block + ".blocks.stem" + block + "_conv",
                                      c.convsPerBlock, channels, filtersAt(b), 7));
        channels = filtersAt(b);
    }
    for (int b = 0; b < encoderBlocks; ++b) {
        const std::string block = std::to_string(b);
        plan.encoder.push_back(
            convBlock("backbone.encoders.0.encoder_stack." + block + ".blocks.stack0_enc" + block + "_conv",
                      c.convsPerBlock, channels, filtersAt(b + stemBlocks), c.kernelSize));
        channels = filtersAt(b + stemBlocks);
    }
    const int bottom = filtersAt(levels);
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

    DecoderOptions decoder;
    decoder.backbone = "UNet";
    decoder.stackKey = "backbone.decoders.0.decoder_stack.";
    decoder.blockName = "stack0_dec";
    decoder.blocks = log2Of(c.maxStride / c.outputStride) + stemBlocks;
    decoder.joinedBlocks = levels;
    for (auto block = plan.encoder.rbegin(); block != plan.encoder.rend(); ++block)
        decoder.skipChannels.push_back(block->back().outChannels);
    if (stemBlocks > 0)
        decoder.skipChannels.push_back(plan.stem.back().back().outChannels);
    decoder.channelsAt = [&](int b) { return filtersAt(std::max(0, levels - 1 - b)); };
    decoder.interpolate = c.upInterpolate;
    decoder.kernel = c.kernelSize;
    const int fed = static_cast<int>(decoder.skipChannels.size());
    if (decoder.blocks > fed && fed < levels)
        return refuse("with stem_stride " + std::to_string(*c.stemStride) + " and output_stride " +
                      std::to_string(c.outputStride) + " a decoder block has no skip connection to read");
    if (auto ok = planDecoder(plan, decoder); !ok)
        return fail(ok.error());
    return plan;
}

}  // namespace skein::models
