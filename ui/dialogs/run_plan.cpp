// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/run_plan.h"

#include <QCoreApplication>
#include <algorithm>
#include <thread>

#include "engine/inference/given_centroids.h"
#include "engine/inference/model_set.h"
#include "ui/dialogs/run_plan_words.h"
#include "ui/dialogs/run_settings.h"
#include "ui/run_text.h"

namespace skein::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("RunPlan", text);
}

RunPlan refused(RunPlan plan, const QString& why, RunPlan::Fix fix = RunPlan::Fix::None, const QString& fixPlace = {}) {
    plan.canRun = false;
    plan.summary = why;
    plan.fix = fix;
    plan.fixPlace = fixPlace;
    return plan;
}

/// What is wrong with the models, or missing; the plan gets what is known of them.
std::optional<RunPlan> modelRefusal(RunPlan& plan, const RunSituation& situation) {
    if (situation.modelPath.isEmpty())
        return refused(plan, tr("Choose a model folder, or drop one here."), RunPlan::Fix::ChooseModel);
    if (situation.modelReading || !situation.model)
        return refused(plan, tr("Reading the model…"));
    // The sentence itself stands beside the model: here only that it is in the way.
    if (!situation.model->canRun())
        return refused(plan, tr("This model cannot be run. Choose another one."), RunPlan::Fix::ChooseModel);
    const PartnerNeed need = partnerNeed(*situation.model->spec);
    std::vector<models::ModelSpec> models{*situation.model->spec};
    if ((need != PartnerNeed::None || situation.partner) && !situation.alone) {
        if (!situation.partner)
            return refused(plan,
                           need == PartnerNeed::Instances
                               ? tr("A centroid model finds where animals are. Choose the centered-instance model that "
                                    "goes with it, or let it run alone.")
                               : tr("This model looks at crops. Choose the centroid model that finds the animals, or "
                                    "let it look around instances that are there."),
                           RunPlan::Fix::ChoosePartner);
        if (!situation.partner->canRun())
            return refused(plan, tr("The second model cannot be run. Choose another one."),
                           RunPlan::Fix::ChoosePartner);
        models.push_back(*situation.partner->spec);
    }
    auto arranged = inference::arrangeModels(std::move(models));
    if (!arranged)
        return refused(plan, QString::fromStdString(arranged.error().message()), RunPlan::Fix::ChoosePartner);
    plan.models = std::move(*arranged);
    return std::nullopt;
}

/// What is wrong with options that depend on the models.
std::optional<RunPlan> optionRefusal(const RunSettings& settings, const RunPlan& plan) {
    const auto because = [&plan](const char* option, const QString& why) {
        return refused(plan, why, RunPlan::Fix::ShowOption, QLatin1String(option));
    };
    const models::ModelSpec& last = plan.models.back();
    const bool crops = partnerNeed(last) == PartnerNeed::Centroids;
    if (crops && !last.preprocess.cropSize && !settings.inference.cropSize)
        return because("crop_size",
                       tr("The centered-instance model states no crop size. Set it under More options, Input."));
    if (inference::needsCentroids(plan.models))
        if (const auto definition = inference::centroidDefinition(plan.models, settings.inference.anchorPart);
            !definition)
            return because("anchor_part", QString::fromStdString(definition.error().message()));
    if (crops)
        if (const auto sizes = inference::topDownSettings(plan.models, settings.inference); !sizes)
            return because("crop_size", QString::fromStdString(sizes.error().message()));
    if (trackerChoice(settings) == TrackerChoice::Kalman && !settings.tracker.maxTracks &&
        !settings.tracker.targetInstanceCount && settings.inference.maxInstances == 0)
        return because("max_tracks", tr("Kalman filters need the number of animals. Set it under Tracking."));
    return std::nullopt;
}

/// A target that means no frame: what could be done instead.
RunPlan refusedWithoutFrames(const RunPlan& plan, const RunSettings& settings, const RunSituation& situation) {
    const QString why = noFrames(settings, situation, plan);
    const bool reading = !situation.labelFrames && needsLabels(settings.target);
    if (settings.target == RunTarget::WithIssues && !situation.issueFrames)
        return refused(plan, why, RunPlan::Fix::ShowDock, QStringLiteral("dockIssues"));
    if (settings.target == RunTarget::SelectedVideos)
        return refused(plan, why, RunPlan::Fix::ShowDock, QStringLiteral("dockVideos"));
    if (inference::needsCentroids(plan.models) && situation.labelFrames)
        return refused(plan, why, RunPlan::Fix::ChoosePartner);
    const bool isElse = reading || settings.target == RunTarget::Custom || settings.target == RunTarget::WholeVideo;
    return refused(plan, why, isElse ? RunPlan::Fix::None : RunPlan::Fix::WholeVideo);
}

}  // namespace

QString runTitle(const RunSettings& settings, const RunSituation& situation, const RunPlan& plan) {
    QString frames = frameWords(settings.target, plan.frames, situation.fromZero);
    frames[0] = frames[0].toUpper();
    return tr("%1 of %2").arg(frames, situation.video ? situation.video->name : QString());
}

Result<tracking::TrackerOptions> resolvedTracker(const RunSettings& settings, const project::Skeleton& skeleton) {
    tracking::TrackingFacts facts = tracking::factsOf({skeleton});
    if (settings.inference.maxInstances > 0 && !settings.trackOnly)
        facts.maxInstances = settings.inference.maxInstances;
    // Of box trackers the similarity is an option of their own.
    const bool boxes = isBoxTracker(trackerChoice(settings));
    return tracking::resolveOptions(effectiveTracker(settings), facts,
                                    boxes ? tracking::ExplicitChoices() : settings.chosen);
}

namespace {

std::optional<RunPlan> videoRefusal(const RunPlan& plan, const RunSituation& situation) {
    if (!situation.video)
        return refused(plan, tr("Open a video first."));
    if (!situation.video->problem.isEmpty() && !situation.video->source)
        return refused(plan, situation.video->problem, RunPlan::Fix::ShowDock, QStringLiteral("dockVideos"));
    if (situation.video->source || situation.opensLater)
        return std::nullopt;
    return refused(plan, tr("The video %1 cannot be read yet.").arg(situation.video->name));
}

RunPlan noRange(const RunPlan& plan) {
    return refused(plan, tr("No range is selected. Drag over the timeline with Shift held."), RunPlan::Fix::WholeVideo);
}

QString trackedAnew(const QStringList& parts) {
    return tr("%1. They get new tracks; nothing is found anew.").arg(parts.join(QStringLiteral(", ")));
}

/// Tracks for what was predicted before: neither a model nor, but for optical flow, the picture is needed.
RunPlan planTracking(RunPlan plan, const RunSettings& settings, const RunSituation& situation) {
    if (!situation.video)
        return refused(plan, tr("Open a video first."));
    if (!situation.labelFrames)
        return refused(plan, tr("Looking through the labels…"));
    if (trackerChoice(settings) == TrackerChoice::Flow)
        if (auto refusal = videoRefusal(plan, situation))
            return *refusal;
    if (trackerChoice(settings) == TrackerChoice::Kalman && !settings.tracker.maxTracks &&
        !settings.tracker.targetInstanceCount)
        return refused(plan, tr("Kalman filters need the number of animals. Set it under Tracking."),
                       RunPlan::Fix::ShowOption, QStringLiteral("max_tracks"));
    if (plan.count == 0)
        return settings.target == RunTarget::SelectedRange && !situation.selection
                   ? noRange(plan)
                   : refused(plan, tr("There are no predictions to be tracked on these frames. Find some with a model, "
                                      "or choose other frames."));
    const auto options =
        resolvedTracker(settings, situation.skeletons.empty() ? project::Skeleton() : situation.skeletons.front());
    if (!options)
        return refused(plan, QString::fromStdString(options.error().message()));
    plan.canRun = true;
    plan.button = tr("Track %1").arg(text::frames(plan.count));
    plan.tracking = trackingWords(trackerChoice(settings), *options);
    plan.summary =
        trackedAnew({tr("Predictions of %1 of %2")
                         .arg(frameWords(settings.target, plan.frames, situation.fromZero), situation.video->name),
                     plan.tracking});
    return plan;
}

/// What is wrong with the tracker; the plan gets its words.
std::optional<RunPlan> trackerRefusal(RunPlan& plan, const RunSettings& settings) {
    plan.tracking = trackingWords(TrackerChoice::None, {});
    if (!settings.tracking)
        return std::nullopt;
    const auto options = resolvedTracker(settings, inference::outputSkeleton(plan.models));
    if (!options)
        return refused(plan, QString::fromStdString(options.error().message()));
    plan.tracking = trackingWords(trackerChoice(settings), *options);
    return std::nullopt;
}

/// The line that says what will happen; `frames`: to what.
QString summaryOf(const RunPlan& plan, const RunSettings& settings, const RunSituation& situation,
                  const QStringList& frames) {
    QStringList parts{modelsTitle(plan.models)};
    parts << frames << plan.tracking;
    if (settings.inference.precision != inference::Precision::Exact)
        parts << (settings.inference.precision == inference::Precision::Half
                      ? tr("in half precision, which differs slightly")
                      : tr("in TF32, which differs slightly"));
    if (const QString time = timeWords(plan.count, situation); !time.isEmpty())
        parts << time;
    return parts.join(QStringLiteral(", ")) + QLatin1Char('.');
}

/// One run after another, each as a plan of its own.
RunPlan planVideos(RunPlan plan, const RunSettings& settings, const RunSituation& situation) {
    const std::vector<RunVideo> videos = videosOf(settings.target, situation);
    if (videos.empty())
        return situation.videos.empty() ? refused(plan, tr("Open a video first."))
                                        : refusedWithoutFrames(plan, settings, situation);
    RunSettings each = settings;
    each.target = targetOfEach(settings.target);
    RunSituation shared = situation;
    shared.videos.clear();  // not copied once for each of them
    plan.videos = 0;
    plan.count = 0;
    QString reason;
    QStringList leftOut;
    RunSituation all = shared;  // what all of them hold together
    all.framesWithPredictions = all.framesWithTracks = 0;
    for (const RunVideo& video : videos) {
        const RunSituation its = situationOf(video, shared);
        RunPlan one = planRun(each, its);
        // How many frames there are may come out only when the video is opened.
        const bool unknown = video.frameCount == 0 && video.problem.isEmpty();
        if (!one.canRun && !unknown) {
            reason = reason.isEmpty() ? one.summary : reason;
            plan.fix = one.fix;
            plan.fixPlace = one.fixPlace;
            if (!video.problem.isEmpty())
                leftOut << video.name;
            continue;
        }
        plan.count += one.count;
        all.framesWithPredictions += std::max<std::int64_t>(0, its.framesWithPredictions);
        all.framesWithTracks += std::max<std::int64_t>(0, its.framesWithTracks);
        if (one.canRun && !plan.canRun) {
            plan.canRun = true;
            plan.frames = one.frames;
            plan.models = one.models;
            plan.tracking = one.tracking;
        }
        ++plan.videos;
    }
    if (!plan.canRun)
        return refused(plan, reason.isEmpty() ? tr("The videos cannot be read yet.") : reason, plan.fix, plan.fixPlace);
    plan.fix = RunPlan::Fix::None;
    const QString number = text::count(static_cast<std::int64_t>(plan.videos), tr("video"), tr("videos"));
    plan.button = tr("Run on %1").arg(number);
    if (settings.trackOnly && settings.tracking)
        plan.summary = trackedAnew({tr("Predictions of %1").arg(number), text::frames(plan.count), plan.tracking});
    else
        plan.summary = summaryOf(plan, settings, situation, {number, text::frames(plan.count)});
    const bool givesTracks = settings.tracking || !plan.models.back().classNames.empty();
    if (const QString existing = existingWords(settings, all, givesTracks); !existing.isEmpty() && !settings.trackOnly)
        plan.summary += QLatin1Char(' ') + existing;
    if (!leftOut.isEmpty())
        plan.summary +=
            QLatin1Char(' ') + tr("Left out, since they cannot be read: %1.").arg(leftOut.join(QStringLiteral(", ")));
    return plan;
}

}  // namespace

RunPlan planRun(const RunSettings& settings, const RunSituation& situation) {
    RunPlan plan;
    plan.frames = framesOf(settings.target, settings, situation);
    plan.count = countOf(plan.frames);
    plan.use = modelUse(situation);
    plan.button = plan.count > 0 ? tr("Run on %1").arg(text::frames(plan.count)) : tr("Run");

    if (situation.running)
        return refused(plan, tr("A run is in progress. Wait for it, or cancel it in Jobs."), RunPlan::Fix::ShowDock,
                       QStringLiteral("dockJobs"));
    if (isOfVideos(settings.target))
        return planVideos(plan, settings, situation);
    if (settings.trackOnly && settings.tracking)
        return planTracking(plan, settings, situation);
    if (auto refusal = videoRefusal(plan, situation))
        return *refusal;
    if (auto refusal = modelRefusal(plan, situation))
        return *refusal;
    if (auto refusal = optionRefusal(settings, plan))
        return *refusal;
    // What shall be skipped must be known first.
    if (settings.skipLabelled && canSkipLabelled(settings.target) && !situation.labelFrames)
        return refused(plan, tr("Looking through the labels…"));
    if (plan.count == 0)
        return settings.target == RunTarget::SelectedRange && !situation.selection
                   ? noRange(plan)
                   : refusedWithoutFrames(plan, settings, situation);
    if (auto refusal = trackerRefusal(plan, settings))
        return *refusal;
    plan.canRun = true;
    plan.summary = summaryOf(
        plan, settings, situation,
        {tr("%1 of %2").arg(frameWords(settings.target, plan.frames, situation.fromZero), situation.video->name)});
    const bool givesTracks = settings.tracking || !plan.models.back().classNames.empty();
    if (const QString existing = existingWords(settings, situation, givesTracks); !existing.isEmpty())
        plan.summary += QLatin1Char(' ') + existing;
    return plan;
}

RunPlan planVideos(const RunSettings& settings, const RunSituation& situation, const QString& what,
                   std::int64_t count) {
    RunPlan plan;
    plan.use = modelUse(situation);
    plan.count = count;
    if (auto refusal = modelRefusal(plan, situation))
        return *refusal;
    if (inference::needsCentroids(plan.models))
        return refused(plan,
                       tr("A model for crops needs a centroid model to find the animals in a video. Choose it as the "
                          "second model."),
                       RunPlan::Fix::ChoosePartner);
    if (auto refusal = optionRefusal(settings, plan))
        return *refusal;
    if (auto refusal = trackerRefusal(plan, settings))
        return *refusal;
    plan.canRun = true;
    QStringList frames{what};
    if (count > 0)
        frames << text::frames(count);
    plan.summary = summaryOf(plan, settings, situation, frames);
    return plan;
}

int groupThreadsHere() {
    // Decoding and the network need most cores; grouping is light for all but crowds.
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    return std::clamp(cores / 4, 1, 4);
}

Result<pipeline::JobSpec> makeJob(const RunSettings& settings, const RunSituation& situation, const RunPlan& plan) {
    SKEIN_EXPECTS(plan.canRun && situation.video, "the plan can run");
    pipeline::JobSpec job;
    job.models = plan.models;
    pipeline::JobSource source;
    source.video = situation.video->index;
    source.source = situation.video->source;
    source.name = situation.video->name.toStdString();
    source.frames = toFrames(plan.frames);
    job.sources.push_back(std::move(source));
    job.inference = effectiveInference(settings, plan.use);
    job.queueMaxsize = settings.queueMaxsize;
    job.groupThreads = groupThreadsHere();
    if (settings.tracking) {
        const bool known = settings.trackOnly && !situation.skeletons.empty();
        auto options =
            resolvedTracker(settings, known ? situation.skeletons.front() : inference::outputSkeleton(plan.models));
        if (!options)
            return fail(std::move(options.error()));
        job.tracking = *options;
    }
    return job;
}

}  // namespace skein::ui
