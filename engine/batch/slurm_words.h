// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <string>

#include "engine/batch/slurm.h"

// What Slurm says and what it takes, for a person.
namespace skein::batch {

/// A sentence for what a command of Slurm complained of ("sbatch" and the like): what is wrong where that is known,
/// what to do, and the command's own words.
[[nodiscard]] std::string complaintOf(const std::string& command, const std::string& words);

/// Whether sbatch takes this as --time, and as --mem. Empty: it is not asked for.
[[nodiscard]] bool isSlurmTime(const std::string& text);
[[nodiscard]] bool isSlurmMemory(const std::string& text);

}  // namespace skein::batch
