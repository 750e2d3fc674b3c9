// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skein::formats {

/// Last part of a stored path, split at both kinds of slash whatever system wrote it.
[[nodiscard]] std::string storedBaseName(std::string_view storedPath);

/// Its parts, without empty ones, "." and a drive letter.
[[nodiscard]] std::vector<std::string> storedPathParts(std::string_view storedPath);

/// The longest end of a path, given by its parts, that exists under `folder`; a folder counts too, since it may be one
/// of images. nullopt: not even the name.
[[nodiscard]] std::optional<std::filesystem::path> longestEndUnder(const std::filesystem::path& folder,
                                                                   const std::vector<std::string>& parts);

/// Where else to look for a video whose stored path does not exist.
struct VideoSearch {
    std::filesystem::path projectFolder;              ///< folder of the labels file
    std::vector<std::filesystem::path> extraFolders;  ///< folders a person named, or where other videos were found
};

/// Finds the file that a stored path means, in this order: as stored; relative to the project's folder; same name in
/// the project's folder; in each extra folder first with as many trailing path parts as possible, then by name alone.
/// Back slashes count as separators on every system. nullopt: not found.
[[nodiscard]] std::optional<std::filesystem::path> resolveVideoPath(std::string_view storedPath,
                                                                    const VideoSearch& search);

}  // namespace skein::formats
