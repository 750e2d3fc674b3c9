// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/project/labels.h"

namespace skein::formats {

/// For each of `theirs` the video of `mine` that it is, or -1: the same file (pictures in a package count as those of
/// the video they were taken from), else the only one on both sides with that name, number of frames and size. A video
/// is taken at most once. `mineFile` and `theirsFile` are where the projects lie; touches the disk.
[[nodiscard]] std::vector<std::int32_t> matchVideos(const std::vector<project::Video>& mine,
                                                    const std::filesystem::path& mineFile,
                                                    const std::vector<project::Video>& theirs,
                                                    const std::filesystem::path& theirsFile);

}  // namespace skein::formats
