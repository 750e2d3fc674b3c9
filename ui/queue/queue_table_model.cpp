// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/queue_table_model.h"

#include <QDateTime>
#include <QIODevice>
#include <QLocale>
#include <QMimeData>
#include <QPixmap>
#include <algorithm>
#include <array>

#include "ui/icons.h"
#include "ui/run_text.h"
#include "ui/theme.h"

namespace skein::ui {
namespace {

const QString kMime = QStringLiteral("application/x-skein-queue-rows");

/// So that words stand below words.
QIcon emptyIcon() {
    QPixmap pixmap(theme::kIconSize, theme::kIconSize);
    pixmap.fill(Qt::transparent);
    return pixmap;
}

QIcon stateIcon(const QueueRow& row) {
    const theme::Tokens& t = theme::tokens();
    switch (row.entry->state) {
        case batch::EntryState::Waiting:
            return row.entry->paused ? icon(QStringLiteral("pause"), t.text2) : emptyIcon();
        case batch::EntryState::Running:
            return row.paused ? icon(QStringLiteral("pause"), t.accent) : icon(QStringLiteral("play"), t.accent);
        case batch::EntryState::Done:
        case batch::EntryState::Skipped:
            return icon(QStringLiteral("check"), t.good);
        case batch::EntryState::Partly:
            return icon(QStringLiteral("warning"), t.warn);
        case batch::EntryState::Failed:
            return icon(QStringLiteral("error"), t.bad);
        case batch::EntryState::Cancelled:
            return icon(QStringLiteral("stop"), t.text2);
    }
    return {};
}

bool isFigure(int column) {
    return column == QueueTableModel::Videos || column == QueueTableModel::Rate || column == QueueTableModel::Left;
}

/// Today's by the hour, others with their day.
QString startWords(const std::string& iso) {
    const QDateTime at = QDateTime::fromString(QString::fromStdString(iso), Qt::ISODate);
    if (!at.isValid())
        return {};
    return at.date() == QDate::currentDate() ? at.toString(QStringLiteral("HH:mm"))
                                             : QLocale().toString(at, QStringLiteral("d MMM HH:mm"));
}

}  // namespace

void QueueTableModel::setRows(const std::vector<QueueRow>& rows) {
    const bool same = std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(),
                                 [](const QueueRow& a, const QueueRow& b) { return sameRow(a, b); });
    if (!same) {
        const bool grown = rows.size() > m_rows.size() &&
                           std::equal(m_rows.begin(), m_rows.end(), rows.begin(),
                                      [](const QueueRow& a, const QueueRow& b) { return sameRow(a, b); });
        if (grown) {
            beginInsertRows({}, static_cast<int>(m_rows.size()), static_cast<int>(rows.size()) - 1);
            m_rows = rows;
            endInsertRows();
        } else {
            beginResetModel();
            m_rows = rows;
            endResetModel();
            return;
        }
    } else {
        m_rows = rows;
    }
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(m_rows.size()) - 1, ColumnCount - 1));
}

int QueueTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int QueueTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant QueueTableModel::text(const QueueRow& row, int column) const {
    const batch::Entry& entry = *row.entry;
    switch (column) {
        case State:
            return stateWords(row);
        case What:
            return row.model.isEmpty() ? rowTitle(row) : QStringLiteral("%1 · %2").arg(rowTitle(row), row.model);
        case Videos:
            return text::number(static_cast<std::int64_t>(entry.more.size()) + 1);
        case Progress:
            if (entry.state == batch::EntryState::Running && !row.phase.isEmpty())
                return row.phase;
            if (entry.state == batch::EntryState::Skipped)
                return QString();
            return entry.framesTotal > 0
                       ? QStringLiteral("%1 / %2").arg(text::number(entry.framesDone), text::number(entry.framesTotal))
                       : QString();
        case Rate:
            return rowRate(row) > 0 ? text::significant(rowRate(row)) : QString();
        case Left:
            if (entry.state != batch::EntryState::Running || row.paused)
                return QString();
            return row.secondsLeft >= 0 ? text::clock(std::max(1.0, row.secondsLeft)) : QString();
        case Started:
            return startWords(entry.startedAt);
        case Output:
            // Where there is no result, why not.
            return entry.state == batch::EntryState::Failed ? QString::fromStdString(entry.reason)
                                                            : text::fromPath(entry.output.filename());
        default:
            return {};
    }
}

QVariant QueueTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const QueueRow& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return text(row, index.column());
        case Qt::DecorationRole:
            return index.column() == State ? QVariant(stateIcon(row)) : QVariant();
        case Qt::TextAlignmentRole:
            return int((isFigure(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case Qt::ToolTipRole:
            return rowDetails(row);
        case kFractionRole: {
            const bool hasBar = index.column() == Progress &&
                                (row.entry->state == batch::EntryState::Running ||
                                 (row.entry->state == batch::EntryState::Waiting && row.entry->framesDone > 0));
            return hasBar ? QVariant(rowFraction(row)) : QVariant();
        }
        default:
            return {};
    }
}

QVariant QueueTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static const std::array<const char*, ColumnCount> kTitles = {
        QT_TR_NOOP("State"), QT_TR_NOOP("What"), QT_TR_NOOP("Videos"),  QT_TR_NOOP("Progress"),
        QT_TR_NOOP("FPS"),   QT_TR_NOOP("ETA"),  QT_TR_NOOP("Started"), QT_TR_NOOP("Output")};
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::DisplayRole)
        return tr(kTitles[static_cast<std::size_t>(section)]);
    if (role == Qt::TextAlignmentRole)
        return int((isFigure(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

Qt::ItemFlags QueueTableModel::flags(const QModelIndex& index) const {
    // Between rows anything may be dropped, on a row nothing.
    if (!index.isValid())
        return Qt::ItemIsDropEnabled;
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (m_rows[static_cast<std::size_t>(index.row())].isHere())
        flags |= Qt::ItemIsDragEnabled;
    return flags;
}

QStringList QueueTableModel::mimeTypes() const {
    return {kMime};
}

QMimeData* QueueTableModel::mimeData(const QModelIndexList& indexes) const {
    QList<int> rows;
    for (const QModelIndex& index : indexes)
        if (!rows.contains(index.row()))
            rows << index.row();
    std::sort(rows.begin(), rows.end());
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    for (const int row : rows)
        out << qint64{m_rows[static_cast<std::size_t>(row)].id};
    auto* data = new QMimeData;
    data->setData(kMime, bytes);
    return data;
}

bool QueueTableModel::canDropMimeData(const QMimeData* data, Qt::DropAction action, int, int,
                                      const QModelIndex&) const {
    return data->hasFormat(kMime) && action == Qt::MoveAction;
}

bool QueueTableModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                                   const QModelIndex& parent) {
    if (!canDropMimeData(data, action, row, column, parent))
        return false;
    QByteArray bytes = data->data(kMime);
    QDataStream in(&bytes, QIODevice::ReadOnly);
    QList<qint64> ids;
    while (!in.atEnd()) {
        qint64 id = 0;
        in >> id;
        ids << id;
    }
    const int place = row >= 0 ? row : parent.isValid() ? parent.row() : rowCount();
    Q_EMIT moveWanted(ids, place);
    return true;
}

}  // namespace skein::ui
