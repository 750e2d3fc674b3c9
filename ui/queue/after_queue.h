// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <functional>

class QObject;

namespace skein::ui {

/// Asks the system, on a worker, whether it can be put to sleep; `why` says why not, one sentence.
void askWhetherSystemSleeps(QObject* owner, std::function<void(bool can, const QString& why)> then);
/// Puts it to sleep; false: that could not be asked for.
bool putSystemToSleep();

}  // namespace skein::ui
