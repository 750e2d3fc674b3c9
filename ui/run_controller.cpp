// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_controller.h"

#include <QFileInfo>
#include <algorithm>
#include <ctime>
#include <thread>
#include <utility>

#include "engine/base/frame_number.h"
#include "ui/bridge/background.h"
#include "ui/bridge/desktop_notice.h"
#include "ui/bridge/job_bridge.h"
#include "ui/bridge/run_keeper.h"
#include "ui/bridge/run_results.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/dialogs/model_picker.h"
#include "ui/panels/jobs_panel.h"
#include "ui/panels/profiling_panel.h"
#include "ui/run_controller_private.h"
#include "ui/run_text.h"

namespace skein::ui {
namespace {

// What following may take of all processors together, and the longest that the view then stays behind.
constexpr double kFollowShare = 0.02;
constexpr double kLongestFollowPause = 0.1;

double guiThreadSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Result<inference::DeviceInfo> engineDevices() {
    auto backend = inference::openBackend();
    if (!backend)
        return fail(backend.error());
    return (*backend)->devices();
}

/// Folders named "models" beside the project and its videos: where trained models usually lie.
QStringList modelPlaces(const project::Labels& labels) {
    QStringList files{QString::fromStdString(labels.origin().path)};
    for (const project::Video& video : labels.videos())
        files << QString::fromStdString(video.filename);
    QStringList places;
    for (const QString& file : files) {
        if (file.isEmpty())
            continue;
        const QString place = QFileInfo(file).absolutePath() + QStringLiteral("/models");
        if (!places.contains(place))
            places << place;
    }
    return places;
}

QString deviceTitle(const inference::DeviceInfo& info) {
    return info.cudaReason.empty() && info.devices.size() > 1 ? QString::fromStdString(info.devices[1])
                                                              : RunController::tr("CPU");
}

}  // namespace

RunController::RunController(RunHost& host, QWidget* dialogParent, RunServices services)
    : d(std::make_unique<Private>(host, std::move(services))) {
    if (!d->services.devices)
        d->services.devices = engineDevices;
    d->clock.start();
    d->run.state = RunState::Finished;
    d->bridge = new JobBridge(d->services.jobs, this);
    d->jobs = new JobsPanel;
    d->profiling = new ProfilingPanel;
    DialogService* dialogs = d->services.dialogs != nullptr ? d->services.dialogs : &d->windowDialogs;
    d->dialog = new InferenceDialog(d->file.get(), dialogs, dialogParent);
    d->dialog->previewer = d->services.preview;

    connect(d->bridge, &JobBridge::resultsArrived, this, &RunController::takeResults);
    connect(d->bridge, &JobBridge::detectionsArrived, this,
            [this](const std::vector<pipeline::FrameResult>& detections) { d->keeper->add(detections); });
    connect(d->bridge, &JobBridge::progressChanged, this, &RunController::tick);
    connect(d->bridge, &JobBridge::ended, this, &RunController::jobEnded);
    connect(d->dialog, &InferenceDialog::runWanted, this, &RunController::start);
    connect(d->dialog, &InferenceDialog::dockWanted, this, &RunController::panelWanted);
    connect(d->dialog, &InferenceDialog::modelReady, this, &RunController::findDevices);
    connect(d->dialog, &InferenceDialog::modelReady, this, &RunController::loadAhead, Qt::QueuedConnection);
    connect(d->jobs, &JobsPanel::runWanted, this, &RunController::showDialog);
    connect(d->jobs, &JobsPanel::pauseWanted, this, &RunController::setPaused);
    connect(d->jobs, &JobsPanel::cancelWanted, this, &RunController::cancel);
    connect(d->jobs, &JobsPanel::keepWanted, this, &RunController::keep);
    connect(d->jobs, &JobsPanel::discardWanted, this, &RunController::discard);
    connect(d->profiling, &ProfilingPanel::notice, this, &RunController::notice);

    d->mergeTimer.setInterval(0);
    connect(&d->mergeTimer, &QTimer::timeout, this, &RunController::mergeSome);
    d->hostTimer.setInterval(0);
    d->hostTimer.setSingleShot(true);
    connect(&d->hostTimer, &QTimer::timeout, this, [this] {
        if (d->dialog && d->dialog->isVisible())
            tellDialog();
        if (d->awaitsVideo)
            startNext();
        if (d->resumeWanted)
            resumeRun();
        if (d->jobs)
            d->jobs->setCountFromZero(d->host.countFramesFromZero());
        // While the person looks at the first video, the model of the last session gets ready.
        if (d->services.loadAhead && d->host.currentVideo() && !std::exchange(d->restoredAhead, true)) {
            tellDialog();
            d->dialog->restoreModel();
        }
        const QString blocked = d->host.currentVideo() ? QString() : tr("Open a video first.");
        if (blocked != d->blocked) {
            d->blocked = blocked;
            if (d->jobs)
                d->jobs->setBlockedReason(blocked);
            Q_EMIT stateChanged();
        }
    });
    d->blocked = tr("Open a video first.");
    d->jobs->setBlockedReason(d->blocked);
}

RunController::~RunController() {
    // The engine stops first: nothing may arrive while the rest goes.
    d->stopTracking.request_stop();
    delete d->bridge;
    delete d->dialog;
    // Panels that no dock has taken over.
    if (d->jobs && d->jobs->parentWidget() == nullptr)
        delete d->jobs;
    if (d->profiling && d->profiling->parentWidget() == nullptr)
        delete d->profiling;
}

JobsPanel* RunController::jobsPanel() const {
    return d->jobs;
}
ProfilingPanel* RunController::profilingPanel() const {
    return d->profiling;
}
InferenceDialog* RunController::dialog() const {
    return d->dialog;
}
JobBridge* RunController::bridge() const {
    return d->bridge;
}
bool RunController::isRunning() const {
    return d->run.info.id != 0 && d->run.isActive();
}
bool RunController::isPaused() const {
    return d->run.paused;
}
QString RunController::blockedReason() const {
    return d->blocked;
}
const RunStatus& RunController::status() const {
    return d->status;
}
const RunSnapshot& RunController::run() const {
    return d->run;
}
const pipeline::JobSpec& RunController::lastJob() const {
    return d->job;
}
bool RunController::isFollowing() const {
    return d->following;
}
std::uint32_t RunController::runVideo() const {
    return d->run.info.video;
}
std::vector<FrameRange> RunController::wantedRanges() const {
    return d->wanted;
}

const project::FrameData* RunController::liveFrame(std::uint32_t video, std::int64_t frame) const {
    return d->results && video == d->results->video() ? d->results->pending(frame, d->host.labels()) : nullptr;
}

const project::Skeleton& RunController::liveSkeleton() const {
    static const project::Skeleton kNone;
    return d->results ? d->results->skeleton() : kNone;
}

QString RunController::liveTrackName(int track) const {
    return d->results ? d->results->trackName(track, d->host.labels()) : QString();
}

std::vector<FrameRange> RunController::finishedRanges() const {
    return d->results ? d->results->finishedRanges() : std::vector<FrameRange>();
}

void RunController::showDialog() {
    // What the window shows is told before the dialog is seen, so that its first picture is right.
    d->dialog->setRunning(isRunning());
    tellDialog();
    d->dialog->restoreModel();
    d->dialog->modelPicker()->scan(modelFolders());
    d->dialog->show();
    d->dialog->raise();
    d->dialog->activateWindow();
}

/// What the window shows and what the project holds, for the dialog.
void RunController::tellDialog() {
    const auto video = d->host.currentVideo();
    d->dialog->setProject(d->host.videos(), d->host.selectedVideos(),
                          video ? d->host.issueFrames(video->index) : std::nullopt);
    d->dialog->setWindow(video, d->host.currentFrame(), d->host.selection(), d->host.countFramesFromZero(),
                         d->host.labels());
}

void RunController::loadAhead() {
    if (!d->services.loadAhead || isRunning())
        return;
    auto request = d->dialog->request(RunTarget::CurrentFrame);
    if (!request || request->job.models.empty())
        return;
    request->job.sources.clear();
    inBackground(
        this,
        [load = d->services.loadAhead, job = std::move(request->job)]() -> Result<bool> {
            load(job);
            return true;
        },
        [](const Result<bool>&) {});
}

void RunController::predictAgain() {
    tellDialog();
    const auto request = d->dialog->request(RunTarget::CurrentFrame);
    request ? start(*request) : showDialog();
}

void RunController::openModel(const QString& path) {
    d->dialog->modelPicker()->setPath(path);
    showDialog();
}

void RunController::hostChanged() {
    // What the engine says counts as the window does, from before the first video is opened.
    countFramesFrom(d->host.countFramesFromZero() ? 0 : 1);
    d->hostTimer.start();
}

void RunController::personMoved() {
    if (d->following)
        setFollowing(false);
}

void RunController::setFollowing(bool follow) {
    if (follow == d->following)
        return;
    d->following = follow;
    d->shownFrame = -1;
    if (isRunning())
        showNewest(true);
    Q_EMIT followingChanged(follow);
}

QStringList RunController::modelFolders() const {
    return modelPlaces(d->host.labels());
}

void RunController::setState(RunState state) {
    d->run.state = state;
    if (d->dialog)
        d->dialog->setRunning(isRunning());
    publish();
    Q_EMIT stateChanged();
}

void RunController::publish() {
    if (d->jobs)
        d->jobs->setRun(d->run);
    // While it waits, what it waits for is looked at.
    if (d->profiling && !d->run.awaitsQueue)
        d->profiling->setRun(d->run);
    RunStatus status;
    status.running = isRunning();
    status.paused = d->run.paused;
    status.failed = d->run.state == RunState::Failed;
    // What has ended well has been said once, by notice(); a failure stays until something else is run.
    if (status.running || status.failed)
        status.text = statusLine(d->run);
    status.fraction = fractionDone(d->run);
    d->status = status;
    showTaskbarProgress(status.running ? std::max(0.0, status.fraction) : -1);
    Q_EMIT statusChanged(status);
}

void RunController::takeResults(const std::vector<pipeline::FrameResult>& results) {
    if (!d->results)
        return;
    const std::vector<std::int64_t> frames = d->results->add(results, d->bridge->progress()->trackNames, d->seconds());
    d->newestFrame = results.back().frame.frameIndex;
    Q_EMIT framesFinished(d->run.info.video, std::vector<qint64>(frames.begin(), frames.end()));
    showNewest(false);
}

/// While the view follows. Where the network is computed by the same processors, so rarely that looking costs the run
/// next to nothing.
void RunController::showNewest(bool atOnce) {
    if (!d->following || d->newestFrame < 0 || d->newestFrame == d->shownFrame)
        return;
    const double now = d->seconds();
    if (!atOnce && now < d->nextShow)
        return;
    const double cpu = guiThreadSeconds();
    double pause = 0;
    if (d->run.progress && d->run.progress->device == "cpu") {
        const double share = kFollowShare * std::max(1U, std::thread::hardware_concurrency());
        pause = std::min((cpu - d->cpuAtShow) / share, kLongestFollowPause);
    }
    d->nextShow = now + pause;
    d->cpuAtShow = cpu;
    d->shownFrame = d->newestFrame;
    ++d->run.framesFollowed;
    d->host.showFrame(d->run.info.video, d->newestFrame);
}

void RunController::tick() {
    if (!isRunning() || d->run.state == RunState::Finishing)
        return;
    d->run.progress = d->bridge->progress();
    d->run.paused = d->bridge->isPaused();
    d->run.cancelling = d->bridge->isCancelling();
    d->run.stalledSeconds = d->bridge->stalledSeconds();
    if (d->results && d->results->checkpointDue(d->seconds()))
        d->results->beginCheckpoint(d->seconds());
    if (d->results && d->results->hasWork() && d->run.state == RunState::Running)
        mergeSome();
    showNewest(false);
    publish();
}

void RunController::projectReplaced() {
    d->results.reset();
    d->wanted.clear();
    d->provenance.clear();
    d->later.clear();
    d->awaitsVideo = d->resumeWanted = false;
    if (d->run.canDiscard)
        keep();
    if (d->jobs)
        d->jobs->forgetRuns();
    lookForUnfinished();
    hostChanged();
}

const inference::DeviceInfo& RunController::devices() const {
    return d->devices;
}

void RunController::findDevices() {
    if (std::exchange(d->devicesAsked, true))
        return;
    inBackground(this, d->services.devices, [this](const Result<inference::DeviceInfo>& info) {
        if (!info) {
            // Asked again at the next occasion: a missing library may be installed meanwhile.
            d->devicesAsked = false;
            Q_EMIT deviceKnown(tr("None"), QString::fromStdString(info.error().message()));
            return;
        }
        d->devices = *info;
        d->dialog->setDevices(*info);
        if (d->profiling)
            d->profiling->setDevices(*info);
        Q_EMIT deviceKnown(deviceTitle(*info), QString::fromStdString(info->cudaReason));
    });
}

}  // namespace skein::ui
