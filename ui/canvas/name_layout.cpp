// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/name_layout.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace skein::ui {

namespace {

constexpr double kPadding = 3;

/// Middle of the widest gap between `angles`; to the right when there are none.
double widestGap(std::vector<double>& angles) {
    if (angles.empty())
        return 0;
    std::sort(angles.begin(), angles.end());
    double best = 0, width = -1;
    for (std::size_t i = 0; i < angles.size(); ++i) {
        const double next = i + 1 < angles.size() ? angles[i + 1] : angles.front() + 2 * std::numbers::pi;
        if (next - angles[i] > width) {
            width = next - angles[i];
            best = (next + angles[i]) / 2;
        }
    }
    return best;
}

}  // namespace

std::vector<NameBox> layOutNames(const ShownFrame& frame, const QTransform& toView, const QFontMetricsF& metrics,
                                 const OverlayStyle& style, project::InstanceId selected) {
    std::vector<NameBox> names;
    std::vector<double> angles, widths;
    std::vector<QPointF> places;
    const project::Skeleton* measured = nullptr;
    const double height = metrics.height();
    const double scoreWidth = style.scores ? metrics.horizontalAdvance(QStringLiteral("0.00")) + kPadding : 0;
    const double markerRadius = style.markerSize;
    std::vector<const ShownInstance*> order;
    for (auto it = frame.instances.rbegin(); it != frame.instances.rend(); ++it)
        if (isInSight(*it))
            order.push_back(&*it);
    std::stable_partition(order.begin(), order.end(),
                          [selected](const ShownInstance* i) { return i->header.id == selected; });
    for (const ShownInstance* shown : order) {
        const ShownInstance& instance = *shown;
        const bool user = instance.header.kind == project::InstanceKind::User;
        if (!style.names && user)
            continue;  // a person's points have no score
        if (instance.skeleton != measured) {
            measured = instance.skeleton;
            widths.clear();
            for (const std::string& node : measured->nodes)
                widths.push_back(style.names ? metrics.horizontalAdvance(QString::fromStdString(node)) : 0);
        }
        places.clear();
        for (const project::Point& p : instance.points)
            places.push_back(toView.map(QPointF(p.x, p.y)));
        for (std::size_t i = 0; i < instance.points.size() && i < widths.size(); ++i) {
            const project::Point& p = instance.points[i];
            if (!hasPlace(p) || (!p.visible && !instance.hiddenNodes))
                continue;
            angles.clear();
            for (const project::Edge& edge : instance.skeleton->edges) {
                const auto a = static_cast<std::size_t>(edge.source), b = static_cast<std::size_t>(edge.destination);
                const std::size_t other = a == i ? b : b == i ? a : places.size();
                if (other < places.size() && other != i && hasPlace(instance.points[other]))
                    angles.push_back(std::atan2(places[other].y() - places[i].y(), places[other].x() - places[i].x()));
            }
            const double angle = widestGap(angles);
            const double score = user ? 0 : scoreWidth;
            const double width = widths[i] + score + 2 * kPadding + (user && p.complete && p.visible ? kNameTick : 0);
            // The box touches a circle about the node from outside, whatever the direction.
            const double c = std::cos(angle), s = std::sin(angle);
            const QPointF middle =
                places[i] + QPointF(c * (markerRadius + 3 + width / 2), s * (markerRadius + 3 + height / 2));
            names.push_back({instance.header.id, static_cast<int>(i),
                             QRectF(middle.x() - width / 2, middle.y() - height / 2, width, height), score, false,
                             shown});
        }
    }
    // Sorted by their left side, so that only neighbours are compared; the one that matters less gives way.
    std::vector<std::size_t> byLeft(names.size());
    for (std::size_t i = 0; i < byLeft.size(); ++i)
        byLeft[i] = i;
    std::sort(byLeft.begin(), byLeft.end(),
              [&names](std::size_t a, std::size_t b) { return names[a].box.left() < names[b].box.left(); });
    for (std::size_t i = 0; i < byLeft.size(); ++i)
        for (std::size_t j = i + 1; j < byLeft.size() && names[byLeft[j]].box.left() < names[byLeft[i]].box.right();
             ++j)
            if (names[byLeft[i]].box.intersects(names[byLeft[j]].box))
                names[std::max(byLeft[i], byLeft[j])].crowded = true;
    return names;
}

}  // namespace skein::ui
