// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/compose_labels.h"

#include <nlohmann/json.hpp>

#include "engine/base/version.h"

namespace skein::pipeline {
namespace {

/// What was chosen for a box tracker or for linking, under the command's names; empty: everything is the preset's.
nlohmann::ordered_json describe(const tracking::MotOptions& o) {
    nlohmann::ordered_json json;
    const auto put = [&json](const char* name, const auto& value) {
        if (value)
            json[name] = *value;
    };
    if (o.preset == tracking::MotPreset::Paper)
        json["preset"] = "paper";
    const std::vector<std::string> similarities{"auto", "iou", "oks", "centroid"};
    const std::vector<std::string> filters{"auto", "xywh", "xyah", "xysr"};
    const std::vector<std::string> scores{"auto", "instance", "none"};
    const std::vector<std::string> times{"auto", "frames", "steps"};
    const auto choose = [&json](const char* name, auto value, const std::vector<std::string>& words) {
        if (static_cast<std::size_t>(value) != 0)
            json[name] = words.at(static_cast<std::size_t>(value));
    };
    choose("similarity", o.similarity, similarities);
    choose("kalman", o.kalman, filters);
    choose("score_mode", o.score, scores);
    choose("time_base", o.time, times);
    put("track_buffer", o.trackBuffer);
    put("min_hits", o.minHits);
    put("track_high_threshold", o.highThreshold);
    put("track_low_threshold", o.lowThreshold);
    put("new_track_threshold", o.newTrackThreshold);
    put("min_match_similarity", o.minMatchSimilarity);
    put("low_stage_min_similarity", o.lowStageMinSimilarity);
    put("unconfirmed_min_similarity", o.unconfirmedMinSimilarity);
    put("duplicate_similarity", o.duplicateSimilarity);
    put("fuse_score", o.fuseScore);
    put("normalize_scores", o.normalizeScores);
    put("box_padding", o.boxPadding);
    put("body_size", o.bodySize);
    put("delta_t", o.deltaT);
    put("inertia", o.inertia);
    put("use_byte", o.useByte);
    put("link_spatial_gate_frames", o.linkGateFrames);
    return json;
}

void describeCounts(const tracking::TrackerOptions& o, nlohmann::ordered_json& json) {
    if (o.targetInstanceCount)
        json["tracking_target_instance_count"] = *o.targetInstanceCount;
    json["tracking_pre_cull_to_target"] = o.preCullToTarget ? 1 : 0;
    json["tracking_pre_cull_iou_threshold"] = o.preCullIou;
    json["tracking_clean_instance_count"] = o.cleanInstanceCount;
    json["tracking_clean_iou_threshold"] = o.cleanIou;
}

nlohmann::ordered_json describe(const tracking::TrackerOptions& o) {
    const auto text = [](auto value) { return std::string(tracking::toString(value)); };
    nlohmann::ordered_json json;
    json["tracker"] = text(o.tracker);
    json["link_tracklets"] = o.linkTracklets;
    if (auto mot = describe(o.mot); !mot.empty())
        json["mot_params"] = std::move(mot);
    if (o.tracker != tracking::TrackerKind::Classic) {
        // The rest belongs to the classic tracker, apart from what all have.
        if (o.maxTracks)
            json["max_tracks"] = *o.maxTracks;
        describeCounts(o, json);
        return json;
    }
    json["window_size"] = o.windowSize;
    json["min_new_track_points"] = o.minNewTrackPoints;
    json["candidates_method"] = text(o.candidates);
    json["min_match_points"] = o.minMatchPoints;
    json["features"] = text(o.feature);
    json["scoring_method"] = text(o.scoring);
    json["scoring_reduction"] = text(o.reduction);
    json["robust_best_instance"] = o.robustQuantile;
    json["track_matching_method"] = text(o.matching);
    if (o.oksStddev)
        json["oks_stddev"] = *o.oksStddev;
    if (o.maxTracks)
        json["max_tracks"] = *o.maxTracks;
    json["use_flow"] = o.useFlow;
    json["use_kalman"] = o.useKalman;
    if (o.useFlow) {
        json["of_img_scale"] = o.flowImageScale;
        json["of_window_size"] = o.flowWindowSize;
        json["of_max_levels"] = o.flowMaxLevels;
    }
    if (o.useKalman) {
        json["kf_track_features"] = text(o.kalmanFeature);
        json["kf_init_frame_count"] = o.kalmanInitFrameCount;
        json["kf_node_indices"] = o.kalmanNodes;
        json["kf_reset_gap_size"] = o.kalmanResetGap;
    }
    describeCounts(o, json);
    json["post_connect_single_breaks"] = o.connectSingleBreaks;
    return json;
}

/// Filters that are on, under the names of the command's options.
void describe(const inference::FilterOptions& f, nlohmann::ordered_json& json) {
    if (f.overlapping) {
        json["filter_overlapping"] = true;
        json["filter_overlapping_method"] = f.overlapMethod == inference::OverlapMethod::Oks ? "oks" : "iou";
        json["filter_overlapping_threshold"] = f.overlapThreshold;
    }
    const auto put = [&](const char* name, auto value) {
        if (value > 0)
            json[name] = value;
    };
    put("filter_min_visible_nodes", f.minVisibleNodes);
    put("filter_min_visible_node_fraction", f.minVisibleNodeFraction);
    put("filter_min_mean_node_score", f.minMeanNodeScore);
    put("filter_min_instance_score", f.minInstanceScore);
    put("filter_min_centroid_distance", f.minCentroidDistance);
}

}  // namespace

project::Labels composeLabels(std::vector<project::Video> videos, project::Skeleton skeleton,
                              std::vector<FrameResult> results, const std::vector<std::string>& trackNames,
                              bool keepEmptyFrames) {
    project::Labels labels;
    labels.editVideos() = std::move(videos);
    labels.editSkeletons().push_back(std::move(skeleton));
    std::vector<std::int32_t> placeOf(trackNames.size(), -1);
    for (FrameResult& result : results) {
        if (result.frame.instances.empty() && !keepEmptyFrames)
            continue;
        for (project::InstanceData& instance : result.frame.instances) {
            std::int32_t& track = instance.header.track;
            if (track < 0)
                continue;
            std::int32_t& place = placeOf[static_cast<std::size_t>(track)];
            if (place < 0) {
                place = static_cast<std::int32_t>(labels.tracks().size());
                labels.editTracks().push_back({trackNames[static_cast<std::size_t>(track)], 0});
            }
            track = place;
        }
        labels.appendFrame(std::move(result.frame));
    }
    return labels;
}

std::string provenanceJson(const JobSpec& spec, const RunFacts& facts) {
    using Json = nlohmann::ordered_json;
    const inference::InferenceOptions& o = spec.inference;
    Json json;
    json["inference_start_timestamp"] = facts.startedAt;
    json["inference_end_timestamp"] = facts.endedAt;
    json["inference_runtime_seconds"] = facts.seconds;
    json["skein_version"] = version();
    Json& models = json["model_paths"] = Json::array();
    for (const models::ModelSpec& model : spec.models)
        models.push_back(model.folder.string());
    json["model_type"] = models::modelTypeName(spec.models.back().type);
    json["source_file"] = facts.sourceFile;
    json["frame_selection"] = {{"frames_processed", facts.framesProcessed}};
    json["run_state"] = facts.state == JobState::Finished ? "finished" : "partial";
    Json& config = json["inference_config"];
    config["peak_threshold"] = o.peakThreshold;
    config["integral_refinement"] = o.integralRefinement ? "integral" : "none";
    config["integral_patch_size"] = o.integralPatchSize;
    if (o.batchSize == inference::kAutomaticBatch)
        config["batch_size"] = "auto";
    else
        config["batch_size"] = o.batchSize;
    if (o.precision != inference::Precision::Exact)
        config["precision"] = o.precision == inference::Precision::Half ? "half" : "tf32";
    if (o.maxInstances > 0)
        config["max_instances"] = o.maxInstances;
    if (o.inputScale)
        config["input_scale"] = *o.inputScale;
    if (o.maxHeight)
        config["max_height"] = *o.maxHeight;
    if (o.maxWidth)
        config["max_width"] = *o.maxWidth;
    if (o.cropSize)
        config["crop_size"] = *o.cropSize;
    if (o.centroidPeakThreshold)
        config["centroid_threshold"] = *o.centroidPeakThreshold;
    describe(o.filters, config);
    config["max_edge_length_ratio"] = o.maxEdgeLengthRatio;
    config["dist_penalty_weight"] = o.distPenaltyWeight;
    config["n_points"] = o.nPoints;
    config["min_instance_peaks"] = o.minInstancePeaks;
    config["min_line_scores"] = o.minLineScores;
    config["match_sleap_nn"] = o.matchSleapNn;
    if (spec.tracking)
        json["tracking_config"] = describe(*spec.tracking);
    json["device"] = facts.device;
    json["system_info"] = {{"libtorch_version", facts.torchVersion}};
    return json.dump();
}

}  // namespace skein::pipeline
