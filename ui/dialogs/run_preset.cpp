// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/run_preset.h"

#include <QCoreApplication>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/pipeline/options_json.h"

namespace skein::ui {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kPresetVersion = 1;
const char* const kVersionKey = "skein_preset";
// A name, its texts and lists: longer ones are no option of ours.
constexpr int kLongestText = 1000;

QString tr(const char* text) {
    return QCoreApplication::translate("RunPreset", text);
}

RunSettings tracked(std::string_view preset, int animals) {
    RunSettings settings;
    if (animals > 0)
        runOption("max_tracks").set(settings, animals);
    if (const auto found = tracking::findPreset(preset))
        chooseTrackingPreset(settings, **found);
    return settings;
}

std::vector<RunPreset> makeBuiltIn() {
    std::vector<RunPreset> list;
    list.push_back({tr("Default"), tr("Every option as in sleap-nn; no tracking."), {}});
    RunSettings fast;
    fast.inference.batchSize = inference::kAutomaticBatch;
    fast.inference.precision = inference::Precision::Half;
    list.push_back({tr("Fast preview"),
                    tr("The fastest batch by measurement and half precision, which differs slightly; no tracking."),
                    fast});
    RunSettings mice = tracked("skein", 2);
    mice.inference.maxInstances = 2;
    mice.inference.filters.overlapping = true;
    list.push_back({tr("Two mice"), tr("At most two animals, followed to the end of the video as two tracks."), mice});
    RunSettings flies = tracked("tolerant_oks", 0);
    flies.inference.batchSize = inference::kAutomaticBatch;
    flies.inference.filters.overlapping = true;
    list.push_back({tr("Many flies"),
                    tr("Any number of animals; doubles are dropped, and poses may change much between frames."),
                    flies});
    RunSettings retrack = tracked("tolerant_oks", 0);
    retrack.trackOnly = true;
    list.push_back(
        {tr("Re-track only"), tr("No model is run: the predictions that are there get new tracks."), retrack});
    return list;
}

/// What a one-node skeleton changes by itself is no choice of the person's.
RunSettings normalized(RunSettings settings) {
    const tracking::TrackerOptions standard;
    if (!settings.chosen.feature)
        settings.tracker.feature = standard.feature;
    if (!settings.chosen.scoring)
        settings.tracker.scoring = standard.scoring;
    settings.chosen = {};
    settings.trackOnly = settings.trackOnly && settings.tracking;
    return settings;
}

Json choicesJson(const RunSettings& settings) {
    Json inference = pipeline::optionsJson(settings.inference);
    inference.erase("device");
    return {{"inference", std::move(inference)},
            {"queue_maxsize", settings.queueMaxsize},
            {"track", settings.tracking},
            {"track_only", settings.trackOnly},
            {"tracking", pipeline::optionsJson(settings.tracker)}};
}

Error wrong(const QString& sentence) {
    return {ErrorCode::InvalidArgument, sentence.toStdString()};
}

/// Takes `from`'s value of the option if it is one that the dialog could have given.
Result<void> takeOption(const RunOption& option, const RunSettings& from, RunSettings& into) {
    const QVariant value = option.get(from);
    const QString name = QLatin1String(option.name);
    switch (option.kind) {
        case OptionKind::Integer:
        case OptionKind::Number: {
            if (!value.isValid())
                break;
            const double number = value.toDouble();
            // The least one of an editor stands for "not set" where there is such a thing.
            const bool inside = number <= option.maximum &&
                                (option.noneText != nullptr ? number > option.minimum : number >= option.minimum);
            if (!inside)
                return fail(wrong(tr("The preset asks for %1 = %2; possible is %3 to %4.")
                                      .arg(name, value.toString(), QString::number(option.minimum),
                                           QString::number(option.maximum))));
            if (option.name == std::string_view("integral_patch_size") && value.toInt() % 2 == 0)
                return fail(wrong(tr("The preset asks for %1 = %2; it must be odd.").arg(name, value.toString())));
            break;
        }
        case OptionKind::Choice:
            if (std::none_of(option.values.begin(), option.values.end(),
                             [&value](const RunOption::Value& v) { return value.toString() == QLatin1String(v.name); }))
                return fail(wrong(tr("The preset asks for %1 = %2, which there is not.").arg(name, value.toString())));
            break;
        case OptionKind::Node:
        case OptionKind::Text:
            if (value.toString().size() > kLongestText)
                return fail(wrong(tr("The preset's value of %1 is too long.").arg(name)));
            break;
        case OptionKind::Flag:
            break;
    }
    option.set(into, value);
    return {};
}

Result<bool> flagOf(const Json& json, const char* name) {
    const auto found = json.find(name);
    if (found == json.end())
        return false;
    if (!found->is_boolean())
        return fail(wrong(tr("The preset's %1 must be true or false.").arg(QLatin1String(name))));
    return found->get<bool>();
}

Result<RunSettings> settingsFrom(const Json& json) {
    const Json none = Json::object();
    const auto part = [&](const char* name) -> const Json& {
        const auto found = json.find(name);
        return found == json.end() ? none : *found;
    };
    RunSettings read;
    auto inference = pipeline::inferenceOptionsFrom(part("inference"));
    if (!inference)
        return fail(std::move(inference.error()));
    auto tracker = pipeline::trackerOptionsFrom(part("tracking"));
    if (!tracker)
        return fail(std::move(tracker.error()));
    read.inference = std::move(*inference);
    read.tracker = std::move(*tracker);
    if (const auto queue = json.find("queue_maxsize"); queue != json.end()) {
        if (!queue->is_number_integer() || *queue < 1 || *queue > 1000000)
            return fail(wrong(tr("The preset's queue_maxsize must be a whole number of at least 1.")));
        read.queueMaxsize = queue->get<int>();
    }
    RunSettings settings;
    for (const auto& [name, into] :
         {std::pair("track", &settings.tracking), std::pair("track_only", &settings.trackOnly),
          std::pair("features_chosen", &settings.chosen.feature),
          std::pair("scoring_chosen", &settings.chosen.scoring)}) {
        const auto flag = flagOf(json, name);
        if (!flag)
            return fail(flag.error());
        *into = *flag;
    }
    read.tracking = settings.tracking;
    settings.trackOnly = settings.trackOnly && settings.tracking;
    // Of the tracker's kind there is no option in the table.
    chooseTracker(settings, trackerChoice(read));
    for (const RunOption& option : runOptions())
        if (auto taken = takeOption(option, read, settings); !taken)
            return fail(std::move(taken.error()));
    return settings;
}

}  // namespace

const std::vector<RunPreset>& builtInPresets() {
    static const std::vector<RunPreset> kPresets = makeBuiltIn();
    return kPresets;
}

bool isBuiltInPreset(const QString& name) {
    const auto& presets = builtInPresets();
    return std::any_of(presets.begin(), presets.end(),
                       [&name](const RunPreset& p) { return p.name.compare(name, Qt::CaseInsensitive) == 0; });
}

void applyPreset(RunSettings& settings, const RunPreset& preset) {
    RunSettings next = preset.settings;
    next.target = settings.target;
    next.sampleSize = settings.sampleSize;
    next.frameList = settings.frameList;
    next.skipLabelled = settings.skipLabelled;
    next.existing = settings.existing;
    next.inference.device = settings.inference.device;
    settings = std::move(next);
}

bool sameChoices(const RunSettings& a, const RunSettings& b) {
    return choicesJson(normalized(a)) == choicesJson(normalized(b));
}

QByteArray presetToJson(const RunPreset& preset) {
    Json json{{kVersionKey, kPresetVersion}, {"name", preset.name.toStdString()}};
    json.update(choicesJson(preset.settings));
    json["features_chosen"] = preset.settings.chosen.feature;
    json["scoring_chosen"] = preset.settings.chosen.scoring;
    return QByteArray::fromStdString(json.dump(2, ' ', false, Json::error_handler_t::replace)) + '\n';
}

Result<RunPreset> presetFromJson(const QByteArray& text) {
    if (text.size() > kLargestPreset)
        return fail(ErrorCode::Format, tr("The file is too large for a preset of a run.").toStdString());
    const Json json = Json::parse(text.begin(), text.end(), nullptr, false);
    const auto version = json.is_object() ? json.find(kVersionKey) : json.end();
    if (!json.is_object() || version == json.end())
        return fail(ErrorCode::Format,
                    tr("The file is no preset of a run. Choose one that Export preset wrote.").toStdString());
    if (!version->is_number_integer() || *version < 1 || *version > kPresetVersion)
        return fail(ErrorCode::Format, tr("The preset is of another version of Skein.").toStdString());
    const auto name = json.find("name");
    RunPreset preset;
    if (name != json.end() && name->is_string())
        preset.name = QString::fromStdString(name->get<std::string>()).simplified().left(kLongestPresetName);
    if (preset.name.isEmpty())
        return fail(ErrorCode::Format, tr("The preset has no name.").toStdString());
    auto settings = settingsFrom(json);
    if (!settings)
        return fail(std::move(settings.error()));
    preset.settings = std::move(*settings);
    return preset;
}

void chooseTrackingPreset(RunSettings& settings, const tracking::TrackingPreset& preset) {
    const std::optional<int> animals = settings.tracker.maxTracks;
    settings.tracking = true;
    settings.chosen = {};
    settings.tracker = tracking::presetOptions(preset, animals);
    if (preset.usesCount)
        runOption("max_tracks").set(settings, animals ? QVariant(*animals) : QVariant());
}

std::string_view trackingPresetOf(const RunSettings& settings) {
    if (!settings.tracking)
        return {};
    const Json now = pipeline::optionsJson(normalized(settings).tracker);
    for (const tracking::TrackingPreset& preset : tracking::trackingPresets()) {
        RunSettings candidate;
        candidate.tracker.maxTracks = settings.tracker.maxTracks;
        chooseTrackingPreset(candidate, preset);
        if (pipeline::optionsJson(candidate.tracker) == now)
            return preset.key;
    }
    return {};
}

}  // namespace skein::ui
