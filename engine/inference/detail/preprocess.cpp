// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/preprocess.h"

#include <ATen/ops/_upsample_bilinear2d_aa.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace skein::inference {
namespace {

/// Fixed-point weights of one axis, tap by tap: output i reads input index[t * out + i], weighted by q / 2^precision.
struct AxisWeights {
    std::int64_t taps = 0;
    int precision = 0;
    std::vector<std::int64_t> index;
    std::vector<std::int32_t> q;
};

/// Triangle filter, widened when shrinking. Pillow's scheme in torchvision's integer form: as many fraction bits as
/// keep the largest weight below 2^15.
AxisWeights axisWeights(std::int64_t in, std::int64_t out) {
    const double scale = static_cast<double>(in) / static_cast<double>(out);
    const double support = std::max(scale, 1.0);
    struct Row {
        std::int64_t first;
        std::vector<double> weights;
    };
    std::vector<Row> rows;
    double largest = 0;
    AxisWeights axis;
    for (std::int64_t i = 0; i < out; ++i) {
        const double centre = scale * (static_cast<double>(i) + 0.5);
        const auto first = std::max(static_cast<std::int64_t>(centre - support + 0.5), std::int64_t{0});
        const auto end = std::min(static_cast<std::int64_t>(centre + support + 0.5), in);
        Row row{first, {}};
        double sum = 0;
        for (std::int64_t j = 0; j < end - first; ++j) {
            const double distance = (static_cast<double>(j + first) - centre + 0.5) * (1.0 / support);
            row.weights.push_back(std::max(0.0, 1.0 - std::abs(distance)));
            sum += row.weights.back();
        }
        for (double& weight : row.weights) {
            weight = sum != 0 ? weight / sum : weight;
            largest = std::max(largest, weight);
        }
        axis.taps = std::max(axis.taps, end - first);
        rows.push_back(std::move(row));
    }
    while (axis.precision < 22 && static_cast<int>(0.5 + largest * (1 << (axis.precision + 1))) < (1 << 15))
        ++axis.precision;
    for (std::int64_t t = 0; t < axis.taps; ++t)
        for (const Row& row : rows) {
            const bool used = t < static_cast<std::int64_t>(row.weights.size());
            const double weight = used ? row.weights[static_cast<std::size_t>(t)] : 0.0;
            axis.index.push_back(std::min(row.first + t, in - 1));
            axis.q.push_back(static_cast<std::int32_t>(std::floor(weight * (1 << axis.precision) + 0.5)));
        }
    return axis;
}

/// Whether LibTorch's uint8 kernel uses the integer arithmetic here; without AVX2 it resizes in float and rounds.
bool hasIntegerKernel() {
#if defined(__x86_64__)
    static const bool has = __builtin_cpu_supports("avx2") != 0;
    return has;
#else
    return true;
#endif
}

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

const Resizer::Axis& Resizer::axis(std::int64_t in, std::int64_t out, at::Device device) {
    for (const Axis& known : m_axes)
        if (known.in == in && known.out == out && known.index.device() == device)
            return known;
    constexpr std::size_t kKept = 16;
    if (m_axes.size() >= kKept)
        m_axes.erase(m_axes.begin());
    AxisWeights weights = axisWeights(in, out);
    const auto table = [&](auto& values, at::ScalarType type) {
        return at::from_blob(values.data(), {weights.taps, out}, at::TensorOptions().dtype(type)).clone().to(device);
    };
    m_axes.push_back({in, out, weights.precision, table(weights.index, at::kLong), table(weights.q, at::kInt)});
    return m_axes.back();
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

at::Tensor Resizer::resize(const at::Tensor& pixels, Size size) {
    if (sizeOf(pixels) == size)
        return pixels;
    // A single row or column has two equal orders of memory, which the kernel mistakes for each other.
    if (pixels.is_cpu() && hasIntegerKernel() && size.height > 1 && size.width > 1)
        return at::_upsample_bilinear2d_aa(pixels, {size.height, size.width}, false);
    return resizeByOperations(pixels, size);
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
