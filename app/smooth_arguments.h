// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/arguments.h"
#include "engine/proofread/smoothing.h"

namespace skein::app {

struct SmoothArguments {
    std::string method = "none";
    proofread::SmoothOptions options;
};

/// Adds --smooth and how.
void addSmoothOptions(CLI::App& command, SmoothArguments& arguments);

/// Puts smoothed points in place of the raw ones, if that was asked for. Errors: those of smooth().
[[nodiscard]] Result<void> smoothIfAsked(project::Labels& labels, const SmoothArguments& arguments);

}  // namespace skein::app
