// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/batch/entry.h"

namespace skein::batch {

/// Whether a file is a video by its name.
[[nodiscard]] bool isVideoName(const std::filesystem::path& file);

enum class Subfolders { LeaveOut, Take };
/// The videos of a folder, by their names.
struct FolderVideos {
    std::vector<std::filesystem::path> videos;  ///< folder by folder, in the order of names
    std::int64_t leftOut = 0;                   ///< videos in its subfolders that were not taken; of many the first
};
/// Folders whose names begin with a dot, and links to folders, are not looked into. Errors: NotFound, Io.
[[nodiscard]] Result<FolderVideos> videosIn(const std::filesystem::path& folder, Subfolders subfolders);

/// What outputs are called when nothing else is said.
inline constexpr const char* kOutputPattern = "{video}.predictions.slp";

/// Gives each entry without an output one in `folder`: `pattern` with {video} (the data's name without its ending) and
/// {model} (the folder of the last model) filled in. Where several entries would have the same, the models' names, the
/// data's endings and folders, and at last numbers tell them apart. Errors: InvalidArgument (a pattern with other
/// placeholders or no {video}; an output that is the data of an entry, or given twice).
[[nodiscard]] Result<void> nameOutputs(std::vector<Entry>& entries, const std::filesystem::path& folder,
                                       const std::string& pattern = kOutputPattern);

/// "a.predictions.slp" -> "a.predictions.2.slp", the first number that is free.
[[nodiscard]] std::filesystem::path numbered(const std::filesystem::path& output);

}  // namespace skein::batch
