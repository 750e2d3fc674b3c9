// SPDX-License-Identifier: BSD-3-Clause
#include "engine/evaluation/identity_sequence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "engine/base/assignment.h"
#include "engine/base/result.h"

namespace skein::evaluation {

namespace {

constexpr double kSlack = std::numeric_limits<double>::epsilon();
// Larger than any similarity: the partner of the frame before goes first.
constexpr double kContinuity = 1000.0;

/// Numbers identities 0, 1, 2, ... in order of appearance.
class Numbering {
public:
    [[nodiscard]] int operator()(int identity) {
        return m_numbers.try_emplace(identity, static_cast<int>(m_numbers.size())).first->second;
    }
    [[nodiscard]] std::size_t size() const { return m_numbers.size(); }

private:
    std::unordered_map<int, int> m_numbers;
};

double over(double part, double whole) {
    return part / std::max(1.0, whole);
}

double thresholdOf(std::size_t i) {
    return 0.05 + static_cast<double>(i) * 0.05;
}

/// A table over pairs of identities that holds only those that meet. Most never do.
template <class Value>
class PairTable {
public:
    [[nodiscard]] Value& at(int truth, int prediction) { return m_values[key(truth, prediction)]; }
    [[nodiscard]] const Value* find(int truth, int prediction) const {
        const auto found = m_values.find(key(truth, prediction));
        return found == m_values.end() ? nullptr : &found->second;
    }
    template <class Visit>
    void forEach(Visit visit) const {
        for (const auto& [k, value] : m_values)
            visit(static_cast<std::size_t>(k >> 32), static_cast<std::size_t>(k & 0xffffffffU), value);
    }

private:
    [[nodiscard]] static std::uint64_t key(int truth, int prediction) {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(truth)) << 32 |
               static_cast<std::uint32_t>(prediction);
    }
    std::unordered_map<std::uint64_t, Value> m_values;
};

class SequenceScorer {
public:
    SequenceScorer(const IdentitySequence& sequence, double threshold) : m_sequence(sequence), m_threshold(threshold) {
        for (std::size_t f = 0; f < sequence.frameCount(); ++f) {
            const auto frame = sequence.frame(f);
            for (const int id : frame.truth)
                count(m_truthFrames, m_truthNumber(id));
            for (const int id : frame.prediction)
                count(m_predictionFrames, m_predictionNumber(id));
        }
    }

    IdentityScores run() {
        const auto truth = static_cast<std::int64_t>(m_sequence.truthCount());
        const auto prediction = static_cast<std::int64_t>(m_sequence.predictionCount());
        if (truth == 0 || prediction == 0) {
            m_scores.missed = m_scores.idMissed = truth;
            m_scores.surplus = m_scores.idSurplus = prediction;
            m_scores.mostlyLost = static_cast<std::int64_t>(m_truthNumber.size());
            m_scores.hotaMissed.fill(static_cast<double>(truth));
            m_scores.hotaSurplus.fill(static_cast<double>(prediction));
            m_scores.locAOf.fill(1.0);
            return m_scores;
        }
        clear();
        identity();
        hota();
        return m_scores;
    }

private:
    static void count(std::vector<std::int64_t>& frames, int number) {
        if (static_cast<std::size_t>(number) == frames.size())
            frames.push_back(0);
        ++frames[static_cast<std::size_t>(number)];
    }

    /// A frame with identities numbered.
    void load(std::size_t f) {
        const auto frame = m_sequence.frame(f);
        m_truth.clear();
        m_prediction.clear();
        for (const int id : frame.truth)
            m_truth.push_back(m_truthNumber(id));
        for (const int id : frame.prediction)
            m_prediction.push_back(m_predictionNumber(id));
        m_similarity = frame.similarity;
    }
    [[nodiscard]] double similarity(std::size_t row, std::size_t column) const {
        return m_similarity[row * m_prediction.size() + column];
    }

    void clear() {
        const std::size_t ids = m_truthNumber.size();
        std::vector<int> last(ids, -1);      // partner of its last pair, however long ago
        std::vector<int> lastName(ids, -1);  // the same as the sequence calls it
        std::vector<int> previous(ids, -1);  // partner in the last frame that had predictions
        std::vector<int> held;               // those with a `previous`
        std::vector<std::int64_t> hits(ids, 0), stretches(ids, 0);
        for (std::size_t f = 0; f < m_sequence.frameCount(); ++f) {
            load(f);
            if (m_truth.empty() || m_prediction.empty()) {
                // TrackEval leaves `previous` alone here: such a frame neither breaks a stretch nor the continuity.
                m_scores.missed += static_cast<std::int64_t>(m_truth.size());
                m_scores.surplus += static_cast<std::int64_t>(m_prediction.size());
                continue;
            }
            m_cost.assign(m_similarity.size(), 0.0);
            for (std::size_t row = 0; row < m_truth.size(); ++row)
                for (std::size_t column = 0; column < m_prediction.size(); ++column) {
                    const double s = similarity(row, column);
                    if (s >= m_threshold - kSlack)
                        m_cost[row * m_prediction.size() + column] = -(
                            s + (previous[static_cast<std::size_t>(m_truth[row])] == m_prediction[column] ? kContinuity
                                                                                                          : 0.0));
                }
            const auto frame = m_sequence.frame(f);
            std::vector<std::pair<int, int>> pairs;
            for (const AssignedPair& pair : m_assigner.minimise(m_cost, m_truth.size(), m_prediction.size())) {
                const auto row = static_cast<std::size_t>(pair.row);
                const auto column = static_cast<std::size_t>(pair.column);
                if (-m_cost[row * m_prediction.size() + column] <= kSlack)
                    continue;
                pairs.emplace_back(m_truth[row], m_prediction[column]);
                m_scores.similaritySum += similarity(row, column);
                const auto id = static_cast<std::size_t>(m_truth[row]);
                const int name = frame.prediction[column];
                if (last[id] >= 0 && last[id] != m_prediction[column])
                    m_scores.switchList.push_back({f, frame.truth[row], lastName[id], name});
                lastName[id] = name;
            }
            for (const auto& [truth, partner] : pairs) {
                const auto id = static_cast<std::size_t>(truth);
                stretches[id] += previous[id] < 0 ? 1 : 0;
                last[id] = partner;
                ++hits[id];
            }
            for (const int id : held)
                previous[static_cast<std::size_t>(id)] = -1;
            held.clear();
            for (const auto& [truth, partner] : pairs) {
                previous[static_cast<std::size_t>(truth)] = partner;
                held.push_back(truth);
            }
            const auto found = static_cast<std::int64_t>(pairs.size());
            m_scores.truePositives += found;
            m_scores.missed += static_cast<std::int64_t>(m_truth.size()) - found;
            m_scores.surplus += static_cast<std::int64_t>(m_prediction.size()) - found;
        }
        m_scores.switches = static_cast<std::int64_t>(m_scores.switchList.size());
        for (std::size_t id = 0; id < ids; ++id) {
            m_scores.fragments += std::max<std::int64_t>(0, stretches[id] - 1);
            const double share = static_cast<double>(hits[id]) / static_cast<double>(m_truthFrames[id]);
            ++(share > 0.8 ? m_scores.mostlyTracked : share >= 0.2 ? m_scores.partlyTracked : m_scores.mostlyLost);
        }
    }

    /// Identities that never meet cannot be partners, so the one large assignment falls into groups that do.
    void identity() {
        PairTable<std::int64_t> common;
        for (std::size_t f = 0; f < m_sequence.frameCount(); ++f) {
            load(f);
            for (std::size_t row = 0; row < m_truth.size(); ++row)
                for (std::size_t column = 0; column < m_prediction.size(); ++column)
                    if (similarity(row, column) >= m_threshold)
                        ++common.at(m_truth[row], m_prediction[column]);
        }
        const std::size_t truths = m_truthNumber.size();
        std::vector<std::size_t> parent(truths + m_predictionNumber.size());
        std::iota(parent.begin(), parent.end(), std::size_t{0});
        const auto root = [&parent](std::size_t node) {
            while (parent[node] != node)
                node = parent[node] = parent[parent[node]];
            return node;
        };
        common.forEach([&](std::size_t truth, std::size_t prediction, std::int64_t) {
            parent[root(truth)] = root(truths + prediction);
        });
        struct Group {
            std::vector<std::size_t> truth, prediction;
        };
        std::unordered_map<std::size_t, Group> groups;
        for (std::size_t i = 0; i < truths; ++i)
            groups[root(i)].truth.push_back(i);
        for (std::size_t i = truths; i < parent.size(); ++i)
            groups[root(i)].prediction.push_back(i - truths);
        for (const auto& [name, group] : groups) {
            m_cost.clear();
            for (const std::size_t truth : group.truth)
                for (const std::size_t prediction : group.prediction) {
                    const std::int64_t* frames = common.find(static_cast<int>(truth), static_cast<int>(prediction));
                    m_cost.push_back(frames == nullptr ? 0.0 : -static_cast<double>(*frames));
                }
            for (const AssignedPair& pair : m_assigner.minimise(m_cost, group.truth.size(), group.prediction.size()))
                m_scores.idTruePositives +=
                    static_cast<std::int64_t>(-m_cost[static_cast<std::size_t>(pair.row) * group.prediction.size() +
                                                      static_cast<std::size_t>(pair.column)]);
        }
        m_scores.idMissed = static_cast<std::int64_t>(m_sequence.truthCount()) - m_scores.idTruePositives;
        m_scores.idSurplus = static_cast<std::int64_t>(m_sequence.predictionCount()) - m_scores.idTruePositives;
    }

    void hota() {
        // How much two identities go together over the whole sequence decides whom a frame prefers.
        PairTable<double> overlap;
        std::vector<double> rowSum, columnSum;
        for (std::size_t f = 0; f < m_sequence.frameCount(); ++f) {
            load(f);
            rowSum.assign(m_truth.size(), 0.0);
            columnSum.assign(m_prediction.size(), 0.0);
            for (std::size_t row = 0; row < m_truth.size(); ++row)
                for (std::size_t column = 0; column < m_prediction.size(); ++column) {
                    rowSum[row] += similarity(row, column);
                    columnSum[column] += similarity(row, column);
                }
            for (std::size_t row = 0; row < m_truth.size(); ++row)
                for (std::size_t column = 0; column < m_prediction.size(); ++column) {
                    const double s = similarity(row, column);
                    const double mass = columnSum[column] + rowSum[row] - s;
                    if (s > 0 && mass > kSlack)
                        overlap.at(m_truth[row], m_prediction[column]) += s / mass;
                }
        }
        PairTable<std::array<std::int32_t, kHotaThresholds>> together;
        HotaValues similaritySum{};
        for (std::size_t f = 0; f < m_sequence.frameCount(); ++f) {
            load(f);
            m_cost.clear();
            for (std::size_t row = 0; row < m_truth.size(); ++row)
                for (std::size_t column = 0; column < m_prediction.size(); ++column) {
                    const double* shared = overlap.find(m_truth[row], m_prediction[column]);
                    const double frames = framesOfEither(m_truth[row], m_prediction[column]);
                    m_cost.push_back(shared == nullptr ? 0.0
                                                       : -(*shared / (frames - *shared) * similarity(row, column)));
                }
            HotaValues found{};
            for (const AssignedPair& pair : m_assigner.minimise(m_cost, m_truth.size(), m_prediction.size())) {
                const auto row = static_cast<std::size_t>(pair.row);
                const auto column = static_cast<std::size_t>(pair.column);
                const double s = similarity(row, column);
                for (std::size_t a = 0; a < kHotaThresholds && s >= thresholdOf(a) - kSlack; ++a) {
                    ++found[a];
                    similaritySum[a] += s;
                    ++together.at(m_truth[row], m_prediction[column])[a];
                }
            }
            for (std::size_t a = 0; a < kHotaThresholds; ++a) {
                m_scores.hotaTruePositives[a] += found[a];
                m_scores.hotaMissed[a] += static_cast<double>(m_truth.size()) - found[a];
                m_scores.hotaSurplus[a] += static_cast<double>(m_prediction.size()) - found[a];
            }
        }
        together.forEach([&](std::size_t truth, std::size_t prediction, const auto& counts) {
            const double frames = framesOfEither(static_cast<int>(truth), static_cast<int>(prediction));
            for (std::size_t a = 0; a < kHotaThresholds; ++a)
                m_scores.assAOf[a] += static_cast<double>(counts[a]) * counts[a] / std::max(1.0, frames - counts[a]);
        });
        for (std::size_t a = 0; a < kHotaThresholds; ++a) {
            m_scores.assAOf[a] = over(m_scores.assAOf[a], m_scores.hotaTruePositives[a]);
            m_scores.locAOf[a] = std::max(1e-10, similaritySum[a]) / std::max(1e-10, m_scores.hotaTruePositives[a]);
        }
    }

    [[nodiscard]] double framesOfEither(int truth, int prediction) const {
        return static_cast<double>(m_truthFrames[static_cast<std::size_t>(truth)] +
                                   m_predictionFrames[static_cast<std::size_t>(prediction)]);
    }

    const IdentitySequence& m_sequence;
    double m_threshold;
    IdentityScores m_scores;
    Numbering m_truthNumber, m_predictionNumber;
    std::vector<std::int64_t> m_truthFrames, m_predictionFrames;
    // The frame at hand.
    std::vector<int> m_truth, m_prediction;
    std::span<const double> m_similarity;
    std::vector<double> m_cost;
    Assigner m_assigner;
};

/// Everything that follows from counts.
void derive(IdentityScores& s) {
    const auto real = [](std::int64_t value) { return static_cast<double>(value); };
    s.mota = over(real(s.truePositives - s.surplus - s.switches), real(s.truePositives + s.missed));
    s.motp = over(s.similaritySum, real(s.truePositives));
    s.idRecall = over(real(s.idTruePositives), real(s.idTruePositives + s.idMissed));
    s.idPrecision = over(real(s.idTruePositives), real(s.idTruePositives + s.idSurplus));
    s.idf1 = over(real(s.idTruePositives), real(s.idTruePositives) + 0.5 * real(s.idSurplus + s.idMissed));
    s.hota = s.detA = s.assA = s.locA = 0;
    for (std::size_t a = 0; a < kHotaThresholds; ++a) {
        s.detAOf[a] = over(s.hotaTruePositives[a], s.hotaTruePositives[a] + s.hotaMissed[a] + s.hotaSurplus[a]);
        s.hotaOf[a] = std::sqrt(s.detAOf[a] * s.assAOf[a]);
        s.hota += s.hotaOf[a] / kHotaThresholds;
        s.detA += s.detAOf[a] / kHotaThresholds;
        s.assA += s.assAOf[a] / kHotaThresholds;
        s.locA += s.locAOf[a] / kHotaThresholds;
    }
}

}  // namespace

void IdentitySequence::addFrame(std::span<const int> truth, std::span<const int> prediction,
                                std::span<const double> similarity) {
    SKEIN_EXPECTS(similarity.size() == truth.size() * prediction.size(), "one similarity for each pair");
    m_truth.insert(m_truth.end(), truth.begin(), truth.end());
    m_prediction.insert(m_prediction.end(), prediction.begin(), prediction.end());
    m_similarity.insert(m_similarity.end(), similarity.begin(), similarity.end());
    m_ends.push_back({m_truth.size(), m_prediction.size(), m_similarity.size()});
}

IdentitySequence::Frame IdentitySequence::frame(std::size_t i) const {
    const End begin = i == 0 ? End{} : m_ends[i - 1];
    const End end = m_ends[i];
    return {std::span(m_truth).subspan(begin.truth, end.truth - begin.truth),
            std::span(m_prediction).subspan(begin.prediction, end.prediction - begin.prediction),
            std::span(m_similarity).subspan(begin.similarity, end.similarity - begin.similarity)};
}

IdentityScores scoreSequence(const IdentitySequence& sequence, double threshold) {
    IdentityScores scores = SequenceScorer(sequence, threshold).run();
    derive(scores);
    return scores;
}

IdentityScores combine(std::span<const IdentityScores> sequences) {
    IdentityScores all;
    for (const IdentityScores& s : sequences) {
        for (const auto count :
             {&IdentityScores::truePositives, &IdentityScores::missed, &IdentityScores::surplus,
              &IdentityScores::switches, &IdentityScores::fragments, &IdentityScores::mostlyTracked,
              &IdentityScores::partlyTracked, &IdentityScores::mostlyLost, &IdentityScores::idTruePositives,
              &IdentityScores::idMissed, &IdentityScores::idSurplus})
            all.*count += s.*count;
        all.similaritySum += s.similaritySum;
        for (std::size_t a = 0; a < kHotaThresholds; ++a) {
            all.hotaTruePositives[a] += s.hotaTruePositives[a];
            all.hotaMissed[a] += s.hotaMissed[a];
            all.hotaSurplus[a] += s.hotaSurplus[a];
            all.assAOf[a] += s.assAOf[a] * s.hotaTruePositives[a];
            all.locAOf[a] += s.locAOf[a] * s.hotaTruePositives[a];
        }
    }
    for (std::size_t a = 0; a < kHotaThresholds; ++a) {
        all.assAOf[a] = over(all.assAOf[a], all.hotaTruePositives[a]);
        all.locAOf[a] = std::max(1e-10, all.locAOf[a]) / std::max(1e-10, all.hotaTruePositives[a]);
    }
    derive(all);
    return all;
}

}  // namespace skein::evaluation
