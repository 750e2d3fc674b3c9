// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base/result.h"
#include "engine/inference/runner.h"
#include "engine/project/labels.h"
#include "ui/bridge/frame_preview.h"
#include "ui/bridge/run_snapshot.h"
#include "ui/bridge/running_job.h"
#include "ui/run_host.h"

class QWidget;

namespace skein::ui {

class DialogService;
class InferenceDialog;
class JobBridge;
class JobsPanel;
class ProfilingPanel;
struct RunRequest;

/// What a running or finished job says in the status bar.
struct RunStatus {
    bool running = false;
    bool paused = false;
    bool failed = false;
    QString text;          ///< one line; empty: nothing to say
    double fraction = -1;  ///< 0 to below 1 while anything runs; -1 unknown (loading the model)
};

/// What a run leans on outside of the window; tests put their own things here.
struct RunServices {
    /// Answer to "a run is in progress": keep what is done and go, drop it and go, or stay.
    enum class Leave { Keep, Discard, Stay };

    JobStarter jobs = engineJobs();
    /// What can compute here; called on a worker, takes as long as LibTorch needs to load.
    std::function<Result<inference::DeviceInfo>()> devices;
    /// Loads the models of a run that is likely to come, on a worker; empty: none are loaded before they are wanted.
    std::function<void(const pipeline::JobSpec&)> loadAhead;
    Previewer preview;                 ///< looks at a single frame, on a worker; empty: the engine
    QString runsFolder;                ///< what a crash must not take is kept here; empty: the user's own
    DialogService* dialogs = nullptr;  ///< outlives the controller; null: the dialogs that people see
    QString settingsFile;              ///< empty: the user's own
    std::function<void(QWidget* parent, std::int64_t framesDone, std::function<void(Leave)> then)> askLeave;
};

/// The run side of the window: owns the bridge to the engine, the inference dialog and the two panels, and connects
/// them to the window through RunHost. GUI thread.
///
/// The window creates one, docks the panels, calls hostChanged() when what RunHost tells has changed, and draws
/// liveFrame() instead of the project's predictions wherever it gives something.
class RunController : public QObject {
    Q_OBJECT
public:
    /// `dialogParent` is the main window. Cheap: neither LibTorch nor a model is touched.
    RunController(RunHost& host, QWidget* dialogParent, RunServices services = {});
    ~RunController() override;

    /// Contents of the docks dockJobs and dockProfiling; the caller's dock takes them over as parent.
    [[nodiscard]] JobsPanel* jobsPanel() const;
    [[nodiscard]] ProfilingPanel* profilingPanel() const;
    [[nodiscard]] InferenceDialog* dialog() const;
    [[nodiscard]] JobBridge* bridge() const;

    [[nodiscard]] bool isRunning() const;
    [[nodiscard]] bool isPaused() const;
    /// Why "Run Inference..." cannot be used now, for the action's tooltip; empty when it can.
    [[nodiscard]] QString blockedReason() const;
    [[nodiscard]] const RunStatus& status() const;
    /// The running or last run; its number is 0 before the first one.
    [[nodiscard]] const RunSnapshot& run() const;
    /// Models and options of that run; its frames are gone once it has started. No models before the first one.
    [[nodiscard]] const pipeline::JobSpec& lastJob() const;

    /// Predictions of a frame that a run has finished and that have not entered the project yet, with skeleton and
    /// track indices that hold in the project after they have: tracks beyond Labels::tracks() are new ones, in order.
    /// Null when the project is up to date. They replace the frame's predicted instances; its user instances stay.
    /// Valid until the event loop runs again.
    [[nodiscard]] const project::FrameData* liveFrame(std::uint32_t video, std::int64_t frame) const;
    /// Brings what liveFrame() gives into the project at once, since somebody wants to edit it. False: identities are
    /// found when the run is over, and until then nothing enters the project. True also when there is nothing to bring.
    bool bringIn(std::uint32_t video, std::int64_t frame);
    /// Skeleton of liveFrame()'s instances.
    [[nodiscard]] const project::Skeleton& liveSkeleton() const;
    /// Name of a track that liveFrame() refers to.
    [[nodiscard]] QString liveTrackName(int track) const;

    /// Finished and wanted frames of the running (or last) job, for the timeline's shading: ascending, merged ranges.
    [[nodiscard]] std::uint32_t runVideo() const;
    [[nodiscard]] std::vector<FrameRange> finishedRanges() const;
    [[nodiscard]] std::vector<FrameRange> wantedRanges() const;

    /// Whether the view follows the newest finished frame (badge "LIVE").
    [[nodiscard]] bool isFollowing() const;

    /// Called before the window closes or another project takes its place. While nothing runs: true. Otherwise false,
    /// asks once, stops the run within one batch, keeps or drops what is done, and calls `then` when that has happened.
    [[nodiscard]] bool finishBeforeClosing(std::function<void()> then);

    /// Asks what can compute here, once; deviceKnown() answers. LibTorch is loaded for it, on a worker.
    void findDevices();
    [[nodiscard]] const inference::DeviceInfo& devices() const;

    /// Folders in which models may lie: beside the project and its videos.
    [[nodiscard]] QStringList modelFolders() const;

    /// Asked before a run begins to compute: false while the queue does; the run then waits for goOn().
    std::function<bool()> mayCompute;
    /// The run that waited may compute now.
    void goOn();
    /// A run was asked for and is not over, but does not compute yet, since mayCompute() said no.
    [[nodiscard]] bool awaitsQueue() const;

public Q_SLOTS:
    /// Run Inference... (predictRun). Opens within a frame; reads the last model in the background.
    void showDialog();
    /// Predict This Frame Again (predictAgain): the last settings on the current frame; opens the dialog when they
    /// cannot run.
    void predictAgain();
    void setPaused(bool paused);  ///< predictPause
    void cancel();                ///< predictCancel: stops within a batch, then asks once whether to keep what is done
    /// A model folder, checkpoint or configuration that was opened or dropped: picks it and shows the dialog.
    void openModel(const QString& path);
    /// The current video, frame, selection, or the project changed. Cheap; call it every time.
    void hostChanged();
    /// Goes on with the run that resumeOffered() told of.
    void resumeRun();
    /// Nobody wants to go on with it.
    void forgetUnfinished();
    /// Another project has taken the place of the one before; no run is in progress.
    void projectReplaced();
    /// The person went to a frame: following ends.
    void personMoved();
    void setFollowing(bool follow);

Q_SIGNALS:
    /// Running, paused, ended, or blockedReason() changed: refresh the actions.
    void stateChanged();
    /// At most 30 times a second while a job runs.
    void statusChanged(const skein::ui::RunStatus& status);
    /// Frames whose liveFrame() is new, ascending: repaint the view if it shows one, shade the timeline.
    void framesFinished(quint32 video, const std::vector<qint64>& frames);
    void followingChanged(bool following);
    /// What computes, for the status bar: "CPU" or "cuda:0 (NVIDIA ...)", and why not CUDA (empty when it is CUDA).
    void deviceKnown(const QString& device, const QString& reason);
    /// The person clicked through to one of the panels: raise its dock ("dockJobs").
    void panelWanted(const QString& dock);
    /// A crash has ended a run of this project: what it was, and the words of the button that goes on with it, for
    /// resumeRun(). Without button words: why it cannot go on; without a sentence: there is none.
    void resumeOffered(const QString& sentence, const QString& button);
    /// One line for the status bar, once, when a job has ended.
    void notice(const QString& text);

private:
    void start(const RunRequest& request);
    void begin(const RunRequest& request);
    void startNext();
    void tellDialog();
    void tellEnd();
    void refuse(const Error& error);
    [[nodiscard]] bool keepRun();
    [[nodiscard]] bool tracksAtEnd() const;
    void lookForUnfinished();
    [[nodiscard]] std::optional<std::uint32_t> videoOf(const QString& file) const;
    void startJob();
    void loadAhead();
    void jobEnded(const pipeline::JobOutcome& outcome);
    void takeResults(const std::vector<pipeline::FrameResult>& results);
    void tick();
    void showNewest(bool atOnce);
    void trackWhole();
    void beginMerge();
    void mergeStep(std::size_t pointBudget);
    void mergeSome();
    void finishRun();
    void discard();
    void keep();
    void publish();
    void writeProvenance();
    void setState(RunState state);

    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace skein::ui
