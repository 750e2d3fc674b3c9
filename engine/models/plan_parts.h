// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/models/network_plan.h"

// What the planners of the backbones share. Private to network_plan.cpp and the *_plan.cpp beside it.
namespace skein::models {

inline constexpr int kMaxChannels = 1 << 16;
inline constexpr int kMaxStride = 1 << 10;

[[nodiscard]] bool isPowerOfTwo(int value);
[[nodiscard]] int log2Of(int powerOfTwo);

/// filters * rate^k in double, truncated as the training code does (40.5 becomes 40); kMaxChannels + 1 stands for all
/// that is more.
[[nodiscard]] int channelsAt(int filters, double rate, int k);

/// `count` convolutions behind each other, with keys prefix + "0", prefix + "1", ...
[[nodiscard]] std::vector<ConvPlan> convBlock(const std::string& prefix, int count, int inChannels, int outChannels,
                                              int kernel);

/// How the decoder of a backbone is built.
struct DecoderOptions {
    std::string backbone;                ///< words for errors, e.g. "UNet"
    std::string stackKey;                ///< keys begin with this, the block's number and ".blocks."
    std::string blockName;               ///< then follow this, the number and the strides
    int blocks = 0;                      ///< times the size is doubled
    int joinedBlocks = 0;                ///< of which so many join a skip connection
    std::vector<int> skipChannels;       ///< of the skip connections that there are, coarsest first
    std::function<int(int)> channelsAt;  ///< of the output of block b
    bool interpolate = true;
    int kernel = 3;
};

/// Appends the decoder to a plan whose bottleneck is known. Errors: Model.
[[nodiscard]] Result<void> planDecoder(NetworkPlan& plan, const DecoderOptions& options);

/// The backbones, without heads. Errors: Model.
[[nodiscard]] Result<NetworkPlan> planUNet(const UNetConfig& config);
[[nodiscard]] Result<NetworkPlan> planStaged(const TransformerConfig& config, BackboneType type);

}  // namespace skein::models
