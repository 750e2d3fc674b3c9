// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/overlay_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {

constexpr double kUserWidth = 2.0;
constexpr double kPredictedWidth = 1.5;
constexpr double kSelectedExtra = 1.0;
constexpr double kHalo = 1.0;
constexpr int kDarkHalo = 0, kLightHalo = 1;
constexpr int kColumns = theme::kTrackColors + 1;  // the last one is the neutral colour
constexpr int kHiddenOffset = 64;                  // stroke colours at half opacity

QColor paletteColor(int color) {
    return color == kNeutralColor ? theme::neutralColor() : theme::trackColor(color);
}
int columnOf(int color) {
    return color == kNeutralColor ? theme::kTrackColors : color % theme::kTrackColors;
}
QColor haloColor(int halo) {
    return halo == kLightHalo ? QColor(255, 255, 255, 190) : QColor(0, 0, 0, 170);
}

/// Mean lightness of the picture under the instance's nodes, 0 to 1, as WCAG counts it.
double groundUnder(const ShownInstance& instance, const Image* picture) {
    if (picture == nullptr || picture->pixels.empty())
        return 0.05;
    double sum = 0;
    int count = 0;
    for (const project::Point& p : instance.points) {
        const double x = std::round(p.x), y = std::round(p.y);
        if (!(x >= 0 && y >= 0 && x < picture->width && y < picture->height))
            continue;
        const std::uint8_t* pixel = picture->pixels.data() + static_cast<std::size_t>(y) * picture->rowBytes() +
                                    static_cast<std::size_t>(x) * static_cast<std::size_t>(picture->channels);
        const double level =
            picture->channels >= 3 ? (pixel[0] + 4.0 * pixel[1] + 2.0 * pixel[2]) / (7 * 255.0) : pixel[0] / 255.0;
        sum += level * level;  // close enough to linear light
        ++count;
    }
    return count == 0 ? 0.05 : sum / count;
}

/// The halo takes the ground's side while the colour itself stands out, and the opposite one when it would not.
int haloFor(const ShownInstance& instance, const Image* picture) {
    const double ground = groundUnder(instance, picture);
    const double ink = theme::luminance(paletteColor(instance.color));
    const double contrast = (std::max(ground, ink) + 0.05) / (std::min(ground, ink) + 0.05);
    const bool groundIsLight = ground > 0.25;
    if (contrast >= 2.5)
        return groundIsLight ? kLightHalo : kDarkHalo;
    return ink > 0.25 ? kDarkHalo : kLightHalo;
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
    return paletteColor(instance.color);
}

std::vector<QLineF>& OverlayPainter::linesOf(std::vector<Stroke>& strokes, int color, double width, bool dashed) {
    for (Stroke& stroke : strokes)
        if (stroke.color == color && stroke.width == width && stroke.dashed == dashed)
            return stroke.lines;
    strokes.push_back({color, width, dashed, {}});
    return strokes.back().lines;
}

void OverlayPainter::makeAtlas(int markerSize, double ratio) {
    m_atlasMarker = markerSize;
    m_atlasRatio = ratio;
    m_cell = std::ceil((2.0 * markerSize + 6) * ratio);
    m_atlas = QPixmap(static_cast<int>(m_cell) * kColumns, static_cast<int>(m_cell) * 8);
    m_atlas.fill(Qt::transparent);
    QPainter painter(&m_atlas);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int column = 0; column < kColumns; ++column)
        for (int row = 0; row < 8; ++row) {
            const bool predicted = (row & 1) != 0, hidden = (row & 2) != 0;
            const int halo = (row & 4) != 0 ? kLightHalo : kDarkHalo;
            const QColor color = paletteColor(column == theme::kTrackColors ? kNeutralColor : column);
            painter.save();
            painter.translate((column + 0.5) * m_cell, (row + 0.5) * m_cell);
            painter.scale(ratio, ratio);
            const auto shape = [&](double radius) {
                if (!predicted) {
                    painter.drawEllipse(QPointF(0, 0), radius, radius);
                    return;
                }
                const double r = radius * 1.15;
                painter.drawPolygon(QPolygonF() << QPointF(0, -r) << QPointF(r, 0) << QPointF(0, r) << QPointF(-r, 0));
            };
            double radius = predicted ? markerSize * 0.8 : markerSize;
            // Not visible: about half the size and hollow, so that the picture is seen through it.
            if (hidden)
                radius *= 0.65;
            const double pen = hidden ? 1.2 : 1.5;
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(haloColor(halo), pen + (hidden ? 1.0 : 2.0) * kHalo));
            shape(radius);
            painter.setPen(QPen(color, pen));
            if (!hidden) {
                QColor fill = color;
                fill.setAlpha(predicted ? 255 : 128);
                painter.setBrush(fill);
            }
            shape(radius);
            painter.restore();
        }
}

QRectF OverlayPainter::sprite(int color, bool predicted, bool hidden, bool lightHalo) const {
    const int row = (predicted ? 1 : 0) | (hidden ? 2 : 0) | (lightHalo ? 4 : 0);
    return {columnOf(color) * m_cell, row * m_cell, m_cell, m_cell};
}

void OverlayPainter::paint(QPainter& painter, const ShownFrame& frame, const QTransform& toView,
                           const OverlayStyle& style, const Image* picture, project::InstanceId selected,
                           project::InstanceId hovered, const OverlayMarks& marks) {
    m_names.clear();
    if (frame.instances.empty())
        return;
    const double ratio = painter.device()->devicePixelRatioF();
    if (m_atlas.isNull() || m_atlasMarker != style.markerSize || m_atlasRatio != ratio)
        makeAtlas(style.markerSize, ratio);
    for (auto* list : {&m_halos, &m_strokes})
        for (Stroke& stroke : *list)
            stroke.lines.clear();
    m_fragments.clear();

    // The selected instance comes last, so that it lies on top.
    std::vector<const ShownInstance*> order;
    order.reserve(frame.instances.size());
    for (const ShownInstance& instance : frame.instances)
        if (instance.header.id != selected && !instance.hidden)
            order.push_back(&instance);
    for (const ShownInstance& instance : frame.instances)  // a copy that is being dragged has the same id
        if (selected != 0 && instance.header.id == selected && !instance.hidden)
            order.push_back(&instance);

    std::vector<QPointF> places;
    for (const ShownInstance* instance : order) {
        const bool predicted = instance->header.kind == project::InstanceKind::Predicted;
        const int halo = haloFor(*instance, picture);
        const double width =
            (predicted ? kPredictedWidth : kUserWidth) + (instance->header.id == selected ? kSelectedExtra : 0.0);
        places.resize(instance->points.size());
        for (std::size_t i = 0; i < places.size(); ++i)
            places[i] = toView.map(QPointF(instance->points[i].x, instance->points[i].y));
        if (style.edges)
            for (const project::Edge& edge : instance->skeleton->edges) {
                const auto a = static_cast<std::size_t>(edge.source), b = static_cast<std::size_t>(edge.destination);
                if (a >= places.size() || b >= places.size() || !hasPlace(instance->points[a]) ||
                    !hasPlace(instance->points[b]))
                    continue;
                const bool hidden = !instance->points[a].visible || !instance->points[b].visible;
                if (hidden && !style.hiddenNodes)
                    continue;
                const QLineF line(places[a], places[b]);
                linesOf(m_halos, halo, width + 2 * kHalo, false).push_back(line);
                linesOf(m_strokes, instance->color + (hidden ? kHiddenOffset : 0), width, hidden).push_back(line);
            }
        for (std::size_t i = 0; i < places.size(); ++i) {
            const project::Point& p = instance->points[i];
            if (!hasPlace(p) || (!p.visible && !style.hiddenNodes))
                continue;
            m_fragments.push_back(QPainter::PixmapFragment::create(
                places[i], sprite(instance->color, predicted, !p.visible, halo == kLightHalo), 1 / ratio, 1 / ratio));
        }
    }

    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    for (const Stroke& halo : m_halos)
        if (!halo.lines.empty()) {
            painter.setPen(QPen(haloColor(halo.color), halo.width, Qt::SolidLine, Qt::FlatCap));
            painter.drawLines(halo.lines.data(), static_cast<int>(halo.lines.size()));
        }
    for (const Stroke& stroke : m_strokes)
        if (!stroke.lines.empty()) {
            const bool faint = stroke.color >= kHiddenOffset - 1;
            QColor color = paletteColor(faint ? stroke.color - kHiddenOffset : stroke.color);
            if (faint)
                color.setAlphaF(0.5F);
            painter.setPen(QPen(color, stroke.width, stroke.dashed ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap));
            painter.drawLines(stroke.lines.data(), static_cast<int>(stroke.lines.size()));
        }
    if (!m_fragments.empty())
        painter.drawPixmapFragments(m_fragments.data(), static_cast<int>(m_fragments.size()), m_atlas);
    if (style.names)
        paintNames(painter, frame, toView, style);
    const bool many = !marks.alsoSelected.empty();
    for (const ShownInstance* instance : order) {
        const bool isSelected = instance->header.id == selected ||
                                std::find(marks.alsoSelected.begin(), marks.alsoSelected.end(), instance->header.id) !=
                                    marks.alsoSelected.end();
        if (!isSelected && instance->header.id != hovered)
            continue;
        if (std::none_of(instance->points.begin(), instance->points.end(), hasPlace))
            continue;
        const QRectF box = selectionBox(*instance, toView);
        paintTag(painter, *instance, box, isSelected);
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
            painter.setPen(QPen(Qt::white, 2));
            painter.drawEllipse(at, radius, radius);
        }
    painter.restore();
}

void OverlayPainter::paintTag(QPainter& painter, const ShownInstance& instance, const QRectF& box,
                              bool selected) const {
    const QColor color = paletteColor(instance.color);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(haloColor(kDarkHalo), selected ? 3.0 : 2.0));
    painter.drawRoundedRect(box, theme::kRadius, theme::kRadius);
    painter.setPen(QPen(selected ? QColor(Qt::white) : color, 1.0));
    painter.drawRoundedRect(box, theme::kRadius, theme::kRadius);

    QString label = instance.trackName.isEmpty()
                        ? QStringLiteral("#%1").arg(instance.place + 1)
                        : QStringLiteral("#%1  %2").arg(instance.place + 1).arg(instance.trackName);
    if (label.size() > 40)
        label = label.left(38) + QChar(0x2026);
    if (instance.header.kind == project::InstanceKind::Predicted)
        label += QStringLiteral("   ") + text::fixed(double(instance.header.score), 2);
    const QFontMetricsF metrics(painter.font());
    const double width = metrics.horizontalAdvance(label) + 2 * theme::kMargin;
    const double height = metrics.height() + theme::kGrid;
    const QRectF ground = painter.transform().inverted().mapRect(QRectF(painter.viewport()));
    QRectF tag(box.left(), box.top() - height - 4, width, height);
    if (tag.top() < ground.top() + 2)
        tag.moveTop(box.bottom() + 4);
    tag.moveLeft(std::clamp(tag.left(), ground.left() + 2, std::max(ground.left() + 2, ground.right() - width - 2)));
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, 200));
    painter.drawRoundedRect(tag, theme::kRadius, theme::kRadius);
    painter.setBrush(color);
    painter.drawRoundedRect(QRectF(tag.left(), tag.top(), 3, tag.height()), 1.5, 1.5);
    painter.setPen(Qt::white);
    painter.drawText(tag.adjusted(theme::kMargin, 0, -theme::kGrid, 0), Qt::AlignVCenter | Qt::AlignLeft, label);
}

void OverlayPainter::paintHandles(QPainter& painter, const QRectF& box) {
    constexpr double kHalf = 3.5;
    painter.setPen(QPen(haloColor(kDarkHalo), 1));
    painter.setBrush(Qt::white);
    for (const QPointF& corner : {box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft()})
        painter.drawRect(QRectF(corner.x() - kHalf, corner.y() - kHalf, 2 * kHalf, 2 * kHalf));
}

void OverlayPainter::paintNames(QPainter& painter, const ShownFrame& frame, const QTransform& toView,
                                const OverlayStyle& style) {
    QFont plain = painter.font();
    plain.setPixelSize(style.labelSize);
    QFont bold = plain, slanted = plain;
    bold.setBold(true);
    slanted.setBold(true);
    slanted.setItalic(true);
    // Laid out for the widest of the three, so that a name does not move when its node's state changes.
    m_names = layOutNames(frame, toView, QFontMetricsF(bold), style.markerSize, style.hiddenNodes);
    const QRectF ground = painter.transform().inverted().mapRect(QRectF(painter.viewport()));
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const NameBox& name : m_names) {
        const ShownInstance* instance = frame.find(name.instance);
        if (instance == nullptr || !ground.intersects(name.box))
            continue;
        const project::Point& p = instance->points[static_cast<std::size_t>(name.node)];
        const bool user = instance->header.kind == project::InstanceKind::User;
        const bool done = user && p.complete && p.visible;
        painter.setOpacity(name.crowded ? 0.35 : 1.0);
        painter.fillRect(name.box, QColor(0, 0, 0, p.visible ? 150 : 200));
        painter.setFont(!p.visible ? slanted : done ? bold : plain);
        painter.setPen(!p.visible ? theme::neutralColor()
                       : done     ? theme::completeName()
                       : user     ? theme::incompleteName()
                                  : QColor(Qt::white));
        const QString text = QString::fromStdString(instance->skeleton->nodes[static_cast<std::size_t>(name.node)]);
        QRectF box = name.box;
        if (done) {
            const QPointF tick(box.left() + 3, box.center().y());
            const QPointF stroke[] = {tick + QPointF(0, 0), tick + QPointF(2.5, 3), tick + QPointF(7, -3.5)};
            painter.save();
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(painter.pen().color(), 1.5));
            painter.drawPolyline(stroke, 3);
            painter.restore();
            box.setLeft(box.left() + 10);
        }
        painter.drawText(box, Qt::AlignCenter, text);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setOpacity(1);
}

}  // namespace skein::ui
