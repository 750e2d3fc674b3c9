// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QKeySequence>
#include <initializer_list>
#include <vector>

#include "ui/actions/action_table.h"

namespace skein::ui {

// The rows of the table of actions, by menu.

/// Shortcuts of a row.
[[nodiscard]] inline std::vector<QKeySequence> keys(std::initializer_list<const char*> list) {
    std::vector<QKeySequence> result;
    for (const char* entry : list)
        result.emplace_back(QLatin1String(entry));
    return result;
}

/// Rows of all menus but Labels and Tracks, without exchangeActions().
[[nodiscard]] std::vector<ActionSpec> generalActions();
/// Import, export, rendered videos and clips in the menu File; they stand before filePreferences.
[[nodiscard]] std::vector<ActionSpec> exchangeActions();
/// Rows of the menu View about how instances and the picture look; they stand before viewRotate0.
[[nodiscard]] std::vector<ActionSpec> viewActions();
/// Rows of the menus Labels and Tracks, in their order.
[[nodiscard]] std::vector<ActionSpec> labelActions();
[[nodiscard]] std::vector<ActionSpec> trackActions();
/// Rows of the menu View about trails, after viewActions().
[[nodiscard]] std::vector<ActionSpec> trailActions();
/// Tracks, issues and the timeline's graphs, in the menus Tracks and Go.
[[nodiscard]] std::vector<ActionSpec> proofreadActions();
/// The queue of runs, in the menu Predict.
[[nodiscard]] std::vector<ActionSpec> queueActions();
/// Suggestions, skeletons, videos and finding, each at the end of its menu.
[[nodiscard]] std::vector<ActionSpec> projectActions();

}  // namespace skein::ui
