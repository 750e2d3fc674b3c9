// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>

#include "engine/base/result.h"
#include "engine/project/skeleton.h"

/// Skeletons in files of their own, as SLEAP's skeleton editor loads and saves them: JSON in which the links spell out
/// their nodes, each object once and later by its number (jsonpickle).
namespace skein::formats {

/// The skeleton of a JSON file (also one whose graph is wrapped in "nx_graph", and one whose nodes are bare names), or
/// the first one of a labels file (.slp, .h5). Errors: NotFound, Io, Format (naming the file and what is wrong with
/// it).
[[nodiscard]] Result<project::Skeleton> readSkeletonFile(const std::filesystem::path& path);

/// Errors: those of writeAtomically().
[[nodiscard]] Result<void> writeSkeletonFile(const project::Skeleton& skeleton, const std::filesystem::path& path);

}  // namespace skein::formats
