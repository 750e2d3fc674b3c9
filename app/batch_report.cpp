// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch_report.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/run_progress.h"

namespace skein::app {
namespace {

using batch::Entry;
using batch::EntryState;

constexpr std::array kStates = {EntryState::Done,      EntryState::Skipped, EntryState::Partly, EntryState::Failed,
                                EntryState::Cancelled, EntryState::Running, EntryState::Waiting};

std::int64_t countOf(const std::vector<Entry>& entries, EntryState state) {
    return std::count_if(entries.begin(), entries.end(), [state](const Entry& entry) { return entry.state == state; });
}

}  // namespace

bool allDone(const std::vector<Entry>& entries) {
    return std::all_of(entries.begin(), entries.end(), [](const Entry& entry) { return batch::isDone(entry.state); });
}

void printTable(const std::vector<Entry>& entries) {
    const std::array<std::string, 4> titles = {"State", "Frames", "Data", "Result or reason"};
    std::vector<std::array<std::string, 4>> rows{titles};
    for (const Entry& entry : entries) {
        const bool hasResult = entry.reason.empty() && batch::isDone(entry.state);
        rows.push_back(
            {batch::toString(entry.state),
             entry.framesTotal > 0 ? withThousands(entry.framesDone) + " of " + withThousands(entry.framesTotal) : "-",
             entry.data.filename().string(), hasResult ? entry.output.string() : entry.reason});
    }
    std::array<std::size_t, 3> widths{};
    for (const auto& row : rows)
        for (std::size_t i = 0; i < widths.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    for (const auto& row : rows)
        std::printf("%-*s  %*s  %-*s  %s\n", static_cast<int>(widths[0]), row[0].c_str(), static_cast<int>(widths[1]),
                    row[1].c_str(), static_cast<int>(widths[2]), row[2].c_str(), row[3].c_str());
    std::string counts;
    for (const EntryState state : kStates)
        if (const std::int64_t count = countOf(entries, state); count > 0)
            counts += (counts.empty() ? "" : ", ") + std::to_string(count) + " " + batch::toString(state);
    std::printf("%s\n", counts.c_str());
}

void printJson(const std::vector<Entry>& entries) {
    using Json = nlohmann::ordered_json;
    Json json;
    Json& counts = json["counts"] = Json::object();
    for (const EntryState state : kStates)
        counts[batch::toString(state)] = countOf(entries, state);
    Json& list = json["entries"] = Json::array();
    for (const Entry& entry : entries) {
        Json models = Json::array();
        for (const auto& model : entry.settings.models)
            models.push_back(model.string());
        list.push_back({{"data", entry.data.string()},
                        {"models", std::move(models)},
                        {"output", entry.output.string()},
                        {"state", batch::toString(entry.state)},
                        {"reason", entry.reason},
                        {"notes", entry.notes},
                        {"frames_done", entry.framesDone},
                        {"frames_total", entry.framesTotal},
                        {"instances", entry.instances},
                        {"seconds", entry.seconds},
                        {"log", entry.log.string()}});
    }
    std::printf("%s\n", json.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

}  // namespace skein::app
