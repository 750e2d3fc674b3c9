// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/help_page.h"

#include <QCoreApplication>
#include <QDialog>
#include <QFile>
#include <QTextBlock>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "ui/theme.h"

namespace skein::ui {

namespace {
constexpr int kWidth = 640, kHeight = 640;
constexpr int kRoom = 20;
}  // namespace

void showHelpPage(QWidget* window, const QString& resource) {
    auto* dialog = new QDialog(window);
    dialog->setObjectName(QStringLiteral("helpPage"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    auto* text = new QTextBrowser(dialog);
    text->setObjectName(QStringLiteral("helpText"));
    text->setAccessibleName(QCoreApplication::translate("HelpPage", "Guide"));
    text->setToolTip(QCoreApplication::translate("HelpPage", "A page of the guide."));
    text->setFrameShape(QFrame::NoFrame);
    text->document()->setDocumentMargin(kRoom);
    QFile file(resource);
    if (file.open(QIODevice::ReadOnly))
        text->setMarkdown(QString::fromUtf8(file.readAll()));
    dialog->setWindowTitle(text->document()->firstBlock().text());
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(text);
    dialog->resize(kWidth, kHeight);
    dialog->show();
}

}  // namespace skein::ui
