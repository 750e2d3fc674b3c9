// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/inference/detail/cuda_bridge.h"
#include "engine/inference/options.h"

namespace skein::inference {

/// CUDA as found on this machine; looked for once.
struct CudaSupport {
    CudaBridge* bridge = nullptr;  ///< null: CUDA is not used, for the reason given
    std::string reason;
};

/// Joins LibTorch's CUDA part to this process, if an NVIDIA driver, a device and the libraries are there. Thread-safe.
[[nodiscard]] const CudaSupport& cudaSupport();

/// The devices of a run by InferenceOptions::device: the CPU alone, or one or more CUDA devices. Errors:
/// InvalidArgument (no such word), Device (CUDA was asked for and cannot be used, with the reason; there is no device
/// of that number).
[[nodiscard]] Result<std::vector<at::Device>> chooseDevices(const std::string& wanted);

/// What UNets compute with; for half precision on a processor without it: float32.
[[nodiscard]] at::ScalarType numbersFor(Precision precision, const at::Device& device);

}  // namespace skein::inference
