// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/mot_options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <utility>

namespace skein::tracking {

namespace {

constexpr std::array<std::pair<std::string_view, TrackerKind>, 5> kTrackers{{{"classic", TrackerKind::Classic},
                                                                             {"sort", TrackerKind::Sort},
                                                                             {"bytetrack", TrackerKind::ByteTrack},
                                                                             {"ocsort", TrackerKind::OcSort},
                                                                             {"skein", TrackerKind::Skein}}};
constexpr std::array<std::string_view, 4> kAppearanceTrackers{"deepsort", "strongsort", "botsort", "deepocsort"};
constexpr std::array<std::string_view, 14> kAppearanceKeys{"appearance_threshold",
                                                           "proximity_threshold",
                                                           "ema_alpha",
                                                           "adaptive_ema",
                                                           "gallery_size",
                                                           "gallery_budget",
                                                           "mc_lambda",
                                                           "nsa",
                                                           "w_assoc_emb",
                                                           "aw_param",
                                                           "aw_off",
                                                           "rescue",
                                                           "rescue_min_similarity",
                                                           "link_swap_correction"};

template <class T>
using Names = std::vector<std::pair<std::string_view, T>>;

tl::unexpected<Error> refuse(std::string message) {
    return fail(ErrorCode::InvalidArgument, std::move(message));
}

std::string shown(std::string_view key, std::string_view value) {
    return "--mot_param " + std::string(key) + "=" + std::string(value);
}

Result<void> setFlag(std::optional<bool>& into, std::string_view key, std::string_view value) {
    std::string lower(value);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
    for (const char* yes : {"true", "1", "yes", "on"})
        if (lower == yes) {
            into = true;
            return {};
        }
    for (const char* no : {"false", "0", "no", "off"})
        if (lower == no) {
            into = false;
            return {};
        }
    return refuse(shown(key, value) + ": the value must be true or false.");
}

template <class Number>
Result<void> setNumber(std::optional<Number>& into, std::string_view key, std::string_view value) {
    Number number{};
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size())
        return refuse(shown(key, value) + ": the value must be a " +
                      (std::is_integral_v<Number> ? "whole number." : "number."));
    into = number;
    return {};
}

template <class T>
Result<void> setName(T& into, const Names<T>& names, std::string_view key, std::string_view value) {
    std::string possible;
    for (const auto& [name, meaning] : names) {
        if (name == value) {
            into = meaning;
            return {};
        }
        possible += (possible.empty() ? "" : ", ") + std::string(name);
    }
    return refuse(shown(key, value) + ": possible values are " + possible + ".");
}

}  // namespace

MotParameters motParameters(TrackerKind tracker, const MotOptions& o, std::optional<double> oksStddev) {
    MotParameters p;
    p.tracker = tracker;
    const bool paper = o.preset == MotPreset::Paper;
    p.normalizeScores = !paper;
    switch (tracker) {
        case TrackerKind::Classic:
        case TrackerKind::Skein:
            break;
        case TrackerKind::Sort:
            // SORT takes what it is given: nothing but noise is below these.
            p.trackBuffer = paper ? 1 : 30;
            p.highThreshold = p.lowThreshold = p.newTrackThreshold = paper ? 0.0 : 0.1;
            break;
        case TrackerKind::ByteTrack:
            p.kalman = paper ? MotKalman::Xyah : MotKalman::Xywh;  // an animal turns, so its aspect ratio does not last
            p.minHits = 2;
            p.minMatchSimilarity = 0.2;
            p.fuseScore = true;
            break;
        case TrackerKind::OcSort:
            p.highThreshold = 0.6;
            break;
    }
    const auto take = [](auto& into, const auto& chosen) {
        if (chosen)
            into = *chosen;
    };
    take(p.trackBuffer, o.trackBuffer);
    take(p.minHits, o.minHits);
    take(p.highThreshold, o.highThreshold);
    take(p.lowThreshold, o.lowThreshold);
    take(p.newTrackThreshold, o.newTrackThreshold);
    take(p.minMatchSimilarity, o.minMatchSimilarity);
    take(p.lowStageMinSimilarity, o.lowStageMinSimilarity);
    take(p.unconfirmedMinSimilarity, o.unconfirmedMinSimilarity);
    take(p.duplicateSimilarity, o.duplicateSimilarity);
    take(p.fuseScore, o.fuseScore);
    take(p.normalizeScores, o.normalizeScores);
    take(p.boxPadding, o.boxPadding);
    take(p.deltaT, o.deltaT);
    take(p.inertia, o.inertia);
    take(p.useByte, o.useByte);
    take(p.oksStddev, oksStddev);
    p.bodySize = o.bodySize;
    p.similarity = o.similarity;
    p.score = o.score;
    p.time = o.time;
    if (o.kalman != MotKalman::Auto)
        p.kalman = o.kalman;
    return p;
}

std::string motRangeProblem(TrackerKind tracker, const MotOptions& o) {
    const auto below = [](const char* option, const std::optional<int>& value, int least) {
        return value && *value < least ? std::string(option) + " must be at least " + std::to_string(least) + "."
                                       : std::string();
    };
    const auto share = [](const char* option, const std::optional<double>& value) {
        return value && !(*value >= 0 && *value <= 1) ? std::string(option) + " must be between 0 and 1."
                                                      : std::string();
    };
    for (std::string problem :
         {below("--track_buffer", o.trackBuffer, 0), below("--min_hits", o.minHits, 1),
          below("--mot_param delta_t", o.deltaT, 1), below("--mot_param link_spatial_gate_frames", o.linkGateFrames, 1),
          share("--track_high_threshold", o.highThreshold), share("--track_low_threshold", o.lowThreshold),
          share("--new_track_threshold", o.newTrackThreshold), share("--min_match_similarity", o.minMatchSimilarity),
          share("--mot_param low_stage_min_similarity", o.lowStageMinSimilarity),
          share("--mot_param unconfirmed_min_similarity", o.unconfirmedMinSimilarity),
          share("--mot_param duplicate_similarity", o.duplicateSimilarity)})
        if (!problem.empty())
            return problem;
    if (o.bodySize && !(*o.bodySize > 0 && std::isfinite(*o.bodySize)))
        return "--mot_param body_size must be greater than 0.";
    if (o.boxPadding && !(*o.boxPadding >= 0 && std::isfinite(*o.boxPadding)))
        return "--mot_param box_padding must not be negative.";
    if (o.inertia && !std::isfinite(*o.inertia))
        return "--mot_param inertia must be a finite number.";
    const MotParameters p = motParameters(tracker, o, {});
    if (tracker != TrackerKind::Classic && p.lowThreshold > p.highThreshold)
        return "--track_low_threshold must not be above --track_high_threshold.";
    return {};
}

Result<MotAssignment> splitMotParameter(std::string_view text) {
    const std::size_t sign = text.find('=');
    const auto trimmed = [](std::string_view part) {
        while (!part.empty() && part.front() == ' ')
            part.remove_prefix(1);
        while (!part.empty() && part.back() == ' ')
            part.remove_suffix(1);
        return std::string(part);
    };
    if (sign == std::string_view::npos || trimmed(text.substr(0, sign)).empty())
        return refuse("--mot_param takes KEY=VALUE; \"" + std::string(text) + "\" is none.");
    return MotAssignment{trimmed(text.substr(0, sign)), trimmed(text.substr(sign + 1))};
}

Result<void> setMotParameter(MotOptions& o, const MotAssignment& assignment) {
    const std::string_view key = assignment.key;
    const std::string_view value = assignment.value;
    if (std::find(kAppearanceKeys.begin(), kAppearanceKeys.end(), key) != kAppearanceKeys.end())
        return fail(ErrorCode::Unsupported, "--mot_param " + std::string(key) +
                                                " belongs to trackers that compare appearance, which this version "
                                                "does not have; leave it out.");
    if (key == "preset")
        return setName(o.preset, {{"animal", MotPreset::Animal}, {"paper", MotPreset::Paper}}, key, value);
    if (key == "similarity")
        return setName(o.similarity,
                       {{"auto", MotSimilarity::Auto},
                        {"iou", MotSimilarity::Iou},
                        {"oks", MotSimilarity::Oks},
                        {"centroid", MotSimilarity::Centroid}},
                       key, value);
    if (key == "kalman")
        return setName(o.kalman,
                       {{"auto", MotKalman::Auto},
                        {"xywh", MotKalman::Xywh},
                        {"xyah", MotKalman::Xyah},
                        {"xysr", MotKalman::Xysr}},
                       key, value);
    if (key == "score_mode")
        return setName(o.score, {{"auto", MotScore::Auto}, {"instance", MotScore::Instance}, {"none", MotScore::None}},
                       key, value);
    if (key == "time_base")
        return setName(o.time, {{"auto", MotTime::Auto}, {"frames", MotTime::Frames}, {"steps", MotTime::Steps}}, key,
                       value);

    const std::vector<std::pair<std::string_view, std::optional<int>*>> whole{
        {"track_buffer", &o.trackBuffer},
        {"min_hits", &o.minHits},
        {"delta_t", &o.deltaT},
        {"link_spatial_gate_frames", &o.linkGateFrames}};
    const std::vector<std::pair<std::string_view, std::optional<double>*>> real{
        {"track_high_threshold", &o.highThreshold},
        {"track_low_threshold", &o.lowThreshold},
        {"new_track_threshold", &o.newTrackThreshold},
        {"min_match_similarity", &o.minMatchSimilarity},
        {"low_stage_min_similarity", &o.lowStageMinSimilarity},
        {"unconfirmed_min_similarity", &o.unconfirmedMinSimilarity},
        {"duplicate_similarity", &o.duplicateSimilarity},
        {"box_padding", &o.boxPadding},
        {"body_size", &o.bodySize},
        {"inertia", &o.inertia}};
    const std::vector<std::pair<std::string_view, std::optional<bool>*>> flags{
        {"fuse_score", &o.fuseScore}, {"normalize_scores", &o.normalizeScores}, {"use_byte", &o.useByte}};
    std::string possible = "preset, similarity, kalman, score_mode, time_base";
    const auto twice = [&] {
        return refuse(shown(key, value) + ": this was given already, as an option or as another --mot_param.");
    };
    for (const auto& [name, into] : whole) {
        if (name == key)
            return *into ? twice() : setNumber(*into, key, value);
        possible += ", " + std::string(name);
    }
    for (const auto& [name, into] : real) {
        if (name == key)
            return *into ? twice() : setNumber(*into, key, value);
        possible += ", " + std::string(name);
    }
    for (const auto& [name, into] : flags) {
        if (name == key)
            return *into ? twice() : setFlag(*into, key, value);
        possible += ", " + std::string(name);
    }
    return refuse("--mot_param knows no \"" + std::string(key) + "\"; there are " + possible + ".");
}

Result<TrackerKind> parseTracker(std::string_view text) {
    std::string possible;
    for (const auto& [name, kind] : kTrackers) {
        if (name == text)
            return kind;
        possible += (possible.empty() ? "" : ", ") + std::string(name);
    }
    if (std::find(kAppearanceTrackers.begin(), kAppearanceTrackers.end(), text) != kAppearanceTrackers.end())
        return fail(ErrorCode::Unsupported, "The tracker \"" + std::string(text) +
                                                "\" compares animals by appearance vectors, which this version does "
                                                "not compute; use one of " +
                                                possible + ".");
    return refuse("--tracker cannot be \"" + std::string(text) + "\"; possible values are " + possible + ".");
}

std::string_view toString(TrackerKind value) {
    for (const auto& [name, kind] : kTrackers)
        if (kind == value)
            return name;
    return "?";
}

}  // namespace skein::tracking
