// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/tracking/tracker_options.h"

namespace skein::tracking {

/// A choice of tracker that a person can understand, in place of thirty options. Texts are English; a window translates
/// them.
struct TrackingPreset {
    std::string_view key;          ///< as on the command line: "tolerant_oks"
    std::string_view name;         ///< as in a list: "Tolerant OKS"
    std::string_view description;  ///< one sentence: what it does and for whom it is
    bool needsCount = false;       ///< cannot do without the number of animals
    bool usesCount = false;        ///< does better with it
    TrackerOptions options;        ///< without the number of animals
};

/// All presets, sleap-nn's defaults first.
[[nodiscard]] std::span<const TrackingPreset> trackingPresets();

/// Errors: InvalidArgument, with the keys that there are.
[[nodiscard]] Result<const TrackingPreset*> findPreset(std::string_view key);

/// The preset's options, not yet resolved, with the number of animals where it uses one.
[[nodiscard]] TrackerOptions presetOptions(const TrackingPreset& preset, std::optional<int> animals = {});

}  // namespace skein::tracking
