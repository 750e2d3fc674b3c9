// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QKeySequence>
#include <QObject>
#include <QStringList>
#include <map>
#include <vector>

#include "ui/actions/action_table.h"
#include "ui/settings.h"

namespace skein::ui {

/// A command that is to have keys.
struct KeyWish {
    QString action;  ///< objectName
    QList<QKeySequence> keys;
    bool whole = false;  ///< these keys and no others; else they take the place of the first one
};

/// Which keys the commands have: the table's own, or those that a person has chosen, which are kept in the settings. A
/// key belongs to one command only. GUI thread only.
class Shortcuts : public QObject {
    Q_OBJECT
public:
    /// Gives the actions the keys of the settings. All actions are in the table by now.
    Shortcuts(ActionTable* actions, Settings* settings, QObject* parent);

    [[nodiscard]] const std::vector<QAction*>& actions() const { return m_actions->all(); }
    [[nodiscard]] const ActionTable& table() const { return *m_actions; }
    [[nodiscard]] QList<QKeySequence> defaultKeys(const QAction* action) const;
    [[nodiscard]] bool isChanged(const QAction* action) const;
    [[nodiscard]] bool isAnyChanged() const { return !m_chosen.empty(); }
    /// The other command that has one of the keys, or one whose keys begin with it, or that its keys begin with; null:
    /// none.
    [[nodiscard]] QAction* conflict(const QList<QKeySequence>& keys, const QAction* besides) const;

    /// Gives the command these keys and takes them from the commands that had them. Empty: it has none.
    void assign(QAction* action, const QList<QKeySequence>& keys);
    void reset(QAction* action);
    void resetAll();

    /// Fulfils all wishes, the later one where two want the same key. Returns how many commands have other keys now.
    int assign(const std::vector<KeyWish>& wishes);

    /// All commands with their keys as text ("labelAdd: 'Ctrl+I'"), one a line, as readShortcutFile() reads them.
    [[nodiscard]] QString exportText() const;

Q_SIGNALS:
    void changed();

private:
    void takeFromOthers(const QAction* action, const QList<QKeySequence>& keys);
    void apply();
    void store();
    [[nodiscard]] QAction* find(const QString& id) const;

    ActionTable* m_actions;
    Settings* m_settings;
    std::map<const QAction*, QList<QKeySequence>> m_defaults;
    std::map<const QAction*, QList<QKeySequence>> m_chosen;  ///< of commands whose keys are not the default ones
};

/// A file of keys: one that Shortcuts::exportText() made, or SLEAP's shortcuts.yaml.
struct ShortcutFile {
    std::vector<KeyWish> wishes;
    QStringList unknown;   ///< names that no command of Skein has
    QStringList unusable;  ///< "name: key" where the key is none
    QString problem;       ///< the file cannot be used at all; a sentence
};

/// Thread-safe, reads nothing but `text`. Nothing in it is executed.
[[nodiscard]] ShortcutFile readShortcutFile(const QByteArray& text);

}  // namespace skein::ui
