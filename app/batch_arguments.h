// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "app/predict_arguments.h"
#include "engine/base/result.h"
#include "engine/batch/entry.h"

namespace skein::app {

/// The options of `batch`: those of `predict` for every entry, and its own.
class BatchArguments {
public:
    void addTo(CLI::App& command);

    /// The runs that are asked for, with their outputs, in the order of work. Errors: those of videosIn(), readQueue()
    /// and nameOutputs(); InvalidArgument, naming the option.
    [[nodiscard]] Result<std::vector<batch::Entry>> entries() const;

    std::string input, folder;
    std::string preset = "cpu";
    int shards = 1;
    int slurmTask = -1;
    bool recursive = false;
    bool resume = false;
    bool asJson = false;
    bool quiet = false;
    bool slurm = false;
    bool noWait = false;

private:
    [[nodiscard]] Result<batch::Entry> usual() const;

    PredictArguments m_run;
    std::string m_existing = "skip";
    std::string m_pattern;
    std::string m_frames;
};

}  // namespace skein::app
