// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <vector>

#include "engine/project/find.h"

namespace skein::ui {

/// A filter as JSON text for the settings file.
[[nodiscard]] QString filterText(const std::vector<project::FindCondition>& conditions);
/// Conditions that are not known (of a newer version, say) are left out.
[[nodiscard]] std::vector<project::FindCondition> filterFromText(const QString& text);

}  // namespace skein::ui
