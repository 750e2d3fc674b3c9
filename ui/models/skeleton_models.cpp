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

/// The same rows with other contents keep selection and place; another number of rows starts afresh.
template <class Model, class Change>
void replace(Model* model, int before, int after, const Change& change, const std::function<void()>& begin,
             const std::function<void()>& end) {
    if (before != after) {
        begin();
        change();
        end();
        return;
    }
    change();
    if (after > 0)
        Q_EMIT model->dataChanged(model->index(0, 0), model->index(after - 1, model->columnCount() - 1));
}
}  // namespace

SkeletonNodesModel::SkeletonNodesModel(ProjectEditor* editor, QObject* parent)
    : QAbstractTableModel(parent), m_editor(editor) {}

void SkeletonNodesModel::setSkeleton(std::size_t index, project::Skeleton skeleton) {
    const int before = rowCount(), after = static_cast<int>(skeleton.nodes.size());
    replace(
        this, before, after,
        [&] {
            m_index = index;
            m_skeleton = std::move(skeleton);
        },
        [this] { beginResetModel(); }, [this] { endResetModel(); });
}

int SkeletonNodesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_skeleton.nodes.size());
}
int SkeletonNodesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SkeletonNodesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const auto other = edit::symmetryOf(m_skeleton, static_cast<std::size_t>(index.row()));
    if (index.column() == Symmetry && role == Qt::EditRole)
        return other ? static_cast<int>(*other) : -1;
    if (role == Qt::DisplayRole || role == Qt::EditRole || role == Qt::ToolTipRole)
        return index.column() == Name ? nameOf(m_skeleton, index.row())
                                      : nameOf(m_skeleton, other ? static_cast<int>(*other) : -1);
    return {};
}

bool SkeletonNodesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::EditRole)
        return false;
    const auto node = static_cast<std::size_t>(index.row());
    if (index.column() == Name)
        return m_editor->renameNode(m_index, node, value.toString().trimmed());
    const int other = value.toInt();
    m_editor->setSymmetry(m_index, node, other < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(other)));
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

Qt::ItemFlags SkeletonNodesModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() ? flags | Qt::ItemIsEditable : flags;
}

SkeletonEdgesModel::SkeletonEdgesModel(ProjectEditor* editor, QObject* parent)
    : QAbstractTableModel(parent), m_editor(editor) {}

void SkeletonEdgesModel::setSkeleton(std::size_t index, project::Skeleton skeleton) {
    const int before = rowCount(), after = static_cast<int>(skeleton.edges.size());
    replace(
        this, before, after,
        [&] {
            m_index = index;
            m_skeleton = std::move(skeleton);
        },
        [this] { beginResetModel(); }, [this] { endResetModel(); });
}

int SkeletonEdgesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_skeleton.edges.size());
}
int SkeletonEdgesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SkeletonEdgesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const project::Edge& edge = m_skeleton.edges[static_cast<std::size_t>(index.row())];
    const int node = index.column() == Source ? edge.source : edge.destination;
    if (role == Qt::EditRole)
        return node;
    return role == Qt::DisplayRole || role == Qt::ToolTipRole ? nameOf(m_skeleton, node) : QVariant();
}

bool SkeletonEdgesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::EditRole)
        return false;
    project::Edge edge = m_skeleton.edges[static_cast<std::size_t>(index.row())];
    (index.column() == Source ? edge.source : edge.destination) = value.toInt();
    return m_editor->setEdge(m_index, static_cast<std::size_t>(index.row()), edge);
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

Qt::ItemFlags SkeletonEdgesModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() ? flags | Qt::ItemIsEditable : flags;
}

}  // namespace skein::ui
