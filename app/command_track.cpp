// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <memory>

#include "app/arguments.h"
#include "app/output_guard.h"
#include "app/run_progress.h"
#include "app/tracking_arguments.h"
#include "engine/formats/project_video.h"
#include "engine/formats/slp.h"
#include "engine/pipeline/save_results.h"
#include "engine/tracking/track_labels.h"

namespace skein::app {
namespace {

struct TrackArguments {
    std::string input, output;
    bool matchSleapNn = false;
    bool quiet = false;
    TrackingArguments tracker;
};

Result<int> track(const TrackArguments& a) {
    formats::LoadReport report;
    auto labels = formats::readSlp(a.input, &report);
    if (!labels)
        return fail(std::move(labels.error()));
    std::vector<std::filesystem::path> inputs{a.input};
    addFiles(inputs, labels->videos(), a.input);
    if (auto usable = guardOutputs({a.output}, inputs); !usable)
        return fail(std::move(usable.error()));
    if (auto named = checkLabelsName(a.output); !named)
        return fail(std::move(named.error()));
    for (const std::string& warning : report.warnings)
        printWarning(warning);
    auto options = a.tracker.resolve(tracking::factsOf(labels->skeletons()), a.matchSleapNn);
    if (!options)
        return fail(std::move(options.error()));
    const InterruptGuard interrupts;
    std::stop_source stop;
    tracking::FrameImages images;
    if (options->useFlow)
        images = formats::frameImages(*labels, a.input);
    auto outcome = tracking::trackLabels(
        *labels, *options,
        [&stop](std::int64_t, std::int64_t) {
            if (InterruptGuard::interrupted())
                stop.request_stop();
        },
        stop.get_token(), images);
    if (!outcome) {
        if (outcome.error().code() == ErrorCode::Cancelled) {
            std::fprintf(stderr, "skein: Interrupted; nothing was saved.\n");
            return kInterrupted;
        }
        return fail(std::move(outcome.error()));
    }
    if (auto saved = pipeline::saveResults(*labels, a.output); !saved)
        return fail(std::move(saved.error()));
    if (!a.quiet) {
        std::printf("Frames      %s\n", withThousands(outcome->frames).c_str());
        std::printf("Instances   %s\n", withThousands(static_cast<std::int64_t>(labels->instanceCount())).c_str());
        if (outcome->droppedInstances > 0)
            std::printf("Dropped     %s\n", withThousands(outcome->droppedInstances).c_str());
        std::printf("Tracks      %s\n", withThousands(outcome->tracks).c_str());
        std::printf("Saved       %s\n", a.output.c_str());
    }
    return kDone;
}

}  // namespace

void addTrackCommand(CLI::App& app, int& exitCode) {
    CLI::App* command = app.add_subcommand("track", "Track the instances of a labels file anew");
    auto arguments = std::make_shared<TrackArguments>();
    addOption(*command, "-i,--data_path", arguments->input, "Labels file")->required();
    addOption(*command, "-o,--output_path", arguments->output, "Labels file to write")->required();
    addFlag(*command, "--match_sleap_nn", arguments->matchSleapNn, "Reproduce sleap-nn's known defects");
    addFlag(*command, "--quiet", arguments->quiet, "No summary");
    arguments->tracker.addTo(*command);
    whenGiven(*command, exitCode, [arguments] { return track(*arguments); });
}

}  // namespace skein::app
