// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/moved_videos.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "engine/formats/video_path.h"

namespace skein::formats {
namespace fs = std::filesystem;
namespace {

constexpr int kLevelsUp = 2;
/// A folder of recordings may hold thousands of folders; looking into each would take minutes on a network.
constexpr int kMostSubfolders = 200;

std::string forward(std::string path) {
    std::replace(path.begin(), path.end(), '\\', '/');
    while (path.size() > 1 && path.back() == '/')
        path.pop_back();
    return path;
}

bool hasDrive(const std::string& path) {
    return path.size() > 1 && path[1] == ':' && std::isalpha(static_cast<unsigned char>(path[0])) != 0;
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

bool isThere(const fs::path& path) {
    std::error_code ec;
    return fs::exists(path, ec);
}

std::vector<fs::path> foldersIn(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code ec;
    for (fs::directory_iterator it(folder, ec), end; !ec && it != end && found.size() < kMostSubfolders;
         it.increment(ec)) {
        std::error_code unknown;
        if (it->is_directory(unknown))
            found.push_back(it->path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// Where other drives are: as letters on Windows, as mounts elsewhere.
std::vector<fs::path> drives() {
#ifdef _WIN32
    std::vector<fs::path> found;
    for (char letter = 'A'; letter <= 'Z'; ++letter)
        found.push_back(std::string(1, letter) + ":/");
    return found;
#else
    std::vector<fs::path> found;
    for (const char* place : {"/mnt", "/media", "/run/media", "/Volumes"})
        for (const fs::path& folder : foldersIn(place)) {
            found.push_back(folder);
            // Under /media lies a folder for each user, in it the drives.
            if (std::string_view(place).find("media") != std::string_view::npos)
                for (const fs::path& inside : foldersIn(folder))
                    found.push_back(inside);
        }
    return found;
#endif
}

}  // namespace

std::optional<PathChange> changeBetween(const std::string& stored, const fs::path& found) {
    std::string from = forward(stored), to = forward(found.generic_string());
    if (from == to)
        return std::nullopt;
    for (;;) {
        const auto a = from.rfind('/'), b = to.rfind('/');
        if (a == std::string::npos || b == std::string::npos || from.substr(a) != to.substr(b) || a == 0 || b == 0)
            break;
        from.resize(a);
        to.resize(b);
    }
    return PathChange{from, to};
}

std::optional<std::string> changed(const std::string& stored, const PathChange& change) {
    const std::string path = forward(stored);
    const std::string& from = change.from;
    if (from.empty() || path.size() < from.size() ||
        (path.size() > from.size() && path[from.size()] != '/' && from.back() != '/'))
        return std::nullopt;
    const std::string begin = path.substr(0, from.size());
    if (begin != from && !(hasDrive(from) && lower(begin) == lower(from)))
        return std::nullopt;
    return change.to + path.substr(from.size());
}

std::optional<fs::path> findMoved(const std::string& stored, const fs::path& folder,
                                  const std::vector<PathChange>& changes) {
    for (const PathChange& change : changes)
        if (const auto path = changed(stored, change); path && isThere(*path))
            return fs::path(*path);
    const std::string path = forward(stored);
    const std::vector<std::string> parts = storedPathParts(path);
    const bool drive = hasDrive(path);
    if (parts.empty())
        return std::nullopt;
    std::error_code ec;
    fs::path place = folder.empty() ? fs::path() : fs::absolute(folder, ec);
    for (int level = 0; level <= kLevelsUp && !place.empty(); ++level) {
        if (auto found = longestEndUnder(place, parts))
            return found;
        // The root of a disk is no place to search through.
        if (place.has_relative_path())
            for (const fs::path& inside : foldersIn(place))
                if (auto found = longestEndUnder(inside, parts))
                    return found;
        if (place == place.parent_path())
            break;
        place = place.parent_path();
    }
    if (drive)
        for (const fs::path& other : drives()) {
            // Only the whole path: a name alone means nothing on another disk.
            fs::path candidate = other;
            for (const std::string& part : parts)
                candidate /= part;
            if (isThere(candidate))
                return candidate;
        }
    return std::nullopt;
}

project::Video movedTo(project::Video video, const fs::path& found) {
    const auto change = changeBetween(video.filename, found);
    video.filename = found.generic_string();
    for (std::string& image : video.imageFiles) {
        const auto moved = change ? changed(image, *change) : std::nullopt;
        image = moved ? *moved : (found.parent_path() / storedBaseName(image)).generic_string();
    }
    return video;
}

}  // namespace skein::formats
