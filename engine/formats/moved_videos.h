// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/project/labels.h"

namespace skein::formats {

/// A beginning of stored paths and what stands in its place now, both with forward slashes and without one at the end.
struct PathChange {
    std::string from, to;
    friend bool operator==(const PathChange&, const PathChange&) = default;
};

/// What must have changed for `stored` to be at `found`: the parts at the end that both have in common stay. The name
/// itself may differ, then it is the whole path. nullopt: nothing changed.
[[nodiscard]] std::optional<PathChange> changeBetween(const std::string& stored, const std::filesystem::path& found);

/// The stored path after the change; nullopt: it does not begin so (whole parts are compared; drive letters and the
/// names under them in any case).
[[nodiscard]] std::optional<std::string> changed(const std::string& stored, const PathChange& change);

/// A file that `stored` may be now: by one of the changes, in `folder`, its parents up to two levels and the folders
/// directly in these, under the path's own last parts, and for a path with a drive letter on the other mounted drives.
/// nullopt: none of them exists. Touches the disk.
[[nodiscard]] std::optional<std::filesystem::path> findMoved(const std::string& stored,
                                                             const std::filesystem::path& folder,
                                                             const std::vector<PathChange>& changes);

/// The video at its new place: of an image list all paths change alike.
[[nodiscard]] project::Video movedTo(project::Video video, const std::filesystem::path& found);

}  // namespace skein::formats
