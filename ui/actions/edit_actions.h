// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <vector>

#include "ui/actions/action_table.h"

namespace skein::ui {

/// Rows of the menus Labels and Tracks, in their order.
[[nodiscard]] std::vector<ActionSpec> labelActions();
[[nodiscard]] std::vector<ActionSpec> trackActions();

}  // namespace skein::ui
