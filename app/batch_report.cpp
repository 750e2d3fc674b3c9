// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch_report.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "app/run_progress.h"
#include "app/table_text.h"
#include "engine/batch/model_names.h"

namespace skein::app {
namespace fs = std::filesystem;
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
    constexpr std::size_t kLongestData = 44, kLongestModel = 32, kLongestResult = 72;
    std::vector<fs::path> data;
    std::set<batch::ModelPaths> models;
    std::set<fs::path> folders;
    for (const Entry& entry : entries) {
        data.push_back(entry.data);
        models.insert(entry.settings.models);
        folders.insert(entry.output.parent_path());
    }
    const std::vector<std::string> dataNames = namesOf(data);
    const auto modelNames = batch::modelNames(models);
    const bool isOneFolder = folders.size() == 1;
    std::vector<std::vector<std::string>> rows{{"State", "Frames", "Data"}};
    if (models.size() > 1)
        rows.front().emplace_back("Model");
    rows.front().emplace_back("Result or reason");
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Entry& entry = entries[i];
        std::vector<std::string>& row = rows.emplace_back();
        row.emplace_back(batch::toString(entry.state));
        row.push_back(
            entry.framesTotal > 0 ? withThousands(entry.framesDone) + " of " + withThousands(entry.framesTotal) : "-");
        row.push_back(shortened(dataNames[i], kLongestData));
        if (models.size() > 1)
            row.push_back(shortened(modelNames.at(entry.settings.models), kLongestModel));
        const bool hasResult = entry.reason.empty() && batch::isDone(entry.state);
        row.push_back(hasResult
                          ? shortened((isOneFolder ? entry.output.filename() : entry.output).string(), kLongestResult)
                          : entry.reason);
    }
    printColumns(rows, {1});
    std::string counts;
    for (const EntryState state : kStates)
        if (const std::int64_t count = countOf(entries, state); count > 0)
            counts += (counts.empty() ? "" : ", ") + std::to_string(count) + " " + batch::toString(state);
    std::printf("%s\n", counts.c_str());
    if (isOneFolder)
        std::printf("Results in %s\n", folders.begin()->c_str());
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
