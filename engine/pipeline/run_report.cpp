// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/run_report.h"

#include <fstream>
#include <iomanip>
#include <nlohmann/json.hpp>

#include "engine/base/atomic_file.h"

namespace skein::pipeline {
namespace {

using Json = nlohmann::ordered_json;

Json asJson(const profile::StageSummary& stage) {
    return Json{{"name", stage.name},    {"count", stage.count},  {"total_ms", stage.totalMs}, {"avg_ms", stage.avgMs},
                {"p50_ms", stage.p50Ms}, {"p95_ms", stage.p95Ms}, {"max_ms", stage.maxMs}};
}

Json asJson(const std::vector<profile::StageSummary>& stages) {
    Json json = Json::array();
    for (const profile::StageSummary& stage : stages)
        json.push_back(asJson(stage));
    return json;
}

Json asJson(const std::vector<profile::PartSummary>& parts) {
    Json json = Json::array();
    for (const profile::PartSummary& part : parts) {
        Json item = asJson(part.times);
        item["stage"] = profile::stageName(part.stage);
        json.push_back(std::move(item));
    }
    return json;
}

}  // namespace

std::string profileJson(const JobProgress& progress, const RunReport& report) {
    const profile::Summary& profile = progress.profile;
    Json json;
    json["stages"] = asJson(profile.stages);
    json["beside"] = asJson(profile.beside);
    json["parts"] = asJson(profile.parts);
    json["threads"] = {{"count", profile.threads}, {"wall_ms", profile.threadsWallMs}};
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
    if (!progress.deviceRemark.empty())
        json["device_remark"] = progress.deviceRemark;
    if (!progress.decoder.empty())
        json["decoder"] = progress.decoder;
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

Result<void> writeTrace(const std::filesystem::path& file, const profile::Trace& trace) {
    return writeAtomically(file, [&](const std::filesystem::path& temporary) -> Result<void> {
        std::ofstream out(temporary, std::ios::binary);
        out << std::fixed << std::setprecision(3);
        out << "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
        out << R"({"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":"skein"}})";
        for (std::size_t i = 0; i < trace.threads.size(); ++i)
            out << ",\n"
                << R"({"ph":"M","pid":1,"tid":)" << i << R"(,"name":"thread_name","args":{"name":)"
                << Json(trace.threads[i]).dump() << "}}";
        for (const profile::TraceEvent& event : trace.events)
            out << ",\n"
                << R"({"ph":"X","pid":1,"tid":)" << event.thread << R"(,"name":")" << profile::stageName(event.stage)
                << R"(","ts":)" << static_cast<double>(event.startNs) / 1e3 << R"(,"dur":)"
                << static_cast<double>(event.durationNs) / 1e3 << "}";
        out << "\n],\"otherData\":{\"dropped_events\":" << trace.dropped << "}}\n";
        out.close();
        if (!out)
            return fail(ErrorCode::Io, "The trace could not be written; is the disk full?");
        return {};
    });
}

}  // namespace skein::pipeline
