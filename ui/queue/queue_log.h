// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

class QWidget;

namespace skein::ui {

/// Shows a log in a window of its own, the end of a very long one; read on a worker.
void showQueueLog(QWidget* parent, const QString& title, const QString& path);

}  // namespace skein::ui
