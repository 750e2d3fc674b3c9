// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "engine/base/image.h"
#include "engine/base/result.h"
#include "engine/inference/local_peaks.h"
#include "engine/inference/options.h"
#include "engine/models/model_spec.h"

// A model and a batch of frames, kept so that single stages can be repeated and timed: for benchmarks, which include
// none of LibTorch. Runs use InferenceRunner.
namespace skein::inference::probe {

/// Belongs to the thread that made it.
class StageLoop {
public:
    virtual ~StageLoop() = default;
    /// All frames of the batch up to the network's input.
    virtual void preprocess() = 0;
    /// The network alone on what preprocess() left (called once before), over the whole batch and arranged as a run
    /// does it: on a processor frame by frame over its lanes; on a GPU the batch at once, queued and not waited for.
    virtual void forward() = 0;
    /// Maps of one frame of the last forward(), as packers see them, in the order of the model's heads. On a processor
    /// only; they are valid until the next forward() or maps().
    [[nodiscard]] virtual std::vector<MapView> maps(int frame) = 0;
};

/// `spec`: a model that sees whole frames; or one for crops, which then are the images. Images have one shape.
/// Errors: as Backend::loadRunner().
[[nodiscard]] Result<std::unique_ptr<StageLoop>> makeStageLoop(const models::ModelSpec& spec,
                                                               const InferenceOptions& options,
                                                               std::span<const ImagePtr> images);

/// The yardstick of forward passes: the rate at which LibTorch multiplies two float32 matrices of `size` x `size` with
/// so many threads (0: all cores), in 1e9 multiplications and additions a second; the best of a few tries.
[[nodiscard]] double matrixRate(int size, int threads);

}  // namespace skein::inference::probe
