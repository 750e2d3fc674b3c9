// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tracking_arguments.h"

#include "app/arguments.h"

namespace skein::app {

void TrackingArguments::addTo(CLI::App& command) {
    m_command = &command;
    tracking::TrackerOptions& o = m_options;
    const auto add = [&](const std::string& name, auto& value, const std::string& help) {
        addOption(command, name, value, help)->group("Tracking");
    };
    add("--tracker", m_tracker, "Tracker: classic");
    add("--tracking_window_size", o.windowSize, "Frames (or instances per track) that are remembered [5]");
    add("--candidates_method", m_candidates, "fixed_window (default) or local_queues");
    add("--min_new_track_points", o.minNewTrackPoints, "A new track needs more visible nodes than this [0]");
    add("--min_match_points", o.minMatchPoints, "A candidate needs more visible nodes than this [0]");
    add("--features", m_features, "keypoints (default), centroids or bboxes");
    add("--scoring_method", m_scoring, "oks (default), iou, cosine_sim or euclidean_dist");
    add("--scoring_reduction", m_reduction, "mean (default), max or robust_quantile");
    add("--robust_best_instance", o.robustQuantile, "Quantile of robust_quantile [1.0]");
    add("--oks_stddev", m_oksStddev, "Spread of the keypoint similarity [0.025]");
    add("--track_matching_method", m_matching, "hungarian (default) or greedy");
    add("--max_tracks", m_maxTracks, "Most tracks per video");
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
    const auto flag = [&](const std::string& name, bool& value, const std::string& help) {
        addFlag(command, name, value, help)->group("Tracking");
    };
    flag("--use_flow", o.useFlow, "Move candidates by optical flow");
    flag("--use_kalman", o.useKalman, "Move candidates by Kalman filters");
    flag("--post_connect_single_breaks", o.connectSingleBreaks, "Continue a lost track with the only new one");
}

Result<tracking::TrackerOptions> TrackingArguments::resolve(const tracking::TrackingFacts& facts,
                                                            bool matchSleapNn) const {
    if (m_tracker != "classic")
        return fail(ErrorCode::Unsupported,
                    "The tracker \"" + m_tracker + "\" is not known to this version; use --tracker classic.");
    tracking::TrackerOptions options = m_options;
    options.matchSleapNn = matchSleapNn;
    options.maxTracks = m_maxTracks;
    options.targetInstanceCount = m_targetCount;
    options.oksStddev = m_oksStddev;
    options.preCullToTarget = m_preCull != 0;

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
    read(m_candidates, tracking::parseCandidateMethod, options.candidates);
    read(m_features, tracking::parseFeature, options.feature);
    read(m_scoring, tracking::parseScoringMethod, options.scoring);
    read(m_reduction, tracking::parseScoreReduction, options.reduction);
    read(m_matching, tracking::parseMatchingMethod, options.matching);
    read(m_kalmanFeature, tracking::parseKalmanFeature, options.kalmanFeature);
    read(m_kalmanNodes, tracking::parseNodeIndices, options.kalmanNodes);
    if (problem)
        return fail(std::move(*problem));

    std::vector<std::string> notes;
    auto resolved = tracking::resolveOptions(options, facts,
                                             {.feature = !m_features.empty(), .scoring = !m_scoring.empty()}, &notes);
    for (const std::string& note : notes)
        printWarning(note);
    return resolved;
}

}  // namespace skein::app
