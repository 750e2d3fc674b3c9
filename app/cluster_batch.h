// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <vector>

#include "app/batch_arguments.h"
#include "engine/base/result.h"
#include "engine/batch/entry.h"

namespace skein::app {

/// `skein batch --slurm`: submits, follows, gathers, prints. Returns the exit code.
[[nodiscard]] Result<int> runOnCluster(const BatchArguments& a, std::vector<batch::Entry> entries);

/// What the job script calls on a node: one task of the plan in the folder `input`. Returns the exit code.
[[nodiscard]] Result<int> runClusterTask(const BatchArguments& a);

}  // namespace skein::app
