// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/tracker_options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace skein::tracking {

namespace {

constexpr std::array<std::pair<std::string_view, CandidateMethod>, 2> kCandidateMethods{
    {{"fixed_window", CandidateMethod::FixedWindow}, {"local_queues", CandidateMethod::LocalQueues}}};
constexpr std::array<std::pair<std::string_view, Feature>, 3> kFeatures{
    {{"keypoints", Feature::Keypoints}, {"centroids", Feature::Centroids}, {"bboxes", Feature::Boxes}}};
constexpr std::array<std::pair<std::string_view, ScoringMethod>, 4> kScoringMethods{
    {{"oks", ScoringMethod::Oks},
     {"iou", ScoringMethod::Iou},
     {"cosine_sim", ScoringMethod::CosineSimilarity},
     {"euclidean_dist", ScoringMethod::EuclideanDistance}}};
constexpr std::array<std::pair<std::string_view, ScoreReduction>, 3> kReductions{
    {{"mean", ScoreReduction::Mean},
     {"max", ScoreReduction::Max},
     {"robust_quantile", ScoreReduction::RobustQuantile}}};
constexpr std::array<std::pair<std::string_view, MatchingMethod>, 2> kMatchings{
    {{"hungarian", MatchingMethod::Hungarian}, {"greedy", MatchingMethod::Greedy}}};
constexpr std::array<std::pair<std::string_view, KalmanFeature>, 2> kKalmanFeatures{
    {{"centroid", KalmanFeature::Centroid}, {"keypoints", KalmanFeature::Keypoints}}};

template <class T, std::size_t N>
Result<T> parse(std::string_view text, const std::array<std::pair<std::string_view, T>, N>& names,
                std::string_view option) {
    std::string possible;
    for (const auto& [name, value] : names) {
        if (name == text)
            return value;
        possible += possible.empty() ? "" : ", ";
        possible += name;
    }
    return fail(ErrorCode::InvalidArgument, std::string(option) + " cannot be \"" + std::string(text) +
                                                "\"; possible values are " + possible + ".");
}

template <class T, std::size_t N>
std::string_view nameOf(T value, const std::array<std::pair<std::string_view, T>, N>& names) {
    for (const auto& [name, candidate] : names)
        if (candidate == value)
            return name;
    return "?";
}

std::string number(double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (!text.empty() && text.back() == '.')
        text.pop_back();
    return text;
}

tl::unexpected<Error> refuse(std::string message) {
    return fail(ErrorCode::InvalidArgument, std::move(message));
}

/// "" or what is wrong.
std::string rangeProblem(const TrackerOptions& o) {
    const auto least = [](std::string_view option, int value, int minimum) {
        return value >= minimum ? std::string()
                                : std::string(option) + " is " + std::to_string(value) + "; it must be at least " +
                                      std::to_string(minimum) + ".";
    };
    const auto share = [](std::string_view option, double value) {
        return value >= 0 && value <= 1
                   ? std::string()
                   : std::string(option) + " is " + number(value) + "; it must be between 0 and 1.";
    };
    const auto positive = [](std::string_view option, double value) {
        return value > 0 && std::isfinite(value)
                   ? std::string()
                   : std::string(option) + " is " + number(value) + "; it must be greater than 0.";
    };
    const auto notNegative = [](std::string_view option, double value) {
        return value >= 0 && std::isfinite(value)
                   ? std::string()
                   : std::string(option) + " is " + number(value) + "; it must not be negative.";
    };
    const std::array problems{least("--tracking_window_size", o.windowSize, 1),
                              least("--min_new_track_points", o.minNewTrackPoints, 0),
                              least("--min_match_points", o.minMatchPoints, 0),
                              least("--max_tracks", o.maxTracks.value_or(1), 1),
                              share("--robust_best_instance", o.robustQuantile),
                              positive("--oks_stddev", o.oksStddev.value_or(1)),
                              least("--tracking_target_instance_count", o.targetInstanceCount.value_or(0), 0),
                              share("--tracking_pre_cull_iou_threshold", o.preCullIou),
                              least("--tracking_clean_instance_count", o.cleanInstanceCount, 0),
                              share("--tracking_clean_iou_threshold", o.cleanIou),
                              positive("--of_img_scale", o.flowImageScale),
                              least("--of_window_size", o.flowWindowSize, 3),
                              least("--of_max_levels", o.flowMaxLevels, 0),
                              least("--kf_init_frame_count", o.kalmanInitFrameCount, 3),
                              least("--kf_reset_gap_size", o.kalmanResetGap, 0),
                              share("kf_prediction_blend", o.kalmanBlend),
                              notNegative("kf_gate_step_mult", o.kalmanGateSteps),
                              notNegative("kf_min_gate_px", o.kalmanMinGatePx),
                              notNegative("kf_velocity_cap_mult", o.kalmanVelocityCapSteps),
                              notNegative("kf_min_velocity_cap_px", o.kalmanMinVelocityCapPx)};
    for (const std::string& problem : problems)
        if (!problem.empty())
            return problem;
    for (const int node : o.kalmanNodes)
        if (node < 0)
            return "--kf_node_indices holds " + std::to_string(node) + "; nodes count from 0.";
    return {};
}

/// The pairs of feature and score that have a meaning.
std::string pairProblem(Feature feature, ScoringMethod scoring) {
    if (scoring == ScoringMethod::Oks && feature != Feature::Keypoints)
        return "--scoring_method oks compares nodes and does not go with --features " + std::string(toString(feature)) +
               "; use --features keypoints, or --scoring_method " +
               (feature == Feature::Boxes ? "iou." : "euclidean_dist.");
    if (scoring == ScoringMethod::Iou && feature != Feature::Boxes)
        return "--scoring_method iou compares boxes and does not go with --features " + std::string(toString(feature)) +
               "; use --features bboxes.";
    return {};
}

}  // namespace

TrackingFacts factsOf(const std::vector<project::Skeleton>& skeletons) {
    TrackingFacts facts;
    for (const project::Skeleton& skeleton : skeletons)
        facts.skeletonNodeCounts.push_back(static_cast<int>(skeleton.nodes.size()));
    return facts;
}

Result<TrackerOptions> resolveOptions(TrackerOptions options, const TrackingFacts& facts, const ExplicitChoices& given,
                                      std::vector<std::string>* notes) {
    const auto note = [notes](std::string text) {
        if (notes != nullptr)
            notes->push_back(std::move(text));
    };
    if (std::string problem = rangeProblem(options); !problem.empty())
        return refuse(std::move(problem));
    if (options.targetInstanceCount == 0)
        options.targetInstanceCount.reset();

    if (options.connectSingleBreaks && !options.maxTracks && facts.maxInstances) {
        options.maxTracks = facts.maxInstances;
        note("--max_tracks is taken from --max_instances (" + std::to_string(*facts.maxInstances) + ").");
    }
    const bool needsTarget = options.connectSingleBreaks || options.preCullToTarget || options.useKalman;
    if (needsTarget && !options.targetInstanceCount && facts.maxInstances) {
        options.targetInstanceCount = facts.maxInstances;
        note("--tracking_target_instance_count is taken from --max_instances (" + std::to_string(*facts.maxInstances) +
             ").");
    }
    if (options.maxTracks && options.candidates == CandidateMethod::FixedWindow) {
        options.candidates = CandidateMethod::LocalQueues;
        note("--max_tracks needs --candidates_method local_queues, which is used.");
    }
    if (facts.skeletonNodeCounts == std::vector<int>{1}) {
        if (!given.scoring && options.scoring != ScoringMethod::EuclideanDistance) {
            options.scoring = ScoringMethod::EuclideanDistance;
            note("The skeleton has a single node: --scoring_method euclidean_dist is used.");
        }
        if (!given.feature && options.feature != Feature::Centroids) {
            options.feature = Feature::Centroids;
            note("The skeleton has a single node: --features centroids is used.");
        }
    }
    if (!options.oksStddev)
        options.oksStddev = options.useKalman && options.kalmanFeature == KalmanFeature::Keypoints ? 0.1 : 0.025;

    if (std::string problem = pairProblem(options.feature, options.scoring); !problem.empty())
        return refuse(std::move(problem));
    if (options.connectSingleBreaks && !options.targetInstanceCount)
        return refuse(
            "--post_connect_single_breaks needs --tracking_target_instance_count (or --max_instances), the number of "
            "animals.");
    if (options.preCullToTarget && !options.targetInstanceCount)
        return refuse(
            "--tracking_pre_cull_to_target needs --tracking_target_instance_count (or --max_instances), the number of "
            "animals.");
    if (options.useKalman && options.useFlow)
        return refuse("--use_kalman and --use_flow both move the candidates; choose one of them.");
    if (options.useKalman && !options.targetInstanceCount && !options.maxTracks)
        return refuse(
            "--use_kalman needs the number of animals: give --tracking_target_instance_count, --max_tracks or "
            "--max_instances.");
    if (options.useKalman && !options.kalmanNodes.empty() && !facts.skeletonNodeCounts.empty()) {
        const int nodes = *std::max_element(facts.skeletonNodeCounts.begin(), facts.skeletonNodeCounts.end());
        if (*std::min_element(options.kalmanNodes.begin(), options.kalmanNodes.end()) >= nodes)
            return refuse("--kf_node_indices names no node of the skeleton, which has " + std::to_string(nodes) + ".");
    }
    if (options.useFlow && !facts.hasImages)
        return refuse("--use_flow needs the images of the video, which are not at hand.");
    return options;
}

Result<CandidateMethod> parseCandidateMethod(std::string_view text) {
    return parse(text, kCandidateMethods, "--candidates_method");
}
Result<Feature> parseFeature(std::string_view text) {
    return parse(text, kFeatures, "--features");
}
Result<ScoringMethod> parseScoringMethod(std::string_view text) {
    return parse(text, kScoringMethods, "--scoring_method");
}
Result<ScoreReduction> parseScoreReduction(std::string_view text) {
    return parse(text, kReductions, "--scoring_reduction");
}
Result<MatchingMethod> parseMatchingMethod(std::string_view text) {
    return parse(text, kMatchings, "--track_matching_method");
}
Result<KalmanFeature> parseKalmanFeature(std::string_view text) {
    return parse(text, kKalmanFeatures, "--kf_track_features");
}

Result<std::vector<int>> parseNodeIndices(std::string_view text) {
    std::vector<int> nodes;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        std::string_view item = rest.substr(0, comma);
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
        while (!item.empty() && item.front() == ' ')
            item.remove_prefix(1);
        while (!item.empty() && item.back() == ' ')
            item.remove_suffix(1);
        int node = -1;
        const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), node);
        if (error != std::errc() || end != item.data() + item.size() || node < 0)
            return refuse("--kf_node_indices is \"" + std::string(text) +
                          "\"; it must be whole numbers from 0, separated by commas, as in 0,1,2.");
        nodes.push_back(node);
    }
    return nodes;
}

std::string_view toString(CandidateMethod value) {
    return nameOf(value, kCandidateMethods);
}
std::string_view toString(Feature value) {
    return nameOf(value, kFeatures);
}
std::string_view toString(ScoringMethod value) {
    return nameOf(value, kScoringMethods);
}
std::string_view toString(ScoreReduction value) {
    return nameOf(value, kReductions);
}
std::string_view toString(MatchingMethod value) {
    return nameOf(value, kMatchings);
}
std::string_view toString(KalmanFeature value) {
    return nameOf(value, kKalmanFeatures);
}

}  // namespace skein::tracking
