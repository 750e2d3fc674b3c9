// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/picture_adjustment.h"

#include <algorithm>
#include <cmath>

#include "ui/theme.h"

namespace skein::ui {

namespace {

QRgb falseColor(PictureAdjustment::Map map, double share) {
    const auto part = [](double value) { return static_cast<int>(std::lround(255 * std::clamp(value, 0.0, 1.0))); };
    switch (map) {
        case PictureAdjustment::Map::Ramp:
            return theme::rampColor(share).rgb();
        case PictureAdjustment::Map::Heat:
            return qRgb(part(3 * share), part(3 * share - 1), part(3 * share - 2));
        case PictureAdjustment::Map::Cold:
            return qRgb(part(3 * share - 2), part(3 * share - 1), part(3 * share));
        case PictureAdjustment::Map::None:
            break;
    }
    return qRgb(part(share), part(share), part(share));
}

}  // namespace

std::array<unsigned char, 256> levels(const PictureAdjustment& a) {
    std::array<unsigned char, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        double level = std::pow(static_cast<double>(i) / 255, 1 / a.gamma);
        level = (level - 0.5) * a.contrast + 0.5 + a.brightness;
        level = std::clamp(level, 0.0, 1.0);
        table[i] = static_cast<unsigned char>(std::lround(255 * (a.invert ? 1 - level : level)));
    }
    return table;
}

QImage adjusted(const QImage& picture, const PictureAdjustment& adjustment) {
    QImage result(picture.size(), QImage::Format_RGB32);
    const auto table = levels(adjustment);
    std::array<QRgb, 256> colors{};
    for (std::size_t i = 0; i < colors.size(); ++i)
        colors[i] = falseColor(adjustment.map, table[i] / 255.0);
    for (int y = 0; y < picture.height(); ++y) {
        const auto* from = reinterpret_cast<const QRgb*>(picture.constScanLine(y));
        auto* to = reinterpret_cast<QRgb*>(result.scanLine(y));
        if (adjustment.map == PictureAdjustment::Map::None)
            for (int x = 0; x < picture.width(); ++x)
                to[x] = 0xFF000000U | static_cast<QRgb>(table[(from[x] >> 16U) & 0xFFU]) << 16U |
                        static_cast<QRgb>(table[(from[x] >> 8U) & 0xFFU]) << 8U | table[from[x] & 0xFFU];
        else
            for (int x = 0; x < picture.width(); ++x)
                to[x] = colors[static_cast<std::size_t>(qGray(from[x]))];
    }
    return result;
}

}  // namespace skein::ui
