// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/project/edit/instances.h"
#include "engine/project/edit/placement.h"
#include "engine/project/edit/removal.h"
#include "engine/project/edit/tracks.h"
#include "tests/support/made_frame.h"

// Projects to edit, and a number that is the same exactly when two projects are.
namespace skein::test {

namespace edit = project::edit;

/// `frames` frames of one video with `users` user instances and `predictions` predictions of `nodes` nodes; track t is
/// the t-th of each kind.
inline project::Labels project(int frames, int users, int predictions, int nodes, int firstFrame = 0) {
    project::Labels labels;
    project::Video video;
    video.filename = "made.mp4";
    video.width = 640;
    video.height = 480;
    video.frameCount = firstFrame + frames;
    labels.editVideos().push_back(video);
    labels.editSkeletons().push_back(chainSkeleton(nodes));
    for (int t = 0; t < std::max(users, predictions); ++t)
        labels.editTracks().push_back({"track_" + std::to_string(t), 0, -1});
    project::LabelsBuilder builder(std::move(labels));
    for (int f = 0; f < frames; ++f) {
        builder.beginFrame(0, firstFrame + f);
        for (int i = 0; i < users + predictions; ++i) {
            project::InstanceHeader header;
            header.kind = i < users ? project::InstanceKind::User : project::InstanceKind::Predicted;
            header.track = i < users ? i : i - users;
            header.score = i < users ? 0.0F : 0.5F + 0.01F * static_cast<float>(i % 40);
            const auto points = builder.addInstance(header, static_cast<std::size_t>(nodes));
            for (int n = 0; n < nodes; ++n)
                points[static_cast<std::size_t>(n)] = {20.0 + (i * 37 + n * 9 + f) % 560, 30.0 + (i * 53 + n * 5) % 400,
                                                       0.9, true, false};
        }
    }
    return builder.finish();
}

class Fingerprint {
public:
    template <class T>
    void add(const T& value) {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        unsigned char bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        for (const unsigned char byte : bytes)
            m_hash = (m_hash ^ byte) * 1099511628211ULL;
    }
    void add(const std::string& text) {
        for (const char c : text)
            add(c);
        add(text.size());
    }
    [[nodiscard]] std::uint64_t value() const { return m_hash; }

private:
    std::uint64_t m_hash = 1469598103934665603ULL;
};

/// Of every byte that an edit can change.
inline std::uint64_t fingerprint(const project::Labels& labels) {
    Fingerprint f;
    for (const project::Track& track : labels.tracks())
        f.add(track.name);
    for (const auto& [video, frame] : labels.negativeFrames()) {
        f.add(video);
        f.add(frame);
    }
    f.add(labels.frameCount());
    f.add(labels.instanceCount());
    f.add(labels.predictedInstanceCount());
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const project::FrameView frame = labels.frame(row);
        f.add(frame.video());
        f.add(frame.frameIndex());
        f.add(frame.instanceCount());
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const project::InstanceView instance = frame.instance(i);
            f.add(instance.header->id);
            f.add(instance.header->kind);
            f.add(instance.header->skeleton);
            f.add(instance.header->track);
            f.add(instance.header->fromPredicted);
            f.add(instance.header->score);
            f.add(instance.header->trackingScore);
            for (const project::Point& p : instance.points) {
                f.add(p.x);
                f.add(p.y);
                f.add(p.score);
                f.add(p.visible);
                f.add(p.complete);
            }
        }
    }
    return f.value();
}

/// No frame has two instances of one kind with one track.
inline bool tracksAreUnique(const project::Labels& labels) {
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const project::FrameView frame = labels.frame(row);
        std::vector<std::pair<project::InstanceKind, std::int32_t>> seen;
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const auto& header = *frame.instance(i).header;
            if (header.track < 0)
                continue;
            const std::pair key(header.kind, header.track);
            if (std::find(seen.begin(), seen.end(), key) != seen.end())
                return false;
            seen.push_back(key);
        }
    }
    return true;
}

/// One edit, chosen and parametrised by the generator; `onlyTracks`: of the kinds that change identities.
inline edit::Outcome randomEdit(const project::Labels& labels, std::mt19937& random, bool onlyTracks = false) {
    const auto below = [&random](std::size_t n) { return n == 0 ? std::size_t{0} : random() % n; };
    const std::int64_t frames = labels.videos()[0].frameCount;
    const auto frame = static_cast<std::int64_t>(below(static_cast<std::size_t>(frames)));
    const project::FrameData here = edit::frameAt(labels, 0, frame);
    const auto anyId = [&]() -> project::InstanceId {
        return here.instances.empty() ? 0 : here.instances[below(here.instances.size())].header.id;
    };
    const auto track = static_cast<std::int32_t>(below(labels.tracks().size() + 1)) - 1;
    const edit::Place place{0, frame, anyId()};
    const edit::FrameSpan span{frame, frame + static_cast<std::int64_t>(below(20))};
    const std::optional<edit::FrameSpan> propagate = below(2) == 0 ? std::optional(span) : std::nullopt;
    const std::size_t node = below(labels.skeletons()[0].nodes.size());
    const auto real = [&random](double least, double most) {
        return least + (most - least) * double(random() % 10001) / 10000.0;
    };
    using project::InstanceKind;
    if (onlyTracks)
        switch (below(8)) {
            case 0:
            case 1:
                return edit::setTrack(labels, place, track, propagate);
            case 2:
                return edit::setNewTrack(labels, place, propagate);
            case 3:
                return edit::transposeTracks(labels, 0, span, track,
                                             static_cast<std::int32_t>(below(labels.tracks().size())));
            case 4:
                return edit::transposeInstances(labels, 0, frame, place.instance, anyId(), propagate);
            case 5:
                return edit::splitTrack(labels, place);
            case 6:
                return edit::acceptPrediction(labels, place, false);
            default: {
                if (labels.tracks().size() < 12)
                    return edit::unchanged(labels);
                const std::int32_t gone[] = {static_cast<std::int32_t>(below(labels.tracks().size()))};
                return edit::deleteTracks(labels, gone, false);
            }
        }
    edit::PlacementView view;
    view.frameWidth = 640;
    view.frameHeight = 480;
    const project::InstanceId pair[] = {anyId(), anyId()};
    switch (below(28)) {
        case 0:
            return edit::addInstance(labels, 0, frame, 0, static_cast<edit::Placement>(below(6)), view);
        case 1:
            return edit::deleteInstances(labels, 0, frame, std::span(pair, 1));
        case 2:
        case 3:
        case 4:
            return edit::moveNode(labels, place, node, real(0, 639), real(0, 479));
        case 5:
            return edit::moveInstance(labels, place, {real(-20, 20), real(-20, 20)});
        case 6:
            return edit::rotateInstance(labels, place, node, real(-90, 90));
        case 7:
            return edit::scaleInstance(labels, place, {100, 100}, real(0.5, 2), real(0.5, 2));
        case 8: {
            const project::InstanceView original = edit::find(labels, place);
            if (original.header == nullptr)
                return edit::unchanged(labels);
            return edit::duplicate(labels, place,
                                   edit::moved({original.points.begin(), original.points.end()}, {5, 5}));
        }
        case 9:
        case 10:
            return edit::toggleVisible(labels, place, node);
        case 11:
            return edit::markComplete(labels, place);
        case 12:
        case 13:
            return edit::acceptPrediction(labels, place, below(2) == 0);
        case 14:
            return edit::acceptFrame(labels, 0, frame);
        case 15:
            return below(50) == 0 ? edit::acceptVideo(labels, 0) : edit::unchanged(labels);
        case 16:
            return edit::mergeInstances(labels, 0, frame, pair);
        case 17:
            return edit::toggleNegative(labels, 0, frame);
        case 18: {
            const auto clip = edit::copyInstance(labels, place);
            return clip ? edit::pasteInstance(labels, 0, static_cast<std::int64_t>(below(40)), 0, *clip)
                        : edit::unchanged(labels);
        }
        case 19:
            return edit::addMissingNodes(labels, place, 640, 480);
        case 20: {
            edit::InstanceFilter filter;
            filter.kind = InstanceKind::Predicted;
            filter.video = 0;
            filter.frames = span;
            return below(6) == 0 ? edit::deleteMatching(labels, filter) : edit::unchanged(labels);
        }
        case 21:
            return edit::deletePredictionsInArea(labels, 0,
                                                 {real(0, 300), real(0, 200), real(300, 340), real(200, 240)});
        case 22:
            return below(20) == 0 ? edit::deletePredictionsBeyond(labels, 0, 2) : edit::unchanged(labels);
        case 23:
            return below(20) == 0 ? edit::deleteInstanceAndTrack(labels, place) : edit::unchanged(labels);
        case 24:
            return edit::renameTrack(labels, track, "name" + std::to_string(random() % 100));
        case 25: {
            project::Point point{real(0, 639), real(0, 479), project::kNaN, below(2) == 0, below(2) == 0};
            return edit::setPoint(labels, place, node, point);
        }
        default:
            return randomEdit(labels, random, true);
    }
}

}  // namespace skein::test
