// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/node_table_model.h"

#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {

NodeTableModel::NodeTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void NodeTableModel::setInstance(const ShownInstance* instance,
                                 std::shared_ptr<const std::vector<project::Skeleton>> skeletons) {
    const bool sameRows = instance != nullptr && m_instance && instance->points.size() == m_instance->points.size();
    if (!sameRows)
        beginResetModel();
    m_instance = instance == nullptr ? std::nullopt : std::optional<ShownInstance>(*instance);
    m_skeletons = std::move(skeletons);
    if (!sameRows)
        endResetModel();
    else if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int NodeTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_instance ? 0 : static_cast<int>(m_instance->points.size());
}

int NodeTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant NodeTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const project::Point& p = m_instance->points[row];
    const bool user = m_instance->header.kind == project::InstanceKind::User;
    if (role == Qt::TextAlignmentRole)
        return index.column() == Name || index.column() == Visible ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                                                   : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && !p.exists())
        return theme::tokens().text2;
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
        case Name:
            return row < m_instance->skeleton->nodes.size() ? QString::fromStdString(m_instance->skeleton->nodes[row])
                                                            : QString();
        case X:
            return hasPlace(p) ? text::fixed(p.x, 2) : QString();
        case Y:
            return hasPlace(p) ? text::fixed(p.y, 2) : QString();
        case Visible:
            return !hasPlace(p) ? tr("absent") : p.visible ? tr("yes") : tr("hidden");
        case Score:
            return user || !hasPlace(p) ? QString() : text::fixed(p.score, 3);
        default:
            return {};
    }
}

QVariant NodeTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Name || section == Visible ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                                     : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
        case Name:
            return tr("Node");
        case X:
            return tr("x / px");
        case Y:
            return tr("y / px");
        case Visible:
            return tr("Visible");
        case Score:
            return tr("Score");
        default:
            return {};
    }
}

}  // namespace skein::ui
