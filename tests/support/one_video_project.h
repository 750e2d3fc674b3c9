// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/project/labels.h"

namespace skein::test {

/// A project without frames: one video, one skeleton and tracks of these names.
inline project::Labels oneVideoProject(std::string file, std::int64_t frames, int width, int height,
                                       project::Skeleton skeleton, const std::vector<std::string>& tracks) {
    project::Labels labels;
    project::Video video;
    video.filename = std::move(file);
    video.frameCount = frames;
    video.width = width;
    video.height = height;
    labels.editVideos().push_back(std::move(video));
    labels.editSkeletons().push_back(std::move(skeleton));
    for (const std::string& name : tracks)
        labels.editTracks().push_back({name, 0, -1});
    return labels;
}

/// Each node is joined to the next.
inline project::Skeleton chainSkeleton(std::string name, std::vector<std::string> nodes) {
    project::Skeleton skeleton;
    skeleton.name = std::move(name);
    skeleton.nodes = std::move(nodes);
    for (int n = 1; n < static_cast<int>(skeleton.nodes.size()); ++n)
        skeleton.edges.push_back({n - 1, n});
    return skeleton;
}

}  // namespace skein::test
