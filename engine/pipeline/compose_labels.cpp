// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/compose_labels.h"

#include <nlohmann/json.hpp>

#include "engine/base/version.h"

namespace skein::pipeline {
namespace {

nlohmann::ordered_json describe(const tracking::TrackerOptions& o) {
    const auto text = [](auto value) { return std::string(tracking::toString(value)); };
    nlohmann::ordered_json json;
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
    if (o.targetInstanceCount)
        json["tracking_target_instance_count"] = *o.targetInstanceCount;
    json["tracking_pre_cull_to_target"] = o.preCullToTarget ? 1 : 0;
    json["tracking_pre_cull_iou_threshold"] = o.preCullIou;
    json["tracking_clean_instance_count"] = o.cleanInstanceCount;
    json["tracking_clean_iou_threshold"] = o.cleanIou;
    json["post_connect_single_breaks"] = o.connectSingleBreaks;
    return json;
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
    config["batch_size"] = o.batchSize;
    if (o.maxInstances > 0)
        config["max_instances"] = o.maxInstances;
    if (o.inputScale)
        config["input_scale"] = *o.inputScale;
    if (o.maxHeight)
        config["max_height"] = *o.maxHeight;
    if (o.maxWidth)
        config["max_width"] = *o.maxWidth;
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
