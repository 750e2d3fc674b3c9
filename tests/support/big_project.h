// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>

#include "engine/formats/slp.h"
#include "engine/project/labels.h"

namespace skein::test {

/// Size of a made-up project.
struct BigProject {
    std::int64_t frames = 20'000;
    int animals = 50;
    int nodes = 20;
    int width = 1024;
    int height = 1024;
    std::string video = "arena.mp4";  ///< file name as stored
    /// Each animal has this many tracks in turn, so that tracks begin and end.
    int tracksEach = 10;
    std::uint32_t seed = 1;
};

/// Animals that walk in circles, one prediction each on every frame, all of them tracked. The same spec gives the same
/// numbers on every machine.
inline project::Labels makeBigProject(const BigProject& spec) {
    project::Labels labels;
    project::Video video;
    video.filename = spec.video;
    video.frameCount = spec.frames;
    video.width = spec.width;
    video.height = spec.height;
    video.channels = 1;
    video.fps = 25;
    labels.editVideos().push_back(video);
    project::Skeleton skeleton;
    skeleton.name = "animal";
    for (int node = 0; node < spec.nodes; ++node) {
        skeleton.nodes.push_back("node " + std::to_string(node + 1));
        if (node > 0)
            skeleton.edges.push_back({(node - 1) / 2, node});
    }
    labels.editSkeletons().push_back(skeleton);
    for (int track = 0; track < spec.animals * spec.tracksEach; ++track)
        labels.editTracks().push_back({"track_" + std::to_string(track), 0, -1});

    std::mt19937 random(spec.seed);
    std::uniform_real_distribution<double> unit(0, 1);
    std::vector<double> phase(static_cast<std::size_t>(spec.animals));
    for (double& angle : phase)
        angle = 2 * M_PI * unit(random);
    project::LabelsBuilder builder(std::move(labels));
    for (std::int64_t frame = 0; frame < spec.frames; ++frame) {
        builder.beginFrame(0, frame);
        for (int animal = 0; animal < spec.animals; ++animal) {
            project::InstanceHeader header;
            header.kind = project::InstanceKind::Predicted;
            header.track = static_cast<std::int32_t>(animal * spec.tracksEach + frame * spec.tracksEach / spec.frames);
            header.score = static_cast<float>(spec.nodes * (0.5 + 0.5 * unit(random)));
            header.trackingScore = 0.9F;
            const auto points = builder.addInstance(header, static_cast<std::size_t>(spec.nodes));
            const double turn = phase[static_cast<std::size_t>(animal)] + 0.01 * static_cast<double>(frame);
            const double ring = 0.1 + 0.35 * (animal + 1) / spec.animals;
            const double x = spec.width * (0.5 + ring * std::cos(turn)),
                         y = spec.height * (0.5 + ring * std::sin(turn));
            for (int node = 0; node < spec.nodes; ++node) {
                const double along = 2.5 * node;
                points[static_cast<std::size_t>(node)] = {x - along * std::sin(turn) + unit(random),
                                                          y + along * std::cos(turn) + unit(random), unit(random), true,
                                                          false};
            }
        }
    }
    return builder.finish();
}

/// The project as a file, made on first use and kept for later runs: a million instances take a while.
inline std::filesystem::path bigProjectFile(const std::filesystem::path& folder, const BigProject& spec) {
    namespace fs = std::filesystem;
    fs::create_directories(folder);
    const fs::path path = folder / ("big_" + std::to_string(spec.frames) + "x" + std::to_string(spec.animals) + "x" +
                                    std::to_string(spec.nodes) + ".slp");
    if (!fs::exists(path)) {
        const auto written = formats::writeSlp(makeBigProject(spec), path);
        if (!written)
            throw std::runtime_error(written.error().message());
    }
    return path;
}

}  // namespace skein::test
