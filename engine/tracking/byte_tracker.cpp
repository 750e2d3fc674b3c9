// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/detail/mot/association.h"

namespace skein::tracking {

namespace {

/// Zhang et al.: "ByteTrack: Multi-object tracking by associating every detection box" (ECCV 2022). Doubtful detections
/// are no noise: they may keep a track going that finds no sure one, but begin none.
class ByteTrack final : public MotAlgorithm {
public:
    explicit ByteTrack(const MotParameters& parameters) : m_parameters(parameters), m_similarities(parameters) {}

    [[nodiscard]] MotLife life() const override {
        return {.tentativeDies = true,
                .hitsAtBirth = 1,
                .confirmsInRow = false,
                .lostSizeHolds = true,
                .replaysGap = false};
    }

    void associate(const MotFrame& frame, MotDecision& decision) override {
        m_matched.assign(frame.tracks.size(), false);
        std::vector<std::size_t> sure, doubtful;
        for (std::size_t i = 0; i < frame.detections.size(); ++i) {
            const BoxDetection& detection = frame.detections[i];
            const bool high = detection.valid && detection.score > m_parameters.highThreshold;
            decision.maySpawn[i] = high && detection.score >= m_parameters.newTrackThreshold;
            if (high)
                sure.push_back(i);
            else if (detection.valid && detection.score > m_parameters.lowThreshold &&
                     detection.score < m_parameters.highThreshold)
                doubtful.push_back(i);
        }
        const double fused = m_parameters.fuseScore ? 1.0 : 0.0;
        stage(frame, decision, tracksThat(frame, [](const MotTrack& t) { return t.state != TrackState::Tentative; }),
              sure, m_parameters.minMatchSimilarity, fused);
        stage(frame, decision, tracksThat(frame, [](const MotTrack& t) { return t.state == TrackState::Confirmed; }),
              doubtful, m_parameters.lowStageMinSimilarity, 0.0);
        stage(frame, decision, tracksThat(frame, [](const MotTrack& t) { return t.state == TrackState::Tentative; }),
              sure, m_parameters.unconfirmedMinSimilarity, fused);
        endDuplicates(frame, decision, sure);
    }

private:
    template <class Predicate>
    [[nodiscard]] std::vector<std::size_t> tracksThat(const MotFrame& frame, Predicate wanted) const {
        std::vector<std::size_t> list;
        for (std::size_t i = 0; i < frame.tracks.size(); ++i)
            if (!m_matched[i] && wanted(frame.tracks[i]))
                list.push_back(i);
        return list;
    }

    /// A pose that is partly hidden has a small box; the part that shows still fits that part of the track.
    [[nodiscard]] double similarity(const MotTrack& track, const BoxDetection& detection, double bodySize) const {
        const double whole = m_similarities.expected(track, detection, bodySize);
        if (!detection.valid || m_similarities.kindFor(detection) != MotSimilarity::Iou)
            return whole;
        return std::max(whole, m_similarities.commonPart(track, detection, bodySize).value_or(0.0));
    }

    /// Matches `tracks` with `detections` and takes those that found each other out of `detections`. `fused`: how much
    /// the detection's score counts, 0 or 1.
    void stage(const MotFrame& frame, MotDecision& decision, const std::vector<std::size_t>& tracks,
               std::vector<std::size_t>& detections, double least, double fused) {
        m_pairs.resize(tracks.size(), detections.size());
        std::vector<double> plain(m_pairs.score.size());
        for (std::size_t row = 0; row < m_pairs.rows; ++row)
            for (std::size_t column = 0; column < m_pairs.columns; ++column) {
                const std::size_t i = m_pairs.at(row, column);
                const BoxDetection& detection = frame.detections[detections[column]];
                plain[i] = similarity(frame.tracks[tracks[row]], detection, frame.bodySize);
                m_pairs.score[i] = plain[i] * (fused > 0 ? detection.score : 1.0);
                m_pairs.admissible[i] = true;
            }
        std::vector<bool> used(detections.size(), false);
        for (const AssignedPair& pair : bestAbove(m_pairs, least, m_assigner)) {
            const auto row = static_cast<std::size_t>(pair.row);
            const auto column = static_cast<std::size_t>(pair.column);
            decision.matches.push_back({tracks[row], detections[column], plain[m_pairs.at(row, column)]});
            m_matched[tracks[row]] = true;
            used[column] = true;
        }
        std::vector<std::size_t> left;
        for (std::size_t i = 0; i < detections.size(); ++i)
            if (!used[i])
                left.push_back(detections[i]);
        detections = std::move(left);
    }

    /// Where a lost track is expected right on a matched detection, or on one about to begin a track, both are one
    /// animal: the one with the shorter history goes.
    void endDuplicates(const MotFrame& frame, MotDecision& decision, const std::vector<std::size_t>& unmatched) {
        struct Claim {
            std::optional<std::size_t> match;  // position in decision.matches; none: about to begin
            std::size_t detection = 0;
            std::int64_t history = 0;
            bool dropped = false;
        };
        std::vector<Claim> claims;
        for (std::size_t m = 0; m < decision.matches.size(); ++m)
            claims.push_back({m, decision.matches[m].detection,
                              frame.frameIndex - frame.tracks[decision.matches[m].track].firstFrame, false});
        for (const std::size_t detection : unmatched)
            if (decision.maySpawn[detection])
                claims.push_back({std::nullopt, detection, 0, false});
        for (std::size_t i = 0; i < frame.tracks.size(); ++i) {
            const MotTrack& lost = frame.tracks[i];
            if (m_matched[i] || lost.state == TrackState::Tentative || lost.missed > m_parameters.trackBuffer)
                continue;
            for (Claim& claim : claims) {
                const BoxDetection& detection = frame.detections[claim.detection];
                const double same = m_similarities.kindFor(detection) == MotSimilarity::Oks
                                        ? m_similarities.expected(lost, detection, frame.bodySize)
                                        : overlap(lost.predicted, detection.padded);
                if (!(same > m_parameters.duplicateSimilarity))
                    continue;
                if (claim.history > lost.lastFrame - lost.firstFrame)
                    decision.ended[i] = true;
                else
                    claim.dropped = true;
            }
        }
        std::vector<MotMatch> kept;
        for (const Claim& claim : claims) {
            if (claim.dropped) {
                decision.maySpawn[claim.detection] = false;
                if (claim.match)
                    decision.ended[decision.matches[*claim.match].track] = true;
            } else if (claim.match) {
                kept.push_back(decision.matches[*claim.match]);
            }
        }
        decision.matches = std::move(kept);
    }

    MotParameters m_parameters;
    MotSimilarities m_similarities;
    Assigner m_assigner;
    PairScores m_pairs;
    std::vector<bool> m_matched;
};

}  // namespace

std::unique_ptr<MotAlgorithm> makeByteTrack(const MotParameters& parameters) {
    return std::make_unique<ByteTrack>(parameters);
}

}  // namespace skein::tracking
