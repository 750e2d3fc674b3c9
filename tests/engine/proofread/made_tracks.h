// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "engine/project/edit/track_repair.h"
#include "engine/proofread/issues.h"

// Animals on smooth ways, and mistakes put into them.
namespace skein::test {

namespace edit = project::edit;

/// A skeleton with a left and a right: snout, left ear, right ear, tail.
inline project::Skeleton sidedSkeleton() {
    project::Skeleton skeleton;
    skeleton.name = "animal";
    skeleton.nodes = {"snout", "left ear", "right ear", "tail"};
    skeleton.edges = {{0, 1}, {0, 2}, {0, 3}};
    skeleton.symmetries = {{1, 2}};
    return skeleton;
}

struct MadeTracks {
    int animals = 4;
    std::int64_t frames = 1000;
    std::uint32_t seed = 1;
    double body = 40;
    double arena = 200;  ///< radius of the place whose middle all ways cross
    double noise = 0.5;
    double speed = 0.03;  ///< turn of the way's phase a frame
};

/// Ways that lead through the middle again and again, so that animals cross all the time; one prediction each on every
/// frame, animal a being track a.
inline project::Labels makeTracks(const MadeTracks& spec) {
    project::Labels labels;
    project::Video video;
    video.filename = "made.mp4";
    video.frameCount = spec.frames;
    video.width = video.height = static_cast<int>(3 * spec.arena);
    labels.editVideos().push_back(video);
    labels.editSkeletons().push_back(sidedSkeleton());
    for (int a = 0; a < spec.animals; ++a)
        labels.editTracks().push_back({"animal " + std::to_string(a + 1), 0, -1});
    std::mt19937 random(spec.seed);
    std::uniform_real_distribution<double> unit(0, 1);
    std::vector<double> phase, turn, pace;
    for (int a = 0; a < spec.animals; ++a) {
        phase.push_back(2 * M_PI * unit(random));
        turn.push_back(M_PI * (a + 0.3 * unit(random)) / spec.animals);
        pace.push_back(spec.speed * (0.8 + 0.4 * unit(random)));
    }
    project::LabelsBuilder builder(std::move(labels));
    for (std::int64_t f = 0; f < spec.frames; ++f) {
        builder.beginFrame(0, f);
        for (int a = 0; a < spec.animals; ++a) {
            const auto k = static_cast<std::size_t>(a);
            const auto at = [&](double time) {
                const double s = phase[k] + pace[k] * time;
                const double along = std::sin(s), across = 0.35 * std::sin(1.7 * s + a);
                return std::pair(
                    1.5 * spec.arena + spec.arena * (along * std::cos(turn[k]) - across * std::sin(turn[k])),
                    1.5 * spec.arena + spec.arena * (along * std::sin(turn[k]) + across * std::cos(turn[k])));
            };
            const auto [x, y] = at(static_cast<double>(f));
            const auto [nextX, nextY] = at(static_cast<double>(f) + 0.5);
            const double heading = std::atan2(nextY - y, nextX - x);
            const double c = std::cos(heading) * spec.body / 2, s = std::sin(heading) * spec.body / 2;
            project::InstanceHeader header;
            header.kind = project::InstanceKind::Predicted;
            header.track = a;
            header.score = 0.9F;
            const auto points = builder.addInstance(header, 4);
            const double along[] = {1, 0.6, 0.6, -1}, beside[] = {0, 0.4, -0.4, 0};
            for (std::size_t n = 0; n < 4; ++n)
                points[n] = {x + along[n] * c - beside[n] * s + spec.noise * (2 * unit(random) - 1),
                             y + along[n] * s + beside[n] * c + spec.noise * (2 * unit(random) - 1),
                             0.7 + 0.3 * unit(random), true, false};
        }
    }
    return builder.finish();
}

inline std::vector<proofread::Issue> ofKind(const std::vector<proofread::Issue>& issues, proofread::IssueKind kind) {
    std::vector<proofread::Issue> found;
    for (const proofread::Issue& issue : issues)
        if (issue.kind == kind)
            found.push_back(issue);
    return found;
}

}  // namespace skein::test
