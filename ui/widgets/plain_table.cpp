// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plain_table.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>

#include "ui/theme.h"

namespace skein::ui {

namespace {
/// What a cell says, in words also where it says it by a tick.
QString cellText(const QModelIndex& cell) {
    const QString text = cell.data().toString();
    const QVariant tick = cell.data(Qt::CheckStateRole);
    if (!text.isEmpty() || !tick.isValid())
        return text;
    return tick.toInt() == Qt::Checked ? PlainTable::tr("yes") : PlainTable::tr("no");
}
}  // namespace

PlainTable::PlainTable(const QString& objectName, const QString& accessibleName, QWidget* parent) : QTableView(parent) {
    setObjectName(objectName);
    setAccessibleName(accessibleName);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTabKeyNavigation(false);
    setWordWrap(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(theme::kRowHeight);
    verticalHeader()->setDefaultSectionSize(theme::kRowHeight);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setMinimumSectionSize(theme::kMinTarget);
    horizontalHeader()->setFixedHeight(theme::kRowHeight);
}

void PlainTable::setEmptySentence(const QString& sentence) {
    m_emptySentence = sentence;
    viewport()->update();
}

void PlainTable::setColumnWidths(const QList<int>& characters, int stretch) {
    const int one = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    for (int i = 0; i < characters.size(); ++i) {
        horizontalHeader()->setSectionResizeMode(i, i == stretch ? QHeaderView::Stretch : QHeaderView::Interactive);
        if (i != stretch)
            horizontalHeader()->resizeSection(i, one * characters[i] + 2 * theme::kMargin);
    }
}

void PlainTable::setCellsEditable() {
    setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
}

bool PlainTable::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        const bool canEdit = editTriggers().testFlag(QAbstractItemView::EditKeyPressed) &&
                             (currentIndex().flags() & Qt::ItemIsEditable) != 0;
        if ((m_copies && key->matches(QKeySequence::Copy)) || (canEdit && key->key() == Qt::Key_F2)) {
            event->accept();
            return true;
        }
    }
    return QTableView::event(event);
}

void PlainTable::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (m_emptySentence.isEmpty() || model() == nullptr || model()->rowCount() > 0)
        return;
    QPainter painter(viewport());
    painter.setPen(theme::tokens().text2);
    painter.drawText(viewport()->rect().adjusted(theme::kGap, theme::kGap, -theme::kGap, -theme::kGap),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, m_emptySentence);
}

void PlainTable::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (editTriggers().testFlag(QAbstractItemView::EditKeyPressed) &&
            (currentIndex().flags() & Qt::ItemIsEditable) != 0) {
            edit(currentIndex());
            event->accept();
            return;
        }
    }
    if (m_copies && event->matches(QKeySequence::Copy)) {
        copySelection();
        event->accept();
        return;
    }
    QTableView::keyPressEvent(event);
}

void PlainTable::copySelection() const {
    QStringList lines;
    QStringList head;
    for (int c = 0; c < model()->columnCount(); ++c)
        head << model()->headerData(c, Qt::Horizontal).toString();
    lines << head.join(QLatin1Char('\t'));
    for (const QModelIndex& row : selectionModel()->selectedRows()) {
        QStringList cells;
        for (int c = 0; c < model()->columnCount(); ++c)
            cells << cellText(model()->index(row.row(), c));
        lines << cells.join(QLatin1Char('\t'));
    }
    if (lines.size() > 1)
        QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace skein::ui
