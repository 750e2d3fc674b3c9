// SPDX-License-Identifier: BSD-3-Clause
#include "engine/evaluation/frame_pairs.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace skein::evaluation {

namespace {

/// Last part of a path, whichever system it was written on.
std::string fileName(const std::string& path) {
    const std::size_t slash = path.find_last_of("/\\");
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// The names under which a video may be known elsewhere, the surest first.
std::vector<std::string> namesOf(const project::Video& video) {
    std::vector<std::string> names;
    const auto add = [&names, &video](const std::string& path) {
        // Several videos embedded in one file are told apart by their dataset.
        if (!path.empty() && path != ".")
            names.push_back(path == video.filename ? path + video.dataset : path);
    };
    if (!video.sourceJson.empty()) {
        const auto source = nlohmann::json::parse(video.sourceJson, nullptr, false);
        for (const nlohmann::json* holder :
             {&source, source.is_object() && source.contains("backend") ? &source["backend"] : &source})
            if (holder->is_object() && holder->contains("filename") && (*holder)["filename"].is_string())
                add((*holder)["filename"].get<std::string>());
    }
    add(video.filename);
    return names;
}

std::string nameOfVideo(const project::Video& video) {
    const auto names = namesOf(video);
    return names.empty() ? std::string("(unnamed)") : names.front();
}

/// "a, b, c" for people.
std::string nodeList(const project::Skeleton& skeleton) {
    std::string text;
    for (std::size_t i = 0; i < skeleton.nodes.size() && i < 6; ++i)
        text += (i == 0 ? "" : ", ") + skeleton.nodes[i];
    return skeleton.nodes.size() > 6 ? text + ", ..." : text;
}

}  // namespace

VideoMatch matchVideos(const project::Labels& truth, const project::Labels& prediction) {
    VideoMatch match;
    const auto& theirs = truth.videos();
    const auto& ours = prediction.videos();
    std::vector<std::optional<std::uint32_t>> partner(ours.size());
    std::vector<bool> taken(theirs.size(), false);
    const auto pairBy = [&](auto keysOf) {
        std::map<std::string, std::set<std::uint32_t>> inTruth;
        std::map<std::string, std::set<std::uint32_t>> inPrediction;
        for (std::uint32_t i = 0; i < theirs.size(); ++i)
            if (!taken[i])
                for (const std::string& key : keysOf(theirs[i]))
                    inTruth[key].insert(i);
        for (std::uint32_t i = 0; i < ours.size(); ++i)
            if (!partner[i])
                for (const std::string& key : keysOf(ours[i]))
                    inPrediction[key].insert(i);
        for (const auto& [key, candidates] : inPrediction) {
            const auto found = inTruth.find(key);
            if (candidates.size() != 1 || found == inTruth.end() || found->second.size() != 1)
                continue;
            const std::uint32_t mine = *candidates.begin();
            const std::uint32_t other = *found->second.begin();
            if (partner[mine] || taken[other])
                continue;
            partner[mine] = other;
            taken[other] = true;
        }
    };
    pairBy([](const project::Video& video) { return namesOf(video); });
    pairBy([](const project::Video& video) {
        std::vector<std::string> names = namesOf(video);
        std::transform(names.begin(), names.end(), names.begin(), fileName);
        return names;
    });
    if (ours.size() == 1 && theirs.size() == 1 && !partner[0]) {
        partner[0] = 0;
        match.notes.push_back("The two files name different videos (" + nameOfVideo(theirs[0]) + " and " +
                              nameOfVideo(ours[0]) +
                              "); since each holds one, they are taken for the same and frames go by their number.");
    }
    for (std::uint32_t i = 0; i < ours.size(); ++i)
        if (partner[i])
            match.pairs.push_back({*partner[i], i});
    return match;
}

Result<FramePairs> pairFrames(const project::Labels& truth, const project::Labels& prediction) {
    if (truth.skeletons().empty() || prediction.skeletons().empty())
        return fail(ErrorCode::InvalidArgument,
                    std::string("The ") + (truth.skeletons().empty() ? "truth" : "prediction") + " has no skeleton.");
    const project::Skeleton& expected = truth.skeletons().front();
    const project::Skeleton& given = prediction.skeletons().front();
    const bool oneNode = expected.nodes.size() == 1 || given.nodes.size() == 1;
    if (!oneNode && expected.nodes != given.nodes)
        return fail(ErrorCode::InvalidArgument,
                    "The two files have different skeletons: the truth has " + std::to_string(expected.nodes.size()) +
                        " nodes (" + nodeList(expected) + "), the prediction " + std::to_string(given.nodes.size()) +
                        " (" + nodeList(given) + "); evaluate a prediction of the same skeleton.");

    FramePairs result;
    VideoMatch match = matchVideos(truth, prediction);
    result.notes = std::move(match.notes);
    for (const VideoPair& pair : match.pairs) {
        const std::size_t first = result.frames.size();
        std::size_t shared = 0;
        std::int64_t last = -1;
        for (const std::size_t row : truth.rowsOf(pair.truth)) {
            const std::int64_t index = truth.frame(row).frameIndex();
            if (result.frames.size() > first && index == last)
                continue;  // the first of several rows of one frame counts
            last = index;
            const auto found = prediction.findFrame(pair.prediction, index);
            shared += found ? 1 : 0;
            result.frames.push_back({row, found, pair.truth, index});
        }
        if (shared == 0)
            result.frames.resize(first);
        result.shared += shared;
    }
    if (result.shared == 0) {
        if (match.pairs.empty())
            return fail(ErrorCode::InvalidArgument,
                        "The two files have no video in common; compare a prediction for the truth's videos (the truth "
                        "names " +
                            (truth.videos().empty() ? std::string("none") : nameOfVideo(truth.videos().front())) +
                            ").");
        return fail(ErrorCode::InvalidArgument,
                    "The two files have no frame in common: no frame of the truth was predicted.");
    }
    return result;
}

}  // namespace skein::evaluation
