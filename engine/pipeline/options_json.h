// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "engine/base/result.h"
#include "engine/inference/options.h"
#include "engine/tracking/tracker_options.h"

// A run's options as JSON, for queues, presets and checkpoints: every option under its name on the command line.
// Options that are not set are left out.
namespace skein::pipeline {

[[nodiscard]] nlohmann::ordered_json optionsJson(const inference::InferenceOptions& options);
[[nodiscard]] nlohmann::ordered_json optionsJson(const tracking::TrackerOptions& options);
/// Those that say what is found, without those that say where it is computed.
[[nodiscard]] nlohmann::ordered_json resultOptionsJson(const inference::InferenceOptions& options);
/// The names of the options in which two such objects differ: "batch_size, peak_threshold".
[[nodiscard]] std::string changedOptions(const nlohmann::ordered_json& before, const nlohmann::ordered_json& now);

/// What is not named keeps its default. Errors: InvalidArgument, naming the key that is unknown or of the wrong kind.
[[nodiscard]] Result<inference::InferenceOptions> inferenceOptionsFrom(const nlohmann::ordered_json& json);
[[nodiscard]] Result<tracking::TrackerOptions> trackerOptionsFrom(const nlohmann::ordered_json& json);

}  // namespace skein::pipeline
