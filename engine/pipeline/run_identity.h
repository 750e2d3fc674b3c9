// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "engine/pipeline/job.h"

namespace skein::pipeline {

/// What a run's detections depend on, as JSON text: Skein's version, the contents of the models, the options, the data
/// and the frames. Runs of equal identity find the same (up to the device's rounding). Tracking is not part of it:
/// unfinished runs hold detections before tracking. `data`: the file that was opened. Reads parts of the files.
[[nodiscard]] std::string runIdentity(const JobSpec& spec, const std::filesystem::path& data,
                                      const std::vector<std::filesystem::path>& more = {});

/// What differs between two identities, in words: "other options (batch_size)"; empty for equal ones.
[[nodiscard]] std::string identityDifference(const std::string& before, const std::string& now);

}  // namespace skein::pipeline
