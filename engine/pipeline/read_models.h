// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <functional>
#include <vector>

#include "engine/base/result.h"
#include "engine/models/model_spec.h"

namespace skein::pipeline {

/// What one model's files say, without its weights.
using ModelReader = std::function<Result<models::ModelSpec>(const std::filesystem::path&)>;

/// The models of a run in the order of their work, from the paths that a person chose. `read`: in place of
/// readModelSpec(); tests do. Errors: those of readModelSpec() and arrangeModels().
[[nodiscard]] Result<std::vector<models::ModelSpec>> readModels(const std::vector<std::filesystem::path>& paths,
                                                                const ModelReader& read = {});

}  // namespace skein::pipeline
