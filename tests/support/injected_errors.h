// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "engine/project/edit/track_repair.h"

namespace skein::test {

/// Mistakes as trackers and networks make them.
struct InjectedErrors {
    int swaps = 4;       ///< two tracks change over from a frame on
    int breaks = 4;      ///< a track goes on as a new one
    int duplicates = 4;  ///< a second instance lies on one for up to 6 frames, under a track of its own
    int flips = 4;       ///< symmetric nodes change over for up to 8 frames; none where the skeleton has no symmetries
    std::uint32_t seed = 1;
};

/// `truth` with the mistakes in its first video, at frames spread over it. The same seed gives the same.
inline project::Labels withErrors(const project::Labels& truth, const InjectedErrors& errors) {
    namespace edit = project::edit;
    project::Labels labels = truth;
    std::mt19937 random(errors.seed);
    const std::vector<std::size_t> rows = truth.rowsOf(0);
    if (rows.size() < 20)
        return labels;
    const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    /// Frame in the k-th of `count` equal parts of the video, not at its ends.
    const auto frameOf = [&](int k, int count) {
        const std::size_t part = (rows.size() - 10) / static_cast<std::size_t>(count);
        return truth.frame(rows[5 + static_cast<std::size_t>(k) * part + below(std::max<std::size_t>(1, part))])
            .frameIndex();
    };
    const auto tracked = [&](std::int64_t frame) {
        std::vector<project::InstanceData> instances;
        for (project::InstanceData& instance : edit::frameAt(labels, 0, frame).instances)
            if (instance.header.track >= 0)
                instances.push_back(std::move(instance));
        return instances;
    };
    for (int k = 0; k < errors.flips; ++k) {
        const std::int64_t frame = frameOf(k, errors.flips);
        const auto here = tracked(frame);
        if (!here.empty())
            labels = edit::flipSides(labels, 0, here[below(here.size())].header.track,
                                     {frame, frame + static_cast<std::int64_t>(below(8))})
                         .labels;
    }
    for (int k = 0; k < errors.swaps; ++k) {
        const std::int64_t frame = frameOf(k, errors.swaps);
        const auto here = tracked(frame);
        if (here.size() < 2)
            continue;
        const std::size_t a = below(here.size()), b = (a + 1 + below(here.size() - 1)) % here.size();
        labels =
            edit::transposeTracks(labels, 0, {frame, edit::kToEnd}, here[a].header.track, here[b].header.track).labels;
    }
    for (int k = 0; k < errors.breaks; ++k) {
        const std::int64_t frame = frameOf(k, errors.breaks);
        const auto here = tracked(frame);
        if (!here.empty())
            labels = edit::splitTrack(labels, {0, frame, here[below(here.size())].header.id}).labels;
    }
    std::uniform_real_distribution<double> jitter(-1, 1);
    for (int k = 0; k < errors.duplicates; ++k) {
        const std::int64_t first = frameOf(k, errors.duplicates);
        const auto here = tracked(first);
        if (here.empty())
            continue;
        const std::int32_t victim = here[below(here.size())].header.track;
        labels.editTracks().push_back({"double " + std::to_string(k + 1), first, -1});
        const auto length = static_cast<std::int64_t>(1 + below(6));
        for (std::int64_t frame = first; frame < first + length; ++frame) {
            project::FrameData data = edit::frameAt(labels, 0, frame);
            for (std::size_t i = 0, count = data.instances.size(); i < count; ++i) {
                if (data.instances[i].header.track != victim)
                    continue;
                project::InstanceData twin = data.instances[i];
                twin.header.id = 0;
                twin.header.fromPredicted = 0;
                twin.header.kind = project::InstanceKind::Predicted;
                twin.header.track = static_cast<std::int32_t>(labels.tracks().size()) - 1;
                twin.header.score *= 0.9F;
                for (project::Point& p : twin.points) {
                    p.x += jitter(random);
                    p.y += jitter(random);
                }
                data.instances.push_back(std::move(twin));
            }
            if (!data.instances.empty())
                labels = edit::withFrame(labels, std::move(data));
        }
    }
    return labels;
}

/// How much of `truth`'s instances `labels` still holds unaltered: those of the same id, points and track name.
inline std::size_t alteredInstances(const project::Labels& truth, const project::Labels& labels) {
    std::size_t altered = 0;
    for (std::size_t row = 0; row < truth.frameCount(); ++row) {
        const project::FrameView frame = truth.frame(row);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const project::InstanceView before = frame.instance(i);
            const project::InstanceView after =
                project::edit::find(labels, {frame.video(), frame.frameIndex(), before.header->id});
            const auto name = [](const project::Labels& of, std::int32_t track) {
                return track < 0 ? std::string() : of.tracks()[static_cast<std::size_t>(track)].name;
            };
            bool same =
                after.header != nullptr && name(truth, before.header->track) == name(labels, after.header->track);
            for (std::size_t n = 0; same && n < before.points.size(); ++n)
                same = before.points[n].exists() == after.points[n].exists() &&
                       (!before.points[n].exists() ||
                        (before.points[n].x == after.points[n].x && before.points[n].y == after.points[n].y));
            altered += same ? 0 : 1;
        }
    }
    return altered;
}

}  // namespace skein::test
