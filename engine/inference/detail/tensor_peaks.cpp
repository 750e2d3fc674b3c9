// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/tensor_peaks.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/any.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/floor.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <array>
#include <cstdlib>
#include <limits>

namespace skein::inference {
namespace {

constexpr float kNone = -std::numeric_limits<float>::infinity();

template <class T>
at::Tensor table(const std::vector<T>& values, at::ScalarType type, at::Device device) {
    return at::from_blob(const_cast<T*>(values.data()), {static_cast<std::int64_t>(values.size())},
                         at::TensorOptions().dtype(type))
        .clone()
        .to(device);
}

/// The map moved by (dx, dy), cut from one padded by `pad`.
at::Tensor shifted(const at::Tensor& padded, std::int64_t pad, std::int64_t dx, std::int64_t dy, std::int64_t height,
                   std::int64_t width) {
    return padded.narrow(2, pad + dy, height).narrow(3, pad + dx, width);
}

/// Pixels at fixed offsets from [B, C, K] positions (int64), from maps padded by `pad`: [B, C, K, offsets].
at::Tensor window(const at::Tensor& padded, std::int64_t pad, const at::Tensor& x, const at::Tensor& y,
                  const at::Tensor& offsetX, const at::Tensor& offsetY) {
    const std::int64_t frames = padded.size(0);
    const std::int64_t nodes = padded.size(1);
    const at::Tensor index = (y.unsqueeze(3) + offsetY + pad) * padded.size(3) + (x.unsqueeze(3) + offsetX + pad);
    return padded.view({frames, nodes, -1})
        .gather(2, index.view({frames, nodes, -1}))
        .view({frames, nodes, x.size(2), offsetX.size(0)});
}

}  // namespace

at::Tensor deviceTable(const std::vector<float>& values, at::Device device) {
    return table(values, at::kFloat, device);
}
at::Tensor deviceTable(const std::vector<std::int64_t>& values, at::Device device) {
    return table(values, at::kLong, device);
}

// A flat top's anchor can lie one pixel left of the candidate, so that one more pixel of zeros is needed.
TensorRefiner::TensorRefiner(int patch, at::Device device) : m_pad(patch / 2 + 1) {
    std::vector<std::int64_t> patchX, patchY;
    std::vector<float> gridX, gridY;
    for (int i = 0; i < patch * patch; ++i) {
        patchX.push_back(i % patch - patch / 2);
        patchY.push_back(i / patch - patch / 2);
        gridX.push_back(static_cast<float>(i % patch) - static_cast<float>(patch - 1) / 2.0F);
        gridY.push_back(static_cast<float>(i / patch) - static_cast<float>(patch - 1) / 2.0F);
    }
    m_patchX = deviceTable(patchX, device);
    m_patchY = deviceTable(patchY, device);
    m_gridX = deviceTable(gridX, device);
    m_gridY = deviceTable(gridY, device);
}

std::pair<at::Tensor, at::Tensor> TensorRefiner::refine(const at::Tensor& maps, const at::Tensor& anchorX,
                                                        const at::Tensor& anchorY) const {
    const at::Tensor patch = window(at::constant_pad_nd(maps, {m_pad, m_pad, m_pad, m_pad}, 0), m_pad,
                                    anchorX.to(at::kLong), anchorY.to(at::kLong), m_patchX, m_patchY);
    const at::Tensor mass = patch.sum(3);
    return {anchorX + (patch * m_gridX).sum(3) / mass, anchorY + (patch * m_gridY).sum(3) / mass};
}

TensorLocalPeaks::TensorLocalPeaks(const PeakOptions& options, int stride, at::Device device)
    : m_options(options), m_stride(stride), m_refiner(options.patch, device) {
    constexpr std::array<std::array<int, 2>, 4> kAfter = {{{1, 0}, {-1, 1}, {0, 1}, {1, 1}}};  // E, SW, S, SE
    std::vector<float> topX, topY, topCount;
    std::vector<std::uint8_t> kept, rim;
    for (unsigned code = 0; code < 16; ++code) {
        std::vector<std::array<int, 2>> top = {{0, 0}};
        for (unsigned i = 0; i < 4; ++i)
            if ((code & (1U << i)) != 0)
                top.push_back(kAfter[i]);
        int sumX = 0;
        int sumY = 0;
        for (const auto& [dx, dy] : top) {
            sumX += dx;
            sumY += dy;
        }
        topX.push_back(static_cast<float>(sumX));
        topY.push_back(static_cast<float>(sumY));
        topCount.push_back(static_cast<float>(top.size()));
        kept.push_back((code & ~13U) == 0 || (code & ~6U) == 0 ? 1 : 0);
        for (int y = -2; y <= 2; ++y)
            for (int x = -2; x <= 2; ++x) {
                bool inTop = false;
                bool near = false;
                for (const auto& [dx, dy] : top) {
                    inTop = inTop || (dx == x && dy == y);
                    near = near || (std::abs(dx - x) <= 1 && std::abs(dy - y) <= 1);
                }
                // A candidate of one pixel was tested against its neighbours already.
                rim.push_back(code != 0 && near && !inTop ? 1 : 0);
            }
    }
    m_topX = deviceTable(topX, device);
    m_topY = deviceTable(topY, device);
    m_topCount = deviceTable(topCount, device);
    m_topKept = table(kept, at::kByte, device).to(at::kBool);
    m_topRim = table(rim, at::kByte, device).to(at::kBool).view({16, 25});
    std::vector<std::int64_t> x5, y5;
    for (int i = 0; i < 25; ++i) {
        x5.push_back(i % 5 - 2);
        y5.push_back(i / 5 - 2);
    }
    m_offsetX5 = deviceTable(x5, device);
    m_offsetY5 = deviceTable(y5, device);
}

TensorLocalPeaks::Candidates TensorLocalPeaks::findCandidates(const at::Tensor& maps, std::int64_t slots) const {
    const std::int64_t frames = maps.size(0);
    const std::int64_t nodes = maps.size(1);
    const std::int64_t height = maps.size(2);
    const std::int64_t width = maps.size(3);
    const at::Tensor padded = at::constant_pad_nd(maps, {1, 1, 1, 1}, kNone);
    const auto neighbour = [&](int dx, int dy) { return shifted(padded, 1, dx, dy, height, width); };
    const at::Tensor before =
        at::maximum(at::maximum(neighbour(-1, -1), neighbour(0, -1)), at::maximum(neighbour(1, -1), neighbour(-1, 0)));
    const at::Tensor after =
        at::maximum(at::maximum(neighbour(1, 0), neighbour(-1, 1)), at::maximum(neighbour(0, 1), neighbour(1, 1)));
    const at::Tensor mask = maps.gt(before).logical_and_(maps.ge(after)).logical_and_(maps.gt(m_options.threshold));

    // Number the candidates of each map in raster order and drop each into its slot; those beyond the last slot share
    // one that is cut off.
    const at::Tensor flat = mask.view({frames, nodes, height * width});
    const at::Tensor rank = at::cumsum(flat, 2, at::kInt);
    const at::Tensor slot =
        at::where(flat.logical_and(rank.le(slots)), rank - 1, at::scalar_tensor(slots, rank.options())).to(at::kLong);
    const at::Tensor pixel = at::arange(height * width, slot.options()).expand_as(slot);
    const at::Tensor place =
        at::zeros({frames, nodes, slots + 1}, slot.options()).scatter_(2, slot, pixel).narrow(2, 0, slots);
    const at::Tensor counts = rank.select(2, height * width - 1).contiguous();
    const at::Tensor used = at::arange(slots, counts.options()).lt(counts.unsqueeze(2));
    return {place.remainder(width), place.floor_divide(width), used, counts};
}

at::Tensor TensorLocalPeaks::resolved(const at::Tensor& maps, const Candidates& candidates) const {
    const std::int64_t frames = maps.size(0);
    const std::int64_t nodes = maps.size(1);
    const std::int64_t slots = candidates.x.size(2);
    const at::Tensor around =
        window(at::constant_pad_nd(maps, {2, 2, 2, 2}, kNone), 2, candidates.x, candidates.y, m_offsetX5, m_offsetY5);
    const at::Tensor value = around.select(3, 12);
    const auto equals = [&](std::int64_t position) { return around.select(3, position).eq(value).to(at::kLong); };
    // E, SW, S, SE are the 14th, 17th, 18th and 19th of the 25 pixels, counted from 1.
    const at::Tensor code = equals(13) + equals(16) * 2 + equals(17) * 4 + equals(18) * 8;
    const at::Tensor flatCode = code.view(-1);
    const auto byCode = [&](const at::Tensor& values) { return values.index_select(0, flatCode).view(code.sizes()); };
    const at::Tensor rim = m_topRim.index_select(0, flatCode).view({frames, nodes, slots, 25});
    const at::Tensor leaks = around.ge(value.unsqueeze(3)).logical_and_(rim).any(3);
    const at::Tensor valid = candidates.used.logical_and(byCode(m_topKept)).logical_and_(leaks.logical_not());

    const at::Tensor count = byCode(m_topCount);
    at::Tensor x = (candidates.x.to(at::kFloat) * count + byCode(m_topX)) / count;
    at::Tensor y = (candidates.y.to(at::kFloat) * count + byCode(m_topY)) / count;
    if (m_options.refine)
        std::tie(x, y) = m_refiner.refine(maps, at::floor(x), at::floor(y));
    const at::Tensor nothing = at::full({}, std::numeric_limits<float>::quiet_NaN(), value.options());
    return at::stack({x * m_stride, y * m_stride, at::where(valid, value, nothing)}, 3);
}

TensorLocalPeaks::Found TensorLocalPeaks::find(const at::Tensor& maps, std::int64_t slots) const {
    const at::Tensor ordered = maps.contiguous(at::MemoryFormat::Contiguous);
    const Candidates candidates = findCandidates(ordered, slots);
    return {resolved(ordered, candidates), candidates.counts};
}

TensorGlobalPeaks::TensorGlobalPeaks(const PeakOptions& options, int stride, at::Device device)
    : m_options(options), m_stride(stride), m_refiner(options.patch, device) {}

at::Tensor TensorGlobalPeaks::find(const at::Tensor& given) const {
    const at::Tensor maps = given.contiguous(at::MemoryFormat::Contiguous);
    const std::int64_t height = maps.size(2);
    const std::int64_t width = maps.size(3);
    const at::Tensor value = at::amax(maps, {2, 3});  // [N, C]
    const at::Tensor highest = value.unsqueeze(2).unsqueeze(3);
    const at::Tensor mask = maps.eq(highest).logical_or_(at::isnan(maps).logical_and_(at::isnan(highest)));
    // The first column and the first row with such a pixel, apart from each other.
    const auto first = [&](std::int64_t across, std::int64_t size) {
        const at::Tensor numbers = at::arange(size, maps.options());
        return at::amin(at::where(at::any(mask, across), numbers,
                                  at::full({}, static_cast<double>(size - 1), maps.options())),
                        {2})
            .unsqueeze(2);
    };
    at::Tensor x = first(2, width);  // [N, C, 1]
    at::Tensor y = first(3, height);
    if (m_options.refine)
        std::tie(x, y) = m_refiner.refine(maps, x, y);
    const at::Tensor below = value.lt(m_options.threshold);
    const at::Tensor nothing = at::full({}, std::numeric_limits<float>::quiet_NaN(), value.options());
    const auto position = [&](const at::Tensor& p) { return at::where(below, nothing, p.squeeze(2) * m_stride); };
    return at::stack({position(x), position(y), at::where(below, at::zeros({}, value.options()), value)}, 2);
}

}  // namespace skein::inference
