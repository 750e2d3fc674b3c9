// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>

#include "engine/base/result.h"
#include "engine/models/model_spec.h"

namespace skein::models {

/// The folder of a trained model, from what a person may give: the folder itself, its configuration
/// (`training_config.yaml` or `.json`, any name with such an ending), or a weights file in it (`*.ckpt`, `*.h5`).
/// Errors: NotFound.
[[nodiscard]] Result<std::filesystem::path> resolveModelFolder(const std::filesystem::path& given);

/// Reads the configuration of a model folder of sleap-nn, or of SLEAP <= 1.4 (Keras), without reading its weights (that
/// they exist is checked). Takes a folder or anything that resolveModelFolder() takes. `training_config.yaml` wins over
/// `training_config.json`, and this over a configuration that was named. The weights are `best.ckpt`, or a `.ckpt` that
/// was named; of Keras models `best_model.h5`, or an `.h5` that was named.
/// Errors: NotFound (no folder, no configuration, no weights), Format (not readable as YAML or JSON, a value of the
/// wrong type, a damaged best_model.h5), Unsupported (a head, backbone or option outside Skein's reach, by name),
/// Model.
[[nodiscard]] Result<ModelSpec> readModelSpec(const std::filesystem::path& given);

}  // namespace skein::models
