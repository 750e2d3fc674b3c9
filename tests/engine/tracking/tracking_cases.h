// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/base/image.h"
#include "engine/project/labels.h"
#include "engine/tracking/tracker.h"
#include "engine/tracking/tracker_options.h"

namespace skein::test {

using Json = nlohmann::json;

inline std::optional<Json> loadTrackingCases(const std::filesystem::path& specFolder) {
    std::ifstream file(specFolder / "tracking-cases.json");
    if (!file)
        return std::nullopt;
    return Json::parse(file);
}

/// Whether the case compares appearance vectors.
inline bool isAppearanceCase(const Json& testCase) {
    const Json& options = testCase.at("options");
    return options.contains("appearance_weight") || options.value("features", "") == "embeddings";
}

/// Whether the case needs only what the classic tracker has (no vectors, no linking, no other tracker family).
inline bool isClassicCase(const Json& testCase) {
    const Json& options = testCase.at("options");
    return !options.contains("tracker") && !options.contains("link_tracklets") &&
           !options.contains("appearance_weight") && options.value("features", "") != "embeddings";
}

/// One sequence as a project: instance ids tell where each came from.
inline project::Labels labelsOf(const Json& sequence) {
    project::Labels labels;
    project::Skeleton skeleton;
    for (const Json& node : sequence.at("nodes"))
        skeleton.nodes.push_back(node.get<std::string>());
    labels.editSkeletons().push_back(skeleton);
    std::size_t videos = 1;
    std::uint64_t id = 0;
    for (const Json& frame : sequence.at("frames")) {
        project::FrameData data;
        data.video = frame.value("video", 0U);
        data.frameIndex = frame.at("frame_idx").get<std::int64_t>();
        videos = std::max<std::size_t>(videos, data.video + 1);
        for (const Json& instance : frame.at("instances")) {
            project::InstanceData item;
            item.header.id = ++id;
            item.header.kind =
                instance.value("kind", "") == "user" ? project::InstanceKind::User : project::InstanceKind::Predicted;
            item.header.score = instance.at("score").get<float>();
            for (std::size_t k = 0; k < instance.at("points").size(); ++k) {
                const Json& point = instance.at("points")[k];
                project::Point p;
                p.score = instance.at("point_scores")[k].get<double>();
                if (!point.is_null()) {
                    p.x = point.at(0).get<double>();
                    p.y = point.at(1).get<double>();
                    p.visible = true;
                }
                item.points.push_back(p);
            }
            data.instances.push_back(item);
        }
        labels.appendFrame(data);
    }
    for (std::size_t v = 0; v < videos; ++v)
        labels.editVideos().push_back({});
    return labels;
}

struct CaseOptions {
    tracking::TrackerOptions options;
    tracking::ExplicitChoices given{true,
                                    true};  // the recorded options are those of a constructor: all count as chosen
};

/// Reads recorded constructor options; throws std::runtime_error on one it does not know.
inline CaseOptions optionsOf(const Json& recorded) {
    CaseOptions result;
    tracking::TrackerOptions& o = result.options;
    for (const auto& [key, value] : recorded.items()) {
        if (key == "window_size")
            o.windowSize = value.get<int>();
        else if (key == "candidates_method")
            o.candidates = tracking::parseCandidateMethod(value.get<std::string>()).value();
        else if (key == "min_new_track_points")
            o.minNewTrackPoints = value.get<int>();
        else if (key == "min_match_points")
            o.minMatchPoints = value.get<int>();
        else if (key == "features" && value == "embeddings")
            o.appearanceOnly = true;
        else if (key == "appearance_weight")
            o.appearanceWeight = value.get<double>();
        else if (key == "euclidean_scale")
            o.euclideanScale = value.get<double>();
        else if (key == "features")
            o.feature = tracking::parseFeature(value.get<std::string>()).value();
        else if (key == "scoring_method")
            o.scoring = tracking::parseScoringMethod(value.get<std::string>()).value();
        else if (key == "scoring_reduction")
            o.reduction = tracking::parseScoreReduction(value.get<std::string>()).value();
        else if (key == "robust_best_instance")
            o.robustQuantile = value.get<double>();
        else if (key == "oks_stddev")
            o.oksStddev = value.get<double>();
        else if (key == "track_matching_method")
            o.matching = tracking::parseMatchingMethod(value.get<std::string>()).value();
        else if (key == "max_tracks")
            o.maxTracks = value.get<int>();
        else if (key == "use_flow")
            o.useFlow = value.get<bool>();
        else if (key == "of_img_scale")
            o.flowImageScale = value.get<double>();
        else if (key == "of_window_size")
            o.flowWindowSize = value.get<int>();
        else if (key == "of_max_levels")
            o.flowMaxLevels = value.get<int>();
        else if (key == "use_kalman")
            o.useKalman = value.get<bool>();
        else if (key == "kf_track_features")
            o.kalmanFeature = tracking::parseKalmanFeature(value.get<std::string>()).value();
        else if (key == "kf_init_frame_count")
            o.kalmanInitFrameCount = value.get<int>();
        else if (key == "kf_node_indices")
            o.kalmanNodes = value.get<std::vector<int>>();
        else if (key == "kf_reset_gap_size")
            o.kalmanResetGap = value.get<int>();
        else if (key == "tracking_target_instance_count")
            o.targetInstanceCount = value.get<int>();
        else if (key == "tracking_pre_cull_to_target")
            o.preCullToTarget = value.get<int>() != 0;
        else if (key == "tracking_pre_cull_iou_threshold")
            o.preCullIou = value.get<double>();
        else if (key == "tracking_clean_instance_count")
            o.cleanInstanceCount = value.get<int>();
        else if (key == "tracking_clean_iou_threshold")
            o.cleanIou = value.get<double>();
        else if (key == "post_connect_single_breaks")
            o.connectSingleBreaks = value.get<bool>();
        else if (key == "tracker")
            o.tracker = tracking::parseTracker(value.get<std::string>()).value();
        else if (key == "link_tracklets")
            o.linkTracklets = value.get<bool>();
        else if (key == "track_buffer")
            o.mot.trackBuffer = value.get<int>();
        else if (key == "mot_params")
            for (const auto& [name, text] : value.items()) {
                if (!tracking::setMotParameter(o.mot, {name, text.is_string() ? text.get<std::string>() : text.dump()}))
                    throw std::runtime_error("unknown recorded constant " + name);
            }
        else if (key == "scoring_method_explicit")
            result.given.scoring = value.get<bool>();
        else if (key == "features_explicit")
            result.given.feature = value.get<bool>();
        else
            throw std::runtime_error("unknown recorded option " + key);
    }
    return result;
}

/// Frame `t` of the drawn sequence, by the formula that stands in the case file.
inline Image drawBlobs(const Json& image, int t, int channels) {
    struct Blob {
        double x, y, amplitude;
    };
    std::vector<Blob> blobs;
    for (const Json& body : image.at("blobs")) {
        const auto at = [&body](const char* key) { return body.at(key).get<double>(); };
        const double cx = at("cx") + at("vx") * t + at("ax") * std::sin(at("w") * t);
        const double cy = at("cy") + at("vy") * t + at("ay") * std::cos(at("w") * t);
        for (std::size_t k = 0; k < image.at("offsets").size(); ++k)
            blobs.push_back({cx + image.at("offsets")[k][0].get<double>(), cy + image.at("offsets")[k][1].get<double>(),
                             image.at("amplitudes")[k].get<double>()});
    }
    const double sigma = image.at("sigma").get<double>();
    Image result;
    result.width = image.at("width").get<int>();
    result.height = image.at("height").get<int>();
    result.channels = channels;
    for (int y = 0; y < result.height; ++y)
        for (int x = 0; x < result.width; ++x) {
            double v = 30 + 8 * std::sin(x / 9.0) + 8 * std::cos(y / 7.0);
            for (const Blob& blob : blobs) {
                const double dx = x - blob.x;
                const double dy = y - blob.y;
                v += blob.amplitude * std::exp(-(dx * dx + dy * dy) / (2 * sigma * sigma));
            }
            const auto pixel = static_cast<std::uint8_t>(std::clamp(std::floor(v + 0.5), 0.0, 255.0));
            result.pixels.insert(result.pixels.end(), static_cast<std::size_t>(channels), pixel);
        }
    return result;
}

}  // namespace skein::test
