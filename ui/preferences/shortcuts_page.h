// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QKeySequence>
#include <QWidget>

class QAction;
class QKeySequenceEdit;
class QLabel;
class QPushButton;

namespace skein::ui {

class DialogService;
class PlainTable;
class Shortcuts;
class ShortcutTableModel;

/// The page of the preferences on which keys are chosen. What a key does already is said before it is taken. GUI thread
/// only.
class ShortcutsPage : public QWidget {
    Q_OBJECT
public:
    ShortcutsPage(Shortcuts* shortcuts, DialogService* dialogs, QWidget* parent);

    void setFilter(const QString& words);
    [[nodiscard]] int rowsShown() const;
    void resetAll();
    /// Reads keys from a file; what came of it stands below the table.
    void importFrom(const QString& path);

private:
    [[nodiscard]] QAction* current() const;
    void refresh();
    void assign();
    void alsoAssign();
    void take(const QList<QKeySequence>& keys);
    void importFile();
    void exportFile();
    void say(const QString& sentence);

    Shortcuts* m_shortcuts;
    DialogService* m_dialogs;
    ShortcutTableModel* m_model;
    PlainTable* m_table;
    QKeySequenceEdit* m_edit;
    QPushButton* m_assign;
    QPushButton* m_also;
    QPushButton* m_none;
    QPushButton* m_reset;
    QLabel* m_word;
};

}  // namespace skein::ui
