// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace skein::tracking {

/// Which algorithm hands identities on.
enum class TrackerKind {
    Classic,    ///< SLEAP's: detections against those of the last frames
    Sort,       ///< SORT (Bewley et al. 2016): Kalman boxes, one assignment
    ByteTrack,  ///< ByteTrack (Zhang et al. 2022): sure detections first, then the doubtful ones
    OcSort,     ///< OC-SORT (Cao et al. 2023): Kalman boxes, corrected by what was observed
    Skein       ///< Skein's own: poses that move evenly, no match where none is likely, then linking
};

/// How a box or pose that is expected is compared with one that is found.
enum class MotSimilarity {
    Auto,     ///< Centroid for a skeleton of one node, else Iou
    Iou,      ///< overlap of padded boxes
    Oks,      ///< keypoint similarity with the last pose, moved as the box
    Centroid  ///< exp(-d^2 / 2 (body / 2)^2) of the box centres
};

/// What a Kalman filter follows besides the centre.
enum class MotKalman {
    Auto,  ///< as the tracker's preset
    Xywh,  ///< width and height, noise by size
    Xyah,  ///< aspect ratio and height, noise by height
    Xysr   ///< area and aspect ratio, fixed noise
};

enum class MotPreset {
    Animal,  ///< constants for poses of animals
    Paper    ///< constants as published
};

/// Where a detection's confidence comes from.
enum class MotScore {
    Auto,      ///< mean of its nodes' scores; the instance score where there are none
    Instance,  ///< the instance score
    None       ///< everything is equally sure
};

/// What a step in time is.
enum class MotTime {
    Auto,    ///< Frames where frames come at regular distances, else Steps
    Frames,  ///< frame numbers count: a gap of several frames lets tracks age
    Steps    ///< every processed frame is one step
};

/// What was chosen for a box tracker; unset values are those of the preset. Names on the command line stand in
/// brackets; those with "=" are values of --mot_param.
struct MotOptions {
    MotPreset preset = MotPreset::Animal;            ///< [preset=]
    MotSimilarity similarity = MotSimilarity::Auto;  ///< [similarity=, or --scoring_method oks|iou|euclidean_dist]
    MotKalman kalman = MotKalman::Auto;              ///< [kalman=]
    MotScore score = MotScore::Auto;                 ///< [score_mode=]
    MotTime time = MotTime::Auto;                    ///< [time_base=]
    std::optional<int> trackBuffer;                  ///< steps that a lost track is kept [--track_buffer]
    std::optional<int> minHits;                      ///< detections until a track counts [--min_hits]
    std::optional<double> highThreshold;             ///< sure detections score above [--track_high_threshold]
    std::optional<double> lowThreshold;              ///< doubtful ones score above [--track_low_threshold]
    std::optional<double> newTrackThreshold;         ///< score of a new track [--new_track_threshold]
    std::optional<double> minMatchSimilarity;        ///< least similarity of a match [--min_match_similarity]
    std::optional<double> lowStageMinSimilarity;     ///< the same for doubtful detections [low_stage_min_similarity=]
    std::optional<double> unconfirmedMinSimilarity;  ///< the same for new tracks [unconfirmed_min_similarity=]
    std::optional<double> duplicateSimilarity;       ///< more overlap is the same animal [duplicate_similarity=]
    std::optional<bool> fuseScore;                   ///< similarity times score decides [fuse_score=]
    std::optional<bool> normalizeScores;             ///< scores over their 95th percentile [normalize_scores=]
    std::optional<double> boxPadding;                ///< share of a box's longer side, each side [box_padding=]
    std::optional<double> bodySize;                  ///< length of an animal in pixels; else measured [body_size=]
    std::optional<int> deltaT;                       ///< steps over which a direction is taken [delta_t=]
    std::optional<double> inertia;                   ///< weight of the direction [inertia=]
    std::optional<bool> useByte;                     ///< OC-SORT: a stage for doubtful detections [use_byte=]
    std::optional<int> linkGateFrames;               ///< longest gap that linking bridges [link_spatial_gate_frames=]

    friend bool operator==(const MotOptions&, const MotOptions&) = default;
};

/// The constants that a box tracker runs with.
struct MotParameters {
    TrackerKind tracker = TrackerKind::Sort;
    MotSimilarity similarity = MotSimilarity::Auto;
    MotKalman kalman = MotKalman::Xysr;
    MotScore score = MotScore::Auto;
    MotTime time = MotTime::Auto;
    int trackBuffer = 30;
    int minHits = 3;
    double highThreshold = 0.5;
    double lowThreshold = 0.1;
    double newTrackThreshold = 0.6;
    double minMatchSimilarity = 0.3;
    double lowStageMinSimilarity = 0.5;
    double unconfirmedMinSimilarity = 0.3;
    double duplicateSimilarity = 0.85;
    bool fuseScore = false;
    bool normalizeScores = true;
    double boxPadding = 0.1;
    double oksStddev = 0.1;
    std::optional<double> bodySize;
    int deltaT = 3;
    double inertia = 0.2;
    bool useByte = false;
};

/// Preset and choices together. `oksStddev` unset: 0.1.
[[nodiscard]] MotParameters motParameters(TrackerKind tracker, const MotOptions& options,
                                          std::optional<double> oksStddev);

/// "" or what is out of range, one sentence.
[[nodiscard]] std::string motRangeProblem(TrackerKind tracker, const MotOptions& options);

/// A value of --mot_param.
struct MotAssignment {
    std::string key, value;
};
/// "key=value". Errors: InvalidArgument.
[[nodiscard]] Result<MotAssignment> splitMotParameter(std::string_view text);
/// Sets what `assignment` names. Errors: InvalidArgument (unknown key, wrong value, given twice), Unsupported (a key
/// of the trackers that need appearance vectors).
[[nodiscard]] Result<void> setMotParameter(MotOptions& options, const MotAssignment& assignment);

/// "classic", "sort", ... Errors: Unsupported for those that need appearance vectors, InvalidArgument for others.
[[nodiscard]] Result<TrackerKind> parseTracker(std::string_view text);
[[nodiscard]] std::string_view toString(TrackerKind value);

}  // namespace skein::tracking
