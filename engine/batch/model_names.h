// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace skein::batch {

/// Paths of the models of one run, as in Settings::models.
using ModelPaths = std::vector<std::filesystem::path>;

/// The name of the folder of the last model, whose path may lead to a file in it; "model" for none.
[[nodiscard]] std::string folderOfModel(const ModelPaths& models);

/// A name for each, no longer than it takes to tell it from the others: "bottomup", or "may/bottomup" beside
/// "june/bottomup". Does not touch the disk.
[[nodiscard]] std::map<ModelPaths, std::string> modelNames(const std::set<ModelPaths>& models);

}  // namespace skein::batch
