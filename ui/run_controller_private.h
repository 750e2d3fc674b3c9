// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>
#include <deque>
#include <stop_token>
#include <utility>

#include "ui/bridge/background_settings.h"
#include "ui/bridge/run_keeper.h"
#include "ui/bridge/run_results.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/panels/jobs_panel.h"
#include "ui/panels/profiling_panel.h"
#include "ui/run_controller.h"

// For the sources of RunController alone.
namespace skein::ui {

struct RunController::Private {
    Private(RunHost& h, RunServices s) : host(h), services(std::move(s)) {
        file = services.settingsFile.isEmpty()
                   ? std::make_unique<BackgroundSettings>(QSettings::IniFormat, QSettings::UserScope,
                                                          QStringLiteral("skein"), QStringLiteral("skein"))
                   : std::make_unique<BackgroundSettings>(services.settingsFile, QSettings::IniFormat);
        keeper = std::make_unique<RunKeeper>(services.runsFolder.isEmpty() ? RunKeeper::defaultFolder()
                                                                           : services.runsFolder);
    }

    RunHost& host;
    RunServices services;
    WindowDialogs windowDialogs;
    std::unique_ptr<QSettings> file;
    JobBridge* bridge = nullptr;
    QPointer<JobsPanel> jobs;
    QPointer<ProfilingPanel> profiling;
    QPointer<InferenceDialog> dialog;

    std::shared_ptr<RunResults> results;  ///< shared with the worker that tracks through all of them
    std::stop_source stopTracking;
    std::vector<FrameRange> wanted;
    RunSnapshot run;
    pipeline::JobSpec job;  ///< of the run, without frames once it has started: for its provenance
    ExistingPredictions existing = ExistingPredictions::Replace;
    quint64 lastRun = 0;
    QElapsedTimer clock;
    QTimer mergeTimer;  ///< after the engine's end: one step into the project per turn of the event loop
    QTimer hostTimer;   ///< gathers what the window tells
    RunStatus status;
    QString blocked;
    bool following = false;
    std::int64_t newestFrame = -1;
    std::int64_t shownFrame = -1;  ///< by following
    double nextShow = 0;           ///< not before, in seconds()
    double cpuAtShow = 0;          ///< of the GUI thread
    bool devicesAsked = false;
    bool restoredAhead = false;  ///< the model of the last session was looked for, once a video was there
    inference::DeviceInfo devices;
    std::function<void()> afterEnd;  ///< the window waits for the run's end to close
    bool discardAtEnd = false;
    std::string provenance;               ///< what the last run wrote into the project
    std::deque<RunRequest::Later> later;  ///< videos that come after this one
    std::size_t videosTotal = 1;
    QStringList leftOut;  ///< videos of these that could not be run, each with the reason
    bool awaitsVideo = false;
    std::unique_ptr<RunKeeper> keeper;
    std::optional<UnfinishedRun> offered;   ///< by a crash, for this project
    std::optional<UnfinishedRun> resuming;  ///< that the run goes on with
    bool resumeWanted = false;              ///< as soon as its video is open

    [[nodiscard]] double seconds() const { return static_cast<double>(clock.elapsed()) / 1000; }
};

}  // namespace skein::ui
