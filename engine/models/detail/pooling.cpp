// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/detail/pooling.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/upsample_bilinear2d.h>

#include <algorithm>
#include <vector>

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

/// Three quarters of `near` and a quarter of `far`.
void blend(const float* near, const float* far, float* out, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
        out[i] = 0.75F * near[i] + 0.25F * far[i];
}

/// One output row from a row of `width` input pixels.
void enlargeRow(const float* row, float* out, std::int64_t width, std::int64_t channels) {
    for (std::int64_t x = 0; x < width; ++x) {
        const float* pixel = row + x * channels;
        blend(pixel, x > 0 ? pixel - channels : pixel, out + 2 * x * channels, channels);
        blend(pixel, x + 1 < width ? pixel + channels : pixel, out + (2 * x + 1) * channels, channels);
    }
}

bool isDenseOnCpu(const at::Tensor& x, const at::Tensor& rows) {
    return x.is_cpu() && x.scalar_type() == at::kFloat && rows.is_contiguous();
}

}  // namespace

at::Tensor pool2x2(const at::Tensor& x) {
    const at::Tensor rows = x.permute({0, 2, 3, 1});
    if (!isDenseOnCpu(x, rows))
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
    const at::Tensor rows = x.permute({0, 2, 3, 1});
    if (!isDenseOnCpu(x, rows))
        return at::upsample_bilinear2d(x, {2 * x.size(2), 2 * x.size(3)}, false);
    const std::int64_t frames = x.size(0);
    const std::int64_t channels = x.size(1);
    const std::int64_t height = x.size(2);
    const std::int64_t width = x.size(3);
    const at::Tensor out =
        at::empty({frames, 2 * height, 2 * width, channels}, x.options().memory_format(std::nullopt));
    const float* const from = rows.const_data_ptr<float>();
    float* const to = out.mutable_data_ptr<float>();
    const std::int64_t rowSize = width * channels;
    at::parallel_for(0, frames * 2 * height, 1 + 16384 / (rowSize + 1), [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> between(static_cast<std::size_t>(rowSize));
        for (std::int64_t row = begin; row < end; ++row) {
            const float* const frame = from + row / (2 * height) * height * rowSize;
            const std::int64_t y = row % (2 * height) / 2;
            const std::int64_t far = std::clamp<std::int64_t>(row % 2 == 0 ? y - 1 : y + 1, 0, height - 1);
            blend(frame + y * rowSize, frame + far * rowSize, between.data(), rowSize);
            enlargeRow(between.data(), to + row * 2 * rowSize, width, channels);
        }
    });
    return out.permute({0, 3, 1, 2});
}

}  // namespace skein::models
