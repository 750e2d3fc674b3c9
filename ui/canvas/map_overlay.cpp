// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/map_overlay.h"

#include <QLineF>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "ui/theme.h"

namespace skein::ui {

namespace {

constexpr double kApart = 12;         ///< px between arrows
constexpr double kArrow = 11;         ///< px, of a vector of length 1
constexpr float kWeak = 0.15F;        ///< vectors below it are noise
constexpr double kMostOpaque = 0.85;  ///< so that the animal is seen through the surest pixel

inference::MapKind kindOf(MapChoice choice) {
    return choice == MapChoice::PartAffinity ? inference::MapKind::PartAffinity
           : choice == MapChoice::Centroids  ? inference::MapKind::Centroids
                                             : inference::MapKind::Confidence;
}

MapOverlay::Sheet sheetOf(const inference::MapLayer& layer) {
    std::array<QRgb, 256> colors{};
    for (std::size_t i = 0; i < colors.size(); ++i) {
        const double share = static_cast<double>(i) / 255;
        QColor color = theme::rampColor(share);
        color.setAlphaF(static_cast<float>(kMostOpaque * std::sqrt(share)));
        colors[i] = qPremultiply(color.rgba());
    }
    MapOverlay::Sheet sheet;
    sheet.image = QImage(layer.width, layer.height, QImage::Format_ARGB32_Premultiplied);
    const std::size_t plane = static_cast<std::size_t>(layer.width) * static_cast<std::size_t>(layer.height);
    for (int y = 0; y < layer.height; ++y) {
        auto* line = reinterpret_cast<QRgb*>(sheet.image.scanLine(y));
        for (int x = 0; x < layer.width; ++x) {
            float best = 0;
            std::size_t at =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(layer.width) + static_cast<std::size_t>(x);
            for (int c = 0; c < layer.channels; ++c, at += plane)
                best = std::max(best, layer.values[at]);  // keeps 0 where a value is not a number
            line[x] = colors[static_cast<std::size_t>(std::lround(255 * std::clamp(best, 0.0F, 1.0F)))];
        }
    }
    // A map pixel is as wide as a step, and its centre lies on a multiple of it.
    sheet.scene = QRectF(layer.originX - layer.step / 2, layer.originY - layer.step / 2, layer.width * layer.step,
                         layer.height * layer.step);
    return sheet;
}

MapOverlay::Field fieldOf(const inference::MapLayer& layer) {
    MapOverlay::Field field{layer.width, layer.height, layer.step, layer.originX, layer.originY, {}, {}, {}};
    const std::size_t plane = static_cast<std::size_t>(layer.width) * static_cast<std::size_t>(layer.height);
    field.x.assign(plane, 0);
    field.y.assign(plane, 0);
    field.edge.assign(plane, 0);
    std::vector<float> best(plane, kWeak * kWeak);
    for (int e = 0; 2 * e + 1 < layer.channels; ++e) {
        const float* x = layer.values.data() + static_cast<std::size_t>(2 * e) * plane;
        const float* y = x + plane;
        for (std::size_t i = 0; i < plane; ++i)
            if (const float strength = x[i] * x[i] + y[i] * y[i]; strength > best[i]) {
                best[i] = strength;
                field.x[i] = x[i];
                field.y[i] = y[i];
                field.edge[i] = static_cast<std::uint16_t>(e);
            }
    }
    return field;
}

void paintField(QPainter& painter, const MapOverlay::Field& field, const QTransform& toView) {
    const double zoom = std::sqrt(std::fabs(toView.determinant()));
    const int cell = std::max(1, static_cast<int>(std::ceil(kApart / (field.step * zoom))));
    const QRectF view = QRectF(painter.viewport());
    const QRectF seen = toView.inverted().mapRect(painter.transform().inverted().mapRect(view));
    const auto clampTo = [](double value, int most) { return static_cast<int>(std::clamp(value, 0.0, double(most))); };
    const int left = clampTo(std::floor((seen.left() - field.originX) / field.step), field.width) / cell * cell;
    const int top = clampTo(std::floor((seen.top() - field.originY) / field.step), field.height) / cell * cell;
    const int right = clampTo(std::ceil((seen.right() - field.originX) / field.step) + 1, field.width);
    const int bottom = clampTo(std::ceil((seen.bottom() - field.originY) / field.step) + 1, field.height);
    const QTransform turn(toView.m11() / zoom, toView.m12() / zoom, toView.m21() / zoom, toView.m22() / zoom, 0, 0);
    std::map<int, std::vector<QLineF>> arrows;
    for (int cy = top; cy < bottom; cy += cell)
        for (int cx = left; cx < right; cx += cell) {
            std::size_t place = 0;
            float best = 0;
            for (int y = cy; y < std::min(cy + cell, field.height); ++y)
                for (int x = cx; x < std::min(cx + cell, field.width); ++x) {
                    const std::size_t i = static_cast<std::size_t>(y) * static_cast<std::size_t>(field.width) +
                                          static_cast<std::size_t>(x);
                    const float strength = field.x[i] * field.x[i] + field.y[i] * field.y[i];
                    if (strength > best) {
                        best = strength;
                        place = i;
                    }
                }
            if (best <= 0)
                continue;
            const auto row = static_cast<double>(place / static_cast<std::size_t>(field.width));
            const auto column = static_cast<double>(place % static_cast<std::size_t>(field.width));
            const QPointF at =
                toView.map(QPointF(field.originX + column * field.step, field.originY + row * field.step));
            const QPointF by = turn.map(QPointF(double(field.x[place]), double(field.y[place]))) * kArrow;
            const QPointF tip = at + by / 2, back = by * 0.35, side(-by.y() * 0.2, by.x() * 0.2);
            auto& lines = arrows[field.edge[place]];
            lines.emplace_back(at - by / 2, tip);
            lines.emplace_back(tip, tip - back + side);
            lines.emplace_back(tip, tip - back - side);
        }
    for (const auto& [edge, lines] : arrows) {
        painter.setPen(QPen(theme::darkHalo(), 2.4));
        painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    }
    for (const auto& [edge, lines] : arrows) {
        painter.setPen(QPen(theme::trackColor(edge), 1.2));
        painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    }
}

}  // namespace

bool hasMaps(const inference::FrameMaps& maps, MapChoice choice) {
    return choice != MapChoice::None && std::any_of(maps.layers.begin(), maps.layers.end(),
                                                    [choice](const auto& l) { return l.kind == kindOf(choice); });
}

MapOverlay makeMapOverlay(const inference::FrameMaps& maps, MapChoice choice) {
    MapOverlay overlay;
    overlay.choice = choice;
    if (choice == MapChoice::None)
        return overlay;
    for (const inference::MapLayer& layer : maps.layers) {
        if (layer.kind != kindOf(choice) || layer.width < 1 || layer.height < 1)
            continue;
        if (choice == MapChoice::PartAffinity)
            overlay.fields.push_back(fieldOf(layer));
        else
            overlay.sheets.push_back(sheetOf(layer));
    }
    return overlay;
}

void paintMapOverlay(QPainter& painter, const MapOverlay& overlay, const QTransform& toView) {
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    for (const MapOverlay::Sheet& sheet : overlay.sheets) {
        painter.save();
        painter.setTransform(toView, true);
        painter.drawImage(sheet.scene, sheet.image);
        painter.restore();
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (const MapOverlay::Field& field : overlay.fields)
        paintField(painter, field, toView);
    painter.restore();
}

}  // namespace skein::ui
