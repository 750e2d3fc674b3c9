// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include <cstddef>
#include <span>
#include <vector>

#include "engine/inference/crop_geometry.h"
#include "engine/inference/detail/tensor_peaks.h"
#include "engine/inference/input_geometry.h"

// Square crops around centroids, uint8, zeros outside the frame: by plain loops on the CPU, in one gather on a GPU.
namespace skein::inference {

struct CropRequest {
    std::size_t frame = 0;
    CropAxis x, y;
};

/// `frames`: [h, w, c] uint8 each, on the CPU. Returns [crops, c, size, size] in channels-last memory.
[[nodiscard]] at::Tensor cutCrops(const std::vector<at::Tensor>& frames, std::span<const CropRequest> requests,
                                  int size);

/// Crops to compute at once on the CPU: as many as have the pixels of one frame of middling size, so that there is
/// enough work for all cores and activations stay in the cache. With `lanes` a few only, since each lane has a core of
/// its own, and there shall be pieces for all; a handful, since weights are put in order for each number of crops.
[[nodiscard]] std::size_t cropsAtOnce(Size crop, bool lanes);

// --- on the device, without reading it

struct CentroidScales {
    double inputScale = 1;  ///< of the centroid stage
    float effScale = 1;     ///< of the size matcher
    int maxInstances = 0;
};

/// Centroids of a batch: as they are packed, and as a list of `crops` places of which the first ones are used.
struct CentroidTensors {
    at::Tensor counts;  ///< [B] int32, uncapped
    at::Tensor peaks;   ///< [B, K, 3]: x, y in image pixels, value; NaN where there is none
    at::Tensor frame;   ///< [N] int64
    at::Tensor x, y;    ///< [N] image pixels
};
[[nodiscard]] CentroidTensors centroidTensors(const TensorLocalPeaks::Found& found, const CentroidScales& scales,
                                              std::int64_t crops);

struct CropTensors {
    at::Tensor pixels;            ///< [N, c, size, size] uint8
    at::Tensor originX, originY;  ///< [N, 1] float, see CropAxis
};
/// One gather for the batch. `frames` [B, c, h, w] uint8; `x`, `y` [N] in image pixels.
[[nodiscard]] CropTensors gatherCrops(const at::Tensor& frames, const at::Tensor& frame, const at::Tensor& x,
                                      const at::Tensor& y, float effScale, int size);

/// Peaks [N, C, 3] in pixels of the scaled crop to pixels of the size-matched frame.
[[nodiscard]] at::Tensor movedToFrame(const at::Tensor& peaks, double cropScale, const CropTensors& crops);

}  // namespace skein::inference
