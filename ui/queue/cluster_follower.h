// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/batch/cluster_run.h"

namespace skein::ui {

/// A picture of a run on a cluster.
struct ClusterSnapshot {
    std::vector<batch::Entry> entries;
    std::string job;  ///< Slurm's number
    int tasks = 0, tasksDone = 0;
    std::string phase;    ///< of what is gathered here; empty: the cluster works
    std::string why;      ///< Slurm's word for what its tasks wait for
    std::string problem;  ///< the cluster does not answer, and why
    bool isOver = false;
    std::uint64_t version = 0;
};

/// Looks after a cluster run on a thread of its own: asks Slurm, and gathers what is complete. When it goes, the job
/// stays with the cluster, and the next follower takes over. Thread-safe.
class ClusterFollower {
public:
    explicit ClusterFollower(batch::ClusterRun run, std::filesystem::path folder);
    ~ClusterFollower();
    ClusterFollower(const ClusterFollower&) = delete;
    ClusterFollower& operator=(const ClusterFollower&) = delete;

    /// Ends the job.
    void cancel();
    [[nodiscard]] ClusterSnapshot snapshot() const;
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }

private:
    void work(const std::stop_token& stop);
    void publish(const std::string& phase);

    const std::filesystem::path m_folder;
    batch::ClusterRun m_run;  ///< of the thread alone, once it runs
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    ClusterSnapshot m_seen;
    bool m_cancelWanted = false;
    std::jthread m_thread;  ///< joined before anything above goes
};

}  // namespace skein::ui
