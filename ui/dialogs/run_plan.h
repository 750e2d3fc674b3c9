// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <optional>

#include "engine/base/result.h"
#include "engine/pipeline/job.h"
#include "ui/bridge/checked_model.h"
#include "ui/dialogs/run_options.h"
#include "ui/dialogs/target_frames.h"
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
    std::optional<CheckedModel> partner;  ///< of a top-down pair
    bool alone = false;                   ///< a model that could have a partner shall run without one
    /// What the project holds on the video's frames; null: not known yet.
    std::shared_ptr<const LabelFrames> labelFrames;
    std::uint32_t sampleSeed = 0;
    bool running = false;  ///< another run is in progress
    /// Frames of the target with predictions, and of them those with tracks; -1 not known.
    std::int64_t framesWithPredictions = -1;
    std::int64_t framesWithTracks = -1;
    std::optional<FrameRanges> issueFrames;  ///< that an open issue touches; none: nobody has looked for issues
    std::vector<RunVideo> videos;            ///< of the project
    std::vector<std::uint32_t> selectedVideos;
    /// What the project holds on the frames of each video; null: not known yet.
    std::shared_ptr<const std::vector<LabelFrames>> allLabelFrames;
    std::vector<project::Skeleton> skeletons;  ///< of the project
    bool opensLater = false;                   ///< the video need not be open yet: it is opened when its turn comes
    QString device;                            ///< what computes, empty: not known yet
    double knownRate = 0;                      ///< frames per second of the last run with this model, 0 unknown
};

/// What Run would do now, or why it cannot.
struct RunPlan {
    enum class Fix { None, ChooseModel, ChoosePartner, WholeVideo, ShowDock, ShowOption };

    bool canRun = false;
    FrameRanges frames;      ///< to be predicted
    std::int64_t count = 0;  ///< of them; of several videos, those of all
    std::size_t videos = 1;  ///< that are predicted, one after another; `frames` are of the first
    ModelUse use = ModelUse::Unknown;
    std::vector<models::ModelSpec> models;  ///< in the order of their work, once they are known and go together
    QString tracking;                       ///< "track with OKS + Hungarian", "not tracked"
    QString button;                         ///< of the primary button: "Run on 1,100 frames"
    QString summary;                        ///< the line that says what will happen, or why it cannot
    Fix fix = Fix::None;                    ///< what a second button could do about it
    QString fixPlace;                       ///< the dock, or the option, that it shows
};

/// Whether the frames of a target depend on what the project holds.
[[nodiscard]] bool needsLabels(RunTarget target);
/// Whether the target is about several videos.
[[nodiscard]] bool isOfVideos(RunTarget target);
/// The videos of such a target: all of the project, or those that are selected.
[[nodiscard]] std::vector<RunVideo> videosOf(RunTarget target, const RunSituation& situation);
/// What is predicted of each of them.
[[nodiscard]] RunTarget targetOfEach(RunTarget target);
/// Frames of a target of several videos together; -1 while one of them is not known.
[[nodiscard]] std::int64_t frameCountOf(RunTarget target, const RunSettings& settings, const RunSituation& situation);
/// The situation of one of them.
[[nodiscard]] RunSituation situationOf(const RunVideo& video, const RunSituation& situation);
/// Whether the person decides on labelled frames for this target; for others it is part of what it means.
[[nodiscard]] bool canSkipLabelled(RunTarget target);
/// Frames of a target, without those that are skipped; none: there are none, or labels are not known yet.
[[nodiscard]] FrameRanges framesOf(RunTarget target, const RunSettings& settings, const RunSituation& situation);
/// What the models of the situation do together.
[[nodiscard]] ModelUse modelUse(const RunSituation& situation);

[[nodiscard]] RunPlan planRun(const RunSettings& settings, const RunSituation& situation);

/// The same for all frames of videos that are not open, as a queue runs them: `what` says which, `count` is the number
/// of their frames, 0 while it is not known. The plan holds no frames.
[[nodiscard]] RunPlan planVideos(const RunSettings& settings, const RunSituation& situation, const QString& what,
                                 std::int64_t count);

/// The tracker's options with everything derived that follows from others.
[[nodiscard]] Result<tracking::TrackerOptions> resolvedTracker(const RunSettings& settings,
                                                               const project::Skeleton& skeleton);

/// Host threads for grouping, as a run on this machine takes them.
[[nodiscard]] int groupThreadsHere();

/// The job of a plan that can run.
[[nodiscard]] Result<pipeline::JobSpec> makeJob(const RunSettings& settings, const RunSituation& situation,
                                                const RunPlan& plan);

/// "Frames 1-1,100 of fly.mp4": what a run is about, for lists and undo.
[[nodiscard]] QString runTitle(const RunSettings& settings, const RunSituation& situation, const RunPlan& plan);

}  // namespace skein::ui
