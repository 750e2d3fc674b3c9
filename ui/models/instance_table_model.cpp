// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/instance_table_model.h"

#include <QIcon>
#include <QPainter>
#include <QPixmap>
#include <cmath>

#include "ui/canvas/overlay_painter.h"
#include "ui/icons.h"
#include "ui/text.h"
#include "ui/theme.h"
#include "ui/widgets/table_order.h"

namespace skein::ui {

namespace {

int visiblePoints(const ShownInstance& instance) {
    int count = 0;
    for (const project::Point& p : instance.points)
        count += p.exists() ? 1 : 0;
    return count;
}

double meanNodeScore(const ShownInstance& instance) {
    double sum = 0;
    int count = 0;
    for (const project::Point& p : instance.points)
        if (p.exists() && std::isfinite(p.score)) {
            sum += p.score;
            ++count;
        }
    return count == 0 ? project::kNaN : sum / count;
}

/// The mark that the canvas draws for this kind of instance, in its colour.
QPixmap swatch(const ShownInstance& instance) {
    constexpr int kSide = 14;
    constexpr double kRatio = 2;
    QPixmap pixmap(static_cast<int>(kSide * kRatio), static_cast<int>(kSide * kRatio));
    pixmap.setDevicePixelRatio(kRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme::mix(theme::tokens().surface, theme::tokens().text, 0.35), 1));
    painter.setBrush(colorOf(instance));
    const QPointF c(kSide / 2.0, kSide / 2.0);
    if (instance.header.kind == project::InstanceKind::User)
        painter.drawEllipse(c, 5, 5);
    else
        painter.drawPolygon(QPolygonF() << c + QPointF(0, -6) << c + QPointF(6, 0) << c + QPointF(0, 6)
                                        << c + QPointF(-6, 0));
    return pixmap;
}

}  // namespace

InstanceTableModel::InstanceTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void InstanceTableModel::setFrame(const ShownFrame& frame) {
    const int before = rowCount(), after = static_cast<int>(frame.instances.size());
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        m_frame = frame;
        endInsertRows();
    } else if (after < before) {
        beginRemoveRows({}, after, before - 1);
        m_frame = frame;
        endRemoveRows();
    } else {
        m_frame = frame;
    }
    const int kept = std::min(before, after);
    if (kept > 0)
        Q_EMIT dataChanged(index(0, 0), index(kept - 1, ColumnCount - 1));
}

int InstanceTableModel::rowOf(project::InstanceId id) const {
    for (std::size_t i = 0; i < m_frame.instances.size(); ++i)
        if (id != 0 && m_frame.instances[i].header.id == id)
            return static_cast<int>(i);
    return -1;
}

int InstanceTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_frame.instances.size());
}

int InstanceTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant InstanceTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const ShownInstance& instance = m_frame.instances[static_cast<std::size_t>(index.row())];
    const bool user = instance.header.kind == project::InstanceKind::User;
    if (role == IdRole)
        return QVariant::fromValue<qulonglong>(instance.header.id);
    if (role == Qt::DecorationRole && index.column() == Number)
        return swatch(instance);
    if (role == Qt::DecorationRole && index.column() == Eye)
        return instance.hidden ? icon(QStringLiteral("hidden"), theme::tokens().text2)
                               : icon(QStringLiteral("visible"));
    if (role == Qt::DecorationRole && index.column() == Only)
        return isAlone(instance.header.id) ? icon(QStringLiteral("only"), theme::tokens().accent)
                                           : icon(QStringLiteral("only"), theme::tokens().text2);
    if (role == Qt::ToolTipRole && index.column() == Only)
        return isAlone(instance.header.id) ? tr("Shown alone; click to show all.")
                                           : tr("Click to show this instance alone.");
    if (role == kSortRole) {
        switch (index.column()) {
            case Number:
                return instance.place;
            case Points:
                return visiblePoints(instance);
            case Score:
                return user ? project::kNaN : double(instance.header.score);
            case NodeScore:
                return user ? project::kNaN : meanNodeScore(instance);
            case TrackingScore:
                return double(instance.header.trackingScore);
            case Eye:
                return instance.hidden ? 1 : 0;
            default:
                return {};
        }
    }
    if (role == Qt::EditRole && index.column() == Track)
        return instance.header.track;
    if (role == Qt::ToolTipRole && index.column() == Eye)
        return instance.hidden ? tr("Hidden in the view; click to show it.")
                               : tr("Shown in the view; click to hide it.");
    if (role == Qt::ForegroundRole && instance.hidden)
        return theme::tokens().text2;
    if (role == Qt::TextAlignmentRole)
        return index.column() >= Score || index.column() == Points ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                                                   : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && index.column() == Track)
        return instance.trackName;
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
        case Number:
            return QString::number(instance.place + 1);
        case Kind:
            return user ? tr("user") : tr("pred");
        case Points:
            return QStringLiteral("%1/%2").arg(visiblePoints(instance)).arg(instance.points.size());
        case Track:
            return instance.trackName;
        case Score:
            return user ? QString() : text::fixed(double(instance.header.score), 3);
        case NodeScore:
            return user ? QString() : text::fixed(meanNodeScore(instance), 3);
        case TrackingScore:
            return user || std::isnan(instance.header.trackingScore)
                       ? QString()
                       : text::fixed(double(instance.header.trackingScore), 3);
        case HiddenNodes:
            return QString::number(static_cast<int>(instance.points.size()) - visiblePoints(instance));
        default:
            return {};
    }
}

bool InstanceTableModel::isAlone(project::InstanceId id) const {
    if (m_frame.instances.size() < 2)
        return false;
    for (const ShownInstance& instance : m_frame.instances)
        if (instance.hidden == (instance.header.id == id))
            return false;
    return true;
}

QVariant InstanceTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section >= Score || section == Points ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                                     : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        switch (section) {
            case Number:
                return tr("Colour and place on this frame");
            case Kind:
                return tr("Labelled by a person (circle) or predicted (diamond)");
            case Points:
                return tr("Visible nodes of all nodes");
            case Track:
                return tr("Identity over time");
            case Score:
                return tr("Score of the instance");
            case NodeScore:
                return tr("Mean score of its visible nodes");
            case TrackingScore:
                return tr("How well it fitted its track");
            case HiddenNodes:
                return tr("Nodes that are not visible");
            case Eye:
                return tr("Shown in the view");
            case Only:
                return tr("View only");
            default:
                return {};
        }
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
        case Number:
            return QStringLiteral("#");
        case Kind:
            return tr("Kind");
        case Points:
            return tr("Points");
        case Track:
            return tr("Track");
        case Score:
            return tr("Score");
        case NodeScore:
            return tr("Nodes");
        case TrackingScore:
            return tr("Tracking");
        case HiddenNodes:
            return tr("Hidden");
        case Eye:
        case Only:
            return QString();
        default:
            return {};
    }
}

Qt::ItemFlags InstanceTableModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() == Track ? flags | Qt::ItemIsEditable : flags;
}

}  // namespace skein::ui
