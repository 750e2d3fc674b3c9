// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "engine/base/result.h"
#include "engine/project/detail/labels_state.h"
#include "engine/project/labels.h"

// What a change of the lists of videos and skeletons does to the frames.
namespace skein::project {

std::size_t Labels::renumberVideos(std::span<const std::int32_t> newIndex) {
    const auto goesTo = [newIndex](std::uint32_t video) {
        return video < newIndex.size() ? newIndex[video] : static_cast<std::int32_t>(video);
    };
    std::vector<std::size_t> gone;
    for (std::uint32_t video = 0; video < newIndex.size(); ++video)
        if (newIndex[video] < 0) {
            const std::vector<std::size_t> rows = rowsOf(video);
            gone.insert(gone.end(), rows.begin(), rows.end());
        }
    if (!gone.empty())
        removeFrames(gone);

    State& state = edit();
    for (std::shared_ptr<FrameChunk>& chunk : state.chunks) {
        if (std::none_of(chunk->frames.begin(), chunk->frames.end(), [&](const FrameChunk::FrameRow& row) {
                return goesTo(row.video) != static_cast<std::int32_t>(row.video);
            }))
            continue;
        auto rebuilt = FrameChunk::withPointsOf(*chunk);
        for (FrameChunk::FrameRow& row : rebuilt->frames)
            row.video = static_cast<std::uint32_t>(goesTo(row.video));
        chunk = std::move(rebuilt);
    }
    std::vector<std::shared_ptr<VideoIndex>> indices;
    for (std::uint32_t video = 0; video < state.indices.size(); ++video) {
        const std::int32_t to = goesTo(video);
        if (to < 0)
            continue;
        while (indices.size() <= static_cast<std::size_t>(to))
            indices.push_back(makePart<VideoIndex>());
        indices[static_cast<std::size_t>(to)] = state.indices[video];
    }
    state.indices = std::move(indices);
    return gone.size();
}

std::size_t Labels::remapNodes(std::uint32_t skeleton, std::span<const int> from) {
    State& state = edit();
    std::size_t remapped = 0;
    for (std::shared_ptr<FrameChunk>& chunk : state.chunks) {
        const auto isOfIt = [skeleton](const InstanceHeader& header) { return header.skeleton == skeleton; };
        if (std::none_of(chunk->instances.begin(), chunk->instances.end(), isOfIt))
            continue;
        auto rebuilt = makePart<FrameChunk>();
        rebuilt->frames = chunk->frames;
        rebuilt->instances = chunk->instances;
        rebuilt->pointEnd.reserve(chunk->pointEnd.size());
        std::vector<Point>& points = *rebuilt->points;
        points.reserve(chunk->instances.size() * from.size());
        for (std::size_t i = 0; i < chunk->instances.size(); ++i) {
            const InstanceView before = chunk->instance(i);
            if (isOfIt(*before.header)) {
                ++remapped;
                for (const int node : from)
                    points.push_back(node >= 0 && static_cast<std::size_t>(node) < before.points.size()
                                         ? before.points[static_cast<std::size_t>(node)]
                                         : Point{});
            } else {
                points.insert(points.end(), before.points.begin(), before.points.end());
            }
            rebuilt->pointEnd.push_back(static_cast<std::uint32_t>(points.size()));
        }
        rebuilt->shrink();
        chunk = std::move(rebuilt);
    }
    return remapped;
}

}  // namespace skein::project
