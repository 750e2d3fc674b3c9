// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "engine/base/result.h"
#include "engine/inference/detail/cuda_bridge.h"
#include "engine/inference/detail/lane_networks.h"
#include "engine/inference/options.h"
#include "engine/inference/runner.h"
#include "engine/models/detail/network.h"

namespace skein::inference {

/// Where and how a runner works.
struct RunnerContext {
    InferenceOptions options;
    at::Device device = at::Device(at::kCPU);
    std::unique_ptr<CudaQueue> queue;  ///< null: the CPU's way, by plain loops over the maps
    models::ForwardWay way = models::ForwardWay::Fused;
    LanePlan lanes;                       ///< CPU only
    at::ScalarType numbers = at::kFloat;  ///< of the networks, see numbersFor()
    std::string warning;                  ///< see InferenceRunner::warning()
};

/// A runner for the models of a run, in any order. Errors: as Backend::loadRunner().
[[nodiscard]] Result<std::unique_ptr<InferenceRunner>> makeRunner(const std::vector<models::ModelSpec>& specs,
                                                                  RunnerContext context, profile::Profiler& profiler);

/// The parts of makeRunner(); exceptions of LibTorch pass through.
[[nodiscard]] Result<std::unique_ptr<InferenceRunner>> makeOneStageRunner(const models::ModelSpec& spec,
                                                                          RunnerContext context,
                                                                          profile::Profiler& profiler);
/// `specs`: a centroid model and one that works on crops, or the latter alone.
[[nodiscard]] Result<std::unique_ptr<InferenceRunner>> makeTopDownRunner(const std::vector<models::ModelSpec>& specs,
                                                                         RunnerContext context,
                                                                         profile::Profiler& profiler);

}  // namespace skein::inference
