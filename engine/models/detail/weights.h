// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/models/checkpoint/checkpoint.h"
#include "engine/models/network_plan.h"

namespace skein::models {

/// The weights that `parameters` ask for, by key, as float32 tensors on the CPU. Where the checkpoint stores float32 in
/// order, a tensor is the mapped file itself, without a copy: never write to it.
/// Errors: Model, naming the key that is missing, surplus or misshapen.
[[nodiscard]] Result<std::map<std::string, at::Tensor>> readWeights(const Checkpoint& checkpoint,
                                                                    const std::vector<ParameterPlan>& parameters);

}  // namespace skein::models
