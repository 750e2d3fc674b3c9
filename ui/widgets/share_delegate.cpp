// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/share_delegate.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/models/profile_table_model.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {
constexpr int kArrow = 14;
constexpr double kNotable = 0.05;
}  // namespace

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
    const int length = std::max(0, figureRect.left() - theme::kGrid - cell.left());
    const QRect bar(cell.left(), cell.center().y() - 4, length, 6);
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
    const double critical = std::clamp(index.data(ProfileTableModel::CriticalRole).toDouble(), 0.0, 1.0);
    painter->fillRect(
        QRect(bar.left(), bar.bottom() + 2, critical > 0.001 ? std::max(1, qRound(length * critical)) : 0, 2), t.text2);
    painter->setPen(t.text);
    painter->setFont(item.font);
    painter->drawText(figureRect, Qt::AlignRight | Qt::AlignVCenter, figure);
    painter->restore();
}

void StageDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QString name = item.text;
    item.text.clear();
    const QStyle* style = item.widget != nullptr ? item.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
    const int fold = index.data(ProfileTableModel::FoldRole).toInt();
    QStyleOption arrow;
    arrow.rect = QRect(option.rect.left() + 2, option.rect.top(), kArrow, option.rect.height());
    arrow.palette = item.palette;
    arrow.state = QStyle::State_Enabled;
    if (fold == 1 || fold == 2)
        style->drawPrimitive(fold == 1 ? QStyle::PE_IndicatorArrowRight : QStyle::PE_IndicatorArrowDown, &arrow,
                             painter, item.widget);
    const QRect room = option.rect.adjusted(kArrow + theme::kGrid + (fold == 3 ? theme::kGap : 0), 0, -theme::kGrid, 0);
    painter->save();
    painter->setFont(item.font);
    painter->setPen(fold == 3 ? theme::tokens().text2 : theme::tokens().text);
    painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                      item.fontMetrics.elidedText(name, Qt::ElideRight, room.width()));
    painter->restore();
}

void ChangeDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const double change = index.data(ProfileTableModel::ChangeRole).toDouble();
    if (std::abs(change) >= kNotable)
        option->palette.setColor(QPalette::Text, change > 0 ? theme::tokens().bad : theme::tokens().good);
}

}  // namespace skein::ui
