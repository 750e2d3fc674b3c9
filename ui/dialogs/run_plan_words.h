// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include "ui/dialogs/run_plan.h"
#include "ui/dialogs/run_settings.h"

// Parts of the line that says what a run will do.
namespace skein::ui {

/// Of the button that does what the plan says could be done about a refusal; empty without one.
[[nodiscard]] QString fixTitle(const RunPlan& plan);
/// "track with OKS + Hungarian as 2 animals".
[[nodiscard]] QString trackingWords(TrackerChoice choice, const tracking::TrackerOptions& options);
/// "about 6 min on this device (CPU)", or what it runs on where the speed is not known; may be empty.
[[nodiscard]] QString timeWords(std::int64_t frames, const RunSituation& situation);
/// What becomes of predictions that are there; empty where there are none. A sentence, or two.
[[nodiscard]] QString existingWords(const RunSettings& settings, const RunSituation& situation, bool givesTracks);
/// "frames 1-1,100", "40 labelled frames".
[[nodiscard]] QString frameWords(RunTarget target, const FrameRanges& frames, bool fromZero);
/// Why the target has no frames.
[[nodiscard]] QString noFrames(const RunSettings& settings, const RunSituation& situation, const RunPlan& plan);

}  // namespace skein::ui
