// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStyledItemDelegate>

namespace skein::ui {

class Document;
class Editor;

/// Edits an instance's track in a table: the tracks of the project by name, none, or a new one by whatever else is
/// typed. The model gives the track's index as Qt::EditRole and the instance's id as InstanceTableModel::IdRole.
class TrackDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    TrackDelegate(const Document* document, Editor* editor, QObject* parent);

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void setEditorData(QWidget* widget, const QModelIndex& index) const override;
    void setModelData(QWidget* widget, QAbstractItemModel* model, const QModelIndex& index) const override;

private:
    const Document* m_document;
    Editor* m_editor;
};

}  // namespace skein::ui
