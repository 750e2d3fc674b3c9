// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>

#include "engine/project/skeleton.h"

namespace skein::ui {

class ProjectEditor;

/// Nodes of one skeleton, in its order. Edits become undo steps; the table changes when the project has. GUI thread
/// only.
class SkeletonNodesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Symmetry, ColumnCount };

    SkeletonNodesModel(ProjectEditor* editor, QObject* parent);
    void setSkeleton(std::size_t index, project::Skeleton skeleton);
    [[nodiscard]] const project::Skeleton& skeleton() const { return m_skeleton; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    /// Qt::EditRole of Symmetry is the other node's number, -1 none.
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    ProjectEditor* m_editor;
    std::size_t m_index = 0;
    project::Skeleton m_skeleton;
};

/// Edges of one skeleton, in its order; as SkeletonNodesModel.
class SkeletonEdgesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Source, Destination, ColumnCount };

    SkeletonEdgesModel(ProjectEditor* editor, QObject* parent);
    void setSkeleton(std::size_t index, project::Skeleton skeleton);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    /// Qt::EditRole is the node's number.
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    ProjectEditor* m_editor;
    std::size_t m_index = 0;
    project::Skeleton m_skeleton;
};

}  // namespace skein::ui
