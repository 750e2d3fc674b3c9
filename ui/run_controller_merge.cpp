// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTimer>
#include <utility>

#include "engine/pipeline/compose_labels.h"
#include "ui/bridge/background.h"
#include "ui/bridge/desktop_notice.h"
#include "ui/bridge/run_keeper.h"
#include "ui/bridge/run_results.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/run_controller_private.h"
#include "ui/run_text.h"

// What a run found comes into the project, and the run's end is told.
namespace skein::ui {
namespace {

// Runs shorter than this need no attention when they end.
constexpr double kLongRunSeconds = 10;

}  // namespace

/// Identities that the run gave frame by frame are replaced by those of a tracker that knows the whole video.
void RunController::trackWhole() {
    d->run.trackingWhole = true;
    setState(RunState::Finishing);
    d->stopTracking = std::stop_source();
    inBackground(
        this,
        [results = std::const_pointer_cast<const RunResults>(d->results), options = *d->job.tracking,
         stop = d->stopTracking.get_token()] { return results->trackWhole(options, stop); },
        [this](Result<RunResults::Tracked> tracked) {
            d->run.trackingWhole = false;
            if (tracked) {
                auto progress = std::make_shared<pipeline::JobProgress>(*d->run.progress);
                progress->trackNames = tracked->trackNames;
                progress->instances = tracked->instances;
                d->run.progress = std::move(progress);
                d->results->replaceResults(std::move(*tracked));
            } else if (tracked.error().code() != ErrorCode::Cancelled) {
                d->run.outcome = RunState::Failed;
                d->run.error = toUiError(tracked.error());
            }
            beginMerge();
        });
}

void RunController::beginMerge() {
    if (d->discardAtEnd) {
        d->run.discarded = true;
        d->results->beginDiscard(d->host.labels());
    } else {
        const bool complete = d->run.outcome == RunState::Finished && d->run.progress->unreadable.empty();
        d->results->beginEnd(complete, d->host.labels());
    }
    d->run.mergeTotal = d->run.mergeLeft = static_cast<std::int64_t>(d->results->workLeft());
    setState(RunState::Finishing);
    d->mergeTimer.start();
}

/// One step of the run's results into the project; `pointBudget`: about as much as the step may bring.
void RunController::mergeStep(std::size_t pointBudget) {
    const project::Labels& now = d->host.labels();
    RunResults::Step step = d->results->step(now, pointBudget);
    RunChange change;
    change.run = d->run.info.id;
    change.text = d->run.discarded        ? tr("Discard predictions of %1").arg(d->run.info.title)
                  : d->run.info.trackOnly ? tr("Track %1").arg(d->run.info.title)
                                          : tr("Predict %1").arg(d->run.info.title);
    change.video = d->run.info.video;
    change.frames = std::move(step.frames);
    change.discarded = d->run.discarded;
    d->host.applyRun(std::move(step.labels), change);
    d->run.mergeLeft = static_cast<std::int64_t>(d->results->workLeft());
}

bool RunController::bringIn(std::uint32_t video, std::int64_t frame) {
    if (liveFrame(video, frame) == nullptr)
        return true;
    if (!d->results->beginFrame(frame))
        return false;
    mergeStep(1);
    return true;
}

void RunController::mergeSome() {
    if (d->results && d->results->hasWork())
        mergeStep(RunResults::kStepPoints);
    if (d->run.state != RunState::Finishing)
        return;
    if (d->results && d->results->hasWork())
        publish();
    else
        finishRun();
}

void RunController::finishRun() {
    d->mergeTimer.stop();
    writeProvenance();
    const bool first = !d->run.discarded || d->discardAtEnd;
    d->run.canDiscard = !d->run.discarded && d->run.outcome != RunState::Finished && d->run.framesDone() > 0;
    d->keeper->end();
    d->resuming.reset();
    setState(d->run.outcome);
    setFollowing(false);
    if (first)
        d->dialog->noteRate(d->run);

    if (d->run.state == RunState::Cancelled || d->run.discarded || d->afterEnd)
        d->later.clear();
    if (!d->later.empty()) {
        // A video that cannot be computed does not keep the others waiting.
        if (d->run.state == RunState::Failed)
            d->leftOut << tr("%1: %2").arg(d->run.info.title, d->run.error.message);
        d->awaitsVideo = true;
        d->hostTimer.start();
        return;
    }
    tellEnd();
}

/// Once, when nothing is left to run.
void RunController::tellEnd() {
    QString words = d->run.discarded ? tr("The run's results were taken out of the project.")
                                     : QStringLiteral("%1: %2").arg(phaseWords(d->run), outcomeWords(d->run));
    if (d->run.state == RunState::Failed && !d->run.discarded)
        words = d->run.error.message;
    if (!d->leftOut.isEmpty())
        words = tr("Finished with problems: %1").arg(d->leftOut.join(QStringLiteral("; ")));
    Q_EMIT notice(words);
    if (QWidget* window = d->dialog->parentWidget();
        window != nullptr && d->run.progress &&
        (d->run.progress->secondsElapsed >= kLongRunSeconds || d->videosTotal > 1))
        notifyDesktop(window->window(), d->run.info.title, words);
    if (d->afterEnd) {
        std::exchange(d->afterEnd, {})();
        return;
    }
    if (d->run.canDiscard)
        Q_EMIT panelWanted(QStringLiteral("dockJobs"));
}

/// Says in the project how its predictions came to be, unless a file or a person has said something else.
void RunController::writeProvenance() {
    const project::Labels& now = d->host.labels();
    if (d->run.discarded || d->run.framesDone() == 0 || d->run.info.trackOnly || !d->results ||
        (!now.provenanceJson().empty() && now.provenanceJson() != d->provenance))
        return;
    const auto isoTime = [](const QDateTime& time) { return time.toString(Qt::ISODate).toStdString(); };
    pipeline::RunFacts facts;
    facts.startedAt = isoTime(d->run.info.started);
    facts.endedAt = isoTime(QDateTime::currentDateTime());
    facts.seconds = d->run.progress->secondsElapsed;
    if (d->run.info.video < now.videos().size())
        facts.sourceFile = now.videos()[d->run.info.video].filename;
    facts.device = d->run.progress->device;
    facts.torchVersion = d->devices.torchVersion;
    facts.framesProcessed = d->run.framesDone();
    facts.state = d->run.outcome == RunState::Finished ? pipeline::JobState::Finished : pipeline::JobState::Cancelled;
    d->provenance = pipeline::provenanceJson(d->job, facts);
    project::Labels next = now;
    next.setProvenanceJson(d->provenance);
    d->results->noteApplied(next);
    RunChange change;
    change.run = d->run.info.id;
    change.text = tr("Predict %1").arg(d->run.info.title);
    change.video = d->run.info.video;
    change.frames = {d->run.info.firstFrame};
    d->host.applyRun(std::move(next), change);
}

}  // namespace skein::ui
