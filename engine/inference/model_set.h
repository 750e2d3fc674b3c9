// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/inference/options.h"
#include "engine/models/model_spec.h"

namespace skein::inference {

/// The models of a run in the order of their work: one model, or a centroid model and the one that looks into its
/// crops. Takes a pair in either order. Errors: InvalidArgument, in words, for none, three, or two that do not belong
/// together.
[[nodiscard]] Result<std::vector<models::ModelSpec>> arrangeModels(std::vector<models::ModelSpec> given);

/// Whether the run needs to be told where instances are: a centered-instance model without a centroid model.
[[nodiscard]] bool needsCentroids(const std::vector<models::ModelSpec>& arranged);

/// Words for a person: "Top-down (centroid and centered instance)".
[[nodiscard]] std::string describeModels(const std::vector<models::ModelSpec>& arranged);

/// What has to be known about the frames and the crops of a run with crops.
struct TopDownSettings {
    models::PreprocessSpec frames;  ///< size matching; channels and scale as the centroid stage wants them
    models::PreprocessSpec crops;   ///< scale; no other step
    int cropSize = 0;
};

/// Each value from where sleap-nn takes it: sizes of frames from the run's options, else the centroid model, else the
/// other; channels from the centroid model; the crop's size from the options or the second model; the scale of each
/// stage from the options or its own model. `arranged`: one or two models, the last one works on crops.
/// Errors: InvalidArgument; Model (no crop size anywhere).
[[nodiscard]] Result<TopDownSettings> topDownSettings(const std::vector<models::ModelSpec>& arranged,
                                                      const InferenceOptions& options);

/// Skeleton that the instances of a run are stored with: the last model's; of a centroid model alone one node
/// "centroid", unless it was trained on a skeleton of one node.
[[nodiscard]] project::Skeleton outputSkeleton(const std::vector<models::ModelSpec>& arranged);

}  // namespace skein::inference
