// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/profile_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

namespace skein::pipeline {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;
constexpr std::uintmax_t kLargestFile = 16U << 20U;

std::string number(double value, int digits) {
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    return text.data();
}

/// "+12 %", "-3 %"; "-" where there is nothing to compare with.
std::string change(double before, double now) {
    if (before <= 0)
        return "-";
    const double percent = 100 * (now - before) / before;
    return (percent >= 0 ? "+" : "") + number(percent, 1) + " %";
}

profile::StageSummary timesFrom(const Json& item) {
    profile::StageSummary times;
    times.name = item.at("name").get<std::string>();
    times.count = item.at("count").get<std::uint64_t>();
    times.avgMs = item.at("avg_ms").get<double>();
    times.p95Ms = item.at("p95_ms").get<double>();
    times.totalMs = item.value("total_ms", times.avgMs * static_cast<double>(times.count));
    times.p50Ms = item.value("p50_ms", 0.0);
    times.maxMs = item.value("max_ms", 0.0);
    return times;
}

std::vector<profile::StageSummary> stagesFrom(const Json& json, const char* key) {
    std::vector<profile::StageSummary> stages;
    if (json.contains(key))
        for (const Json& item : json.at(key))
            stages.push_back(timesFrom(item));
    return stages;
}

/// Those that this version knows.
std::vector<profile::PartSummary> partsFrom(const Json& json) {
    using profile::Part;
    std::vector<profile::PartSummary> parts;
    if (!json.contains("parts"))
        return parts;
    for (const Json& item : json.at("parts"))
        for (std::size_t s = 0; s < profile::kAllStages; ++s)
            for (const Part part : {Part::Crops, Part::Peaks, Part::Lines, Part::Assignment})
                if (const auto stage = static_cast<profile::Stage>(s);
                    item.at("stage").get<std::string>() == profile::stageName(stage) &&
                    item.at("name").get<std::string>() == profile::partName(part))
                    parts.push_back({stage, part, timesFrom(item)});
    return parts;
}

profile::CopySummary copiesFrom(const Json& json, const char* key) {
    if (!json.contains(key))
        return {};
    return {json.at(key).at("count").get<std::uint64_t>(), json.at(key).at("bytes").get<std::uint64_t>()};
}

using Row = std::vector<std::string>;

/// The first column to the left, numbers to the right.
std::string layOut(const std::vector<Row>& rows, bool asMarkdown) {
    std::vector<std::size_t> widths(rows.front().size(), 3);
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        std::string line = asMarkdown ? "|" : "";
        for (std::size_t i = 0; i < rows[r].size(); ++i) {
            const std::string gap(widths[i] - rows[r][i].size(), ' ');
            const std::string cell = i == 0 ? rows[r][i] + gap : gap + rows[r][i];
            line += asMarkdown ? " " + cell + " |" : (i == 0 ? "" : "  ") + cell;
        }
        text += line + "\n";
        if (r == 0 && asMarkdown) {
            text += "|";
            for (std::size_t i = 0; i < widths.size(); ++i)
                text += (i == 0 ? ":" : "-") + std::string(widths[i], '-') + (i == 0 ? "-|" : ":|");
            text += "\n";
        }
    }
    return text;
}

std::string factsOf(const SavedProfile& run) {
    const profile::Summary& s = run.summary;
    std::string text = std::to_string(s.frames) + " frames in " + std::to_string(s.batches) + " batches, " +
                       number(run.framesPerSecond, run.framesPerSecond < 1 ? 3 : 1) + " frames/s (" +
                       number(run.wallSeconds, 2) + " s in all, start-up included)" +
                       (run.device.empty() ? "" : " on " + run.device) + "\n";
    if (s.batches > 0) {
        const auto batches = static_cast<double>(s.batches);
        text += "Copies per batch: " + number(static_cast<double>(s.deviceToHost.count) / batches, 2) +
                " device-to-host (" + number(static_cast<double>(s.deviceToHost.bytes) / batches / 1024, 1) +
                " KiB), " + number(static_cast<double>(s.hostToDevice.count) / batches, 2) + " host-to-device (" +
                number(static_cast<double>(s.hostToDevice.bytes) / batches / 1024, 1) + " KiB)\n";
    }
    if (s.threads > 0) {
        double total = 0;
        for (const auto* stages : {&s.stages, &s.beside})
            for (const profile::StageSummary& stage : *stages)
                total += stage.totalMs;
        text += std::to_string(s.threads) + " threads x " + number(s.threadsWallMs / 1000, 2) + " s; " +
                number(100 * total / (s.threads * s.threadsWallMs), 1) + " % of it is accounted for";
        for (const profile::StageSummary& stage : s.beside)
            if (stage.totalMs > 0)
                text += ", " + stage.name + " " + number(stage.totalMs / 1000, 2) + " s";
        text += "\n";
    }
    return text;
}

}  // namespace

Result<SavedProfile> readProfile(const fs::path& file) {
    std::error_code ec;
    if (!fs::exists(file, ec))
        return fail(ErrorCode::NotFound, "There is no file " + file.string() + ".");
    const bool isFile = fs::is_regular_file(file, ec);
    std::ifstream in(isFile ? file : fs::path(), std::ios::binary);
    if (!in)
        return fail(ErrorCode::Io, "Cannot read " + file.string() + ".");
    const Json json = fs::file_size(file, ec) > kLargestFile ? Json() : Json::parse(in, nullptr, false);
    if (!json.is_object() || !json.contains("stages"))
        return fail(ErrorCode::Format, file.string() + " holds no profile of a run: there are no \"stages\" in it.");
    try {
        SavedProfile run;
        profile::Summary& s = run.summary;
        s.stages = stagesFrom(json, "stages");
        s.beside = stagesFrom(json, "beside");
        s.parts = partsFrom(json);
        s.batches = json.value("batches", std::uint64_t{0});
        s.frames = json.value("frames", std::uint64_t{0});
        if (json.contains("threads")) {
            s.threads = json.at("threads").at("count").get<int>();
            s.threadsWallMs = json.at("threads").at("wall_ms").get<double>();
        }
        if (json.contains("device_copies")) {
            s.deviceToHost = copiesFrom(json.at("device_copies"), "device_to_host");
            s.hostToDevice = copiesFrom(json.at("device_copies"), "host_to_device");
        }
        run.wallSeconds = json.value("wall_s", 0.0);
        run.framesPerSecond = json.value("fps", 0.0);
        run.device = json.value("device", std::string());
        return run;
    } catch (const nlohmann::json::exception&) {
        return fail(ErrorCode::Format, file.string() +
                                           " holds no profile of a run: a value is missing or of the wrong "
                                           "kind.");
    }
}

std::string profileTable(const SavedProfile& run, const SavedProfile* other, bool asMarkdown) {
    double busy = 0;
    for (const profile::StageSummary& stage : run.summary.stages)
        busy += stage.totalMs;
    std::vector<Row> rows{{"Stage", "Count", "Avg (ms)", "P95 (ms)", "Total (s)", "Share"}};
    if (other != nullptr)
        rows[0].insert(rows[0].end(), {"Other avg", "Other p95", "Change of avg", "Change of p95"});
    for (const profile::StageSummary& stage : run.summary.stages) {
        Row row{stage.name,
                std::to_string(stage.count),
                number(stage.avgMs, 3),
                number(stage.p95Ms, 3),
                number(stage.totalMs / 1000, 3),
                number(busy > 0 ? 100 * stage.totalMs / busy : 0, 1) + " %"};
        if (other != nullptr) {
            const auto& others = other->summary.stages;
            const auto same = std::find_if(others.begin(), others.end(),
                                           [&](const profile::StageSummary& s) { return s.name == stage.name; });
            if (same == others.end())
                row.insert(row.end(), {"-", "-", "-", "-"});
            else
                row.insert(row.end(), {number(same->avgMs, 3), number(same->p95Ms, 3), change(same->avgMs, stage.avgMs),
                                       change(same->p95Ms, stage.p95Ms)});
        }
        rows.push_back(std::move(row));
    }
    std::string text = layOut(rows, asMarkdown) + "\n" + factsOf(run);
    if (other != nullptr)
        text += (asMarkdown ? "\n" : "") + std::string("Other: ") + factsOf(*other);
    return text;
}

}  // namespace skein::pipeline
