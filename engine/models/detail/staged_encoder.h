// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/models/network_plan.h"

namespace skein::models {

/// The encoder of ConvNeXt (Liu et al. 2022) or SwinT (Liu et al. 2021) in the form that sleap-nn 0.3.5 gives it:
/// features are kept as [n, h, w, c] from layer to layer, since normalisation and linear layers work on the channels of
/// a pixel. Thread-compatible.
class StagedEncoder {
public:
    /// Gives the weight of a key, on the device of the network.
    using WeightSource = std::function<at::Tensor(const std::string& key)>;
    /// Errors: Model (an index table that points outside its table).
    [[nodiscard]] static Result<std::unique_ptr<StagedEncoder>> make(const StageEncoderPlan& plan,
                                                                     const WeightSource& weight);

    virtual ~StagedEncoder() = default;
    /// Outputs of the stem, of the three halvings and of the last stage, [n, c, h, w] channels-last.
    [[nodiscard]] virtual std::vector<at::Tensor> forward(const at::Tensor& x) = 0;
    /// Height or width of the last output for an input of `size` pixels; below 1: too small.
    [[nodiscard]] virtual std::int64_t outputSize(std::int64_t size) const = 0;
};

/// The two kinds; make() chooses.
[[nodiscard]] std::unique_ptr<StagedEncoder> makeConvNextEncoder(const StageEncoderPlan& plan,
                                                                 const StagedEncoder::WeightSource& weight);
[[nodiscard]] Result<std::unique_ptr<StagedEncoder>> makeSwinEncoder(const StageEncoderPlan& plan,
                                                                     const StagedEncoder::WeightSource& weight);

}  // namespace skein::models
