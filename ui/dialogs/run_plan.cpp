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

RunPlan refused(RunPlan plan, const QString& why, RunPlan::Fix fix = RunPlan::Fix::None) {
    plan.canRun = false;
    plan.summary = why;
    plan.fix = fix;
    return plan;
}

}  // namespace

bool needsLabels(RunTarget target) {
    return target == RunTarget::Labelled || target == RunTarget::Suggestions || target == RunTarget::Predicted ||
           target == RunTarget::NotPredicted;
}

bool isOfVideos(RunTarget target) {
    return target == RunTarget::SelectedVideos || target == RunTarget::AllVideos;
}

bool canSkipLabelled(RunTarget target) {
    return target != RunTarget::Labelled && target != RunTarget::Suggestions && target != RunTarget::CurrentFrame;
}

FrameRanges framesOf(RunTarget target, const RunSettings& settings, const RunSituation& situation) {
    if (!situation.video || situation.video->frameCount <= 0)
        return {};
    // Labels may speak of frames that the file does not have.
    std::int64_t count = situation.video->frameCount;
    if (situation.video->source)
        count = std::min(count, static_cast<std::int64_t>(situation.video->source->frameCount()));
    const FrameRanges all{{0, count - 1}};
    static const LabelFrames kUnknown;
    const LabelFrames& labels = situation.labelFrames ? *situation.labelFrames : kUnknown;
    if (needsLabels(target) && !situation.labelFrames)
        return {};
    FrameRanges frames;
    switch (target) {
        case RunTarget::CurrentFrame:
            frames = {{situation.frame, situation.frame}};
            break;
        case RunTarget::SelectedRange:
            if (situation.selection && situation.selection->count() > 0)
                frames = {*situation.selection};
            break;
        case RunTarget::WholeVideo:
        case RunTarget::RandomSample:
            frames = all;
            break;
        case RunTarget::Labelled:
            frames = labels.labelled;
            break;
        case RunTarget::Suggestions:
            frames = labels.suggested;
            break;
        case RunTarget::Predicted:
            frames = labels.predicted;
            break;
        case RunTarget::NotPredicted:
            frames = difference(all, labels.predicted);
            break;
        case RunTarget::WithIssues:
            if (situation.issueFrames)
                frames = *situation.issueFrames;
            break;
        case RunTarget::Custom:
            if (const auto listed = listedFrames(settings.frameList, situation.fromZero, count))
                frames = *listed;
            break;
        case RunTarget::SelectedVideos:
        case RunTarget::AllVideos:
            // Each of them is a plan of its own.
            return {};
    }
    frames = intersection(frames, all);
    if (settings.skipLabelled && canSkipLabelled(target))
        frames = difference(frames, labels.labelled);
    const ModelUse use = modelUse(situation);
    if (settings.trackOnly) {
        frames = intersection(frames, labels.predicted);
    } else if (use == ModelUse::Around || use == ModelUse::ClassAround) {
        frames = intersection(frames, unionOf(labels.labelled, labels.predicted));
    }
    return target == RunTarget::RandomSample ? sampleOf(frames, settings.sampleSize, situation.sampleSeed) : frames;
}

ModelUse modelUse(const RunSituation& situation) {
    if (!situation.model || situation.model->spec == nullptr)
        return ModelUse::Unknown;
    const models::ModelSpec& model = *situation.model->spec;
    const bool pair = situation.partner && situation.partner->spec != nullptr;
    const bool classes = model.type == models::ModelType::MultiClassTopDown ||
                         (pair && situation.partner->spec->type == models::ModelType::MultiClassTopDown);
    switch (model.type) {
        case models::ModelType::SingleInstance:
            return ModelUse::Single;
        case models::ModelType::BottomUp:
            return ModelUse::BottomUp;
        case models::ModelType::MultiClassBottomUp:
            return ModelUse::ClassBottomUp;
        case models::ModelType::Centroid:
            if (situation.alone)
                return ModelUse::Centroids;
            break;
        case models::ModelType::CenteredInstance:
        case models::ModelType::MultiClassTopDown:
            if (situation.alone)
                return classes ? ModelUse::ClassAround : ModelUse::Around;
            break;
    }
    return classes ? ModelUse::ClassTopDown : ModelUse::TopDown;
}

namespace {

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
QString optionProblem(const RunSettings& settings, const RunPlan& plan) {
    const models::ModelSpec& last = plan.models.back();
    const bool crops = partnerNeed(last) == PartnerNeed::Centroids;
    if (crops && !last.preprocess.cropSize && !settings.inference.cropSize)
        return tr("The centered-instance model states no crop size. Set it under More options, Input.");
    if (inference::needsCentroids(plan.models))
        if (const auto definition = inference::centroidDefinition(plan.models, settings.inference.anchorPart);
            !definition)
            return QString::fromStdString(definition.error().message());
    if (crops)
        if (const auto sizes = inference::topDownSettings(plan.models, settings.inference); !sizes)
            return QString::fromStdString(sizes.error().message());
    if (trackerChoice(settings) == TrackerChoice::Kalman && !settings.tracker.maxTracks &&
        !settings.tracker.targetInstanceCount && settings.inference.maxInstances == 0)
        return tr("Kalman filters need the number of animals. Set it under Tracking.");
    return {};
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

QString canBeReadBecause(const RunSituation& situation) {
    if (!situation.video)
        return tr("Open a video first.");
    if (situation.video->source || (situation.opensLater && situation.video->problem.isEmpty()))
        return {};
    return situation.video->problem.isEmpty() ? tr("The video %1 cannot be read yet.").arg(situation.video->name)
                                              : situation.video->problem;
}

RunPlan noRange(const RunPlan& plan) {
    return refused(plan, tr("No range is selected. Drag over the timeline with Shift held."), RunPlan::Fix::WholeVideo);
}

/// Tracks for what was predicted before: neither a model nor, but for optical flow, the picture is needed.
RunPlan planTracking(RunPlan plan, const RunSettings& settings, const RunSituation& situation) {
    if (!situation.video)
        return refused(plan, tr("Open a video first."));
    if (!situation.labelFrames)
        return refused(plan, tr("Looking through the labels…"));
    if (trackerChoice(settings) == TrackerChoice::Flow)
        if (const QString problem = canBeReadBecause(situation); !problem.isEmpty())
            return refused(plan, problem);
    if (trackerChoice(settings) == TrackerChoice::Kalman && !settings.tracker.maxTracks &&
        !settings.tracker.targetInstanceCount)
        return refused(plan, tr("Kalman filters need the number of animals. Set it under Tracking."));
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
    plan.summary = tr("The predictions of %1 of %2 get new tracks: %3. Nothing is found anew.")
                       .arg(frameWords(settings.target, plan.frames, situation.fromZero), situation.video->name,
                            trackingWords(trackerChoice(settings), *options));
    return plan;
}

/// One run after another, each as a plan of its own.
RunPlan planVideos(RunPlan plan, const RunSettings& settings, const RunSituation& situation) {
    const std::vector<RunVideo> videos = videosOf(settings.target, situation);
    if (videos.empty())
        return refused(plan,
                       situation.videos.empty() ? tr("Open a video first.") : noFrames(settings, situation, plan));
    RunSettings each = settings;
    each.target = RunTarget::WholeVideo;
    RunSituation shared = situation;
    shared.videos.clear();  // not copied once for each of them
    plan.videos = 0;
    std::int64_t count = 0;
    QString reason, words;
    QStringList leftOut;
    for (const RunVideo& video : videos) {
        RunPlan one = planRun(each, situationOf(video, shared));
        // How many frames there are may come out only when the video is opened.
        const bool unknown = video.frameCount == 0 && video.problem.isEmpty();
        if (!one.canRun && !unknown) {
            reason = reason.isEmpty() ? one.summary : reason;
            plan.fix = one.fix;
            if (!video.problem.isEmpty())
                leftOut << video.name;
            continue;
        }
        count += one.count;
        if (one.canRun && plan.videos == 0) {
            words = one.summary;
            plan.frames = one.frames;
            plan.models = one.models;
        }
        ++plan.videos;
    }
    if (words.isEmpty())
        return refused(plan, reason.isEmpty() ? tr("The videos cannot be read yet.") : reason, plan.fix);
    plan.count = count;
    plan.canRun = true;
    plan.button = tr("Run on %1").arg(text::count(static_cast<std::int64_t>(plan.videos), tr("video"), tr("videos")));
    plan.summary = tr("%1, %2, one after another. The first: %3")
                       .arg(text::count(static_cast<std::int64_t>(plan.videos), tr("video"), tr("videos")),
                            text::frames(plan.count), words);
    if (!leftOut.isEmpty())
        plan.summary +=
            QLatin1Char(' ') + tr("Left out, since they cannot be read: %1.").arg(leftOut.join(QStringLiteral(", ")));
    return plan;
}

}  // namespace

std::vector<RunVideo> videosOf(RunTarget target, const RunSituation& situation) {
    if (target == RunTarget::AllVideos)
        return situation.videos;
    std::vector<RunVideo> videos;
    for (const std::uint32_t index : situation.selectedVideos)
        if (index < situation.videos.size())
            videos.push_back(situation.videos[index]);
    return videos;
}

RunSituation situationOf(const RunVideo& video, const RunSituation& situation) {
    RunSituation one = situation;
    one.video = video;
    one.opensLater = true;
    one.selection.reset();
    one.issueFrames.reset();
    one.labelFrames.reset();
    one.framesWithPredictions = one.framesWithTracks = -1;
    if (situation.allLabelFrames && video.index < situation.allLabelFrames->size()) {
        const LabelFrames& labels = (*situation.allLabelFrames)[video.index];
        one.labelFrames = {situation.allLabelFrames, &labels};
        one.framesWithPredictions = countOf(labels.predicted);
        one.framesWithTracks = countOf(labels.tracked);
    }
    return one;
}

RunPlan planRun(const RunSettings& settings, const RunSituation& situation) {
    RunPlan plan;
    plan.frames = framesOf(settings.target, settings, situation);
    plan.count = countOf(plan.frames);
    plan.use = modelUse(situation);
    plan.button = plan.count > 0 ? tr("Run on %1").arg(text::frames(plan.count)) : tr("Run");

    if (situation.running)
        return refused(plan, tr("A run is in progress. Wait for it, or cancel it in Jobs."), RunPlan::Fix::ShowJobs);
    if (isOfVideos(settings.target))
        return planVideos(plan, settings, situation);
    if (settings.trackOnly && settings.tracking)
        return planTracking(plan, settings, situation);
    if (const QString problem = canBeReadBecause(situation); !problem.isEmpty())
        return refused(plan, problem);
    if (auto refusal = modelRefusal(plan, situation))
        return *refusal;
    if (const QString problem = optionProblem(settings, plan); !problem.isEmpty())
        return refused(plan, problem);
    // What shall be skipped must be known first.
    if (settings.skipLabelled && canSkipLabelled(settings.target) && !situation.labelFrames)
        return refused(plan, tr("Looking through the labels…"));
    if (plan.count == 0)
        return settings.target == RunTarget::SelectedRange && !situation.selection
                   ? noRange(plan)
                   : refused(plan, noFrames(settings, situation, plan));
    const project::Skeleton skeleton = inference::outputSkeleton(plan.models);
    QString tracked = trackingWords(TrackerChoice::None, {});
    if (settings.tracking) {
        const auto options = resolvedTracker(settings, skeleton);
        if (!options)
            return refused(plan, QString::fromStdString(options.error().message()));
        tracked = trackingWords(trackerChoice(settings), *options);
    }

    plan.canRun = true;
    QStringList parts;
    parts << modelsTitle(plan.models);
    parts << tr("%1 of %2").arg(frameWords(settings.target, plan.frames, situation.fromZero), situation.video->name);
    parts << tracked;
    if (!situation.device.isEmpty())
        parts << tr("on %1").arg(situation.device);
    if (settings.inference.precision != inference::Precision::Exact)
        parts << (settings.inference.precision == inference::Precision::Half
                      ? tr("in half precision, which differs slightly")
                      : tr("in TF32, which differs slightly"));
    if (situation.knownRate > 0)
        parts << tr("about %1 as of the last run")
                     .arg(text::duration(std::max(1.0, static_cast<double>(plan.count) / situation.knownRate)));
    plan.summary = parts.join(QStringLiteral(", ")) + QLatin1Char('.');
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
    if (const QString problem = optionProblem(settings, plan); !problem.isEmpty())
        return refused(plan, problem);
    QString tracked = trackingWords(TrackerChoice::None, {});
    if (settings.tracking) {
        const auto options = resolvedTracker(settings, inference::outputSkeleton(plan.models));
        if (!options)
            return refused(plan, QString::fromStdString(options.error().message()));
        tracked = trackingWords(trackerChoice(settings), *options);
    }
    plan.canRun = true;
    QStringList parts{modelsTitle(plan.models), what};
    if (count > 0)
        parts << text::frames(count);
    parts << tracked;
    if (situation.knownRate > 0 && count > 0)
        parts << tr("about %1 as of the last run")
                     .arg(text::duration(std::max(1.0, static_cast<double>(count) / situation.knownRate)));
    plan.summary = parts.join(QStringLiteral(", ")) + QLatin1Char('.');
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
