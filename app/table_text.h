// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace skein::app {

/// How many characters a terminal shows of UTF-8 text, each taken to be one cell wide.
[[nodiscard]] std::size_t widthOf(const std::string& text);

/// Text of at most `most` characters: of a longer one the middle makes way for "…", nearer to the beginning, since
/// names of files and folders differ at their ends.
[[nodiscard]] std::string shortened(const std::string& text, std::size_t most);

/// The names of files, each with as many of its folders as tells it from others of the same name.
[[nodiscard]] std::vector<std::string> namesOf(const std::vector<std::filesystem::path>& files);

/// Prints rows of cells as columns; the last is not padded, those of `right` stand at their right.
void printColumns(const std::vector<std::vector<std::string>>& rows, const std::vector<std::size_t>& right);

}  // namespace skein::app
