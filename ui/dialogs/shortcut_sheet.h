// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>

namespace skein::ui {

class Shortcuts;

/// All commands with the keys that they have now, to look one up. Enter or a double click does nothing: it is a sheet,
/// the palette runs commands. Deletes itself when closed. GUI thread only.
class ShortcutSheet : public QDialog {
    Q_OBJECT
public:
    ShortcutSheet(Shortcuts* shortcuts, QWidget* parent);

Q_SIGNALS:
    void changeWanted();
};

}  // namespace skein::ui
