// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/background_settings.h"

#include <QEvent>

#include "ui/bridge/background.h"

namespace skein::ui {

bool BackgroundSettings::event(QEvent* event) {
    if (event->type() != QEvent::UpdateRequest)
        return QSettings::event(event);
    inBackground(
        this,
        [file = fileName(), format = format()]() -> Result<bool> {
            // What was set and is not written yet belongs to the file, not to the object.
            QSettings(file, format).sync();
            return true;
        },
        // Nothing is left to write; from here on the next change is noticed again.
        [this](const Result<bool>&) { sync(); });
    return true;
}

}  // namespace skein::ui
