// SPDX-License-Identifier: BSD-3-Clause
#include "engine/suggestions/suggest.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/suggestions/detail/rules.h"

namespace skein::suggestions {

namespace {

template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

bool isTaken(const project::Labels& labels, const std::set<std::pair<std::uint32_t, std::int64_t>>& negatives,
             const Suggested& one) {
    if (negatives.count({one.video, one.frame}) != 0)
        return true;
    const auto row = labels.findFrame(one.video, one.frame);
    return row && labels.frame(*row).hasUserInstance();
}

}  // namespace

Result<std::vector<Suggested>> suggest(const project::Labels& labels, const Request& request,
                                       const Surroundings& around) {
    std::map<std::uint32_t, std::vector<std::int64_t>> suggested;
    if (!request.replace)
        for (const project::Suggestion& s : labels.suggestions())
            suggested[s.video].push_back(s.frameIndex);
    std::vector<detail::VideoTask> tasks;
    for (const std::uint32_t video : request.videos) {
        SKEIN_EXPECTS(video < labels.videos().size(), "video outside the project");
        const std::int64_t frames = around.frameCount(video);
        project::edit::FrameSpan span{0, frames - 1};
        if (request.span)
            span = {std::max<std::int64_t>(request.span->first, 0), std::min(request.span->last, frames - 1)};
        if (span.last < span.first)
            continue;
        detail::VideoTask task{labels, video, frames, span, {}, around};
        if (const auto it = suggested.find(video); it != suggested.end()) {
            std::sort(it->second.begin(), it->second.end());
            task.suggested = std::move(it->second);
        }
        tasks.push_back(std::move(task));
    }

    std::vector<Suggested> found;
    if (const auto* images = std::get_if<ImageFeatures>(&request.method)) {
        auto groups = detail::imageGroups(tasks, *images);
        if (!groups)
            return fail(std::move(groups.error()));
        found = std::move(*groups);
    } else {
        const auto* disagreement = std::get_if<Disagreement>(&request.method);
        if (disagreement != nullptr && disagreement->other == nullptr)
            return fail(ErrorCode::InvalidArgument, "Choose the other project to compare with.");
        for (std::size_t t = 0; t < tasks.size(); ++t) {
            const detail::VideoTask& task = tasks[t];
            std::vector<Suggested> some =
                std::visit(Overloaded{[&](const Sample& m) { return detail::sample(task, m); },
                                      [&](const ImageFeatures&) { return detail::Found(); },
                                      [&](const PredictionScore& m) { return detail::predictionScore(task, m); },
                                      [&](const Velocity& m) { return detail::velocity(task, m); },
                                      [&](const MaxPointDisplacement& m) { return detail::displacement(task, m); },
                                      [&](const FrameChunk& m) { return detail::chunk(task, m); },
                                      [&](const Disagreement& m) { return detail::disagreement(task, m); },
                                      [&](const PoseNovelty& m) { return detail::novelty(task, m); },
                                      [&](const InstanceCount& m) { return detail::instanceCount(task, m); }},
                           request.method);
            found.insert(found.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
            if (around.progress)
                around.progress(static_cast<double>(t + 1) / static_cast<double>(tasks.size()));
        }
    }
    if (around.stop.stop_requested())
        return fail(ErrorCode::Cancelled, "Looking for frames was stopped.");

    const std::set<std::pair<std::uint32_t, std::int64_t>> negatives(labels.negativeFrames().begin(),
                                                                     labels.negativeFrames().end());
    std::map<std::uint32_t, const detail::VideoTask*> byVideo;
    for (const detail::VideoTask& task : tasks)
        byVideo[task.video] = &task;
    std::set<std::pair<std::uint32_t, std::int64_t>> seen;
    std::erase_if(found, [&](const Suggested& one) {
        const detail::VideoTask& task = *byVideo.at(one.video);
        return one.frame < task.span.first || one.frame > task.span.last ||
               std::binary_search(task.suggested.begin(), task.suggested.end(), one.frame) ||
               isTaken(labels, negatives, one) || !seen.emplace(one.video, one.frame).second;
    });
    if (request.group)
        for (Suggested& one : found)
            one.group = *request.group;
    return found;
}

std::int64_t mostOf(const ImageFeatures& method, std::size_t videos) {
    const std::int64_t each = std::min<std::int64_t>(
        std::int64_t{method.clusters} * method.perCluster,
        std::int64_t{method.samplesPerVideo} * (method.acrossVideos ? static_cast<std::int64_t>(videos) : 1));
    return method.acrossVideos ? each : each * static_cast<std::int64_t>(videos);
}

}  // namespace skein::suggestions
