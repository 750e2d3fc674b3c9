// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style_strokes.h"

#include <QWidget>

namespace skein::ui::strokes {

using theme::tokens;

void drawChevron(QPainter* p, const QRectF& rect, Chevron way, const QColor& color) {
    const QPointF c = rect.center();
    const double r = 3.5;
    QPolygonF line;
    switch (way) {
        case Chevron::Down:
            line << c + QPointF(-r, -r / 2) << c + QPointF(0, r / 2) << c + QPointF(r, -r / 2);
            break;
        case Chevron::Up:
            line << c + QPointF(-r, r / 2) << c + QPointF(0, -r / 2) << c + QPointF(r, r / 2);
            break;
        case Chevron::Right:
            line << c + QPointF(-r / 2, -r) << c + QPointF(r / 2, 0) << c + QPointF(-r / 2, r);
            break;
        case Chevron::Left:
            line << c + QPointF(r / 2, -r) << c + QPointF(-r / 2, 0) << c + QPointF(r / 2, r);
            break;
    }
    p->save();
    p->setRenderHint(QPainter::Antialiasing);
    p->setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    p->setBrush(Qt::NoBrush);
    p->drawPolyline(line);
    p->restore();
}

void drawBox(QPainter* p, const QRect& rect, const QColor& fill, const QColor& border, double radius) {
    p->save();
    p->setRenderHint(QPainter::Antialiasing);
    p->setPen(border.isValid() ? QPen(border, 1) : QPen(Qt::NoPen));
    p->setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    const double inset = border.isValid() ? 0.5 : 0;
    p->drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), radius, radius);
    p->restore();
}

QColor inkOf(const QStyleOption* option) {
    return has(option, QStyle::State_Enabled) ? tokens().text : tokens().disabled;
}

bool isPrimary(const QStyleOption* option, const QWidget* widget) {
    if (widget != nullptr && widget->property("primary").toBool())
        return true;
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    return button != nullptr && button->features.testFlag(QStyleOptionButton::DefaultButton);
}

void drawCommandButton(const QStyleOption* option, QPainter* p, const QWidget* widget) {
    const auto& t = tokens();
    const bool enabled = has(option, QStyle::State_Enabled);
    const bool down = has(option, QStyle::State_Sunken) || has(option, QStyle::State_On);
    const bool hover = has(option, QStyle::State_MouseOver);
    if (isPrimary(option, widget) && enabled) {
        QColor fill = t.accent;
        if (down)
            fill = theme::mix(fill, t.text, 0.2);
        else if (hover)
            fill = theme::mix(fill, t.text, 0.1);
        drawBox(p, option->rect, fill, {});
    } else {
        const QColor fill = !enabled ? t.surface2 : down ? t.pressed : hover ? t.hover : t.surface;
        drawBox(p, option->rect, fill, t.line);
    }
    if (has(option, QStyle::State_HasFocus) && has(option, QStyle::State_KeyboardFocusChange))
        drawBox(p, option->rect, {}, isPrimary(option, widget) ? t.text : t.accent);
}

}  // namespace skein::ui::strokes
