// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <optional>

#include "ui/shown_frame.h"

namespace skein::ui {

/// The nodes of one instance in skeleton order. Those of a user instance can be edited: what is typed is asked for by a
/// signal and shown once the project has it. GUI thread only.
class NodeTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, X, Y, Visible, Complete, Score, ColumnCount };

    explicit NodeTableModel(QObject* parent);

    /// Null: no instance is selected.
    void setInstance(const ShownInstance* instance, std::shared_ptr<const std::vector<project::Skeleton>> skeletons);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

Q_SIGNALS:
    void pointEdited(skein::project::InstanceId instance, int node, const skein::project::Point& point);

private:
    std::optional<ShownInstance> m_instance;
    std::shared_ptr<const std::vector<project::Skeleton>> m_skeletons;
};

}  // namespace skein::ui
