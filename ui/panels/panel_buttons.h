// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAction>
#include <QLayout>
#include <QList>
#include <QString>
#include <utility>

namespace skein::ui {

/// The row of buttons over a dock's table. Each follows its action and says it in the words given; buttons that do not
/// fit go to the next line. objectName: the action's and "PanelButton".
[[nodiscard]] QLayout* panelButtons(QWidget* parent, const QList<std::pair<QAction*, QString>>& buttons);

}  // namespace skein::ui
