// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>

#include "engine/project/skeleton.h"

namespace skein::ui {

class ProjectEditor;

/// Nodes or edges of one skeleton, in its order; all cells can be edited. Edits become undo steps; the table changes
/// when the project has. GUI thread only.
class SkeletonPartsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    SkeletonPartsModel(ProjectEditor* editor, QObject* parent);

    /// As many rows as before keep selection and place; another number starts afresh.
    void setSkeleton(std::size_t index, project::Skeleton skeleton);
    [[nodiscard]] const project::Skeleton& skeleton() const { return m_skeleton; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

protected:
    [[nodiscard]] virtual std::size_t partsIn(const project::Skeleton& skeleton) const = 0;
    [[nodiscard]] ProjectEditor& editor() const { return *m_editor; }
    [[nodiscard]] std::size_t skeletonIndex() const { return m_index; }

private:
    ProjectEditor* m_editor;
    std::size_t m_index = 0;
    project::Skeleton m_skeleton;
};

class SkeletonNodesModel : public SkeletonPartsModel {
    Q_OBJECT
public:
    enum Column { Name, Symmetry };
    using SkeletonPartsModel::SkeletonPartsModel;

    /// Qt::EditRole of Symmetry is the other node's number, -1 none.
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

protected:
    std::size_t partsIn(const project::Skeleton& skeleton) const override { return skeleton.nodes.size(); }
};

class SkeletonEdgesModel : public SkeletonPartsModel {
    Q_OBJECT
public:
    enum Column { Source, Destination };
    using SkeletonPartsModel::SkeletonPartsModel;

    /// Qt::EditRole is the node's number.
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

protected:
    std::size_t partsIn(const project::Skeleton& skeleton) const override { return skeleton.edges.size(); }
};

}  // namespace skein::ui
