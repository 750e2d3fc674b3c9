// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>
#include <QIcon>
#include <QString>

namespace skein::ui {

/// Line icon `name` from resources/icons, drawn in the theme's text colour at the time of painting, so that a change of
/// theme needs no new icons. Disabled icons take the secondary colour.
[[nodiscard]] QIcon icon(const QString& name);

/// The same in a colour of its own, e.g. for a banner.
[[nodiscard]] QIcon icon(const QString& name, const QColor& color);

/// On an accent ground.
[[nodiscard]] QIcon iconOnAccent(const QString& name);

}  // namespace skein::ui
