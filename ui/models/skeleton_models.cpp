// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/skeleton_models.h"

#include <optional>

#include "engine/project/edit/skeletons.h"
#include "ui/edit/project_editor.h"

namespace skein::ui {

namespace edit = project::edit;

namespace {
QString nameOf(const project::Skeleton& skeleton, int node) {
    return node >= 0 && static_cast<std::size_t>(node) < skeleton.nodes.size()
               ? QString::fromStdString(skeleton.nodes[static_cast<std::size_t>(node)])
               : QString();
}
}  // namespace

SkeletonPartsModel::SkeletonPartsModel(ProjectEditor* editor, QObject* parent)
    : QAbstractTableModel(parent), m_editor(editor) {}

void SkeletonPartsModel::setSkeleton(std::size_t index, project::Skeleton skeleton) {
    const int before = rowCount();
    const bool sameRows = before == static_cast<int>(partsIn(skeleton));
    if (!sameRows)
        beginResetModel();
    m_index = index;
    m_skeleton = std::move(skeleton);
    if (!sameRows)
        endResetModel();
    else if (before > 0)
        Q_EMIT dataChanged(this->index(0, 0), this->index(before - 1, columnCount() - 1));
}

int SkeletonPartsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(partsIn(m_skeleton));
}
int SkeletonPartsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 2;
}

Qt::ItemFlags SkeletonPartsModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() ? flags | Qt::ItemIsEditable : flags;
}

QVariant SkeletonNodesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const auto other = edit::symmetryOf(skeleton(), static_cast<std::size_t>(index.row()));
    if (index.column() == Symmetry && role == Qt::EditRole)
        return other ? static_cast<int>(*other) : -1;
    if (role == Qt::DisplayRole || role == Qt::EditRole || role == Qt::ToolTipRole)
        return index.column() == Name ? nameOf(skeleton(), index.row())
                                      : nameOf(skeleton(), other ? static_cast<int>(*other) : -1);
    return {};
}

bool SkeletonNodesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::EditRole)
        return false;
    const auto node = static_cast<std::size_t>(index.row());
    if (index.column() == Name)
        return editor().renameNode(skeletonIndex(), node, value.toString().trimmed());
    const int other = value.toInt();
    editor().setSymmetry(skeletonIndex(), node,
                         other < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(other)));
    return true;
}

QVariant SkeletonNodesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::DisplayRole)
        return section == Name ? tr("Node") : tr("Symmetry");
    if (role == Qt::ToolTipRole)
        return section == Name ? tr("Name of the node; double-click to rename it")
                               : tr("Mirror image of the node, e.g. the right ear of the left one");
    return {};
}

QVariant SkeletonEdgesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const project::Edge& edge = skeleton().edges[static_cast<std::size_t>(index.row())];
    const int node = index.column() == Source ? edge.source : edge.destination;
    if (role == Qt::EditRole)
        return node;
    return role == Qt::DisplayRole || role == Qt::ToolTipRole ? nameOf(skeleton(), node) : QVariant();
}

bool SkeletonEdgesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::EditRole)
        return false;
    project::Edge edge = skeleton().edges[static_cast<std::size_t>(index.row())];
    (index.column() == Source ? edge.source : edge.destination) = value.toInt();
    return editor().setEdge(skeletonIndex(), static_cast<std::size_t>(index.row()), edge);
}

QVariant SkeletonEdgesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::DisplayRole)
        return section == Source ? tr("Source") : tr("Destination");
    if (role == Qt::ToolTipRole)
        return section == Source ? tr("Node that the edge begins at") : tr("Node that the edge leads to");
    return {};
}

}  // namespace skein::ui
