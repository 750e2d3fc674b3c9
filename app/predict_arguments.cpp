// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/predict_arguments.h"

#include <algorithm>
#include <charconv>

#include "app/arguments.h"
#include "engine/inference/model_set.h"
#include "engine/pipeline/read_models.h"

namespace skein::app {

void PredictArguments::addTo(CLI::App& command) {
    addOption(command, "-i,--data_path,--video", data, "Video, image folder or .slp to predict on")->required();
    addOption(command, "-o,--output_path", output, "Labels file to write [DATA.predictions.slp]");
    addRunTo(command, true);
    addInput(command);
    addOption(command, "--profile", profile, "Write what the run cost to this JSON file");
    addOption(command, "--trace", trace, "Write each turn of each stage to this file, for Chrome's trace viewer");
    addFlag(command, "--resume", resume, "Go on where a run with the same options was killed, stopped or failed");
    addFlag(command, "--quiet", quiet, "No progress and no summary");
}

void PredictArguments::addRunTo(CLI::App& command, bool needsModel) {
    addOption(command, "-m,--model_paths,--model", m_models,
              "Model folder, its checkpoint or its configuration; twice for a centroid and a centered-instance model")
        ->required(needsModel)
        ->allow_extra_args(false);
    addOption(command, "-d,--device", m_options.device,
              "auto (default), cpu, cuda, cuda:N, several GPUs as cuda:0,1, or cuda:all");
    addDecoderOption(command, decoder);
    addOption(command, "-b,--batch_size", m_batchSize, "Frames per batch [4]; auto: the fastest by measurement");
    addOption(command, "--precision", m_precision,
              "exact (default; float32), tf32 or half: faster where the device has it, results differ slightly")
        ->check(CLI::IsMember({"exact", "tf32", "half"}));
    addFlag(command, "--no_cuda_graphs", m_noCudaGraphs, "On a GPU, queue the kernels of each batch one by one");
    addOption(command, "--queue_maxsize", queueMaxsize, "Decoded frames that may wait [16]");
    addOption(command, "--paf_workers", hostThreads, "Host threads for matching and grouping [1]");
    addOption(command, "--cpu_threads", m_options.cpuThreads, "Threads of the network on the CPU [all cores]");
    addOption(command, "--backbone_ckpt_path", m_backboneWeights, "Checkpoint whose backbone is used instead");
    addOption(command, "--head_ckpt_path", m_headWeights, "Checkpoint whose heads are used instead");
    addPreprocessing(command);
    addPeaks(command);
    addFilters(command);
    addFlag(command, "-t,--tracking", tracking, "Follow instances through time");
    addFlag(command, "--no_empty_frames", noEmptyFrames, "Leave out frames in which nothing was found");
    addFlag(command, "--match_sleap_nn", m_options.matchSleapNn, "Reproduce sleap-nn's known defects, for comparisons");
    tracker.addTo(command);
}

void PredictArguments::addInput(CLI::App& command) {
    const std::string group = "Frames";
    // An empty text is a shell variable that was not set, not a wish for hours of work.
    addOption(command, "--frames", m_frames,
              "Frames to predict, e.g. 0-99,150 [all]; of a .slp positions in its list of frames")
        ->check([](const std::string& text) {
            return text.empty() ? std::string("the list is empty; leave the option out for all frames") : std::string();
        })
        ->group(group);
    addOption(command, "--video_index", m_videoIndex, "Of a .slp: all frames of this video, the first being 0")
        ->group(group);
    addOption(command, "--video_dataset", m_videoDataset, "Of an HDF5 file: the array of pictures [the only one]")
        ->group(group);
    addOption(command, "--video_input_format", m_videoInputFormat,
              "Of that array: channels_last (default; frames, height, width, channels) or channels_first")
        ->check(CLI::IsMember({"channels_last", "channels_first"}))
        ->group(group);
    addFlag(command, "--only_labeled_frames", m_onlyLabeled, "Of a .slp: frames that a person has labelled")
        ->group(group);
    addFlag(command, "--only_suggested_frames", m_onlySuggested, "Of a .slp: suggested frames not labelled yet")
        ->group(group);
    addFlag(command, "--exclude_user_labeled", m_excludeLabeled, "Of a .slp: frames that nobody has labelled")
        ->group(group);
    addFlag(command, "--only_predicted_frames", m_onlyPredicted, "Of a .slp: frames with predictions")->group(group);
}

void PredictArguments::addPreprocessing(CLI::App& command) {
    const std::string group = "Preprocessing";
    inference::InferenceOptions& o = m_options;
    addOption(command, "--input_scale", o.inputScale, "Input scale [as trained]")->group(group);
    addOption(command, "--max_height", o.maxHeight, "Height frames are brought to [as trained]")->group(group);
    addOption(command, "--max_width", o.maxWidth, "Width frames are brought to [as trained]")->group(group);
    addOption(command, "--crop_size", o.cropSize, "Side of the crops of a centered-instance model [as trained]")
        ->group(group);
    addOption(command, "--anchor_part", o.anchorPart,
              "Node that crops are centred on when they are taken from labels [as trained]")
        ->group(group);
    const auto toggle = [&](const std::string& name, std::optional<bool>& value, const std::string& help) {
        command
            .add_flag_callback(
                bothSpellings("--" + name), [&value] { value = true; }, help)
            ->group(group);
        command
            .add_flag_callback(
                bothSpellings("--no_" + name), [&value] { value = false; }, "")
            ->group("");
    };
    toggle("ensure_rgb", o.ensureRgb, "Turn frames into colour (--no-ensure_rgb: do not) [as trained]");
    toggle("ensure_grayscale", o.ensureGrayscale, "Turn frames into grey (--no-ensure_grayscale: do not) [as trained]");
}

void PredictArguments::addPeaks(CLI::App& command) {
    const std::string group = "Peaks and instances";
    inference::InferenceOptions& o = m_options;
    const auto add = [&](const std::string& names, auto& value, const std::string& help) {
        addOption(command, names, value, help)->group(group);
    };
    add("--peak_threshold,--peak_conf_threshold", o.peakThreshold, "Smallest confidence of a peak [0.2]");
    add("--centroid_peak_threshold", o.centroidPeakThreshold, "The same for the centroid model [--peak_threshold]");
    add("--integral_refinement", m_refinement, "integral (default) or none");
    add("--integral_patch_size", o.integralPatchSize, "Patch of the refinement in map pixels [5]");
    add("-n,--max_instances", maxInstances, "Most instances per frame [no limit]");
    add("--max_edge_length_ratio", o.maxEdgeLengthRatio,
        "Longest edge before it is penalised, as a share of the picture [0.25]");
    add("--dist_penalty_weight", o.distPenaltyWeight, "Weight of that penalty [1.0]");
    add("--n_points", o.nPoints, "Samples along a candidate edge [10]");
    add("--min_instance_peaks", o.minInstancePeaks,
        "Fewest nodes of an instance: a count from 1 on, a share of the nodes below 1 [0]");
    add("--min_line_scores", o.minLineScores, "Smallest score of an edge [0.25]");
    add("--max_peaks_per_node", o.maxPeaksPerNode, "Frames with more peaks of one node give no instances [no limit]");
    addFlag(command, "--centroid_only", m_centroidOnly, "Of two models use the centroid model alone")->group(group);
    add("--centroid_output", m_centroidOutput,
        "What a centroid model alone writes: instance (default; one node), centroid or both");
}

void PredictArguments::addFilters(CLI::App& command) {
    const std::string group = "Filters";
    inference::FilterOptions& f = m_options.filters;
    const auto add = [&](const std::string& names, auto& value, const std::string& help) {
        addOption(command, names, value, help)->group(group);
    };
    addFlag(command, "--filter_overlapping", f.overlapping, "Drop instances that are like a better one of the frame")
        ->group(group);
    add("--filter_overlapping_method", m_overlapMethod, "iou (default; boxes) or oks (nodes)");
    add("--filter_overlapping_threshold", f.overlapThreshold, "Likeness above which the lower-scored goes [0.8]");
    add("--filter_min_visible_nodes", f.minVisibleNodes, "Fewest visible nodes [0]");
    add("--filter_min_visible_node_fraction", f.minVisibleNodeFraction, "Smallest share of visible nodes [0]");
    add("--filter_min_mean_node_score", f.minMeanNodeScore, "Smallest mean of the nodes' scores [0]");
    add("--filter_min_instance_score", f.minInstanceScore, "Smallest score of an instance [0]");
    add("--filter_min_centroid_distance", f.minCentroidDistance,
        "Pixels within which a better centroid displaces another [0]");
}

Result<std::vector<models::ModelSpec>> PredictArguments::readModels() const {
    auto arranged = pipeline::readModels({m_models.begin(), m_models.end()});
    if (!arranged)
        return arranged;
    if (m_centroidOnly) {
        if (arranged->front().type != models::ModelType::Centroid)
            return fail(ErrorCode::InvalidArgument,
                        "--centroid_only needs a centroid model, and none was given with --model_paths.");
        arranged->resize(1);
    }
    if (!m_backboneWeights.empty() || !m_headWeights.empty()) {
        if (arranged->size() > 1)
            return fail(ErrorCode::InvalidArgument,
                        "--backbone_ckpt_path and --head_ckpt_path replace the weights of one model; with two models "
                        "it is not clear whose.");
        arranged->front().backboneWeightsFile = m_backboneWeights;
        arranged->front().headWeightsFile = m_headWeights;
    }
    return arranged;
}

Result<inference::InferenceOptions> PredictArguments::inferenceOptions() const {
    inference::InferenceOptions o = m_options;
    const auto wrong = [](const char* text) { return fail(ErrorCode::InvalidArgument, text); };
    if (m_batchSize == "auto") {
        o.batchSize = inference::kAutomaticBatch;
    } else {
        const char* end = m_batchSize.data() + m_batchSize.size();
        if (const auto read = std::from_chars(m_batchSize.data(), end, o.batchSize);
            read.ec != std::errc() || read.ptr != end || o.batchSize < 1)
            return wrong("--batch_size must be a number from 1 to 4096, or auto.");
    }
    o.cudaGraphs = !m_noCudaGraphs;
    o.precision = m_precision == "half"   ? inference::Precision::Half
                  : m_precision == "tf32" ? inference::Precision::Tf32
                                          : inference::Precision::Exact;
    if (queueMaxsize < 1 || o.nPoints < 1 || o.integralPatchSize < 1)
        return wrong("--queue_maxsize, --n_points and --integral_patch_size must be at least 1.");
    // Sizes are believed up to where memory or the system's threads would give out before the first frame.
    if (o.batchSize > 4096 || queueMaxsize > 65536)
        return wrong("--batch_size must be at most 4096 and --queue_maxsize at most 65536.");
    if (o.cpuThreads < 0 || hostThreads < 0 || hostThreads > 256)
        return wrong("--cpu_threads must not be negative, and --paf_workers from 0 to 256.");
    for (const double number : {o.peakThreshold, o.maxEdgeLengthRatio, o.distPenaltyWeight, o.minLineScores,
                                o.minInstancePeaks, o.filters.minPeakValue, o.filters.minInstanceScore,
                                o.filters.minMeanNodeScore, o.filters.overlapThreshold, o.filters.minCentroidDistance})
        if (!std::isfinite(number))
            return wrong("Thresholds, weights and limits must be ordinary numbers.");
    if (o.peakThreshold < 0 || (o.centroidPeakThreshold && !(*o.centroidPeakThreshold >= 0)))
        return wrong("--peak_threshold and --centroid_peak_threshold must not be negative.");
    if (m_refinement != "integral" && m_refinement != "none")
        return wrong("--integral_refinement must be integral or none.");
    if (o.inputScale && !(*o.inputScale > 0 && *o.inputScale <= 16))
        return wrong("--input_scale must be larger than 0 and at most 16.");
    if ((o.maxHeight && *o.maxHeight < 1) || (o.maxWidth && *o.maxWidth < 1))
        return wrong("--max_height and --max_width must be at least 1.");
    if (o.cropSize && *o.cropSize < 1)
        return wrong("--crop_size must be at least 1.");
    if (maxInstances && *maxInstances < 0)
        return wrong("--max_instances must not be negative; 0 means no limit.");
    if (o.filters.minVisibleNodeFraction < 0 || o.filters.minVisibleNodeFraction > 1)
        return wrong("--filter_min_visible_node_fraction must be from 0 to 1.");
    if (m_overlapMethod != "iou" && m_overlapMethod != "oks")
        return wrong("--filter_overlapping_method must be iou or oks.");
    o.filters.overlapMethod = m_overlapMethod == "oks" ? inference::OverlapMethod::Oks : inference::OverlapMethod::Iou;
    o.integralRefinement = m_refinement == "integral";
    o.maxInstances = maxInstances.value_or(0);
    return o;
}

Result<pipeline::InputRequest> PredictArguments::inputRequest(const std::vector<models::ModelSpec>& models) const {
    const auto kind = pipeline::frameKind(m_onlyLabeled, m_onlySuggested, m_excludeLabeled, m_onlyPredicted);
    if (!kind)
        return fail(kind.error());
    pipeline::InputRequest request;
    request.data = data;
    request.frames = m_frames;
    request.kind = *kind;
    request.videoIndex = m_videoIndex;
    request.videoDataset = m_videoDataset;
    request.decoder = decoder;
    request.channelsFirst = m_videoInputFormat == "channels_first";
    if (inference::needsCentroids(models)) {
        auto definition = inference::centroidDefinition(models, m_options.anchorPart);
        if (!definition)
            return fail(definition.error());
        request.around = std::move(*definition);
    }
    return request;
}

Result<pipeline::CentroidOutput> PredictArguments::centroidOutput(const std::vector<models::ModelSpec>& models) const {
    if (m_centroidOutput == "instance")
        return pipeline::CentroidOutput::Instance;
    if (m_centroidOutput != "centroid" && m_centroidOutput != "both")
        return fail(ErrorCode::InvalidArgument, "--centroid_output must be instance, centroid or both.");
    if (models.size() != 1 || models.front().type != models::ModelType::Centroid)
        return fail(ErrorCode::InvalidArgument,
                    "--centroid_output " + m_centroidOutput + " is for a centroid model that runs alone.");
    if (tracking)
        return fail(ErrorCode::InvalidArgument, "Tracking follows instances; leave out --centroid_output " +
                                                    m_centroidOutput + " to track what a centroid model finds.");
    return m_centroidOutput == "both" ? pipeline::CentroidOutput::Both : pipeline::CentroidOutput::Centroid;
}

void PredictArguments::tellIdleOptions() const {
    std::string names;
    for (const std::string& name : tracker.given())
        names += (names.empty() ? "" : ", ") + name;
    if (!tracking && !names.empty())
        printWarning("Without --tracking nothing is followed, and these options do nothing: " + names + ".");
}

Result<pipeline::PredictionRequest> PredictArguments::request() const {
    tellIdleOptions();
    auto inference = inferenceOptions();
    if (!inference)
        return fail(std::move(inference.error()));
    auto models = readModels();
    if (!models)
        return fail(std::move(models.error()));
    const auto centroids = centroidOutput(*models);
    if (!centroids)
        return fail(centroids.error());
    pipeline::PredictionRequest request;
    request.models = std::move(*models);
    request.inference = std::move(*inference);
    request.centroids = *centroids;
    request.keepEmptyFrames = !noEmptyFrames;
    request.queueMaxsize = queueMaxsize;
    request.groupThreads = std::max(1, hostThreads);
    if (tracking) {
        tracking::TrackingFacts facts;
        facts.skeletonNodeCounts = {static_cast<int>(inference::outputSkeleton(request.models).nodes.size())};
        facts.maxInstances = maxInstances;
        auto options = tracker.resolve(facts, request.inference.matchSleapNn);
        if (!options)
            return fail(std::move(options.error()));
        request.tracking = std::move(*options);
    }
    return request;
}

}  // namespace skein::app
