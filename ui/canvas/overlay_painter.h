// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QImage>
#include <QLineF>
#include <QPainter>
#include <QPixmap>
#include <QTransform>
#include <vector>

#include "ui/canvas/hit_test.h"
#include "ui/canvas/name_painter.h"
#include "ui/canvas/overlay_style.h"
#include "ui/shown_frame.h"

namespace skein::ui {

/// What is marked beside the selected instance.
struct OverlayMarks {
    std::vector<project::InstanceId> alsoSelected;
    Hit hovered;  ///< what lies under the pointer
    Hit picked;   ///< node that the arrow keys move
};

/// What every instance's nodes look like; ByKind: round for a person's, diamonds for predictions.
enum class MarkerShape { ByKind, Circle, Square, Diamond, Triangle, Cross };

/// What a rendered video may change beyond what the window offers.
struct OverlayLook {
    MarkerShape shape = MarkerShape::ByKind;
    double lineWidth = 0;  ///< of edges, logical pixels; 0: by kind
    bool nodes = true;
    friend bool operator==(const OverlayLook&, const OverlayLook&) = default;
};

/// Draws the skeletons of one frame in one pass: edges of one colour in one call, nodes as ready-made sprites in one
/// call. User instances: round nodes, full lines; predictions: diamonds, thinner lines; nodes that are not visible:
/// hollow and small, their edges dashed. Under everything lies a halo, dark or light as the picture there asks.
///
/// One thread at a time; Qt's platforms for X11, Wayland and offscreen let any thread have pixmaps. Colours come from
/// the palette of the style. Coordinates: Point is in pixels of the frame with (0, 0) the centre of the top-left pixel,
/// and `toView` brings that to the widget. What is left out by ShownInstance::hidden, unfocused and hiddenNodes is not
/// drawn. Nothing is allocated once the buffers have grown.
class OverlayPainter {
public:
    /// `picture`: what lies under the skeletons, 32-bit RGB in frame pixels; null: a dark ground.
    void paint(QPainter& painter, const ShownFrame& frame, const QTransform& toView, const OverlayStyle& style,
               const QImage& picture, project::InstanceId selected, const OverlayMarks& marks = {});
    /// Names as they were painted last, in view coordinates.
    [[nodiscard]] const std::vector<NameBox>& names() const { return m_namePainter.names(); }
    /// Colours changed: sprites are made again.
    void dropCaches();
    void setLook(const OverlayLook& look);

private:
    struct Stroke {
        int ink = 0;  ///< place in the table of inks; of a halo: dark or light
        double width = 1;
        bool faint = false;
        std::vector<QLineF> lines;
    };
    struct Ink {
        QColor color;
        double luminance = 0;
    };
    std::vector<QLineF>& linesOf(std::vector<Stroke>& strokes, std::size_t& last, const Stroke& like);
    void makeAtlas(const OverlayStyle& style, double ratio);
    void gather(const ShownFrame& frame, const QTransform& toView, const OverlayStyle& style, const QImage& picture,
                project::InstanceId selected);
    void drawEdges(QPainter& painter, const OverlayStyle& style);
    void paintTag(QPainter& painter, const ShownInstance& instance, const QRectF& box, bool selected, int node) const;
    static void paintHandles(QPainter& painter, const QRectF& box);

    QPixmap m_atlas;  ///< one column an ink, one row a state
    OverlayLook m_look;
    int m_atlasMarker = 0;
    double m_atlasRatio = 0;
    theme::Palette m_atlasPalette = theme::Palette::Safe;
    double m_cell = 0;  ///< side of a sprite in device pixels
    std::vector<Ink> m_inks;
    NamePainter m_namePainter;
    std::vector<const ShownInstance*> m_order;
    std::vector<QPointF> m_places;
    std::vector<Stroke> m_halos, m_strokes;
    std::vector<QPainter::PixmapFragment> m_fragments;
};

/// Bounding box of the points that have a place, in frame pixels; null when there are none.
[[nodiscard]] QRectF boundsOf(const ShownInstance& instance);

[[nodiscard]] QColor colorOf(const ShownInstance& instance);

}  // namespace skein::ui
