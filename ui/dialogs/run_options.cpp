// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/run_options.h"

#include <QCoreApplication>
#include <algorithm>
#include <string>

namespace skein::ui {
namespace {

using inference::InferenceOptions;
using tracking::TrackerOptions;

QString tr(const char* text) {
    return QCoreApplication::translate("RunOption", text);
}

QVariant orNone(const std::optional<int>& value) {
    return value ? QVariant(*value) : QVariant();
}
QVariant orNone(const std::optional<double>& value) {
    return value ? QVariant(*value) : QVariant();
}

std::optional<int> optionalInt(const QVariant& value) {
    return value.isValid() ? std::optional(value.toInt()) : std::nullopt;
}
std::optional<double> optionalDouble(const QVariant& value) {
    return value.isValid() ? std::optional(value.toDouble()) : std::nullopt;
}

QVariant text(std::string_view value) {
    return QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size()));
}

/// Takes the value if its name is known; a settings file of another version may name others.
template <class T>
void setParsed(T& target, const QVariant& value, Result<T> (*parse)(std::string_view)) {
    if (const auto parsed = parse(value.toString().toStdString()))
        target = *parsed;
}

// Shorthand for members; the table below stays readable that way.
template <auto Member>
QVariant getInference(const RunSettings& s) {
    return s.inference.*Member;
}
template <auto Member>
void setInference(RunSettings& s, const QVariant& value) {
    using T = std::remove_reference_t<decltype(s.inference.*Member)>;
    s.inference.*Member = value.value<T>();
}
template <auto Member>
QVariant getTracker(const RunSettings& s) {
    return s.tracker.*Member;
}
template <auto Member>
void setTracker(RunSettings& s, const QVariant& value) {
    using T = std::remove_reference_t<decltype(s.tracker.*Member)>;
    s.tracker.*Member = value.value<T>();
}

const std::vector<ModelUse> kNotSingle{ModelUse::Centroids,  ModelUse::TopDown,       ModelUse::Around,
                                       ModelUse::BottomUp,   ModelUse::ClassBottomUp, ModelUse::ClassTopDown,
                                       ModelUse::ClassAround};
const std::vector<ModelUse> kPairs{ModelUse::TopDown, ModelUse::ClassTopDown};
const std::vector<ModelUse> kCrops{ModelUse::TopDown, ModelUse::Around, ModelUse::ClassTopDown, ModelUse::ClassAround};
const std::vector<ModelUse> kAroundGiven{ModelUse::Around, ModelUse::ClassAround};
const std::vector<ModelUse> kWithCentroids{ModelUse::Centroids, ModelUse::TopDown, ModelUse::ClassTopDown};
const std::vector<TrackerChoice> kClassicKinds{TrackerChoice::Classic, TrackerChoice::Flow, TrackerChoice::Kalman};
const std::vector<TrackerChoice> kBoxKinds{TrackerChoice::Sort, TrackerChoice::ByteTrack, TrackerChoice::OcSort};

template <auto Member>
QVariant getFilter(const RunSettings& s) {
    return s.inference.filters.*Member;
}
template <auto Member>
void setFilter(RunSettings& s, const QVariant& value) {
    using T = std::remove_reference_t<decltype(s.inference.filters.*Member)>;
    s.inference.filters.*Member = value.value<T>();
}
template <auto Member>
QVariant getBox(const RunSettings& s) {
    return orNone(s.tracker.mot.*Member);
}
template <auto Member>
void setBoxInt(RunSettings& s, const QVariant& value) {
    s.tracker.mot.*Member = optionalInt(value);
}
template <auto Member>
void setBoxNumber(RunSettings& s, const QVariant& value) {
    s.tracker.mot.*Member = optionalDouble(value);
}

QVariant triState(const std::optional<bool>& value) {
    return QString::fromLatin1(!value ? "as_trained" : *value ? "yes" : "no");
}
std::optional<bool> fromTriState(const QVariant& value) {
    if (value.toString() == QLatin1String("yes"))
        return true;
    return value.toString() == QLatin1String("no") ? std::optional(false) : std::nullopt;
}

const std::vector<RunOption::Value> kTriState{{"as_trained", QT_TRANSLATE_NOOP("RunOption", "As trained")},
                                              {"yes", QT_TRANSLATE_NOOP("RunOption", "Yes")},
                                              {"no", QT_TRANSLATE_NOOP("RunOption", "No")}};

using inference::FilterOptions;
using tracking::MotOptions;

void addFilters(std::vector<RunOption>& list);
void addBoxOptions(std::vector<RunOption>& list);
void addCounts(std::vector<RunOption>& list);
void addMotion(std::vector<RunOption>& list);

std::vector<RunOption> makeOptions() {
    std::vector<RunOption> list;

    list.push_back({.name = "batch_size",
                    .group = OptionGroup::Basic,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Batch size"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "Frames that the network sees at once. Results do not depend on it; more "
                                              "needs more memory and is often faster."),
                    .kind = OptionKind::Integer,
                    .minimum = 1,
                    .maximum = 512,
                    .get = getInference<&InferenceOptions::batchSize>,
                    .set = setInference<&InferenceOptions::batchSize>});
    list.push_back(
        {.name = "peak_threshold",
         .group = OptionGroup::Basic,
         .label = QT_TRANSLATE_NOOP("RunOption", "Peak threshold"),
         .help = QT_TRANSLATE_NOOP("RunOption",
                                   "A node counts as found where its confidence map exceeds this. Lower finds "
                                   "more, and more that is wrong."),
         .kind = OptionKind::Number,
         .minimum = 0,
         .maximum = 1,
         .step = 0.05,
         .decimals = 3,
         .get = getInference<&InferenceOptions::peakThreshold>,
         .set = setInference<&InferenceOptions::peakThreshold>});
    list.push_back(
        {.name = "max_instances",
         .group = OptionGroup::Basic,
         .label = QT_TRANSLATE_NOOP("RunOption", "Instances per frame"),
         .help = QT_TRANSLATE_NOOP("RunOption", "Most instances that are kept in a frame: those with the best scores."),
         .kind = OptionKind::Integer,
         .minimum = 0,
         .maximum = 10000,
         .noneText = QT_TRANSLATE_NOOP("RunOption", "No limit"),
         .get =
             [](const RunSettings& s) {
                 return s.inference.maxInstances > 0 ? QVariant(s.inference.maxInstances) : QVariant();
             },
         .set = [](RunSettings& s, const QVariant& value) { s.inference.maxInstances = value.toInt(); },
         .uses = kNotSingle});

    list.push_back(
        {.name = "centroid_peak_threshold",
         .group = OptionGroup::Basic,
         .label = QT_TRANSLATE_NOOP("RunOption", "Centroid threshold"),
         .help = QT_TRANSLATE_NOOP("RunOption", "The peak threshold of the centroid model, where it shall be another."),
         .kind = OptionKind::Number,
         .minimum = 0,
         .maximum = 1,
         .step = 0.05,
         .decimals = 3,
         .noneText = QT_TRANSLATE_NOOP("RunOption", "The same"),
         .get = [](const RunSettings& s) { return orNone(s.inference.centroidPeakThreshold); },
         .set = [](RunSettings& s, const QVariant& v) { s.inference.centroidPeakThreshold = optionalDouble(v); },
         .uses = kPairs});

    list.push_back({.name = "integral_refinement",
                    .group = OptionGroup::Peaks,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Integral refinement"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "Places a peak between the pixels of the confidence map by the centre of "
                                              "mass around it."),
                    .kind = OptionKind::Flag,
                    .get = getInference<&InferenceOptions::integralRefinement>,
                    .set = setInference<&InferenceOptions::integralRefinement>});
    list.push_back(
        {.name = "integral_patch_size",
         .group = OptionGroup::Peaks,
         .label = QT_TRANSLATE_NOOP("RunOption", "Patch size"),
         .help = QT_TRANSLATE_NOOP("RunOption",
                                   "Side of the square that refinement looks at, in pixels of the map. Odd "
                                   "sizes only: an even one shifts every peak by half a pixel."),
         .kind = OptionKind::Integer,
         .minimum = 3,
         .maximum = 31,
         .step = 2,
         .get = getInference<&InferenceOptions::integralPatchSize>,
         .set = [](RunSettings& s, const QVariant& value) { s.inference.integralPatchSize = value.toInt() | 1; }});

    addFilters(list);

    list.push_back({.name = "n_points",
                    .group = OptionGroup::Grouping,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Sample points"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "Points along a possible edge at which the part affinity field is read."),
                    .kind = OptionKind::Integer,
                    .minimum = 1,
                    .maximum = 100,
                    .get = getInference<&InferenceOptions::nPoints>,
                    .set = setInference<&InferenceOptions::nPoints>,
                    .uses = {ModelUse::BottomUp}});
    list.push_back({.name = "max_edge_length_ratio",
                    .group = OptionGroup::Grouping,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Edge length ratio"),
                    .help = QT_TRANSLATE_NOOP("RunOption", "Edges longer than this share of the picture lose score."),
                    .kind = OptionKind::Number,
                    .minimum = 0.01,
                    .maximum = 2,
                    .step = 0.05,
                    .decimals = 3,
                    .get = getInference<&InferenceOptions::maxEdgeLengthRatio>,
                    .set = setInference<&InferenceOptions::maxEdgeLengthRatio>,
                    .uses = {ModelUse::BottomUp}});
    list.push_back({.name = "dist_penalty_weight",
                    .group = OptionGroup::Grouping,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Distance penalty"),
                    .help = QT_TRANSLATE_NOOP("RunOption", "How much score an edge loses that is too long; 0: none."),
                    .kind = OptionKind::Number,
                    .minimum = 0,
                    .maximum = 100,
                    .step = 0.25,
                    .decimals = 2,
                    .get = getInference<&InferenceOptions::distPenaltyWeight>,
                    .set = setInference<&InferenceOptions::distPenaltyWeight>,
                    .uses = {ModelUse::BottomUp}});
    list.push_back({.name = "min_line_scores",
                    .group = OptionGroup::Grouping,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Least edge score"),
                    .help = QT_TRANSLATE_NOOP(
                        "RunOption", "Edges that agree less than this with the part affinity field join nothing."),
                    .kind = OptionKind::Number,
                    .minimum = -1,
                    .maximum = 1,
                    .step = 0.05,
                    .decimals = 3,
                    .get = getInference<&InferenceOptions::minLineScores>,
                    .set = setInference<&InferenceOptions::minLineScores>,
                    .uses = {ModelUse::BottomUp}});
    list.push_back({.name = "min_instance_peaks",
                    .group = OptionGroup::Grouping,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Least nodes"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "Instances with fewer nodes are dropped. From 1 on a number of nodes, "
                                              "below 1 a share of the skeleton."),
                    .kind = OptionKind::Number,
                    .minimum = 0,
                    .maximum = 1000,
                    .step = 1,
                    .decimals = 2,
                    .get = getInference<&InferenceOptions::minInstancePeaks>,
                    .set = setInference<&InferenceOptions::minInstancePeaks>,
                    .uses = {ModelUse::BottomUp}});

    list.push_back({.name = "max_peaks_per_node",
                    .group = OptionGroup::Grouping,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Peaks per node"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "A frame in which one node has more peaks than this gives no instances: "
                                              "guards against pictures of noise."),
                    .kind = OptionKind::Integer,
                    .minimum = 0,
                    .maximum = 100000,
                    .noneText = QT_TRANSLATE_NOOP("RunOption", "No limit"),
                    .get =
                        [](const RunSettings& s) {
                            return s.inference.maxPeaksPerNode > 0 ? QVariant(s.inference.maxPeaksPerNode) : QVariant();
                        },
                    .set = [](RunSettings& s, const QVariant& value) { s.inference.maxPeaksPerNode = value.toInt(); },
                    .uses = {ModelUse::BottomUp}});

    list.push_back(
        {.name = "input_scale",
         .group = OptionGroup::Input,
         .label = QT_TRANSLATE_NOOP("RunOption", "Input scale"),
         .help = QT_TRANSLATE_NOOP("RunOption",
                                   "Factor by which frames are resized for the network. Another one than the "
                                   "model was trained with rarely does good."),
         .kind = OptionKind::Number,
         .minimum = 0,
         .maximum = 4,
         .step = 0.25,
         .decimals = 3,
         .noneText = QT_TRANSLATE_NOOP("RunOption", "As trained"),
         .get = [](const RunSettings& s) { return orNone(s.inference.inputScale); },
         .set = [](RunSettings& s, const QVariant& value) { s.inference.inputScale = optionalDouble(value); }});
    list.push_back(
        {.name = "max_height",
         .group = OptionGroup::Input,
         .label = QT_TRANSLATE_NOOP("RunOption", "Largest height"),
         .help = QT_TRANSLATE_NOOP("RunOption", "Frames are fitted to this height before the input scale, in pixels."),
         .kind = OptionKind::Integer,
         .minimum = 0,
         .maximum = 16384,
         .step = 32,
         .noneText = QT_TRANSLATE_NOOP("RunOption", "As trained"),
         .get = [](const RunSettings& s) { return orNone(s.inference.maxHeight); },
         .set = [](RunSettings& s, const QVariant& value) { s.inference.maxHeight = optionalInt(value); }});
    list.push_back(
        {.name = "max_width",
         .group = OptionGroup::Input,
         .label = QT_TRANSLATE_NOOP("RunOption", "Largest width"),
         .help = QT_TRANSLATE_NOOP("RunOption", "Frames are fitted to this width before the input scale, in pixels."),
         .kind = OptionKind::Integer,
         .minimum = 0,
         .maximum = 16384,
         .step = 32,
         .noneText = QT_TRANSLATE_NOOP("RunOption", "As trained"),
         .get = [](const RunSettings& s) { return orNone(s.inference.maxWidth); },
         .set = [](RunSettings& s, const QVariant& value) { s.inference.maxWidth = optionalInt(value); }});
    list.push_back({.name = "ensure_rgb",
                    .group = OptionGroup::Input,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Make colour"),
                    .help = QT_TRANSLATE_NOOP("RunOption", "Brings grey frames to three channels for the network."),
                    .kind = OptionKind::Choice,
                    .values = kTriState,
                    .get = [](const RunSettings& s) { return triState(s.inference.ensureRgb); },
                    .set = [](RunSettings& s, const QVariant& v) { s.inference.ensureRgb = fromTriState(v); }});
    list.push_back({.name = "ensure_grayscale",
                    .group = OptionGroup::Input,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Make grey"),
                    .help = QT_TRANSLATE_NOOP("RunOption", "Turns colour frames into grey ones for the network."),
                    .kind = OptionKind::Choice,
                    .values = kTriState,
                    .get = [](const RunSettings& s) { return triState(s.inference.ensureGrayscale); },
                    .set = [](RunSettings& s, const QVariant& v) { s.inference.ensureGrayscale = fromTriState(v); }});
    list.push_back({.name = "crop_size",
                    .group = OptionGroup::Input,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Crop size"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "Side in pixels of the square around each animal that the second network "
                                              "sees."),
                    .kind = OptionKind::Integer,
                    .minimum = 0,
                    .maximum = 16384,
                    .step = 16,
                    .noneText = QT_TRANSLATE_NOOP("RunOption", "As trained"),
                    .get = [](const RunSettings& s) { return orNone(s.inference.cropSize); },
                    .set = [](RunSettings& s, const QVariant& value) { s.inference.cropSize = optionalInt(value); },
                    .uses = kCrops});
    list.push_back(
        {.name = "anchor_part",
         .group = OptionGroup::Input,
         .label = QT_TRANSLATE_NOOP("RunOption", "Anchor node"),
         .help = QT_TRANSLATE_NOOP("RunOption",
                                   "Node that crops are centred on when they are taken around instances that "
                                   "are there already."),
         .kind = OptionKind::Node,
         .noneText = QT_TRANSLATE_NOOP("RunOption", "As trained"),
         .get =
             [](const RunSettings& s) {
                 return s.inference.anchorPart ? QVariant(QString::fromStdString(*s.inference.anchorPart)) : QVariant();
             },
         .set =
             [](RunSettings& s, const QVariant& value) {
                 if (value.toString().isEmpty())
                     s.inference.anchorPart.reset();
                 else
                     s.inference.anchorPart = value.toString().toStdString();
             },
         .uses = kAroundGiven});
    list.push_back({.name = "queue_maxsize",
                    .group = OptionGroup::Input,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Queue length"),
                    .help = QT_TRANSLATE_NOOP(
                        "RunOption", "Decoded frames that may wait for the network; each costs its pixels in memory."),
                    .kind = OptionKind::Integer,
                    .minimum = 1,
                    .maximum = 1024,
                    .get = [](const RunSettings& s) { return QVariant(s.queueMaxsize); },
                    .set = [](RunSettings& s, const QVariant& value) { s.queueMaxsize = value.toInt(); }});

    list.push_back({.name = "cpu_threads",
                    .group = OptionGroup::Input,
                    .label = QT_TRANSLATE_NOOP("RunOption", "CPU threads"),
                    .help = QT_TRANSLATE_NOOP("RunOption", "Threads of the network where it is computed by the CPU."),
                    .kind = OptionKind::Integer,
                    .minimum = 0,
                    .maximum = 1024,
                    .noneText = QT_TRANSLATE_NOOP("RunOption", "All cores"),
                    .get =
                        [](const RunSettings& s) {
                            return s.inference.cpuThreads > 0 ? QVariant(s.inference.cpuThreads) : QVariant();
                        },
                    .set = [](RunSettings& s, const QVariant& value) { s.inference.cpuThreads = value.toInt(); }});
    list.push_back({.name = "match_sleap_nn",
                    .group = OptionGroup::Input,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Match sleap-nn"),
                    .help = QT_TRANSLATE_NOOP(
                        "RunOption",
                        "Repeats known defects of sleap-nn instead of avoiding them, so that results can be compared "
                        "number by number. For comparisons only; the user guide lists what differs."),
                    .kind = OptionKind::Flag,
                    .get = getInference<&InferenceOptions::matchSleapNn>,
                    .set = setInference<&InferenceOptions::matchSleapNn>,
                    .argument = ""});

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
    addMotion(list);
    addBoxOptions(list);
    addCounts(list);
    return list;
}

void addFilters(std::vector<RunOption>& list) {
    list.push_back(
        {.name = "filter_overlapping",
         .group = OptionGroup::Filters,
         .label = QT_TRANSLATE_NOOP("RunOption", "Drop overlapping instances"),
         .help = QT_TRANSLATE_NOOP("RunOption", "Of instances of one frame that look alike, only the best is kept."),
         .kind = OptionKind::Flag,
         .get = getFilter<&FilterOptions::overlapping>,
         .set = setFilter<&FilterOptions::overlapping>,
         .uses = kNotSingle,
         .argument = ""});
    list.push_back(
        {.name = "filter_overlapping_method",
         .group = OptionGroup::Filters,
         .label = QT_TRANSLATE_NOOP("RunOption", "Overlap by"),
         .help = QT_TRANSLATE_NOOP("RunOption", "What makes two instances alike: their boxes, or node by node."),
         .kind = OptionKind::Choice,
         .values = {{"iou", QT_TRANSLATE_NOOP("RunOption", "IoU (boxes)")},
                    {"oks", QT_TRANSLATE_NOOP("RunOption", "OKS (nodes)")}},
         .get =
             [](const RunSettings& s) {
                 return text(s.inference.filters.overlapMethod == inference::OverlapMethod::Oks ? "oks" : "iou");
             },
         .set =
             [](RunSettings& s, const QVariant& v) {
                 s.inference.filters.overlapMethod = v.toString() == QLatin1String("oks")
                                                         ? inference::OverlapMethod::Oks
                                                         : inference::OverlapMethod::Iou;
             },
         .uses = kNotSingle});
    list.push_back({.name = "filter_overlapping_threshold",
                    .group = OptionGroup::Filters,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Overlap above"),
                    .help = QT_TRANSLATE_NOOP("RunOption", "Likeness above which the instance of lower score goes."),
                    .kind = OptionKind::Number,
                    .minimum = 0,
                    .maximum = 1,
                    .step = 0.05,
                    .decimals = 3,
                    .get = getFilter<&FilterOptions::overlapThreshold>,
                    .set = setFilter<&FilterOptions::overlapThreshold>,
                    .uses = kNotSingle});
    list.push_back({.name = "filter_min_visible_nodes",
                    .group = OptionGroup::Filters,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Visible nodes"),
                    .help = QT_TRANSLATE_NOOP("RunOption", "Instances with fewer visible nodes are dropped."),
                    .kind = OptionKind::Integer,
                    .minimum = 0,
                    .maximum = 1000,
                    .get = getFilter<&FilterOptions::minVisibleNodes>,
                    .set = setFilter<&FilterOptions::minVisibleNodes>});
    list.push_back(
        {.name = "filter_min_visible_node_fraction",
         .group = OptionGroup::Filters,
         .label = QT_TRANSLATE_NOOP("RunOption", "Share of nodes"),
         .help = QT_TRANSLATE_NOOP("RunOption", "Instances with a smaller share of the skeleton's nodes are dropped."),
         .kind = OptionKind::Number,
         .minimum = 0,
         .maximum = 1,
         .step = 0.05,
         .decimals = 3,
         .get = getFilter<&FilterOptions::minVisibleNodeFraction>,
         .set = setFilter<&FilterOptions::minVisibleNodeFraction>});
    list.push_back({.name = "filter_min_mean_node_score",
                    .group = OptionGroup::Filters,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Mean node score"),
                    .help = QT_TRANSLATE_NOOP("RunOption", "Instances whose nodes score less on average are dropped."),
                    .kind = OptionKind::Number,
                    .minimum = 0,
                    .maximum = 1,
                    .step = 0.05,
                    .decimals = 3,
                    .get = getFilter<&FilterOptions::minMeanNodeScore>,
                    .set = setFilter<&FilterOptions::minMeanNodeScore>});
    list.push_back({.name = "filter_min_instance_score",
                    .group = OptionGroup::Filters,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Instance score"),
                    .help = QT_TRANSLATE_NOOP("RunOption", "Instances of lower score are dropped."),
                    .kind = OptionKind::Number,
                    .minimum = 0,
                    .maximum = 100,
                    .step = 0.05,
                    .decimals = 3,
                    .get = getFilter<&FilterOptions::minInstanceScore>,
                    .set = setFilter<&FilterOptions::minInstanceScore>,
                    .uses = kNotSingle});
    list.push_back({.name = "filter_min_centroid_distance",
                    .group = OptionGroup::Filters,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Centroid distance"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "Of centroids that are closer than this many pixels only the best is "
                                              "kept."),
                    .kind = OptionKind::Number,
                    .minimum = 0,
                    .maximum = 10000,
                    .step = 1,
                    .decimals = 1,
                    .get = getFilter<&FilterOptions::minCentroidDistance>,
                    .set = setFilter<&FilterOptions::minCentroidDistance>,
                    .uses = kWithCentroids});
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

TrackerChoice trackerChoice(const RunSettings& settings) {
    if (!settings.tracking)
        return TrackerChoice::None;
    switch (settings.tracker.tracker) {
        case tracking::TrackerKind::Sort:
            return TrackerChoice::Sort;
        case tracking::TrackerKind::ByteTrack:
            return TrackerChoice::ByteTrack;
        case tracking::TrackerKind::OcSort:
            return TrackerChoice::OcSort;
        case tracking::TrackerKind::Classic:
            break;
    }
    return settings.tracker.useFlow     ? TrackerChoice::Flow
           : settings.tracker.useKalman ? TrackerChoice::Kalman
                                        : TrackerChoice::Classic;
}

void chooseTracker(RunSettings& settings, TrackerChoice choice) {
    settings.tracking = choice != TrackerChoice::None;
    settings.tracker.useFlow = choice == TrackerChoice::Flow;
    settings.tracker.useKalman = choice == TrackerChoice::Kalman;
    settings.tracker.tracker = choice == TrackerChoice::Sort        ? tracking::TrackerKind::Sort
                               : choice == TrackerChoice::ByteTrack ? tracking::TrackerKind::ByteTrack
                               : choice == TrackerChoice::OcSort    ? tracking::TrackerKind::OcSort
                                                                    : tracking::TrackerKind::Classic;
}

bool isBoxTracker(TrackerChoice choice) {
    return choice >= TrackerChoice::Sort;
}

bool isOfTracker(const RunOption& option) {
    return option.group >= OptionGroup::Tracker;
}

bool concerns(const RunOption& option, ModelUse use, TrackerChoice tracker) {
    const auto holds = [](const auto& list, auto value) {
        return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
    };
    return (use == ModelUse::Unknown || holds(option.uses, use)) &&
           holds(option.trackers, tracker == TrackerChoice::None ? TrackerChoice::Classic : tracker);
}

const std::vector<RunOption>& runOptions() {
    static const std::vector<RunOption> kOptions = makeOptions();
    return kOptions;
}

const RunOption& runOption(std::string_view name) {
    const auto& options = runOptions();
    const auto it = std::find_if(options.begin(), options.end(), [name](const RunOption& o) { return name == o.name; });
    SKEIN_EXPECTS(it != options.end(), "the option is in the table");
    return *it;
}

QString valueTitle(const RunOption& option, const QVariant& value) {
    if (!value.isValid())
        return option.noneText != nullptr ? tr(option.noneText) : tr("not set");
    switch (option.kind) {
        case OptionKind::Flag:
            return value.toBool() ? tr("on") : tr("off");
        case OptionKind::Choice:
            for (const RunOption::Value& v : option.values)
                if (value.toString() == QLatin1String(v.name))
                    return tr(v.title);
            return value.toString();
        default:
            return value.toString();
    }
}

QString helpText(const RunOption& option) {
    const QString standard = tr("Default: %1").arg(valueTitle(option, option.get(RunSettings())));
    const QString argument = option.argument != nullptr && option.kind != OptionKind::Flag
                                 ? QLatin1String(option.argument) + tr("VALUE")
                                 : QStringLiteral("--") + QLatin1String(option.name);
    return QStringLiteral("<p>%1</p><p>%2<br><code>%3</code></p>")
        .arg(tr(option.help).toHtmlEscaped(), standard.toHtmlEscaped(), argument.toHtmlEscaped());
}

}  // namespace skein::ui
