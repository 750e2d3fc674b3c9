// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <limits>
#include <span>
#include <vector>

#include "engine/tracking/tracker_options.h"

namespace skein::tracking {

/// Sum of `values` in the order of NumPy's pairwise summation, so that scores that are equal there are equal here.
[[nodiscard]] double pairwiseSum(std::span<const double> values);

/// Box of the nodes of a feature of nodes that have both coordinates; without any it is infinitely far from all others.
struct Extent {
    double left = std::numeric_limits<double>::infinity(), top = left;
    double right = -std::numeric_limits<double>::infinity(), bottom = right;
};
[[nodiscard]] Extent extentOf(std::span<const double> coordinates);

/// Compares one detection with many candidates. Scores are higher for better matches; NaN: cannot be compared.
class Scorer {
public:
    Scorer(ScoringMethod method, double oksStddev) : m_method(method), m_stddev(oksStddev) {}

    /// The detection that score() compares with; `feature` must stay alive.
    void setDetection(std::span<const double> feature);

    /// Whether score() can tell by extents alone that a score is 0.
    [[nodiscard]] bool usesExtents() const { return m_method == ScoringMethod::Oks; }

    /// Score of the detection with `candidate`, whose extent is `extent` if usesExtents(). Not symmetric for Oks: the
    /// detection's extent sets the tolerance.
    [[nodiscard]] double score(std::span<const double> candidate, const Extent& extent);

private:
    [[nodiscard]] double oks(std::span<const double> candidate);

    ScoringMethod m_method;
    double m_stddev;
    std::span<const double> m_detection;
    Extent m_extent;       // OKS: of the detection
    double m_norm = 0;     // OKS: squared distance over this is the exponent
    double m_visible = 0;  // OKS: visible nodes of the detection
    std::vector<double> m_similarities;
};

/// One score from those of a track's candidates: NaN scores are left out; NaN if none is left. May reorder `scores`.
[[nodiscard]] double reduceScores(ScoreReduction reduction, double quantile, std::span<double> scores);

}  // namespace skein::tracking
