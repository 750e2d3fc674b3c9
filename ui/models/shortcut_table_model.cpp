// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/shortcut_table_model.h"

#include <QAction>
#include <algorithm>

#include "ui/actions/shortcuts.h"
#include "ui/theme.h"

namespace skein::ui {

QString commandName(const QAction* action) {
    // Undo and redo name the step that they would take.
    if (action->objectName() == QLatin1String("editUndo"))
        return ShortcutTableModel::tr("Undo");
    if (action->objectName() == QLatin1String("editRedo"))
        return ShortcutTableModel::tr("Redo");
    QString name = action->text();
    name.remove(QLatin1Char('&'));
    if (name.endsWith(QLatin1String("...")))
        name.chop(3);
    return name;
}

QString keysText(const QList<QKeySequence>& keys) {
    QStringList texts;
    for (const QKeySequence& key : keys)
        texts << key.toString(QKeySequence::NativeText);
    return texts.join(QStringLiteral(",  "));
}

ShortcutTableModel::ShortcutTableModel(Shortcuts* shortcuts, QObject* parent)
    : QAbstractTableModel(parent), m_shortcuts(shortcuts), m_rows(shortcuts->actions()) {
    connect(shortcuts, &Shortcuts::changed, this, [this] {
        if (!m_rows.empty())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    });
}

void ShortcutTableModel::setFilter(const QString& words) {
    beginResetModel();
    m_rows.clear();
    for (QAction* action : m_shortcuts->actions()) {
        const QString all = commandName(action) + QLatin1Char('\n') + m_shortcuts->table().menuPathOf(action) +
                            QLatin1Char('\n') + keysText(action->shortcuts());
        if (words.isEmpty() || all.contains(words, Qt::CaseInsensitive))
            m_rows.push_back(action);
    }
    endResetModel();
}

QAction* ShortcutTableModel::actionAt(int row) const {
    return row >= 0 && row < rowCount() ? m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int ShortcutTableModel::rowOf(const QAction* action) const {
    const auto it = std::find(m_rows.begin(), m_rows.end(), action);
    return it == m_rows.end() ? -1 : static_cast<int>(it - m_rows.begin());
}

int ShortcutTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ShortcutTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ShortcutTableModel::data(const QModelIndex& index, int role) const {
    const QAction* action = actionAt(index.row());
    if (action == nullptr)
        return {};
    if (role == Qt::ForegroundRole && index.column() == Menu)
        return theme::tokens().text2;
    if (role == Qt::FontRole && index.column() == Keys && m_shortcuts->isChanged(action))
        return theme::headingFont();
    if (role == Qt::ToolTipRole)
        return m_shortcuts->isChanged(action)
                   ? tr("Chosen by you; at first: %1")
                         .arg(m_shortcuts->defaultKeys(action).isEmpty() ? tr("no key")
                                                                         : keysText(m_shortcuts->defaultKeys(action)))
                   : action->toolTip();
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
        case Command:
            return commandName(action);
        case Menu:
            return m_shortcuts->table().menuPathOf(action).replace(QLatin1Char('/'), QStringLiteral(" \u203a "));
        case Keys:
            return keysText(action->shortcuts());
        default:
            return {};
    }
}

QVariant ShortcutTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
        case Command:
            return tr("Command");
        case Menu:
            return tr("Menu");
        case Keys:
            return tr("Keys");
        default:
            return {};
    }
}

}  // namespace skein::ui
