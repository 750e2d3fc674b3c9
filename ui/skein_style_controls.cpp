// SPDX-License-Identifier: GPL-3.0-or-later
// Whole controls: labels, headers, bars, tabs, progress.
#include <QStyleOption>
#include <QTabBar>

#include "ui/skein_style.h"
#include "ui/style_strokes.h"

namespace skein::ui {

using namespace strokes;
using theme::tokens;

namespace {

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

}  // namespace skein::ui
