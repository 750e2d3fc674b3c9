// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <vector>

#include "ui/bridge/run_snapshot.h"

namespace skein::ui {

/// Runs of this session that have ended, newest first.
class RunHistoryModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { State, What, Model, Frames, Rate, Time, Started, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// Adds the run, or brings its row up to date, e.g. when its results were discarded.
    void set(const RunSnapshot& run);
    void clear();
    [[nodiscard]] const RunSnapshot& run(int row) const {
        return m_runs[m_runs.size() - 1 - static_cast<std::size_t>(row)];
    }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<RunSnapshot> m_runs;  ///< oldest first
};

}  // namespace skein::ui
