// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/detail/scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skein::tracking {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double euclidean(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double d = a[i] - b[i];
        sum += d * d;
    }
    const double distance = std::sqrt(sum);
    return std::isfinite(distance) ? -distance : kNaN;
}

double cosine(std::span<const double> a, std::span<const double> b) {
    double dot = 0;
    double normA = 0;
    double normB = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        dot += a[i] * b[i];
        normA += a[i] * a[i];
        normB += b[i] * b[i];
    }
    const double norm = std::sqrt(normA) * std::sqrt(normB);
    return std::isfinite(norm) && norm != 0 ? dot / norm : kNaN;
}

/// Boxes of whole pixels: both ends belong to the box.
double intersectionOverUnion(std::span<const double> a, std::span<const double> b) {
    const auto area = [](std::span<const double> box) { return (box[2] - box[0] + 1) * (box[3] - box[1] + 1); };
    const double width = std::min(a[2], b[2]) - std::max(a[0], b[0]) + 1;
    const double height = std::min(a[3], b[3]) - std::max(a[1], b[1]) + 1;
    const double overlap = std::max(0.0, width) * std::max(0.0, height);
    return overlap / (area(a) + area(b) - overlap);  // the areas are NaN where a corner is
}

double quantileOf(std::span<double> values, double quantile) {
    std::sort(values.begin(), values.end());
    const double place = static_cast<double>(values.size() - 1) * quantile;
    const double below = std::floor(place);
    const auto lower = static_cast<std::size_t>(below);
    const std::size_t upper = std::min(lower + 1, values.size() - 1);
    const double share = place - below;
    const double step = values[upper] - values[lower];
    // From the nearer end, as NumPy does.
    return share < 0.5 ? values[lower] + step * share : values[upper] - step * (1 - share);
}

}  // namespace

double pairwiseSum(std::span<const double> values) {
    const std::size_t n = values.size();
    if (n < 8) {
        double sum = 0;
        for (const double value : values)
            sum += value;
        return sum;
    }
    if (n > 128) {
        const std::size_t half = n / 2 - n / 2 % 8;
        return pairwiseSum(values.first(half)) + pairwiseSum(values.subspan(half));
    }
    double lane[8];
    for (std::size_t k = 0; k < 8; ++k)
        lane[k] = values[k];
    std::size_t i = 8;
    for (; i + 8 <= n; i += 8)
        for (std::size_t k = 0; k < 8; ++k)
            lane[k] += values[i + k];
    double sum = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    for (; i < n; ++i)
        sum += values[i];
    return sum;
}

Extent extentOf(std::span<const double> coordinates) {
    Extent extent;
    for (std::size_t i = 0; i + 1 < coordinates.size(); i += 2) {
        const double x = coordinates[i];
        const double y = coordinates[i + 1];
        if (std::isnan(x) || std::isnan(y))
            continue;
        extent.left = std::min(extent.left, x);
        extent.right = std::max(extent.right, x);
        extent.top = std::min(extent.top, y);
        extent.bottom = std::max(extent.bottom, y);
    }
    return extent;
}

void Scorer::setDetection(std::span<const double> feature) {
    m_detection = feature;
    if (m_method != ScoringMethod::Oks)
        return;
    m_visible = 0;
    for (std::size_t i = 0; i + 1 < feature.size(); i += 2)
        if (!std::isnan(feature[i]) && !std::isnan(feature[i + 1]))
            ++m_visible;
    m_extent = extentOf(feature);
    const double area = m_visible > 0 ? (m_extent.right - m_extent.left) * (m_extent.bottom - m_extent.top) : kNaN;
    const double spread = 2 * m_stddev;
    m_norm = spread * spread * (2 * (area + std::numeric_limits<double>::epsilon()));
    m_similarities.resize(feature.size() / 2);
}

/// Object keypoint similarity in the form of the COCO evaluation.
double Scorer::oks(std::span<const double> candidate) {
    if (m_visible == 0)
        return kNaN;
    for (std::size_t k = 0; k < m_similarities.size(); ++k) {
        const double dx = m_detection[2 * k] - candidate[2 * k];
        const double dy = m_detection[2 * k + 1] - candidate[2 * k + 1];
        const double exponent = (dx * dx + dy * dy) / m_norm;
        // exp(-746) is 0 in double precision, and most pairs of animals are farther apart than that. The comparison is
        // false for a node that is missing on either side too: its similarity is 0.
        m_similarities[k] = exponent < 746.0 ? std::exp(-exponent) : 0.0;
    }
    return pairwiseSum(m_similarities) / m_visible;
}

double Scorer::score(std::span<const double> candidate, const Extent& extent) {
    if (candidate.size() != m_detection.size() || candidate.empty())
        return kNaN;  // instances of different skeletons
    if (usesExtents() && m_visible > 0) {
        // No two nodes are nearer than the boxes. Where even these are too far apart for any exponential to differ from
        // 0 (see oks(); a little more for what is rounded), the sum is exactly 0 without being computed.
        const double x = std::max({0.0, extent.left - m_extent.right, m_extent.left - extent.right});
        const double y = std::max({0.0, extent.top - m_extent.bottom, m_extent.top - extent.bottom});
        if (x * x + y * y > 750.0 * m_norm)
            return 0;
    }
    switch (m_method) {
        case ScoringMethod::Oks:
            return oks(candidate);
        case ScoringMethod::Iou:
            return candidate.size() == 4 ? intersectionOverUnion(m_detection, candidate) : kNaN;
        case ScoringMethod::CosineSimilarity:
            return cosine(m_detection, candidate);
        case ScoringMethod::EuclideanDistance:
            return euclidean(m_detection, candidate);
    }
    return kNaN;
}

double reduceScores(ScoreReduction reduction, double quantile, std::span<double> scores) {
    if (reduction == ScoreReduction::Mean) {
        // NaN counts as 0 in the sum, at its place: the place decides the order of additions.
        double count = 0;
        for (double& score : scores) {
            if (std::isnan(score))
                score = 0;
            else
                ++count;
        }
        return count == 0 ? kNaN : pairwiseSum(scores) / count;
    }
    const auto end = std::remove_if(scores.begin(), scores.end(), [](double score) { return std::isnan(score); });
    if (end == scores.begin())
        return kNaN;
    if (reduction == ScoreReduction::Max)
        return *std::max_element(scores.begin(), end);
    return quantileOf(scores.first(static_cast<std::size_t>(end - scores.begin())), quantile);
}

}  // namespace skein::tracking
