// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/detail/pooling.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/upsample_bilinear2d.h>

namespace skein::models {
namespace {

/// One output row from two input rows of `width` output pixels. A NaN among the four is not guaranteed to survive.
void poolRow(const float* upper, const float* lower, float* out, std::int64_t width, std::int64_t channels) {
    for (std::int64_t x = 0; x < width; ++x) {
        const float* a = upper + 2 * x * channels;
        const float* b = lower + 2 * x * channels;
        float* o = out + x * channels;
        for (std::int64_t c = 0; c < channels; ++c) {
            const float top = a[c] > a[c + channels] ? a[c] : a[c + channels];
            const float bottom = b[c] > b[c + channels] ? b[c] : b[c + channels];
            o[c] = top > bottom ? top : bottom;
        }
    }
}

}  // namespace

at::Tensor pool2x2(const at::Tensor& x) {
    const at::Tensor rows = x.permute({0, 2, 3, 1});
    if (!x.is_cpu() || x.scalar_type() != at::kFloat || !rows.is_contiguous())
        return at::max_pool2d(x, {2, 2}, {2, 2});
    const std::int64_t frames = x.size(0);
    const std::int64_t channels = x.size(1);
    const std::int64_t height = x.size(2) / 2;
    const std::int64_t width = x.size(3) / 2;
    const std::int64_t rowSize = x.size(3) * channels;
    const at::Tensor out = at::empty({frames, height, width, channels}, x.options().memory_format(std::nullopt));
    const float* from = rows.const_data_ptr<float>();
    float* to = out.mutable_data_ptr<float>();
    const std::int64_t frameSize = x.size(2) * rowSize;
    at::parallel_for(0, frames * height, 1 + 32768 / (rowSize + 1), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            const float* upper = from + row / height * frameSize + row % height * 2 * rowSize;
            poolRow(upper, upper + rowSize, to + row * width * channels, width, channels);
        }
    });
    return out.permute({0, 3, 1, 2});
}

at::Tensor enlarge2x(const at::Tensor& x) {
    return at::upsample_bilinear2d(x, {2 * x.size(2), 2 * x.size(3)}, false);
}

}  // namespace skein::models
