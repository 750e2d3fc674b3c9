// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/models/model_spec.h"
#include "engine/project/labels.h"

namespace skein::app {

/// Refuses, before any work, outputs that would destroy something: an input, a file of a model, a video of the project,
/// another output, a device. Their folders must exist and be writable. Empty paths are passed over. Errors:
/// InvalidArgument, NotFound, Io.
[[nodiscard]] Result<void> guardOutputs(const std::vector<std::filesystem::path>& outputs,
                                        const std::vector<std::filesystem::path>& inputs);

/// A labels file needs the name of one, or no program takes it for that. Errors: InvalidArgument.
[[nodiscard]] Result<void> checkLabelsName(const std::filesystem::path& output);

/// The files that models are read from.
void addFiles(std::vector<std::filesystem::path>& inputs, const std::vector<models::ModelSpec>& models);
/// The files of a project's videos, as stored and beside `project`.
void addFiles(std::vector<std::filesystem::path>& inputs, const std::vector<project::Video>& videos,
              const std::filesystem::path& project);

}  // namespace skein::app
