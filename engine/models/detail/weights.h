// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/models/model_spec.h"
#include "engine/models/network_plan.h"

namespace skein::models {

/// The weights that `parameters` ask for, by key, as float32 tensors on the CPU (index tables: int64), from the files
/// that `spec` names. Where a checkpoint stores float32 in order, a tensor is the mapped file itself, without a copy:
/// never write to it. Errors: as Checkpoint::open() and the spec's reader; Model, naming the file and the key that is
/// missing, surplus or misshapen.
[[nodiscard]] Result<std::map<std::string, at::Tensor>> readWeights(const ModelSpec& spec,
                                                                    const std::vector<ParameterPlan>& parameters);

}  // namespace skein::models
