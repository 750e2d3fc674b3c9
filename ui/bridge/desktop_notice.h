// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

class QWidget;

namespace skein::ui {

/// Tells the desktop that something long has ended: a notification, and a mark in the task bar; nothing while the
/// window is in front of the person. A desktop that has no notifications is left in peace.
void notifyDesktop(QWidget* window, const QString& title, const QString& text);

/// How far the window's work is, in the task bar; below 0 or from 1 on: nothing is going on. Told again only when a
/// hundredth has passed.
void showTaskbarProgress(double fraction);

}  // namespace skein::ui
