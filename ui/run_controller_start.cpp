// SPDX-License-Identifier: GPL-3.0-or-later
// How a run of the open project begins.
#include <utility>

#include "engine/inference/given_centroids.h"
#include "engine/inference/model_set.h"
#include "engine/tracking/track_labels.h"
#include "ui/bridge/background.h"
#include "ui/bridge/instance_centroids.h"
#include "ui/bridge/job_bridge.h"
#include "ui/bridge/retrack_job.h"
#include "ui/bridge/run_keeper.h"
#include "ui/bridge/run_results.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/run_controller.h"
#include "ui/run_controller_private.h"
#include "ui/run_text.h"

namespace skein::ui {

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

}  // namespace skein::ui
