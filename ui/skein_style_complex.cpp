// SPDX-License-Identifier: GPL-3.0-or-later
// Controls of several parts: tool buttons, scroll bars, combo boxes, spin boxes.
#include <QAbstractSpinBox>
#include <QStyleOption>
#include <algorithm>
#include <tuple>

#include "ui/skein_style.h"
#include "ui/style_strokes.h"

namespace skein::ui {

using namespace strokes;
using theme::tokens;

namespace {

void drawScrollBar(const QStyleOptionSlider* option, QPainter* p, const QStyle* style, const QWidget* widget) {
    const auto& t = tokens();
    p->fillRect(option->rect, t.surface);
    if (option->minimum == option->maximum)
        return;
    const QRect handle = style->subControlRect(QStyle::CC_ScrollBar, option, QStyle::SC_ScrollBarSlider, widget);
    const bool active = option->activeSubControls.testFlag(QStyle::SC_ScrollBarSlider);
    const QColor fill = theme::mix(t.surface, t.text2,
                                   has(option, QStyle::State_Sunken) && active ? 0.9
                                   : active                                    ? 0.7
                                                                               : 0.45);
    drawBox(p, handle.adjusted(2, 2, -2, -2), fill, {}, 3);
}

}  // namespace

QRect SkeinStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                 const QWidget* widget) const {
    if (control == CC_ScrollBar) {
        // No arrow buttons: the groove is the whole bar.
        const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (bar != nullptr) {
            const bool across = bar->orientation == Qt::Horizontal;
            const int length = across ? bar->rect.width() : bar->rect.height();
            if (part == SC_ScrollBarAddLine || part == SC_ScrollBarSubLine)
                return {};
            if (part == SC_ScrollBarGroove)
                return bar->rect;
            const qint64 range = qint64(bar->maximum) - bar->minimum;
            int handle = length;
            if (range > 0)
                handle = std::clamp(static_cast<int>(qint64(bar->pageStep) * length / (range + bar->pageStep)),
                                    std::min(length, theme::kMinTarget), length);
            const int start = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - handle,
                                                      bar->upsideDown);
            QRect rect;
            if (part == SC_ScrollBarSlider)
                rect =
                    across ? QRect(start, 0, handle, bar->rect.height()) : QRect(0, start, bar->rect.width(), handle);
            else if (part == SC_ScrollBarSubPage)
                rect = across ? QRect(0, 0, start, bar->rect.height()) : QRect(0, 0, bar->rect.width(), start);
            else if (part == SC_ScrollBarAddPage)
                rect = across ? QRect(start + handle, 0, length - start - handle, bar->rect.height())
                              : QRect(0, start + handle, bar->rect.width(), length - start - handle);
            return visualRect(bar->direction, bar->rect, rect.translated(bar->rect.topLeft()));
        }
    }
    return QProxyStyle::subControlRect(control, option, part, widget);
}

void SkeinStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                    const QWidget* widget) const {
    const auto& t = tokens();
    switch (control) {
        case CC_ToolButton: {
            const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
            if (button == nullptr)
                break;
            if (button->features.testFlag(QStyleOptionToolButton::HasMenu) &&
                !button->features.testFlag(QStyleOptionToolButton::MenuButtonPopup)) {
                // A button that opens a menu: its face at the left, the sign of the menu at the right.
                drawPrimitive(PE_PanelButtonTool, option, painter, widget);
                QStyleOptionToolButton face = *button;
                face.features.setFlag(QStyleOptionToolButton::HasMenu, false);
                face.rect.setRight(face.rect.right() - kMenuSign);
                drawControl(CE_ToolButtonLabel, &face, painter, widget);
                drawChevron(
                    painter,
                    QRect(button->rect.right() - kMenuSign - 1, button->rect.top(), kMenuSign, button->rect.height()),
                    Chevron::Down, has(option, State_Enabled) ? t.text2 : t.disabled);
                return;
            }
            if (!isPrimary(option, widget) || !has(option, State_Enabled))
                break;
            drawCommandButton(option, painter, widget);
            // Icon and word as one, in the middle.
            const QFontMetrics metrics(button->font);
            const bool words = button->toolButtonStyle != Qt::ToolButtonIconOnly;
            const int textWidth = words ? metrics.horizontalAdvance(button->text) + theme::kGrid : 0;
            const int side = button->iconSize.width();
            QRect place(0, 0, side, side);
            place.moveCenter(button->rect.center());
            place.moveLeft(button->rect.left() + (button->rect.width() - side - textWidth) / 2);
            button->icon.paint(painter, place);
            painter->setPen(t.onAccent);
            if (words)
                painter->drawText(
                    QRect(place.right() + theme::kGrid + 1, button->rect.top(), textWidth, button->rect.height()),
                    Qt::AlignVCenter | Qt::AlignLeft, button->text);
            return;
        }
        case CC_ScrollBar:
            if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
                drawScrollBar(bar, painter, this, widget);
                return;
            }
            break;
        case CC_ComboBox: {
            const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
            if (combo == nullptr)
                break;
            const bool enabled = has(option, State_Enabled);
            const bool focus = has(option, State_HasFocus);
            const QColor fill = !enabled                                           ? t.surface2
                                : has(option, State_MouseOver) && !combo->editable ? t.hover
                                                                                   : t.surface;
            if (combo->frame)
                drawBox(painter, combo->rect, fill, focus ? t.accent : t.line);
            drawChevron(painter, subControlRect(control, option, SC_ComboBoxArrow, widget), Chevron::Down,
                        enabled ? t.text2 : t.disabled);
            return;
        }
        case CC_SpinBox: {
            const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
            if (spin == nullptr)
                break;
            const bool enabled = has(option, State_Enabled);
            if (spin->frame)
                drawBox(painter, spin->rect, enabled ? t.surface : t.surface2,
                        has(option, State_HasFocus) ? t.accent : t.line);
            if (spin->buttonSymbols == QAbstractSpinBox::NoButtons)
                return;
            for (const auto& [part, way, flag] :
                 {std::tuple{SC_SpinBoxUp, Chevron::Up, QAbstractSpinBox::StepUpEnabled},
                  std::tuple{SC_SpinBoxDown, Chevron::Down, QAbstractSpinBox::StepDownEnabled}}) {
                const QRect box = subControlRect(control, option, part, widget);
                const bool can = enabled && spin->stepEnabled.testFlag(flag);
                if (can && spin->activeSubControls.testFlag(part) && has(option, State_MouseOver))
                    drawBox(painter, box.adjusted(0, 1, -1, -1), has(option, State_Sunken) ? t.pressed : t.hover, {},
                            2);
                drawChevron(painter, box, way, can ? t.text2 : t.disabled);
            }
            return;
        }
        default:
            break;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

}  // namespace skein::ui
