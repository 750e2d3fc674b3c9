// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFontMetricsF>
#include <QRectF>
#include <QTransform>
#include <vector>

#include "ui/shown_frame.h"

namespace skein::ui {

/// Where a node's name is written, in view coordinates.
struct NameBox {
    project::InstanceId instance = 0;
    int node = -1;
    QRectF box;
    bool crowded = false;  ///< lies over another name
};

/// Places all names of a frame: each beside its node, in the middle of the widest gap between the node's edges. Names
/// of the instance that comes last have the first choice, since it lies on top.
[[nodiscard]] std::vector<NameBox> layOutNames(const ShownFrame& frame, const QTransform& toView,
                                               const QFontMetricsF& metrics, double markerRadius, bool hiddenNodes);

}  // namespace skein::ui
