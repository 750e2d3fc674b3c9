// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>

#include "ui/shown_frame.h"

namespace skein::ui {

/// The instances of the shown frame, one a row, in the frame's order. GUI thread only.
class InstanceTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Number, Kind, Points, Track, Score, NodeScore, TrackingScore, HiddenNodes, Eye, Only, ColumnCount };
    /// Role of the instance's id.
    static constexpr int IdRole = Qt::UserRole;

    explicit InstanceTableModel(QObject* parent);

    /// Rows are reused, so that a selection survives when the same instance is still there.
    void setFrame(const ShownFrame& frame);
    [[nodiscard]] const ShownFrame& frame() const { return m_frame; }
    [[nodiscard]] int rowOf(project::InstanceId id) const;  ///< -1 not on this frame
    /// Whether it is the only instance that is drawn while there are others.
    [[nodiscard]] bool isAlone(project::InstanceId id) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    ShownFrame m_frame;
};

}  // namespace skein::ui
