// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/hit_test.h"

#include <algorithm>
#include <cmath>

#include "ui/canvas/overlay_painter.h"

namespace skein::ui {

namespace {

constexpr double kEdgeReach = 4;
constexpr double kNodeReach = 7;
constexpr double kHandleReach = 7;
constexpr double kBoxMargin = 8;

double distance(QPointF a, QPointF b) {
    return std::hypot(a.x() - b.x(), a.y() - b.y());
}

double distanceToLine(QPointF p, QPointF a, QPointF b) {
    const QPointF along = b - a;
    const double length = QPointF::dotProduct(along, along);
    const double t = length == 0 ? 0 : std::clamp(QPointF::dotProduct(p - a, along) / length, 0.0, 1.0);
    return distance(p, a + t * along);
}

struct Candidate {
    Hit hit;
    int rank;        ///< meaning, the lower the nearer
    double measure;  ///< distance, or the box's area
};

}  // namespace

QRectF selectionBox(const ShownInstance& instance, const QTransform& toView) {
    return toView.mapRect(boundsOf(instance)).adjusted(-kBoxMargin, -kBoxMargin, kBoxMargin, kBoxMargin);
}

std::vector<Hit> hitsAt(const ShownFrame& frame, const QTransform& toView, QPointF viewPoint,
                        project::InstanceId selected, const HitStyle& style) {
    const double nodeReach = std::max(style.markerRadius + 3, kNodeReach);
    std::vector<Candidate> found;
    for (const ShownInstance& instance : frame.instances) {
        if (!isInSight(instance))
            continue;
        const bool isSelected = instance.header.id == selected;
        Candidate best{{instance.header.id, -1, -1}, -1, 0};
        std::vector<QPointF> places;
        for (std::size_t i = 0; i < instance.points.size(); ++i) {
            places.push_back(toView.map(QPointF(instance.points[i].x, instance.points[i].y)));
            if (!hasPlace(instance.points[i]) || (!instance.hiddenNodes && !instance.points[i].visible))
                continue;
            const double d = distance(viewPoint, places.back());
            if (d <= nodeReach && (best.rank < 0 || d < best.measure)) {
                best.rank = isSelected ? 1 : instance.header.kind == project::InstanceKind::User ? 2 : 3;
                best.hit.node = static_cast<int>(i);
                best.measure = d;
            }
        }
        if (best.rank < 0)
            for (const NameBox& name : style.names)
                if (name.instance == instance.header.id && name.box.contains(viewPoint)) {
                    best.rank = 4;
                    best.hit.node = name.node;
                    best.measure = isSelected ? 0 : 1;
                    break;
                }
        if (best.rank < 0 && isSelected && instance.header.kind == project::InstanceKind::User &&
            std::any_of(instance.points.begin(), instance.points.end(), hasPlace)) {
            const QRectF box = selectionBox(instance, toView);
            const QPointF corners[] = {box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft()};
            for (int c = 0; c < 4; ++c)
                if (distance(viewPoint, corners[c]) <= kHandleReach) {
                    best.rank = 5;
                    best.hit.corner = c;
                    break;
                }
        }
        if (best.rank < 0)
            for (const project::Edge& edge : instance.skeleton->edges) {
                const auto a = static_cast<std::size_t>(edge.source), b = static_cast<std::size_t>(edge.destination);
                if (a >= places.size() || b >= places.size() || !hasPlace(instance.points[a]) ||
                    !hasPlace(instance.points[b]))
                    continue;
                if (!instance.hiddenNodes && (!instance.points[a].visible || !instance.points[b].visible))
                    continue;  // not drawn
                const double d = distanceToLine(viewPoint, places[a], places[b]);
                if (d <= kEdgeReach && (best.rank < 0 || d < best.measure)) {
                    best.rank = 6;
                    best.measure = d;
                }
            }
        if (best.rank < 0) {
            const QRectF box = toView.mapRect(boundsOf(instance));
            if (box.contains(viewPoint)) {
                best.rank = 7;
                best.measure = isSelected ? 0 : box.width() * box.height();
            }
        }
        if (best.rank >= 0)
            found.push_back(best);
    }
    std::stable_sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
        return a.rank != b.rank ? a.rank < b.rank : a.measure < b.measure;
    });
    std::vector<Hit> hits;
    hits.reserve(found.size());
    for (const Candidate& candidate : found)
        hits.push_back(candidate.hit);
    return hits;
}

}  // namespace skein::ui
