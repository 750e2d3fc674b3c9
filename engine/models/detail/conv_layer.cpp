// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/detail/conv_layer.h"

#include <ATen/Parallel.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/conv_transpose2d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/relu.h>

#include "engine/models/detail/avx2.h"
#include "engine/models/detail/pooling.h"

namespace skein::models {
namespace {

// Frames of one video have one size; a batch's last piece and a second video may have others. Of large layers only one
// copy is kept: to reorder them again is soon done beside what they compute, and networks of 500 MB exist.
constexpr std::size_t kKeptSizes = 4;
constexpr std::size_t kLargeLayer = std::size_t{4} << 20;

// Of fewer channels the transforms cost more than they save.
constexpr int kFewestForWinograd = 8;
// Kernels keep the weights once more; of larger layers that is too much memory.
constexpr std::size_t kLargestOwn = std::size_t{16} << 20;

/// [n, c, h, w] as [n, h, w, c], dense.
at::Tensor rowsOf(const at::Tensor& x) {
    return x.permute({0, 2, 3, 1}).contiguous();
}

at::Tensor emptyLike(const at::Tensor& rows, std::int64_t height, std::int64_t width, std::size_t channels) {
    return at::empty({rows.size(0), height, width, static_cast<std::int64_t>(channels)}, rows.options());
}

/// The results of a kernel to be, and the memory that it writes to.
struct Room {
    ConvLayer::Pooled tensors;
    WinogradOutput out;
};

Room roomFor(const WinogradKernel& kernel, const at::Tensor& rows, bool all, bool pooled) {
    Room room;
    const auto make = [&](at::Tensor& tensor, std::int64_t divisor) {
        const at::Tensor made = emptyLike(rows, rows.size(1) / divisor, rows.size(2) / divisor, kernel.outChannels());
        tensor = made.permute({0, 3, 1, 2});
        return made.mutable_data_ptr<float>();
    };
    if (all)
        room.out.pixels = make(room.tensors.all, 1);
    if (pooled)
        room.out.pooled = make(room.tensors.pooled, 2);
    return room;
}

WinogradInput sizeOf(const at::Tensor& rows) {
    WinogradInput input;
    input.frames = static_cast<std::size_t>(rows.size(0));
    input.height = static_cast<std::size_t>(rows.size(1));
    input.width = static_cast<std::size_t>(rows.size(2));
    return input;
}

RowInput rowInput(const at::Tensor& rows) {
    const WinogradInput size = sizeOf(rows);
    return {rows.const_data_ptr<float>(), size.frames, size.height, size.width};
}

/// `second`, joined behind x, may be undefined. Tensors are [n, c, h, w], channels-last in memory.
ConvLayer::Pooled run(const WinogradKernel& kernel, const at::Tensor& x, const at::Tensor& second, bool all,
                      bool pooled) {
    const at::Tensor rows = rowsOf(x);
    const at::Tensor others = second.defined() ? rowsOf(second) : at::Tensor();
    WinogradInput input = sizeOf(rows);
    input.first = {rows.const_data_ptr<float>(), static_cast<std::size_t>(rows.size(3))};
    if (others.defined())
        input.second = {others.const_data_ptr<float>(), static_cast<std::size_t>(others.size(3))};
    Room room = roomFor(kernel, rows, all, pooled);
    constexpr std::int64_t kTilesAtOnce = 24;
    const auto tiles = static_cast<std::int64_t>(WinogradKernel::tiles(input));
    at::parallel_for(0, tiles, kTilesAtOnce, [&](std::int64_t begin, std::int64_t end) {
        kernel.compute(input, static_cast<std::size_t>(begin), static_cast<std::size_t>(end), room.out);
    });
    return room.tensors;
}

/// One kernel behind the other, in bands.
ConvLayer::Pooled runBands(const RowKernel& first, const WinogradKernel& second, const at::Tensor& x, bool all) {
    constexpr std::size_t kBand = 24;  // rows; those at its borders are computed twice
    const at::Tensor rows = rowsOf(x);
    const RowInput input = rowInput(rows);
    Room room = roomFor(second, rows, all, true);
    const std::size_t bands = (input.height + kBand - 1) / kBand;
    const std::size_t across = (input.width + 1) / 2;
    const std::size_t down = (input.height + 1) / 2;
    at::parallel_for(0, static_cast<std::int64_t>(input.frames * bands), 1, [&](std::int64_t begin, std::int64_t end) {
        const std::size_t needed = (kBand + 2) * input.width * first.outChannels();
        thread_local AlignedFloats between;
        if (between.size() < needed)
            between = AlignedFloats(needed);
        for (auto band = static_cast<std::size_t>(begin); band < static_cast<std::size_t>(end); ++band) {
            const std::size_t frame = band / bands;
            const std::size_t top = band % bands * kBand;
            const std::size_t bottom = std::min(input.height, top + kBand);
            WinogradInput part = sizeOf(rows);
            part.first = {between.data(), first.outChannels()};
            part.firstRow = frame * input.height + (top > 0 ? top - 1 : 0);
            first.compute(input, part.firstRow, frame * input.height + std::min(input.height, bottom + 1),
                          between.data());
            second.compute(part, (frame * down + top / 2) * across, (frame * down + (bottom + 1) / 2) * across,
                           room.out);
        }
    });
    return room.tensors;
}

at::Tensor run(const RowKernel& kernel, const at::Tensor& x) {
    constexpr std::int64_t kRowsAtOnce = 8;
    const at::Tensor rows = rowsOf(x);
    const RowInput input = rowInput(rows);
    const auto scale = static_cast<std::int64_t>(kernel.scale());
    const at::Tensor out = emptyLike(rows, scale * rows.size(1), scale * rows.size(2), kernel.outChannels());
    float* const to = out.mutable_data_ptr<float>();
    const std::int64_t rowSize = scale * scale * rows.size(2) * out.size(3);  // of what comes of one row
    at::parallel_for(0, rows.size(0) * rows.size(1), kRowsAtOnce, [&](std::int64_t begin, std::int64_t end) {
        kernel.compute(input, static_cast<std::size_t>(begin), static_cast<std::size_t>(end), to + begin * rowSize);
    });
    return out.permute({0, 3, 1, 2});
}

}  // namespace

ConvLayer::ConvLayer(ConvPlan plan, at::Tensor weight, at::Tensor bias, bool kerasAlignment)
    : m_plan(std::move(plan)), m_weight(std::move(weight)), m_bias(std::move(bias)), m_kerasAlignment(kerasAlignment) {}

/// "Same" padding of an even kernel is one larger at the right and bottom, which no convolution does by itself.
at::Tensor ConvLayer::padded(const at::Tensor& x) const {
    if (m_plan.kernel % 2 == 1)
        return x;
    const std::int64_t before = (m_plan.kernel - 1) / 2;
    const std::int64_t after = m_plan.kernel - 1 - before;
    return at::constant_pad_nd(x, {before, after, before, after}, 0).contiguous(x.suggest_memory_format());
}

std::int64_t ConvLayer::padding() const {
    return m_plan.kernel % 2 == 1 ? (m_plan.kernel - 1) / 2 : 0;
}

at::Tensor ConvLayer::plain(const at::Tensor& x) const {
    at::Tensor y;
    if (!m_plan.transposed) {
        y = at::conv2d(padded(x), m_weight, m_bias, 1, padding());
    } else if (m_kerasAlignment) {
        // Output pixel 2i + k instead of 2i + k - 1, cut to twice the size.
        y = at::conv_transpose2d(x, m_weight, m_bias, 2)
                .narrow(2, 0, 2 * x.size(2))
                .narrow(3, 0, 2 * x.size(3))
                .contiguous(x.suggest_memory_format());
    } else {
        y = at::conv_transpose2d(x, m_weight, m_bias, 2, 1, 1);
    }
    return m_plan.relu ? at::relu_(y) : y;
}

const ConvLayer::Packed& ConvLayer::packed(const FusedOps& ops, const at::Tensor& x, std::int64_t skipChannels) {
    const std::array<std::int64_t, 3> size = {x.size(0), x.size(2), x.size(3)};
    for (const Packed& entry : m_packed)
        if (entry.size == size)
            return entry;
    if (m_packed.size() >= (m_weight.nbytes() >= kLargeLayer ? 1 : kKeptSizes))
        m_packed.erase(m_packed.begin());
    const auto inputSize = [&](std::int64_t channels) {
        return std::vector<std::int64_t>{size[0], channels, size[1], size[2]};
    };
    Packed entry{size, {}, {}};
    if (m_plan.transposed) {
        entry.first = ops.packTransposed(m_weight, inputSize(m_plan.inChannels));
    } else if (skipChannels == 0) {
        entry.first = ops.packConv(m_weight, padding(), inputSize(m_plan.inChannels));
    } else {
        const std::int64_t others = m_plan.inChannels - skipChannels;
        entry.first =
            ops.packConv(m_weight.narrow(1, 0, skipChannels).contiguous(), padding(), inputSize(skipChannels));
        entry.second =
            ops.packConv(m_weight.narrow(1, skipChannels, others).contiguous(), padding(), inputSize(others));
    }
    m_packed.push_back(std::move(entry));
    return m_packed.back();
}

bool ConvLayer::hasOwnKernels(const FusedOps* ops) const {
    return ops != nullptr && hasAvx2() && m_weight.nbytes() <= kLargestOwn;
}

const WinogradKernel* ConvLayer::winograd(const FusedOps* ops) {
    const bool suits = !m_plan.transposed && m_plan.kernel == 3 && m_plan.inChannels >= kFewestForWinograd &&
                       m_plan.outChannels >= kFewestForWinograd;
    if (!suits || !hasOwnKernels(ops))
        return nullptr;
    if (!m_winograd)
        m_winograd.emplace(m_weight.contiguous().const_data_ptr<float>(), m_bias.contiguous().const_data_ptr<float>(),
                           static_cast<std::size_t>(m_plan.outChannels), static_cast<std::size_t>(m_plan.inChannels),
                           m_plan.relu);
    return &*m_winograd;
}

const RowKernel* ConvLayer::rowKernel(const FusedOps* ops) {
    const auto side = static_cast<std::size_t>(m_plan.kernel);
    if (side > RowKernel::kLargest || !hasOwnKernels(ops))
        return nullptr;
    if (!m_rowKernel) {
        const RowKernel::Shape shape{static_cast<std::size_t>(m_plan.outChannels),
                                     static_cast<std::size_t>(m_plan.inChannels), side, m_plan.relu};
        const at::Tensor weight = m_weight.contiguous();
        const at::Tensor bias = m_bias.contiguous();
        const auto make = m_plan.transposed ? &RowKernel::transposed : &RowKernel::convolution;
        m_rowKernel = make(shape, weight.const_data_ptr<float>(), bias.const_data_ptr<float>());
    }
    return &*m_rowKernel;
}

at::Tensor ConvLayer::apply(const at::Tensor& x, const FusedOps* ops) {
    if (ops == nullptr || (m_plan.transposed && m_kerasAlignment))
        return plain(x);
    if (const WinogradKernel* kernel = winograd(ops))
        return run(*kernel, x, {}, true, false).all;
    if (const RowKernel* kernel = rowKernel(ops))
        return run(*kernel, x);
    const at::Tensor input = padded(x);
    const Packed& weights = packed(*ops, input, 0);
    if (m_plan.transposed)
        return ops->transposed(input, weights.first, m_bias, m_plan.relu);
    return ops->conv(input, weights.first, m_bias, padding(), m_plan.relu);
}

ConvLayer::Pooled ConvLayer::applyAndPool(const at::Tensor& x, const FusedOps* ops, bool keepAll) {
    if (const WinogradKernel* kernel = winograd(ops))
        return run(*kernel, x, {}, keepAll, true);
    const at::Tensor y = apply(x, ops);
    return {y, pool2x2(y)};
}

ConvLayer::Pooled ConvLayer::applyBothAndPool(ConvLayer& next, const at::Tensor& x, const FusedOps* ops, bool keepAll) {
    const RowKernel* first = winograd(ops) == nullptr && !m_plan.transposed ? rowKernel(ops) : nullptr;
    const WinogradKernel* second = next.winograd(ops);
    if (first != nullptr && second != nullptr)
        return runBands(*first, *second, x, keepAll);
    return next.applyAndPool(apply(x, ops), ops, keepAll);
}

at::Tensor ConvLayer::applyJoined(const at::Tensor& skip, const at::Tensor& x, const FusedOps* ops) {
    if (ops == nullptr)
        return plain(at::cat({skip, x}, 1));
    if (const WinogradKernel* kernel = winograd(ops))
        return run(*kernel, skip, x, true, false).all;
    const at::Tensor first = padded(skip);
    const Packed& weights = packed(*ops, first, skip.size(1));
    at::Tensor sum = ops->conv(first, weights.first, m_bias, padding(), false);
    ops->addConv(sum, padded(x), weights.second, padding(), m_plan.relu);
    return sum;
}

}  // namespace skein::models
