// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPainter>
#include <QTransform>

#include "ui/shown_frame.h"

namespace skein::ui {

/// Something that is drawn between the picture and the skeletons. GUI thread only.
class CanvasLayer {
public:
    CanvasLayer() = default;
    CanvasLayer(const CanvasLayer&) = delete;
    CanvasLayer& operator=(const CanvasLayer&) = delete;
    virtual ~CanvasLayer() = default;
    /// `toView` brings frame pixels to the widget, `view` is what of it is in sight, `frame` what lies over the layer.
    virtual void paint(QPainter& painter, const QTransform& toView, const QRect& view, const ShownFrame& frame) = 0;
};

}  // namespace skein::ui
