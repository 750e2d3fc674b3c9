// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/Context.h>
#include <ATen/core/Tensor.h>

#include "engine/models/detail/buffer_cache.h"

namespace skein::inference {

/// Settings of the process that every use of a device starts with; calling it again changes nothing.
inline void setUpDevice(const at::Device& device) {
    if (device.is_cuda()) {
        // Exact float32, as everything is compared against; faster forms are a choice, not a surprise.
        at::globalContext().setAllowTF32CuBLAS(false);
        at::globalContext().setAllowTF32CuDNN(false);
    }
    models::keepLargeBuffers();
}

}  // namespace skein::inference
