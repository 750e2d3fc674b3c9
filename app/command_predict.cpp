// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <vector>

#include "app/arguments.h"
#include "app/output_guard.h"
#include "app/predict_arguments.h"
#include "app/run_progress.h"
#include "app/save_results.h"
#include "engine/formats/predicted_centroids.h"
#include "engine/formats/slp.h"
#include "engine/inference/given_centroids.h"
#include "engine/inference/model_set.h"
#include "engine/pipeline/compose_labels.h"
#include "engine/pipeline/frame_list.h"
#include "engine/pipeline/prediction_input.h"
#include "engine/pipeline/run_report.h"
#include "engine/pipeline/versions.h"
#include "engine/tracking/track_labels.h"

namespace skein::app {
namespace {

using Clock = std::chrono::steady_clock;

/// When the program began, for a wall time that includes start-up.
const Clock::time_point kProgramStart = Clock::now();

std::string localTime() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
    return text.data();
}

void printSummary(const project::Labels& labels, const pipeline::JobProgress& progress, double wall,
                  const std::string& output) {
    const profile::Summary& profile = progress.profile;
    std::printf("Frames      %s\n", withThousands(static_cast<std::int64_t>(labels.frameCount())).c_str());
    std::printf("Instances   %s\n", withThousands(static_cast<std::int64_t>(labels.instanceCount())).c_str());
    std::printf("Tracks      %zu\n", labels.tracks().size());
    std::printf("Rate        %.1f frames/s (%.1f s in all, start-up included)\n",
                wall > 0 ? static_cast<double>(profile.frames) / wall : 0.0, wall);
    std::printf("Copies      %.3g device-to-host per batch (%s batches on %s)\n",
                profile.batches == 0
                    ? 0.0
                    : static_cast<double>(profile.deviceToHost.count) / static_cast<double>(profile.batches),
                withThousands(static_cast<std::int64_t>(profile.batches)).c_str(), progress.device.c_str());
    std::printf("Saved       %s\n", output.c_str());
}

void removeEmptyFrames(project::Labels& labels) {
    std::vector<std::size_t> empty;
    for (std::size_t row = 0; row < labels.frameCount(); ++row)
        if (labels.frame(row).instanceCount() == 0)
            empty.push_back(row);
    if (!empty.empty())
        labels.removeFrames(empty);
}

/// Instances of one node as predicted centroids, instead of the instances or beside them.
Result<void> toCentroids(project::Labels& labels, const pipeline::JobSpec& spec, bool keepInstances) {
    const auto definition = inference::centroidDefinition(spec.models, spec.inference.anchorPart);
    if (!definition)
        return fail(definition.error());
    std::vector<formats::PredictedCentroid> centroids;
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        project::FrameData frame = labels.frame(row).toData();
        for (const project::InstanceData& instance : frame.instances)
            centroids.push_back(
                {frame.video, frame.frameIndex, instance.points[0].x, instance.points[0].y, instance.header.score});
        if (!keepInstances && !frame.instances.empty()) {
            frame.instances.clear();
            labels.replaceFrame(row, std::move(frame));
        }
    }
    return formats::attachCentroids(labels, centroids, definition->tag());
}

Result<int> predict(PredictArguments& a) {
    auto inference = a.inferenceOptions();
    if (!inference)
        return fail(std::move(inference.error()));
    auto models = a.readModels();
    if (!models)
        return fail(std::move(models.error()));
    const auto centroids = a.centroidOutput(*models);
    if (!centroids)
        return fail(centroids.error());
    pipeline::JobSpec spec;
    spec.models = std::move(*models);
    spec.inference = std::move(*inference);
    spec.queueMaxsize = a.queueMaxsize;
    spec.groupThreads = std::max(1, a.hostThreads);
    const project::Skeleton skeleton = inference::outputSkeleton(spec.models);
    if (a.tracking) {
        tracking::TrackingFacts facts;
        facts.skeletonNodeCounts = {static_cast<int>(skeleton.nodes.size())};
        facts.maxInstances = a.maxInstances;
        auto options = a.tracker.resolve(facts, spec.inference.matchSleapNn);
        if (!options)
            return fail(std::move(options.error()));
        spec.tracking = *options;
    }
    auto request = a.inputRequest(spec.models);
    if (!request)
        return fail(std::move(request.error()));
    const std::string output = a.outputFile();
    auto input = pipeline::openPredictionInput(*request);
    if (!input)
        return fail(std::move(input.error()));
    std::vector<std::filesystem::path> inputs{a.data};
    addFiles(inputs, spec.models);
    addFiles(inputs, input->videos, a.data);
    if (auto usable = guardOutputs({output, a.profile}, inputs); !usable)
        return fail(std::move(usable.error()));
    for (const std::string& warning : input->warnings)
        printWarning(warning);
    spec.sources = std::move(input->sources);

    RunProgress show(a.quiet);
    const InterruptGuard interrupts;
    const std::string startedAt = localTime();
    auto job = pipeline::Job::start(spec);
    if (!job)
        return fail(std::move(job.error()));
    const pipeline::JobOutcome outcome = waitWithProgress(**job, show);
    const auto progress = (*job)->progress();
    std::vector<pipeline::FrameResult> results = (*job)->takeResults();
    for (const std::string& warning : progress->warnings)
        printWarning(warning);
    if (!progress->unreadable.empty()) {
        std::vector<std::int64_t> frames;
        for (const auto& [video, frame] : progress->unreadable)
            frames.push_back(frame);
        printWarning(std::to_string(frames.size()) + (frames.size() == 1 ? " frame" : " frames") +
                     " could not be read and got no prediction: " + pipeline::formatFrameList(frames) + ".");
    }
    if (results.empty()) {
        if (outcome.error)
            return fail(*outcome.error);
        if (outcome.state == pipeline::JobState::Cancelled) {
            std::fprintf(stderr, "skein: Interrupted before the first frame was done; nothing was saved.\n");
            return kInterrupted;
        }
        return fail(ErrorCode::Decode, "None of the chosen frames could be read; nothing was saved.");
    }

    pipeline::RunFacts facts;
    facts.startedAt = startedAt;
    facts.endedAt = localTime();
    facts.seconds = std::chrono::duration<double>(Clock::now() - kProgramStart).count();
    facts.sourceFile = a.data;
    facts.device = progress->device;
    facts.framesProcessed = static_cast<std::int64_t>(results.size());
    facts.state = outcome.state;
    const auto versions = pipeline::libraryVersions(true);
    for (const auto& [name, version] : versions)
        if (name == "libtorch")
            facts.torchVersion = version;
    const bool wholeVideo = spec.tracking && tracking::needsWholeVideo(*spec.tracking);
    // Frames without instances are time that passes: they go only after the last tracking.
    project::Labels labels = pipeline::composeLabels(std::move(input->videos), skeleton, std::move(results),
                                                     progress->trackNames, wholeVideo || !a.noEmptyFrames);
    if (wholeVideo) {
        show.showPhase("Tracking");
        if (auto tracked = tracking::finishTracking(labels, *spec.tracking); !tracked)
            return fail(std::move(tracked.error()));
        if (a.noEmptyFrames)
            removeEmptyFrames(labels);
    }
    labels.setProvenanceJson(pipeline::provenanceJson(spec, facts));
    if (*centroids != CentroidOutput::Instance)
        if (auto attached = toCentroids(labels, spec, *centroids == CentroidOutput::Both); !attached)
            return fail(std::move(attached.error()));
    show.showPhase("Saving");
    auto saved = saveResults(labels, output);
    show.finish();
    if (!saved)
        return fail(std::move(saved.error()));

    const double wall = std::chrono::duration<double>(Clock::now() - kProgramStart).count();
    if (!a.profile.empty())
        if (auto written = pipeline::writeProfile(a.profile, *progress, {wall, a.queueMaxsize, versions}); !written)
            return fail(std::move(written.error()));
    if (outcome.state != pipeline::JobState::Finished) {
        const std::string kept =
            withThousands(facts.framesProcessed) + " finished frames were saved to " + output + ".";
        if (outcome.error) {
            printError(*outcome.error);
            std::fprintf(stderr, "skein: The run stopped early; %s\n", kept.c_str());
            return kFailed;
        }
        std::fprintf(stderr, "skein: Interrupted; %s\n", kept.c_str());
        return kInterrupted;
    }
    if (!a.quiet)
        printSummary(labels, *progress, wall, output);
    return kDone;
}

}  // namespace

void addPredictCommand(CLI::App& app, int& exitCode) {
    CLI::App* command = app.add_subcommand("predict", "Find every instance in every frame, and follow them");
    auto arguments = std::make_shared<PredictArguments>();
    arguments->addTo(*command);
    whenGiven(*command, exitCode, [arguments] { return predict(*arguments); });
}

}  // namespace skein::app
