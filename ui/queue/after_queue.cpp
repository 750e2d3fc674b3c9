// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/after_queue.h"

#include <QCoreApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QProcess>
#include <QStandardPaths>

#include "ui/bridge/background.h"

namespace skein::ui {
namespace {

constexpr int kPatienceMs = 2000;

QString tr(const char* text) {
    return QCoreApplication::translate("AfterQueue", text);
}

/// Empty: it can sleep.
QString reasonAgainstSleep() {
    if (QStandardPaths::findExecutable(QStringLiteral("systemctl")).isEmpty())
        return tr("This system cannot be put to sleep from here: it has no systemctl.");
    const QString name = QStringLiteral("skein-sleep");
    QString answer;
    {
        const QDBusConnection bus = QDBusConnection::connectToBus(QDBusConnection::SystemBus, name);
        if (bus.isConnected()) {
            const QDBusMessage reply =
                bus.call(QDBusMessage::createMethodCall(
                             QStringLiteral("org.freedesktop.login1"), QStringLiteral("/org/freedesktop/login1"),
                             QStringLiteral("org.freedesktop.login1.Manager"), QStringLiteral("CanSuspend")),
                         QDBus::Block, kPatienceMs);
            if (reply.type() == QDBusMessage::ReplyMessage)
                answer = reply.arguments().value(0).toString();
        }
    }
    QDBusConnection::disconnectFromBus(name);
    if (answer == QLatin1String("yes"))
        return {};
    return answer.isEmpty() ? tr("The system does not say whether it can sleep.")
                            : tr("The system does not let this person put it to sleep.");
}

}  // namespace

void askWhetherSystemSleeps(QObject* owner, std::function<void(bool can, const QString& why)> then) {
    inBackground(
        owner, []() -> Result<QString> { return reasonAgainstSleep(); },
        [then = std::move(then)](const Result<QString>& why) {
            const QString words = why ? *why : QString::fromStdString(why.error().message());
            then(words.isEmpty(), words);
        });
}

bool putSystemToSleep() {
    return QProcess::startDetached(QStringLiteral("systemctl"), {QStringLiteral("suspend")});
}

}  // namespace skein::ui
