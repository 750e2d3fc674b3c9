// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <optional>
#include <vector>

#include "engine/base/assignment.h"
#include "engine/tracking/detail/delayed_tracker.h"
#include "engine/tracking/detail/mot/video_facts.h"
#include "engine/tracking/detail/skein/pose_track.h"

namespace skein::tracking {

/// How far predictions usually are off, as a multiple of what was expected: the median of the last matches.
class LearntSpread {
public:
    /// `median`: of the values if expectations are right.
    explicit LearntSpread(double median) : m_median(median) {}
    void add(double value);
    [[nodiscard]] double factor() const { return m_factor; }

private:
    double m_median;
    double m_factor = 4;  // before anything is known: generous
    std::vector<double> m_values, m_work;
    std::size_t m_next = 0, m_added = 0;
};

/// Skein's own tracker: poses are laid upon tracks that move at constant velocity.
///
/// A pair costs what its distance and its change of shape are worth as a likelihood with heavy tails, with spreads
/// learnt from the video; where that is too much, no match is made, however few others there are. Sure detections go
/// first, doubtful ones get what is left. Then come poses with nodes of another animal, as detectors make them where
/// two overlap: they are matched by the nodes that are the track's, and only these are followed. At last an animal that
/// did the unforeseen is found again if nobody else can be meant. A track that is not seen for a few steps ends here:
/// who comes back later is decided by linking the tracks, which sees the whole video. Cost of a frame: animals there
/// and just gone, whatever was before.
class SkeinTracker final : public DelayedTracker {
public:
    explicit SkeinTracker(const TrackerOptions& options, std::optional<VideoFacts> facts = {});

    std::vector<Assignment> update(std::int64_t frameIndex, std::span<const Detection> detections,
                                   const Image* image) override;
    [[nodiscard]] std::span<const int> lastKeys() const override { return m_keys; }
    [[nodiscard]] std::span<const PointD> lastMiddles() const override { return m_middles; }
    [[nodiscard]] int identityOf(int key) const override { return m_identities[static_cast<std::size_t>(key)]; }

    /// Scales of a video, for linking what this tracker tracked.
    [[nodiscard]] const PoseScales& scales() const { return m_scales; }

private:
    void advance(std::int64_t frameIndex);
    void lay();
    [[nodiscard]] double costOf(const PoseFit& fit) const;
    /// PoseTrack::withoutStrangers() into m_kept.
    int leaveStrangers(std::size_t track, std::size_t detection);
    enum class Stage { Sure, Doubtful, Mixed };
    void matchStage(Stage stage);
    void findStrays();
    void take(std::size_t track, std::size_t detection, const PoseFit& fit, bool foreseen);
    [[nodiscard]] bool isDouble(std::size_t detection) const;
    [[nodiscard]] bool isPart(std::size_t detection) const;
    void spawnRest();
    [[nodiscard]] const PoseFit& fitOf(std::size_t track, std::size_t detection) const {
        return m_fits[track * m_detections.size() + detection];
    }

    TrackerOptions m_options;
    std::optional<VideoFacts> m_known;
    RunningFacts m_learned;
    PoseScales m_scales;
    int m_hitsToConfirm;
    LearntSpread m_offSpread, m_shapeSpread;

    std::vector<PoseTrack> m_tracks;
    std::vector<int> m_identities;  // by key
    int m_nextIdentity = 0;
    std::int64_t m_step = -1;
    std::optional<std::int64_t> m_lastFrame;

    // Of one frame.
    std::vector<BoxDetection> m_detections;
    std::vector<std::size_t> m_places;  // in what was given to update()
    std::vector<PointD> m_kept;         // a pose without strangers
    // [tracks, detections]: the whole pose, and the pose without strangers where that costs less.
    std::vector<PoseFit> m_fits, m_mixedFits;
    std::vector<double> m_costs, m_mixedCosts;
    std::vector<double> m_stage;
    std::vector<std::size_t> m_rows, m_columns;
    std::vector<int> m_trackOf, m_detectionOf;  // -1: nobody
    std::vector<double> m_scores;
    std::vector<int> m_keys;
    std::vector<PointD> m_middles;
    Assigner m_assigner;
};

}  // namespace skein::tracking
