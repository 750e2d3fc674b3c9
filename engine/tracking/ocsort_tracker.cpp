// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <numbers>

#include "engine/tracking/detail/mot/association.h"

namespace skein::tracking {

namespace {

/// Cao, Pang, Weng, Khirodkar & Kitani: "Observation-centric SORT" (CVPR 2023): what was observed is trusted more than
/// what a filter made of it while the animal was not seen.
class OcSort final : public MotAlgorithm {
public:
    explicit OcSort(const MotParameters& parameters) : m_parameters(parameters), m_similarities(parameters) {}

    [[nodiscard]] MotLife life() const override {
        return {.tentativeDies = false,
                .hitsAtBirth = 0,
                .confirmsInRow = true,
                .lostSizeHolds = false,
                .replaysGap = true};
    }

    void associate(const MotFrame& frame, MotDecision& decision) override {
        std::vector<std::size_t> sure, doubtful, tracks;
        for (std::size_t i = 0; i < frame.detections.size(); ++i) {
            const BoxDetection& detection = frame.detections[i];
            decision.maySpawn[i] = detection.valid && detection.score > m_parameters.highThreshold;
            if (decision.maySpawn[i])
                sure.push_back(i);
            else if (detection.valid && detection.score > m_parameters.lowThreshold)
                doubtful.push_back(i);
        }
        for (std::size_t i = 0; i < frame.tracks.size(); ++i)
            tracks.push_back(i);

        const auto expected = [this, &frame](const MotTrack& track, const BoxDetection& detection) {
            return m_similarities.expected(track, detection, frame.bodySize);
        };
        stage(frame, decision, tracks, sure, expected, true);
        if (m_parameters.useByte)
            stage(frame, decision, tracks, doubtful, expected, false);
        // A prediction may have run away while the animal stopped or turned.
        stage(
            frame, decision, tracks, sure,
            [this, &frame](const MotTrack& track, const BoxDetection& detection) {
                return m_similarities.lastSeen(track, detection, frame.bodySize);
            },
            false);
    }

private:
    /// Takes matched tracks and detections out of the lists.
    template <class Similarity>
    void stage(const MotFrame& frame, MotDecision& decision, std::vector<std::size_t>& tracks,
               std::vector<std::size_t>& detections, Similarity similarity, bool withMomentum) {
        m_pairs.resize(tracks.size(), detections.size());
        if (m_pairs.score.empty())
            return;
        std::vector<double> plain(m_pairs.score.size());
        for (std::size_t row = 0; row < m_pairs.rows; ++row)
            for (std::size_t column = 0; column < m_pairs.columns; ++column) {
                const std::size_t i = m_pairs.at(row, column);
                const MotTrack& track = frame.tracks[tracks[row]];
                const BoxDetection& detection = frame.detections[detections[column]];
                plain[i] = similarity(track, detection);
                m_pairs.admissible[i] = plain[i] >= m_parameters.minMatchSimilarity;
                m_pairs.score[i] = plain[i] + (withMomentum ? momentum(track, detection, frame.step) : 0.0);
            }
        auto chosen = withMomentum ? undisputed(m_pairs) : std::nullopt;
        if (!chosen)
            chosen = bestThenAdmissible(m_pairs, m_assigner);
        std::vector<bool> rowUsed(tracks.size(), false);
        std::vector<bool> columnUsed(detections.size(), false);
        for (const AssignedPair& pair : *chosen) {
            const auto row = static_cast<std::size_t>(pair.row);
            const auto column = static_cast<std::size_t>(pair.column);
            decision.matches.push_back({tracks[row], detections[column], plain[m_pairs.at(row, column)]});
            rowUsed[row] = columnUsed[column] = true;
        }
        drop(tracks, rowUsed);
        drop(detections, columnUsed);
    }

    static void drop(std::vector<std::size_t>& list, const std::vector<bool>& used) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < list.size(); ++i)
            if (!used[i])
                list[kept++] = list[i];
        list.resize(kept);
    }

    /// Rewards a detection that lies where the track was heading: from pi / 2 (the same way) down to -pi / 2.
    [[nodiscard]] double momentum(const MotTrack& track, const BoxDetection& detection, std::int64_t step) const {
        if (!track.heading || track.observed.empty())
            return 0;
        const auto [x, y] = movement(track, detection.padded, step, m_parameters.deltaT);
        const double length = std::hypot(x, y);
        const double cosine =
            length > 0 ? std::clamp((x * track.heading->first + y * track.heading->second) / length, -1.0, 1.0) : 0.0;
        return m_parameters.inertia * detection.score * ((std::numbers::pi / 2 - std::acos(cosine)) / std::numbers::pi);
    }

    MotParameters m_parameters;
    MotSimilarities m_similarities;
    Assigner m_assigner;
    PairScores m_pairs;
};

}  // namespace

std::unique_ptr<MotAlgorithm> makeOcSort(const MotParameters& parameters) {
    return std::make_unique<OcSort>(parameters);
}

}  // namespace skein::tracking
