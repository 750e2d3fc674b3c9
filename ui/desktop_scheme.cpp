// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desktop_scheme.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QPalette>
#include <QTimer>
#include <functional>

namespace skein::ui {

namespace {
const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kGroup = QStringLiteral("org.freedesktop.appearance");
const QString kKey = QStringLiteral("color-scheme");
}  // namespace

namespace {

/// The desktop portal's answer and its news, as a number: 0 no preference, 1 dark, 2 light.
class PortalScheme : public QObject {
    Q_OBJECT
public:
    PortalScheme(std::function<void(unsigned)> listener, QObject* parent)
        : QObject(parent), m_listener(std::move(listener)) {
        QDBusConnection bus = QDBusConnection::sessionBus();
        if (!bus.isConnected())
            return;
        bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                    SLOT(settingChanged(QString, QString, QDBusVariant)));
        QDBusMessage ask = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
        ask << kGroup << kKey;
        auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(ask), this);
        connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* done) {
            const QDBusPendingReply<QVariant> reply = *done;
            if (!reply.isError())
                take(reply.value());
            done->deleteLater();
        });
    }

private Q_SLOTS:
    void settingChanged(const QString& group, const QString& key, const QDBusVariant& value) {
        if (group == kGroup && key == kKey)
            take(value.variant());
    }

private:
    void take(const QVariant& value) {
        QVariant inner = value;
        while (inner.canConvert<QDBusVariant>())
            inner = inner.value<QDBusVariant>().variant();
        m_listener(inner.toUInt());
    }

    std::function<void(unsigned)> m_listener;
};

}  // namespace

DesktopScheme& DesktopScheme::instance() {
    static auto* scheme = new DesktopScheme;  // lives as long as the process: nothing to tidy at its end
    return *scheme;
}

DesktopScheme::DesktopScheme() {
    m_dark = QApplication::palette().color(QPalette::Window).lightness() < 128;
    if (qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS"))
        return;
    // After the window is up: connecting to the bus takes a few milliseconds.
    QTimer::singleShot(0, this, [this] { new PortalScheme([this](unsigned scheme) { take(scheme); }, this); });
}

void DesktopScheme::take(unsigned scheme) {
    const bool dark = scheme == 1 || (scheme == 0 && m_dark);
    if (dark != m_dark) {
        m_dark = dark;
        Q_EMIT changed();
    }
}

}  // namespace skein::ui

#include "desktop_scheme.moc"
