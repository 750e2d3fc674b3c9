// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/given_centroids.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace skein::inference {
namespace {

constexpr std::array<std::pair<CentroidMethod, const char*>, 4> kNames = {
    {{CentroidMethod::CenterOfMass, "center_of_mass"},
     {CentroidMethod::BboxCenter, "bbox_center"},
     {CentroidMethod::GeometricMedian, "geometric_median"},
     {CentroidMethod::Anchor, "anchor"}}};

struct Position {
    double x, y;
};

Position meanOf(const std::vector<Position>& points) {
    Position sum{0, 0};
    for (const Position& p : points) {
        sum.x += p.x;
        sum.y += p.y;
    }
    const auto count = static_cast<double>(points.size());
    return {sum.x / count, sum.y / count};
}

Position boxCenterOf(const std::vector<Position>& points) {
    const auto [left, right] =
        std::minmax_element(points.begin(), points.end(), [](auto& a, auto& b) { return a.x < b.x; });
    const auto [top, bottom] =
        std::minmax_element(points.begin(), points.end(), [](auto& a, auto& b) { return a.y < b.y; });
    return {(left->x + right->x) / 2, (top->y + bottom->y) / 2};
}

/// Weiszfeld's iteration, from the mean on.
Position medianOf(const std::vector<Position>& points) {
    constexpr int kMostSteps = 100;
    constexpr double kSmallestMove = 1e-6;
    constexpr double kAtThePoint = 1e-12;  // a point under the estimate has no direction and is left out
    Position at = meanOf(points);
    for (int step = 0; step < kMostSteps; ++step) {
        Position sum{0, 0};
        double weights = 0;
        for (const Position& p : points) {
            const double distance = std::hypot(p.x - at.x, p.y - at.y);
            if (distance <= kAtThePoint)
                continue;
            sum.x += p.x / distance;
            sum.y += p.y / distance;
            weights += 1 / distance;
        }
        if (weights <= 0)
            break;
        const Position next{sum.x / weights, sum.y / weights};
        const double moved = std::hypot(next.x - at.x, next.y - at.y);
        at = next;
        if (moved < kSmallestMove)
            break;
    }
    return at;
}

}  // namespace

Result<CentroidMethod> parseCentroidMethod(std::string_view name) {
    for (const auto& [method, word] : kNames)
        if (name == word)
            return method;
    return fail(
        ErrorCode::InvalidArgument,
        "\"" + std::string(name) +
            "\" is no way to find a centroid; there are center_of_mass, bbox_center, geometric_median and anchor.");
}

const char* toString(CentroidMethod method) {
    for (const auto& [known, word] : kNames)
        if (known == method)
            return word;
    return "";
}

CentroidRule CentroidDefinition::on(const project::Skeleton& skeleton) const {
    CentroidRule rule{method, std::nullopt, fallback};
    if (method == CentroidMethod::Anchor)
        rule.anchor = skeleton.nodeIndex(anchorNode);
    return rule;
}

std::string CentroidDefinition::tag() const {
    return method == CentroidMethod::Anchor ? "anchor:" + anchorNode : toString(method);
}

Result<CentroidDefinition> centroidDefinition(const std::vector<models::ModelSpec>& models,
                                              const std::optional<std::string>& anchorPart) {
    CentroidDefinition definition;
    std::optional<std::string> anchor = anchorPart;
    std::optional<std::string> method, fallback;
    for (auto model = models.rbegin(); model != models.rend() && !anchor && !method; ++model) {
        anchor = model->anchorPart;
        method = model->centroidMethod;
        fallback = model->centroidFallback;
    }
    const std::vector<std::string>& nodes = models.back().skeleton.nodes;
    if (anchorPart && std::find(nodes.begin(), nodes.end(), *anchorPart) == nodes.end()) {
        std::string known;
        for (const std::string& node : nodes)
            known += (known.empty() ? "" : ", ") + node;
        return fail(ErrorCode::InvalidArgument, "The model's skeleton has no node \"" + *anchorPart +
                                                    "\" to anchor at; its nodes are " + known + ".");
    }
    if (fallback) {
        auto parsed = parseCentroidMethod(*fallback);
        if (!parsed)
            return fail(parsed.error());
        definition.fallback = *parsed;
    }
    if (anchor) {
        definition.method = CentroidMethod::Anchor;
        definition.anchorNode = *anchor;
    } else if (method) {
        auto parsed = parseCentroidMethod(*method);
        if (!parsed)
            return fail(parsed.error());
        definition.method = *parsed == CentroidMethod::Anchor ? CentroidMethod::CenterOfMass : *parsed;
    }
    return definition;
}

std::optional<CentroidPoint> centroidOf(std::span<const project::Point> points, const CentroidRule& rule) {
    std::vector<Position> visible;
    for (const project::Point& p : points)
        if (p.exists())
            visible.push_back({p.x, p.y});
    if (visible.empty())
        return std::nullopt;
    CentroidMethod method = rule.method;
    if (method == CentroidMethod::Anchor) {
        const bool known = rule.anchor && *rule.anchor >= 0 && static_cast<std::size_t>(*rule.anchor) < points.size();
        if (known && points[static_cast<std::size_t>(*rule.anchor)].exists()) {
            const project::Point& anchor = points[static_cast<std::size_t>(*rule.anchor)];
            return CentroidPoint{static_cast<float>(anchor.x), static_cast<float>(anchor.y)};
        }
        method = rule.fallback;
    }
    Position at{};
    switch (method) {
        case CentroidMethod::BboxCenter:
            at = boxCenterOf(visible);
            break;
        case CentroidMethod::GeometricMedian:
            at = medianOf(visible);
            break;
        case CentroidMethod::CenterOfMass:
        case CentroidMethod::Anchor:
            at = meanOf(visible);
            break;
    }
    return CentroidPoint{static_cast<float>(at.x), static_cast<float>(at.y)};
}

}  // namespace skein::inference
