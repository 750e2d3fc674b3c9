// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_controller.h"

#include <QApplication>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <algorithm>
#include <ctime>
#include <thread>
#include <utility>

#include "engine/inference/given_centroids.h"
#include "engine/inference/model_set.h"
#include "engine/tracking/track_labels.h"
#include "ui/bridge/background.h"
#include "ui/bridge/desktop_notice.h"
#include "ui/bridge/instance_centroids.h"
#include "ui/bridge/job_bridge.h"
#include "ui/bridge/retrack_job.h"
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

void askWithMessageBox(QWidget* parent, std::int64_t framesDone, std::function<void(RunServices::Leave)> then) {
    auto* box = new QMessageBox(parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("runLeaveQuestion"));
    box->setIcon(QMessageBox::Question);
    box->setText(RunController::tr("A run is in progress."));
    box->setInformativeText(RunController::tr("%1 are finished.").arg(text::frames(framesDone)));
    QPushButton* keep =
        box->addButton(RunController::tr("Stop and keep %1").arg(text::frames(framesDone)), QMessageBox::AcceptRole);
    QPushButton* discard = box->addButton(RunController::tr("Stop and discard %1").arg(text::frames(framesDone)),
                                          QMessageBox::DestructiveRole);
    QPushButton* stay = box->addButton(RunController::tr("Go on running"), QMessageBox::RejectRole);
    box->setDefaultButton(stay);
    box->setEscapeButton(stay);
    QObject::connect(box, &QMessageBox::finished, box, [box, keep, discard, then = std::move(then)] {
        then(box->clickedButton() == keep      ? RunServices::Leave::Keep
             : box->clickedButton() == discard ? RunServices::Leave::Discard
                                               : RunServices::Leave::Stay);
    });
    box->open();
}

RunState stateOf(pipeline::JobState state) {
    switch (state) {
        case pipeline::JobState::Cancelled:
            return RunState::Cancelled;
        case pipeline::JobState::Failed:
            return RunState::Failed;
        default:
            return RunState::Finished;
    }
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
    if (!d->services.askLeave)
        d->services.askLeave = askWithMessageBox;
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

void RunController::start(const RunRequest& request) {
    if (isRunning()) {
        d->dialog->showFailure(tr("A run is in progress. Wait for it, or cancel it in Jobs."));
        return;
    }
    d->later.assign(request.later.begin(), request.later.end());
    d->videosTotal = 1 + d->later.size();
    d->leftOut.clear();
    d->awaitsVideo = d->resumeWanted = false;
    d->resuming.reset();
    begin(request);
}

void RunController::begin(const RunRequest& request) {
    d->results.reset();
    d->run = RunSnapshot();
    d->run.info = request.info;
    d->run.info.id = ++d->lastRun;
    d->run.info.started = QDateTime::currentDateTime();
    d->job = request.job;
    d->existing = request.trackOnly ? ExistingPredictions::Replace : request.existing;
    d->wanted = text::toRanges(request.job.sources.front().frames);
    d->newestFrame = d->shownFrame = -1;
    d->discardAtEnd = false;
    setState(RunState::Starting);
    // Whose tracks the run may take over is read from the whole project: a moment's work, but not for this thread.
    // So is where instances are, for a model that has to be told.
    struct Looked {
        std::optional<project::Skeleton> skeleton;  ///< of predictions that are tracked anew
        std::vector<bool> taken;
        std::vector<std::vector<inference::CentroidPoint>> centroids;
    };
    inBackground(
        this,
        [labels = d->host.labels(), source = request.job.sources.front(), models = request.job.models,
         anchor = request.job.inference.anchorPart, trackOnly = request.trackOnly]() mutable -> Result<Looked> {
            Looked looked;
            if (trackOnly) {
                auto skeleton = predictedSkeleton(labels, source.video, source.frames);
                if (!skeleton)
                    return fail(std::move(skeleton.error()));
                looked.skeleton = std::move(*skeleton);
            } else if (inference::needsCentroids(models)) {
                const auto definition = inference::centroidDefinition(models, anchor);
                if (!definition)
                    return fail(definition.error());
                lookUpCentroids(labels, *definition, source);
                looked.centroids = std::move(source.centroids);
            }
            looked.taken = tracksUsedElsewhere(labels, source.video, source.frames);
            return looked;
        },
        [this, id = d->run.info.id](Result<Looked> looked) {
            if (id != d->run.info.id || d->run.state != RunState::Starting)
                return;
            if (!looked && d->run.info.trackOnly)
                return refuse(looked.error());
            RunResults::Setup setup;
            setup.video = d->run.info.video;
            setup.frames = d->job.sources.front().frames;
            setup.skeleton = looked && looked->skeleton ? *looked->skeleton : inference::outputSkeleton(d->job.models);
            setup.existing = d->existing;
            // Without an answer no track is taken over.
            setup.trackTaken =
                looked ? std::move(looked->taken) : std::vector<bool>(d->host.labels().tracks().size(), true);
            if (looked)
                d->job.sources.front().centroids = std::move(looked->centroids);
            setup.wholeVideo = tracksAtEnd();
            d->results = std::make_shared<RunResults>(std::move(setup), d->host.labels());
            startJob();
        });
}

QStringList RunController::modelFolders() const {
    return modelPlaces(d->host.labels());
}

bool RunController::awaitsQueue() const {
    return d->run.awaitsQueue;
}

void RunController::goOn() {
    if (d->run.awaitsQueue && d->run.state == RunState::Starting)
        startJob();
}

void RunController::startJob() {
    if (mayCompute && !mayCompute()) {
        d->run.awaitsQueue = true;
        d->dialog->hide();
        publish();
        Q_EMIT stateChanged();
        Q_EMIT panelWanted(QStringLiteral("dockJobs"));
        return;
    }
    d->run.awaitsQueue = false;
    const bool trackOnly = d->run.info.trackOnly;
    pipeline::JobSpec spec = d->job;
    spec.keepDetections = keepRun();
    d->job.finished.clear();
    for (pipeline::JobSource& source : d->job.sources) {
        source.frames.clear();
        source.centroids.clear();
        source.source.reset();
    }
    // LibTorch is loaded by the job itself; asking for the devices at the same time costs nothing more.
    if (!trackOnly)
        findDevices();
    const auto started = trackOnly ? d->bridge->start(std::move(spec), retrackJobs(d->host.labels()))
                                   : d->bridge->start(std::move(spec));
    if (!started)
        return refuse(started.error());
    d->run.progress = d->bridge->progress();
    d->dialog->hide();
    const auto shown = d->host.currentVideo();
    const bool follow = shown && shown->index == d->run.info.video && d->run.info.framesTotal > 1 && !trackOnly;
    setState(RunState::Running);
    setFollowing(follow);
}

/// The run could not begin; the dialog says why.
void RunController::refuse(const Error& error) {
    d->run.error = toUiError(error);
    d->dialog->showFailure(d->run.error.message);
    d->results.reset();
    d->later.clear();
    d->keeper->end();
    setState(RunState::Failed);
}

/// Tracks are given by a tracker that has to see all frames of the run first.
bool RunController::tracksAtEnd() const {
    return !d->run.info.trackOnly && d->job.tracking && tracking::needsWholeVideo(*d->job.tracking);
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

void RunController::jobEnded(const pipeline::JobOutcome& outcome) {
    d->run.progress = d->bridge->progress();
    showNewest(true);
    d->run.paused = false;
    d->run.cancelling = false;
    d->run.stalledSeconds = 0;
    d->run.outcome = stateOf(outcome.state);
    if (outcome.error)
        d->run.error = toUiError(*outcome.error);
    if (!d->discardAtEnd && tracksAtEnd() && d->results->pendingCount() > 0)
        trackWhole();
    else
        beginMerge();
}

void RunController::projectReplaced() {
    d->results.reset();
    d->wanted.clear();
    d->provenance.clear();
    d->later.clear();
    d->awaitsVideo = d->resumeWanted = false;
    if (d->run.canDiscard)
        keep();
    lookForUnfinished();
    hostChanged();
}

void RunController::setPaused(bool paused) {
    if (d->run.state != RunState::Running)
        return;
    d->bridge->setPaused(paused);
    d->run.paused = d->bridge->isPaused();
    publish();
    Q_EMIT stateChanged();
}

void RunController::cancel() {
    if (d->run.state == RunState::Starting && d->run.info.id != 0) {
        d->run.outcome = RunState::Cancelled;
        d->later.clear();
        d->run.awaitsQueue = false;
        setState(RunState::Cancelled);
    } else if (d->run.state == RunState::Running) {
        d->bridge->cancel();
        d->run.cancelling = true;
        publish();
        Q_EMIT stateChanged();
    } else if (d->awaitsVideo) {
        d->awaitsVideo = false;
        d->later.clear();
        tellEnd();
    } else if (d->run.trackingWhole) {
        // What the run gave frame by frame is kept.
        d->stopTracking.request_stop();
    }
}

void RunController::keep() {
    d->run.canDiscard = false;
    publish();
}

void RunController::discard() {
    if (!d->run.canDiscard || !d->results)
        return;
    d->run.canDiscard = false;
    d->run.discarded = true;
    d->results->beginDiscard(d->host.labels());
    d->run.mergeTotal = d->run.mergeLeft = static_cast<std::int64_t>(d->results->workLeft());
    setState(RunState::Finishing);
    d->mergeTimer.start();
}

bool RunController::finishBeforeClosing(std::function<void()> then) {
    if (!isRunning())
        return true;
    d->services.askLeave(
        d->dialog->parentWidget(), d->run.framesDone(),
        [this, guard = QPointer<RunController>(this), then = std::move(then)](RunServices::Leave answer) {
            if (!guard || answer == RunServices::Leave::Stay)
                return;
            // The run may have ended while the question stood there; the answer counts all the same.
            if (!isRunning()) {
                if (answer != RunServices::Leave::Discard || !d->results || d->run.discarded ||
                    d->run.framesDone() == 0)
                    return then();
                d->afterEnd = then;
                d->run.canDiscard = true;
                return discard();
            }
            d->afterEnd = then;
            d->discardAtEnd = answer == RunServices::Leave::Discard;
            const bool starting = d->run.state == RunState::Starting;
            cancel();
            if (starting)
                std::exchange(d->afterEnd, {})();
        });
    return false;
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
