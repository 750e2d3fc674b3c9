// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <optional>

#include "engine/base/result.h"
#include "engine/pipeline/job.h"
#include "ui/bridge/checked_model.h"
#include "ui/dialogs/run_options.h"
#include "ui/run_host.h"

namespace skein::ui {

/// Everything a plan depends on beside the person's settings.
struct RunSituation {
    std::optional<RunVideo> video;
    std::int64_t frame = 0;
    std::optional<FrameRange> selection;
    bool fromZero = false;
    QString modelPath;  ///< empty: none chosen
    bool modelReading = false;
    std::optional<CheckedModel> model;
    bool running = false;  ///< another run is in progress
    /// Frames of the target with predictions, -1 not known.
    std::int64_t framesWithPredictions = -1;
    QString device;        ///< what computes, empty: not known yet
    double knownRate = 0;  ///< frames per second of the last run with this model, 0 unknown
};

/// What Run would do now, or why it cannot.
struct RunPlan {
    enum class Fix { None, ChooseModel, WholeVideo, ShowJobs };

    bool canRun = false;
    FrameRange range;     ///< frames to be predicted
    QString button;       ///< of the primary button: "Run on 1,100 frames"
    QString summary;      ///< the line that says what will happen, or why it cannot
    Fix fix = Fix::None;  ///< what a second button could do about it
};

/// Frames of a target; empty range: there are none.
[[nodiscard]] FrameRange framesOf(RunTarget target, const RunSituation& situation);

[[nodiscard]] RunPlan planRun(const RunSettings& settings, const RunSituation& situation);

/// The tracker's options with everything derived that follows from others.
[[nodiscard]] Result<tracking::TrackerOptions> resolvedTracker(const RunSettings& settings,
                                                               const models::ModelSpec& model);

/// The job of a plan that can run.
[[nodiscard]] Result<pipeline::JobSpec> makeJob(const RunSettings& settings, const RunSituation& situation,
                                                const RunPlan& plan);

/// "Frames 1-1,100 of fly.mp4": what a run is about, for lists and undo.
[[nodiscard]] QString runTitle(const RunSituation& situation, const FrameRange& range);

}  // namespace skein::ui
