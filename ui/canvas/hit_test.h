// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPointF>
#include <QTransform>
#include <vector>

#include "ui/shown_frame.h"

namespace skein::ui {

/// What lies under a pixel of the view.
struct Hit {
    project::InstanceId instance = 0;  ///< 0: nothing
    int node = -1;                     ///< -1: the instance, but none of its nodes
};

/// What the pointer means, nearest meaning first: a node of the selected instance, a node of a user instance, a node of
/// a prediction, an edge within 4 px, the smallest box that holds the point. Every instance appears once. Distances are
/// in logical pixels of the view, whatever the zoom.
[[nodiscard]] std::vector<Hit> hitsAt(const ShownFrame& frame, const QTransform& toView, QPointF viewPoint,
                                      project::InstanceId selected, double markerRadius, bool hiddenNodes);

}  // namespace skein::ui
