// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>

class QAction;

namespace skein::ui {

class Shortcuts;

/// All commands with the keys that they have now, in the order of the menus. Follows the keys. GUI thread only.
class ShortcutTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Command, Menu, Keys, ColumnCount };

    ShortcutTableModel(Shortcuts* shortcuts, QObject* parent);

    /// Rows that have these words in a column; empty: all.
    void setFilter(const QString& words);
    [[nodiscard]] QAction* actionAt(int row) const;
    [[nodiscard]] int rowOf(const QAction* action) const;  ///< -1: not among the rows

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    Shortcuts* m_shortcuts;
    std::vector<QAction*> m_rows;
};

/// What a command is called outside of its menu: "Go to Frame".
[[nodiscard]] QString commandName(const QAction* action);
/// Its keys for people: "Ctrl+Backspace, Del".
[[nodiscard]] QString keysText(const QList<QKeySequence>& keys);

}  // namespace skein::ui
