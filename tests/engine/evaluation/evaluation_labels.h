// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "engine/project/labels.h"

namespace skein::test {

struct Pose {
    std::vector<std::array<double, 2>> points;  ///< NaN: not there
    std::string track;                          ///< "" none
    bool user = true;
    float score = 0;
};

inline constexpr std::array<double, 2> kAbsent{project::kNaN, project::kNaN};

/// A project of one video from the poses of its frames, in order of frame index.
inline project::Labels labelsFrom(const std::vector<std::vector<Pose>>& frames, std::size_t nodes,
                                  const std::string& video = "clip.mp4") {
    project::Labels labels;
    project::Skeleton skeleton;
    for (std::size_t k = 0; k < nodes; ++k)
        skeleton.nodes.push_back("n" + std::to_string(k));
    labels.editSkeletons().push_back(skeleton);
    project::Video file;
    file.filename = video;
    labels.editVideos().push_back(file);
    for (std::size_t f = 0; f < frames.size(); ++f) {
        project::FrameData frame;
        frame.frameIndex = static_cast<std::int64_t>(f);
        for (const Pose& pose : frames[f]) {
            project::InstanceData instance;
            instance.header.kind = pose.user ? project::InstanceKind::User : project::InstanceKind::Predicted;
            instance.header.score = pose.score;
            if (!pose.track.empty()) {
                auto& tracks = labels.editTracks();
                std::size_t place = 0;
                while (place < tracks.size() && tracks[place].name != pose.track)
                    ++place;
                if (place == tracks.size())
                    tracks.push_back({pose.track, 0, -1});
                instance.header.track = static_cast<std::int32_t>(place);
            }
            for (const auto& [x, y] : pose.points) {
                project::Point point;
                point.x = x;
                point.y = y;
                point.visible = !std::isnan(x);
                instance.points.push_back(point);
            }
            frame.instances.push_back(instance);
        }
        labels.appendFrame(std::move(frame));
    }
    return labels;
}

}  // namespace skein::test
