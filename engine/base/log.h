// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <string_view>

// The log's front. Plain functions, so that no header brings in the logging library (its fmt and LibTorch's do not
// compile together). Thread-safe. Warnings and errors also go to standard error.
namespace skein::log {

enum class Level { Debug, Info, Warning, Error };

/// Messages below `level` are dropped; the default is Warning.
void setLevel(Level level);
/// Also writes to `file`, rotated at 5 MB, three kept. Failure to open it is reported once and otherwise ignored.
void alsoTo(const std::filesystem::path& file);

void debug(std::string_view message);
void info(std::string_view message);
void warning(std::string_view message);
void error(std::string_view message);

}  // namespace skein::log
