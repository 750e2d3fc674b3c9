// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/assignment.h"
#include "engine/tracking/detail/mot/box_filter.h"
#include "engine/tracking/detail/mot/video_facts.h"

namespace skein::tracking {

enum class TrackState : std::uint8_t {
    Tentative,  ///< not sure yet that it is an animal
    Confirmed,  ///< matched in the last step
    Lost        ///< confirmed once, not matched in the last step
};

/// Where an animal was seen.
struct Observation {
    std::int64_t step = 0;
    Box box;
};

/// One animal that a box tracker follows.
struct MotTrack {
    int key = 0;        ///< tells it from all others of the video, tentative ones included
    int publicId = -1;  ///< 0, 1, 2, ... in order of confirmation
    TrackState state = TrackState::Tentative;
    BoxState filter{};
    Box predicted;                                     ///< box of `filter`
    int hits = 0;                                      ///< matches since birth
    int streak = 0;                                    ///< matches in a row
    std::int64_t step = 0;                             ///< of the last match
    std::int64_t missed = 0;                           ///< steps since then
    std::int64_t firstFrame = 0, lastFrame = 0;        ///< frame numbers of birth and last match
    Box lastRaw, lastPadded;                           ///< of the last match
    std::vector<PointD> lastPoints;                    ///< of the last match
    double centreX = 0, centreY = 0;                   ///< of the filter, just after the last match
    std::vector<Observation> observed;                 ///< last matches, oldest first; birth is none
    std::optional<std::pair<double, double>> heading;  ///< unit vector of movement
    /// What was believed at the first step without a match, and that step.
    std::optional<std::pair<BoxState, std::int64_t>> lostAs;
};

/// From where the track was seen `deltaT` steps ago (or, when it is younger, last) to the middle of `box`; the track
/// has been observed.
[[nodiscard]] std::pair<double, double> movement(const MotTrack& track, const Box& box, std::int64_t step,
                                                 std::int64_t deltaT);

/// Detections of one frame and the tracks predicted to it.
struct MotFrame {
    std::span<MotTrack> tracks;
    std::span<const BoxDetection> detections;
    std::int64_t step = 0, frameIndex = 0;
    double bodySize = 0;
};

struct MotMatch {
    std::size_t track = 0;      ///< position in MotFrame::tracks
    std::size_t detection = 0;  ///< position in MotFrame::detections
    double similarity = 0;      ///< how alike in place and shape, whatever else decided
};

/// What became of a frame.
struct MotDecision {
    std::vector<MotMatch> matches;
    std::vector<bool> maySpawn;  ///< per detection: may begin a track if it has no match
    std::vector<bool> ended;     ///< per track: is given up now
};

/// How long tracks live; differs between the published algorithms.
struct MotLife {
    bool tentativeDies = false;  ///< a tentative track ends at its first miss
    int hitsAtBirth = 0;         ///< whether the first detection counts
    bool confirmsInRow = true;   ///< minHits matches must be in a row
    bool lostSizeHolds = false;  ///< the size of a track without a match stays as it is
    bool replaysGap = false;     ///< a found track's filter is led along the straight line between the observations
};

/// The part that differs from tracker to tracker: who continues whom in one frame.
class MotAlgorithm {
public:
    virtual ~MotAlgorithm() = default;
    MotAlgorithm(const MotAlgorithm&) = delete;
    MotAlgorithm& operator=(const MotAlgorithm&) = delete;
    [[nodiscard]] virtual MotLife life() const = 0;
    /// `decision` comes with no matches, maySpawn true and ended false throughout.
    virtual void associate(const MotFrame& frame, MotDecision& decision) = 0;

protected:
    MotAlgorithm() = default;
};

[[nodiscard]] std::unique_ptr<MotAlgorithm> makeSort(const MotParameters& parameters);
[[nodiscard]] std::unique_ptr<MotAlgorithm> makeByteTrack(const MotParameters& parameters);
[[nodiscard]] std::unique_ptr<MotAlgorithm> makeOcSort(const MotParameters& parameters);

/// Compares places and shapes, 0 to 1; an invalid detection is like nothing.
class MotSimilarities {
public:
    explicit MotSimilarities(const MotParameters& parameters) : m_parameters(parameters) {}

    [[nodiscard]] MotSimilarity kindFor(const BoxDetection& detection) const;
    /// With where the track is expected.
    [[nodiscard]] double expected(const MotTrack& track, const BoxDetection& detection, double bodySize) const;
    /// With where it was seen last; 0 for a track that was never matched.
    [[nodiscard]] double lastSeen(const MotTrack& track, const BoxDetection& detection, double bodySize) const;
    /// Overlap of the parts that both show: boxes of the nodes visible in the track's last pose, moved as its box, and
    /// in the detection. nullopt with fewer than two such nodes or without extent.
    [[nodiscard]] std::optional<double> commonPart(const MotTrack& track, const BoxDetection& detection,
                                                   double bodySize) const;

private:
    [[nodiscard]] double poses(const MotTrack& track, const BoxDetection& detection, double dx, double dy,
                               double area) const;
    [[nodiscard]] double compare(const MotTrack& track, const Box& box, const BoxDetection& detection, double bodySize,
                                 double dx, double dy, double area) const;

    MotParameters m_parameters;
};

/// A table of rows and columns of which some pairs are admissible.
struct PairScores {
    std::size_t rows = 0, columns = 0;
    std::vector<double> score;
    std::vector<bool> admissible;
    void resize(std::size_t r, std::size_t c) {
        rows = r;
        columns = c;
        score.assign(r * c, 0.0);
        admissible.assign(r * c, false);
    }
    [[nodiscard]] std::size_t at(std::size_t row, std::size_t column) const { return row * columns + column; }
};

/// The admissible pairs, when no row and no column has two of them; nullopt otherwise.
[[nodiscard]] std::optional<std::vector<AssignedPair>> undisputed(const PairScores& pairs);

/// Assignment of largest total score over all pairs, from which the inadmissible ones are then taken out: their score
/// is what leaving the row and the column alone is worth.
[[nodiscard]] std::vector<AssignedPair> bestThenAdmissible(const PairScores& pairs, Assigner& assigner);

/// Assignment of largest total score in which a pair that is not admissible counts as little more than nothing:
/// `score - worth` is gained by a pair, so one below `worth` is never taken.
[[nodiscard]] std::vector<AssignedPair> bestAbove(const PairScores& pairs, double worth, Assigner& assigner);

}  // namespace skein::tracking
