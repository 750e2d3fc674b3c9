// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/pipeline/job.h"

namespace skein::pipeline {

/// What a profile of a run says beyond the job's own progress.
struct RunReport {
    double wallSeconds = 0;  ///< the whole command, start-up and saving included
    int queueMaxsize = 0;
    std::vector<std::pair<std::string, std::string>> versions;  ///< (library, version)
};

/// JSON text: stages [{name, count, total_ms, avg_ms, p50_ms, p95_ms, max_ms}], beside (the same for what the threads
/// did besides), parts (the same, with their stage: what lies inside a stage's time), threads {count, wall_ms}: all
/// totals together are count x wall_ms (on a GPU, Forward and the waiting for it overlap); batches, frames, wall_s, fps
/// (frames by wall_s), device_copies {device_to_host, host_to_device: {count, bytes}}, queue, peak_rss_mb, device,
/// decoder (where a GPU was asked for), versions.
[[nodiscard]] std::string profileJson(const JobProgress& progress, const RunReport& report);

/// Writes it atomically. Errors: those of writeAtomically.
[[nodiscard]] Result<void> writeProfile(const std::filesystem::path& file, const JobProgress& progress,
                                        const RunReport& report);

/// A trace for Chrome's viewer (chrome://tracing, ui.perfetto.dev): one complete event for each turn of a stage, with
/// microseconds since the start. Written as it is made, so that its size does not matter. Errors: as above.
[[nodiscard]] Result<void> writeTrace(const std::filesystem::path& file, const profile::Trace& trace);

}  // namespace skein::pipeline
