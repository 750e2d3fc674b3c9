// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "engine/inference/detail/tensor_peaks.h"
#include "engine/inference/map_packer.h"

namespace skein::inference {

/// The packed buffer of a model that runs in one stage, as tensor operations of fixed shape, for GPUs. Same results as
/// the MapPacker of its type, in the same layout with a chosen number of slots. Thread-compatible; constants live on
/// the device from construction on.
class TensorPacker {
public:
    virtual ~TensorPacker() = default;
    /// `maps` [B, channels, h, w] float32 of all heads -> float32 [PackedLayout::size()].
    [[nodiscard]] virtual at::Tensor pack(const std::vector<at::Tensor>& maps, std::int64_t slots) const = 0;
};

[[nodiscard]] std::unique_ptr<TensorPacker> makeTensorPacker(models::ModelType type, const PackOptions& options,
                                                             at::Device device);

}  // namespace skein::inference
