// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/base/result.h"

// Slurm by its own commands: sbatch, squeue, scontrol, sacct, scancel. For workers: each call takes as long as the
// cluster's controller does.
namespace skein::batch {

/// What each task of a job asks for. Empty texts are not asked for.
struct SlurmPreset {
    std::string partition, account, qos;
    std::string time = "08:00:00";
    std::string memory = "16G";
    std::string gpus;  ///< as --gpus-per-task takes it: "1", "a100:1"
    int cpus = 4;
    int mostAtOnce = 0;                ///< tasks of the array that may run at once; 0: no limit
    std::vector<std::string> options;  ///< further ones of sbatch: "--constraint=gpu80"
    std::string setup;                 ///< shell lines before the program starts: "module load cuda"
};

/// Whether its commands are here. Errors: NotFound.
[[nodiscard]] Result<void> findSlurm();

/// "cpu", "gpu", or a .json file with the members' names as keys ("most_at_once" for mostAtOnce).
/// Errors: NotFound, Format, InvalidArgument (a key or value).
[[nodiscard]] Result<SlurmPreset> readSlurmPreset(const std::string& nameOrFile);

struct SlurmScript {
    std::string name;                  ///< of the job
    std::filesystem::path log;         ///< with %a for the task
    std::vector<std::string> command;  ///< of one task; its number is added at the end
    SlurmPreset preset;
};
/// The text of a job script for sbatch. Errors: InvalidArgument (a time, an amount of memory or another value that
/// Slurm would not take).
[[nodiscard]] Result<std::string> scriptText(const SlurmScript& script);

/// Submits an array of these tasks; returns the job's number. Errors: NotFound (no Slurm here), Io, with what to do and
/// sbatch's words.
[[nodiscard]] Result<std::string> submitArray(const std::filesystem::path& script,
                                              const std::vector<std::size_t>& tasks, int mostAtOnce);

struct SlurmTaskState {
    std::string state;   ///< Slurm's word: PENDING, RUNNING, COMPLETED, FAILED, TIMEOUT, ...
    std::string reason;  ///< Slurm's word for why it waits or failed; empty: none
};
/// Tasks of the array that wait or run. Empty once all have ended. Errors: NotFound, Io (the controller does not
/// answer).
[[nodiscard]] Result<std::map<std::size_t, SlurmTaskState>> liveTasks(const std::string& job);
/// How a task has ended, from scontrol, or sacct where that has forgotten it; "UNKNOWN" when nobody knows.
[[nodiscard]] SlurmTaskState endedTask(const std::string& job, std::size_t task);
/// Ends the whole array. Errors: NotFound, Io.
[[nodiscard]] Result<void> cancelArray(const std::string& job);

/// A state for a person: "it ran out of time (TIMEOUT)".
[[nodiscard]] std::string describe(const SlurmTaskState& state);
/// Why a task waits, for a person: Slurm's word, and what to do where the cluster will never start it as it is.
[[nodiscard]] std::string waitingReason(const std::string& word);

}  // namespace skein::batch
