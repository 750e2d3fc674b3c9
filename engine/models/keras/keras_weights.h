// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <memory>
#include <vector>

#include "engine/base/result.h"
#include "engine/models/host_weights.h"
#include "engine/models/network_plan.h"

// The weights of SLEAP <= 1.4 (`best_model.h5`, Keras 2.4): an HDF5 file with the group `model_weights`, in it one
// group per layer with the tables `kernel:0` and `bias:0`. Thread-safe: the HDF5 library's one mutex is taken.
namespace skein::models {

/// Channels of the pictures that the model takes, from the shape of its first kernel, since the training configuration
/// does not say. Reads no weights. Errors: NotFound, Io, Format (no Keras model, damaged), Unsupported (not a UNet of
/// SLEAP's).
[[nodiscard]] Result<int> kerasInputChannels(const std::filesystem::path& file);

/// The weights that `parameters` ask for, turned into the order of a checkpoint: kernels [h, w, in, out] become
/// [out, in, h, w] (of transposed convolutions [h, w, out, in] become [in, out, h, w]), dense ones [in, out] become
/// [out, in]. A layer goes to the parameter whose last name equals its own, heads without their trailing "_<number>".
/// Layers of offset refinement, which sleap-nn does not have, are left out.
/// Errors: as kerasInputChannels(); Model, naming the layer that is missing, surplus or misshapen.
[[nodiscard]] Result<std::shared_ptr<const HostWeights>> readKerasWeights(const std::filesystem::path& file,
                                                                          const std::vector<ParameterPlan>& parameters);

}  // namespace skein::models
