// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>

#include "engine/base/result.h"

namespace skein::ui {

/// An engine error as the window shows it: one sentence, and what is folded under "Details".
struct UiError {
    QString message;
    QString details;  ///< the way it came up, outermost first, one line each; may be empty
};

[[nodiscard]] inline UiError toUiError(const Error& error) {
    QStringList lines;
    for (auto it = error.context().rbegin(); it != error.context().rend(); ++it)
        lines << QString::fromStdString(*it);
    return {QString::fromStdString(error.message()), lines.join(QLatin1Char('\n'))};
}

}  // namespace skein::ui
