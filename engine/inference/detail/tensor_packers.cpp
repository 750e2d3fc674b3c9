// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/tensor_packers.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/round.h>
#include <ATen/ops/sqrt.h>

namespace skein::inference {
namespace {

at::Tensor flatCounts(const TensorLocalPeaks::Found& found) {
    return found.counts.view(at::kFloat).view(-1);
}

/// Number of the nearest pixel along an axis; what is no number reads the first one.
at::Tensor nearestPixel(const at::Tensor& position, std::int64_t size) {
    return at::clamp(at::round(at::nan_to_num(position, 0.0)), 0, size - 1).to(at::kLong);
}

class SinglePacker final : public TensorPacker {
public:
    SinglePacker(const PackOptions& options, at::Device device)
        : m_peaks(options.peaks, options.confmapStride, device) {}
    at::Tensor pack(const std::vector<at::Tensor>& maps, std::int64_t) const override {
        return m_peaks.find(maps[0]).contiguous().view(-1);
    }

private:
    TensorGlobalPeaks m_peaks;
};

class CentroidPacker final : public TensorPacker {
public:
    CentroidPacker(const PackOptions& options, at::Device device)
        : m_peaks(options.peaks, options.confmapStride, device) {}
    at::Tensor pack(const std::vector<at::Tensor>& maps, std::int64_t slots) const override {
        const auto found = m_peaks.find(maps[0], slots);
        return at::cat({flatCounts(found), found.peaks.view(-1)});
    }

private:
    TensorLocalPeaks m_peaks;
};

class LinePacker final : public TensorPacker {
public:
    LinePacker(const PackOptions& options, at::Device device)
        : m_options(options), m_peaks(options.peaks, options.confmapStride, device) {
        std::vector<std::int64_t> sources, destinations;
        for (const project::Edge& edge : options.edges) {
            sources.push_back(edge.source);
            destinations.push_back(edge.destination);
        }
        m_edgeSource = deviceTable(sources, device);
        m_edgeDestination = deviceTable(destinations, device);
        m_positions = deviceTable(LineScorer::positions(options.lines.nPoints), device);
        m_shortening = deviceTable(std::vector<float>{LineScorer::kShortening}, device);
    }

    at::Tensor pack(const std::vector<at::Tensor>& maps, std::int64_t slots) const override {
        const auto found = m_peaks.find(maps[0], slots);
        const at::Tensor scores = lineScores(found.peaks, maps[1]);
        return at::cat({flatCounts(found), found.peaks.view(-1), scores.contiguous().view(-1)});
    }

private:
    [[nodiscard]] at::Tensor lineScores(const at::Tensor& peaks, const at::Tensor& pafs) const {
        const std::int64_t frames = peaks.size(0);
        const std::int64_t slots = peaks.size(2);
        const std::int64_t edges = m_edgeSource.size(0);
        const std::int64_t samples = m_positions.size(0);
        const std::int64_t height = pafs.size(2);
        const std::int64_t width = pafs.size(3);
        const auto stride = static_cast<double>(m_options.secondStride);
        const LineScorer scorer(m_options.lines, m_options.secondStride, static_cast<int>(height),
                                static_cast<int>(width), static_cast<int>(edges));
        const at::Tensor a = peaks.index_select(1, m_edgeSource).unsqueeze(3);       // [B, E, K, 1, 3]
        const at::Tensor b = peaks.index_select(1, m_edgeDestination).unsqueeze(2);  // [B, E, 1, K, 3]
        const at::Tensor dx = b.select(4, 0) - a.select(4, 0);                       // [B, E, K, K]
        const at::Tensor dy = b.select(4, 1) - a.select(4, 1);
        const at::Tensor length = at::sqrt(dx * dx + dy * dy);
        const auto pixel = [&](const at::Tensor& delta, const at::Tensor& start, std::int64_t size) {
            const at::Tensor points = start.unsqueeze(4) + (delta / m_shortening).unsqueeze(4) * m_positions;
            return nearestPixel(points / stride, size);
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

    PackOptions m_options;
    TensorLocalPeaks m_peaks;
    at::Tensor m_edgeSource, m_edgeDestination;
    at::Tensor m_positions;   // [P] of the samples along a line
    at::Tensor m_shortening;  // 1 + 2^-23: a tensor, since dividing by a number multiplies by its reciprocal on GPUs
};

class ClassMapPacker final : public TensorPacker {
public:
    ClassMapPacker(const PackOptions& options, at::Device device)
        : m_stride(options.secondStride), m_peaks(options.peaks, options.confmapStride, device) {}

    at::Tensor pack(const std::vector<at::Tensor>& maps, std::int64_t slots) const override {
        const auto found = m_peaks.find(maps[0], slots);
        const at::Tensor& classMaps = maps[1];  // [B, L, h, w]
        const std::int64_t frames = classMaps.size(0);
        const std::int64_t classes = classMaps.size(1);
        const std::int64_t height = classMaps.size(2);
        const std::int64_t width = classMaps.size(3);
        const auto pixel = [&](std::int64_t axis, std::int64_t size) {
            return nearestPixel(found.peaks.select(3, axis) / m_stride, size);
        };
        const at::Tensor place = (pixel(1, height) * width + pixel(0, width)).view({frames, 1, -1});
        const at::Tensor probabilities = at::gather(classMaps.contiguous().view({frames, classes, height * width}), 2,
                                                    place.expand({frames, classes, place.size(2)}))
                                             .permute({0, 2, 1});  // [B, C*K, L]
        return at::cat({flatCounts(found), found.peaks.view(-1), probabilities.contiguous().view(-1)});
    }

private:
    double m_stride;
    TensorLocalPeaks m_peaks;
};

}  // namespace

std::unique_ptr<TensorPacker> makeTensorPacker(models::ModelType type, const PackOptions& options, at::Device device) {
    switch (type) {
        case models::ModelType::SingleInstance:
        case models::ModelType::CenteredInstance:
        case models::ModelType::MultiClassTopDown:
            return std::make_unique<SinglePacker>(options, device);
        case models::ModelType::Centroid:
            return std::make_unique<CentroidPacker>(options, device);
        case models::ModelType::MultiClassBottomUp:
            return std::make_unique<ClassMapPacker>(options, device);
        case models::ModelType::BottomUp:
            break;
    }
    return std::make_unique<LinePacker>(options, device);
}

}  // namespace skein::inference
