// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <memory>

#include "app/arguments.h"
#include "app/output_guard.h"
#include "app/run_progress.h"
#include "engine/formats/slp.h"
#include "engine/pipeline/save_results.h"
#include "engine/proofread/repair.h"

namespace skein::app {
namespace {

struct FixArguments {
    std::string input, output;
    std::string joins = "none";
    double swaps = -1, flips = -1, duplicates = -1;
    std::int64_t gaps = 0;
    int animals = 0;
    std::int64_t joinFrames = 300;
    bool quiet = false, verbose = false;
};

std::optional<double> chosen(double severity) {
    return severity < 0 ? std::nullopt : std::optional(severity);
}

void printCount(const char* what, std::size_t before, std::size_t after) {
    std::printf("%-12s%s, before %s\n", what, withThousands(static_cast<std::int64_t>(after)).c_str(),
                withThousands(static_cast<std::int64_t>(before)).c_str());
}

void print(const FixArguments& a, const proofread::RepairReport& report) {
    const auto line = [](const char* what, std::size_t count) {
        std::printf("%-12s%s\n", what, withThousands(static_cast<std::int64_t>(count)).c_str());
    };
    if (a.verbose)
        for (const std::string& sentence : report.done)
            std::printf("%s\n", sentence.c_str());
    if (a.verbose && !report.done.empty())
        std::printf("Frames count from 0.\n");
    if (a.swaps >= 0)
        line("Swaps", report.swaps);
    if (a.flips >= 0)
        line("Flips", report.flips);
    if (a.duplicates >= 0)
        line("Duplicates", report.duplicates);
    if (a.joins != "none")
        line("Joins", report.joins);
    if (a.gaps > 0) {
        line("Adopted", report.adopted);
        line("Filled", report.filledInstances);
        std::printf("%-12s%s nodes of poses that were there\n", "Placed",
                    withThousands(static_cast<std::int64_t>(report.filledNodes)).c_str());
    }
    printCount("Tracks", report.before.tracks, report.after.tracks);
    printCount("Fragments", report.before.fragments, report.after.fragments);
    printCount("Longest", static_cast<std::size_t>(report.before.longest),
               static_cast<std::size_t>(report.after.longest));
    std::printf("%-12s%s\n", "Saved", a.output.c_str());
}

Result<int> fix(const FixArguments& a) {
    if (a.joins == "none" && a.swaps < 0 && a.flips < 0 && a.duplicates < 0 && a.gaps == 0)
        return fail(ErrorCode::InvalidArgument,
                    "Nothing is to be fixed; choose some of --joins, --swaps, --flips, --duplicates and --gaps.");
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
    proofread::RepairOptions options;
    options.swaps = chosen(a.swaps);
    options.flips = chosen(a.flips);
    options.duplicates = chosen(a.duplicates);
    options.joins = a.joins == "safe"  ? proofread::JoinChoice::Safe
                    : a.joins == "all" ? proofread::JoinChoice::All
                                       : proofread::JoinChoice::None;
    options.joining.longestGap = a.joinFrames;
    if (a.animals > 0)
        options.issues.animals = options.joining.animals = a.animals;
    if (a.gaps > 0)
        options.gaps = proofread::GapOptions{a.gaps, std::min<std::int64_t>(a.gaps, 3)};
    const InterruptGuard interrupts;
    std::stop_source stop;
    auto repaired = proofread::repair(
        *labels, options,
        [&stop](double) {
            if (InterruptGuard::interrupted())
                stop.request_stop();
        },
        stop.get_token());
    if (!repaired) {
        if (repaired.error().code() == ErrorCode::Cancelled) {
            std::fprintf(stderr, "skein: Interrupted; nothing was saved.\n");
            return kInterrupted;
        }
        return fail(std::move(repaired.error()));
    }
    if (auto saved = pipeline::saveResults(repaired->labels, a.output); !saved)
        return fail(std::move(saved.error()));
    if (!a.quiet)
        print(a, repaired->report);
    return kDone;
}

}  // namespace

void addFixCommand(CLI::App& app, int& exitCode) {
    CLI::App* command = app.add_subcommand("fix", "Repair the tracks of a labels file where the case is clear");
    auto arguments = std::make_shared<FixArguments>();
    command->add_option("file,-i,--data_path,--data-path", arguments->input, "Labels file")->required();
    addOption(*command, "-o,--output_path", arguments->output, "Labels file to write")->required();
    addOption(*command, "--joins", arguments->joins,
              "Join tracks that broke off: safe (no other choice comes near), all, or none [none]")
        ->check(CLI::IsMember({"safe", "all", "none"}));
    addOption(*command, "--join_frames", arguments->joinFrames, "Longest absence that a join bridges [300]")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
    const CLI::Range share(0.0, 1.0);
    addOption(*command, "--swaps", arguments->swaps, "Exchange tracks at swaps that are at least this sure, 0 to 1")
        ->check(share);
    addOption(*command, "--flips", arguments->flips, "Exchange left and right where that is at least this sure, 0 to 1")
        ->check(share);
    addOption(*command, "--duplicates", arguments->duplicates, "Delete duplicates that are at least this sure, 0 to 1")
        ->check(share);
    addOption(
        *command, "--gaps", arguments->gaps,
        "Fill gaps of at most this many frames, and place nodes that poses lack for at most 3 frames; 0: none [0]")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000}));
    addOption(*command, "--animals", arguments->animals, "Animals that there are; 0: not known [0]")
        ->check(CLI::Range(0, 10'000));
    addFlag(*command, "--quiet", arguments->quiet, "No summary");
    addFlag(*command, "--verbose", arguments->verbose, "Say what was done and why");
    whenGiven(*command, exitCode, [arguments] { return fix(*arguments); });
}

}  // namespace skein::app
