// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

class QWidget;

namespace skein::ui {

/// Shows a page of the guide (Markdown, from the resources) in a window of its own, which stays while people work.
/// GUI thread only.
void showHelpPage(QWidget* window, const QString& resource);

}  // namespace skein::ui
