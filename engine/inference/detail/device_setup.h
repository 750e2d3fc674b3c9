// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/Context.h>
#include <ATen/core/Tensor.h>

#include "engine/inference/options.h"
#include "engine/models/detail/buffer_cache.h"

namespace skein::inference {

/// Settings of the process that every use of a device starts with; calling it again changes
/// the precision only.
inline void setUpDevice(const at::Device& device, Precision precision = Precision::Exact) {
    if (device.is_cuda()) {
        // Exact float32, as everything is compared against; faster forms are a choice, not a surprise.
        at::globalContext().setAllowTF32CuBLAS(precision == Precision::Tf32);
        at::globalContext().setAllowTF32CuDNN(precision == Precision::Tf32);
    }
    models::keepLargeBuffers();
}

}  // namespace skein::inference
