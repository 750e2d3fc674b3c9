// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLineF>
#include <QPainter>
#include <QPixmap>
#include <QTransform>
#include <vector>

#include "engine/base/image.h"
#include "ui/canvas/hit_test.h"
#include "ui/shown_frame.h"

namespace skein::ui {

/// How skeletons are drawn. Sizes are in logical pixels and do not grow with the zoom.
struct OverlayStyle {
    int markerSize = 4;  ///< radius of a user node
    int labelSize = 12;  ///< pixels, node names
    bool hiddenNodes = true;
    bool names = false;
    bool edges = true;
};

/// What is marked beside the selected instance.
struct OverlayMarks {
    std::vector<project::InstanceId> alsoSelected;
    Hit picked;  ///< node that the arrow keys move
};

/// Draws the skeletons of one frame in one pass: edges of one colour in one call, nodes as ready-made sprites in one
/// call. User instances: round nodes, full lines; predictions: diamonds, thinner lines; nodes that are not visible:
/// hollow and small, their edges dashed. Under everything lies a halo, dark or light as the picture there asks.
///
/// GUI thread only. Coordinates: Point is in pixels of the frame with (0, 0) the centre of the top-left pixel, and
/// `toView` brings that to the widget.
class OverlayPainter {
public:
    void paint(QPainter& painter, const ShownFrame& frame, const QTransform& toView, const OverlayStyle& style,
               const Image* picture, project::InstanceId selected, project::InstanceId hovered,
               const OverlayMarks& marks = {});
    /// Names as they were painted last, in view coordinates.
    [[nodiscard]] const std::vector<NameBox>& names() const { return m_names; }
    /// Colours changed: sprites are made again.
    void dropCaches() { m_atlas = {}; }

private:
    struct Stroke {
        int color;
        double width;
        bool dashed;
        std::vector<QLineF> lines;
    };
    std::vector<QLineF>& linesOf(std::vector<Stroke>& strokes, int color, double width, bool dashed);
    void makeAtlas(int markerSize, double ratio);
    [[nodiscard]] QRectF sprite(int color, bool predicted, bool hidden, bool lightHalo) const;
    void paintNames(QPainter& painter, const ShownFrame& frame, const QTransform& toView, const OverlayStyle& style);
    void paintTag(QPainter& painter, const ShownInstance& instance, const QRectF& box, bool selected) const;
    static void paintHandles(QPainter& painter, const QRectF& box);

    QPixmap m_atlas;  ///< one column a colour, one row a state
    int m_atlasMarker = 0;
    double m_atlasRatio = 0;
    double m_cell = 0;  ///< side of a sprite in device pixels
    std::vector<NameBox> m_names;
    std::vector<Stroke> m_halos, m_strokes;
    std::vector<QPainter::PixmapFragment> m_fragments;
};

/// Bounding box of the points that have a place, in frame pixels; null when there are none.
[[nodiscard]] QRectF boundsOf(const ShownInstance& instance);

[[nodiscard]] QColor colorOf(const ShownInstance& instance);

}  // namespace skein::ui
