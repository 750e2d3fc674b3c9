// SPDX-License-Identifier: BSD-3-Clause
#include "engine/batch/cluster_run.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "engine/base/atomic_file.h"
#include "engine/batch/entry_run.h"
#include "engine/batch/queue_file.h"
#include "engine/pipeline/checkpoint.h"

namespace skein::batch {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "skein-cluster";
constexpr const char* kWaiting = "waiting";
constexpr const char* kRunning = "running";
constexpr const char* kDone = "done";
constexpr const char* kFailed = "failed";

fs::path entriesFile(const fs::path& folder) {
    return folder / "entries.json";
}
fs::path planFile(const fs::path& folder) {
    return folder / "plan.json";
}
/// Where a task says in a sentence why it failed.
fs::path reasonFile(const pipeline::Shard& shard) {
    return shard.file.string() + ".failed";
}

std::string textOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text;
}

Result<void> writeText(const fs::path& file, const std::string& text) {
    return writeAtomically(file, [&](const fs::path& temporary) -> Result<void> {
        std::ofstream out(temporary, std::ios::binary);
        out << text;
        out.close();
        if (!out)
            return fail(ErrorCode::Io, "It could not be written; is the disk full?");
        return {};
    });
}

std::int64_t framesOf(const pipeline::Shard& shard) {
    return shard.end - shard.first;
}

}  // namespace

Result<ClusterRun> ClusterRun::prepare(const fs::path& folder, std::vector<Entry> entries, int shardsPerEntry,
                                       const SlurmPreset& preset, const fs::path& program, const QueueParts& parts) {
    std::error_code ec;
    ClusterRun run;
    run.m_folder = fs::absolute(folder, ec);
    run.m_entries = std::move(entries);
    run.m_mostAtOnce = preset.mostAtOnce;
    // What cannot be sent is told before the videos are opened, which may take a while.
    auto text = scriptFor(run.m_folder, preset, program);
    if (!text)
        return fail(std::move(text.error()));
    for (fs::path made = run.m_folder; !fs::exists(made, ec) && made.has_relative_path(); made = made.parent_path())
        run.m_made.push_back(made);
    // What is there belongs to another plan.
    fs::remove_all(run.m_folder / "shards", ec);
    for (const char* name : {"shards", "logs"})
        if (fs::create_directories(run.m_folder / name, ec); ec)
            return fail(ErrorCode::Io,
                        "The folder " + run.m_folder.string() + " cannot be made: " + ec.message() + ".");
    for (std::size_t i = 0; i < run.m_entries.size(); ++i) {
        Entry& entry = run.m_entries[i];
        entry.id = static_cast<std::int64_t>(i) + 1;
        if (batch::isOver(entry.state) || settleExisting(entry))
            continue;
        auto opened = openRun(entry, parts);
        if (!opened) {
            entry.state = EntryState::Failed;
            entry.reason = opened.error().describe();
            continue;
        }
        entry.framesTotal = (*opened)->framesTotal();
        run.plan(i, entry.framesTotal, shardsPerEntry);
    }
    if (auto written = writeText(run.m_folder / "job.sh", *text); !written)
        return fail(std::move(written.error()));
    if (auto written = run.write(); !written)
        return fail(std::move(written.error()));
    return run;
}

Result<std::string> ClusterRun::scriptFor(const fs::path& folder, const SlurmPreset& preset, const fs::path& program) {
    SlurmScript script;
    script.name = "skein";
    script.log = folder / "logs" / "task-%a.log";
    script.command = {program.string(), "batch", folder.string(), "--slurm_task"};
    script.preset = preset;
    return scriptText(script);
}

void ClusterRun::plan(std::size_t entry, std::int64_t frames, int shards) {
    // Cut at ends of batches: each batch then holds the same frames as in a run that is not cut.
    // With a batch size by measurement they hold what they hold; results do not depend on it.
    const std::int64_t batch = std::max(1, m_entries[entry].settings.inference.batchSize);
    const std::int64_t each = (frames + shards - 1) / shards;
    const std::int64_t step = std::max<std::int64_t>(1, (each + batch - 1) / batch) * batch;
    for (std::int64_t first = 0; first < frames; first += step) {
        ClusterTask task;
        task.entry = entry;
        task.shard = {m_folder / "shards" / ("task-" + std::to_string(m_tasks.size()) + ".frames"), first,
                      std::min(first + step, frames)};
        task.state = kWaiting;
        m_tasks.push_back(std::move(task));
    }
}

Result<void> ClusterRun::write() const {
    if (auto written = writeQueue(entriesFile(m_folder), m_entries); !written)
        return written;
    Json json{{"format", kFormat}, {"version", 1}, {"job", m_job}, {"most_at_once", m_mostAtOnce}};
    Json& tasks = json["tasks"] = Json::array();
    for (const ClusterTask& task : m_tasks)
        tasks.push_back({{"entry", task.entry},
                         {"first", task.shard.first},
                         {"end", task.shard.end},
                         {"file", task.shard.file.filename().string()}});
    return writeText(planFile(m_folder), json.dump(1) + "\n");
}

Result<ClusterRun> ClusterRun::reopen(const fs::path& folder) {
    std::error_code ec;
    ClusterRun run;
    run.m_folder = fs::absolute(folder, ec);
    auto entries = readQueue(entriesFile(run.m_folder));
    if (!entries)
        return fail(std::move(entries.error()));
    run.m_entries = std::move(*entries);
    const fs::path file = planFile(run.m_folder);
    std::ifstream in(file, std::ios::binary);
    const Json json = Json::parse(in, nullptr, false);
    try {
        if (json.at("format") != kFormat || json.at("version") != 1)
            return fail(ErrorCode::Format, file.string() + " was written by another version of Skein.");
        run.m_job = json.at("job").get<std::string>();
        run.m_mostAtOnce = json.at("most_at_once").get<int>();
        for (const Json& item : json.at("tasks")) {
            ClusterTask task;
            task.entry = item.at("entry").get<std::size_t>();
            task.shard = {run.m_folder / "shards" / fs::path(item.at("file").get<std::string>()).filename(),
                          item.at("first").get<std::int64_t>(), item.at("end").get<std::int64_t>()};
            task.state = kWaiting;
            if (task.entry >= run.m_entries.size() || task.shard.first < 0 || framesOf(task.shard) <= 0)
                return fail(ErrorCode::Format, file.string() + " is damaged.");
            run.m_tasks.push_back(std::move(task));
        }
    } catch (const nlohmann::json::exception&) {
        return fail(ErrorCode::Format, file.string() + " cannot be read as the plan of a cluster run.");
    }
    return run;
}

Result<void> ClusterRun::submit() {
    if (!m_job.empty())
        if (auto looked = poll(); !looked)
            return looked;
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < m_tasks.size(); ++i) {
        ClusterTask& task = m_tasks[i];
        const bool isWith = !m_job.empty() && (task.state == kRunning || task.state == kWaiting);
        if (isWith || task.state == kDone || batch::isOver(m_entries[task.entry].state))
            continue;
        std::error_code ec;
        fs::remove(reasonFile(task.shard), ec);
        task.state = kWaiting;
        task.reason.clear();
        open.push_back(i);
    }
    if (open.empty())
        return {};
    auto job = submitArray(m_folder / "job.sh", open, m_mostAtOnce);
    if (!job)
        return fail(std::move(job.error()));
    m_job = std::move(*job);
    return write();
}

void ClusterRun::discard() {
    if (!m_job.empty() || m_made.empty())
        return;
    std::error_code ec;
    fs::remove_all(m_made.front(), ec);
    // Those above may hold something else by now.
    for (const fs::path& folder : m_made)
        fs::remove(folder, ec);
    m_made.clear();
}

Result<void> ClusterRun::poll() {
    auto live = liveTasks(m_job);
    if (!live)
        return fail(std::move(live.error()));
    for (std::size_t i = 0; i < m_tasks.size(); ++i) {
        ClusterTask& task = m_tasks[i];
        if (task.state == kDone || batch::isOver(m_entries[task.entry].state))
            continue;
        task.framesDone = pipeline::checkpointProgress(task.shard.file).value_or(0);
        // The file is the truth: it says so only when the last frame is in it.
        if (task.framesDone == framesOf(task.shard)) {
            task.state = kDone;
            task.reason.clear();
        } else if (const auto found = live->find(i); found != live->end()) {
            task.state = found->second.state == "PENDING" ? kWaiting : kRunning;
            task.reason = task.state == kWaiting ? waitingReason(found->second.reason) : std::string();
        } else if (task.state != kFailed) {
            const std::string said = textOf(reasonFile(task.shard));
            task.state = kFailed;
            task.reason = said.empty() ? describe(endedTask(m_job, i)) : said;
        }
    }
    for (std::size_t e = 0; e < m_entries.size(); ++e) {
        if (batch::isOver(m_entries[e].state))
            continue;
        m_entries[e].framesDone = 0;
        m_entries[e].state = EntryState::Waiting;
        for (const ClusterTask& task : m_tasks) {
            if (task.entry != e)
                continue;
            m_entries[e].framesDone += task.framesDone;
            if (task.state != kWaiting)
                m_entries[e].state = EntryState::Running;
        }
    }
    return {};
}

void ClusterRun::gather(const QueueParts& parts, const pipeline::RunObserver& observe) {
    bool changed = false;
    for (std::size_t e = 0; e < m_entries.size(); ++e) {
        Entry& entry = m_entries[e];
        if (batch::isOver(entry.state))
            continue;
        bool isDone = true, isLive = false;
        std::string reason;
        for (const ClusterTask& task : m_tasks) {
            if (task.entry != e)
                continue;
            isDone = isDone && task.state == kDone;
            isLive = isLive || task.state == kWaiting || task.state == kRunning;
            if (task.state == kFailed && reason.empty())
                reason = "Frames " + std::to_string(task.shard.first) + " to " + std::to_string(task.shard.end - 1) +
                         " are missing: " + task.reason;
        }
        if (isDone) {
            gatherEntry(e, parts, observe);
            changed = true;
        } else if (!isLive) {
            entry.state = EntryState::Failed;
            entry.reason = reason;
            changed = true;
        }
    }
    if (changed)
        (void)write();
}

void ClusterRun::gatherEntry(std::size_t index, const QueueParts& parts, const pipeline::RunObserver& observe) {
    Entry& entry = m_entries[index];
    std::vector<pipeline::Shard> shards;
    for (const ClusterTask& task : m_tasks)
        if (task.entry == index)
            shards.push_back(task.shard);
    std::unique_ptr<pipeline::PredictionRun> opened;
    const auto work = [&]() -> Result<pipeline::PredictionOutcome> {
        auto run = openRun(entry, parts);
        if (!run)
            return fail(std::move(run.error()));
        entry.notes = (*run)->inputWarnings();
        if (auto taken = (*run)->takeShards(shards); !taken)
            return fail(std::move(taken.error()));
        opened = std::move(*run);
        return opened->execute(observe);
    };
    judge(entry, work());
    if (opened)
        judgeInput(entry, *opened);
    if (entry.state != EntryState::Done && entry.state != EntryState::Partly)
        return;
    std::error_code ec;
    for (const pipeline::Shard& shard : shards)
        fs::remove(shard.file, ec);
}

Result<void> ClusterRun::cancel() {
    return m_job.empty() ? Result<void>() : cancelArray(m_job);
}

bool ClusterRun::isOver() const {
    return std::all_of(m_entries.begin(), m_entries.end(),
                       [](const Entry& entry) { return batch::isOver(entry.state); });
}

Result<pipeline::PredictionOutcome> runClusterTask(const fs::path& folder, std::size_t number, const QueueParts& parts,
                                                   const pipeline::RunObserver& observe) {
    auto plan = ClusterRun::reopen(folder);
    if (!plan)
        return fail(std::move(plan.error()));
    if (number >= plan->tasks().size())
        return fail(ErrorCode::InvalidArgument,
                    "The plan in " + folder.string() + " has no task " + std::to_string(number) + ".");
    const ClusterTask& task = plan->tasks()[number];
    std::error_code ec;
    fs::remove(reasonFile(task.shard), ec);
    auto run = openRun(plan->entries()[task.entry], parts);
    Result<pipeline::PredictionOutcome> outcome =
        run ? (*run)->executeShard(task.shard, observe) : Result<pipeline::PredictionOutcome>(fail(run.error()));
    std::string problem;
    if (!outcome)
        problem = outcome.error().describe();
    else if (outcome->state == pipeline::JobState::Failed)
        problem = outcome->error ? outcome->error->describe() : "The run stopped early.";
    if (!problem.empty())
        (void)writeText(reasonFile(task.shard), problem + "\n");
    return outcome;
}

}  // namespace skein::batch
