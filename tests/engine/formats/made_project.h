// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "engine/project/labels.h"

namespace skein::test {

inline project::Skeleton skeletonOf(std::string name, std::vector<std::string> nodes) {
    project::Skeleton skeleton;
    skeleton.name = std::move(name);
    skeleton.nodes = std::move(nodes);
    for (int i = 0; i + 1 < static_cast<int>(skeleton.nodes.size()); ++i)
        skeleton.edges.push_back({i, i + 1});
    return skeleton;
}

inline project::InstanceData instanceOf(project::InstanceKind kind, std::uint32_t skeleton, std::size_t nodes, double x,
                                        std::int32_t track = -1) {
    project::InstanceData instance;
    instance.header.kind = kind;
    instance.header.skeleton = skeleton;
    instance.header.track = track;
    if (kind == project::InstanceKind::Predicted) {
        instance.header.score = 0.25F;
        instance.header.trackingScore = 0.5F;
    }
    instance.points.resize(nodes);
    for (std::size_t i = 0; i < nodes; ++i) {
        const auto step = static_cast<double>(i);
        instance.points[i] = {x + step + 1.0 / 3, x - step,
                              kind == project::InstanceKind::Predicted ? 0.75 : project::kNaN, true,
                              kind == project::InstanceKind::User};
    }
    return instance;
}

/// A project with everything that the model knows: names in several scripts, two skeletons, three kinds of video,
/// tracks of equal and of no name, suggestions, background frames, links, absent and hidden points.
inline project::Labels madeProject() {
    using project::InstanceKind;
    project::Labels labels;
    project::Skeleton fly = skeletonOf("Mäuse 😀", {"Nase", "尻尾", "left \"eye\"\\x", "droite"});
    fly.symmetries.push_back({2, 3});
    project::Skeleton dot = skeletonOf("", {"Nase"});
    labels.editSkeletons() = {fly, dot};
    project::Video movie;
    movie.filename = "données/été 2024/vidéo №1.mp4";
    movie.frameCount = 100;
    movie.height = 48;
    movie.width = 64;
    movie.channels = 1;
    movie.fps = 25;
    movie.grayscale = true;
    project::Video images;
    images.imageFiles = {"img/a 1.png", "img/a 2.png"};
    images.filename = images.imageFiles.front();
    images.frameCount = 2;
    images.height = images.width = 32;
    images.channels = 3;
    project::Video unseen;
    unseen.filename = "C:/Users/Lab/x.avi";
    labels.editVideos() = {movie, images, unseen};
    labels.editTracks() = {{"♀", 0, -1}, {"", 7, -1}, {"♀", 0, -1}};
    project::Suggestion suggestion;
    suggestion.video = 1;
    suggestion.frameIndex = 1;
    suggestion.group = 3;
    labels.editSuggestions().push_back(suggestion);
    labels.editNegativeFrames() = {{0, 9}, {1, 0}};
    labels.setProvenanceJson(R"({"model":"größe","options":{"threshold":0.2,"missing":NaN}})");

    auto predicted = instanceOf(InstanceKind::Predicted, 0, 4, 10.5, 1);
    predicted.points[1] = {};
    auto user = instanceOf(InstanceKind::User, 0, 4, 20.25, 0);
    user.points[2].visible = false;
    labels.appendFrame({0, 7, {predicted, user}, -1});
    auto linked = labels.frame(0).toData();
    linked.instances[1].header.fromPredicted = linked.instances[0].header.id;
    labels.replaceFrame(0, linked);
    labels.appendFrame({1, 1, {instanceOf(InstanceKind::User, 1, 1, -3.5, 2)}, -1});
    labels.appendFrame({0, 2, {}, -1});
    labels.appendFrame({0, 7, {instanceOf(InstanceKind::Predicted, 1, 1, 1e6)}, -1});
    return labels;
}

}  // namespace skein::test
