// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/name_layout.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace skein::ui {

namespace {

constexpr double kPadding = 3;
/// Room for the tick of a complete node.
constexpr double kTick = 10;

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
                                 double markerRadius, bool hiddenNodes) {
    std::vector<NameBox> names;
    std::vector<double> angles;
    std::vector<double> widths;
    const project::Skeleton* measured = nullptr;
    const double height = metrics.height();
    for (auto it = frame.instances.rbegin(); it != frame.instances.rend(); ++it) {
        const ShownInstance& instance = *it;
        if (instance.hidden)
            continue;
        if (instance.skeleton != measured) {
            measured = instance.skeleton;
            widths.clear();
            for (const std::string& node : measured->nodes)
                widths.push_back(metrics.horizontalAdvance(QString::fromStdString(node)));
        }
        std::vector<QPointF> places;
        for (const project::Point& p : instance.points)
            places.push_back(toView.map(QPointF(p.x, p.y)));
        for (std::size_t i = 0; i < instance.points.size() && i < widths.size(); ++i) {
            const project::Point& p = instance.points[i];
            if (!hasPlace(p) || (!p.visible && !hiddenNodes))
                continue;
            angles.clear();
            for (const project::Edge& edge : instance.skeleton->edges) {
                const auto a = static_cast<std::size_t>(edge.source), b = static_cast<std::size_t>(edge.destination);
                const std::size_t other = a == i ? b : b == i ? a : places.size();
                if (other < places.size() && other != i && hasPlace(instance.points[other]))
                    angles.push_back(std::atan2(places[other].y() - places[i].y(), places[other].x() - places[i].x()));
            }
            const double angle = widestGap(angles);
            const bool user = instance.header.kind == project::InstanceKind::User;
            const double width = widths[i] + 2 * kPadding + (user && p.complete && p.visible ? kTick : 0);
            // The box touches a circle about the node from outside, whatever the direction.
            const double c = std::cos(angle), s = std::sin(angle);
            const QPointF middle =
                places[i] + QPointF(c * (markerRadius + 3 + width / 2), s * (markerRadius + 3 + height / 2));
            NameBox name{instance.header.id, static_cast<int>(i),
                         QRectF(middle.x() - width / 2, middle.y() - height / 2, width, height), false};
            names.push_back(name);
        }
    }
    // Sorted by their left side, so that only neighbours are compared.
    std::vector<std::size_t> order(names.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::sort(order.begin(), order.end(),
              [&names](std::size_t a, std::size_t b) { return names[a].box.left() < names[b].box.left(); });
    for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t j = i + 1; j < order.size() && names[order[j]].box.left() < names[order[i]].box.right(); ++j)
            if (names[order[i]].box.intersects(names[order[j]].box))
                names[std::max(order[i], order[j])].crowded = true;
    return names;
}

}  // namespace skein::ui
