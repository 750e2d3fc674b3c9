// SPDX-License-Identifier: BSD-3-Clause
#include "engine/batch/entry.h"

#include <nlohmann/json.hpp>

#include "engine/pipeline/options_json.h"

namespace skein::batch {

const char* toString(EntryState state) {
    switch (state) {
        case EntryState::Waiting:
            return "waiting";
        case EntryState::Running:
            return "running";
        case EntryState::Done:
            return "done";
        case EntryState::Partly:
            return "partly done";
        case EntryState::Failed:
            return "failed";
        case EntryState::Skipped:
            return "skipped";
        case EntryState::Cancelled:
            return "cancelled";
    }
    return "";
}

bool ownsOutput(const Entry& entry) {
    return entry.state == EntryState::Done || entry.state == EntryState::Partly ||
           (entry.state == EntryState::Cancelled && entry.framesDone > 0);
}

std::string settingsDifference(const Settings& before, const Settings& now) {
    if (before.models != now.models)
        return "another model";
    const auto found = [](const Settings& s) {
        nlohmann::ordered_json json = pipeline::resultOptionsJson(s.inference);
        json.erase("batch_size");  // changes the rounding at most
        return json;
    };
    if (const std::string names = pipeline::changedOptions(found(before), found(now)); !names.empty())
        return "other options (" + names + ")";
    const auto tracked = [](const Settings& s) {
        return s.tracking ? pipeline::optionsJson(*s.tracking) : nlohmann::ordered_json();
    };
    if (tracked(before) != tracked(now))
        return "other tracking";
    return before.frames != now.frames                     ? "other frames"
           : before.centroids != now.centroids             ? "another kind of results"
           : before.keepEmptyFrames != now.keepEmptyFrames ? "another choice of empty frames"
                                                           : "";
}

double meanRate(const Entry& entry) {
    // Less is too short to say anything.
    constexpr double kLeastSeconds = 0.05;
    const std::int64_t computed = entry.framesDone - entry.framesResumed;
    return entry.seconds > kLeastSeconds && computed > 0 ? static_cast<double>(computed) / entry.seconds : 0;
}

std::string describe(const Entry& entry) {
    std::string text = toString(entry.state);
    if (entry.state == EntryState::Partly || entry.state == EntryState::Running || entry.state == EntryState::Cancelled)
        text += " " + std::to_string(entry.framesDone) + " of " + std::to_string(entry.framesTotal);
    return entry.reason.empty() ? text : text + ": " + entry.reason;
}

}  // namespace skein::batch
