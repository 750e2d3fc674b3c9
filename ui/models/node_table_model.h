// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <optional>

#include "ui/shown_frame.h"

namespace skein::ui {

/// The nodes of one instance in skeleton order. GUI thread only.
class NodeTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, X, Y, Visible, Score, ColumnCount };

    explicit NodeTableModel(QObject* parent);

    /// Null: no instance is selected.
    void setInstance(const ShownInstance* instance, std::shared_ptr<const std::vector<project::Skeleton>> skeletons);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::optional<ShownInstance> m_instance;
    std::shared_ptr<const std::vector<project::Skeleton>> m_skeletons;
};

}  // namespace skein::ui
