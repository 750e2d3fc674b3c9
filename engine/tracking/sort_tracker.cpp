// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/detail/mot/association.h"

namespace skein::tracking {

namespace {

/// Bewley, Ge, Ott, Ramos & Upcroft: "Simple online and realtime tracking" (ICIP 2016): every detection that is more
/// than noise against every track, in one assignment.
class Sort final : public MotAlgorithm {
public:
    explicit Sort(const MotParameters& parameters) : m_parameters(parameters), m_similarities(parameters) {}

    [[nodiscard]] MotLife life() const override { return {}; }

    void associate(const MotFrame& frame, MotDecision& decision) override {
        m_columns.clear();
        for (std::size_t i = 0; i < frame.detections.size(); ++i) {
            decision.maySpawn[i] = frame.detections[i].score > m_parameters.lowThreshold;
            if (frame.detections[i].valid && decision.maySpawn[i])
                m_columns.push_back(i);
        }
        m_pairs.resize(frame.tracks.size(), m_columns.size());
        for (std::size_t row = 0; row < m_pairs.rows; ++row)
            for (std::size_t column = 0; column < m_pairs.columns; ++column) {
                const std::size_t i = m_pairs.at(row, column);
                m_pairs.score[i] =
                    m_similarities.expected(frame.tracks[row], frame.detections[m_columns[column]], frame.bodySize);
                m_pairs.admissible[i] = m_pairs.score[i] >= m_parameters.minMatchSimilarity;
            }
        auto chosen = undisputed(m_pairs);
        if (!chosen)
            chosen = bestAbove(m_pairs, m_parameters.minMatchSimilarity, m_assigner);
        for (const AssignedPair& pair : *chosen) {
            const auto row = static_cast<std::size_t>(pair.row);
            const auto column = static_cast<std::size_t>(pair.column);
            decision.matches.push_back({row, m_columns[column], m_pairs.score[m_pairs.at(row, column)]});
        }
    }

private:
    MotParameters m_parameters;
    MotSimilarities m_similarities;
    Assigner m_assigner;
    PairScores m_pairs;
    std::vector<std::size_t> m_columns;
};

}  // namespace

std::unique_ptr<MotAlgorithm> makeSort(const MotParameters& parameters) {
    return std::make_unique<Sort>(parameters);
}

}  // namespace skein::tracking
