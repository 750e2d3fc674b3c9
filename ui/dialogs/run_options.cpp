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
         .set = [](RunSettings& s, const QVariant& value) { s.inference.maxInstances = value.toInt(); }});

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

    list.push_back({.name = "n_points",
                    .group = OptionGroup::Grouping,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Sample points"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "Points along a possible edge at which the part affinity field is read."),
                    .kind = OptionKind::Integer,
                    .minimum = 1,
                    .maximum = 100,
                    .get = getInference<&InferenceOptions::nPoints>,
                    .set = setInference<&InferenceOptions::nPoints>});
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
                    .set = setInference<&InferenceOptions::maxEdgeLengthRatio>});
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
                    .set = setInference<&InferenceOptions::distPenaltyWeight>});
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
                    .set = setInference<&InferenceOptions::minLineScores>});
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
                    .set = setInference<&InferenceOptions::minInstancePeaks>});

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

    list.push_back({.name = "max_tracks",
                    .group = OptionGroup::Tracker,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Number of animals"),
                    .help = QT_TRANSLATE_NOOP(
                        "RunOption", "At most this many tracks in the video; what is found beyond them is dropped."),
                    .kind = OptionKind::Integer,
                    .minimum = 0,
                    .maximum = 1000,
                    .noneText = QT_TRANSLATE_NOOP("RunOption", "Any"),
                    .get = [](const RunSettings& s) { return orNone(s.tracker.maxTracks); },
                    .set = [](RunSettings& s, const QVariant& value) { s.tracker.maxTracks = optionalInt(value); }});
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
                    .set = setTracker<&TrackerOptions::windowSize>});

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
         .set = [](RunSettings& s, const QVariant& v) { setParsed(s.tracker.feature, v, tracking::parseFeature); }});
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
                              const QVariant& v) { setParsed(s.tracker.scoring, v, tracking::parseScoringMethod); }});
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
                    .set = [](RunSettings& s, const QVariant& v) { s.tracker.oksStddev = optionalDouble(v); }});
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
                   const QVariant& v) { setParsed(s.tracker.reduction, v, tracking::parseScoreReduction); }});
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
         .set = setTracker<&TrackerOptions::robustQuantile>});
    list.push_back({.name = "track_matching_method",
                    .group = OptionGroup::TrackerDetails,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Match"),
                    .help = QT_TRANSLATE_NOOP("RunOption", "How instances are given to tracks."),
                    .kind = OptionKind::Choice,
                    .values = {{"hungarian", QT_TRANSLATE_NOOP("RunOption", "Best in total (Hungarian)")},
                               {"greedy", QT_TRANSLATE_NOOP("RunOption", "Best pair first (greedy)")}},
                    .get = [](const RunSettings& s) { return text(toString(s.tracker.matching)); },
                    .set = [](RunSettings& s,
                              const QVariant& v) { setParsed(s.tracker.matching, v, tracking::parseMatchingMethod); }});
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
                   const QVariant& v) { setParsed(s.tracker.candidates, v, tracking::parseCandidateMethod); }});
    list.push_back({.name = "min_new_track_points",
                    .group = OptionGroup::TrackerDetails,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Nodes to start a track"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "An instance starts a new track only with more visible nodes than this."),
                    .kind = OptionKind::Integer,
                    .minimum = 0,
                    .maximum = 1000,
                    .get = getTracker<&TrackerOptions::minNewTrackPoints>,
                    .set = setTracker<&TrackerOptions::minNewTrackPoints>});
    list.push_back(
        {.name = "min_match_points",
         .group = OptionGroup::TrackerDetails,
         .label = QT_TRANSLATE_NOOP("RunOption", "Nodes to be compared"),
         .help = QT_TRANSLATE_NOOP("RunOption", "Earlier instances count only with more visible nodes than this."),
         .kind = OptionKind::Integer,
         .minimum = 0,
         .maximum = 1000,
         .get = getTracker<&TrackerOptions::minMatchPoints>,
         .set = setTracker<&TrackerOptions::minMatchPoints>});
    return list;
}

}  // namespace

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
    return QStringLiteral("<p>%1</p><p>%2<br><code>--%3</code></p>")
        .arg(tr(option.help).toHtmlEscaped(), standard.toHtmlEscaped(), QLatin1String(option.name));
}

}  // namespace skein::ui
