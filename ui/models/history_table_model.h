// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <functional>

#include "ui/document.h"

namespace skein::ui {

/// The steps of the undo stack, oldest first; row 0 is the project before the first of them. Rows after current() were
/// taken back and can be done again. GUI thread only.
class HistoryTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Time, Step, Frame, ColumnCount };

    HistoryTableModel(Document* document, QObject* parent);

    std::function<QString(std::int64_t)> frameNumber;  ///< how the window numbers frames
    [[nodiscard]] int current() const;                 ///< row of the state that the project is in

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void refresh();
    Document* m_document;
    int m_rows = 1;
};

}  // namespace skein::ui
