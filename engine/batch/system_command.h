// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace skein::batch {

struct CommandOutput {
    int exitCode = 0;  ///< 128 + number when a signal ended it
    std::string out, err;
};

/// Runs a program of the search path with arguments, without a shell, and waits for it: for workers. What it prints is
/// kept up to 16 MiB each. Errors: NotFound (no such program), Io.
[[nodiscard]] Result<CommandOutput> runCommand(const std::vector<std::string>& command);

/// The text as one word of a POSIX shell.
[[nodiscard]] std::string shellWord(const std::string& text);

}  // namespace skein::batch
