// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include "ui/settings.h"

namespace skein::ui {

/// Takes over what SLEAP's preferences.yaml says, where Skein has the same setting. Returns a sentence on what was
/// taken, or why nothing was. Nothing in the file is executed.
[[nodiscard]] QString importSleapPreferences(const QString& path, Settings* settings);

}  // namespace skein::ui
