// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <Qt>

namespace skein::ui {

/// Many window managers keep dragging with Alt for themselves and move the window by it. Ctrl and Shift together are
/// free everywhere and mean the same.
[[nodiscard]] inline bool isAltGesture(Qt::KeyboardModifiers modifiers) {
    return modifiers == Qt::AltModifier || modifiers == (Qt::ControlModifier | Qt::ShiftModifier);
}

}  // namespace skein::ui
