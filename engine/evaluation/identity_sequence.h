// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/project/labels.h"

namespace skein::evaluation {

/// One video as the identity metrics see it: in each frame some true and some predicted identities and how alike each
/// pair of them is, 0 to 1. An identity occurs at most once in a frame.
class IdentitySequence {
public:
    /// `similarity` is `[truth, prediction]`, row-major, finite. Identities are any numbers.
    void addFrame(std::span<const int> truth, std::span<const int> prediction, std::span<const double> similarity);

    struct Frame {
        std::span<const int> truth, prediction;
        std::span<const double> similarity;
    };
    [[nodiscard]] std::size_t frameCount() const { return m_ends.size(); }
    [[nodiscard]] Frame frame(std::size_t i) const;
    [[nodiscard]] std::size_t truthCount() const { return m_truth.size(); }            ///< true instances
    [[nodiscard]] std::size_t predictionCount() const { return m_prediction.size(); }  ///< predicted instances

private:
    struct End {
        std::size_t truth = 0, prediction = 0, similarity = 0;
    };
    std::vector<int> m_truth, m_prediction;
    std::vector<double> m_similarity;
    std::vector<End> m_ends;
};

/// A true identity goes on with another partner than the last time it had one.
struct IdentitySwitch {
    std::size_t frame = 0;  ///< of the sequence, the first with the new partner
    int truth = 0;
    int from = 0, to = 0;  ///< predicted identities
    friend bool operator==(const IdentitySwitch&, const IdentitySwitch&) = default;
};

/// Localisation thresholds of HOTA: 0.05, 0.10, ... 0.95.
inline constexpr std::size_t kHotaThresholds = 19;
using HotaValues = std::array<double, kHotaThresholds>;

/// How well identities were kept. Definitions and their quirks are those of TrackEval 1.3.0, which published results
/// use; CLEAR: Bernardin & Stiefelhagen 2008; IDF1: Ristani et al. 2016; HOTA: Luiten et al. 2021.
struct IdentityScores {
    // CLEAR: per frame the pairs of largest total similarity, a pair of the frame before kept if it still can be.
    std::int64_t truePositives = 0, missed = 0, surplus = 0;  ///< instances with a partner and without one
    std::int64_t switches = 0;               ///< a true identity has another partner than the last time it had one
    std::vector<IdentitySwitch> switchList;  ///< each of them, by ascending frame; empty after combine()
    std::int64_t fragments = 0;              ///< breaks: stretches with a partner, less one for each true identity
    std::int64_t mostlyTracked = 0, partlyTracked = 0, mostlyLost = 0;  ///< > 80 %, between, < 20 % of its frames
    double similaritySum = 0;                                           ///< of the pairs
    double mota = 0;  ///< (truePositives - surplus - switches) / true instances; may be negative
    double motp = 0;  ///< mean similarity of pairs

    // One partner for the whole video, chosen for the most instances in common.
    std::int64_t idTruePositives = 0, idMissed = 0, idSurplus = 0;
    double idf1 = 0;         ///< IDTP / (IDTP + IDFP / 2 + IDFN / 2)
    double idPrecision = 0;  ///< IDTP / (IDTP + IDFP)
    double idRecall = 0;     ///< IDTP / (IDTP + IDFN)

    // For each threshold, then the mean over thresholds.
    HotaValues hotaTruePositives{}, hotaMissed{}, hotaSurplus{};
    HotaValues hotaOf{}, detAOf{}, assAOf{}, locAOf{};
    double hota = 0;  ///< mean of sqrt(DetA * AssA)
    double detA = 0;  ///< TP / (TP + missed + surplus)
    double assA = 0;  ///< mean over TP of: frames of this pair / frames in which either of the two is there
    double locA = 0;  ///< mean similarity of TP
};

/// Scores of one sequence; a pair needs at least `threshold` similarity for CLEAR and IDF1. Linear in frames, and in
/// memory in the number of pairs that ever meet. A sequence with only one side has its counts and zeros.
[[nodiscard]] IdentityScores scoreSequence(const IdentitySequence& sequence, double threshold = 0.5);

/// Several sequences as one: counts are added and everything else derived from them; AssA and LocA are weighted by true
/// positives.
[[nodiscard]] IdentityScores combine(std::span<const IdentityScores> sequences);

}  // namespace skein::evaluation
