// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/tracking_arguments.h"
#include "engine/base/result.h"
#include "engine/inference/options.h"
#include "engine/models/model_spec.h"
#include "engine/pipeline/frame_selection.h"
#include "engine/pipeline/prediction_input.h"
#include "engine/pipeline/prediction_run.h"

namespace skein::app {

/// The options of `predict`, under sleap-nn's names.
class PredictArguments {
public:
    void addTo(CLI::App& command);
    /// What is asked of a run whatever its data: models, options, filters, tracking. A part of addTo().
    void addRunTo(CLI::App& command, bool needsModel);

    /// The models that were given, in the order of their work, read from their configurations.
    /// Errors: those of readModelSpec(); InvalidArgument.
    [[nodiscard]] Result<std::vector<models::ModelSpec>> readModels() const;
    /// Errors: InvalidArgument, naming the option.
    [[nodiscard]] Result<inference::InferenceOptions> inferenceOptions() const;
    [[nodiscard]] Result<pipeline::InputRequest> inputRequest(const std::vector<models::ModelSpec>& models) const;
    /// Errors: InvalidArgument (an unknown word, or a run to which it cannot apply).
    [[nodiscard]] Result<pipeline::CentroidOutput> centroidOutput(const std::vector<models::ModelSpec>& models) const;
    /// A default name beside the data, so that the shortest command line works too.
    [[nodiscard]] std::string outputFile() const { return output.empty() ? data + ".predictions.slp" : output; }

    /// Everything of a run but its data and output. Errors: those of readModels() and the two above.
    [[nodiscard]] Result<pipeline::PredictionRequest> request() const;

    /// Warns of options that do nothing because of another one.
    void tellIdleOptions() const;

    std::string data, output, profile, trace;
    int queueMaxsize = 16;
    int hostThreads = 0;
    video::DecoderChoice decoder = video::DecoderChoice::Processor;
    bool tracking = false;
    bool noEmptyFrames = false;
    bool quiet = false;
    bool resume = false;
    TrackingArguments tracker;
    std::optional<int> maxInstances;

    [[nodiscard]] const std::vector<std::string>& modelPaths() const { return m_models; }

private:
    void addInput(CLI::App& command);
    void addPreprocessing(CLI::App& command);
    void addPeaks(CLI::App& command);
    void addFilters(CLI::App& command);

    std::vector<std::string> m_models;
    std::string m_backboneWeights, m_headWeights;
    std::string m_frames;
    std::optional<int> m_videoIndex;
    std::string m_videoDataset;
    std::string m_videoInputFormat;
    bool m_onlyLabeled = false, m_onlySuggested = false, m_excludeLabeled = false, m_onlyPredicted = false;
    bool m_centroidOnly = false;
    std::string m_centroidOutput = "instance";
    std::string m_refinement = "integral";
    std::string m_overlapMethod = "iou";
    std::string m_batchSize = "4";  ///< a number or "auto"
    std::string m_precision = "exact";
    bool m_noCudaGraphs = false;
    inference::InferenceOptions m_options;
};

}  // namespace skein::app
