// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/overlay_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/canvas/ink.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {

constexpr double kUserWidth = 2.0;
constexpr double kPredictedWidth = 1.5;
constexpr double kSelectedExtra = 1.0;
constexpr double kHalo = 1.0;
constexpr double kWedge = 2.5;  ///< of a wedge's wide end, times a line's width
constexpr int kDarkHalo = 0, kLightHalo = 1;
constexpr int kStates = 8;

QColor haloColor(int halo) {
    return halo == kLightHalo ? theme::lightHalo() : theme::darkHalo();
}

/// Mean lightness of the picture under the instance's nodes, 0 to 1, as WCAG counts it.
double groundUnder(const ShownInstance& instance, const QImage& picture) {
    constexpr double kUnknown = 0.05;
    if (picture.isNull())
        return kUnknown;
    double sum = 0;
    int count = 0;
    for (const project::Point& p : instance.points) {
        const double x = std::round(p.x), y = std::round(p.y);
        if (!(x >= 0 && y >= 0 && x < picture.width() && y < picture.height()))
            continue;
        const QRgb pixel =
            reinterpret_cast<const QRgb*>(picture.constScanLine(static_cast<int>(y)))[static_cast<int>(x)];
        const double level = (qBlue(pixel) + 4.0 * qGreen(pixel) + 2.0 * qRed(pixel)) / (7 * 255.0);
        sum += level * level;  // close enough to linear light
        ++count;
    }
    return count == 0 ? kUnknown : sum / count;
}

/// The halo takes the ground's side while the colour itself stands out, and the opposite one when it would not.
int haloFor(double ground, double ink) {
    const double contrast = (std::max(ground, ink) + 0.05) / (std::min(ground, ink) + 0.05);
    const bool groundIsLight = ground > 0.25;
    if (contrast >= 2.5)
        return groundIsLight ? kLightHalo : kDarkHalo;
    return ink > 0.25 ? kDarkHalo : kLightHalo;
}

/// Draws a wedge along the line, from its full width to nothing.
void drawWedge(QPainter& painter, const QLineF& line, double width) {
    const double length = line.length();
    if (length <= 0)
        return;
    const QPointF side(-line.dy() / length * width / 2, line.dx() / length * width / 2);
    const std::array<QPointF, 3> corners = {line.p1() + side, line.p2(), line.p1() - side};
    painter.drawConvexPolygon(corners.data(), static_cast<int>(corners.size()));
}

/// One node about the origin, with the pen and brush that are set.
void drawMarker(QPainter& painter, MarkerShape shape, bool predicted, double radius) {
    if (shape == MarkerShape::ByKind)
        shape = predicted ? MarkerShape::Diamond : MarkerShape::Circle;
    const double r = radius * 1.15;  // corners look smaller than a round of the same size
    switch (shape) {
        case MarkerShape::ByKind:
        case MarkerShape::Circle:
            painter.drawEllipse(QPointF(0, 0), radius, radius);
            return;
        case MarkerShape::Square:
            painter.drawRect(QRectF(-0.9 * radius, -0.9 * radius, 1.8 * radius, 1.8 * radius));
            return;
        case MarkerShape::Diamond:
            painter.drawPolygon(QPolygonF() << QPointF(0, -r) << QPointF(r, 0) << QPointF(0, r) << QPointF(-r, 0));
            return;
        case MarkerShape::Triangle:
            painter.drawPolygon(QPolygonF() << QPointF(0, -r) << QPointF(r, 0.8 * r) << QPointF(-r, 0.8 * r));
            return;
        case MarkerShape::Cross:
            painter.drawLine(QPointF(-radius, -radius), QPointF(radius, radius));
            painter.drawLine(QPointF(-radius, radius), QPointF(radius, -radius));
            return;
    }
}

/// The pieces of a dashed line; the painter's own dashes take several times as long.
void addDashes(std::vector<QLineF>& lines, const QLineF& line) {
    constexpr double kOn = 8, kOff = 5;
    constexpr double kMost = 4000;  // of a zoomed line only so much can be in sight
    const double length = line.length();
    if (!(length > 0) || length > kMost) {
        lines.push_back(line);
        return;
    }
    for (double at = 0; at < length; at += kOn + kOff)
        lines.emplace_back(line.pointAt(at / length), line.pointAt(std::min(at + kOn, length) / length));
}

}  // namespace

QRectF boundsOf(const ShownInstance& instance) {
    double left = 0, right = 0, top = 0, bottom = 0;
    bool any = false;
    for (const project::Point& p : instance.points) {
        if (!hasPlace(p))
            continue;
        left = any ? std::min(left, p.x) : p.x;
        right = any ? std::max(right, p.x) : p.x;
        top = any ? std::min(top, p.y) : p.y;
        bottom = any ? std::max(bottom, p.y) : p.y;
        any = true;
    }
    return any ? QRectF(left, top, right - left, bottom - top) : QRectF();
}

QColor colorOf(const ShownInstance& instance) {
    return inkColor(instance.color);
}

void OverlayPainter::setLook(const OverlayLook& look) {
    if (look != m_look)
        dropCaches();
    m_look = look;
}

void OverlayPainter::dropCaches() {
    m_atlas = {};
    m_namePainter.dropCaches();
}

std::vector<QLineF>& OverlayPainter::linesOf(std::vector<Stroke>& strokes, std::size_t& last, const Stroke& like) {
    const auto same = [&like](const Stroke& s) {
        return s.ink == like.ink && s.width == like.width && s.faint == like.faint;
    };
    // Neighbours in a skeleton mostly look alike.
    if (last < strokes.size() && same(strokes[last]))
        return strokes[last].lines;
    for (last = 0; last < strokes.size(); ++last)
        if (same(strokes[last]))
            return strokes[last].lines;
    strokes.push_back(like);
    return strokes.back().lines;
}

void OverlayPainter::makeAtlas(const OverlayStyle& style, double ratio) {
    m_atlasMarker = style.markerSize;
    m_atlasRatio = ratio;
    m_atlasPalette = style.palette;
    m_inks.clear();
    for (int place = 0; place < inkCount(style.palette); ++place) {
        const QColor color = inkColor(inkAt(place, style.palette), style.palette);
        m_inks.push_back({color, theme::luminance(color)});
    }
    m_cell = std::ceil((2.0 * style.markerSize + 6) * ratio);
    m_atlas = QPixmap(static_cast<int>(m_cell) * inkCount(style.palette), static_cast<int>(m_cell) * kStates);
    m_atlas.fill(Qt::transparent);
    QPainter painter(&m_atlas);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int column = 0; column < inkCount(style.palette); ++column)
        for (int row = 0; row < kStates; ++row) {
            const bool predicted = (row & 1) != 0, hidden = (row & 2) != 0;
            const int halo = (row & 4) != 0 ? kLightHalo : kDarkHalo;
            const bool uncolored = inkAt(column, style.palette) == kUncolored;
            const QColor color = m_inks[static_cast<std::size_t>(column)].color;
            painter.save();
            painter.translate((column + 0.5) * m_cell, (row + 0.5) * m_cell);
            painter.scale(ratio, ratio);
            const auto shape = [&](double radius) { drawMarker(painter, m_look.shape, predicted, radius); };
            double radius =
                predicted && m_look.shape == MarkerShape::ByKind ? style.markerSize * 0.8 : style.markerSize;
            // Not visible: half the size and hollow, so that the picture is seen through it.
            radius = hidden ? std::max(radius * 0.5, std::min(radius, 2.0)) : radius;
            // The halo of a hollow one lies outside alone.
            const double pen = hidden ? 1.0 : 1.5;
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(haloColor(halo), hidden ? 1.6 * kHalo : pen + 2 * kHalo));
            shape(hidden ? radius + 0.6 : radius);
            painter.setPen(QPen(uncolored ? theme::uncoloredOutline() : color, pen));
            if (!hidden) {
                QColor fill = color;
                fill.setAlpha(predicted ? 255 : 128);
                painter.setBrush(fill);
            }
            shape(radius);
            painter.restore();
        }
}

void OverlayPainter::gather(const ShownFrame& frame, const QTransform& toView, const OverlayStyle& style,
                            const QImage& picture, project::InstanceId selected) {
    for (auto* list : {&m_halos, &m_strokes})
        for (Stroke& stroke : *list)
            stroke.lines.clear();
    m_fragments.clear();
    // The selected instance comes last, so that it lies on top; a copy that is being dragged has the same id.
    m_order.clear();
    for (const bool onTop : {false, true})
        for (const ShownInstance& instance : frame.instances)
            if (isInSight(instance) && (selected != 0 && instance.header.id == selected) == onTop)
                m_order.push_back(&instance);

    InkChooser inks(style);
    std::size_t lastHalo = 0, lastStroke = 0;
    const double scale = 1 / m_atlasRatio;
    for (const ShownInstance* instance : m_order) {
        inks.begin(*instance);
        const bool predicted = instance->header.kind == project::InstanceKind::Predicted;
        const double ground = groundUnder(*instance, picture);
        const double width = (m_look.lineWidth > 0 ? m_look.lineWidth
                              : predicted          ? kPredictedWidth
                                                   : kUserWidth) +
                             (instance->header.id == selected ? kSelectedExtra : 0.0);
        m_places.resize(instance->points.size());
        for (std::size_t i = 0; i < m_places.size(); ++i)
            m_places[i] = toView.map(QPointF(instance->points[i].x, instance->points[i].y));
        const auto& edges = instance->skeleton->edges;
        for (std::size_t e = 0; style.edges && e < edges.size(); ++e) {
            const auto a = static_cast<std::size_t>(edges[e].source),
                       b = static_cast<std::size_t>(edges[e].destination);
            if (a >= m_places.size() || b >= m_places.size() || !hasPlace(instance->points[a]) ||
                !hasPlace(instance->points[b]))
                continue;
            const bool hidden = !instance->points[a].visible || !instance->points[b].visible;
            if (hidden && !instance->hiddenNodes)
                continue;
            const int ink = inkPlace(inks.edge(e), style.palette);
            const QLineF line(m_places[a], m_places[b]);
            auto& lines = linesOf(m_strokes, lastStroke, {ink, width, hidden, {}});
            if ((hidden || (predicted && style.dashPredicted)) && style.edgeStyle == EdgeStyle::Line)
                addDashes(lines, line);
            else
                lines.push_back(line);
            // Edges that lead to nowhere visible stay in the background.
            if (!hidden)
                linesOf(m_halos, lastHalo,
                        {haloFor(ground, m_inks[static_cast<std::size_t>(ink)].luminance), width, false, {}})
                    .push_back(line);
        }
        for (std::size_t i = 0; m_look.nodes && i < m_places.size(); ++i) {
            const project::Point& p = instance->points[i];
            if (!hasPlace(p) || (!p.visible && !instance->hiddenNodes))
                continue;
            const int ink = inkPlace(inks.node(i), style.palette);
            const int halo = haloFor(ground, m_inks[static_cast<std::size_t>(ink)].luminance);
            const int row = (predicted ? 1 : 0) | (p.visible ? 0 : 2) | (halo == kLightHalo ? 4 : 0);
            m_fragments.push_back(QPainter::PixmapFragment::create(
                m_places[i], QRectF(ink * m_cell, row * m_cell, m_cell, m_cell), scale, scale));
        }
    }
}

void OverlayPainter::drawEdges(QPainter& painter, const OverlayStyle& style) {
    const auto draw = [&](const Stroke& stroke, const QColor& color, double more) {
        if (style.edgeStyle == EdgeStyle::Wedge) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(color);
            for (const QLineF& line : stroke.lines)
                drawWedge(painter, line, kWedge * stroke.width + more);
            return;
        }
        painter.setPen(QPen(color, stroke.width + more, Qt::SolidLine, Qt::FlatCap));
        painter.drawLines(stroke.lines.data(), static_cast<int>(stroke.lines.size()));
    };
    for (const Stroke& halo : m_halos)
        if (!halo.lines.empty())
            draw(halo, haloColor(halo.ink), 2 * kHalo);
    for (const Stroke& stroke : m_strokes)
        if (!stroke.lines.empty()) {
            QColor color = m_inks[static_cast<std::size_t>(stroke.ink)].color;
            if (stroke.faint)
                color.setAlphaF(0.5F);
            draw(stroke, color, 0);
        }
}

void OverlayPainter::paint(QPainter& painter, const ShownFrame& frame, const QTransform& toView,
                           const OverlayStyle& style, const QImage& picture, project::InstanceId selected,
                           const OverlayMarks& marks) {
    m_namePainter.clear();
    if (frame.instances.empty())
        return;
    const double ratio = painter.device()->devicePixelRatioF();
    if (m_atlas.isNull() || m_atlasMarker != style.markerSize || m_atlasRatio != ratio ||
        m_atlasPalette != style.palette)
        makeAtlas(style, ratio);
    gather(frame, toView, style, picture, selected);

    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    drawEdges(painter, style);
    // Sprites that are not scaled need no filter, and are copied much faster without.
    painter.setRenderHint(QPainter::SmoothPixmapTransform, ratio != 1);
    if (!m_fragments.empty())
        painter.drawPixmapFragments(m_fragments.data(), static_cast<int>(m_fragments.size()), m_atlas);
    if (style.names || style.scores)
        m_namePainter.paint(painter, frame, toView, style, selected);
    const bool many = !marks.alsoSelected.empty();
    for (const ShownInstance* instance : m_order) {
        const bool isSelected = instance->header.id == selected ||
                                std::find(marks.alsoSelected.begin(), marks.alsoSelected.end(), instance->header.id) !=
                                    marks.alsoSelected.end();
        const bool isHovered = instance->header.id == marks.hovered.instance;
        if (!isSelected && !isHovered)
            continue;
        if (std::none_of(instance->points.begin(), instance->points.end(), hasPlace))
            continue;
        const QRectF box = selectionBox(*instance, toView);
        paintTag(painter, *instance, box, isSelected, isHovered ? marks.hovered.node : -1);
        if (isSelected && !many && instance->header.kind == project::InstanceKind::User)
            paintHandles(painter, box);
    }
    if (const ShownInstance* instance = frame.find(marks.picked.instance))
        if (const auto node = static_cast<std::size_t>(marks.picked.node);
            marks.picked.node >= 0 && node < instance->points.size() && hasPlace(instance->points[node])) {
            const QPointF at = toView.map(QPointF(instance->points[node].x, instance->points[node].y));
            const double radius = style.markerSize + 5;
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(haloColor(kDarkHalo), 4));
            painter.drawEllipse(at, radius, radius);
            painter.setPen(QPen(theme::onPicture(), 2));
            painter.drawEllipse(at, radius, radius);
        }
    painter.restore();
}

void OverlayPainter::paintTag(QPainter& painter, const ShownInstance& instance, const QRectF& box, bool selected,
                              int node) const {
    const QColor color = inkColor(instance.color);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(haloColor(kDarkHalo), selected ? 3.0 : 2.0));
    painter.drawRoundedRect(box, theme::kRadius, theme::kRadius);
    painter.setPen(QPen(selected ? theme::onPicture() : color, 1.0));
    painter.drawRoundedRect(box, theme::kRadius, theme::kRadius);

    constexpr int kLongest = 40;
    const bool predicted = instance.header.kind == project::InstanceKind::Predicted;
    QString label = instance.trackName.isEmpty()
                        ? QStringLiteral("#%1").arg(instance.place + 1)
                        : QStringLiteral("#%1  %2").arg(instance.place + 1).arg(instance.trackName);
    if (label.size() > kLongest)
        label = label.left(kLongest - 2) + QChar(0x2026);
    if (predicted)
        label += QStringLiteral("   ") + text::fixed(double(instance.header.score), 2);
    if (const auto n = static_cast<std::size_t>(node);
        node >= 0 && n < instance.skeleton->nodes.size() && n < instance.points.size()) {
        label += QStringLiteral("   ") + QString::fromStdString(instance.skeleton->nodes[n]).left(kLongest);
        if (predicted)
            label += QLatin1Char(' ') + text::fixed(instance.points[n].score, 2);
    }
    if (instance.speed == instance.speed)
        label += QStringLiteral("   ") + text::withUnit(text::fixed(instance.speed, 1), QStringLiteral("px/frame"));
    const QFontMetricsF metrics(painter.font());
    const double width = metrics.horizontalAdvance(label) + 2 * theme::kMargin;
    const double height = metrics.height() + theme::kGrid;
    const QRectF ground = painter.transform().inverted().mapRect(QRectF(painter.viewport()));
    QRectF tag(box.left(), box.top() - height - 4, width, height);
    if (tag.top() < ground.top() + 2)
        tag.moveTop(box.bottom() + 4);
    tag.moveLeft(std::clamp(tag.left(), ground.left() + 2, std::max(ground.left() + 2, ground.right() - width - 2)));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme::tagGround());
    painter.drawRoundedRect(tag, theme::kRadius, theme::kRadius);
    painter.setBrush(color);
    painter.drawRoundedRect(QRectF(tag.left(), tag.top(), 3, tag.height()), 1.5, 1.5);
    painter.setPen(theme::onPicture());
    painter.drawText(tag.adjusted(theme::kMargin, 0, -theme::kGrid, 0), Qt::AlignVCenter | Qt::AlignLeft, label);
}

void OverlayPainter::paintHandles(QPainter& painter, const QRectF& box) {
    constexpr double kHalf = 3.5;
    painter.setPen(QPen(haloColor(kDarkHalo), 1));
    painter.setBrush(theme::onPicture());
    for (const QPointF& corner : {box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft()})
        painter.drawRect(QRectF(corner.x() - kHalf, corner.y() - kHalf, 2 * kHalf, 2 * kHalf));
}

}  // namespace skein::ui
