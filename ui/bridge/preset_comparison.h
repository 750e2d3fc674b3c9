// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/project/labels.h"
#include "engine/tracking/compare.h"

namespace skein::ui {

/// What one tracking preset made of the detections of a stretch.
struct ComparedPreset {
    std::string_view preset;  ///< tracking::TrackingPreset::key
    std::string problem;      ///< why it could not run, one sentence; else empty
    std::int64_t frames = 0;
    std::int64_t tracks = 0;  ///< identities used
    std::int64_t untracked = 0;
    double suspiciousPer1000 = 0;
    double seconds = 0;
    // Against what a person has tracked on the stretch; unset without such frames.
    std::optional<std::int64_t> switches;
    std::optional<double> idf1;
};

/// All of them, and against how much of a truth.
struct PresetComparison {
    std::vector<ComparedPreset> presets;
    std::int64_t trueFrames = 0;  ///< with tracked instances that a person made; 0: nothing to compare with
};

/// Tracks the detections of the stretch anew with every preset. Takes seconds: for a worker. Errors: Cancelled;
/// InvalidArgument (no instances there).
[[nodiscard]] Result<PresetComparison> comparePresets(const project::Labels& labels, const tracking::Stretch& stretch,
                                                      std::optional<int> animals,
                                                      const tracking::TrackingProgress& progress, std::stop_token stop);

}  // namespace skein::ui
