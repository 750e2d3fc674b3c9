// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/project/skeleton.h"
#include "engine/tracking/mot_options.h"

namespace skein::tracking {

/// Which earlier instances a detection is compared with.
enum class CandidateMethod {
    FixedWindow,  ///< those of the last frames; an identity not seen for that long is forgotten
    LocalQueues   ///< the last ones of each track, however long ago
};

/// What of an instance is compared.
enum class Feature {
    Keypoints,  ///< all nodes
    Centroids,  ///< median of the visible nodes, per axis
    Boxes       ///< extent of the visible nodes
};

/// How two features are compared; a higher score is a better match.
enum class ScoringMethod {
    Oks,               ///< object keypoint similarity, 0 to 1; Feature::Keypoints only
    Iou,               ///< intersection over union of boxes, 0 to 1; Feature::Boxes only
    CosineSimilarity,  ///< -1 to 1
    EuclideanDistance  ///< minus the distance in pixels
};

/// How the scores of one detection with the candidates of one track become one.
enum class ScoreReduction { Mean, Max, RobustQuantile };

/// How detections are given to tracks.
enum class MatchingMethod { Hungarian, Greedy };

/// What the Kalman filters follow.
enum class KalmanFeature { Centroid, Keypoints };

/// Options of all trackers: sleap-nn's, with its defaults. Fill in, pass through resolveOptions(), then makeTracker().
/// Names on the command line stand in brackets where they differ from the obvious one.
///
/// All trackers have maxTracks, the target count, the pre-cull and the cleaning, and linkTracklets; `mot` belongs to
/// the box trackers, everything else to the classic one. resolveOptions() refuses options of the other kind.
struct TrackerOptions {
    /// The algorithm [tracker].
    TrackerKind tracker = TrackerKind::Classic;
    /// Constants of the box trackers.
    MotOptions mot;
    /// After a video: join what belongs together in tracks that broke off or were mixed up (see linkTracklets());
    /// maxTracks is then the number of animals. A box tracker with maxTracks always does [link_tracklets].
    bool linkTracklets = false;

    /// Frames (FixedWindow) or instances per track (LocalQueues) that are remembered [tracking_window_size].
    int windowSize = 5;
    /// Which earlier instances are candidates [candidates_method].
    CandidateMethod candidates = CandidateMethod::FixedWindow;
    /// A detection starts a new track only if it has more visible nodes than this [min_new_track_points].
    int minNewTrackPoints = 0;
    /// An earlier instance is a candidate only if it has more visible nodes than this [min_match_points].
    int minMatchPoints = 0;
    /// What is compared [features].
    Feature feature = Feature::Keypoints;
    /// Compare appearance vectors and nothing else [features embeddings].
    bool appearanceOnly = false;
    /// Share of the vectors' cosine similarity in the score of pairs that both have one, 0 to 1 [appearance_weight].
    double appearanceWeight = 0;
    /// With ScoringMethod::EuclideanDistance and appearanceWeight: the distance d in pixels counts as exp(-d / this)
    /// [euclidean_scale].
    std::optional<double> euclideanScale;
    /// How it is compared [scoring_method].
    ScoringMethod scoring = ScoringMethod::Oks;
    /// How several scores become one [scoring_reduction].
    ScoreReduction reduction = ScoreReduction::Mean;
    /// The quantile of ScoreReduction::RobustQuantile, 0 to 1 [robust_best_instance].
    double robustQuantile = 1.0;
    /// Spread of the object keypoint similarity; larger forgives more movement. Unset: 0.025, or 0.1 when Kalman
    /// filters follow the nodes [oks_stddev].
    std::optional<double> oksStddev;
    /// How detections are given to tracks [track_matching_method].
    MatchingMethod matching = MatchingMethod::Hungarian;
    /// Most tracks per video [max_tracks]. Classic: switches to LocalQueues, detections beyond it are dropped. Box
    /// trackers: the number of animals; what is none of them has no track.
    std::optional<int> maxTracks;

    /// Move candidates to the current frame by optical flow before they are compared; needs the images [use_flow].
    bool useFlow = false;
    /// Factor by which images are scaled for the flow [of_img_scale].
    double flowImageScale = 1.0;
    /// Side of the flow's search window in pixels, at least 3 [of_window_size].
    int flowWindowSize = 21;
    /// Pyramid levels above the full image [of_max_levels].
    int flowMaxLevels = 3;

    /// Move candidates to the current frame by a constant-velocity Kalman filter per track [use_kalman].
    bool useKalman = false;
    /// What the filters follow [kf_track_features].
    KalmanFeature kalmanFeature = KalmanFeature::Centroid;
    /// Frames seen before filters are fitted, and the most a fit looks back [kf_init_frame_count].
    int kalmanInitFrameCount = 10;
    /// Nodes the filters follow, by position in the skeleton; empty: all [kf_node_indices].
    std::vector<int> kalmanNodes;
    /// A filter is discarded after more than this many frames without an accepted detection [kf_reset_gap_size].
    int kalmanResetGap = 5;
    /// Share of the predicted movement that is applied to a candidate, 0 to 1.
    double kalmanBlend = 0.5;
    /// A detection farther from the prediction than this multiple of the track's usual step is not believed...
    double kalmanGateSteps = 8.0;
    /// ...unless it is within this many pixels.
    double kalmanMinGatePx = 40.0;
    /// Velocities are cut at this multiple of the track's usual step...
    double kalmanVelocityCapSteps = 3.0;
    /// ...or at this many pixels a frame, whichever is larger.
    double kalmanMinVelocityCapPx = 15.0;

    /// Animals that are there; used by preCullToTarget, connectSingleBreaks and useKalman
    /// [tracking_target_instance_count].
    std::optional<int> targetInstanceCount;
    /// Drop predicted instances beyond the target before tracking [tracking_pre_cull_to_target].
    bool preCullToTarget = false;
    /// Where the pre-cull drops, drop first what overlaps by more than this; 0: by score only
    /// [tracking_pre_cull_iou_threshold].
    double preCullIou = 0.0;
    /// Drop predicted instances beyond this many after tracking; 0: none [tracking_clean_instance_count].
    int cleanInstanceCount = 0;
    /// As preCullIou, for cleanInstanceCount [tracking_clean_iou_threshold].
    double cleanIou = 0.0;
    /// A track that begins while exactly one other is missing continues that one [post_connect_single_breaks].
    bool connectSingleBreaks = false;

    /// Reproduce sleap-nn's known defects: with minNewTrackPoints, instances without a track compete as if they were
    /// one track together, and what matches them is lost.
    bool matchSleapNn = false;

    friend bool operator==(const TrackerOptions&, const TrackerOptions&) = default;
};

/// Choices a person made, as against defaults: a single-node skeleton changes only defaults.
struct ExplicitChoices {
    bool feature = false;
    bool scoring = false;
    bool candidates = false;
};

/// What resolveOptions() needs to know about the job.
struct TrackingFacts {
    /// Nodes of each skeleton of the project or model; empty: not known.
    std::vector<int> skeletonNodeCounts;
    /// The run's cap on instances per frame, which stands in for a missing target count and track cap.
    std::optional<int> maxInstances;
    /// Images of the frames can be had (a flow tracker needs them).
    bool hasImages = true;
    /// Instances carry appearance vectors (no model of this version makes them, and .slp files' are not read).
    bool hasVectors = false;
};

[[nodiscard]] TrackingFacts factsOf(const std::vector<project::Skeleton>& skeletons);

/// Derives what depends on other options and refuses what cannot work, before any work: the result is what
/// makeTracker() takes. Idempotent. `notes`, where given, gets one sentence for each option that was changed. Errors:
/// InvalidArgument, one sentence that names the options as on the command line.
[[nodiscard]] Result<TrackerOptions> resolveOptions(TrackerOptions options, const TrackingFacts& facts,
                                                    const ExplicitChoices& given = {},
                                                    std::vector<std::string>* notes = nullptr);

/// Option values as written on the command line ("fixed_window", "keypoints", "oks", ...), and back.
/// Errors: InvalidArgument, with the values that are possible.
[[nodiscard]] Result<CandidateMethod> parseCandidateMethod(std::string_view text);
[[nodiscard]] Result<Feature> parseFeature(std::string_view text);
[[nodiscard]] Result<ScoringMethod> parseScoringMethod(std::string_view text);
[[nodiscard]] Result<ScoreReduction> parseScoreReduction(std::string_view text);
[[nodiscard]] Result<MatchingMethod> parseMatchingMethod(std::string_view text);
[[nodiscard]] Result<KalmanFeature> parseKalmanFeature(std::string_view text);
/// "0,1,2"; empty text gives no nodes.
[[nodiscard]] Result<std::vector<int>> parseNodeIndices(std::string_view text);

[[nodiscard]] std::string_view toString(CandidateMethod value);
[[nodiscard]] std::string_view toString(Feature value);
[[nodiscard]] std::string_view toString(ScoringMethod value);
[[nodiscard]] std::string_view toString(ScoreReduction value);
[[nodiscard]] std::string_view toString(MatchingMethod value);
[[nodiscard]] std::string_view toString(KalmanFeature value);

}  // namespace skein::tracking
