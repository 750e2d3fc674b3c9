// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/run_snapshot.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/run_text.h"

namespace skein::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Run", text);
}

// The engine's part of the bar; the rest is for what follows it. A full bar means that all is done.
constexpr double kEngineShare = 0.98;

}  // namespace

QString waitingStage(const pipeline::JobProgress& progress) {
    if (progress.phase == pipeline::JobPhase::LoadingModel)
        return tr("loading the model");
    // A full queue waits for the stage behind it, an empty one for the stage before it.
    if (progress.hostQueue.depth > 0)
        return QStringLiteral("PAFScorer.predict");
    return progress.decodedQueue.depth == 0 ? QStringLiteral("frame_buffer.get") : QStringLiteral("Forward");
}

QString phaseWords(const RunSnapshot& run) {
    switch (run.state) {
        case RunState::Starting:
            return run.awaitsQueue ? tr("Waiting for the queue") : tr("Starting");
        case RunState::Finishing:
            if (run.trackingWhole)
                return tr("Tracking through the whole video");
            return run.discarded ? tr("Taking the results out of the project") : tr("Adding results to the project");
        case RunState::Finished:
            return tr("Finished");
        case RunState::Cancelled:
            return tr("Cancelled");
        case RunState::Failed:
            return tr("Failed");
        case RunState::Running:
            break;
    }
    if (run.cancelling)
        return tr("Cancelling");
    if (run.paused)
        return tr("Paused");
    if (!run.progress)
        return tr("Starting");
    if (run.stalledSeconds > 0)
        return tr("Stalled for %1: %2").arg(text::duration(run.stalledSeconds), waitingStage(*run.progress));
    return QCoreApplication::translate(
        "Run", pipeline::phaseTitle(run.progress->phase == pipeline::JobPhase::Done ? pipeline::JobPhase::Predicting
                                                                                    : run.progress->phase));
}

double fractionDone(const RunSnapshot& run) {
    if (!run.isActive()) {
        if (run.state == RunState::Finished)
            return 1;
        return run.info.framesTotal > 0
                   ? std::min(0.999, static_cast<double>(run.framesDone()) / static_cast<double>(run.info.framesTotal))
                   : 0;
    }
    if (run.state == RunState::Finishing) {
        const double left =
            run.mergeTotal > 0 ? static_cast<double>(run.mergeLeft) / static_cast<double>(run.mergeTotal) : 0;
        return kEngineShare + (0.999 - kEngineShare) * (1 - left);
    }
    if (!run.progress || run.progress->framesTotal <= 0 || run.progress->phase == pipeline::JobPhase::LoadingModel)
        return -1;
    return kEngineShare * static_cast<double>(run.progress->framesDone) /
           static_cast<double>(run.progress->framesTotal);
}

QString timeLeftWords(const RunSnapshot& run) {
    if (run.state != RunState::Running || !run.progress || run.cancelling || run.paused ||
        run.progress->phase == pipeline::JobPhase::LoadingModel)
        return {};
    if (run.progress->secondsLeft < 0)
        return tr("estimating");
    // A second that ticks to zero and stays there says less than this.
    return tr("%1 left").arg(text::duration(std::max(1.0, run.progress->secondsLeft)));
}

double meanRate(const RunSnapshot& run) {
    if (!run.progress || !(run.progress->secondsElapsed > 0.05))
        return 0;
    // What an earlier run has found took no time of this one.
    return static_cast<double>(run.progress->framesDone - run.progress->framesResumed) / run.progress->secondsElapsed;
}

QString statusLine(const RunSnapshot& run) {
    QStringList parts{phaseWords(run)};
    if (run.state == RunState::Running && run.progress && run.progress->phase != pipeline::JobPhase::LoadingModel) {
        parts << QStringLiteral("%1 / %2").arg(text::number(run.framesDone()), text::number(run.info.framesTotal));
        if (!run.paused && !run.cancelling) {
            parts << text::rate(run.progress->framesPerSecond);
            if (const QString left = timeLeftWords(run); !left.isEmpty())
                parts << left;
        }
    } else if (!run.isActive()) {
        parts << (run.state == RunState::Failed ? run.error.message : outcomeWords(run));
    }
    return parts.join(QStringLiteral(" · "));
}

QString outcomeWords(const RunSnapshot& run) {
    if (!run.progress)
        return {};
    const pipeline::JobProgress& progress = *run.progress;
    QStringList found;
    found << (run.state == RunState::Finished
                  ? text::frames(progress.framesDone)
                  : tr("%1 of %2").arg(text::number(progress.framesDone), text::frames(run.info.framesTotal)));
    found << text::count(progress.instances, tr("instance"), tr("instances"));
    if (!progress.trackNames.empty())
        found << text::count(static_cast<std::int64_t>(progress.trackNames.size()), tr("track"), tr("tracks"));
    QString words = tr("%1 in %2").arg(found.join(QStringLiteral(", ")), text::duration(progress.secondsElapsed));
    if (const double rate = meanRate(run); rate > 0)
        words += QStringLiteral(" (%1)").arg(text::rate(rate));
    return words;
}

QStringList computedWords(const RunSnapshot& run) {
    QStringList sentences;
    if (!run.progress)
        return sentences;
    if (!run.progress->decoder.empty())
        sentences << tr("Decoded by %1").arg(QString::fromStdString(run.progress->decoder));
    if (!run.progress->deviceRemark.empty())
        sentences << QString::fromStdString(run.progress->deviceRemark);
    return sentences;
}

QStringList warningsOf(const RunSnapshot& run, bool fromZero) {
    QStringList list;
    if (!run.progress)
        return list;
    if (const auto& frames = run.progress->unreadable; !frames.empty()) {
        QStringList numbers;
        for (std::size_t i = 0; i < frames.size() && i < 8; ++i)
            numbers << text::frameNumber(frames[i].second, fromZero);
        if (frames.size() > 8)
            numbers << tr("and %1 more").arg(text::number(static_cast<std::int64_t>(frames.size()) - 8));
        const QString where = numbers.join(QStringLiteral(", "));
        list << (frames.size() == 1 ? tr("1 frame could not be decoded and has no result: %1.").arg(where)
                                    : tr("%1 frames could not be decoded and have no result: %2.")
                                          .arg(text::number(static_cast<std::int64_t>(frames.size())), where));
    }
    for (const std::string& warning : run.progress->warnings)
        list << QString::fromStdString(warning);
    return list;
}

}  // namespace skein::ui
