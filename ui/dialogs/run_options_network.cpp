// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/run_option_access.h"

namespace skein::ui::options {
namespace {

using inference::FilterOptions;
using inference::InferenceOptions;

const std::vector<ModelUse> kNotSingle{ModelUse::Centroids,  ModelUse::TopDown,       ModelUse::Around,
                                       ModelUse::BottomUp,   ModelUse::ClassBottomUp, ModelUse::ClassTopDown,
                                       ModelUse::ClassAround};
const std::vector<ModelUse> kPairs{ModelUse::TopDown, ModelUse::ClassTopDown};
const std::vector<ModelUse> kCrops{ModelUse::TopDown, ModelUse::Around, ModelUse::ClassTopDown, ModelUse::ClassAround};
const std::vector<ModelUse> kAroundGiven{ModelUse::Around, ModelUse::ClassAround};
const std::vector<ModelUse> kWithCentroids{ModelUse::Centroids, ModelUse::TopDown, ModelUse::ClassTopDown};

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

}  // namespace

void addNetworkOptions(std::vector<RunOption>& list) {
    list.push_back({.name = "batch_size",
                    .group = OptionGroup::Basic,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Batch size"),
                    .help = QT_TRANSLATE_NOOP("RunOption",
                                              "Frames that the network sees at once. Results do not depend on it; more "
                                              "needs more memory and is often faster. Automatic measures when the run "
                                              "begins."),
                    .kind = OptionKind::Integer,
                    .minimum = 0,
                    .maximum = 512,
                    .noneText = QT_TRANSLATE_NOOP("RunOption", "Automatic"),
                    .get =
                        [](const RunSettings& s) {
                            return s.inference.batchSize == inference::kAutomaticBatch
                                       ? QVariant()
                                       : QVariant(s.inference.batchSize);
                        },
                    .set = [](RunSettings& s, const QVariant& value) { s.inference.batchSize = value.toInt(); }});
    list.push_back({.name = "precision",
                    .group = OptionGroup::Input,
                    .label = QT_TRANSLATE_NOOP("RunOption", "Numbers"),
                    .help = QT_TRANSLATE_NOOP(
                        "RunOption",
                        "What the network computes with. Anything but exact numbers differs slightly, and is "
                        "faster on a GPU that has it. Where half precision is not possible, exact numbers are used."),
                    .kind = OptionKind::Choice,
                    .values = {{"exact", QT_TRANSLATE_NOOP("RunOption", "Exact (float32)")},
                               {"tf32", QT_TRANSLATE_NOOP("RunOption", "TF32 (differs slightly)")},
                               {"half", QT_TRANSLATE_NOOP("RunOption", "Half (differs slightly)")}},
                    .get =
                        [](const RunSettings& s) {
                            return text(s.inference.precision == inference::Precision::Half   ? "half"
                                        : s.inference.precision == inference::Precision::Tf32 ? "tf32"
                                                                                              : "exact");
                        },
                    .set =
                        [](RunSettings& s, const QVariant& v) {
                            s.inference.precision = v.toString() == QLatin1String("half") ? inference::Precision::Half
                                                    : v.toString() == QLatin1String("tf32")
                                                        ? inference::Precision::Tf32
                                                        : inference::Precision::Exact;
                        }});
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
}

}  // namespace skein::ui::options
