// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>

#include "engine/base/result.h"
#include "engine/inference/options.h"
#include "engine/inference/runner.h"
#include "engine/models/detail/network.h"

namespace skein::inference {

/// A runner for one bottom-up model. Errors: as Backend::loadRunner().
[[nodiscard]] Result<std::unique_ptr<InferenceRunner>> makeBottomUpRunner(
    const models::ModelSpec& spec, const InferenceOptions& options, at::Device device, profile::Profiler& profiler,
    models::ForwardWay way = models::ForwardWay::Fused);

/// Sets up the calling thread for LibTorch: no gradients, and the run's number of threads.
class TorchThread {
public:
    explicit TorchThread(int cpuThreads);
    ~TorchThread();
    TorchThread(const TorchThread&) = delete;
    TorchThread& operator=(const TorchThread&) = delete;

private:
    struct Guard;
    std::unique_ptr<Guard> m_guard;
};

}  // namespace skein::inference
