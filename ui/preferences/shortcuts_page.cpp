// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/preferences/shortcuts_page.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGridLayout>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QPushButton>
#include <QSaveFile>

#include "ui/actions/shortcuts.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/models/shortcut_table_model.h"
#include "ui/theme.h"
#include "ui/widgets/plain_table.h"

namespace skein::ui {

namespace {

QPushButton* button(const char* name, const QString& text, const QString& tip, QWidget* parent) {
    auto* made = new QPushButton(text, parent);
    made->setObjectName(QLatin1String(name));
    made->setToolTip(tip);
    made->setAutoDefault(false);
    return made;
}

}  // namespace

ShortcutsPage::ShortcutsPage(Shortcuts* shortcuts, DialogService* dialogs, QWidget* parent)
    : QWidget(parent),
      m_shortcuts(shortcuts),
      m_dialogs(dialogs),
      m_model(new ShortcutTableModel(shortcuts, this)),
      m_table(new PlainTable(QStringLiteral("shortcutsTable"), tr("Commands and their keys"), this)),
      m_edit(new QKeySequenceEdit(this)),
      m_assign(button("shortcutAssign", tr("Assign"), tr("Gives the selected command this key and no other."), this)),
      m_also(button("shortcutAdd", tr("Add"), tr("Gives the selected command this key beside those it has."), this)),
      m_none(button("shortcutClear", tr("No Key"), tr("Takes all keys from the selected command."), this)),
      m_reset(button("shortcutReset", tr("Reset"), tr("Gives the selected command its first keys again."), this)),
      m_word(new QLabel(this)) {
    m_table->setModel(m_model);
    m_table->setColumnWidths({26, 16, 20}, ShortcutTableModel::Command);
    m_table->setToolTip(tr("Select a command to change its keys; keys in bold are your own."));
    m_table->setEmptySentence(tr("No command has these words."));
    m_edit->setObjectName(QStringLiteral("shortcutEdit"));
    m_edit->setAccessibleName(tr("New key"));
    m_edit->setToolTip(tr("Press the keys that the selected command shall have."));
    m_word->setObjectName(QStringLiteral("shortcutWord"));
    m_word->setWordWrap(true);
    auto* import = button("shortcutImport", tr("Import..."),
                          tr("Reads keys from a file: SLEAP's shortcuts.yaml, or one that was exported here."), this);
    auto* save = button("shortcutExport", tr("Export..."), tr("Writes all commands with their keys to a file."), this);

    auto* label = new QLabel(tr("New &key"), this);
    label->setBuddy(m_edit);
    auto* editing = new QHBoxLayout;
    editing->addWidget(label);
    editing->addWidget(m_edit, 1);
    for (QPushButton* b : {m_assign, m_also, m_none, m_reset})
        editing->addWidget(b);
    auto* files = new QHBoxLayout;
    files->addWidget(m_word, 1);
    files->addWidget(import);
    files->addWidget(save);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kMargin);
    column->addWidget(m_table, 1);
    column->addLayout(editing);
    column->addLayout(files);

    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        m_edit->clear();
        say({});
        refresh();
    });
    connect(m_edit, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutsPage::refresh);
    connect(m_assign, &QPushButton::clicked, this, &ShortcutsPage::assign);
    connect(m_also, &QPushButton::clicked, this, &ShortcutsPage::alsoAssign);
    connect(m_none, &QPushButton::clicked, this, [this] { take({}); });
    connect(m_reset, &QPushButton::clicked, this, [this] {
        m_shortcuts->reset(current());
        say(tr("%1 has its first keys again.").arg(commandName(current())));
        refresh();
    });
    connect(import, &QPushButton::clicked, this, &ShortcutsPage::importFile);
    connect(save, &QPushButton::clicked, this, &ShortcutsPage::exportFile);
    m_table->selectRow(0);
    refresh();
}

QAction* ShortcutsPage::current() const {
    const QList<int> rows = m_table->selectedModelRows();
    return rows.isEmpty() ? nullptr : m_model->actionAt(rows.front());
}

void ShortcutsPage::setFilter(const QString& words) {
    m_model->setFilter(words);
    if (m_model->rowCount() > 0)
        m_table->selectRow(0);
    refresh();
}

int ShortcutsPage::rowsShown() const {
    return m_model->rowCount();
}

void ShortcutsPage::resetAll() {
    m_shortcuts->resetAll();
    say(tr("All commands have their first keys again."));
    refresh();
}

void ShortcutsPage::say(const QString& sentence) {
    m_word->setText(sentence);
}

void ShortcutsPage::refresh() {
    QAction* action = current();
    const QKeySequence key = m_edit->keySequence();
    m_edit->setEnabled(action != nullptr);
    m_assign->setEnabled(action != nullptr && !key.isEmpty());
    m_also->setEnabled(m_assign->isEnabled() && !action->shortcuts().contains(key));
    m_none->setEnabled(action != nullptr && !action->shortcuts().isEmpty());
    m_reset->setEnabled(action != nullptr && m_shortcuts->isChanged(action));
    if (action == nullptr || key.isEmpty())
        return;
    const QAction* taken = m_shortcuts->conflict({key}, action);
    say(taken == nullptr ? tr("No other command has this key.")
                         : tr("%1 belongs to %2 now; assigning takes it from there.")
                               .arg(key.toString(QKeySequence::NativeText), commandName(taken)));
}

void ShortcutsPage::take(const QList<QKeySequence>& keys) {
    QAction* action = current();
    const QAction* taken = m_shortcuts->conflict(keys, action);
    m_shortcuts->assign(action, keys);
    m_edit->clear();
    say(keys.isEmpty()     ? tr("%1 has no key now.").arg(commandName(action))
        : taken != nullptr ? tr("%1 has the key; %2 lost it.").arg(commandName(action), commandName(taken))
                           : tr("%1 has the key.").arg(commandName(action)));
    refresh();
}

void ShortcutsPage::assign() {
    take({m_edit->keySequence()});
}

void ShortcutsPage::alsoAssign() {
    take(QList<QKeySequence>(current()->shortcuts()) << m_edit->keySequence());
}

void ShortcutsPage::importFile() {
    m_dialogs->chooseFiles(this, tr("Import Shortcuts"), QDir::homePath(), tr("Shortcuts (*.yaml *.yml)"),
                           [this](const QStringList& files) {
                               if (!files.isEmpty())
                                   importFrom(files.front());
                           });
}

void ShortcutsPage::importFrom(const QString& path) {
    const QString name = QFileInfo(path).fileName();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        say(tr("%1 cannot be read: %2.").arg(name, file.errorString()));
        return;
    }
    const ShortcutFile read = readShortcutFile(file.read(1 << 21));
    if (!read.problem.isEmpty()) {
        say(name + QStringLiteral(": ") + read.problem);
        return;
    }
    QStringList words{tr("%1 commands have other keys now.").arg(m_shortcuts->assign(read.wishes))};
    if (!read.unknown.isEmpty())
        words << tr("Skein has no command for: %1.").arg(read.unknown.join(QStringLiteral(", ")));
    if (!read.unusable.isEmpty())
        words << tr("These are no keys: %1.").arg(read.unusable.join(QStringLiteral(", ")));
    say(words.join(QLatin1Char(' ')));
    refresh();
}

void ShortcutsPage::exportFile() {
    m_dialogs->chooseNewFile(
        this, tr("Export Shortcuts"), QDir::home().filePath(QStringLiteral("skein-shortcuts.yaml")),
        tr("Shortcuts (*.yaml)"), [this](const QString& path) {
            if (path.isEmpty())
                return;
            QSaveFile file(path);
            const QByteArray text = m_shortcuts->exportText().toUtf8();
            const bool done = file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit();
            const QString name = QFileInfo(path).fileName();
            say(done ? tr("Wrote %1.").arg(name) : tr("%1 cannot be written: %2.").arg(name, file.errorString()));
        });
}

}  // namespace skein::ui
