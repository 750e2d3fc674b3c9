// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/run_plan.h"

#include <QCoreApplication>
#include <algorithm>
#include <thread>

#include "ui/run_text.h"

namespace skein::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("RunPlan", text);
}

QString scoringWord(tracking::ScoringMethod scoring) {
    switch (scoring) {
        case tracking::ScoringMethod::Oks:
            return tr("OKS");
        case tracking::ScoringMethod::Iou:
            return tr("IoU");
        case tracking::ScoringMethod::CosineSimilarity:
            return tr("cosine similarity");
        case tracking::ScoringMethod::EuclideanDistance:
            return tr("distance");
    }
    return {};
}

QString trackingWords(const tracking::TrackerOptions& options) {
    const QString matching = options.matching == tracking::MatchingMethod::Hungarian ? tr("Hungarian") : tr("greedy");
    QString words = tr("tracked by %1 + %2").arg(scoringWord(options.scoring), matching);
    if (options.maxTracks)
        words +=
            *options.maxTracks == 1 ? tr(" as 1 animal") : tr(" as %1 animals").arg(text::number(*options.maxTracks));
    return words;
}

QString existingWords(const RunSettings& settings, std::int64_t count) {
    if (count <= 0)
        return {};
    switch (settings.existing) {
        case ExistingPredictions::Replace:
            return tr("Replaces the predictions of %1.").arg(text::frames(count));
        case ExistingPredictions::Clear:
            return tr("Removes all predictions of this video first.");
        case ExistingPredictions::Keep:
            return tr("Adds to the predictions of %1.").arg(text::frames(count));
    }
    return {};
}

RunPlan refused(RunPlan plan, const QString& why, RunPlan::Fix fix = RunPlan::Fix::None) {
    plan.canRun = false;
    plan.summary = why;
    plan.fix = fix;
    return plan;
}

}  // namespace

FrameRange framesOf(RunTarget target, const RunSituation& situation) {
    if (!situation.video || situation.video->frameCount <= 0)
        return {};
    // Labels may speak of frames that the file does not have.
    std::int64_t count = situation.video->frameCount;
    if (situation.video->source)
        count = std::min(count, static_cast<std::int64_t>(situation.video->source->frameCount()));
    const std::int64_t last = count - 1;
    switch (target) {
        case RunTarget::CurrentFrame:
            return situation.frame < 0 || situation.frame > last ? FrameRange{}
                                                                 : FrameRange{situation.frame, situation.frame};
        case RunTarget::SelectedRange:
            if (!situation.selection)
                return {};
            return {std::max<std::int64_t>(situation.selection->first, 0), std::min(situation.selection->last, last)};
        case RunTarget::WholeVideo:
            return {0, last};
    }
    return {};
}

QString runTitle(const RunSituation& situation, const FrameRange& range) {
    QString frames = text::frameRange(range, situation.fromZero);
    frames[0] = frames[0].toUpper();
    return tr("%1 of %2").arg(frames, situation.video ? situation.video->name : QString());
}

Result<tracking::TrackerOptions> resolvedTracker(const RunSettings& settings, const models::ModelSpec& model) {
    tracking::TrackingFacts facts = tracking::factsOf({model.skeleton});
    if (settings.inference.maxInstances > 0)
        facts.maxInstances = settings.inference.maxInstances;
    return tracking::resolveOptions(settings.tracker, facts, settings.chosen);
}

RunPlan planRun(const RunSettings& settings, const RunSituation& situation) {
    RunPlan plan;
    plan.range = framesOf(settings.target, situation);
    plan.button = plan.range.count() > 0 ? tr("Run on %1").arg(text::frames(plan.range.count())) : tr("Run");

    if (situation.running)
        return refused(plan, tr("A run is in progress. Wait for it, or cancel it in Jobs."), RunPlan::Fix::ShowJobs);
    if (!situation.video)
        return refused(plan, tr("Open a video first."));
    if (!situation.video->source)
        return refused(plan, situation.video->problem.isEmpty()
                                 ? tr("The video %1 cannot be read yet.").arg(situation.video->name)
                                 : situation.video->problem);
    if (situation.modelPath.isEmpty())
        return refused(plan, tr("Choose a model folder, or drop one here."), RunPlan::Fix::ChooseModel);
    if (situation.modelReading || !situation.model)
        return refused(plan, tr("Reading the model…"));
    // The sentence itself stands beside the model: here only that it is in the way.
    if (!situation.model->canRun())
        return refused(plan, tr("This model cannot be run. Choose another one."), RunPlan::Fix::ChooseModel);
    if (plan.range.count() == 0)
        return settings.target == RunTarget::SelectedRange
                   ? refused(plan, tr("No range is selected. Drag over the timeline with Shift held."),
                             RunPlan::Fix::WholeVideo)
                   : refused(plan, tr("There is no frame to run on."));
    const models::ModelSpec& model = *situation.model->spec;
    QString tracked;
    if (settings.tracking) {
        const auto options = resolvedTracker(settings, model);
        if (!options)
            return refused(plan, QString::fromStdString(options.error().message()));
        tracked = trackingWords(*options);
    } else {
        tracked = tr("not tracked");
    }

    plan.canRun = true;
    QStringList parts;
    parts << QString::fromUtf8(models::modelTypeTitle(model.type));
    QString frames = text::frameRange(plan.range, situation.fromZero);
    parts << tr("%1 of %2").arg(frames, situation.video->name);
    parts << tracked;
    if (!situation.device.isEmpty())
        parts << tr("on %1").arg(situation.device);
    if (situation.knownRate > 0)
        parts << tr("about %1 as of the last run")
                     .arg(text::duration(std::max(1.0, static_cast<double>(plan.range.count()) / situation.knownRate)));
    plan.summary = parts.join(QStringLiteral(", ")) + QLatin1Char('.');
    if (const QString existing = existingWords(settings, situation.framesWithPredictions); !existing.isEmpty())
        plan.summary += QLatin1Char(' ') + existing;
    return plan;
}

Result<pipeline::JobSpec> makeJob(const RunSettings& settings, const RunSituation& situation, const RunPlan& plan) {
    SKEIN_EXPECTS(plan.canRun && situation.model && situation.model->spec && situation.video, "the plan can run");
    pipeline::JobSpec job;
    job.models = {*situation.model->spec};
    pipeline::JobSource source;
    source.video = situation.video->index;
    source.source = situation.video->source;
    source.name = situation.video->name.toStdString();
    source.frames.reserve(static_cast<std::size_t>(plan.range.count()));
    for (std::int64_t frame = plan.range.first; frame <= plan.range.last; ++frame)
        source.frames.push_back(frame);
    job.sources.push_back(std::move(source));
    job.inference = settings.inference;
    job.queueMaxsize = settings.queueMaxsize;
    // Decoding and the network need most cores; grouping is light for all but crowds.
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    job.groupThreads = std::clamp(cores / 4, 1, 4);
    if (settings.tracking) {
        auto options = resolvedTracker(settings, *situation.model->spec);
        if (!options)
            return fail(std::move(options.error()));
        job.tracking = *options;
    }
    return job;
}

}  // namespace skein::ui
