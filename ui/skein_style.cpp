// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/skein_style.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QScrollBar>
#include <QStyleFactory>
#include <QStyleOption>

#include "ui/icons.h"
#include "ui/theme.h"

namespace skein::ui {

using theme::tokens;

namespace {

constexpr int kMenuSign = 14;
constexpr int kMenuRule = 9;

enum class Chevron { Up, Down, Right, Left };

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

/// Around boxes and circles to tick: they must be seen when they are empty, against whatever lies below.
QColor markOutline(const QStyleOption* option) {
    const auto& t = tokens();
    if (!option->state.testFlag(QStyle::State_Enabled))
        return t.line;
    return option->state.testFlag(QStyle::State_MouseOver) ? t.text : t.text2;
}

void drawBox(QPainter* p, const QRect& rect, const QColor& fill, const QColor& border, double radius = theme::kRadius) {
    p->save();
    p->setRenderHint(QPainter::Antialiasing);
    p->setPen(border.isValid() ? QPen(border, 1) : QPen(Qt::NoPen));
    p->setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    const double inset = border.isValid() ? 0.5 : 0;
    p->drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), radius, radius);
    p->restore();
}

bool has(const QStyleOption* option, QStyle::StateFlag flag) {
    return option->state.testFlag(flag);
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

void drawTab(const QStyleOptionTab* option, QPainter* p) {
    const auto& t = tokens();
    const bool selected = has(option, QStyle::State_Selected);
    if (!selected && has(option, QStyle::State_MouseOver))
        p->fillRect(option->rect, t.hover);
    if (selected) {
        QRect bar = option->rect;
        const bool below = option->shape == QTabBar::RoundedSouth || option->shape == QTabBar::TriangularSouth;
        if (below)
            bar.setHeight(2);
        else
            bar.setTop(bar.bottom() - 1);
        p->fillRect(bar.adjusted(4, 0, -4, 0), t.accent);
    }
    if (has(option, QStyle::State_HasFocus))
        drawBox(p, option->rect.adjusted(2, 2, -2, -2), {}, t.accent);
}

}  // namespace

SkeinStyle::SkeinStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void SkeinStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    if (qobject_cast<QAbstractButton*>(widget) != nullptr || qobject_cast<QComboBox*>(widget) != nullptr)
        widget->setAttribute(Qt::WA_Hover);
}

QIcon SkeinStyle::standardIcon(StandardPixmap which, const QStyleOption* option, const QWidget* widget) const {
    switch (which) {
        case SP_TitleBarCloseButton:
        case SP_DockWidgetCloseButton:
        case SP_LineEditClearButton:
            return icon(QStringLiteral("close"));
        case SP_TitleBarNormalButton:
            return icon(QStringLiteral("float"));
        case SP_MessageBoxWarning:
            return icon(QStringLiteral("warning"), tokens().warn);
        case SP_MessageBoxCritical:
            return icon(QStringLiteral("error"), tokens().bad);
        case SP_MessageBoxInformation:
            return icon(QStringLiteral("info"), tokens().accent);
        default:
            return QProxyStyle::standardIcon(which, option, widget);
    }
}

QPixmap SkeinStyle::generatedIconPixmap(QIcon::Mode mode, const QPixmap& pixmap, const QStyleOption* option) const {
    // A track's colour is the same in a selected row.
    return mode == QIcon::Selected ? pixmap : QProxyStyle::generatedIconPixmap(mode, pixmap, option);
}

int SkeinStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
        case PM_ToolBarIconSize:
        case PM_ButtonIconSize:
            return theme::kIconSize;
        case PM_SmallIconSize:
        case PM_TabBarIconSize:
            return 16;
        case PM_ScrollBarExtent:
            return theme::kScrollBar;
        case PM_ScrollBarSliderMin:
            return theme::kMinTarget;
        case PM_DockWidgetSeparatorExtent:
        case PM_SplitterWidth:
            return 5;  // one pixel is drawn; the rest is there to be grabbed
        case PM_DockWidgetTitleMargin:
            return theme::kGrid;
        case PM_DefaultFrameWidth:
            return 1;
        case PM_ToolBarFrameWidth:
            return 0;
        case PM_ToolBarItemMargin:
            return theme::kGrid;
        case PM_ToolBarItemSpacing:
            return 2;
        case PM_ToolBarSeparatorExtent:
            return theme::kGap;
        case PM_ToolBarHandleExtent:
            return theme::kMargin;
        case PM_MenuBarPanelWidth:
            return 0;
        case PM_MenuBarItemSpacing:
            return 0;
        case PM_TabBarTabShiftVertical:
        case PM_TabBarTabShiftHorizontal:
            return 0;
        case PM_HeaderMargin:
        case PM_FocusFrameHMargin:
            return 6;  // text of neighbouring columns never touches
        case PM_HeaderDefaultSectionSizeVertical:
            return theme::kRowHeight;
        case PM_ButtonShiftHorizontal:
        case PM_ButtonShiftVertical:
            return 0;
        case PM_LayoutLeftMargin:
        case PM_LayoutTopMargin:
        case PM_LayoutRightMargin:
        case PM_LayoutBottomMargin:
            return theme::kMargin;
        case PM_IndicatorWidth:
        case PM_IndicatorHeight:
        case PM_ExclusiveIndicatorWidth:
        case PM_ExclusiveIndicatorHeight:
            return 16;
        default:
            return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int SkeinStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* returned) const {
    switch (hint) {
        case SH_EtchDisabledText:
        case SH_DitherDisabledText:
            return 0;
        case SH_ToolTip_WakeUpDelay:
            return 400;
        case SH_ScrollBar_LeftClickAbsolutePosition:
            return 1;
        case SH_ItemView_ShowDecorationSelected:
            return 1;
        default:
            return QProxyStyle::styleHint(hint, option, widget, returned);
    }
}

QSize SkeinStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                   const QWidget* widget) const {
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    switch (type) {
        case CT_PushButton:
            result.setHeight(std::max(result.height(), theme::kControlHeight));
            result.rwidth() += theme::kMargin;
            break;
        case CT_ComboBox:
        case CT_LineEdit:
        case CT_SpinBox:
            result.setHeight(std::max(result.height(), theme::kControlHeight));
            break;
        case CT_ToolButton:
            result.setHeight(std::max(result.height(), theme::kControlHeight));
            result.setWidth(std::max(result.width(), theme::kControlHeight));
            if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option))
                if (button->features.testFlag(QStyleOptionToolButton::HasMenu))
                    result.rwidth() += kMenuSign;
            if (widget != nullptr && widget->property("primary").toBool())
                result.rwidth() += theme::kGap;
            break;
        case CT_MenuBarItem:
            result = {size.width() + 2 * theme::kMargin, theme::kControlHeight};
            break;
        case CT_MenuItem:
            result.setHeight(std::max(result.height(), theme::kMinTarget));
            break;
        case CT_HeaderSection:
            result.setHeight(std::max(result.height(), theme::kRowHeight));
            break;
        case CT_TabBarTab:
            result.setHeight(std::max(result.height(), theme::kControlHeight));
            break;
        default:
            break;
    }
    return result;
}

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
        case PE_IndicatorItemViewItemCheck: {
            const QRect box(option->rect.center() - QPoint(7, 7), QSize(16, 16));
            const bool on = has(option, State_On), partly = has(option, State_NoChange);
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
            return;
        }
        case PE_IndicatorRadioButton: {
            const QRect box(option->rect.center() - QPoint(7, 7), QSize(16, 16));
            const bool on = has(option, State_On);
            if (on && enabled) {
                drawBox(painter, box, t.accent, {}, 8);
                drawBox(painter, box.adjusted(5, 5, -5, -5), t.onAccent, {}, 3);
            } else {
                drawBox(painter, box, enabled ? t.surface : t.surface2, markOutline(option), 8);
                if (on)
                    drawBox(painter, box.adjusted(5, 5, -5, -5), t.disabled, {}, 3);
            }
            return;
        }
        default:
            break;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void SkeinStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const {
    const auto& t = tokens();
    const QRect r = option->rect;
    switch (element) {
        case CE_PushButtonLabel: {
            auto button = *qstyleoption_cast<const QStyleOptionButton*>(option);
            if (isPrimary(option, widget) && has(option, State_Enabled))
                button.palette.setColor(QPalette::ButtonText, t.onAccent);
            QProxyStyle::drawControl(element, &button, painter, widget);
            return;
        }
        case CE_HeaderSection:
        case CE_HeaderEmptyArea:
            painter->fillRect(r, t.surface2);
            painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), t.line);
            if (element == CE_HeaderSection)
                painter->fillRect(QRect(r.right(), r.top() + 6, 1, r.height() - 12), t.line);
            return;
        case CE_HeaderLabel: {
            auto header = *qstyleoption_cast<const QStyleOptionHeader*>(option);
            header.palette.setColor(QPalette::ButtonText, t.text2);
            header.state.setFlag(State_On, false);  // not bold for the current column
            QProxyStyle::drawControl(element, &header, painter, widget);
            return;
        }
        case CE_ToolBar: {
            painter->fillRect(r, t.surface2);
            painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), t.line);
            return;
        }
        case CE_MenuBarEmptyArea:
            painter->fillRect(r, t.surface2);
            return;
        case CE_MenuBarItem: {
            auto item = *qstyleoption_cast<const QStyleOptionMenuItem*>(option);
            painter->fillRect(r, t.surface2);
            if (has(option, State_Selected) || has(option, State_Sunken))
                drawBox(painter, r.adjusted(1, 3, -1, -3), has(option, State_Sunken) ? t.pressed : t.hover, {});
            drawItemText(painter, r, Qt::AlignCenter | Qt::TextShowMnemonic | Qt::TextDontClip | Qt::TextSingleLine,
                         item.palette, has(option, State_Enabled), item.text, QPalette::ButtonText);
            return;
        }
        case CE_MenuItem:
            if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option))
                if (item->menuItemType == QStyleOptionMenuItem::Separator) {
                    painter->fillRect(
                        QRect(r.left() + theme::kMargin, r.center().y(), r.width() - 2 * theme::kMargin, 1), t.line);
                    return;
                }
            break;
        case CE_Splitter:
            painter->fillRect(r, t.surface2);
            if (has(option, State_Horizontal))
                painter->fillRect(QRect(r.center().x(), r.top(), 1, r.height()), t.line);
            else
                painter->fillRect(QRect(r.left(), r.center().y(), r.width(), 1), t.line);
            return;
        case CE_DockWidgetTitle: {
            const auto* dock = qstyleoption_cast<const QStyleOptionDockWidget*>(option);
            painter->fillRect(r, t.surface2);
            painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), t.line);
            if (dock != nullptr) {
                painter->save();
                painter->setFont(theme::headingFont());
                painter->setPen(t.text);
                const QRect title = subElementRect(SE_DockWidgetTitleBarText, option, widget).adjusted(4, 0, 0, 0);
                painter->drawText(title, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                                  painter->fontMetrics().elidedText(dock->title, Qt::ElideRight, title.width()));
                painter->restore();
            }
            return;
        }
        case CE_TabBarTabShape:
            if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option))
                drawTab(tab, painter);
            return;
        case CE_TabBarTabLabel: {
            auto tab = *qstyleoption_cast<const QStyleOptionTab*>(option);
            if (!has(option, State_Selected))
                tab.palette.setColor(QPalette::WindowText, t.text2);
            tab.state.setFlag(State_HasFocus, false);  // the shape draws the ring
            QProxyStyle::drawControl(element, &tab, painter, widget);
            return;
        }
        case CE_ProgressBarGroove:
            drawBox(painter, r, theme::mix(t.surface2, t.text, 0.12), {}, 3);
            return;
        case CE_ProgressBarContents: {
            const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option);
            if (bar == nullptr || bar->maximum <= bar->minimum) {
                // Unknown length: a calm block at a third, no motion.
                drawBox(painter, QRect(r.left(), r.top(), r.width() / 3, r.height()),
                        theme::mix(t.surface2, t.accent, 0.6), {}, 3);
                return;
            }
            const double share = double(bar->progress - bar->minimum) / double(bar->maximum - bar->minimum);
            const int width = static_cast<int>(share * r.width());
            if (width > 0)
                drawBox(painter, QRect(r.left(), r.top(), std::max(width, 4), r.height()), t.accent, {}, 3);
            return;
        }
        default:
            break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
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
