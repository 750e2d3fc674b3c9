// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tracking_arguments.h"

#include <charconv>

#include "app/arguments.h"

namespace skein::app {

namespace {

template <class Number>
Result<Number> parseNumber(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return fail(ErrorCode::InvalidArgument, "\"" + std::string(text) + "\" in --mot_param is not a number.");
    return value;
}
Result<int> wholeNumber(std::string_view text) {
    return parseNumber<int>(text);
}
Result<double> realNumber(std::string_view text) {
    return parseNumber<double>(text);
}

}  // namespace

void TrackingArguments::addTo(CLI::App& command) {
    m_command = &command;
    tracking::TrackerOptions& o = m_options;
    const auto add = [&](const std::string& name, auto& value, const std::string& help) {
        addOption(command, name, value, help)->group("Tracking");
    };
    // First: options are taken over in this order, so that each other one overrules the preset.
    std::string presets;
    for (const tracking::TrackingPreset& preset : tracking::trackingPresets())
        presets += (presets.empty() ? "" : ", ") + std::string(preset.key);
    command
        .add_option_function<std::string>(
            bothSpellings("--tracking_preset,--preset"),
            [this](const std::string& key) {
                auto preset = tracking::findPreset(key);
                if (!preset) {
                    m_presetProblem = preset.error();
                    return;
                }
                m_preset = *preset;
                m_options = m_preset->options;
            },
            "A choice of what follows: " + presets)
        ->group("Tracking");
    add("--tracker", m_tracker, "classic (default), skein, or by boxes: sort, bytetrack, ocsort");
    add("--tracking_window_size", o.windowSize, "Frames (or instances per track) that are remembered [5]");
    add("--candidates_method", m_candidates, "fixed_window (default) or local_queues");
    add("--min_new_track_points", o.minNewTrackPoints, "A new track needs more visible nodes than this [0]");
    add("--min_match_points", o.minMatchPoints, "A candidate needs more visible nodes than this [0]");
    add("--features", m_features, "keypoints (default), centroids, bboxes or embeddings");
    add("--scoring_method", m_scoring, "oks (default), iou, cosine_sim or euclidean_dist");
    add("--scoring_reduction", m_reduction, "mean (default), max or robust_quantile");
    add("--robust_best_instance", o.robustQuantile, "Quantile of robust_quantile [1.0]");
    add("--oks_stddev", m_oksStddev, "Spread of the keypoint similarity [0.025]");
    add("--track_matching_method", m_matching, "hungarian (default) or greedy");
    add("--appearance_weight", o.appearanceWeight, "Share of appearance vectors in the score [0]");
    add("--euclidean_scale", o.euclideanScale, "Pixels over which a distance's score falls, with the above");
    add("--max_tracks", m_maxTracks, "Most tracks per video; box trackers: the number of animals");
    add("--of_img_scale", o.flowImageScale, "Image scale for optical flow [1.0]");
    add("--of_window_size", o.flowWindowSize, "Window of optical flow in pixels [21]");
    add("--of_max_levels", o.flowMaxLevels, "Pyramid levels of optical flow [3]");
    add("--kf_track_features", m_kalmanFeature, "centroid (default) or keypoints");
    add("--kf_init_frame_count", o.kalmanInitFrameCount, "Frames before Kalman filters start [10]");
    add("--kf_node_indices", m_kalmanNodes, "Nodes the filters follow, as 0,1,2");
    add("--kf_reset_gap_size", o.kalmanResetGap, "Frames without a detection after which a filter restarts [5]");
    add("--tracking_target_instance_count", m_targetCount, "Number of animals");
    add("--tracking_pre_cull_to_target", m_preCull, "1: drop instances beyond the target before tracking [0]");
    add("--tracking_pre_cull_iou_threshold", o.preCullIou, "Overlap at which the pre-cull drops first [0]");
    add("--tracking_clean_instance_count", o.cleanInstanceCount, "Keep at most this many after tracking [0: all]");
    add("--tracking_clean_iou_threshold", o.cleanIou, "Overlap at which the cleaning drops first [0]");
    const auto box = [&](const std::string& name, auto& value, const std::string& help) {
        addOption(command, name, value, help)->group("Tracking by boxes");
    };
    box("--track_buffer", o.mot.trackBuffer, "Steps that a lost track is kept [30]");
    box("--min_hits", o.mot.minHits, "Detections until a track counts [3; bytetrack 2]");
    box("--track_high_threshold", o.mot.highThreshold, "Sure detections score above [sort 0.1, 0.5, ocsort 0.6]");
    box("--track_low_threshold", o.mot.lowThreshold, "Doubtful detections score above [0.1]");
    box("--new_track_threshold", o.mot.newTrackThreshold, "Score that a new track needs [sort 0.1, others 0.6]");
    box("--min_match_similarity", o.mot.minMatchSimilarity, "Least similarity of a match [0.3; bytetrack 0.2]");
    box("--appearance_threshold", m_appearanceThreshold, "Not used by the trackers of this version");
    command.add_option(bothSpellings("--mot_param"), m_motParameters, "KEY=VALUE, any constant of a box tracker")
        ->group("Tracking by boxes");
    const auto flag = [&](const std::string& name, bool& value, const std::string& help) {
        addFlag(command, name, value, help)->group("Tracking");
    };
    flag("--use_flow", o.useFlow, "Move candidates by optical flow");
    flag("--use_kalman", o.useKalman, "Move candidates by Kalman filters");
    flag("--link_tracklets", o.linkTracklets, "After a video, join tracks that broke off or were mixed up");
    flag("--post_connect_single_breaks", o.connectSingleBreaks, "Continue a lost track with the only new one");
}

std::vector<std::string> TrackingArguments::given() const {
    std::vector<std::string> names;
    for (const CLI::Option* option : m_command->get_options())
        if (option->count() > 0 && option->get_group().starts_with("Tracking"))
            names.push_back(option->get_name());
    return names;
}

Result<tracking::TrackerOptions> TrackingArguments::resolve(const tracking::TrackingFacts& facts,
                                                            bool matchSleapNn) const {
    if (m_presetProblem)
        return fail(Error(*m_presetProblem));
    if (!m_appearanceThreshold.empty())
        return fail(ErrorCode::InvalidArgument,
                    "--appearance_threshold belongs to trackers that compare appearance, which this version does not "
                    "have; leave it out.");
    tracking::TrackerOptions options = m_options;
    options.matchSleapNn = matchSleapNn;
    options.maxTracks = m_maxTracks;
    options.targetInstanceCount = m_targetCount;
    if (m_oksStddev)
        options.oksStddev = m_oksStddev;
    options.preCullToTarget = m_preCull != 0;
    if (auto counted = applyCount(options, facts); !counted)
        return fail(std::move(counted.error()));

    std::optional<Error> problem;
    const auto read = [&problem](const std::string& text, auto parse, auto& into) {
        if (text.empty() || problem)
            return;
        auto value = parse(text);
        if (value)
            into = *value;
        else
            problem = value.error();
    };
    read(m_tracker, tracking::parseTracker, options.tracker);
    read(m_candidates, tracking::parseCandidateMethod, options.candidates);
    if (m_features == "embeddings")
        options.appearanceOnly = true;
    else
        read(m_features, tracking::parseFeature, options.feature);
    read(m_scoring, tracking::parseScoringMethod, options.scoring);
    read(m_reduction, tracking::parseScoreReduction, options.reduction);
    read(m_matching, tracking::parseMatchingMethod, options.matching);
    read(m_kalmanFeature, tracking::parseKalmanFeature, options.kalmanFeature);
    read(m_kalmanNodes, tracking::parseNodeIndices, options.kalmanNodes);
    for (const std::string& text : m_motParameters) {
        auto parameter = tracking::splitMotParameter(text);
        if (!parameter)
            return fail(std::move(parameter.error()));
        // Two of them have an option of their own that all trackers share.
        if (parameter->key == "max_tracks")
            read(parameter->value, wholeNumber, options.maxTracks);
        else if (parameter->key == "oks_stddev")
            read(parameter->value, realNumber, options.oksStddev);
        else if (parameter->key == "link_tracklets")
            options.linkTracklets = options.linkTracklets || parameter->value == "true" || parameter->value == "1";
        else if (auto set = tracking::setMotParameter(options.mot, *parameter); !set)
            return fail(std::move(set.error()));
    }
    if (problem)
        return fail(std::move(*problem));

    std::vector<std::string> notes;
    auto resolved = tracking::resolveOptions(
        options, facts,
        {.feature = !m_features.empty(), .scoring = !m_scoring.empty(), .candidates = !m_candidates.empty()}, &notes);
    for (const std::string& note : notes)
        printWarning(note);
    return resolved;
}

/// A preset that does better with the number of animals takes it from wherever it is said.
Result<void> TrackingArguments::applyCount(tracking::TrackerOptions& options,
                                           const tracking::TrackingFacts& facts) const {
    if (m_preset == nullptr || !m_preset->usesCount)
        return {};
    if (!options.maxTracks)
        options.maxTracks = m_targetCount ? m_targetCount : facts.maxInstances;
    if (m_preset->needsCount && !options.maxTracks)
        return fail(ErrorCode::InvalidArgument,
                    "The preset " + std::string(m_preset->key) +
                        " needs the number of animals; give it by --max_tracks, or take --preset skein, which does "
                        "without.");
    // What a known number asks for is the preset's choice, and nothing to be told of.
    if (!options.maxTracks || !m_tracker.empty())
        return {};
    if (options.tracker == tracking::TrackerKind::Classic)
        options.candidates = tracking::CandidateMethod::LocalQueues;
    else
        options.linkTracklets = true;
    return {};
}

}  // namespace skein::app
