// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/run_option_access.h"

namespace skein::ui::options {
namespace {

using tracking::MotOptions;
using tracking::TrackerOptions;

const std::vector<TrackerChoice> kClassicKinds{TrackerChoice::Classic, TrackerChoice::Flow, TrackerChoice::Kalman};
const std::vector<TrackerChoice> kBoxKinds{TrackerChoice::Sort, TrackerChoice::ByteTrack, TrackerChoice::OcSort};

void addClassicOptions(std::vector<RunOption>& list) {
    list.push_back(
        {.name = "max_tracks",
         .group = OptionGroup::Tracker,
         .label = QT_TRANSLATE_NOOP("RunOption", "Number of animals"),
         .help = QT_TRANSLATE_NOOP(
             "RunOption",
             "How many animals there are. The classic tracker drops what is found beyond them, the box trackers "
             "link tracks until no more are left."),
         .kind = OptionKind::Integer,
         .minimum = 0,
         .maximum = 1000,
         .noneText = QT_TRANSLATE_NOOP("RunOption", "Any"),
         .get = [](const RunSettings& s) { return orNone(s.tracker.maxTracks); },
         .set =
             [](RunSettings& s, const QVariant& value) {
                 // One number for all that asks for it; the details can say something else afterwards.
                 s.tracker.maxTracks = optionalInt(value);
                 s.tracker.targetInstanceCount = optionalInt(value);
             }});
    list.push_back({.name = "tracking_window_size",
                    .group = OptionGroup::Tracker,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Window"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "How far back instances are compared: frames, or with a fixed number of "
                                              "animals the last instances of each track."),
                    .kind = OptionKind::Integer,
                    .minimum = 1,
                    .maximum = 1000,
                    .get = getTracker<&TrackerOptions::windowSize>,
                    .set = setTracker<&TrackerOptions::windowSize>,
                    .trackers = kClassicKinds});

    list.push_back(
        {.name = "features",
         .group = OptionGroup::TrackerDetails,
         .label = QT_TRANSLATE_NOOP("RunOption", "Compare"),
         .help = QT_TRANSLATE_NOOP("RunOption", "What of two instances is compared."),
         .kind = OptionKind::Choice,
         .values = {{"keypoints", QT_TRANSLATE_NOOP("RunOption", "All nodes")},
                    {"centroids", QT_TRANSLATE_NOOP("RunOption", "Centroids")},
                    {"bboxes", QT_TRANSLATE_NOOP("RunOption", "Boxes")}},
         .get = [](const RunSettings& s) { return text(toString(s.tracker.feature)); },
         .set = [](RunSettings& s, const QVariant& v) { setParsed(s.tracker.feature, v, tracking::parseFeature); },
         .trackers = kClassicKinds});
    list.push_back({.name = "scoring_method",
                    .group = OptionGroup::TrackerDetails,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Score by"),
                    .help = QT_TRANSLATE_NOOP("RunOption", "How alike two instances are."),
                    .kind = OptionKind::Choice,
                    .values = {{"oks", QT_TRANSLATE_NOOP("RunOption", "OKS (object keypoint similarity)")},
                               {"iou", QT_TRANSLATE_NOOP("RunOption", "IoU (overlap of boxes)")},
                               {"euclidean_dist", QT_TRANSLATE_NOOP("RunOption", "Distance")},
                               {"cosine_sim", QT_TRANSLATE_NOOP("RunOption", "Cosine similarity")}},
                    .get = [](const RunSettings& s) { return text(toString(s.tracker.scoring)); },
                    .set = [](RunSettings& s,
                              const QVariant& v) { setParsed(s.tracker.scoring, v, tracking::parseScoringMethod); },
                    .trackers = kClassicKinds});
    list.push_back({.name = "oks_stddev",
                    .group = OptionGroup::TrackerDetails,
                    .label = QT_TRANSLATE_NOOP("RunOption", "OKS spread"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "How far a node may have moved and still count as alike; larger forgives "
                                              "more. Unset, the tracker takes 0.025."),
                    .kind = OptionKind::Number,
                    .minimum = 0,
                    .maximum = 10,
                    .step = 0.025,
                    .decimals = 3,
                    .noneText = QT_TRANSLATE_NOOP("RunOption", "Automatic"),
                    .get = [](const RunSettings& s) { return orNone(s.tracker.oksStddev); },
                    .set = [](RunSettings& s, const QVariant& v) { s.tracker.oksStddev = optionalDouble(v); },
                    .trackers = kClassicKinds});
    list.push_back(
        {.name = "scoring_reduction",
         .group = OptionGroup::TrackerDetails,
         .label = QT_TRANSLATE_NOOP("RunOption", "Several scores"),
         .help = QT_TRANSLATE_NOOP("RunOption", "How the scores with the earlier instances of one track become one."),
         .kind = OptionKind::Choice,
         .values = {{"mean", QT_TRANSLATE_NOOP("RunOption", "Mean")},
                    {"max", QT_TRANSLATE_NOOP("RunOption", "Best")},
                    {"robust_quantile", QT_TRANSLATE_NOOP("RunOption", "Quantile")}},
         .get = [](const RunSettings& s) { return text(toString(s.tracker.reduction)); },
         .set = [](RunSettings& s,
                   const QVariant& v) { setParsed(s.tracker.reduction, v, tracking::parseScoreReduction); },
         .trackers = kClassicKinds});
    list.push_back(
        {.name = "robust_best_instance",
         .group = OptionGroup::TrackerDetails,
         .label = QT_TRANSLATE_NOOP("RunOption", "Quantile"),
         .help = QT_TRANSLATE_NOOP("RunOption", "The quantile of the scores that counts; 1 is the best score."),
         .kind = OptionKind::Number,
         .minimum = 0,
         .maximum = 1,
         .step = 0.05,
         .decimals = 2,
         .get = getTracker<&TrackerOptions::robustQuantile>,
         .set = setTracker<&TrackerOptions::robustQuantile>,
         .trackers = kClassicKinds});
    list.push_back({.name = "track_matching_method",
                    .group = OptionGroup::TrackerDetails,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Match"),
                    .help = QT_TRANSLATE_NOOP("RunOption", "How instances are given to tracks."),
                    .kind = OptionKind::Choice,
                    .values = {{"hungarian", QT_TRANSLATE_NOOP("RunOption", "Best in total (Hungarian)")},
                               {"greedy", QT_TRANSLATE_NOOP("RunOption", "Best pair first (greedy)")}},
                    .get = [](const RunSettings& s) { return text(toString(s.tracker.matching)); },
                    .set = [](RunSettings& s,
                              const QVariant& v) { setParsed(s.tracker.matching, v, tracking::parseMatchingMethod); },
                    .trackers = kClassicKinds});
    list.push_back(
        {.name = "candidates_method",
         .group = OptionGroup::TrackerDetails,
         .label = QT_TRANSLATE_NOOP("RunOption", "Candidates"),
         .help = QT_TRANSLATE_NOOP("RunOption",
                                   "Which earlier instances are compared. With the last frames, a track that is "
                                   "lost longer than the window ends; with the last of each track it never does."),
         .kind = OptionKind::Choice,
         .values = {{"fixed_window", QT_TRANSLATE_NOOP("RunOption", "All of the last frames")},
                    {"local_queues", QT_TRANSLATE_NOOP("RunOption", "The last of each track")}},
         .get = [](const RunSettings& s) { return text(toString(s.tracker.candidates)); },
         .set = [](RunSettings& s,
                   const QVariant& v) { setParsed(s.tracker.candidates, v, tracking::parseCandidateMethod); },
         .trackers = kClassicKinds});
    list.push_back({.name = "min_new_track_points",
                    .group = OptionGroup::TrackerDetails,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Nodes to start a track"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "An instance starts a new track only with more visible nodes than this."),
                    .kind = OptionKind::Integer,
                    .minimum = 0,
                    .maximum = 1000,
                    .get = getTracker<&TrackerOptions::minNewTrackPoints>,
                    .set = setTracker<&TrackerOptions::minNewTrackPoints>,
                    .trackers = kClassicKinds});
    list.push_back(
        {.name = "min_match_points",
         .group = OptionGroup::TrackerDetails,
         .label = QT_TRANSLATE_NOOP("RunOption", "Nodes to be compared"),
         .help = QT_TRANSLATE_NOOP("RunOption", "Earlier instances count only with more visible nodes than this."),
         .kind = OptionKind::Integer,
         .minimum = 0,
         .maximum = 1000,
         .get = getTracker<&TrackerOptions::minMatchPoints>,
         .set = setTracker<&TrackerOptions::minMatchPoints>,
         .trackers = kClassicKinds});
}

void addMotion(std::vector<RunOption>& list) {
    const std::vector<TrackerChoice> flow{TrackerChoice::Flow}, kalman{TrackerChoice::Kalman};
    list.push_back({.name = "of_img_scale",
                    .group = OptionGroup::Motion,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Image scale"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "Factor by which frames are resized for the optical flow; smaller is "
                                              "faster and coarser."),
                    .kind = OptionKind::Number,
                    .minimum = 0.05,
                    .maximum = 4,
                    .step = 0.25,
                    .decimals = 2,
                    .get = getTracker<&TrackerOptions::flowImageScale>,
                    .set = setTracker<&TrackerOptions::flowImageScale>,
                    .trackers = flow});
    list.push_back({.name = "of_window_size",
                    .group = OptionGroup::Motion,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Flow window"),
                    .help = QT_TRANSLATE_NOOP("RunOption", "Side in pixels of the square that the flow looks for."),
                    .kind = OptionKind::Integer,
                    .minimum = 3,
                    .maximum = 500,
                    .get = getTracker<&TrackerOptions::flowWindowSize>,
                    .set = setTracker<&TrackerOptions::flowWindowSize>,
                    .trackers = flow});
    list.push_back({.name = "of_max_levels",
                    .group = OptionGroup::Motion,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Pyramid levels"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "Coarser copies of the image above the full one; each doubles the "
                                              "movement that can be followed."),
                    .kind = OptionKind::Integer,
                    .minimum = 0,
                    .maximum = 10,
                    .get = getTracker<&TrackerOptions::flowMaxLevels>,
                    .set = setTracker<&TrackerOptions::flowMaxLevels>,
                    .trackers = flow});
    list.push_back(
        {.name = "kf_track_features",
         .group = OptionGroup::Motion,
         .label = QT_TRANSLATE_NOOP("RunOption", "Filters follow"),
         .help = QT_TRANSLATE_NOOP("RunOption", "What the Kalman filters of a track predict."),
         .kind = OptionKind::Choice,
         .values = {{"centroid", QT_TRANSLATE_NOOP("RunOption", "The centroid")},
                    {"keypoints", QT_TRANSLATE_NOOP("RunOption", "Each node")}},
         .get = [](const RunSettings& s) { return text(toString(s.tracker.kalmanFeature)); },
         .set = [](RunSettings& s,
                   const QVariant& v) { setParsed(s.tracker.kalmanFeature, v, tracking::parseKalmanFeature); },
         .trackers = kalman});
    list.push_back({.name = "kf_init_frame_count",
                    .group = OptionGroup::Motion,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Frames to start"),
                    .help = QT_TRANSLATE_NOOP("RunOption", "Frames that are seen before filters are fitted."),
                    .kind = OptionKind::Integer,
                    .minimum = 3,
                    .maximum = 1000,
                    .get = getTracker<&TrackerOptions::kalmanInitFrameCount>,
                    .set = setTracker<&TrackerOptions::kalmanInitFrameCount>,
                    .trackers = kalman});
    list.push_back({.name = "kf_node_indices",
                    .group = OptionGroup::Motion,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Nodes followed"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "Positions of the nodes that filters follow, from 0 and with commas: "
                                              "0,1,2."),
                    .kind = OptionKind::Text,
                    .noneText = QT_TRANSLATE_NOOP("RunOption", "All nodes"),
                    .get =
                        [](const RunSettings& s) {
                            QStringList nodes;
                            for (const int node : s.tracker.kalmanNodes)
                                nodes << QString::number(node);
                            return nodes.isEmpty() ? QVariant() : QVariant(nodes.join(QLatin1Char(',')));
                        },
                    .set = [](RunSettings& s,
                              const QVariant& v) { setParsed(s.tracker.kalmanNodes, v, tracking::parseNodeIndices); },
                    .trackers = kalman});
    list.push_back({.name = "kf_reset_gap_size",
                    .group = OptionGroup::Motion,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Frames to give up"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "A filter starts anew after more than this many frames without its "
                                              "animal."),
                    .kind = OptionKind::Integer,
                    .minimum = 0,
                    .maximum = 1000,
                    .get = getTracker<&TrackerOptions::kalmanResetGap>,
                    .set = setTracker<&TrackerOptions::kalmanResetGap>,
                    .trackers = kalman});
}

void addBoxOptions(std::vector<RunOption>& list) {
    constexpr const char* kPreset = QT_TRANSLATE_NOOP("RunOption", "Preset");
    list.push_back({.name = "similarity",
                    .group = OptionGroup::TrackerDetails,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Similarity"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "How an expected animal is compared with a found one. Automatic: boxes, "
                                              "and for a single node its distance."),
                    .kind = OptionKind::Choice,
                    .values = {{"auto", QT_TRANSLATE_NOOP("RunOption", "Automatic")},
                               {"iou", QT_TRANSLATE_NOOP("RunOption", "IoU (overlap of boxes)")},
                               {"oks", QT_TRANSLATE_NOOP("RunOption", "OKS (object keypoint similarity)")},
                               {"centroid", QT_TRANSLATE_NOOP("RunOption", "Distance of centroids")}},
                    .get =
                        [](const RunSettings& s) {
                            constexpr const char* kNames[] = {"auto", "iou", "oks", "centroid"};
                            return text(kNames[static_cast<std::size_t>(s.tracker.mot.similarity)]);
                        },
                    .set =
                        [](RunSettings& s, const QVariant& v) {
                            // The engine knows the words.
                            (void)tracking::setMotParameter(s.tracker.mot, {"similarity", v.toString().toStdString()});
                        },
                    .trackers = kBoxKinds,
                    .argument = "--mot_param similarity="});
    const auto number = [&list](const char* name, const char* label, const char* help, auto get, auto set,
                                std::vector<TrackerChoice> trackers = kBoxKinds) {
        // One step below the smallest value stands for "not set".
        list.push_back({.name = name,
                        .group = OptionGroup::TrackerDetails,
                        .label = label,
                        .help = help,
                        .kind = OptionKind::Number,
                        .minimum = -0.05,
                        .maximum = 1,
                        .step = 0.05,
                        .decimals = 3,
                        .noneText = kPreset,
                        .get = get,
                        .set = set,
                        .trackers = std::move(trackers)});
    };
    number("track_high_threshold", QT_TRANSLATE_NOOP("RunOption", "Sure from"),
           QT_TRANSLATE_NOOP("RunOption",
                             "Instances that score above this are matched first. Preset: SORT 0.1, ByteTrack 0.5, "
                             "OC-SORT 0.6."),
           getBox<&MotOptions::highThreshold>, setBoxNumber<&MotOptions::highThreshold>);
    number("track_low_threshold", QT_TRANSLATE_NOOP("RunOption", "Doubtful from"),
           QT_TRANSLATE_NOOP("RunOption",
                             "Instances that score above this are matched to tracks that are left. Preset: 0.1."),
           getBox<&MotOptions::lowThreshold>, setBoxNumber<&MotOptions::lowThreshold>,
           {TrackerChoice::ByteTrack, TrackerChoice::OcSort});
    number(
        "new_track_threshold", QT_TRANSLATE_NOOP("RunOption", "New track from"),
        QT_TRANSLATE_NOOP("RunOption", "Score that an instance needs to start a track. Preset: SORT 0.1, others 0.6."),
        getBox<&MotOptions::newTrackThreshold>, setBoxNumber<&MotOptions::newTrackThreshold>);
    number("min_match_similarity", QT_TRANSLATE_NOOP("RunOption", "Least similarity"),
           QT_TRANSLATE_NOOP("RunOption", "Pairs that are less alike are not matched. Preset: 0.3, ByteTrack 0.2."),
           getBox<&MotOptions::minMatchSimilarity>, setBoxNumber<&MotOptions::minMatchSimilarity>);
    list.push_back({.name = "track_buffer",
                    .group = OptionGroup::TrackerDetails,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Lost tracks kept"),
                    .help = QT_TRANSLATE_NOOP("RunOption", "Frames after which a lost track is given up. Preset: 30."),
                    .kind = OptionKind::Integer,
                    .minimum = 0,
                    .maximum = 100000,
                    .noneText = kPreset,
                    .get = getBox<&MotOptions::trackBuffer>,
                    .set = setBoxInt<&MotOptions::trackBuffer>,
                    .trackers = kBoxKinds});
    list.push_back({.name = "min_hits",
                    .group = OptionGroup::TrackerDetails,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Frames to confirm"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "A track counts once it was found in this many frames. Preset: 3, "
                                              "ByteTrack 2."),
                    .kind = OptionKind::Integer,
                    .minimum = 0,
                    .maximum = 1000,
                    .noneText = kPreset,
                    .get = getBox<&MotOptions::minHits>,
                    .set = setBoxInt<&MotOptions::minHits>,
                    .trackers = kBoxKinds});
}

void addCounts(std::vector<RunOption>& list) {
    list.push_back({.name = "link_tracklets",
                    .group = OptionGroup::Counts,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Link tracks at the end"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "Once the video is done, tracks that broke off or were mixed up are "
                                              "joined. Give the number of animals for the best result."),
                    .kind = OptionKind::Flag,
                    .get = getTracker<&TrackerOptions::linkTracklets>,
                    .set = setTracker<&TrackerOptions::linkTracklets>,
                    .argument = ""});
    list.push_back({.name = "post_connect_single_breaks",
                    .group = OptionGroup::Counts,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Connect single breaks"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "A track that begins while exactly one other is missing continues that "
                                              "one."),
                    .kind = OptionKind::Flag,
                    .get = getTracker<&TrackerOptions::connectSingleBreaks>,
                    .set = setTracker<&TrackerOptions::connectSingleBreaks>,
                    .trackers = kClassicKinds,
                    .argument = ""});
    list.push_back({.name = "tracking_target_instance_count",
                    .group = OptionGroup::Counts,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Target count"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "Animals that culling, gaps and Kalman filters count on. Number of "
                                              "animals sets it too."),
                    .kind = OptionKind::Integer,
                    .minimum = 0,
                    .maximum = 1000,
                    .noneText = QT_TRANSLATE_NOOP("RunOption", "None"),
                    .get = [](const RunSettings& s) { return orNone(s.tracker.targetInstanceCount); },
                    .set = [](RunSettings& s, const QVariant& v) { s.tracker.targetInstanceCount = optionalInt(v); }});
    list.push_back({.name = "tracking_pre_cull_to_target",
                    .group = OptionGroup::Counts,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Cull to the target before tracking"),
                    .help = QT_TRANSLATE_NOOP(
                        "RunOption", "Instances beyond the target count are dropped, the lowest scores first."),
                    .kind = OptionKind::Flag,
                    .get = getTracker<&TrackerOptions::preCullToTarget>,
                    .set = setTracker<&TrackerOptions::preCullToTarget>,
                    .argument = "1"});
    const auto share = [&list](const char* name, const char* label, const char* help, auto get, auto set) {
        list.push_back({.name = name,
                        .group = OptionGroup::Counts,
                        .label = label,
                        .help = help,
                        .kind = OptionKind::Number,
                        .minimum = 0,
                        .maximum = 1,
                        .step = 0.05,
                        .decimals = 3,
                        .get = get,
                        .set = set});
    };
    share("tracking_pre_cull_iou_threshold", QT_TRANSLATE_NOOP("RunOption", "Cull overlap first"),
          QT_TRANSLATE_NOOP("RunOption",
                            "Where the cull drops, what overlaps by more than this goes first; 0: by score alone."),
          getTracker<&TrackerOptions::preCullIou>, setTracker<&TrackerOptions::preCullIou>);
    list.push_back({.name = "tracking_clean_instance_count",
                    .group = OptionGroup::Counts,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Keep after tracking"),
                    .help = QT_TRANSLATE_NOOP(
                        "RunOption", "At most this many instances of a frame are kept after tracking; 0: all."),
                    .kind = OptionKind::Integer,
                    .minimum = 0,
                    .maximum = 1000,
                    .get = getTracker<&TrackerOptions::cleanInstanceCount>,
                    .set = setTracker<&TrackerOptions::cleanInstanceCount>});
    share("tracking_clean_iou_threshold", QT_TRANSLATE_NOOP("RunOption", "Clean overlap first"),
          QT_TRANSLATE_NOOP(
              "RunOption", "Where this cleaning drops, what overlaps by more than this goes first; 0: by score alone."),
          getTracker<&TrackerOptions::cleanIou>, setTracker<&TrackerOptions::cleanIou>);
}

}  // namespace

void addTrackingOptions(std::vector<RunOption>& list) {
    addClassicOptions(list);
    addMotion(list);
    addBoxOptions(list);
    addCounts(list);
}

}  // namespace skein::ui::options
