// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPointF>
#include <QTransform>
#include <span>
#include <vector>

#include "ui/canvas/name_layout.h"
#include "ui/shown_frame.h"

namespace skein::ui {

/// What lies under a pixel of the view.
struct Hit {
    project::InstanceId instance = 0;  ///< 0: nothing
    int node = -1;                     ///< -1: the instance, but none of its nodes
    int corner = -1;                   ///< a Corner of the selected user instance's box; -1: none
    friend bool operator==(const Hit&, const Hit&) = default;
};

/// What can be hit beside the skeletons themselves, and how large it is.
struct HitStyle {
    double markerRadius = 4;
    std::span<const NameBox> names;  ///< written in the view now
};

/// Box of the selected instance as it is drawn, in view coordinates: its corners are the handles.
[[nodiscard]] QRectF selectionBox(const ShownInstance& instance, const QTransform& toView);

/// What the pointer means, nearest meaning first: a node of the selected instance, a node of a user instance, a node of
/// a prediction, a node's name, a corner handle of the selected user instance, an edge within 4 px, the smallest box
/// that holds the point. Every instance appears once. Distances are in logical pixels of the view, whatever the zoom.
[[nodiscard]] std::vector<Hit> hitsAt(const ShownFrame& frame, const QTransform& toView, QPointF viewPoint,
                                      project::InstanceId selected, const HitStyle& style);

}  // namespace skein::ui
