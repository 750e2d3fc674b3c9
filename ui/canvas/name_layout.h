// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFontMetricsF>
#include <QRectF>
#include <QTransform>
#include <vector>

#include "ui/canvas/overlay_style.h"
#include "ui/shown_frame.h"

namespace skein::ui {

/// Room for the tick before the name of a complete node.
inline constexpr double kNameTick = 10;

/// Where a node's name, its score, or both are written, in view coordinates.
struct NameBox {
    project::InstanceId instance = 0;
    int node = -1;
    QRectF box;
    double score = 0;                   ///< width at the right end of the box that the score takes
    bool crowded = false;               ///< lies over a name that matters more
    const ShownInstance* of = nullptr;  ///< as long as the frame is there
};

/// Places all names of a frame: each beside its node, in the middle of the widest gap between the node's edges. The
/// selected instance matters most, then the one that comes last, since it lies on top. `metrics`: of the widest font
/// that names are written in, so that a name does not move when its node's state changes.
[[nodiscard]] std::vector<NameBox> layOutNames(const ShownFrame& frame, const QTransform& toView,
                                               const QFontMetricsF& metrics, const OverlayStyle& style,
                                               project::InstanceId selected = 0);

}  // namespace skein::ui
