// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>
#include <QPainter>
#include <QStyleOption>

#include "ui/theme.h"

// What the parts of SkeinStyle draw with; for these sources only.
namespace skein::ui::strokes {

enum class Chevron { Up, Down, Right, Left };
void drawChevron(QPainter* p, const QRectF& rect, Chevron way, const QColor& color);
/// With rounded corners; an invalid colour is not drawn.
void drawBox(QPainter* p, const QRect& rect, const QColor& fill, const QColor& border, double radius = theme::kRadius);

[[nodiscard]] inline bool has(const QStyleOption* option, QStyle::StateFlag flag) {
    return option->state.testFlag(flag);
}
[[nodiscard]] QColor inkOf(const QStyleOption* option);
/// The one button of a view that is drawn in the accent colour.
[[nodiscard]] bool isPrimary(const QStyleOption* option, const QWidget* widget);
void drawCommandButton(const QStyleOption* option, QPainter* p, const QWidget* widget);

/// Room for the sign of a menu in a button that opens one.
inline constexpr int kMenuSign = 14;

}  // namespace skein::ui::strokes
