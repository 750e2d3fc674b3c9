// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/frame_data.h"

namespace skein::pipeline {

project::FrameData toFrameData(const inference::FrameDetections& found, std::uint32_t video, std::int64_t frameIndex) {
    project::FrameData frame;
    frame.video = video;
    frame.frameIndex = frameIndex;
    frame.instances.resize(static_cast<std::size_t>(found.count()));
    const auto nodes = static_cast<std::size_t>(found.nodes);
    for (std::size_t i = 0; i < frame.instances.size(); ++i) {
        project::InstanceData& instance = frame.instances[i];
        instance.header.score = found.instanceScores[i];
        if (!found.trackingScores.empty())
            instance.header.trackingScore = found.trackingScores[i];
        if (!found.classes.empty())
            instance.header.track = found.classes[i];
        instance.points.resize(nodes);
        for (std::size_t n = 0; n < nodes; ++n) {
            const std::size_t at = i * nodes + n;
            project::Point& point = instance.points[n];
            point.x = static_cast<double>(found.points[2 * at]);
            point.y = static_cast<double>(found.points[2 * at + 1]);
            point.score = static_cast<double>(found.pointScores[at]);
            point.visible = point.x == point.x && point.y == point.y;
        }
    }
    return frame;
}

}  // namespace skein::pipeline
