// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/run_report.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/base/atomic_file.h"

namespace skein::pipeline {

std::string profileJson(const JobProgress& progress, const RunReport& report) {
    using Json = nlohmann::ordered_json;
    const profile::Summary& profile = progress.profile;
    Json json;
    Json& stages = json["stages"] = Json::array();
    for (const profile::StageSummary& stage : profile.stages)
        stages.push_back({{"name", stage.name},
                          {"count", stage.count},
                          {"total_ms", stage.totalMs},
                          {"avg_ms", stage.avgMs},
                          {"p50_ms", stage.p50Ms},
                          {"p95_ms", stage.p95Ms}});
    json["batches"] = profile.batches;
    json["partial_batches"] = profile.partialBatches;
    json["frames"] = profile.frames;
    json["wall_s"] = report.wallSeconds;
    json["run_s"] = progress.secondsElapsed;
    json["fps"] = report.wallSeconds > 0 ? static_cast<double>(profile.frames) / report.wallSeconds : 0.0;
    const auto copies = [](const profile::CopySummary& c) { return Json{{"count", c.count}, {"bytes", c.bytes}}; };
    json["device_copies"] = {{"device_to_host", copies(profile.deviceToHost)},
                             {"host_to_device", copies(profile.hostToDevice)}};
    json["queue"] = {{"maxsize", report.queueMaxsize},
                     {"decoded_depth_max", progress.decodedQueue.maxDepth},
                     {"host_depth_max", progress.hostQueue.maxDepth}};
    json["peak_rss_mb"] = static_cast<double>(profile::peakResidentBytes()) / (1024.0 * 1024.0);
    json["device"] = progress.device;
    Json& versions = json["versions"] = Json::object();
    for (const auto& [name, version] : report.versions)
        versions[name] = version;
    return json.dump(2) + "\n";
}

Result<void> writeProfile(const std::filesystem::path& file, const JobProgress& progress, const RunReport& report) {
    return writeAtomically(file, [&](const std::filesystem::path& temporary) -> Result<void> {
        std::ofstream out(temporary, std::ios::binary);
        out << profileJson(progress, report);
        out.close();
        if (!out)
            return fail(ErrorCode::Io, "The profile could not be written; is the disk full?");
        return {};
    });
}

}  // namespace skein::pipeline
