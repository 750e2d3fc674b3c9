// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/dialog_service.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>
#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

namespace skein::ui {

namespace {

QString tr(const char* sentence) {
    return QCoreApplication::translate("WindowDialogs", sentence);
}

/// Shows the dialog for the window and forgets it when it is closed.
template <class Dialog>
Dialog* shown(Dialog* dialog) {
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowModality(Qt::WindowModal);
    dialog->open();
    return dialog;
}

QInputDialog* newInput(QWidget* parent, const char* objectName, const QString& title, const QString& label) {
    auto* dialog = new QInputDialog(parent);
    dialog->setObjectName(QLatin1String(objectName));
    dialog->setWindowTitle(title);
    dialog->setLabelText(label);
    dialog->setOkButtonText(title);
    return dialog;
}

QMessageBox* newChoice(QWidget* parent, const QString& title, const QString& question, const QStringList& choices,
                       const QString& none, std::function<void(int)> then) {
    auto* box = new QMessageBox(QMessageBox::NoIcon, title, question, QMessageBox::NoButton, parent);
    box->setObjectName(QStringLiteral("choiceDialog"));
    std::vector<QAbstractButton*> buttons;
    for (const QString& choice : choices) {
        buttons.push_back(box->addButton(choice, QMessageBox::AcceptRole));
        buttons.back()->setObjectName(QStringLiteral("choice%1").arg(buttons.size()));
    }
    QPushButton* cancel = box->addButton(none, QMessageBox::RejectRole);
    cancel->setObjectName(QStringLiteral("choiceCancel"));
    box->setDefaultButton(cancel);
    box->setEscapeButton(cancel);
    QObject::connect(box, &QDialog::finished, box, [box, buttons, then = std::move(then)](int) {
        const auto it = std::find(buttons.begin(), buttons.end(), box->clickedButton());
        then(it == buttons.end() ? -1 : static_cast<int>(it - buttons.begin()));
    });
    return box;
}

}  // namespace

void WindowDialogs::askUnsaved(QWidget* parent, const QString& name, std::function<void(Unsaved)> then) {
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Unsaved changes"), tr("Save %1?").arg(name),
                                QMessageBox::NoButton, parent);
    box->setObjectName(QStringLiteral("unsavedDialog"));
    box->setInformativeText(tr("Without saving they are lost."));
    QPushButton* save = box->addButton(tr("Save"), QMessageBox::AcceptRole);
    QPushButton* discard = box->addButton(tr("Discard Changes"), QMessageBox::DestructiveRole);
    QPushButton* cancel = box->addButton(tr("Keep Editing"), QMessageBox::RejectRole);
    save->setObjectName(QStringLiteral("unsavedSave"));
    discard->setObjectName(QStringLiteral("unsavedDiscard"));
    cancel->setObjectName(QStringLiteral("unsavedCancel"));
    box->setDefaultButton(save);
    box->setEscapeButton(cancel);
    QObject::connect(box, &QDialog::finished, box, [box, save, discard, then = std::move(then)](int) {
        then(box->clickedButton() == save      ? Unsaved::Save
             : box->clickedButton() == discard ? Unsaved::Discard
                                               : Unsaved::Cancel);
    });
    shown(box);
}

void WindowDialogs::chooseFiles(QWidget* parent, const QString& title, const QString& folder, const QString& filter,
                                std::function<void(const QStringList&)> then) {
    auto* dialog = new QFileDialog(parent, title, folder, filter);
    dialog->setObjectName(QStringLiteral("openDialog"));
    dialog->setFileMode(QFileDialog::ExistingFiles);
    QObject::connect(dialog, &QDialog::finished, dialog, [dialog, then = std::move(then)](int result) {
        then(result == QDialog::Accepted ? dialog->selectedFiles() : QStringList());
    });
    shown(dialog);
}

void WindowDialogs::chooseFolder(QWidget* parent, const QString& title, const QString& folder,
                                 std::function<void(const QString&)> then) {
    auto* dialog = new QFileDialog(parent, title, folder);
    dialog->setObjectName(QStringLiteral("folderDialog"));
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    QObject::connect(dialog, &QDialog::finished, dialog, [dialog, then = std::move(then)](int result) {
        then(result == QDialog::Accepted ? dialog->selectedFiles().value(0) : QString());
    });
    shown(dialog);
}

void WindowDialogs::chooseSavePath(QWidget* parent, const QString& suggestion,
                                   std::function<void(const QString&)> then) {
    auto* dialog =
        new QFileDialog(parent, tr("Save project"), QFileInfo(suggestion).absolutePath(), tr("Projects (*.slp)"));
    dialog->setObjectName(QStringLiteral("saveDialog"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("slp"));
    dialog->selectFile(QFileInfo(suggestion).fileName());
    QObject::connect(dialog, &QDialog::finished, dialog, [dialog, then = std::move(then)](int result) {
        then(result == QDialog::Accepted ? dialog->selectedFiles().value(0) : QString());
    });
    shown(dialog);
}

void WindowDialogs::chooseNewFile(QWidget* parent, const QString& title, const QString& suggestion,
                                  const QString& filter, std::function<void(const QString&)> then) {
    auto* dialog = new QFileDialog(parent, title, QFileInfo(suggestion).absolutePath(), filter);
    dialog->setObjectName(QStringLiteral("newFileDialog"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QFileInfo(suggestion).suffix());
    dialog->selectFile(QFileInfo(suggestion).fileName());
    QObject::connect(dialog, &QDialog::finished, dialog, [dialog, then = std::move(then)](int result) {
        then(result == QDialog::Accepted ? dialog->selectedFiles().value(0) : QString());
    });
    shown(dialog);
}

void WindowDialogs::confirm(QWidget* parent, const QString& question, const QString& details, const QString& verb,
                            std::function<void(bool)> then) {
    auto* box = new QMessageBox(QMessageBox::NoIcon, question, question, QMessageBox::NoButton, parent);
    box->setObjectName(QStringLiteral("confirmDialog"));
    box->setInformativeText(details);
    QPushButton* yes = box->addButton(verb, QMessageBox::DestructiveRole);
    QPushButton* no = box->addButton(tr("Cancel"), QMessageBox::RejectRole);
    yes->setObjectName(QStringLiteral("confirmYes"));
    no->setObjectName(QStringLiteral("confirmNo"));
    box->setDefaultButton(no);
    box->setEscapeButton(no);
    QObject::connect(box, &QDialog::finished, box,
                     [box, yes, then = std::move(then)](int) { then(box->clickedButton() == yes); });
    shown(box);
}

void WindowDialogs::askNumber(QWidget* parent, const QString& title, const QString& label, std::int64_t value,
                              std::int64_t least, std::int64_t most,
                              std::function<void(std::optional<std::int64_t>)> then) {
    constexpr std::int64_t kMostInBox = std::numeric_limits<int>::max();
    auto* dialog = newInput(parent, "numberDialog", title, label);
    dialog->setInputMode(QInputDialog::IntInput);
    dialog->setIntRange(static_cast<int>(least), static_cast<int>(std::min(most, kMostInBox)));
    dialog->setIntValue(static_cast<int>(std::min(value, kMostInBox)));
    QObject::connect(dialog, &QDialog::finished, dialog, [dialog, then = std::move(then)](int result) {
        then(result == QDialog::Accepted ? std::optional<std::int64_t>(dialog->intValue()) : std::nullopt);
    });
    shown(dialog);
}

void WindowDialogs::askDecimal(QWidget* parent, const QString& title, const QString& label, double value, double least,
                               double most, int decimals, std::function<void(std::optional<double>)> then) {
    auto* dialog = newInput(parent, "decimalDialog", title, label);
    dialog->setInputMode(QInputDialog::DoubleInput);
    dialog->setDoubleDecimals(decimals);
    dialog->setDoubleRange(least, most);
    dialog->setDoubleValue(value);
    QObject::connect(dialog, &QDialog::finished, dialog, [dialog, then = std::move(then)](int result) {
        then(result == QDialog::Accepted ? std::optional<double>(dialog->doubleValue()) : std::nullopt);
    });
    shown(dialog);
}

void WindowDialogs::askText(QWidget* parent, const QString& title, const QString& label, const QString& value,
                            std::function<void(std::optional<QString>)> then) {
    auto* dialog = newInput(parent, "textDialog", title, label);
    dialog->setInputMode(QInputDialog::TextInput);
    dialog->setTextValue(value);
    QObject::connect(dialog, &QDialog::finished, dialog, [dialog, then = std::move(then)](int result) {
        const QString text = dialog->textValue().trimmed();
        then(result == QDialog::Accepted && !text.isEmpty() ? std::optional<QString>(text) : std::nullopt);
    });
    shown(dialog);
}

void WindowDialogs::askChoice(QWidget* parent, const QString& title, const QString& question,
                              const QStringList& choices, std::function<void(int)> then) {
    shown(newChoice(parent, title, question, choices, tr("Cancel"), std::move(then)));
}

void WindowDialogs::askOnce(QWidget* parent, const QString& title, const QString& question, const QStringList& choices,
                            const QString& none, std::function<void(int, bool)> then) {
    auto* always = new QCheckBox(tr("Do not ask again"));
    always->setObjectName(QStringLiteral("choiceAlways"));
    always->setToolTip(tr("The answer holds from now on; the preferences change it."));
    QMessageBox* box = newChoice(parent, title, question, choices, none, [always, then = std::move(then)](int choice) {
        then(choice, choice >= 0 && always->isChecked());
    });
    box->setCheckBox(always);
    shown(box);
}

void WindowDialogs::askItem(QWidget* parent, const QString& title, const QString& label, const QStringList& items,
                            std::function<void(std::optional<int>)> then) {
    QInputDialog* dialog = newInput(parent, "itemDialog", title, label);
    dialog->setComboBoxItems(items);
    QObject::connect(dialog, &QDialog::finished, dialog, [dialog, items, then = std::move(then)](int result) {
        const auto at = items.indexOf(dialog->textValue());
        then(result == QDialog::Accepted && at >= 0 ? std::optional<int>(static_cast<int>(at)) : std::nullopt);
    });
    shown(dialog);
}

}  // namespace skein::ui
