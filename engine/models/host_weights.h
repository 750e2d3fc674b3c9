// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace skein::models {

/// One weight as plain memory, row-major, in the shape that a checkpoint would have it.
struct HostTensor {
    std::vector<std::int64_t> shape;
    std::vector<float> values;
};

/// All weights of a network by checkpoint key ("backbone.encoders.0...conv0.weight").
using HostWeights = std::map<std::string, HostTensor>;

/// Reads weights when the network is built, on the calling thread. It carries whatever reads the file across the border
/// to LibTorch, whose side knows checkpoints and nothing else.
using HostWeightsReader = std::function<Result<std::shared_ptr<const HostWeights>>()>;

}  // namespace skein::models
