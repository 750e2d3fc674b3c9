// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <QCoreApplication>
#include <QElapsedTimer>
#include <functional>

namespace skein::test {

/// Lets the program live until `condition` holds; false when that takes longer than `patienceMs`. For programs that
/// are no tests; those have patience.h.
inline bool waitUntil(const std::function<bool()>& condition, qint64 patienceMs = 120'000) {
    QElapsedTimer clock;
    clock.start();
    while (!condition()) {
        if (clock.elapsed() > patienceMs)
            return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 5);
    }
    return true;
}

}  // namespace skein::test
