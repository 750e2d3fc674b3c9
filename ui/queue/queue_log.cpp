// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/queue_log.h"

#include <QCoreApplication>
#include <QDialog>
#include <QFile>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include "ui/bridge/background.h"
#include "ui/theme.h"

namespace skein::ui {
namespace {

constexpr qint64 kMostLog = 4 << 20;
constexpr int kWidth = 760, kHeight = 360;

}  // namespace

void showQueueLog(QWidget* parent, const QString& title, const QString& path) {
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("queueLogDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* words = new QPlainTextEdit(dialog);
    words->setObjectName(QStringLiteral("queueLogText"));
    words->setAccessibleName(title);
    words->setReadOnly(true);
    words->setFrameShape(QFrame::NoFrame);
    words->setLineWrapMode(QPlainTextEdit::NoWrap);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    layout->addWidget(words);
    dialog->resize(kWidth, kHeight);
    dialog->show();
    inBackground(
        dialog,
        [path]() -> Result<QString> {
            QFile file(path);
            if (!file.open(QIODevice::ReadOnly))
                return QCoreApplication::translate("QueueLog", "The log %1 is not there any more.").arg(path);
            if (file.size() > kMostLog)
                file.seek(file.size() - kMostLog);
            return QString::fromUtf8(file.readAll());
        },
        [words](const Result<QString>& log) {
            words->setPlainText(log ? *log : QString::fromStdString(log.error().message()));
        });
}

}  // namespace skein::ui
