// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/track_marks.h"

#include <QPainterPath>
#include <algorithm>
#include <tuple>

#include "ui/canvas/hit_test.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {
constexpr double kArm = 7;  ///< px of the view, of a corner
constexpr double kLine = 1.5, kHalo = 3.5;
}  // namespace

std::vector<QRectF> TrackMarks::boxesOn(const ShownFrame& frame, const QTransform& toView) const {
    std::vector<QRectF> boxes;
    if (m_tracks.empty())
        return boxes;
    for (const ShownInstance& instance : frame.instances)
        if (m_tracks.contains(instance.header.track) && !instance.hidden && !m_view->isSelected(instance.header.id) &&
            std::any_of(instance.points.begin(), instance.points.end(), hasPlace))
            boxes.push_back(selectionBox(instance, toView));
    return boxes;
}

void TrackMarks::paint(QPainter& /*painter*/, const QTransform& /*toView*/, const QRect& /*view*/,
                       const ShownFrame& /*frame*/) {}

void TrackMarks::paintOver(QPainter& painter, const QTransform& toView, const QRect& /*view*/,
                           const ShownFrame& frame) {
    QPainterPath corners;
    for (const QRectF& box : boxesOn(frame, toView))
        for (const auto& [corner, right, down] :
             {std::tuple(box.topLeft(), 1, 1), std::tuple(box.topRight(), -1, 1), std::tuple(box.bottomLeft(), 1, -1),
              std::tuple(box.bottomRight(), -1, -1)}) {
            corners.moveTo(corner + QPointF(0, down * kArm));
            corners.lineTo(corner);
            corners.lineTo(corner + QPointF(right * kArm, 0));
        }
    if (corners.isEmpty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.strokePath(corners, QPen(theme::darkHalo(), kHalo));
    painter.strokePath(corners, QPen(theme::onPicture(), kLine));
    painter.restore();
}

}  // namespace skein::ui
