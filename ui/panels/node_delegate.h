// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStyledItemDelegate>
#include <functional>
#include <string>
#include <vector>

namespace skein::ui {

/// Chooses a node by name in a table whose Qt::EditRole is the node's number.
class NodeDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    /// `canBeNone`: a first choice "none", number -1.
    NodeDelegate(std::function<std::vector<std::string>()> names, bool canBeNone, QObject* parent);

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void setEditorData(QWidget* widget, const QModelIndex& index) const override;
    void setModelData(QWidget* widget, QAbstractItemModel* model, const QModelIndex& index) const override;

private:
    std::function<std::vector<std::string>()> m_names;
    bool m_canBeNone;
};

}  // namespace skein::ui
