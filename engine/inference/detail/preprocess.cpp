// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/preprocess.h"

#include <ATen/Parallel.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>

#include <vector>

namespace skein::inference {
namespace {

constexpr std::size_t kKept = 16;
constexpr std::int64_t kRowsAtOnce = 128;

at::Tensor padTo(const at::Tensor& pixels, Size size) {
    const std::int64_t bottom = size.height - pixels.size(2);
    const std::int64_t right = size.width - pixels.size(3);
    if (bottom == 0 && right == 0)
        return pixels;
    return at::constant_pad_nd(pixels, {0, right, 0, bottom}, 0);
}

Size sizeOf(const at::Tensor& pixels) {
    return {static_cast<int>(pixels.size(2)), static_cast<int>(pixels.size(3))};
}

}  // namespace

const AxisWeights& Resizer::weights(std::int64_t in, std::int64_t out) {
    for (const Weights& known : m_weights)
        if (known.in == in && known.out == out)
            return known.axis;
    if (m_weights.size() >= kKept)
        m_weights.erase(m_weights.begin());
    m_weights.push_back({in, out, axisWeights(in, out)});
    return m_weights.back().axis;
}

const Resizer::Axis& Resizer::axis(std::int64_t in, std::int64_t out, at::Device device) {
    for (const Axis& known : m_axes)
        if (known.in == in && known.out == out && known.index.device() == device)
            return known;
    if (m_axes.size() >= kKept)
        m_axes.erase(m_axes.begin());
    const AxisWeights& weights = this->weights(in, out);
    std::vector<std::int64_t> index;
    std::vector<std::int32_t> q;
    for (std::int64_t t = 0; t < weights.taps; ++t)
        for (std::int64_t i = 0; i < out; ++i) {
            index.push_back(weights.first[static_cast<std::size_t>(i)] + t);
            q.push_back(weights.q[static_cast<std::size_t>(i * weights.taps + t)]);
        }
    const auto table = [&](auto& values, at::ScalarType type) {
        return at::from_blob(values.data(), {weights.taps, out}, at::TensorOptions().dtype(type)).clone().to(device);
    };
    m_axes.push_back({in, out, weights.precision, table(index, at::kLong), table(q, at::kInt)});
    return m_axes.back();
}

std::vector<at::Tensor> Resizer::tables() const {
    std::vector<at::Tensor> all;
    for (const Axis& axis : m_axes) {
        all.push_back(axis.index);
        all.push_back(axis.weight);
    }
    return all;
}

at::Tensor Resizer::along(const at::Tensor& pixels, std::int64_t dimension, std::int64_t out) {
    const Axis& table = axis(pixels.size(dimension), out, pixels.device());
    std::vector<std::int64_t> weightShape(4, 1);
    weightShape[static_cast<std::size_t>(dimension)] = out;
    std::vector<std::int64_t> sumShape(pixels.sizes().begin(), pixels.sizes().end());
    sumShape[static_cast<std::size_t>(dimension)] = out;
    const at::Tensor wide = pixels.to(at::kInt);
    at::Tensor sum = at::full(sumShape, std::int64_t{1} << (table.precision - 1), wide.options());
    for (std::int64_t t = 0; t < table.index.size(0); ++t)
        sum.add_(
            wide.index_select(dimension, table.index.select(0, t)).mul_(table.weight.select(0, t).view(weightShape)));
    return sum.bitwise_right_shift_(table.precision).clamp_(0, 255).to(at::kByte);
}

at::Tensor Resizer::resizeByOperations(const at::Tensor& pixels, Size size) {
    at::Tensor result = pixels;
    if (result.size(3) != size.width)
        result = along(result, 3, size.width);
    if (result.size(2) != size.height)
        result = along(result, 2, size.height);
    return result;
}

at::Tensor Resizer::resizeByLoops(const at::Tensor& pixels, Size size) {
    const std::int64_t frames = pixels.size(0);
    const std::int64_t channels = pixels.size(1);
    at::Tensor rows = pixels.permute({0, 2, 3, 1}).contiguous();
    const auto made = [&](std::int64_t height, std::int64_t width) {
        return at::empty({frames, height, width, channels}, rows.options());
    };
    if (rows.size(2) != size.width) {
        const AxisWeights& axis = weights(rows.size(2), size.width);
        const at::Tensor narrow = made(rows.size(1), size.width);
        const std::uint8_t* from = rows.const_data_ptr<std::uint8_t>();
        std::uint8_t* to = narrow.mutable_data_ptr<std::uint8_t>();
        const std::int64_t in = rows.size(2);
        at::parallel_for(0, frames * rows.size(1), kRowsAtOnce, [&](std::int64_t begin, std::int64_t end) {
            resizeColumns(axis, from + begin * in * channels, end - begin, in, channels,
                          to + begin * size.width * channels);
        });
        rows = narrow;
    }
    if (rows.size(1) != size.height) {
        const AxisWeights& axis = weights(rows.size(1), size.height);
        const at::Tensor low = made(size.height, size.width);
        const std::int64_t rowBytes = size.width * channels;
        for (std::int64_t f = 0; f < frames; ++f) {
            const std::uint8_t* from = rows.const_data_ptr<std::uint8_t>() + f * rows.size(1) * rowBytes;
            std::uint8_t* to = low.mutable_data_ptr<std::uint8_t>() + f * size.height * rowBytes;
            at::parallel_for(0, size.height, kRowsAtOnce, [&](std::int64_t begin, std::int64_t end) {
                resizeRows(axis, from, rowBytes, begin, end, to);
            });
        }
        rows = low;
    }
    return rows.permute({0, 3, 1, 2});
}

at::Tensor Resizer::resize(const at::Tensor& pixels, Size size) {
    if (sizeOf(pixels) == size)
        return pixels;
    return pixels.is_cpu() ? resizeByLoops(pixels, size) : resizeByOperations(pixels, size);
}

at::Tensor toGrey(const at::Tensor& pixels) {
    // Whole planes in memory order, so that the vectorised kernels run and round as the peer's do.
    const at::Tensor planes = pixels.to(at::kFloat).contiguous(at::MemoryFormat::Contiguous);
    at::Tensor grey = planes.select(1, 0).mul(0.2989);
    grey.add_(planes.select(1, 1), 0.587).add_(planes.select(1, 2), 0.114);
    return grey.to(at::kByte).unsqueeze(1);
}

bool changesChannels(const at::Tensor& frames, const models::PreprocessSpec& spec) {
    return spec.ensureRgb ? frames.size(3) == 1 : spec.ensureGrayscale && frames.size(3) == 3;
}

at::Tensor matchSize(const at::Tensor& frames, const InputGeometry& geometry, Resizer& resizer) {
    return padTo(resizer.resize(frames.permute({0, 3, 1, 2}), geometry.resized), geometry.matched);
}

at::Tensor scaleAndPad(const at::Tensor& pixels, const InputGeometry& geometry, Resizer& resizer) {
    return padTo(resizer.resize(pixels, geometry.scaled), geometry.padded);
}

at::Tensor preprocess(const at::Tensor& frames, const InputGeometry& geometry, const models::PreprocessSpec& spec,
                      Resizer& resizer) {
    at::Tensor x = frames;
    if (changesChannels(frames, spec)) {
        x = frames.permute({0, 3, 1, 2});
        x = spec.ensureRgb ? x.expand({-1, 3, -1, -1}) : toGrey(x);
        x = x.permute({0, 2, 3, 1});
    }
    return scaleAndPad(matchSize(x, geometry, resizer), geometry, resizer);
}

at::Tensor normalise(const at::Tensor& pixels) {
    // Written as [n, h, w, c] and then named [n, c, h, w]: with one channel the two orders of memory are the same and
    // only the strides tell which is meant.
    at::Tensor x = at::empty({pixels.size(0), pixels.size(2), pixels.size(3), pixels.size(1)},
                             pixels.options().dtype(at::kFloat).memory_format(at::MemoryFormat::Contiguous));
    x.copy_(pixels.permute({0, 2, 3, 1}));
    return x.div_(255).permute({0, 3, 1, 2});
}

}  // namespace skein::inference
