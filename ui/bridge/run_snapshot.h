// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDateTime>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <memory>

#include "engine/pipeline/job.h"
#include "ui/ui_error.h"

namespace skein::ui {

enum class RunState {
    Starting,  ///< the project is being looked at, the job does not exist yet
    Running,
    Finishing,  ///< the engine has ended, results are still entering the project
    Finished,
    Cancelled,
    Failed
};

/// What a run was asked to do; does not change.
struct RunInfo {
    std::uint64_t id = 0;
    QString title;  ///< "Frames 1-1,100 of fly.mp4"
    QString model;  ///< name of the model's folder
    QString modelPath;
    QDateTime started;
    std::uint32_t video = 0;
    std::int64_t firstFrame = 0;
    std::int64_t framesTotal = 0;
    int batchSize = 0;
    int queueMaxsize = 0;
    int groupThreads = 1;
    bool trackOnly = false;  ///< no model: predictions that were there get new tracks
    bool ofQueue = false;    ///< computed by the queue, beside the open project
};

/// A run at one moment, as the panels and the status bar show it. Values only.
struct RunSnapshot {
    RunInfo info;
    RunState state = RunState::Starting;
    RunState outcome = RunState::Finished;  ///< how the engine ended, once Finishing
    bool paused = false;
    bool cancelling = false;
    bool awaitsQueue = false;  ///< while Starting: what the queue computes comes first
    bool canDiscard =
        false;  ///< ended early with results that are in the project: keep or discard was not answered yet
    bool discarded = false;
    bool trackingWhole = false;  ///< while Finishing: the tracker goes through the whole video again
    std::shared_ptr<const pipeline::JobProgress> progress;  ///< null before the job exists
    std::int64_t mergeTotal = 0;  ///< while Finishing: frames that enter the project, and those left
    std::int64_t mergeLeft = 0;
    int stalledSeconds = 0;
    std::int64_t framesFollowed = 0;  ///< that the view has shown while it followed; the others were passed over
    UiError error;

    [[nodiscard]] bool isActive() const { return state <= RunState::Finishing; }
    [[nodiscard]] std::int64_t framesDone() const { return progress ? progress->framesDone : 0; }
};

/// What happens now, in a few words: "Predicting", "Paused", "Adding results to the project".
[[nodiscard]] QString phaseWords(const RunSnapshot& run);
/// Share done, below 1 as long as anything is still to be done; -1 while it cannot be said.
[[nodiscard]] double fractionDone(const RunSnapshot& run);
/// "84.1 frames/s", "estimating", "9 s left"...: the time left in words; empty when there is none to tell.
[[nodiscard]] QString timeLeftWords(const RunSnapshot& run);
/// One line for the status bar.
[[nodiscard]] QString statusLine(const RunSnapshot& run);
/// What a finished run says, one line: "1,100 frames, 2,150 instances, 29 tracks in 13 s (84.1 frames/s)".
[[nodiscard]] QString outcomeWords(const RunSnapshot& run);
/// Who decoded and how batches were computed where that was not as a matter of course, a sentence each.
[[nodiscard]] QStringList computedWords(const RunSnapshot& run);
/// Mean rate, pauses left out; 0 unknown.
[[nodiscard]] double meanRate(const RunSnapshot& run);
/// Warnings, with one sentence for the frames that could not be decoded.
[[nodiscard]] QStringList warningsOf(const RunSnapshot& run, bool fromZero);
/// Engine name of the stage that a stalled run waits for.
[[nodiscard]] QString waitingStage(const pipeline::JobProgress& progress);

}  // namespace skein::ui
