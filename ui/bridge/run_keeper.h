// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/base/result.h"
#include "engine/pipeline/job.h"
#include "ui/dialogs/run_request.h"

namespace skein::ui {

/// A run of a window that a crash or the loss of power has ended.
struct UnfinishedRun {
    std::filesystem::path file;
    QString title, model, modelPath;
    QString project;           ///< its file; empty: it was never saved
    QString videoFile;         ///< as the project names it
    std::int64_t through = 0;  ///< frames that were dealt with
    std::int64_t framesTotal = 0;
    std::int64_t nextFrame = 0;  ///< the first one that was not
    std::string record;          ///< all there is to know about the run, as JSON text
};

/// Keeps what a run of the window finds in a file, so that it can go on after a crash: detections before tracking, in
/// the engine's own form (pipeline/checkpoint.h). Writing happens on a thread of its own; a disk that is full does not
/// disturb the run. The file goes when the run is over. GUI thread only.
class RunKeeper {
public:
    explicit RunKeeper(QString folder);
    /// The run is left as it is: its file stays.
    ~RunKeeper();

    [[nodiscard]] static QString defaultFolder();
    [[nodiscard]] QString folder() const { return m_folder; }

    /// Whether a run can go on later. Not one that has to be told where instances are, since the project that told it
    /// changes with the run; nor one whose results stand beside those that are there, since the two cannot be told
    /// apart afterwards; nor one that is over before anything could go wrong.
    [[nodiscard]] static bool canKeep(const RunRequest& request);

    /// Begins a file for the run, or goes on with that of `resumed`. `project` and `videoFile` as in UnfinishedRun.
    void begin(const RunRequest& request, const QString& project, const QString& videoFile,
               const UnfinishedRun* resumed = nullptr);
    /// What was found since.
    void add(std::vector<pipeline::FrameResult> detections);
    /// The run is over and its results are in the project, or nobody wants them.
    void end();

private:
    struct Writer;
    QString m_folder;
    std::unique_ptr<Writer> m_writer;
    std::jthread m_reaper;  ///< waits for the disk in place of the GUI
};

/// Those that no process works on, the latest first. Touches the disk: for a worker.
[[nodiscard]] std::vector<UnfinishedRun> findUnfinishedRuns(const QString& folder);
void discardUnfinishedRun(const UnfinishedRun& run);

/// The run's request as it was, with what was found; `video` is the same video in the project of now. Reads models and
/// the file: for a worker. Errors: those of reading; InvalidArgument, when a model, the video or Skein is another one
/// now.
[[nodiscard]] Result<RunRequest> resumedRequest(const UnfinishedRun& run, const RunVideo& video);

}  // namespace skein::ui
