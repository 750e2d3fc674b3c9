// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>

#include "engine/base/result.h"
#include "engine/models/model_spec.h"

namespace skein::models {

/// Reads a sleap-nn configuration, YAML or JSON by its ending, into a ModelSpec whose `folder` and `weightsFile` are
/// left empty. A missing key takes sleap-nn's default. Errors as readModelSpec().
[[nodiscard]] Result<ModelSpec> readTrainingConfig(const std::filesystem::path& file);

}  // namespace skein::models
