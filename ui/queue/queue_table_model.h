// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <vector>

#include "ui/queue/queue_rows.h"

namespace skein::ui {

/// The queue's rows, in the order of work. Rows that are computed here can be dragged to another place among
/// themselves; who keeps the queue moves them, and the model follows.
class QueueTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { State, What, Videos, Progress, Rate, Left, Started, Output, ColumnCount };
    /// Share done of a row for the delegate of the column Progress; -1 unknown.
    static constexpr int kFractionRole = Qt::UserRole + 1;

    using QAbstractTableModel::QAbstractTableModel;

    /// Rows that are the same ones in the same order are brought up to date in place.
    void setRows(const std::vector<QueueRow>& rows);
    [[nodiscard]] const std::vector<QueueRow>& rows() const { return m_rows; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                         const QModelIndex& parent) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

Q_SIGNALS:
    /// The person has dragged these rows (ids of entries that are computed here, in their order) to before `place`.
    void moveWanted(const QList<qint64>& ids, int place);

private:
    [[nodiscard]] QVariant text(const QueueRow& row, int column) const;
    std::vector<QueueRow> m_rows;
};

}  // namespace skein::ui
