// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes, hints and icons; what is drawn is in skein_style_primitives.cpp, _controls.cpp and _complex.cpp.
#include "ui/skein_style.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QStyleFactory>
#include <QStyleOption>
#include <algorithm>

#include "ui/icons.h"
#include "ui/style_strokes.h"
#include "ui/theme.h"

namespace skein::ui {

using strokes::kMenuSign;
using theme::tokens;

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

}  // namespace skein::ui
