// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QCoreApplication>
#include <QMetaObject>
#include <QPointer>
#include <atomic>
#include <functional>
#include <memory>
#include <utility>

namespace skein::ui {

/// A callback for a worker that runs `send(fraction)` on the GUI thread, in steps of a hundredth, as long as `owner`
/// lives.
template <class Send>
std::function<void(double)> throttled(QObject* owner, Send send) {
    auto last = std::make_shared<std::atomic<int>>(-1);
    return [guard = QPointer<QObject>(owner), send = std::move(send), last](double fraction) {
        const int step = static_cast<int>(fraction * 100);
        if (last->exchange(step) == step)
            return;
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [guard, send, fraction] {
                if (guard)
                    send(fraction);
            },
            Qt::QueuedConnection);
    };
}

}  // namespace skein::ui
