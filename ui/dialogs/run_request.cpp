// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/run_request.h"

#include <QCoreApplication>

#include "ui/run_text.h"

namespace skein::ui {
namespace {

/// The first video that can run begins, the others wait.
Result<RunRequest> makeRequests(const RunSettings& settings, const RunSituation& situation) {
    RunSettings each = settings;
    each.target = targetOfEach(settings.target);
    RunSituation shared = situation;
    shared.videos.clear();  // not copied once for each of them
    std::optional<RunRequest> first;
    std::vector<RunRequest::Later> later;
    Result<RunRequest> refusal = fail(ErrorCode::NotFound, "There is no video to run on.");
    for (const RunVideo& video : videosOf(settings.target, situation)) {
        const RunSituation one = situationOf(video, shared);
        if (!first && video.source) {
            if (auto made = makeRequest(each, one))
                first = std::move(*made);
            else
                refusal = std::move(made);
        } else {
            later.push_back({video.index, each, one});
        }
    }
    if (!first) {
        if (!later.empty())
            return fail(ErrorCode::InvalidArgument, "None of these videos is open yet. Look at one of them first.");
        return refusal;
    }
    first->later = std::move(later);
    return std::move(*first);
}

}  // namespace

QString modelKey(const QString& model, const QString& partner) {
    return partner.isEmpty() ? model : model + QLatin1Char('|') + partner;
}

Result<RunRequest> makeRequest(const RunSettings& settings, const RunSituation& situation) {
    if (isOfVideos(settings.target))
        return makeRequests(settings, situation);
    const RunPlan plan = planRun(settings, situation);
    if (!plan.canRun)
        return fail(ErrorCode::InvalidArgument, plan.summary.toStdString());
    auto job = makeJob(settings, situation, plan);
    if (!job)
        return fail(std::move(job.error()));
    RunRequest request;
    request.trackOnly = settings.trackOnly && settings.tracking;
    request.info.title = runTitle(settings, situation, plan);
    if (!request.trackOnly) {
        request.info.modelPath =
            modelKey(situation.modelPath, situation.partner && !situation.alone ? situation.partner->path : QString());
        QStringList names;
        for (const models::ModelSpec& model : plan.models)
            names << text::fromPath(model.folder.filename());
        request.info.model = names.join(QStringLiteral(" + "));
        request.info.batchSize = settings.inference.batchSize;
    }
    request.info.trackOnly = request.trackOnly;
    if (request.trackOnly)
        request.info.model = QCoreApplication::translate("RunPlan", "tracking only");
    request.info.video = situation.video->index;
    request.info.firstFrame = plan.frames.front().first;
    request.info.framesTotal = plan.count;
    request.info.queueMaxsize = settings.queueMaxsize;
    request.info.groupThreads = job->groupThreads;
    request.job = std::move(*job);
    request.existing = settings.existing;
    return request;
}

}  // namespace skein::ui
