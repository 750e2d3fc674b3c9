// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <string>

#include "engine/base/result.h"
#include "engine/project/labels.h"

namespace skein::pipeline {

/// Saves what a run found. Where that fails (a full disk, a folder that went away) hours of work are not let go: they
/// are written to the home folder or, failing that, the folder for temporary files, and the error names the file.
[[nodiscard]] Result<void> saveResults(const project::Labels& labels, const std::string& path);

}  // namespace skein::pipeline
