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

/// What is wrong with comparing appearance; "" nothing.
std::string appearanceProblem(const TrackerOptions& o, const TrackingFacts& facts) {
    if (!(o.appearanceWeight >= 0 && o.appearanceWeight <= 1))
        return "--appearance_weight is " + number(o.appearanceWeight) + "; it must be between 0 and 1.";
    const bool weighted = o.appearanceWeight > 0;
    if (!o.appearanceOnly && !weighted)
        return o.euclideanScale ? "--euclidean_scale is used with --appearance_weight only; leave it out." : "";
    const std::string option = o.appearanceOnly ? "--features embeddings" : "--appearance_weight";
    if (o.appearanceOnly && weighted)
        return "--features embeddings compares appearance alone; leave out --appearance_weight, or choose other "
               "--features.";
    if (o.useFlow || o.useKalman)
        return option + " does not go with --use_flow or --use_kalman, which move poses; leave one out.";
    if (o.appearanceOnly && o.scoring != ScoringMethod::CosineSimilarity &&
        o.scoring != ScoringMethod::EuclideanDistance)
        return "--features embeddings compares vectors: use --scoring_method cosine_sim or euclidean_dist.";
    if (weighted && o.scoring == ScoringMethod::CosineSimilarity)
        return "--appearance_weight adds appearance to a geometric score; --scoring_method cosine_sim is none.";
    if (weighted && o.scoring == ScoringMethod::EuclideanDistance &&
        !(o.euclideanScale && *o.euclideanScale > 0 && std::isfinite(*o.euclideanScale)))
        return "--appearance_weight with --scoring_method euclidean_dist needs --euclidean_scale, the pixels over "
               "which the score falls.";
    if (!facts.hasVectors)
        return option +
               " needs instances with appearance vectors, which only an embedding model makes; this version has none.";
    return {};
}

/// The options of the box trackers that were chosen, as on the command line; "" none. Body size, time and the longest
/// gap also serve linking.
std::string boxChoices(const TrackerOptions& o) {
    MotOptions chosen = o.mot;
    if (o.linkTracklets) {
        chosen.bodySize.reset();
        chosen.time = MotTime::Auto;
        chosen.linkGateFrames.reset();
    }
    if (chosen == MotOptions())
        return {};
    std::string names;
    const auto add = [&names](bool set, const char* name) {
        if (set)
            names += (names.empty() ? "" : ", ") + std::string(name);
    };
    add(chosen.trackBuffer.has_value(), "--track_buffer");
    add(chosen.minHits.has_value(), "--min_hits");
    add(chosen.highThreshold.has_value(), "--track_high_threshold");
    add(chosen.lowThreshold.has_value(), "--track_low_threshold");
    add(chosen.newTrackThreshold.has_value(), "--new_track_threshold");
    add(chosen.minMatchSimilarity.has_value(), "--min_match_similarity");
    add(names.empty(), "the values of --mot_param");
    return names;
}

/// The options of the classic tracker that were chosen; "" none.
std::string classicChoices(const TrackerOptions& o, const ExplicitChoices& given) {
    const TrackerOptions standard;
    std::string names;
    const auto add = [&names](bool set, const char* name) {
        if (set)
            names += (names.empty() ? "" : ", ") + std::string(name);
    };
    add(given.candidates || o.candidates != standard.candidates, "--candidates_method");
    add(o.windowSize != standard.windowSize, "--tracking_window_size");
    add(o.minNewTrackPoints != standard.minNewTrackPoints, "--min_new_track_points");
    add(o.minMatchPoints != standard.minMatchPoints, "--min_match_points");
    add(o.feature != standard.feature || o.appearanceOnly, "--features");
    add(o.appearanceWeight != 0, "--appearance_weight");
    add(o.euclideanScale.has_value(), "--euclidean_scale");
    add(o.reduction != standard.reduction, "--scoring_reduction");
    add(o.robustQuantile != standard.robustQuantile, "--robust_best_instance");
    add(o.matching != standard.matching, "--track_matching_method");
    add(o.useFlow, "--use_flow");
    add(o.flowImageScale != standard.flowImageScale, "--of_img_scale");
    add(o.flowWindowSize != standard.flowWindowSize, "--of_window_size");
    add(o.flowMaxLevels != standard.flowMaxLevels, "--of_max_levels");
    add(o.useKalman, "--use_kalman");
    add(o.kalmanFeature != standard.kalmanFeature, "--kf_track_features");
    add(o.kalmanInitFrameCount != standard.kalmanInitFrameCount, "--kf_init_frame_count");
    add(!o.kalmanNodes.empty(), "--kf_node_indices");
    add(o.kalmanResetGap != standard.kalmanResetGap, "--kf_reset_gap_size");
    add(o.connectSingleBreaks, "--post_connect_single_breaks");
    return names;
}

/// Box trackers have their own motion and their own scores; what they share is culling, counts and linking.
template <class Note>
Result<TrackerOptions> resolveBoxOptions(TrackerOptions options, const TrackingFacts& facts,
                                         const ExplicitChoices& given, Note note) {
    const std::string tracker(toString(options.tracker));
    if (std::string names = classicChoices(options, given); !names.empty())
        return refuse("The classic tracker's " + names + " would be ignored by --tracker " + tracker +
                      "; leave out what is not meant, or use --tracker classic. (--link_tracklets replaces "
                      "--post_connect_single_breaks.)");
    if (std::string problem = motRangeProblem(options.tracker, options.mot); !problem.empty())
        return refuse(std::move(problem));
    if (given.scoring || options.scoring != ScoringMethod::Oks) {
        const std::array<std::pair<ScoringMethod, MotSimilarity>, 3> known{
            {{ScoringMethod::Oks, MotSimilarity::Oks},
             {ScoringMethod::Iou, MotSimilarity::Iou},
             {ScoringMethod::EuclideanDistance, MotSimilarity::Centroid}}};
        const auto meant = std::find_if(known.begin(), known.end(),
                                        [&options](const auto& pair) { return pair.first == options.scoring; });
        if (meant == known.end())
            return refuse("--scoring_method cosine_sim does not go with --tracker " + tracker +
                          "; use oks, iou or euclidean_dist.");
        if (options.mot.similarity != MotSimilarity::Auto && options.mot.similarity != meant->second)
            return refuse("--scoring_method and --mot_param similarity say different things; give one of them.");
        options.mot.similarity = meant->second;
    }
    if (options.oksStddev && options.mot.similarity != MotSimilarity::Oks)
        return refuse("--oks_stddev would be ignored by --tracker " + tracker +
                      ", which compares boxes; add --scoring_method oks, or leave it out.");
    if (options.maxTracks && !options.linkTracklets) {
        options.linkTracklets = true;
        note("--max_tracks with --tracker " + tracker + " links tracks at the end of each video.");
    }
    if (options.linkTracklets && !options.maxTracks && options.targetInstanceCount) {
        options.maxTracks = options.targetInstanceCount;
        note("--link_tracklets takes the number of animals from --tracking_target_instance_count.");
    }
    if (options.preCullToTarget && !options.targetInstanceCount && facts.maxInstances)
        options.targetInstanceCount = facts.maxInstances;
    if (options.preCullToTarget && !options.targetInstanceCount)
        return refuse(
            "--tracking_pre_cull_to_target needs --tracking_target_instance_count (or --max_instances), the number of "
            "animals.");
    // Idempotent: a second look finds nothing that was derived.
    if (options.mot.similarity == MotSimilarity::Oks)
        options.scoring = ScoringMethod::Oks;
    return options;
}

/// Skein's tracker compares poses in its own way and always links.
template <class Note>
Result<TrackerOptions> resolveSkeinOptions(TrackerOptions options, const TrackingFacts& facts,
                                           const ExplicitChoices& given, Note note) {
    std::string names = classicChoices(options, given);
    const auto add = [&names](bool set, std::string_view name) {
        if (set)
            names += (names.empty() ? "" : ", ") + std::string(name);
    };
    add(given.scoring || options.scoring != ScoringMethod::Oks, "--scoring_method");
    add(options.oksStddev.has_value(), "--oks_stddev");
    options.linkTracklets = true;
    TrackerOptions boxes = options;
    boxes.mot.minHits.reset();
    add(!boxChoices(boxes).empty(), boxChoices(boxes));
    if (!names.empty())
        return refuse(names + " would be ignored by --tracker skein; leave out what is not meant.");
    if (std::string problem = motRangeProblem(options.tracker, options.mot); !problem.empty())
        return refuse(std::move(problem));
    if (!options.maxTracks && options.targetInstanceCount) {
        options.maxTracks = options.targetInstanceCount;
        note("--tracker skein takes the number of animals from --tracking_target_instance_count.");
    }
    if (options.preCullToTarget && !options.targetInstanceCount)
        options.targetInstanceCount = options.maxTracks ? options.maxTracks : facts.maxInstances;
    if (options.preCullToTarget && !options.targetInstanceCount)
        return refuse("--tracking_pre_cull_to_target needs --tracking_target_instance_count, the number of animals.");
    return options;
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
    if (options.tracker == TrackerKind::Skein)
        return resolveSkeinOptions(std::move(options), facts, given, note);
    if (options.tracker != TrackerKind::Classic)
        return resolveBoxOptions(std::move(options), facts, given, note);
    if (std::string names = boxChoices(options); !names.empty())
        return refuse(names + " belong to the trackers sort, bytetrack and ocsort; the classic tracker would ignore " +
                      "them. Choose another --tracker, or leave them out.");
    if (std::string problem = motRangeProblem(options.tracker, options.mot); !problem.empty())
        return refuse(std::move(problem));
    if (options.linkTracklets && !options.maxTracks && options.targetInstanceCount)
        note("--link_tracklets does not know the number of animals: give it by --max_tracks to have no more tracks.");

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
    if (options.appearanceOnly && !given.scoring)
        options.scoring = ScoringMethod::CosineSimilarity;
    if (!options.oksStddev)
        options.oksStddev = options.useKalman && options.kalmanFeature == KalmanFeature::Keypoints ? 0.1 : 0.025;

    if (std::string problem = appearanceProblem(options, facts); !problem.empty())
        return refuse(std::move(problem));
    if (options.appearanceOnly)
        return options;
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
