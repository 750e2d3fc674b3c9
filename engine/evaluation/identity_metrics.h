// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/evaluation/identity_sequence.h"
#include "engine/project/labels.h"

namespace skein::evaluation {

struct IdentityOptions {
    double oksStddev = 0.025;  ///< spread of a node in keypoint similarity
    /// Least similarity of a pair for CLEAR and IDF1; with single-node skeletons the most pixels between the two.
    /// Unset: 0.5, or 50 px.
    std::optional<double> matchThreshold;
    bool userLabelsOnly = false;  ///< of the truth, only what a person labelled counts
};

/// Where a true animal goes on under another predicted track.
struct TrackSwitch {
    std::uint32_t video = 0;      ///< of the truth
    std::int64_t frameIndex = 0;  ///< first frame under the new track
    std::string animal;           ///< true track
    std::string from, to;         ///< predicted tracks
};

struct IdentityMetrics {
    IdentityScores scores;
    std::int64_t frames = 0;  ///< every frame of the truth in videos that were predicted at all
    std::int64_t framesWithoutPrediction = 0;
    std::int64_t trueTracks = 0, predictedTracks = 0;
    std::int64_t untrackedTruth = 0;       ///< true instances without a track: neither right nor wrong
    std::int64_t untrackedPrediction = 0;  ///< predicted instances without a track, which are left out
    std::int64_t ignored = 0;              ///< predicted instances that found a true one without a track
    double switchesPerThousand = 0;        ///< switches per 1000 frames
    std::vector<TrackSwitch> switches;     ///< by video and frame
    /// Median step of the true animals from frame to frame over the median diagonal of their boxes. Above 1 the frames
    /// are too far apart for identities to mean much.
    double stepOverSize = project::kNaN;
    std::vector<std::string> notes;
};

/// Compares tracks, each video by itself. Poses are alike by keypoint similarity (poses without extent by distance);
/// where a skeleton has a single node, by max(0, 1 - d / (2 x threshold)) of the distance d of centroids. A true
/// prediction that a person's label replaces (same track in the frame, or made from it) does not count. As sleap-nn's
/// eval-tracking. Linear in frames.
/// Errors: InvalidArgument, one sentence (nothing in common, no tracks, a track twice in a frame).
[[nodiscard]] Result<IdentityMetrics> identityMetrics(const project::Labels& truth, const project::Labels& prediction,
                                                      const IdentityOptions& options = {});

/// Whether any instance has a track.
[[nodiscard]] bool hasTracks(const project::Labels& labels);

}  // namespace skein::evaluation
