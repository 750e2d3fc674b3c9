// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/badge.h"

#include <QPainter>

#include "ui/theme.h"

namespace skein::ui {

namespace {
QFont badgeFont() {
    QFont font = theme::headingFont();
    font.setPointSizeF(std::max(7.0, font.pointSizeF() - 1));
    return font;
}
}  // namespace

Badge::Badge(const QString& objectName, const QString& words, QWidget* parent) : QAbstractButton(parent) {
    setObjectName(objectName);
    setAccessibleName(words);
    setText(words);
    setPressable(false);
    setAttribute(Qt::WA_Hover);
}

void Badge::setPressable(bool pressable) {
    setCheckable(pressable);
    setFocusPolicy(pressable ? Qt::TabFocus : Qt::NoFocus);
    setAttribute(Qt::WA_TransparentForMouseEvents, !pressable);
    setCursor(pressable ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

QSize Badge::sizeHint() const {
    const QFontMetrics metrics(badgeFont());
    return {metrics.horizontalAdvance(text()) + 2 * theme::kMargin + (isCheckable() ? theme::kGap : 0),
            theme::kMinTarget};
}

void Badge::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto& t = theme::tokens();
    const bool on = isCheckable() && isChecked();
    QColor ground = on ? t.accent : QColor(0, 0, 0, underMouse() ? 210 : 160);
    painter.setPen(hasFocus() ? QPen(Qt::white, 1.5) : QPen(Qt::NoPen));
    painter.setBrush(ground);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), theme::kRadius, theme::kRadius);
    const QColor ink = on ? t.onAccent : t.canvasText;
    QRect room = rect().adjusted(theme::kMargin, 0, -theme::kMargin, 0);
    if (isCheckable()) {
        // The dot is full while on, a ring while off: not by colour alone.
        painter.setPen(QPen(ink, 1.5));
        painter.setBrush(on ? QBrush(ink) : QBrush(Qt::NoBrush));
        painter.drawEllipse(QPointF(room.left() + 3, height() / 2.0), 3, 3);
        room.setLeft(room.left() + theme::kGap);
    }
    painter.setPen(ink);
    painter.setFont(badgeFont());
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, text());
}

}  // namespace skein::ui
