// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/project/labels.h"
#include "engine/tracking/detail/mot/mot_tracker.h"
#include "engine/tracking/track_labels.h"
#include "engine/tracking/tracklets.h"

namespace skein::tracking {

/// Tracks one video in three passes over its frames: measure() all, begin(), track() or keep() all, conclude(), then
/// apply() to all. Between passes a few numbers an instance are remembered.
class WholeVideo {
public:
    /// `online` names tracks and writes frames; it must outlive this.
    WholeVideo(OnlineTracking& online, const TrackerOptions& options) : m_online(online), m_options(options) {}

    void measure(const project::FrameData& frame);
    void begin(std::uint32_t video);
    void track(const project::FrameData& frame, const Image* image);
    /// Takes the tracks that the frame has.
    void keep(const project::FrameData& frame);
    void conclude();
    /// `i`: which of the frames, in the order of track().
    void apply(std::size_t i, project::FrameData& frame);

private:
    using Decision = OnlineTracking::Decision;
    void remember(const project::FrameData& frame);
    [[nodiscard]] PlacedInstance placeOf(const project::InstanceData& instance) const;
    void chooseAxis();
    [[nodiscard]] std::vector<std::int64_t> stepsOf() const;

    OnlineTracking& m_online;
    const TrackerOptions& m_options;
    VideoMeasure m_measure;
    VideoFacts m_facts;
    // The two nodes between which a body's length is taken, and what decides which.
    std::size_t m_from = 0, m_to = 0, m_nodes = 0;
    std::vector<double> m_lengths;
    std::vector<std::int64_t> m_together;
    std::int64_t m_sampled = 0;

    std::unordered_map<int, int> m_kept;  // number in this video of each track that is kept
    std::vector<std::int64_t> m_frames;
    std::vector<Decision> m_decisions;  // of all frames
    std::vector<PlacedInstance> m_places;
    std::vector<std::size_t> m_ends;
};

}  // namespace skein::tracking
