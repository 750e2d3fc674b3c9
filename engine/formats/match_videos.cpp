// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/match_videos.h"

#include <algorithm>
#include <map>
#include <string>

#include "engine/formats/json/json.h"
#include "engine/formats/slp/video_row.h"
#include "engine/formats/video_path.h"

namespace skein::formats {
namespace fs = std::filesystem;
namespace {

/// Names that a video goes by; two videos with a name in common are one.
std::vector<std::string> namesOf(const project::Video& video, const fs::path& projectFile) {
    VideoSearch search;
    search.projectFolder = projectFile.parent_path();
    const auto place = [&search](const std::string& stored) {
        std::error_code ec;
        if (const auto found = resolveVideoPath(stored, search)) {
            const fs::path real = fs::canonical(*found, ec);
            return ec ? found->generic_string() : real.generic_string();
        }
        std::string forward = stored;
        std::replace(forward.begin(), forward.end(), '\\', '/');
        return forward;
    };
    std::vector<std::string> names;
    if (video.dataset.empty()) {
        names.push_back(place(video.filename));
    } else {
        const fs::path file = video.filename == "." ? projectFile : fs::path(video.filename);
        names.push_back(place(file.generic_string()) + "|" + video.dataset);
    }
    if (!video.sourceJson.empty())
        if (const auto row = parseJson(video.sourceJson, "A video"); row && row->is_object())
            if (const project::Video source = slp::videoFromRow(*row); !source.filename.empty())
                names.push_back(place(source.filename));
    return names;
}

/// Empty when too little is known.
std::string looksOf(const project::Video& video) {
    if (video.frameCount <= 0 || video.width <= 0 || video.height <= 0 || !video.dataset.empty())
        return {};
    return storedBaseName(video.filename) + "|" + std::to_string(video.frameCount) + "|" + std::to_string(video.width) +
           "|" + std::to_string(video.height);
}

}  // namespace

std::vector<std::int32_t> matchVideos(const std::vector<project::Video>& mine, const fs::path& mineFile,
                                      const std::vector<project::Video>& theirs, const fs::path& theirsFile) {
    std::vector<std::int32_t> matches(theirs.size(), -1);
    std::vector<bool> taken(mine.size(), false);
    std::map<std::string, std::size_t> byName;
    for (std::size_t i = 0; i < mine.size(); ++i)
        for (const std::string& name : namesOf(mine[i], mineFile))
            byName.emplace(name, i);
    const auto take = [&](std::size_t their, std::size_t own) {
        if (taken[own])
            return;
        taken[own] = true;
        matches[their] = static_cast<std::int32_t>(own);
    };
    for (std::size_t i = 0; i < theirs.size(); ++i)
        for (const std::string& name : namesOf(theirs[i], theirsFile))
            if (const auto it = byName.find(name); it != byName.end() && matches[i] < 0)
                take(i, it->second);

    std::map<std::string, std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> byLooks;
    for (std::size_t i = 0; i < mine.size(); ++i)
        byLooks[looksOf(mine[i])].first.push_back(i);
    for (std::size_t i = 0; i < theirs.size(); ++i)
        byLooks[looksOf(theirs[i])].second.push_back(i);
    for (const auto& [looks, both] : byLooks)
        if (!looks.empty() && both.first.size() == 1 && both.second.size() == 1 && matches[both.second.front()] < 0)
            take(both.second.front(), both.first.front());
    return matches;
}

}  // namespace skein::formats
