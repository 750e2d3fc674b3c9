// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/arguments.h"
#include "app/batch_arguments.h"
#include "app/batch_report.h"
#include "app/cluster_batch.h"
#include "app/run_progress.h"
#include "engine/batch/entry_list.h"
#include "engine/batch/queue.h"

namespace skein::app {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::milliseconds kPoll{200};

/// Whether nothing is left to be done of its videos, which can be read in part only and are as they were: computing
/// them once more would give the same.
bool isAsFarAsItGoes(const batch::Entry& entry) {
    struct stat saved {};
    if (entry.state != batch::EntryState::Partly || !entry.reachedEnd || ::stat(entry.output.c_str(), &saved) != 0)
        return false;
    const auto isSame = [&saved](const fs::path& video) {
        struct stat now {};
        // A folder of images, or a project, does not tell when one of its files changed.
        if (!batch::isVideoName(video))
            return false;
        // A copy may bring along when it was written, but not when it came.
        return ::stat(video.c_str(), &now) != 0 || std::pair(now.st_ctim.tv_sec, now.st_ctim.tv_nsec) <
                                                       std::pair(saved.st_mtim.tv_sec, saved.st_mtim.tv_nsec);
    };
    return isSame(entry.data) && std::all_of(entry.more.begin(), entry.more.end(), isSame);
}

/// What stays though it was made otherwise than is asked for now is told of, once for each way.
void warnOfOthers(const std::map<std::string, std::int64_t>& others) {
    for (const auto& [difference, count] : others)
        printWarning((count == 1 ? "1 result was" : withThousands(count) + " results were") + " made with " +
                     difference + (count == 1 ? " and stays as it is." : " and stay as they are.") +
                     " \"--existing overwrite\" without --resume makes all anew.");
}

/// Replaces what is queued by what is asked for; with --resume, what is done stays as it is.
void fill(batch::Queue& queue, std::vector<batch::Entry> wanted, bool resume) {
    const std::vector<batch::Entry> before = queue.snapshot().entries;
    std::map<std::string, std::int64_t> others;
    for (const batch::Entry& entry : before)
        queue.remove(entry.id);
    for (batch::Entry& entry : wanted) {
        const auto isItsOutput = [&](const batch::Entry& candidate) {
            return candidate.data == entry.data && candidate.output == entry.output;
        };
        const auto known = std::find_if(before.begin(), before.end(), [&](const batch::Entry& candidate) {
            return isItsOutput(candidate) && candidate.settings.models == entry.settings.models;
        });
        std::error_code ec;
        const auto there = std::find_if(before.begin(), before.end(), isItsOutput);
        if (resume && there != before.end() && (there == known || entry.existing == batch::ExistingOutput::Skip) &&
            (batch::isDone(there->state) || isAsFarAsItGoes(*there)) && fs::exists(there->output, ec))
            if (const std::string difference = batch::settingsDifference(there->settings, entry.settings);
                !difference.empty())
                ++others[difference];
        if (resume && known != before.end() && (batch::isDone(known->state) || isAsFarAsItGoes(*known)) &&
            fs::exists(known->output, ec)) {
            queue.add(*known);
            continue;
        }
        if (resume && known != before.end())
            entry.interrupted = known->interrupted;
        // What is a part is to be made whole.
        if (resume && known != before.end() && batch::ownsOutput(*known))
            entry.existing = batch::ExistingOutput::Overwrite;
        queue.add(std::move(entry));
    }
    warnOfOthers(others);
}

/// The number of the running entry, and how many there are.
std::string placeOf(const batch::QueueSnapshot& snapshot) {
    for (std::size_t i = 0; i < snapshot.entries.size(); ++i)
        if (snapshot.entries[i].id == snapshot.runningId)
            return "[" + std::to_string(i + 1) + " of " + std::to_string(snapshot.entries.size()) + "] " +
                   snapshot.entries[i].data.filename().string() + ": ";
    return {};
}

Result<int> runHere(const BatchArguments& a, std::vector<batch::Entry> entries) {
    auto queue = batch::Queue::open(fs::path(a.folder) / "skein-queue.json");
    if (!queue)
        return fail(std::move(queue.error()));
    fill(**queue, std::move(entries), a.resume);
    RunProgress show(a.quiet);
    const InterruptGuard interrupts;
    (*queue)->start();
    bool interrupted = false;
    while (!(*queue)->waitFor(kPoll)) {
        const batch::QueueSnapshot now = (*queue)->snapshot();
        if (now.running.job)
            show.show(*now.running.job, placeOf(now));
        if (InterruptGuard::interrupted()) {
            interrupted = true;
            (*queue)->stop();
            break;
        }
    }
    show.finish();
    const batch::QueueSnapshot end = (*queue)->snapshot();
    if (!end.problem.empty())
        printWarning(end.problem);
    a.asJson ? printJson(end.entries) : printTable(end.entries);
    if (interrupted) {
        std::fprintf(stderr, "skein: Interrupted; the same command with --resume goes on.\n");
        return kInterrupted;
    }
    return allDone(end.entries) ? kDone : kFailed;
}

Result<int> batchCommand(const BatchArguments& a) {
    if (a.slurmTask >= 0)
        return runClusterTask(a);
    if (a.folder.empty())
        return fail(ErrorCode::InvalidArgument, "Choose a folder for the results with --output_folder.");
    auto entries = a.entries();
    if (!entries)
        return fail(std::move(entries.error()));
    std::error_code ec;
    const bool isNew = fs::create_directories(a.folder, ec);
    if (!fs::is_directory(a.folder, ec))
        return fail(ErrorCode::Io, "The folder " + a.folder + " for the results cannot be made" +
                                       (ec ? " (" + ec.message() + ")." : "; a file has that name."));
    auto outcome = a.slurm ? runOnCluster(a, std::move(*entries)) : runHere(a, std::move(*entries));
    // Goes where nothing came of it, and with anything in it stays.
    if (!outcome && isNew)
        fs::remove(a.folder, ec);
    return outcome;
}

}  // namespace

void addBatchCommand(CLI::App& app, int& exitCode) {
    CLI::App* command = app.add_subcommand("batch", "Predict many videos, one after another or on a cluster");
    auto arguments = std::make_shared<BatchArguments>();
    arguments->addTo(*command);
    whenGiven(*command, exitCode, [arguments] { return batchCommand(*arguments); });
}

}  // namespace skein::app
