// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/video_path.h"

#include <algorithm>

namespace skein::formats {
namespace fs = std::filesystem;
namespace {

/// A folder counts too: it may be a folder of images.
bool isThere(const fs::path& path) {
    std::error_code ec;
    return fs::exists(path, ec);
}

}  // namespace

std::vector<std::string> storedPathParts(std::string_view path) {
    std::vector<std::string> parts;
    std::string part;
    const auto close = [&] {
        const bool drive = parts.empty() && part.size() == 2 && part[1] == ':';
        if (!part.empty() && part != "." && !drive)
            parts.push_back(part);
        part.clear();
    };
    for (const char c : path) {
        if (c == '/' || c == '\\')
            close();
        else
            part += c;
    }
    close();
    return parts;
}

std::optional<fs::path> longestEndUnder(const fs::path& folder, const std::vector<std::string>& parts) {
    for (std::size_t first = 0; first < parts.size(); ++first) {
        fs::path candidate = folder;
        for (std::size_t i = first; i < parts.size(); ++i)
            candidate /= parts[i];
        if (isThere(candidate))
            return candidate.lexically_normal();
    }
    return std::nullopt;
}

std::string storedBaseName(std::string_view storedPath) {
    const auto parts = storedPathParts(storedPath);
    return parts.empty() ? std::string() : parts.back();
}

std::optional<fs::path> resolveVideoPath(std::string_view storedPath, const VideoSearch& search) {
    // "." means that the images lie in the labels file itself.
    if (storedPath.empty() || storedPath == ".")
        return std::nullopt;
    std::string forward(storedPath);
    // A path that exists as it stands may hold back slashes in its names; only then they are kept.
    if (isThere(forward))
        return fs::path(forward);
    std::replace(forward.begin(), forward.end(), '\\', '/');
    const fs::path given = forward;
    if (isThere(given))
        return given;
    const auto parts = storedPathParts(storedPath);
    if (parts.empty())
        return std::nullopt;
    const fs::path& project = search.projectFolder;
    if (!project.empty()) {
        if (given.is_relative() && isThere(project / given))
            return (project / given).lexically_normal();
        if (isThere(project / parts.back()))
            return project / parts.back();
    }
    for (const fs::path& folder : search.extraFolders)
        if (auto found = longestEndUnder(folder, parts))
            return found;
    return std::nullopt;
}

}  // namespace skein::formats
