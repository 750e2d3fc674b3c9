// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPainter>
#include <QTransform>
#include <vector>

#include "ui/shown_frame.h"

namespace skein::ui {

/// Something that is drawn between the picture and the skeletons, or over them. GUI thread only.
class CanvasLayer {
public:
    CanvasLayer() = default;
    CanvasLayer(const CanvasLayer&) = delete;
    CanvasLayer& operator=(const CanvasLayer&) = delete;
    virtual ~CanvasLayer() = default;
    /// `toView` brings frame pixels to the widget, `view` is what of it is in sight, `frame` what lies over the layer.
    virtual void paint(QPainter& painter, const QTransform& toView, const QRect& view, const ShownFrame& frame) = 0;
    /// The same once the skeletons are drawn, for what lies over them.
    virtual void paintOver(QPainter& /*painter*/, const QTransform& /*toView*/, const QRect& /*view*/,
                           const ShownFrame& /*frame*/) {}
};

/// Several layers as one, each over those that were added before it.
class LayerStack : public CanvasLayer {
public:
    void add(CanvasLayer* layer) { m_layers.push_back(layer); }
    void paint(QPainter& painter, const QTransform& toView, const QRect& view, const ShownFrame& frame) override {
        for (CanvasLayer* layer : m_layers)
            layer->paint(painter, toView, view, frame);
    }
    void paintOver(QPainter& painter, const QTransform& toView, const QRect& view, const ShownFrame& frame) override {
        for (CanvasLayer* layer : m_layers)
            layer->paintOver(painter, toView, view, frame);
    }

private:
    std::vector<CanvasLayer*> m_layers;
};

}  // namespace skein::ui
