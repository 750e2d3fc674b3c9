// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/shortcut_sheet.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/shortcut_table_model.h"
#include "ui/theme.h"
#include "ui/widgets/plain_table.h"

namespace skein::ui {

namespace {
constexpr int kWidth = 640, kHeight = 600;
}

ShortcutSheet::ShortcutSheet(Shortcuts* shortcuts, QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("shortcutSheet"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Keyboard Shortcuts"));
    auto* model = new ShortcutTableModel(shortcuts, this);
    auto* search = new QLineEdit(this);
    search->setObjectName(QStringLiteral("sheetSearch"));
    search->setAccessibleName(tr("Find a command or a key"));
    search->setPlaceholderText(tr("Find a command or a key"));
    search->setToolTip(tr("Shows only commands whose name, menu or key has these words."));
    search->setClearButtonEnabled(true);
    auto* table = new PlainTable(QStringLiteral("sheetTable"), tr("Commands and their keys"), this);
    table->setToolTip(tr("The keys as they are now; Ctrl+C copies the selected row."));
    table->setModel(model);
    table->setColumnWidths({26, 18, 22}, ShortcutTableModel::Command);
    table->setEmptySentence(tr("No command has these words."));
    auto* gestures =
        new QLabel(tr("Where the desktop keeps dragging with Alt for itself, Ctrl and Shift together do the "
                      "same: they move a whole instance, and zoom to a rectangle or a stretch of time."),
                   this);
    gestures->setObjectName(QStringLiteral("sheetGestures"));
    gestures->setWordWrap(true);
    gestures->setForegroundRole(QPalette::PlaceholderText);
    auto* change = new QPushButton(tr("Change Keys..."), this);
    change->setObjectName(QStringLiteral("sheetChange"));
    change->setToolTip(tr("Opens the preferences of the keys."));
    change->setAutoDefault(false);
    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(QStringLiteral("sheetClose"));
    close->setToolTip(tr("Closes this sheet."));
    close->setAutoDefault(false);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(change);
    buttons->addStretch();
    buttons->addWidget(close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    column->setSpacing(theme::kMargin);
    column->addWidget(search);
    column->addWidget(table, 1);
    column->addWidget(gestures);
    column->addLayout(buttons);
    resize(kWidth, kHeight);
    connect(search, &QLineEdit::textChanged, model, [model](const QString& text) { model->setFilter(text.trimmed()); });
    connect(change, &QPushButton::clicked, this, [this] {
        Q_EMIT changeWanted();
        QDialog::close();
    });
    connect(close, &QPushButton::clicked, this, &QDialog::close);
}

}  // namespace skein::ui
