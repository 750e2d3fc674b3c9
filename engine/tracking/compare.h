// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/project/labels.h"
#include "engine/tracking/presets.h"
#include "engine/tracking/track_labels.h"

namespace skein::tracking {

/// Frames of one video, both ends included.
struct Stretch {
    std::uint32_t video = 0;
    std::int64_t first = 0, last = 0;
};

/// What one preset made of a stretch.
struct PresetOutcome {
    std::string_view preset;       ///< TrackingPreset::key
    std::string problem;           ///< why it could not run, one sentence; else empty
    std::int64_t frames = 0;       ///< of the stretch that there are
    std::int64_t instances = 0;    ///< with a track
    std::int64_t untracked = 0;    ///< instances without a track, or dropped for want of one
    std::int64_t tracks = 0;       ///< identities used
    std::int64_t suspicious = 0;   ///< events that a person would have to look at
    double suspiciousPer1000 = 0;  ///< the same per 1,000 frames
    double seconds = 0;            ///< for tracking alone
    project::Labels tracked;       ///< the stretch as this preset tracked it
};

/// Counts what is suspicious in tracked labels of one video.
using SuspicionCounter = std::function<std::int64_t(const project::Labels&)>;

/// Meetings at which changing partners would have shortened both ways, tracks that begin after the first frame, and
/// tracks that go on more than a body away. What follows an event of a track in the next frame is not counted again.
/// One video. Time grows with frames, and with the square of the animals in one.
[[nodiscard]] std::int64_t suspiciousEvents(const project::Labels& tracked);

/// The frames of a stretch as a project of their own (same video, skeletons and tracks), with the tracks of predicted
/// instances taken off.
[[nodiscard]] project::Labels detectionsOf(const project::Labels& labels, const Stretch& stretch);

/// Tracks the detections of a stretch anew by each preset, so that a person can choose by what comes out. `animals`:
/// their number, where known; a preset that needs it is otherwise one with a problem. `progress`: in units of frames
/// times presets; called on the calling thread. Errors: Cancelled; InvalidArgument (no frame with instances there).
[[nodiscard]] Result<std::vector<PresetOutcome>> compareOnStretch(const project::Labels& labels, const Stretch& stretch,
                                                                  std::span<const TrackingPreset> presets,
                                                                  std::optional<int> animals,
                                                                  const SuspicionCounter& count = suspiciousEvents,
                                                                  const TrackingProgress& progress = {},
                                                                  std::stop_token stop = {});

}  // namespace skein::tracking
