// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/image.h"
#include "engine/base/result.h"
#include "engine/inference/host_batch.h"
#include "engine/inference/input_geometry.h"
#include "engine/inference/map_packer.h"
#include "engine/inference/model_set.h"
#include "engine/inference/options.h"
#include "engine/inference/runner.h"
#include "engine/models/model_spec.h"
#include "engine/models/network_plan.h"

// The stages of inference one by one, on the CPU and without a tensor in sight: for tests and benchmarks, which compare
// them with recorded values and with each other. Runs use InferenceRunner.
namespace skein::inference::probe {

/// A tensor on the host: float32 values (pixels 0..255 as such) in row-major order, [n, c, h, w] unless said otherwise.
struct Array {
    std::vector<std::int64_t> shape;
    std::vector<float> values;
};

/// Which of two ways to compute the network.
enum class Way { Plain, Fused };

struct Stages {
    Array preprocessed;        ///< after channels, size matching, scaling and padding; 0..255
    Array networkInput;        ///< what the first convolution sees, 0..1
    std::vector<Array> heads;  ///< in the order of the configuration
};

/// Runs a model on images up to its maps.
[[nodiscard]] Result<Stages> recordStages(const models::ModelSpec& spec, const InferenceOptions& options,
                                          std::span<const ImagePtr> images, Way way);

/// The network alone on an input in 0..1.
[[nodiscard]] Result<std::vector<Array>> forward(const models::ModelSpec& spec, const Array& input, Way way,
                                                 int cpuThreads = 0);

/// What a model that works on crops sees around given centroids (image pixels), and its maps.
struct CropStages {
    Array crops;         ///< 0..255, before scaling
    Array networkInput;  ///< 0..1
    std::vector<Array> heads;
};
[[nodiscard]] Result<CropStages> recordCrops(const models::ModelSpec& spec, const TopDownSettings& settings,
                                             std::span<const ImagePtr> images,
                                             std::span<const std::vector<CentroidPoint>> centroids, Way way);

/// The packed buffer by the tensor operations meant for GPUs. Errors: as MapPacker, and Internal when a count exceeds
/// `slots`.
[[nodiscard]] Result<HostBatch> packWithTensors(models::ModelType type, const PackOptions& options,
                                                const std::vector<Array>& maps, int slots);
[[nodiscard]] Result<HostBatch> packWithTensors(const PackOptions& options, const Array& confmaps, const Array& pafs,
                                                int slots);

/// Crops around centroids (image pixels) of uint8 frames [n, c, h, w], by loops or by the gather meant for GPUs.
[[nodiscard]] Result<Array> cropPixels(const Array& frames, std::span<const int> frame,
                                       std::span<const CentroidPoint> centroids, float effScale, int size,
                                       bool byTensorOperations);

/// A runner on the CPU that goes the GPU's way in everything but the copies: queued batches, tensor operations, crops
/// in one gather.
[[nodiscard]] Result<std::unique_ptr<InferenceRunner>> makeQueuedRunner(const std::vector<models::ModelSpec>& specs,
                                                                        const InferenceOptions& options,
                                                                        profile::Profiler& profiler);

/// Resize of uint8 pixels, by LibTorch's kernel or by the integer operations meant for other devices.
[[nodiscard]] Result<Array> resize(const Array& pixels, Size size, bool byTensorOperations);
[[nodiscard]] Result<Array> toGrey(const Array& pixels);
[[nodiscard]] Result<Array> normalise(const Array& pixels);
/// One convolution, with weights in the checkpoint's order.
[[nodiscard]] Result<Array> convolve(const models::ConvPlan& plan, const Array& weight, const Array& bias,
                                     const Array& input, bool kerasAlignment, Way way);
/// The pooling of the encoder and the bilinear doubling of the decoder.
[[nodiscard]] Result<Array> pool(const Array& input);
[[nodiscard]] Result<Array> enlarge(const Array& input);

}  // namespace skein::inference::probe
