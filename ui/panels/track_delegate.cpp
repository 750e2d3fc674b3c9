// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/track_delegate.h"

#include <QComboBox>
#include <QLineEdit>

#include "ui/document.h"
#include "ui/edit/editor.h"
#include "ui/models/instance_table_model.h"

namespace skein::ui {

TrackDelegate::TrackDelegate(const Document* document, Editor* editor, QObject* parent)
    : QStyledItemDelegate(parent), m_document(document), m_editor(editor) {}

QWidget* TrackDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const {
    auto* box = new QComboBox(parent);
    box->setObjectName(QStringLiteral("trackEditor"));
    box->setAccessibleName(tr("Track"));
    box->setEditable(true);
    box->setInsertPolicy(QComboBox::NoInsert);
    box->lineEdit()->setPlaceholderText(tr("Name of a track"));
    box->addItem(tr("No track"), -1);
    const auto& tracks = m_document->labels().tracks();
    for (std::size_t t = 0; t < tracks.size(); ++t)
        box->addItem(QString::fromStdString(tracks[t].name), static_cast<int>(t));
    return box;
}

void TrackDelegate::setEditorData(QWidget* widget, const QModelIndex& index) const {
    auto* box = static_cast<QComboBox*>(widget);
    box->setCurrentIndex(box->findData(index.data(Qt::EditRole)));
    box->lineEdit()->selectAll();
}

void TrackDelegate::setModelData(QWidget* widget, QAbstractItemModel*, const QModelIndex& index) const {
    auto* box = static_cast<QComboBox*>(widget);
    const auto id = static_cast<project::InstanceId>(index.data(InstanceTableModel::IdRole).toULongLong());
    const QString text = box->currentText().trimmed();
    const int known = text.isEmpty() ? 0 : box->findText(text, Qt::MatchFixedString | Qt::MatchCaseSensitive);
    if (known < 0)
        m_editor->newTrackFor(id, text);
    else if (box->itemData(known) != index.data(Qt::EditRole))
        m_editor->setTrackOf(id, box->itemData(known).toInt());
}

}  // namespace skein::ui
