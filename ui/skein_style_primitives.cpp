// SPDX-License-Identifier: GPL-3.0-or-later
// Frames, panels, marks and arrows.
#include <QAbstractScrollArea>
#include <QStyleOption>

#include "ui/skein_style.h"
#include "ui/style_strokes.h"

namespace skein::ui {

using namespace strokes;
using theme::tokens;

namespace {

/// Around boxes and circles to tick: they must be seen when they are empty, against whatever lies below.
QColor markOutline(const QStyleOption* option) {
    const auto& t = tokens();
    if (!option->state.testFlag(QStyle::State_Enabled))
        return t.line;
    return option->state.testFlag(QStyle::State_MouseOver) ? t.text : t.text2;
}

void drawCheckMark(const QStyleOption* option, QPainter* painter) {
    const auto& t = tokens();
    const bool enabled = has(option, QStyle::State_Enabled);
    const QRect box(option->rect.center() - QPoint(7, 7), QSize(16, 16));
    const bool on = has(option, QStyle::State_On), partly = has(option, QStyle::State_NoChange);
    if ((on || partly) && enabled)
        drawBox(painter, box, t.accent, {}, 3);
    else
        drawBox(painter, box, enabled ? t.surface : t.surface2, markOutline(option), 3);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(enabled ? t.onAccent : t.disabled, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF o = box.topLeft();
    if (on)
        painter->drawPolyline(QPolygonF() << o + QPointF(4, 8.3) << o + QPointF(7, 11.2) << o + QPointF(12, 5));
    else if (partly)
        painter->drawLine(o + QPointF(4.5, 8), o + QPointF(11.5, 8));
    painter->restore();
}

void drawRadioMark(const QStyleOption* option, QPainter* painter) {
    const auto& t = tokens();
    const bool enabled = has(option, QStyle::State_Enabled);
    const QRect box(option->rect.center() - QPoint(7, 7), QSize(16, 16));
    const bool on = has(option, QStyle::State_On);
    if (on && enabled) {
        drawBox(painter, box, t.accent, {}, 8);
        drawBox(painter, box.adjusted(5, 5, -5, -5), t.onAccent, {}, 3);
    } else {
        drawBox(painter, box, enabled ? t.surface : t.surface2, markOutline(option), 8);
        if (on)
            drawBox(painter, box.adjusted(5, 5, -5, -5), t.disabled, {}, 3);
    }
}

}  // namespace

void SkeinStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
    const auto& t = tokens();
    const bool enabled = has(option, State_Enabled);
    switch (element) {
        case PE_PanelButtonCommand:
            drawCommandButton(option, painter, widget);
            return;
        case PE_PanelButtonTool: {
            const bool on = has(option, State_On);
            const bool sunken = has(option, State_Sunken);
            if (on || sunken)
                drawBox(painter, option->rect, t.pressed, {});
            else if (enabled && has(option, State_MouseOver))
                drawBox(painter, option->rect, t.hover, {});
            if (has(option, State_HasFocus) && has(option, State_KeyboardFocusChange))
                drawBox(painter, option->rect, {}, t.accent);
            return;
        }
        case PE_FrameButtonTool:
        case PE_FrameStatusBarItem:
        case PE_FrameDockWidget:
        case PE_FrameDefaultButton:
            return;
        case PE_PanelMenuBar:
            painter->fillRect(option->rect, t.surface2);
            return;
        case PE_PanelStatusBar:
            painter->fillRect(option->rect, t.surface2);
            painter->fillRect(QRect(option->rect.topLeft(), QSize(option->rect.width(), 1)), t.line);
            return;
        case PE_FrameFocusRect:
            drawBox(painter, option->rect, {}, t.accent);
            return;
        case PE_Frame:
            // Tables and lists touch the dock's edge: a frame would double the separator.
            if (qobject_cast<const QAbstractScrollArea*>(widget) == nullptr || widget->property("framed").toBool())
                drawBox(painter, option->rect, {}, t.line);
            return;
        case PE_FrameLineEdit:
            drawBox(painter, option->rect, {}, has(option, State_HasFocus) ? t.accent : t.line);
            return;
        case PE_PanelLineEdit: {
            const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            const bool framed = frame != nullptr && frame->lineWidth > 0;
            if (framed)
                drawBox(painter, option->rect, enabled ? t.surface : t.surface2,
                        has(option, State_HasFocus) ? t.accent : t.line);
            return;
        }
        case PE_FrameGroupBox:
            drawBox(painter, option->rect, {}, t.line);
            return;
        case PE_FrameMenu:
            painter->fillRect(option->rect, t.line);
            return;
        case PE_PanelMenu:
            painter->fillRect(option->rect, t.surface);
            drawBox(painter, option->rect, {}, t.line, 0);
            return;
        case PE_PanelTipLabel:
            painter->fillRect(option->rect, t.surface);
            drawBox(painter, option->rect, {}, t.line, 0);
            return;
        case PE_FrameTabBarBase:
        case PE_FrameTabWidget: {
            QRect rule = option->rect;
            if (element == PE_FrameTabBarBase)
                painter->fillRect(QRect(rule.left(), rule.bottom(), rule.width(), 1), t.line);
            return;
        }
        case PE_IndicatorTabClose:
            break;
        case PE_IndicatorDockWidgetResizeHandle: {
            const QRect r = option->rect;
            if (r.width() > r.height())
                painter->fillRect(QRect(r.left(), r.center().y(), r.width(), 1), t.line);
            else
                painter->fillRect(QRect(r.center().x(), r.top(), 1, r.height()), t.line);
            return;
        }
        case PE_IndicatorToolBarSeparator: {
            const QRect r = option->rect;
            if (has(option, State_Horizontal))
                painter->fillRect(QRect(r.center().x(), r.top() + 6, 1, r.height() - 12), t.line);
            else
                painter->fillRect(QRect(r.left() + 6, r.center().y(), r.width() - 12, 1), t.line);
            return;
        }
        case PE_IndicatorArrowDown:
            drawChevron(painter, option->rect, Chevron::Down, inkOf(option));
            return;
        case PE_IndicatorArrowUp:
            drawChevron(painter, option->rect, Chevron::Up, inkOf(option));
            return;
        case PE_IndicatorArrowRight:
            drawChevron(painter, option->rect, Chevron::Right, inkOf(option));
            return;
        case PE_IndicatorArrowLeft:
            drawChevron(painter, option->rect, Chevron::Left, inkOf(option));
            return;
        case PE_IndicatorHeaderArrow: {
            const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
            if (header != nullptr)
                drawChevron(painter, option->rect,
                            header->sortIndicator == QStyleOptionHeader::SortUp ? Chevron::Up : Chevron::Down, t.text2);
            return;
        }
        case PE_IndicatorCheckBox:
        case PE_IndicatorItemViewItemCheck:
            drawCheckMark(option, painter);
            return;
        case PE_IndicatorRadioButton:
            drawRadioMark(option, painter);
            return;
        default:
            break;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

}  // namespace skein::ui
