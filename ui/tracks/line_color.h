// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>

namespace skein::ui {

/// The colour, made darker or lighter with its hue kept, as far as it takes for a thin line to be seen on that ground:
/// contrast as in WCAG, at least 3. Colours of tracks are made for pictures, not for white.
[[nodiscard]] QColor lineColor(QColor color, const QColor& ground);

}  // namespace skein::ui
