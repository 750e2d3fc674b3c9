// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/tensor_peaks.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/floor.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/round.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/sqrt.h>
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
at::Tensor constant(const std::vector<T>& values, at::ScalarType type, at::Device device) {
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

}  // namespace

TensorPeaks::TensorPeaks(const BottomUpPacker::Options& options, at::Device device) : m_options(options) {
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
    m_topX = constant(topX, at::kFloat, device);
    m_topY = constant(topY, at::kFloat, device);
    m_topCount = constant(topCount, at::kFloat, device);
    m_topKept = constant(kept, at::kByte, device).to(at::kBool);
    m_topRim = constant(rim, at::kByte, device).to(at::kBool).view({16, 25});

    std::vector<std::int64_t> x5, y5, patchX, patchY, sources, destinations;
    for (int i = 0; i < 25; ++i) {
        x5.push_back(i % 5 - 2);
        y5.push_back(i / 5 - 2);
    }
    std::vector<float> gridX, gridY;
    const int patch = options.peaks.patch;
    for (int i = 0; i < patch * patch; ++i) {
        patchX.push_back(i % patch - patch / 2);
        patchY.push_back(i / patch - patch / 2);
        gridX.push_back(static_cast<float>(i % patch) - static_cast<float>(patch - 1) / 2.0F);
        gridY.push_back(static_cast<float>(i / patch) - static_cast<float>(patch - 1) / 2.0F);
    }
    for (const project::Edge& edge : options.edges) {
        sources.push_back(edge.source);
        destinations.push_back(edge.destination);
    }
    m_offsetX5 = constant(x5, at::kLong, device);
    m_offsetY5 = constant(y5, at::kLong, device);
    m_patchX = constant(patchX, at::kLong, device);
    m_patchY = constant(patchY, at::kLong, device);
    m_gridX = constant(gridX, at::kFloat, device);
    m_gridY = constant(gridY, at::kFloat, device);
    m_edgeSource = constant(sources, at::kLong, device);
    m_edgeDestination = constant(destinations, at::kLong, device);
    m_positions = constant(LineScorer::positions(options.lines.nPoints), at::kFloat, device);
    m_shortening = constant(std::vector<float>{LineScorer::kShortening}, at::kFloat, device);
}

TensorPeaks::Candidates TensorPeaks::findCandidates(const at::Tensor& maps, std::int64_t slots) const {
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
    const at::Tensor mask =
        maps.gt(before).logical_and_(maps.ge(after)).logical_and_(maps.gt(m_options.peaks.threshold));

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

at::Tensor TensorPeaks::refined(const at::Tensor& maps, const Candidates& candidates) const {
    const std::int64_t frames = maps.size(0);
    const std::int64_t nodes = maps.size(1);
    const std::int64_t slots = candidates.x.size(2);
    const auto window = [&](const at::Tensor& padded, std::int64_t pad, const at::Tensor& x, const at::Tensor& y,
                            const at::Tensor& offsetX, const at::Tensor& offsetY) {
        const std::int64_t stride = padded.size(3);
        const at::Tensor index = (y.unsqueeze(3) + offsetY + pad) * stride + (x.unsqueeze(3) + offsetX + pad);
        return padded.view({frames, nodes, -1})
            .gather(2, index.view({frames, nodes, -1}))
            .view({frames, nodes, slots, offsetX.size(0)});
    };
    const at::Tensor around =
        window(at::constant_pad_nd(maps, {2, 2, 2, 2}, kNone), 2, candidates.x, candidates.y, m_offsetX5, m_offsetY5);
    const at::Tensor value = around.select(3, 12);
    const auto equals = [&](std::int64_t position) { return around.select(3, position).eq(value).to(at::kLong); };
    // E, SW, S, SE are the 14th, 17th, 18th and 19th of the 25 pixels, counted from 1.
    const at::Tensor code = equals(13) + equals(16) * 2 + equals(17) * 4 + equals(18) * 8;
    const at::Tensor flatCode = code.view(-1);
    const auto byCode = [&](const at::Tensor& table) { return table.index_select(0, flatCode).view(code.sizes()); };
    const at::Tensor rim = m_topRim.index_select(0, flatCode).view({frames, nodes, slots, 25});
    const at::Tensor leaks = around.ge(value.unsqueeze(3)).logical_and_(rim).any(3);
    const at::Tensor valid = candidates.used.logical_and(byCode(m_topKept)).logical_and_(leaks.logical_not());

    const at::Tensor count = byCode(m_topCount);
    at::Tensor x = (candidates.x.to(at::kFloat) * count + byCode(m_topX)) / count;
    at::Tensor y = (candidates.y.to(at::kFloat) * count + byCode(m_topY)) / count;
    if (m_options.peaks.refine) {
        const at::Tensor anchorX = at::floor(x);
        const at::Tensor anchorY = at::floor(y);
        // A flat top's anchor can lie one pixel left of the candidate, so that one more pixel of zeros is needed.
        const std::int64_t pad = m_options.peaks.patch / 2 + 1;
        const at::Tensor patch = window(at::constant_pad_nd(maps, {pad, pad, pad, pad}, 0), pad, anchorX.to(at::kLong),
                                        anchorY.to(at::kLong), m_patchX, m_patchY);
        const at::Tensor mass = patch.sum(3);
        x = anchorX + (patch * m_gridX).sum(3) / mass;
        y = anchorY + (patch * m_gridY).sum(3) / mass;
    }
    const auto stride = static_cast<double>(m_options.confmapStride);
    const at::Tensor nothing = at::full({}, std::numeric_limits<float>::quiet_NaN(), value.options());
    return at::stack({x * stride, y * stride, at::where(valid, value, nothing)}, 3);
}

at::Tensor TensorPeaks::lineScores(const at::Tensor& peaks, const at::Tensor& pafs) const {
    const std::int64_t frames = peaks.size(0);
    const std::int64_t slots = peaks.size(2);
    const std::int64_t edges = m_edgeSource.size(0);
    const std::int64_t samples = m_positions.size(0);
    const std::int64_t height = pafs.size(2);
    const std::int64_t width = pafs.size(3);
    const auto stride = static_cast<double>(m_options.pafStride);
    const LineScorer scorer(m_options.lines, m_options.pafStride, static_cast<int>(height), static_cast<int>(width),
                            static_cast<int>(edges));
    const at::Tensor a = peaks.index_select(1, m_edgeSource).unsqueeze(3);       // [B, E, K, 1, 3]
    const at::Tensor b = peaks.index_select(1, m_edgeDestination).unsqueeze(2);  // [B, E, 1, K, 3]
    const at::Tensor dx = b.select(4, 0) - a.select(4, 0);                       // [B, E, K, K]
    const at::Tensor dy = b.select(4, 1) - a.select(4, 1);
    const at::Tensor length = at::sqrt(dx * dx + dy * dy);
    const auto pixel = [&](const at::Tensor& delta, const at::Tensor& start, std::int64_t size) {
        const at::Tensor points = start.unsqueeze(4) + (delta / m_shortening).unsqueeze(4) * m_positions;
        return at::clamp(at::round(at::nan_to_num(points / stride, 0.0)), 0, size - 1).to(at::kLong);
    };
    const at::Tensor place =
        (pixel(dy, a.select(4, 1), height) * width + pixel(dx, a.select(4, 0), width)).view({frames, edges, -1});
    const at::Tensor field = pafs.contiguous().view({frames, edges, 2, height * width});
    const auto component = [&](std::int64_t i) {
        return at::gather(field.select(2, i), 2, place).view({frames, edges, slots, slots, samples});
    };
    const at::Tensor along = component(0) * (dx / length).unsqueeze(4) + component(1) * (dy / length).unsqueeze(4);
    const at::Tensor penalty =
        at::clamp((at::full({1}, scorer.maxLength(), length.options()) / length) - 1, std::nullopt, 0) *
        static_cast<float>(m_options.lines.distPenaltyWeight);
    return along.mean(4) + penalty;
}

at::Tensor TensorPeaks::pack(const at::Tensor& confmaps, const at::Tensor& pafs, std::int64_t slots) const {
    const at::Tensor maps = confmaps.contiguous(at::MemoryFormat::Contiguous);
    const Candidates candidates = findCandidates(maps, slots);
    const at::Tensor peaks = refined(maps, candidates);
    const at::Tensor scores = lineScores(peaks, pafs);
    return at::cat({candidates.counts.view(at::kFloat).view(-1), peaks.view(-1), scores.contiguous().view(-1)});
}

}  // namespace skein::inference
