// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "engine/tracking/detail/delayed_tracker.h"
#include "engine/tracking/detail/mot/association.h"

namespace skein::tracking {

/// A box tracker: predicts all boxes, lets its algorithm match them, and keeps the tracks' lives.
///
/// With the facts of the whole video known beforehand, and identityOf() asked after the last frame, it gives what the
/// published trackers give offline: a track that is confirmed later has its first detections too. Without them it
/// learns the facts as it goes, and a track has an identity from its confirmation on.
class MotTracker final : public DelayedTracker {
public:
    explicit MotTracker(const TrackerOptions& options, std::optional<VideoFacts> facts = {});

    std::vector<Assignment> update(std::int64_t frameIndex, std::span<const Detection> detections,
                                   const Image* image) override;

    [[nodiscard]] std::span<const int> lastKeys() const override { return m_keys; }
    [[nodiscard]] int identityOf(int key) const override { return m_identities[static_cast<std::size_t>(key)]; }

private:
    void advance(std::int64_t frameIndex);
    void match(const MotMatch& match, const BoxDetection& detection, std::int64_t frameIndex);
    void miss(MotTrack& track);
    int spawn(const BoxDetection& detection, std::int64_t frameIndex);
    void confirm(MotTrack& track);

    TrackerOptions m_options;
    MotParameters m_parameters;
    std::unique_ptr<MotAlgorithm> m_algorithm;
    MotLife m_life;
    BoxFilter m_filter;
    std::optional<VideoFacts> m_known;
    RunningFacts m_learned;

    std::vector<MotTrack> m_tracks;
    std::vector<int> m_identities;  // by key
    int m_nextIdentity = 0;
    std::int64_t m_step = -1;
    std::optional<std::int64_t> m_lastFrame;
    std::vector<BoxDetection> m_detections;
    std::vector<int> m_keys;
    MotDecision m_decision;
};

}  // namespace skein::tracking
