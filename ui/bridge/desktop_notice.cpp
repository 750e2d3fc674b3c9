// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/desktop_notice.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QGuiApplication>
#include <QVariantMap>
#include <QWidget>

namespace skein::ui {
namespace {

constexpr int kStaysMs = 10000;

/// Only where windows are on a desktop: tests and pictures have none.
bool hasDesktop() {
    const QString platform = QGuiApplication::platformName();
    return platform == QLatin1String("xcb") || platform.startsWith(QLatin1String("wayland"));
}

}  // namespace

void notifyDesktop(QWidget* window, const QString& title, const QString& text) {
    if (window == nullptr || window->isActiveWindow())
        return;
    QApplication::alert(window);
    if (!hasDesktop())
        return;
    QDBusMessage call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("/org/freedesktop/Notifications"),
        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
    call << QApplication::applicationDisplayName() << 0U << QGuiApplication::desktopFileName() << title
         << text.toHtmlEscaped() << QStringList() << QVariantMap() << kStaysMs;
    // Nobody waits for the answer.
    QDBusConnection::sessionBus().send(call);
}

void showTaskbarProgress(double fraction) {
    static int last = -1;
    const int step = fraction >= 0 && fraction < 1 ? static_cast<int>(fraction * 100) : -1;
    if (step == last || !hasDesktop())
        return;
    last = step;
    QDBusMessage signal = QDBusMessage::createSignal(
        QStringLiteral("/org/skein"), QStringLiteral("com.canonical.Unity.LauncherEntry"), QStringLiteral("Update"));
    signal << QStringLiteral("application://%1.desktop").arg(QGuiApplication::desktopFileName())
           << QVariantMap{{QStringLiteral("progress"), step < 0 ? 0.0 : static_cast<double>(step) / 100},
                          {QStringLiteral("progress-visible"), step >= 0}};
    QDBusConnection::sessionBus().send(signal);
}

}  // namespace skein::ui
