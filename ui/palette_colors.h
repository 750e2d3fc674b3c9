// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme.h"

/// Colours of a palette whether or not the window uses it now. Any thread.
namespace skein::ui {

[[nodiscard]] int paletteSize(theme::Palette palette);
/// Around and around: index modulo paletteSize().
[[nodiscard]] QColor paletteColor(theme::Palette palette, int index);

}  // namespace skein::ui
