// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/options_json.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace skein::pipeline {
namespace {

using Json = nlohmann::ordered_json;
using inference::InferenceOptions;
using tracking::MotOptions;
using tracking::TrackerOptions;

/// Words of an enumeration whose module has none, in the order of its values.
using Words = std::vector<std::string_view>;
const Words kPrecisionWords{"exact", "tf32", "half"};
const Words kOverlapWords{"iou", "oks"};
const Words kPresetWords{"animal", "paper"};
const Words kSimilarityWords{"auto", "iou", "oks", "centroid"};
const Words kKalmanWords{"auto", "xywh", "xyah", "xysr"};
const Words kScoreWords{"auto", "instance", "none"};
const Words kTimeWords{"auto", "frames", "steps"};

/// The one table of names: visit(name, field), or visit.words(name, field, words), or visit.parsed(name, field, parse).
template <class Options, class Visitor>
void eachInferenceOption(Options& o, Visitor& visit) {
    visit("device", o.device);
    visit("batch_size", o.batchSize);
    visit.words("precision", o.precision, kPrecisionWords);
    visit("peak_threshold", o.peakThreshold);
    visit("integral_refinement", o.integralRefinement);
    visit("integral_patch_size", o.integralPatchSize);
    visit("max_instances", o.maxInstances);
    visit("centroid_peak_threshold", o.centroidPeakThreshold);
    visit("input_scale", o.inputScale);
    visit("max_height", o.maxHeight);
    visit("max_width", o.maxWidth);
    visit("ensure_rgb", o.ensureRgb);
    visit("ensure_grayscale", o.ensureGrayscale);
    visit("crop_size", o.cropSize);
    visit("anchor_part", o.anchorPart);
    visit("filter_min_peak_value", o.filters.minPeakValue);
    visit("filter_min_visible_nodes", o.filters.minVisibleNodes);
    visit("filter_min_visible_node_fraction", o.filters.minVisibleNodeFraction);
    visit("filter_min_instance_score", o.filters.minInstanceScore);
    visit("filter_min_mean_node_score", o.filters.minMeanNodeScore);
    visit("filter_overlapping", o.filters.overlapping);
    visit.words("filter_overlapping_method", o.filters.overlapMethod, kOverlapWords);
    visit("filter_overlapping_threshold", o.filters.overlapThreshold);
    visit("filter_min_centroid_distance", o.filters.minCentroidDistance);
    visit("max_edge_length_ratio", o.maxEdgeLengthRatio);
    visit("dist_penalty_weight", o.distPenaltyWeight);
    visit("n_points", o.nPoints);
    visit("min_instance_peaks", o.minInstancePeaks);
    visit("min_line_scores", o.minLineScores);
    visit("max_peaks_per_node", o.maxPeaksPerNode);
    visit("cuda_graphs", o.cudaGraphs);
    visit("match_sleap_nn", o.matchSleapNn);
    visit("cpu_threads", o.cpuThreads);
}

template <class Options, class Visitor>
void eachMotOption(Options& o, Visitor& visit) {
    visit.words("preset", o.preset, kPresetWords);
    visit.words("similarity", o.similarity, kSimilarityWords);
    visit.words("kalman", o.kalman, kKalmanWords);
    visit.words("score_mode", o.score, kScoreWords);
    visit.words("time_base", o.time, kTimeWords);
    visit("track_buffer", o.trackBuffer);
    visit("min_hits", o.minHits);
    visit("track_high_threshold", o.highThreshold);
    visit("track_low_threshold", o.lowThreshold);
    visit("new_track_threshold", o.newTrackThreshold);
    visit("min_match_similarity", o.minMatchSimilarity);
    visit("low_stage_min_similarity", o.lowStageMinSimilarity);
    visit("unconfirmed_min_similarity", o.unconfirmedMinSimilarity);
    visit("duplicate_similarity", o.duplicateSimilarity);
    visit("fuse_score", o.fuseScore);
    visit("normalize_scores", o.normalizeScores);
    visit("box_padding", o.boxPadding);
    visit("body_size", o.bodySize);
    visit("delta_t", o.deltaT);
    visit("inertia", o.inertia);
    visit("use_byte", o.useByte);
    visit("link_spatial_gate_frames", o.linkGateFrames);
}

template <class Options, class Visitor>
void eachTrackerOption(Options& o, Visitor& visit) {
    visit.parsed("tracker", o.tracker, tracking::parseTracker);
    visit("link_tracklets", o.linkTracklets);
    visit("tracking_window_size", o.windowSize);
    visit.parsed("candidates_method", o.candidates, tracking::parseCandidateMethod);
    visit("min_new_track_points", o.minNewTrackPoints);
    visit("min_match_points", o.minMatchPoints);
    visit.parsed("features", o.feature, tracking::parseFeature);
    visit("appearance_only", o.appearanceOnly);
    visit("appearance_weight", o.appearanceWeight);
    visit("euclidean_scale", o.euclideanScale);
    visit.parsed("scoring_method", o.scoring, tracking::parseScoringMethod);
    visit.parsed("scoring_reduction", o.reduction, tracking::parseScoreReduction);
    visit("robust_best_instance", o.robustQuantile);
    visit("oks_stddev", o.oksStddev);
    visit.parsed("track_matching_method", o.matching, tracking::parseMatchingMethod);
    visit("max_tracks", o.maxTracks);
    visit("use_flow", o.useFlow);
    visit("of_img_scale", o.flowImageScale);
    visit("of_window_size", o.flowWindowSize);
    visit("of_max_levels", o.flowMaxLevels);
    visit("use_kalman", o.useKalman);
    visit.parsed("kf_track_features", o.kalmanFeature, tracking::parseKalmanFeature);
    visit("kf_init_frame_count", o.kalmanInitFrameCount);
    visit("kf_node_indices", o.kalmanNodes);
    visit("kf_reset_gap_size", o.kalmanResetGap);
    visit("kf_blend", o.kalmanBlend);
    visit("kf_gate_steps", o.kalmanGateSteps);
    visit("kf_min_gate_px", o.kalmanMinGatePx);
    visit("kf_velocity_cap_steps", o.kalmanVelocityCapSteps);
    visit("kf_min_velocity_cap_px", o.kalmanMinVelocityCapPx);
    visit("tracking_target_instance_count", o.targetInstanceCount);
    visit("tracking_pre_cull_to_target", o.preCullToTarget);
    visit("tracking_pre_cull_iou_threshold", o.preCullIou);
    visit("tracking_clean_instance_count", o.cleanInstanceCount);
    visit("tracking_clean_iou_threshold", o.cleanIou);
    visit("post_connect_single_breaks", o.connectSingleBreaks);
    visit("match_sleap_nn", o.matchSleapNn);
}

struct Writer {
    Json& json;

    template <class T>
    void operator()(const char* name, const T& value) {
        json[name] = value;
    }
    template <class T>
    void operator()(const char* name, const std::optional<T>& value) {
        if (value)
            json[name] = *value;
    }
    template <class E>
    void words(const char* name, const E& value, const Words& words) {
        json[name] = words.at(static_cast<std::size_t>(value));
    }
    template <class E, class Parse>
    void parsed(const char* name, const E& value, Parse) {
        json[name] = std::string(tracking::toString(value));
    }
};

/// Takes what is there; the first thing that is wrong stays.
struct Reader {
    const Json& json;
    std::set<std::string> known = {};
    std::string problem = {};

    const Json* find(const char* name) {
        known.insert(name);
        const auto found = json.find(name);
        return found == json.end() ? nullptr : &*found;
    }
    void wrong(const char* name, const char* wanted) {
        if (problem.empty())
            problem = "The option " + std::string(name) + " must be " + wanted + ".";
    }
    template <class T>
    void take(const char* name, const Json& value, T& into) {
        if constexpr (std::is_same_v<T, bool>) {
            if (!value.is_boolean())
                return wrong(name, "true or false");
        } else if constexpr (std::is_same_v<T, int>) {
            if (!value.is_number_integer() || value < std::numeric_limits<int>::min() ||
                value > std::numeric_limits<int>::max())
                return wrong(name, "a whole number");
        } else if constexpr (std::is_same_v<T, double>) {
            if (!value.is_number())
                return wrong(name, "a number");
        } else if constexpr (std::is_same_v<T, std::string>) {
            if (!value.is_string())
                return wrong(name, "a text");
        } else {
            if (!value.is_array())
                return wrong(name, "a list of whole numbers");
            for (const Json& item : value)
                if (!item.is_number_integer())
                    return wrong(name, "a list of whole numbers");
        }
        into = value.get<T>();
    }
    template <class T>
    void operator()(const char* name, T& field) {
        if (const Json* value = find(name))
            take(name, *value, field);
    }
    template <class T>
    void operator()(const char* name, std::optional<T>& field) {
        if (const Json* value = find(name))
            take(name, *value, field.emplace());
    }
    template <class E>
    void words(const char* name, E& field, const Words& words) {
        const Json* value = find(name);
        if (value == nullptr)
            return;
        std::string choice;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (value->is_string() && value->get<std::string>() == words[i]) {
                field = static_cast<E>(i);
                return;
            }
            choice += (i == 0 ? "" : ", ") + std::string(words[i]);
        }
        wrong(name, ("one of " + choice).c_str());
    }
    template <class E, class Parse>
    void parsed(const char* name, E& field, Parse parse) {
        const Json* value = find(name);
        if (value == nullptr)
            return;
        auto parsedValue = parse(value->is_string() ? value->get<std::string>() : value->dump());
        if (parsedValue)
            field = *parsedValue;
        else if (problem.empty())
            problem = parsedValue.error().message();
    }

    Result<void> finish(const char* of) {
        for (const auto& [key, value] : json.items())
            if (known.count(key) == 0 && problem.empty())
                problem = "There is no option " + key + " among those of " + of + ".";
        if (!problem.empty())
            return fail(ErrorCode::InvalidArgument, problem);
        return {};
    }
};

constexpr const char* kMot = "mot_params";

}  // namespace

Json optionsJson(const InferenceOptions& options) {
    Json json = Json::object();
    Writer writer{json};
    eachInferenceOption(options, writer);
    return json;
}

Json resultOptionsJson(const InferenceOptions& options) {
    Json json = optionsJson(options);
    for (const char* where : {"device", "cpu_threads", "cuda_graphs"})
        json.erase(where);
    return json;
}

std::string changedOptions(const Json& before, const Json& now) {
    std::string names;
    for (const auto& item : Json::diff(before, now)) {
        const std::string path = item.value("path", "");
        names += (names.empty() ? "" : ", ") + path.substr(path.empty() ? 0 : 1);
    }
    return names;
}

Json optionsJson(const TrackerOptions& options) {
    Json json = Json::object();
    Writer writer{json};
    eachTrackerOption(options, writer);
    Json mot = Json::object();
    Writer motWriter{mot};
    eachMotOption(options.mot, motWriter);
    json[kMot] = std::move(mot);
    return json;
}

Result<InferenceOptions> inferenceOptionsFrom(const Json& json) {
    if (!json.is_object())
        return fail(ErrorCode::InvalidArgument, "The options of a model must be an object with names and values.");
    InferenceOptions options;
    Reader reader{json};
    eachInferenceOption(options, reader);
    if (auto ok = reader.finish("a model"); !ok)
        return fail(std::move(ok.error()));
    return options;
}

Result<TrackerOptions> trackerOptionsFrom(const Json& json) {
    if (!json.is_object())
        return fail(ErrorCode::InvalidArgument, "The options of tracking must be an object with names and values.");
    TrackerOptions options;
    Reader reader{json};
    eachTrackerOption(options, reader);
    if (const Json* mot = reader.find(kMot)) {
        if (!mot->is_object())
            return fail(ErrorCode::InvalidArgument, "mot_params must be an object with names and values.");
        Reader motReader{*mot};
        eachMotOption(options.mot, motReader);
        if (auto ok = motReader.finish("mot_params"); !ok)
            return fail(std::move(ok.error()));
    }
    if (auto ok = reader.finish("tracking"); !ok)
        return fail(std::move(ok.error()));
    return options;
}

}  // namespace skein::pipeline
