// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/project/labels.h"

namespace skein::ui {

/// What the strips of the timeline can show. Where SLEAP has a statistic of the same name, the values are its values;
/// what that means for missing nodes stands at each.
enum class Statistic {
    InstanceCount,  ///< instances as they are drawn: without predictions that a user instance was made from
    /// For each instance its nodes' distances (px) to the first instance of the same track on the recorded frame
    /// before, reduced; instances are added up. Sum and max: an instance that lacks a node on either frame counts 0.
    PointDisplacementSum,
    PointDisplacementMean,
    PointDisplacementMax,
    /// How far (px) the primary node of each track is from where it was last, over all tracks. 0 on frames without a
    /// record, and where a track's instance lacks the node here or on the frame before.
    PrimaryDisplacementSum,
    PrimaryDisplacementMax,
    TrackingScoreMean,  ///< of instances that have one
    TrackingScoreMin,
    InstanceScoreSum,  ///< of predictions; sum and min: 0 where there is none
    InstanceScoreMin,
    InstanceScoreMean,
    PointScoreSum,  ///< of the predictions' existing nodes; sum and min: 0 where there is none
    PointScoreMin,
    PointScoreMean,
    PredictedPoints,  ///< existing nodes of predictions
    /// px; predictions that a user instance was made from, or that have its track, are left out, so that no animal is
    /// compared with itself. A centroid is the median of the existing nodes, by axis.
    MinCentroidDistance,
    TrackSpeed,             ///< of one track, px a frame: its centre (mean of existing nodes) since it was seen last
    SwapSuspicion,          ///< 0 to 1, as SwapSuspicion in statistic_motion.cpp says
    UserPredictionDistance  ///< px: mean over nodes of a user instance and its prediction, mean over the pairs
};
inline constexpr int kStatistics = 19;

struct StatisticRequest {
    Statistic statistic = Statistic::InstanceCount;
    std::uint32_t video = 0;
    int primaryNode = 0;  ///< of the PrimaryDisplacements
    int track = -1;       ///< of TrackSpeed
    friend bool operator==(const StatisticRequest&, const StatisticRequest&) = default;
};

/// Values on frames `first` to `last`, both included; NaN: none. Records of the same frame count together. Cost: the
/// instances of these frames, and going back to where their tracks were last. Thread-compatible.
[[nodiscard]] std::vector<double> statisticOf(const project::Labels& labels, const StatisticRequest& request,
                                              std::int64_t first, std::int64_t last);

/// Frames whose value can differ after the frames `first` to `last` were changed from what they are in `before` to what
/// they are in `after`; none beyond `frames`.
[[nodiscard]] std::pair<std::int64_t, std::int64_t> framesConcerned(const project::Labels& before,
                                                                    const project::Labels& after,
                                                                    const StatisticRequest& request, std::int64_t first,
                                                                    std::int64_t last, std::int64_t frames);

/// Centre of the existing nodes: their mean; nullopt without any.
[[nodiscard]] std::optional<std::pair<double, double>> centreOf(std::span<const project::Point> points);

}  // namespace skein::ui
