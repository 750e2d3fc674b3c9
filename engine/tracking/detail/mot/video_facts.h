// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "engine/tracking/detail/mot/box.h"
#include "engine/tracking/tracker.h"

namespace skein::tracking {

/// Padded boxes are at least this share of a body wide: a thin pose must not lose its overlap in a few pixels.
inline constexpr double kLeastPaddedSide = 0.25;

/// What a box tracker must know of a video before it can judge distances, scores and gaps.
struct VideoFacts {
    double bodySize = 50;                                       ///< length of an animal in pixels
    double scoreScale = 1;                                      ///< 95th percentile of scores
    std::int64_t stride = 1;                                    ///< usual distance of two processed frames
    bool regular = true;                                        ///< most frames are that far apart
    double stepP95 = std::numeric_limits<double>::quiet_NaN();  ///< 95th percentile of an animal's step in pixels
};

/// A detection as box trackers see it.
struct BoxDetection {
    Box raw;             ///< of the visible nodes
    Box padded;          ///< what is compared; see prepare()
    double score = 0;    ///< 0 to 1
    bool valid = false;  ///< has a visible node
    int visible = 0;
    std::span<const PointD> points;
};

/// Box, visible nodes and score before it is scaled; `padded` is left out.
[[nodiscard]] BoxDetection rawDetection(const Detection& detection, MotScore score);
/// Scales the score and pads the box. A box without extent becomes a square of the body's size.
void prepare(BoxDetection& detection, const VideoFacts& facts, const MotParameters& parameters);

/// Gathers the facts of a whole video, frame by frame in ascending order; linear in frames.
class VideoMeasure {
public:
    void add(std::int64_t frameIndex, std::span<const BoxDetection> detections);
    [[nodiscard]] VideoFacts facts() const;

private:
    struct Place {
        double x = 0, y = 0;
    };
    [[nodiscard]] std::vector<double> steps(double farthest) const;

    std::vector<Place> m_places;  // of valid detections, frame after frame
    std::vector<std::size_t> m_ends;
    std::vector<std::int64_t> m_frames;
    std::vector<double> m_diagonals, m_scores, m_spacings;
    std::map<std::int64_t, std::int64_t> m_deltas;
};

/// The same from the frames so far, for tracking while a video is still being read. Costs a constant amount a frame.
class RunningFacts {
public:
    void add(std::int64_t frameIndex, std::span<const BoxDetection> detections);
    [[nodiscard]] const VideoFacts& facts() const { return m_facts; }

private:
    std::deque<double> m_diagonals, m_scores, m_spacings;
    std::map<std::int64_t, std::int64_t> m_deltas;
    std::int64_t m_lastFrame = -1, m_added = 0;
    VideoFacts m_facts;
};

/// Usual distance of frames from how often each was seen, and whether it makes up half of them.
void judgeStride(const std::map<std::int64_t, std::int64_t>& deltas, VideoFacts& facts);

/// Linear-interpolated quantile, 0 to 1; reorders `values`; NaN when empty.
[[nodiscard]] double quantileOf(std::vector<double>& values, double quantile);

}  // namespace skein::tracking
