// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <nlohmann/json.hpp>

#include "engine/base/result.h"

namespace skein::models {

/// Whether a configuration is one of SLEAP <= 1.4 (`training_config.json` beside `best_model.h5`).
[[nodiscard]] bool isKerasConfig(const nlohmann::ordered_json& config);

/// The same settings in the form of sleap-nn 0.3.5, as far as they say anything about the network, its input and its
/// skeleton, so that both kinds are read and checked by the same code. What a Keras configuration does not say (the
/// channels of the input) is left out. Values are copied as they are, whatever their type.
/// Errors, without the file's name and full stop: Unsupported (a backbone that is no UNet), Format.
[[nodiscard]] Result<nlohmann::ordered_json> fromKerasConfig(const nlohmann::ordered_json& config);

}  // namespace skein::models
