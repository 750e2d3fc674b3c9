// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "ui/bridge/background.h"
#include "ui/run_controller_private.h"
#include "ui/run_text.h"

// Runs after runs: of several videos one after another, and what goes on after a crash.
namespace skein::ui {

/// The next of several videos, opened first; what cannot be run is left out and told at the end.
void RunController::startNext() {
    d->awaitsVideo = false;
    while (!d->later.empty() && !isRunning()) {
        const std::uint32_t index = d->later.front().video;
        const std::vector<RunVideo> videos = d->host.videos();
        if (index < videos.size() && !videos[index].source && videos[index].problem.isEmpty()) {
            d->awaitsVideo = true;
            d->host.wantVideo(index);
            return;
        }
        RunRequest::Later next = std::move(d->later.front());
        d->later.pop_front();
        if (index >= videos.size())
            continue;
        if (!videos[index].source) {
            d->leftOut << videos[index].problem;
            continue;
        }
        next.situation.video = videos[index];
        next.situation.running = false;
        if (auto request = makeRequest(next.settings, next.situation)) {
            request->info.title = tr("%1 (video %2 of %3)")
                                      .arg(request->info.title)
                                      .arg(d->videosTotal - d->later.size())
                                      .arg(d->videosTotal);
            begin(*request);
        } else {
            d->leftOut << tr("%1: %2").arg(videos[index].name, QString::fromStdString(request.error().message()));
        }
    }
    if (!isRunning())
        tellEnd();
}

/// Begins to keep what the run finds on disk, if it is one that can go on later.
bool RunController::keepRun() {
    RunRequest request;
    request.job = d->job;
    request.job.finished.clear();
    request.info = d->run.info;
    request.existing = d->existing;
    request.trackOnly = d->run.info.trackOnly;
    if (!RunKeeper::canKeep(request))
        return false;
    const project::Labels& labels = d->host.labels();
    const auto video = d->run.info.video;
    d->keeper->begin(
        request, QString::fromStdString(labels.origin().path),
        video < labels.videos().size() ? QString::fromStdString(labels.videos()[video].filename) : QString(),
        d->resuming ? &*d->resuming : nullptr);
    return true;
}

/// Whether a crash has ended a run of this project.
void RunController::lookForUnfinished() {
    d->offered.reset();
    Q_EMIT resumeOffered({}, {});
    if (d->host.labels().videos().empty())
        return;
    inBackground(
        this,
        [folder = d->keeper->folder()]() -> Result<std::vector<UnfinishedRun>> { return findUnfinishedRuns(folder); },
        [this](Result<std::vector<UnfinishedRun>> runs) {
            if (!runs || isRunning())
                return;
            const QString project = QString::fromStdString(d->host.labels().origin().path);
            for (const UnfinishedRun& run : *runs) {
                if ((!run.project.isEmpty() && run.project != project) || !videoOf(run.videoFile))
                    continue;
                d->offered = run;
                Q_EMIT resumeOffered(
                    tr("The run “%1” was ended by a crash: %2 of %3 were done.")
                        .arg(run.title, text::number(run.through), text::frames(run.framesTotal)),
                    tr("Resume at frame %1").arg(text::frameNumber(run.nextFrame, d->host.countFramesFromZero())));
                return;
            }
        });
}

std::optional<std::uint32_t> RunController::videoOf(const QString& file) const {
    const auto& videos = d->host.labels().videos();
    for (std::size_t i = 0; i < videos.size(); ++i)
        if (QString::fromStdString(videos[i].filename) == file)
            return static_cast<std::uint32_t>(i);
    return std::nullopt;
}

void RunController::resumeRun() {
    d->resumeWanted = false;
    const auto index = d->offered ? videoOf(d->offered->videoFile) : std::nullopt;
    if (!index || isRunning())
        return;
    const std::vector<RunVideo> videos = d->host.videos();
    if (*index >= videos.size())
        return;
    const RunVideo& video = videos[*index];
    if (!video.problem.isEmpty())
        return Q_EMIT notice(video.problem);
    if (!video.source) {
        d->resumeWanted = true;
        d->host.wantVideo(*index);
        return;
    }
    inBackground(
        this, [run = *d->offered, video] { return resumedRequest(run, video); },
        [this](Result<RunRequest> request) {
            if (!d->offered || isRunning())
                return;
            if (!request) {
                Q_EMIT resumeOffered(QString::fromStdString(request.error().message()), {});
                return;
            }
            d->later.clear();
            d->videosTotal = 1;
            d->leftOut.clear();
            d->resuming = std::exchange(d->offered, std::nullopt);
            Q_EMIT resumeOffered({}, {});
            begin(*request);
        });
}

void RunController::forgetUnfinished() {
    d->resumeWanted = false;
    Q_EMIT resumeOffered({}, {});
    if (!d->offered)
        return;
    inBackground(
        this,
        [run = *std::exchange(d->offered, std::nullopt)]() -> Result<bool> {
            discardUnfinishedRun(run);
            return true;
        },
        [](const Result<bool>&) {});
}

}  // namespace skein::ui
