// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/crops.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/full.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/trunc.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <tuple>

namespace skein::inference {
namespace {

/// Division as the CPU does it: dividing by a number multiplies by its reciprocal on GPUs, dividing by a tensor does
/// not.
at::Tensor dividedBy(const at::Tensor& values, double by) {
    return by == 1 ? values : values / at::full({1}, by, values.options());
}

}  // namespace

at::Tensor cutCrops(const std::vector<at::Tensor>& frames, std::span<const CropRequest> requests, int size) {
    const std::int64_t height = frames.front().size(0);
    const std::int64_t width = frames.front().size(1);
    const std::int64_t channels = frames.front().size(2);
    const at::Tensor crops = at::zeros({static_cast<std::int64_t>(requests.size()), size, size, channels},
                                       at::TensorOptions().dtype(at::kByte));
    std::uint8_t* out = crops.mutable_data_ptr<std::uint8_t>();
    for (const CropRequest& request : requests) {
        const auto* pixels = frames[request.frame].const_data_ptr<std::uint8_t>();
        const std::int64_t left = std::clamp<std::int64_t>(-std::int64_t{request.x.first}, 0, size);
        const std::int64_t end = std::clamp<std::int64_t>(width - request.x.first, left, size);
        for (std::int64_t row = 0; row < size; ++row) {
            const std::int64_t y = request.y.first + row;
            if (y < 0 || y >= height || end == left)
                continue;
            std::memcpy(out + (row * size + left) * channels, pixels + (y * width + request.x.first + left) * channels,
                        static_cast<std::size_t>((end - left) * channels));
        }
        out += size * size * channels;
    }
    return crops.permute({0, 3, 1, 2});
}

std::size_t cropsAtOnce(Size crop, bool lanes) {
    constexpr std::int64_t kPixels = 384 * 384;
    constexpr std::int64_t kMostInLane = 4;
    const std::int64_t pixels = std::max<std::int64_t>(1, std::int64_t{crop.height} * crop.width);
    const std::int64_t fitting = std::max<std::int64_t>(1, kPixels / pixels);
    return static_cast<std::size_t>(lanes ? std::min(fitting, kMostInLane) : fitting);
}

CentroidTensors centroidTensors(const TensorLocalPeaks::Found& found, const CentroidScales& scales,
                                std::int64_t crops) {
    const at::Tensor peaks = found.peaks.select(1, 0);  // [B, K, 3]
    const std::int64_t slots = peaks.size(1);
    at::Tensor x = dividedBy(dividedBy(peaks.select(2, 0), scales.inputScale), static_cast<double>(scales.effScale));
    at::Tensor y = dividedBy(dividedBy(peaks.select(2, 1), scales.inputScale), static_cast<double>(scales.effScale));
    at::Tensor value = peaks.select(2, 2);
    const at::Tensor nothing = at::full({}, std::numeric_limits<float>::quiet_NaN(), value.options());
    if (scales.maxInstances > 0) {
        // Frames with too many centroids are ordered by value; the others keep the order of the picture.
        const at::Tensor none = at::full({}, -std::numeric_limits<float>::infinity(), value.options());
        const at::Tensor key = at::where(at::isnan(value), none, value);
        const at::Tensor sorted = std::get<1>(at::sort(key, std::optional<bool>(true), 1, true));
        const at::Tensor place = at::arange(slots, sorted.options());
        const at::Tensor tooMany = at::isnan(value).logical_not().sum(1, true).gt(scales.maxInstances);  // [B, 1]
        const at::Tensor order = at::where(tooMany, sorted, place);
        const at::Tensor beyond = tooMany.logical_and(place.ge(scales.maxInstances));
        x = x.gather(1, order);
        y = y.gather(1, order);
        value = at::where(beyond, nothing, value.gather(1, order));
    }
    const at::Tensor valid = at::isnan(x).logical_or(at::isnan(y)).logical_or(at::isnan(value)).logical_not();
    // Number the centroids of the batch and drop each into its crop, as local peaks are dropped into their slots.
    const at::Tensor flat = valid.reshape({-1});
    const at::Tensor rank = at::cumsum(flat, 0, at::kInt);
    const at::Tensor slot =
        at::where(flat.logical_and(rank.le(crops)), rank - 1, at::scalar_tensor(crops, rank.options())).to(at::kLong);
    const at::Tensor place = at::zeros({crops + 1}, slot.options())
                                 .scatter_(0, slot, at::arange(flat.size(0), slot.options()))
                                 .narrow(0, 0, crops);
    const auto masked = [&](const at::Tensor& values) { return at::where(valid, values, nothing); };
    CentroidTensors result;
    result.counts = found.counts.view(-1);
    result.peaks = at::stack({masked(x), masked(y), masked(value)}, 2);
    result.frame = place.floor_divide(slots);
    result.x = x.reshape({-1}).index_select(0, place);
    result.y = y.reshape({-1}).index_select(0, place);
    return result;
}

CropTensors gatherCrops(const at::Tensor& frames, const at::Tensor& frame, const at::Tensor& x, const at::Tensor& y,
                        float effScale, int size) {
    constexpr double kFar = 1e7;
    const std::int64_t channels = frames.size(1);
    const std::int64_t height = frames.size(2);
    const std::int64_t width = frames.size(3);
    const std::int64_t crops = frame.size(0);
    const std::int64_t half = size / 2;
    const at::Tensor within = at::arange(size, frame.options());
    const auto originOf = [&](const at::Tensor& centre) {
        // Three steps of one rounding each, as on the CPU.
        const at::Tensor sized = effScale == 1 ? centre : centre * static_cast<double>(effScale);
        return (sized - static_cast<double>(size) / 2.0) + 0.5;
    };
    const auto pixelsOf = [&](const at::Tensor& origin) {
        const at::Tensor shifted =
            at::trunc(at::clamp(at::nan_to_num(origin, 0.0), -kFar, kFar) + static_cast<double>(half));
        return (shifted.to(at::kLong) - half).unsqueeze(1) + within;  // [N, size]
    };
    const at::Tensor originX = originOf(x);
    const at::Tensor originY = originOf(y);
    const at::Tensor columns = pixelsOf(originX);
    const at::Tensor rows = pixelsOf(originY);
    const auto inside = [](const at::Tensor& pixels, std::int64_t end) {
        return pixels.ge(0).logical_and(pixels.lt(end));
    };
    const at::Tensor there = inside(rows, height).unsqueeze(2).logical_and(inside(columns, width).unsqueeze(1));
    const at::Tensor index = (frame.view({-1, 1, 1}) * height + at::clamp(rows, 0, height - 1).unsqueeze(2)) * width +
                             at::clamp(columns, 0, width - 1).unsqueeze(1);  // [N, size, size]
    const at::Tensor pixels = frames.permute({0, 2, 3, 1})
                                  .contiguous()
                                  .view({-1, channels})
                                  .index_select(0, index.view(-1))
                                  .view({crops, size, size, channels});
    return {(pixels * there.unsqueeze(3)).permute({0, 3, 1, 2}), originX.unsqueeze(1), originY.unsqueeze(1)};
}

at::Tensor movedToFrame(const at::Tensor& peaks, double cropScale, const CropTensors& crops) {
    return at::stack({dividedBy(peaks.select(2, 0), cropScale) + crops.originX,
                      dividedBy(peaks.select(2, 1), cropScale) + crops.originY, peaks.select(2, 2)},
                     2);
}

}  // namespace skein::inference
