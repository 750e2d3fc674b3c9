// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <vector>

#include "engine/batch/entry.h"

namespace skein::app {

/// A table of what became of each entry, with a line of counts; or the same as JSON.
void printTable(const std::vector<batch::Entry>& entries);
void printJson(const std::vector<batch::Entry>& entries);

/// Whether every entry is done.
[[nodiscard]] bool allDone(const std::vector<batch::Entry>& entries);

}  // namespace skein::app
