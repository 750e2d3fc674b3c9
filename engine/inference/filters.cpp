// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/filters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

namespace skein::inference {
namespace {

constexpr float kAbsent = std::numeric_limits<float>::quiet_NaN();

bool visible(std::span<const float> points, std::size_t node) {
    return !std::isnan(points[2 * node]) && !std::isnan(points[2 * node + 1]);
}

struct Box {
    float left, top, right, bottom;
    [[nodiscard]] float area() const { return (right - left) * (bottom - top); }
};

std::optional<Box> boxOf(std::span<const float> points, std::size_t fewest = 1) {
    std::optional<Box> box;
    std::size_t count = 0;
    for (std::size_t n = 0; 2 * n < points.size(); ++n) {
        if (!visible(points, n))
            continue;
        ++count;
        const float x = points[2 * n];
        const float y = points[2 * n + 1];
        if (!box)
            box = Box{x, y, x, y};
        *box = {std::min(box->left, x), std::min(box->top, y), std::max(box->right, x), std::max(box->bottom, y)};
    }
    return count >= fewest ? box : std::nullopt;
}

/// One pass over the instances of a frame.
class Filter {
public:
    Filter(FrameDetections& frame, FilteredKind kind)
        : m_frame(frame), m_kind(kind), m_nodes(static_cast<std::size_t>(frame.nodes)) {}

    void weakPoints(float threshold) {
        for (std::size_t i = 0; i < m_frame.pointScores.size(); ++i)
            if (m_frame.pointScores[i] < threshold)
                m_frame.points[2 * i] = m_frame.points[2 * i + 1] = m_frame.pointScores[i] = kAbsent;
    }

    void fewNodes(int fewest, double fraction) {
        keepIf([&](std::size_t i) {
            int count = 0;
            for (std::size_t n = 0; n < m_nodes; ++n)
                count += visible(pointsOf(i), n) ? 1 : 0;
            return count >= fewest &&
                   !(fraction > 0 && static_cast<float>(count) / static_cast<float>(std::max<std::size_t>(m_nodes, 1)) <
                                         static_cast<float>(fraction));
        });
    }

    void lowScores(float least) {
        keepIf([&](std::size_t i) { return m_frame.instanceScores[i] >= least; });
    }

    void lowMeans(float least) {
        keepIf([&](std::size_t i) {
            float sum = 0;
            int count = 0;
            for (std::size_t n = 0; n < m_nodes; ++n)
                if (const float score = m_frame.pointScores[i * m_nodes + n]; !std::isnan(score)) {
                    sum += score;
                    ++count;
                }
            return (count > 0 ? sum / static_cast<float>(count) : 0.0F) >= least;
        });
    }

    void overlapping(OverlapMethod method, double threshold) {
        const auto similarity = method == OverlapMethod::Oks && m_nodes > 1 ? keypointSimilarity : boxOverlap;
        bestFirst(
            [&](std::size_t i, std::size_t better) { return similarity(pointsOf(i), pointsOf(better)) > threshold; });
    }

    void closeCentroids(float distance) {
        const std::vector<float>& at = m_kind.isCentroid ? m_frame.points : m_frame.centroids;
        if (at.size() != 2 * m_frame.instanceScores.size())
            return;
        bestFirst([&](std::size_t i, std::size_t better) {
            const float dx = at[2 * i] - at[2 * better];
            const float dy = at[2 * i + 1] - at[2 * better + 1];
            return dx * dx + dy * dy < distance * distance;
        });
    }

private:
    [[nodiscard]] std::size_t count() const { return m_frame.instanceScores.size(); }
    [[nodiscard]] std::span<const float> pointsOf(std::size_t i) const {
        return std::span(m_frame.points).subspan(i * m_nodes * 2, m_nodes * 2);
    }

    template <class Keep>
    void keepIf(Keep keep) {
        std::vector<std::size_t> kept;
        for (std::size_t i = 0; i < count(); ++i)
            if (keep(i))
                kept.push_back(i);
        keepInstances(m_frame, kept);
    }

    /// Visits instances by descending score and drops those that are `like` one visited before that stayed.
    template <class Like>
    void bestFirst(Like like) {
        if (count() < 2)
            return;
        std::vector<std::size_t> order(count());
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (m_kind.hasInstanceScores)
            std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                return m_frame.instanceScores[a] > m_frame.instanceScores[b];
            });
        std::vector<std::size_t> kept;
        for (const std::size_t i : order)
            if (std::none_of(kept.begin(), kept.end(), [&](std::size_t better) { return like(i, better); }))
                kept.push_back(i);
        std::sort(kept.begin(), kept.end());
        keepInstances(m_frame, kept);
    }

    FrameDetections& m_frame;
    FilteredKind m_kind;
    std::size_t m_nodes;
};

}  // namespace

double boxOverlap(std::span<const float> a, std::span<const float> b) {
    const auto p = boxOf(a);
    const auto q = boxOf(b);
    if (!p || !q)
        return 0;
    const float width = std::max(0.0F, std::min(p->right, q->right) - std::max(p->left, q->left));
    const float height = std::max(0.0F, std::min(p->bottom, q->bottom) - std::max(p->top, q->top));
    const double common = static_cast<double>(width * height);
    const double either = static_cast<double>(p->area()) + static_cast<double>(q->area()) - common;
    return either > 0 ? common / either : 0;
}

double keypointSimilarity(std::span<const float> a, std::span<const float> b) {
    constexpr float kFalloff = 0.1F * 0.1F;
    const auto box = boxOf(a, 2);
    if (!box || box->area() <= 0)
        return 0;
    float sum = 0;
    int count = 0;
    for (std::size_t n = 0; 2 * n < a.size(); ++n) {
        if (!visible(a, n) || !visible(b, n))
            continue;
        const float dx = a[2 * n] - b[2 * n];
        const float dy = a[2 * n + 1] - b[2 * n + 1];
        sum += std::exp(-(dx * dx + dy * dy) / (2 * box->area() * kFalloff));
        ++count;
    }
    return count > 0 ? static_cast<double>(sum / static_cast<float>(count)) : 0;
}

void keepInstances(FrameDetections& frame, std::span<const std::size_t> kept) {
    const auto pick = [&](auto& values, std::size_t width) {
        if (values.empty())
            return;
        std::remove_reference_t<decltype(values)> some;
        some.reserve(kept.size() * width);
        for (const std::size_t i : kept)
            some.insert(some.end(), values.begin() + static_cast<std::ptrdiff_t>(i * width),
                        values.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
        values = std::move(some);
    };
    const auto nodes = static_cast<std::size_t>(frame.nodes);
    pick(frame.points, 2 * nodes);
    pick(frame.pointScores, nodes);
    pick(frame.instanceScores, 1);
    pick(frame.trackingScores, 1);
    pick(frame.classes, 1);
    pick(frame.centroids, 2);
}

void applyFilters(FrameDetections& frame, const FilterOptions& o, FilteredKind kind) {
    if (frame.count() == 0)
        return;
    Filter filter(frame, kind);
    if (!kind.isCentroid) {
        if (o.minPeakValue > 0)
            filter.weakPoints(static_cast<float>(o.minPeakValue));
        if (o.minVisibleNodes > 0 || o.minVisibleNodeFraction > 0)
            filter.fewNodes(o.minVisibleNodes, o.minVisibleNodeFraction);
    }
    if (o.minInstanceScore > 0 && kind.hasInstanceScores)
        filter.lowScores(static_cast<float>(o.minInstanceScore));
    if (!kind.isCentroid) {
        if (o.minMeanNodeScore > 0)
            filter.lowMeans(static_cast<float>(o.minMeanNodeScore));
        if (o.overlapping)
            filter.overlapping(o.overlapMethod, o.overlapThreshold);
    }
    if (o.minCentroidDistance > 0)
        filter.closeCentroids(static_cast<float>(o.minCentroidDistance));
}

}  // namespace skein::inference
