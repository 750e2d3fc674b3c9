// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/node_delegate.h"

#include <QComboBox>

namespace skein::ui {

NodeDelegate::NodeDelegate(std::function<std::vector<std::string>()> names, bool canBeNone, QObject* parent)
    : QStyledItemDelegate(parent), m_names(std::move(names)), m_canBeNone(canBeNone) {}

QWidget* NodeDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const {
    auto* box = new QComboBox(parent);
    box->setObjectName(QStringLiteral("nodeEditor"));
    box->setAccessibleName(tr("Node"));
    if (m_canBeNone)
        box->addItem(tr("none"), -1);
    int number = 0;
    for (const std::string& name : m_names())
        box->addItem(QString::fromStdString(name), number++);
    return box;
}

void NodeDelegate::setEditorData(QWidget* widget, const QModelIndex& index) const {
    auto* box = static_cast<QComboBox*>(widget);
    box->setCurrentIndex(box->findData(index.data(Qt::EditRole)));
}

void NodeDelegate::setModelData(QWidget* widget, QAbstractItemModel* model, const QModelIndex& index) const {
    const QVariant chosen = static_cast<QComboBox*>(widget)->currentData();
    if (chosen.isValid() && chosen != index.data(Qt::EditRole))
        model->setData(index, chosen);
}

}  // namespace skein::ui
