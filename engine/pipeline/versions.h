// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace skein::pipeline {

/// (library, version) of Skein and what it runs on. `withTorch` opens LibTorch if it is not yet open, which takes a
/// moment; a LibTorch that cannot be opened is left out.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> libraryVersions(bool withTorch);

}  // namespace skein::pipeline
