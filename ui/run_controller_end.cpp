// SPDX-License-Identifier: GPL-3.0-or-later
// How a run of the open project pauses and ends, by itself or as a person wants it.
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <utility>

#include "ui/bridge/job_bridge.h"
#include "ui/bridge/run_results.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/run_controller.h"
#include "ui/run_controller_private.h"
#include "ui/run_text.h"

namespace skein::ui {
namespace {

/// The run goes on behind the question: what it has done meanwhile is told as it grows, and the buttons name no number
/// that would be another one by the time they are pressed.
void askWithMessageBox(const RunController* run, QWidget* parent, std::function<void(RunServices::Leave)> then) {
    auto* box = new QMessageBox(parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("runLeaveQuestion"));
    box->setIcon(QMessageBox::Question);
    box->setText(RunController::tr("A run is in progress."));
    const auto tellFrames = [box, run] {
        const std::int64_t done = run->run().framesDone();
        box->setInformativeText(
            run->isRunning()
                ? RunController::tr("It goes on until you choose; %1 finished so far.").arg(text::frames(done))
                : RunController::tr("It has ended meanwhile, with %1 finished.").arg(text::frames(done)));
    };
    tellFrames();
    QObject::connect(run, &RunController::statusChanged, box, tellFrames);
    QPushButton* keep = box->addButton(RunController::tr("Stop and keep what is done"), QMessageBox::AcceptRole);
    QPushButton* discard = box->addButton(RunController::tr("Stop and discard it all"), QMessageBox::DestructiveRole);
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

}  // namespace

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
    auto answered = [this, guard = QPointer<RunController>(this), then = std::move(then)](RunServices::Leave answer) {
        if (!guard || answer == RunServices::Leave::Stay)
            return;
        // The run may have ended while the question stood there; the answer counts all the same.
        if (!isRunning()) {
            if (answer != RunServices::Leave::Discard || !d->results || d->run.discarded || d->run.framesDone() == 0)
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
    };
    QWidget* window = d->dialog->parentWidget();
    if (d->services.askLeave)
        d->services.askLeave(window, d->run.framesDone(), std::move(answered));
    else
        askWithMessageBox(this, window, std::move(answered));
    return false;
}

}  // namespace skein::ui
