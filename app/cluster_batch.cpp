// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cluster_batch.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <system_error>
#include <thread>
#include <utility>

#include "app/arguments.h"
#include "app/batch_report.h"
#include "app/run_progress.h"
#include "engine/batch/cluster_run.h"

namespace skein::app {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::seconds kPoll{2};
/// Between two looks at whether the person wants to stop.
constexpr std::chrono::milliseconds kStep{100};

Result<batch::ClusterRun> prepare(const BatchArguments& a, std::vector<batch::Entry> entries) {
    const fs::path folder = fs::path(a.folder) / "cluster";
    std::error_code ec;
    if (a.resume && fs::exists(folder / "plan.json", ec))
        return batch::ClusterRun::reopen(folder);
    auto preset = batch::readSlurmPreset(a.preset);
    if (!preset)
        return fail(std::move(preset.error()));
    // What cannot be sent is told before the videos are opened, which may take a while.
    if (auto there = batch::findSlurm(); !there)
        return fail(std::move(there.error()));
    const fs::path program = fs::read_symlink("/proc/self/exe", ec);
    return batch::ClusterRun::prepare(folder, std::move(entries), a.shards, *preset, program);
}

/// "Job 12: 3 of 8 tasks done, 2 running, 3 waiting (Priority), 1,200 of 4,000 frames"
std::string progressLine(const batch::ClusterRun& run) {
    std::map<std::string, int> counts;
    std::string why;
    std::int64_t done = 0, total = 0;
    for (const batch::ClusterTask& task : run.tasks()) {
        ++counts[task.state];
        done += task.framesDone;
        total += task.shard.end - task.shard.first;
        if (task.state == "waiting" && why.empty())
            why = task.reason;
    }
    std::string line = "Job " + run.job() + ": " + std::to_string(counts["done"]) + " of " +
                       std::to_string(run.tasks().size()) + " tasks done";
    for (const char* state : {"running", "waiting", "failed"})
        if (counts[state] > 0)
            line += ", " + std::to_string(counts[state]) + " " + state;
    if (counts["waiting"] > 0 && !why.empty())
        line += " (" + why + ")";
    return line + ", " + withThousands(done) + " of " + withThousands(total) + " frames";
}

int report(const BatchArguments& a, const batch::ClusterRun& run) {
    a.asJson ? printJson(run.entries()) : printTable(run.entries());
    return allDone(run.entries()) ? kDone : kFailed;
}

}  // namespace

Result<int> runOnCluster(const BatchArguments& a, std::vector<batch::Entry> entries) {
    auto run = prepare(a, std::move(entries));
    if (!run)
        return fail(std::move(run.error()));
    if (auto submitted = run->submit(); !submitted) {
        run->discard();
        return fail(std::move(submitted.error()));
    }
    RunProgress show(a.quiet);
    if (a.noWait && !run->isOver()) {
        std::fprintf(stderr, "skein: Submitted as job %s; the same command with --resume follows and gathers.\n",
                     run->job().c_str());
        return kDone;
    }
    const InterruptGuard interrupts;
    const auto observe = observeWith(show);
    while (!run->isOver()) {
        if (auto looked = run->poll(); !looked)
            // A controller that is restarted does not answer for a while; the tasks go on meanwhile.
            show.showLine(looked.error().message());
        else
            show.showLine(progressLine(*run));
        run->gather({}, observe);
        for (auto rest = std::chrono::milliseconds(kPoll); rest.count() > 0 && !run->isOver(); rest -= kStep) {
            if (InterruptGuard::interrupted()) {
                show.finish();
                std::fprintf(stderr,
                             "skein: No longer following job %s, which goes on; the same command with --resume follows "
                             "it again, and \"scancel %s\" ends it.\n",
                             run->job().c_str(), run->job().c_str());
                return kInterrupted;
            }
            std::this_thread::sleep_for(kStep);
        }
    }
    show.finish();
    return report(a, *run);
}

Result<int> runClusterTask(const BatchArguments& a) {
    RunProgress show(false);
    const InterruptGuard interrupts;
    auto outcome = batch::runClusterTask(a.input, static_cast<std::size_t>(a.slurmTask), {}, observeWith(show));
    show.finish();
    if (!outcome)
        return fail(std::move(outcome.error()));
    for (const std::string& note : outcome->notes)
        printWarning(note);
    if (outcome->error)
        printError(*outcome->error);
    if (outcome->state == pipeline::JobState::Cancelled)
        return kInterrupted;
    return outcome->state == pipeline::JobState::Finished ? kDone : kFailed;
}

}  // namespace skein::app
