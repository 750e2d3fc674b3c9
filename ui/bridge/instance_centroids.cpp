// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/instance_centroids.h"

namespace skein::ui {
namespace {

std::vector<inference::CentroidPoint> centroidsOn(const project::Labels& labels, const project::FrameView& frame,
                                                  project::InstanceKind kind,
                                                  const inference::CentroidDefinition& definition) {
    std::vector<inference::CentroidPoint> centroids;
    for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
        const project::InstanceView instance = frame.instance(i);
        if (instance.header->kind != kind)
            continue;
        const project::Skeleton& skeleton = labels.skeletons()[instance.header->skeleton];
        if (const auto centroid = inference::centroidOf(instance.points, definition.on(skeleton)))
            centroids.push_back(*centroid);
    }
    return centroids;
}

}  // namespace

void lookUpCentroids(const project::Labels& labels, const inference::CentroidDefinition& definition,
                     pipeline::JobSource& source) {
    source.centroids.assign(source.frames.size(), {});
    for (std::size_t i = 0; i < source.frames.size(); ++i) {
        const auto row = labels.findFrame(source.video, source.frames[i]);
        if (!row)
            continue;
        const project::FrameView frame = labels.frame(*row);
        const auto kind = frame.hasUserInstance() ? project::InstanceKind::User : project::InstanceKind::Predicted;
        source.centroids[i] = centroidsOn(labels, frame, kind, definition);
    }
}

}  // namespace skein::ui
