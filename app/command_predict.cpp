// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>

#include "app/arguments.h"
#include "app/run_progress.h"
#include "app/tracking_arguments.h"
#include "engine/formats/slp.h"
#include "engine/models/model_folder.h"
#include "engine/pipeline/compose_labels.h"
#include "engine/pipeline/frame_list.h"
#include "engine/pipeline/prediction_input.h"
#include "engine/pipeline/run_report.h"
#include "engine/pipeline/versions.h"

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

struct PredictArguments {
    std::string data, output, profile, frames;
    std::vector<std::string> models;
    inference::InferenceOptions inference;
    std::string refinement = "integral";
    std::optional<int> maxInstances;
    int queueMaxsize = 16;
    bool tracking = false;
    bool noEmptyFrames = false;
    bool quiet = false;
    TrackingArguments tracker;
};

void addOptions(CLI::App& command, PredictArguments& a) {
    inference::InferenceOptions& o = a.inference;
    addOption(command, "-i,--data_path,--video", a.data, "Video, image folder or .slp to predict on")->required();
    addOption(command, "-m,--model_paths,--model", a.models,
              "Model folder, its checkpoint or its configuration; may be repeated")
        ->required()
        ->allow_extra_args(false);
    addOption(command, "-o,--output_path", a.output, "Labels file to write [DATA.predictions.slp]");
    addOption(command, "-d,--device", o.device, "auto (default), cpu, cuda or cuda:N");
    addOption(command, "-b,--batch_size", o.batchSize, "Frames per batch [4]");
    addOption(command, "--queue_maxsize", a.queueMaxsize, "Decoded frames that may wait [16]");
    addOption(command, "--frames", a.frames, "Frames to predict, e.g. 0-99,150 [all]");
    addOption(command, "--peak_threshold", o.peakThreshold, "Smallest confidence of a peak [0.2]");
    addOption(command, "--input_scale", o.inputScale, "Input scale [as trained]");
    addOption(command, "--max_height", o.maxHeight, "Height frames are brought to [as trained]");
    addOption(command, "--max_width", o.maxWidth, "Width frames are brought to [as trained]");
    addOption(command, "--integral_refinement", a.refinement, "integral (default) or none");
    addOption(command, "--integral_patch_size", o.integralPatchSize, "Patch of the refinement in map pixels [5]");
    addOption(command, "--max_instances", a.maxInstances, "Most instances per frame [no limit]");
    addOption(command, "--max_edge_length_ratio", o.maxEdgeLengthRatio,
              "Longest edge before it is penalised, as a share of the picture [0.25]");
    addOption(command, "--dist_penalty_weight", o.distPenaltyWeight, "Weight of that penalty [1.0]");
    addOption(command, "--n_points", o.nPoints, "Samples along a candidate edge [10]");
    addOption(command, "--min_instance_peaks", o.minInstancePeaks,
              "Fewest nodes of an instance: a count from 1 on, a share of the nodes below 1 [0]");
    addOption(command, "--min_line_scores", o.minLineScores, "Smallest score of an edge [0.25]");
    addFlag(command, "-t,--tracking", a.tracking, "Follow instances through time");
    addFlag(command, "--no_empty_frames", a.noEmptyFrames, "Leave out frames in which nothing was found");
    addFlag(command, "--match_sleap_nn", o.matchSleapNn, "Reproduce sleap-nn's known defects, for comparisons");
    addOption(command, "--profile", a.profile, "Write what the run cost to this JSON file");
    addFlag(command, "--quiet", a.quiet, "No progress and no summary");
    a.tracker.addTo(command);
}

Result<void> check(const PredictArguments& a) {
    const inference::InferenceOptions& o = a.inference;
    if (o.batchSize < 1 || a.queueMaxsize < 1 || o.nPoints < 1 || o.integralPatchSize < 1)
        return fail(ErrorCode::InvalidArgument,
                    "--batch_size, --queue_maxsize, --n_points and --integral_patch_size must be at least 1.");
    if (o.inputScale && !(*o.inputScale > 0 && *o.inputScale <= 16))
        return fail(ErrorCode::InvalidArgument, "--input_scale must be larger than 0 and at most 16.");
    if ((o.maxHeight && *o.maxHeight < 1) || (o.maxWidth && *o.maxWidth < 1))
        return fail(ErrorCode::InvalidArgument, "--max_height and --max_width must be at least 1.");
    if (a.maxInstances && *a.maxInstances < 0)
        return fail(ErrorCode::InvalidArgument, "--max_instances must not be negative; 0 means no limit.");
    return {};
}

/// A default name beside the data, so that the shortest command line works too.
std::string outputFor(const PredictArguments& a) {
    return a.output.empty() ? a.data + ".predictions.slp" : a.output;
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

Result<int> predict(PredictArguments& a) {
    if (auto ok = check(a); !ok)
        return fail(std::move(ok.error()));
    pipeline::JobSpec spec;
    for (const std::string& path : a.models) {
        auto model = models::readModelSpec(path);
        if (!model)
            return fail(std::move(model.error()));
        spec.models.push_back(std::move(*model));
    }
    a.inference.integralRefinement = a.refinement == "integral";
    a.inference.maxInstances = a.maxInstances.value_or(0);
    spec.inference = a.inference;
    spec.queueMaxsize = a.queueMaxsize;
    const project::Skeleton skeleton = spec.models.back().skeleton;
    if (a.tracking) {
        tracking::TrackingFacts facts;
        facts.skeletonNodeCounts = {static_cast<int>(skeleton.nodes.size())};
        facts.maxInstances = a.maxInstances;
        auto options = a.tracker.resolve(facts, a.inference.matchSleapNn);
        if (!options)
            return fail(std::move(options.error()));
        spec.tracking = *options;
    }
    const std::string output = outputFor(a);
    if (auto usable = pipeline::checkOutput(output, a.data); !usable)
        return fail(std::move(usable.error()));
    auto input = pipeline::openPredictionInput(a.data, a.frames);
    if (!input)
        return fail(std::move(input.error()));
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
    project::Labels labels = pipeline::composeLabels(std::move(input->videos), skeleton, std::move(results),
                                                     progress->trackNames, !a.noEmptyFrames);
    labels.setProvenanceJson(pipeline::provenanceJson(spec, facts));
    show.showPhase("Saving");
    auto saved = formats::writeSlp(labels, output);
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
    addOptions(*command, *arguments);
    command->callback([arguments, &exitCode] {
        auto result = predict(*arguments);
        if (result) {
            exitCode = *result;
            return;
        }
        printError(result.error());
        exitCode = result.error().code() == ErrorCode::InvalidArgument ? kWrongUsage : kFailed;
    });
}

}  // namespace skein::app
