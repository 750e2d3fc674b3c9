// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>

#include "engine/base/result.h"
#include "engine/models/model_spec.h"

namespace skein::models {

/// Reads a configuration of sleap-nn (YAML or JSON by its ending) or of SLEAP <= 1.4 (JSON) into a ModelSpec whose
/// `folder`, `weightsFile` and, of the latter, input channels are left as they are. A missing key takes sleap-nn's
/// default. Errors as readModelSpec().
[[nodiscard]] Result<ModelSpec> readTrainingConfig(const std::filesystem::path& file);

}  // namespace skein::models
