// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/node_table_model.h"

#include <QLocale>
#include <cmath>

#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {
constexpr int kEditDecimals = 4;

bool isText(int column) {
    return column == NodeTableModel::Name || column == NodeTableModel::Visible || column == NodeTableModel::Complete;
}
}  // namespace

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
        return isText(index.column()) ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                      : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && !p.exists())
        return theme::tokens().text2;
    if (role == Qt::CheckStateRole && user && hasPlace(p) && (index.column() == Visible || index.column() == Complete))
        return (index.column() == Visible ? p.visible : p.complete) ? Qt::Checked : Qt::Unchecked;
    if (role == Qt::EditRole && (index.column() == X || index.column() == Y)) {
        const double value = index.column() == X ? p.x : p.y;
        return hasPlace(p) ? QString::number(value, 'f', kEditDecimals) : QString();
    }
    if (role == Qt::ToolTipRole && !user && index.column() != Name && index.column() != Score)
        return tr("Predictions are not edited: double-click the instance in the view to accept it.");
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
            return !hasPlace(p) ? tr("absent") : user ? QString() : p.visible ? tr("yes") : tr("hidden");
        case Complete:
            return {};
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
        return isText(section) ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                               : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == Complete)
        return tr("Confirmed by a person");
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
        case Complete:
            return tr("Complete");
        case Score:
            return tr("Score");
        default:
            return {};
    }
}

Qt::ItemFlags NodeTableModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (!index.isValid() || index.row() >= rowCount() || m_instance->header.kind != project::InstanceKind::User)
        return flags;
    if (index.column() == X || index.column() == Y)
        flags |= Qt::ItemIsEditable;
    if ((index.column() == Visible || index.column() == Complete) &&
        hasPlace(m_instance->points[static_cast<std::size_t>(index.row())]))
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

bool NodeTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || index.row() >= rowCount() ||
        !(flags(index) & (Qt::ItemIsEditable | Qt::ItemIsUserCheckable)))
        return false;
    project::Point point = m_instance->points[static_cast<std::size_t>(index.row())];
    if (role == Qt::CheckStateRole) {
        const bool on = value.toInt() == Qt::Checked;
        (index.column() == Visible ? point.visible : point.complete) = on;
    } else if (role == Qt::EditRole && (index.column() == X || index.column() == Y)) {
        const QString text = value.toString().trimmed();
        if (text == data(index, Qt::EditRole).toString())
            return false;  // nothing was typed: the digits that are not shown stay
        bool ok = false;
        double number = QLocale().toDouble(text, &ok);
        if (!ok)
            number = text.toDouble(&ok);
        if (!ok || !std::isfinite(number))
            return false;
        const bool absent = !hasPlace(point);
        (index.column() == X ? point.x : point.y) = number;
        if (absent) {  // a node that was nowhere needs both
            (index.column() == X ? point.y : point.x) = 0;
            point.visible = true;
        }
        point.complete = true;
    } else {
        return false;
    }
    Q_EMIT pointEdited(m_instance->header.id, index.row(), point);
    return true;
}

}  // namespace skein::ui
