// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace skein::inference {

enum class OverlapMethod { Iou, Oks };

/// What the network computes with. Only Exact gives the results that everything is compared with.
enum class Precision {
    Exact,  ///< float32
    Tf32,   ///< products with 10 bits of fraction on GPUs that have them; as Exact elsewhere
    Half    ///< UNet: float16 on a GPU, bfloat16 on a processor that computes with it; else as Exact, with a warning
};

/// Batch size that is found by measuring, see fastestBatchSize().
inline constexpr int kAutomaticBatch = 0;

/// What is left out after the peaks have become instances; everything is off by default. Applied in the order of the
/// fields (see applyFilters).
struct FilterOptions {
    double minPeakValue = 0;  ///< points with a lower score become absent
    int minVisibleNodes = 0;
    double minVisibleNodeFraction = 0;
    double minInstanceScore = 0;  ///< without effect on single-instance models, whose score is made afterwards
    double minMeanNodeScore = 0;  ///< an absent point of a single or centered instance counts as 0
    bool overlapping = false;     ///< drop instances that look like a better one of the same frame
    OverlapMethod overlapMethod = OverlapMethod::Iou;
    double overlapThreshold = 0.8;   ///< likeness above which the lower-scored instance goes
    double minCentroidDistance = 0;  ///< image pixels; centroid and top-down models only
};

/// Options of a run, with sleap-nn predict's defaults. Unset optionals: as the model was trained.
struct InferenceOptions {
    /// auto (the first GPU, else the CPU), cpu, cuda (the first GPU), cuda:N, several as cuda:0,1, or cuda:all.
    std::string device = "auto";
    int batchSize = 4;  ///< frames, or kAutomaticBatch
    Precision precision = Precision::Exact;
    double peakThreshold = 0.2;  ///< peaks need more than this (single and centered instance: at least this)
    bool integralRefinement = true;
    int integralPatchSize = 5;                    ///< odd; an even size has a constant bias of half a map pixel
    int maxInstances = 0;                         ///< per frame, 0 no limit
    std::optional<double> centroidPeakThreshold;  ///< of the first of two models; unset: peakThreshold
    std::optional<double> inputScale;
    std::optional<int> maxHeight;
    std::optional<int> maxWidth;
    std::optional<bool> ensureRgb;
    std::optional<bool> ensureGrayscale;
    std::optional<int> cropSize;            ///< side of the crops of a centered-instance model
    std::optional<std::string> anchorPart;  ///< node that given centroids are taken from

    FilterOptions filters;

    // Part affinity fields (bottom-up only).
    double maxEdgeLengthRatio = 0.25;
    double distPenaltyWeight = 1.0;
    int nPoints = 10;  ///< samples along a candidate edge
    /// Instances with fewer peaks are dropped: a value >= 1 counts nodes, below 1 it is a share of the skeleton's
    /// nodes.
    double minInstancePeaks = 0;
    double minLineScores = 0.25;
    /// A frame in which one node has more peaks than this gives no instances (with matchSleapNn: its whole batch); 0:
    /// off.
    int maxPeaksPerNode = 0;

    bool cudaGraphs = true;  ///< record what a batch queues on a GPU and start it as a whole from then on

    bool matchSleapNn = false;  ///< reproduce the peer's known defects, for comparisons
    int cpuThreads = 0;         ///< LibTorch threads, 0: all cores
};

}  // namespace skein::inference
