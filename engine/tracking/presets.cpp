// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/presets.h"

#include <array>

namespace skein::tracking {

namespace {

TrackerOptions with(TrackerKind tracker) {
    TrackerOptions options;
    options.tracker = tracker;
    return options;
}

TrackerOptions tolerantOks() {
    TrackerOptions options;
    options.oksStddev = 0.3;
    return options;
}

TrackerOptions kalman() {
    TrackerOptions options;
    options.useKalman = true;
    return options;
}

const std::array<TrackingPreset, 5>& table() {
    static const std::array<TrackingPreset, 5> presets{
        {{"as_sleap_nn", "As sleap-nn", "sleap-nn's defaults, for the same tracks as there.", false, false, {}},
         {"tolerant_oks", "Tolerant OKS",
          "As sleap-nn, but a pose may differ more from the one before: fewer swaps of small or fast animals.", false,
          true, tolerantOks()},
         {"kalman", "Kalman",
          "As sleap-nn, with each animal expected where it would be by its movement; needs the number of animals.",
          true, true, kalman()},
         {"bytetrack", "ByteTrack + known count",
          "Follows boxes and links them at the end to as many animals as there are; doubtful instances stay without a "
          "track.",
          true, true, with(TrackerKind::ByteTrack)},
         {"skein", "Skein",
          "Follows whole poses, makes no match where none is likely, and links tracks at the end; best with the number "
          "of animals.",
          false, true, with(TrackerKind::Skein)}}};
    return presets;
}

}  // namespace

std::span<const TrackingPreset> trackingPresets() {
    return table();
}

Result<const TrackingPreset*> findPreset(std::string_view key) {
    std::string possible;
    for (const TrackingPreset& preset : table()) {
        if (preset.key == key)
            return &preset;
        possible += (possible.empty() ? "" : ", ") + std::string(preset.key);
    }
    return fail(ErrorCode::InvalidArgument,
                "There is no preset \"" + std::string(key) + "\"; possible are " + possible + ".");
}

TrackerOptions presetOptions(const TrackingPreset& preset, std::optional<int> animals) {
    TrackerOptions options = preset.options;
    if (preset.usesCount)
        options.maxTracks = animals;
    return options;
}

}  // namespace skein::tracking
