// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/evaluation/frame_pairs.h"
#include "engine/project/labels.h"

namespace skein::evaluation {

/// How predicted instances find their true ones.
enum class MatchMethod {
    Auto,      ///< Centroid for a prediction of a single node, else Oks
    Oks,       ///< whole pose by object keypoint similarity
    Centroid,  ///< one point by distance
};

struct PoseOptions {
    MatchMethod method = MatchMethod::Auto;
    double oksStddev = 0.025;        ///< spread of a node in keypoint similarity, larger forgives more
    std::optional<double> oksScale;  ///< area in square pixels in place of that of the true pose
    /// Oks: a pair needs more similarity than this. Centroid: most pixels between the two. Unset: 0, or 50 px.
    std::optional<double> matchThreshold;
    bool userLabelsOnly = true;  ///< of the truth, only what a person labelled counts
};

/// Distances of matched nodes in pixels: mean and percentiles (linear interpolation) over all nodes that exist on both
/// sides. NaN without any.
struct DistanceSummary {
    double mean = project::kNaN;
    double p50 = project::kNaN, p75 = project::kNaN, p90 = project::kNaN, p95 = project::kNaN, p99 = project::kNaN;
};

/// Average precision in the way of PASCAL VOC, over matched pairs ranked by instance score: a pair is right when its
/// match score reaches the threshold. Precision is interpolated at 101 recalls. As sleap-nn (and SLEAP) define it,
/// predictions without a partner do not count as wrong; PoseMetrics::precision counts them.
struct VocMetrics {
    static constexpr std::size_t kThresholds = 10;
    std::array<double, kThresholds> averagePrecision{};  ///< at match scores 0.50, 0.55, ... 0.95
    std::array<double, kThresholds> recall{};            ///< share of true instances found at these scores
    double mAP = 0;                                      ///< mean of averagePrecision
    double mAR = 0;                                      ///< mean of recall
};

/// How well poses were found. Source of definitions: sleap-nn's evaluation (0.3.5), which follows SLEAP's; OKS from
/// COCO (Lin et al.; Ronchi & Perona, ICCV 2017), VOC scores from PASCAL VOC, PCK from Yang & Ramanan (pixels here).
struct PoseMetrics {
    MatchMethod method = MatchMethod::Oks;  ///< the one that was used
    std::int64_t frames = 0;                ///< compared: in both files, with labels that count
    std::int64_t matched = 0;               ///< pairs of a true and a predicted instance
    std::int64_t missed = 0;                ///< true instances without a partner
    std::int64_t surplus = 0;               ///< predicted instances without a partner, in compared frames
    double precision = project::kNaN;       ///< matched / (matched + surplus)
    double recall = project::kNaN;          ///< matched / (matched + missed)
    double f1 = project::kNaN;              ///< harmonic mean of the two

    DistanceSummary distance;  ///< of nodes, or of centroids with MatchMethod::Centroid

    // Below: MatchMethod::Oks only, NaN or 0 otherwise.
    double mOks = project::kNaN;  ///< mean similarity of pairs
    VocMetrics oksVoc;            ///< ranked by similarity
    VocMetrics pckVoc;            ///< ranked by the pair's mean PCK over nodes and thresholds
    /// Share of the nodes of matched pairs that are closer than 1, 2, ... 10 px; a node missing on either side is not.
    std::array<double, 10> pck{};
    double mPck = project::kNaN;     ///< mean over these thresholds
    std::vector<double> mPckOfNode;  ///< the same per node, in skeleton order
    /// Nodes of matched pairs: there in both, only predicted, in neither, only true.
    std::int64_t visibleBoth = 0, visiblePredicted = 0, visibleNeither = 0, visibleTrue = 0;
    double visibilityPrecision = project::kNaN;  ///< visibleBoth / (visibleBoth + visiblePredicted)
    double visibilityRecall = project::kNaN;     ///< visibleBoth / (visibleBoth + visibleTrue)

    std::vector<double> distances;   ///< of all nodes compared, ascending, in pixels; for histograms
    std::vector<std::string> nodes;  ///< names for mPckOfNode
    std::vector<std::string> notes;  ///< what a reader of the figures should know
};

/// Matches per frame: predictions by falling score take the most similar true instance that is still free
/// (MatchMethod::Oks), or all at once by least total distance (MatchMethod::Centroid). Linear in frames.
/// Errors: InvalidArgument, one sentence (nothing in common, different skeletons, no labels that count, no
/// prediction).
[[nodiscard]] Result<PoseMetrics> poseMetrics(const project::Labels& truth, const project::Labels& prediction,
                                              const PoseOptions& options = {});

}  // namespace skein::evaluation
