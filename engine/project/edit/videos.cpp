// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/edit/videos.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/base/result.h"

namespace skein::project::edit {

namespace {

/// The project with its videos in another order, some left out: order[i] is the old place of what comes i-th.
Outcome rearranged(const Labels& labels, const std::vector<std::size_t>& order, std::size_t changed) {
    std::vector<std::int32_t> newIndex(labels.videos().size(), -1);
    std::vector<Video> videos;
    for (std::size_t i = 0; i < order.size(); ++i) {
        newIndex[order[i]] = static_cast<std::int32_t>(i);
        videos.push_back(labels.videos()[order[i]]);
    }
    Outcome outcome = unchanged(labels);
    outcome.labels.renumberVideos(newIndex);
    outcome.labels.editVideos() = std::move(videos);
    const auto goesTo = [&newIndex](std::uint32_t video) {
        return video < newIndex.size() ? newIndex[video] : static_cast<std::int32_t>(video);
    };
    std::vector<Suggestion>& suggestions = outcome.labels.editSuggestions();
    std::erase_if(suggestions, [&](const Suggestion& s) { return goesTo(s.video) < 0; });
    for (Suggestion& s : suggestions)
        s.video = static_cast<std::uint32_t>(goesTo(s.video));
    auto& negatives = outcome.labels.editNegativeFrames();
    std::erase_if(negatives, [&](const auto& negative) { return goesTo(negative.first) < 0; });
    for (auto& negative : negatives)
        negative.first = static_cast<std::uint32_t>(goesTo(negative.first));
    outcome.extent.everywhere = true;
    outcome.changed = changed;
    return outcome;
}

bool isAmong(std::span<const std::size_t> videos, std::size_t video) {
    return std::find(videos.begin(), videos.end(), video) != videos.end();
}

}  // namespace

VideoContents contentsOf(const Labels& labels, std::span<const std::size_t> videos) {
    VideoContents contents;
    for (const std::size_t video : videos)
        for (const std::size_t row : labels.rowsOf(static_cast<std::uint32_t>(video))) {
            const FrameView frame = labels.frame(row);
            ++contents.frames;
            for (std::size_t i = 0; i < frame.instanceCount(); ++i)
                ++(frame.instance(i).header->kind == InstanceKind::User ? contents.userInstances
                                                                        : contents.predictions);
        }
    for (const Suggestion& suggestion : labels.suggestions())
        contents.suggestions += isAmong(videos, suggestion.video) ? 1 : 0;
    for (const auto& negative : labels.negativeFrames())
        contents.negatives += isAmong(videos, negative.first) ? 1 : 0;
    return contents;
}

Outcome removeVideos(const Labels& labels, std::span<const std::size_t> videos) {
    std::vector<std::size_t> order;
    for (std::size_t v = 0; v < labels.videos().size(); ++v)
        if (!isAmong(videos, v))
            order.push_back(v);
    const std::size_t changed = labels.videos().size() - order.size();
    return changed == 0 ? unchanged(labels) : rearranged(labels, order, changed);
}

Outcome moveVideo(const Labels& labels, std::size_t video, std::size_t to) {
    const std::size_t count = labels.videos().size();
    if (video >= count || to >= count || video == to)
        return unchanged(labels);
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(video));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), video);
    return rearranged(labels, order, 1);
}

Outcome setGrayscale(const Labels& labels, std::span<const std::size_t> videos, std::optional<bool> grayscale) {
    Outcome outcome = unchanged(labels);
    for (const std::size_t video : videos) {
        SKEIN_EXPECTS(video < labels.videos().size(), "video outside the project");
        if (labels.videos()[video].grayscale == grayscale)
            continue;
        outcome.labels.editVideos()[video].grayscale = grayscale;
        ++outcome.changed;
    }
    outcome.extent.instances = false;
    return outcome.changed == 0 ? unchanged(labels) : outcome;
}

}  // namespace skein::project::edit
