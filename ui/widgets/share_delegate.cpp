// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/share_delegate.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>

#include "ui/models/profile_table_model.h"
#include "ui/theme.h"

namespace skein::ui {

void ShareDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QString figure = item.text;
    item.text.clear();
    const QStyle* style = item.widget != nullptr ? item.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
    if (figure.isEmpty())
        return;

    const theme::Tokens& t = theme::tokens();
    const double share = std::clamp(index.data(ProfileTableModel::ShareRole).toDouble(), 0.0, 1.0);
    const int figureWidth = item.fontMetrics.horizontalAdvance(QStringLiteral("100 %")) + theme::kGrid;
    const QRect cell = option.rect.adjusted(theme::kGrid, 0, -theme::kMargin, 0);
    const QRect figureRect(cell.right() - figureWidth, cell.top(), figureWidth, cell.height());
    const QRect bar(cell.left(), cell.center().y() - 3, std::max(0, figureRect.left() - theme::kGrid - cell.left()), 7);
    // What limits is told by its full colour and, in the first column, by weight; waiting is no work and stays grey.
    QColor color = theme::mix(t.surface, t.accent, 0.5);
    if (index.data(ProfileTableModel::LimitingRole).toBool())
        color = t.accent;
    else if (index.data(ProfileTableModel::WaitingRole).toBool())
        color = theme::mix(t.surface, t.text2, 0.5);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->fillRect(bar, theme::mix(t.surface, t.line, 0.5));
    QRect filled = bar;
    filled.setWidth(std::max(share > 0.001 ? 1 : 0, qRound(bar.width() * share)));
    painter->fillRect(filled, color);
    painter->setPen(t.text);
    painter->setFont(item.font);
    painter->drawText(figureRect, Qt::AlignRight | Qt::AlignVCenter, figure);
    painter->restore();
}

}  // namespace skein::ui
