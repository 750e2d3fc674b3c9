// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/batch/entry.h"
#include "engine/batch/queue.h"
#include "engine/batch/slurm.h"
#include "engine/pipeline/prediction_run.h"

namespace skein::batch {

/// One task of a job array: a stretch of one entry's frames.
struct ClusterTask {
    std::size_t entry = 0;  ///< position in ClusterRun::entries()
    pipeline::Shard shard;
    std::string state;            ///< "waiting", "running", "done", "failed"
    std::string reason;           ///< of a failed or waiting one
    std::int64_t framesDone = 0;  ///< in its file
};

/// The folder of a cluster run, which nodes and the submitting machine share:
///   entries.json   the entries (queue_file.h)
///   plan.json      the tasks, the job's number
///   job.sh         the script
///   shards/        what the tasks find; a task that begins again goes on with its file
///   logs/          what the tasks print
///
/// Entries on a cluster: their frames are computed by the tasks of a Slurm job array, and tracked over the whole and
/// saved where this runs. Thread-compatible; for a worker.
class ClusterRun {
public:
    /// Opens the data of each entry to know its frames, cuts them at ends of batches, and writes plan and script. An
    /// entry whose data or model cannot be opened has failed by then, one whose output is there may be skipped.
    /// `program`: Skein's command on the nodes. Errors: Io, NotFound, InvalidArgument.
    [[nodiscard]] static Result<ClusterRun> prepare(const std::filesystem::path& folder, std::vector<Entry> entries,
                                                    int shardsPerEntry, const SlurmPreset& preset,
                                                    const std::filesystem::path& program, const QueueParts& parts = {});
    /// The script that prepare() writes for these. Errors: InvalidArgument (a value that Slurm cannot be given).
    [[nodiscard]] static Result<std::string> scriptFor(const std::filesystem::path& folder, const SlurmPreset& preset,
                                                       const std::filesystem::path& program);
    /// A run that was prepared before. Errors: those of readQueue(); Format.
    [[nodiscard]] static Result<ClusterRun> reopen(const std::filesystem::path& folder);

    /// Submits the tasks that are not done and not with Slurm already; nothing when there are none. Errors: NotFound,
    /// Io.
    [[nodiscard]] Result<void> submit();
    /// Removes the folder with all that prepare() has put there, and those above it that it had to make; nothing where
    /// a job was sent, or the folder was there before.
    void discard();
    /// Looks after the tasks: one call of squeue, more for those that have failed. Errors: NotFound, Io.
    [[nodiscard]] Result<void> poll();
    /// Tracks and saves the entries all of whose tasks are done, and gives those their state of which one has failed.
    void gather(const QueueParts& parts, const pipeline::RunObserver& observe);
    /// Ends the job. Errors: NotFound, Io.
    [[nodiscard]] Result<void> cancel();

    /// Every entry is over.
    [[nodiscard]] bool isOver() const;
    [[nodiscard]] const std::vector<Entry>& entries() const { return m_entries; }
    [[nodiscard]] const std::vector<ClusterTask>& tasks() const { return m_tasks; }
    [[nodiscard]] const std::string& job() const { return m_job; }

private:
    ClusterRun() = default;
    void plan(std::size_t entry, std::int64_t frames, int shards);
    [[nodiscard]] Result<void> write() const;
    void gatherEntry(std::size_t index, const QueueParts& parts, const pipeline::RunObserver& observe);

    std::filesystem::path m_folder;
    std::vector<std::filesystem::path> m_made;  ///< folders that prepare() has made, the outermost last
    std::vector<Entry> m_entries;
    std::vector<ClusterTask> m_tasks;
    std::string m_job;
    int m_mostAtOnce = 0;
};

/// On a node: computes one task of the plan in `folder`. What goes wrong is also left beside the shard's file, for
/// whoever follows. Errors: those of readQueue(), PredictionRun::open() and executeShard(); InvalidArgument (no such
/// task).
[[nodiscard]] Result<pipeline::PredictionOutcome> runClusterTask(const std::filesystem::path& folder, std::size_t task,
                                                                 const QueueParts& parts,
                                                                 const pipeline::RunObserver& observe);

}  // namespace skein::batch
