// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/line_color.h"

#include <algorithm>

#include "ui/theme.h"

namespace skein::ui {

QColor lineColor(QColor color, const QColor& ground) {
    constexpr double kContrast = 3;
    constexpr double kMiddle = 0.18;  // luminance that is as far from black as from white
    constexpr float kStep = 0.02F;
    const double under = theme::luminance(ground);
    const float step = under > kMiddle ? -kStep : kStep;
    const auto isSeen = [&] {
        const auto [dark, light] = std::minmax({theme::luminance(color), under});
        return (light + 0.05) / (dark + 0.05) >= kContrast;
    };
    float hue = 0, saturation = 0, lightness = 0, alpha = 1;
    color.getHslF(&hue, &saturation, &lightness, &alpha);
    while (!isSeen() && lightness + step >= 0 && lightness + step <= 1) {
        lightness += step;
        color.setHslF(hue, saturation, lightness, alpha);
    }
    return color;
}

}  // namespace skein::ui
