// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/history_table_model.h"

#include <QLocale>

#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {

HistoryTableModel::HistoryTableModel(Document* document, QObject* parent)
    : QAbstractTableModel(parent), m_document(document) {
    frameNumber = [](std::int64_t frame) { return text::number(frame + 1); };
    connect(document->undoStack(), &QUndoStack::indexChanged, this, &HistoryTableModel::refresh);
    connect(document, &Document::opened, this, &HistoryTableModel::refresh);
}

void HistoryTableModel::refresh() {
    const int rows = m_document->undoStack()->count() + 1;
    if (rows > m_rows) {
        beginInsertRows({}, m_rows, rows - 1);
        m_rows = rows;
        endInsertRows();
    } else if (rows < m_rows) {
        beginRemoveRows({}, rows, m_rows - 1);
        m_rows = rows;
        endRemoveRows();
    }
    Q_EMIT dataChanged(index(0, 0), index(m_rows - 1, ColumnCount - 1));
}

int HistoryTableModel::current() const {
    return std::min(m_document->undoStack()->index(), m_rows - 1);
}

int HistoryTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int HistoryTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant HistoryTableModel::data(const QModelIndex& index, int role) const {
    // Between two signals the stack may already be shorter than the table.
    if (!index.isValid() || index.row() >= m_rows || index.row() > m_document->undoStack()->count())
        return {};
    const int step = index.row() - 1;
    if (role == Qt::TextAlignmentRole)
        return index.column() == Frame ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                       : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && index.row() > current())
        return theme::tokens().disabled;
    if (role == Qt::FontRole && index.row() == current())
        return theme::headingFont();
    if (role == Qt::ToolTipRole && step >= 0)
        return m_document->undoStack()->text(step);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
        case Time:
            return step < 0 ? QString() : m_document->stepTime(step).toString(QStringLiteral("hh:mm:ss"));
        case Step:
            return step < 0 ? tr("Project opened") : m_document->undoStack()->text(step);
        case Frame: {
            const auto place = step < 0 ? std::nullopt : m_document->stepPlace(step);
            return place && place->video >= 0 ? frameNumber(place->frame) : QString();
        }
        default:
            return {};
    }
}

QVariant HistoryTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Frame ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return section == Time ? tr("Time") : section == Step ? tr("Step") : tr("Frame");
}

}  // namespace skein::ui
