// SPDX-License-Identifier: GPL-3.0-or-later
#include <chrono>
#include <cstdio>
#include <memory>
#include <vector>

#include "app/arguments.h"
#include "app/output_guard.h"
#include "app/predict_arguments.h"
#include "app/run_progress.h"
#include "engine/pipeline/checkpoint.h"
#include "engine/pipeline/prediction_run.h"
#include "engine/pipeline/run_report.h"
#include "engine/pipeline/versions.h"

namespace skein::app {
namespace {

using Clock = std::chrono::steady_clock;

/// When the program began, for a wall time that includes start-up.
const Clock::time_point kProgramStart = Clock::now();

void printSummary(const pipeline::PredictionOutcome& outcome, std::int64_t missing, double wall,
                  const std::string& output) {
    const profile::Summary& profile = outcome.progress->profile;
    std::printf("Frames      %s\n", withThousands(outcome.frames).c_str());
    if (missing > 0)
        std::printf("Missing     %s frames beyond the end of a file that was cut short\n",
                    withThousands(missing).c_str());
    if (outcome.progress->framesResumed > 0)
        std::printf("Resumed     after %s frames\n", withThousands(outcome.progress->framesResumed).c_str());
    std::printf("Instances   %s\n", withThousands(outcome.instances).c_str());
    std::printf("Tracks      %s\n", withThousands(outcome.tracks).c_str());
    std::printf("Rate        %s frames/s (%.1f s in all, start-up included)\n",
                asRate(wall > 0 ? static_cast<double>(profile.frames) / wall : 0.0).c_str(), wall);
    if (profile.batches > 0)
        std::printf("Copies      %.3g device-to-host per batch (%s batches on %s)\n",
                    static_cast<double>(profile.deviceToHost.count) / static_cast<double>(profile.batches),
                    withThousands(static_cast<std::int64_t>(profile.batches)).c_str(),
                    outcome.progress->device.c_str());
    if (!outcome.progress->decoder.empty())
        std::printf("Decoder     %s\n", outcome.progress->decoder.c_str());
    std::printf("Saved       %s\n", output.c_str());
}

Result<int> predict(PredictArguments& a) {
    auto request = a.request();
    if (!request)
        return fail(std::move(request.error()));
    auto input = a.inputRequest(request->models);
    if (!input)
        return fail(std::move(input.error()));
    const std::string output = a.outputFile();
    request->input = std::move(*input);
    request->output = output;
    request->resume = a.resume;
    constexpr std::size_t kTraceEvents = 2'000'000;
    request->traceEvents = a.trace.empty() ? 0 : kTraceEvents;
    std::vector<std::filesystem::path> inputs{a.data};
    addFiles(inputs, request->models);
    auto run = pipeline::PredictionRun::open(std::move(*request));
    if (!run)
        return fail(std::move(run.error()));
    addFiles(inputs, (*run)->videos(), a.data);
    if (auto usable = guardOutputs({output, pipeline::checkpointPath(output), a.profile, a.trace}, inputs); !usable)
        return fail(std::move(usable.error()));
    if (auto named = checkLabelsName(output); !named)
        return fail(std::move(named.error()));
    for (const std::string& warning : (*run)->inputWarnings())
        printWarning(warning);

    RunProgress show(a.quiet);
    const InterruptGuard interrupts;
    auto outcome = (*run)->execute(observeWith(show));
    show.finish();
    if (!outcome) {
        if (outcome.error().code() != ErrorCode::Cancelled)
            return fail(std::move(outcome.error()));
        printError(outcome.error());
        return kInterrupted;
    }
    for (const std::string& note : outcome->notes)
        printWarning(note);

    const double wall = std::chrono::duration<double>(Clock::now() - kProgramStart).count();
    if (!a.profile.empty()) {
        const pipeline::RunReport report{wall, a.queueMaxsize, pipeline::libraryVersions(true)};
        if (auto written = pipeline::writeProfile(a.profile, *outcome->progress, report); !written)
            return fail(std::move(written.error()));
    }
    if (!a.trace.empty())
        if (auto written = pipeline::writeTrace(a.trace, outcome->trace); !written)
            return fail(std::move(written.error()));
    if (outcome->state != pipeline::JobState::Finished) {
        const std::string kept = withThousands(outcome->progress->framesDone) + " finished frames were saved to " +
                                 output + ". The same command with --resume goes on.";
        if (outcome->error) {
            printError(*outcome->error);
            std::fprintf(stderr, "skein: The run stopped early; %s\n", kept.c_str());
            return kFailed;
        }
        std::fprintf(stderr, "skein: Interrupted; %s\n", kept.c_str());
        return kInterrupted;
    }
    if (!a.quiet)
        printSummary(*outcome, (*run)->framesMissing(), wall, output);
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
