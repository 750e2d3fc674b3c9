// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>

#include "ui/bridge/preset_comparison.h"

namespace skein::ui {

/// Tracking presets and what each made of the same detections, one a row. The best value of a column is set apart.
class PresetTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Preset, Tracks, Suspicious, Switches, Idf1, Untracked, Seconds, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setComparison(PresetComparison comparison);
    void clear() { setComparison({}); }
    [[nodiscard]] const PresetComparison& comparison() const { return m_comparison; }
    /// The row that a person would choose by these figures; -1: none could run.
    [[nodiscard]] int best() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QVariant words(const ComparedPreset& row, int column) const;
    PresetComparison m_comparison;
};

}  // namespace skein::ui
