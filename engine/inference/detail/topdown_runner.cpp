// SPDX-License-Identifier: BSD-3-Clause
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "engine/inference/crop_geometry.h"
#include "engine/inference/detail/crops.h"
#include "engine/inference/detail/runner_base.h"
#include "engine/inference/detail/tensor_peaks.h"
#include "engine/inference/detail/torch_runner.h"
#include "engine/inference/global_peaks.h"
#include "engine/inference/map_packer.h"
#include "engine/inference/model_set.h"
#include "engine/inference/packed_layout.h"
#include "engine/inference/peak_store.h"

namespace skein::inference {
namespace {

/// Threshold of the centroid stage. sleap-nn takes one of exactly 0 for none.
float centroidThreshold(const InferenceOptions& options) {
    const bool given = options.centroidPeakThreshold && !(options.matchSleapNn && *options.centroidPeakThreshold == 0);
    return static_cast<float>(given ? *options.centroidPeakThreshold : options.peakThreshold);
}

PackOptions centroidPacking(const models::ModelSpec& spec, const InferenceOptions& options) {
    PackOptions pack = packOptions(spec, options);
    pack.peaks.threshold = centroidThreshold(options);
    return pack;
}

/// A centroid model and one that works on crops around what it finds, or the latter alone around what it is given.
class TopDownRunner final : public RunnerBase {
public:
    struct Stage {
        models::ModelSpec spec;
        LaneNetworks networks;
    };
    TopDownRunner(std::optional<Stage> centroids, Stage instances, const TopDownSettings& settings,
                  RunnerContext context, profile::Profiler& profiler)
        : RunnerBase(instances.spec, settings.frames, std::move(context), profiler),
          m_centroids(std::move(centroids)),
          m_instances(std::move(instances)),
          m_settings(settings),
          m_cropGeometry(
              inputGeometry({settings.cropSize, settings.cropSize}, settings.crops, m_instances.spec.maxStride())),
          m_packing(packOptions(m_instances.spec, m_options)) {
        if (m_centroids)
            m_centroidPacking = centroidPacking(m_centroids->spec, m_options);
        if (!isQueued())
            return;
        if (m_centroids)
            m_localPeaks =
                std::make_unique<TensorLocalPeaks>(m_centroidPacking.peaks, m_centroidPacking.confmapStride, m_device);
        m_globalPeaks = std::make_unique<TensorGlobalPeaks>(m_packing.peaks, m_packing.confmapStride, m_device);
    }

protected:
    bool needsCentroids() const override { return !m_centroids; }
    InputGeometry geometryOf(Size frame) const override {
        return inputGeometry(frame, m_preprocess, m_centroids ? m_centroids->spec.maxStride() : 1);
    }
    Result<HostBatch> runOnCpu(const Input& input) override;
    std::unique_ptr<GpuWork> workOnGpu(const Input& input) override;

private:
    class Work;

    /// The centroid model's maps of some frames; `matched` gets the frames that crops are cut from, [n, c, h, w].
    std::vector<at::Tensor> findCentroids(const at::Tensor& frames, const InputGeometry& geometry, at::Tensor& matched,
                                          int lane = -1) {
        matched = matchSize(frames, geometry, resizer(lane));
        const at::Tensor pixels = changesChannels(frames, m_preprocess)
                                      ? inference::preprocess(frames, geometry, m_preprocess, resizer(lane))
                                      : scaleAndPad(matched, geometry, resizer(lane));
        return m_centroids->networks.of(lane).forward(normalise(pixels));
    }
    std::vector<at::Tensor> lookIntoCrops(const at::Tensor& crops, int lane = -1) {
        return m_instances.networks.of(lane).forward(normalise(scaleAndPad(crops, m_cropGeometry, resizer(lane))));
    }
    /// Of one frame: the best if there are too many, in image pixels.
    std::vector<Peak> toImage(std::vector<Peak> peaks, const InputGeometry& geometry) const;
    Result<HostBatch> packCrops(const std::vector<std::vector<Peak>>& centroids, const std::vector<at::Tensor>& matched,
                                const InputGeometry& geometry);
    /// The fields of a batch that do not depend on what was found.
    HostBatch describe(std::int64_t frames, const Room& room, const InputGeometry& geometry) const;

    std::optional<Stage> m_centroids;
    Stage m_instances;
    TopDownSettings m_settings;
    InputGeometry m_cropGeometry;
    PackOptions m_packing;          // of the crops
    PackOptions m_centroidPacking;  // of the frames
    std::unique_ptr<TensorLocalPeaks> m_localPeaks;
    std::unique_ptr<TensorGlobalPeaks> m_globalPeaks;
};

HostBatch TopDownRunner::describe(std::int64_t frames, const Room& room, const InputGeometry& geometry) const {
    HostBatch batch;
    batch.type = m_spec.type;
    batch.frames = static_cast<int>(frames);
    batch.nodes = m_packing.nodes;
    batch.slots = static_cast<int>(room.slots);
    batch.classes = m_packing.classes;
    batch.crops = static_cast<int>(room.crops);
    batch.effScale.assign(static_cast<std::size_t>(frames), geometry.effScale);
    batch.inputScale = m_settings.crops.scale;
    return batch;
}

// --- CPU

std::vector<Peak> TopDownRunner::toImage(std::vector<Peak> peaks, const InputGeometry& geometry) const {
    const auto most = static_cast<std::size_t>(std::max(0, m_options.maxInstances));
    if (most > 0 && peaks.size() > most) {
        std::stable_sort(peaks.begin(), peaks.end(), [](const Peak& a, const Peak& b) { return a.value > b.value; });
        peaks.resize(most);
    }
    const auto stride = static_cast<float>(m_centroidPacking.confmapStride);
    const auto scale = static_cast<float>(m_preprocess.scale);
    for (Peak& peak : peaks) {
        peak.x = peak.x * stride / scale / geometry.effScale;
        peak.y = peak.y * stride / scale / geometry.effScale;
    }
    std::erase_if(peaks, [](const Peak& p) { return std::isnan(p.x) || std::isnan(p.y); });
    return peaks;
}

Result<HostBatch> TopDownRunner::runOnCpu(const Input& input) {
    const auto frames = static_cast<std::size_t>(input.frames.size(0));
    std::vector<std::vector<Peak>> centroids(frames);
    std::vector<at::Tensor> matched(frames);  // of each frame, [h, w, c]
    const auto frameOf = [&](std::size_t f) { return input.frames.narrow(0, static_cast<std::int64_t>(f), 1); };
    const auto keep = [&](std::size_t f, const at::Tensor& pixels) {
        matched[f] = pixels.permute({0, 2, 3, 1}).contiguous().select(0, 0);
    };
    if (input.isAround) {
        for (std::size_t f = 0; f < frames; ++f)
            keep(f, matchSize(frameOf(f), input.geometry, resizer()));
        for (const GivenCentroid& given : input.given)
            centroids[static_cast<std::size_t>(given.frame)].push_back({given.x, given.y, 1.0F, 0});
        return packCrops(centroids, matched, input.geometry);
    }
    inLanes(
        frames,
        [&](int lane, std::size_t f) {
            at::Tensor pixels;
            const at::Tensor maps = channelsLast(findCentroids(frameOf(f), input.geometry, pixels, lane)[0]);
            keep(f, pixels);
            std::vector<Peak> found;
            {
                const profile::PartSpan part(*m_profiler, profile::Stage::Forward, profile::Part::Peaks);
                findLocalPeaks(viewOf(maps, 0), m_centroidPacking.peaks, found);
            }
            centroids[f] = toImage(std::move(found), input.geometry);
        },
        [](std::size_t) {});
    return packCrops(centroids, matched, input.geometry);
}

Result<HostBatch> TopDownRunner::packCrops(const std::vector<std::vector<Peak>>& centroids,
                                           const std::vector<at::Tensor>& matched, const InputGeometry& geometry) {
    std::size_t slots = 1;
    std::size_t total = 0;
    for (const auto& list : centroids) {
        slots = std::max(slots, list.size());
        total += list.size();
    }
    auto batch = emptyBatch(m_spec.type, centroids.size(), m_packing.nodes, 0, slots, m_packing.classes, total);
    if (!batch)
        return batch;
    batch->effScale.assign(centroids.size(), geometry.effScale);
    batch->inputScale = m_settings.crops.scale;
    const PackedLayout layout = layoutOf(*batch);
    std::vector<CropRequest> requests;
    for (std::size_t f = 0; f < centroids.size(); ++f) {
        batch->packed[layout.count(f, 0)] = countAsWord(static_cast<std::int32_t>(centroids[f].size()));
        float* word = batch->packed.data() + layout.peak(f, 0, 0);
        for (const Peak& peak : centroids[f]) {
            *word++ = peak.x;
            *word++ = peak.y;
            *word++ = peak.value;
            requests.push_back({f, cropAxis(peak.x * geometry.effScale, m_settings.cropSize),
                                cropAxis(peak.y * geometry.effScale, m_settings.cropSize)});
        }
    }
    const auto stride = static_cast<float>(m_packing.confmapStride);
    const auto scale = static_cast<float>(m_settings.crops.scale);
    const std::size_t most = cropsAtOnce(m_cropGeometry.padded, lanes() > 0);
    // Pieces of nearly one size, as many for each lane: whoever has one piece more keeps the others waiting.
    const auto ways = static_cast<std::size_t>(std::max(1, lanes()));
    const std::size_t pieces = std::min(requests.size(), (requests.size() + most * ways - 1) / (most * ways) * ways);
    const auto look = [&](int lane, std::size_t piece) {
        const std::size_t first = requests.size() * piece / pieces;
        const std::size_t count = requests.size() * (piece + 1) / pieces - first;
        const std::span<const CropRequest> some(requests.data() + first, count);
        const at::Tensor crops = [&] {
            const profile::PartSpan part(*m_profiler, profile::Stage::Forward, profile::Part::Crops);
            return cutCrops(matched, some, m_settings.cropSize);
        }();
        const std::vector<at::Tensor> heads = lookIntoCrops(crops, lane);
        const at::Tensor maps = channelsLast(heads[0]);
        for (std::size_t i = 0; i < count; ++i) {
            const MapView view = viewOf(maps, static_cast<std::int64_t>(i));
            float* word = batch->packed.data() + layout.cropPoint(first + i, 0);
            for (int n = 0; n < m_packing.nodes; ++n) {
                const Peak peak = findGlobalPeak(view, n, m_packing.peaks);
                *word++ = peak.x * stride / scale + some[i].x.origin;
                *word++ = peak.y * stride / scale + some[i].y.origin;
                *word++ = peak.value;
            }
        }
        if (layout.cropClasses > 0) {
            const at::Tensor classes = heads[1].contiguous();
            std::copy_n(classes.const_data_ptr<float>(), count * layout.cropClasses,
                        batch->packed.data() + layout.cropClass(first));
        }
    };
    inLanes(pieces, look, [](std::size_t) {});
    return batch;
}

// --- CUDA

class TopDownRunner::Work final : public GpuWork {
public:
    Work(TopDownRunner& runner, const Input& input) : m_runner(runner), m_input(input) {}

    at::Tensor compute(const UploadLayout::Parts& input, const Room& room) override {
        if (!m_input.isAround) {
            at::Tensor matched;
            const at::Tensor maps = m_runner.findCentroids(input.frames, m_input.geometry, matched)[0];
            const CentroidScales scales{m_runner.m_preprocess.scale, m_input.geometry.effScale,
                                        m_runner.m_options.maxInstances};
            const CentroidTensors found =
                centroidTensors(m_runner.m_localPeaks->find(maps, room.slots), scales, room.crops);
            return at::cat({found.counts.view(at::kFloat), found.peaks.view(-1),
                            cropsPart(matched, found.frame, found.x, found.y)});
        }
        if (!input.given.defined())
            return at::zeros({1}, at::TensorOptions().dtype(at::kFloat).device(input.frames.device()));
        const at::Tensor matched = matchSize(input.frames, m_input.geometry, m_runner.resizer());
        return cropsPart(matched, input.given.select(1, 0).to(at::kLong), input.given.select(1, 1),
                         input.given.select(1, 2));
    }

    HostBatch receive(const Room& room, const float* words, std::size_t count) const override {
        if (!m_input.isAround) {
            HostBatch batch = m_runner.describe(m_input.count, room, m_input.geometry);
            batch.packed.assign(words, words + count);
            return batch;
        }
        return receiveAround(words);
    }

    Room needed(const HostBatch& packed) const override {
        if (m_input.isAround)
            return {};
        Room room = GpuWork::needed(packed);
        const PackedLayout layout = layoutOf(packed);
        const std::int64_t most = m_runner.m_options.maxInstances;
        const bool allSeen = room.slots <= packed.slots;
        for (std::size_t f = 0; f < layout.frames; ++f) {
            if (!allSeen) {
                // What lies beyond the slots is not known; there cannot be more crops than this.
                const std::int64_t count = wordAsCount(packed.packed[layout.count(f, 0)]);
                room.crops += most > 0 ? std::min(count, most) : count;
                continue;
            }
            for (std::size_t k = 0; k < layout.slots; ++k)
                room.crops += std::isnan(packed.packed[layout.peak(f, 0, k) + 2]) ? 0 : 1;
        }
        return room;
    }

private:
    /// Points and classes of the crops around these places (image pixels).
    at::Tensor cropsPart(const at::Tensor& matched, const at::Tensor& frame, const at::Tensor& x, const at::Tensor& y) {
        const CropTensors crops =
            gatherCrops(matched, frame, x, y, m_input.geometry.effScale, m_runner.m_settings.cropSize);
        const std::vector<at::Tensor> heads = m_runner.lookIntoCrops(crops.pixels);
        const at::Tensor points =
            movedToFrame(m_runner.m_globalPeaks->find(heads[0]), m_runner.m_settings.crops.scale, crops);
        if (m_runner.m_packing.classes == 0)
            return points.contiguous().view(-1);
        return at::cat({points.contiguous().view(-1), heads[1].contiguous().view(-1)});
    }

    /// The centroids never left the host: they are put in front of the crops here.
    HostBatch receiveAround(const float* words) const {
        std::vector<std::size_t> counts(static_cast<std::size_t>(m_input.count), 0);
        for (const GivenCentroid& given : m_input.given)
            ++counts[static_cast<std::size_t>(given.frame)];
        const std::size_t slots = std::max<std::size_t>(1, *std::max_element(counts.begin(), counts.end()));
        HostBatch batch = m_runner.describe(
            m_input.count, {static_cast<std::int64_t>(slots), static_cast<std::int64_t>(m_input.given.size())},
            m_input.geometry);
        const PackedLayout layout = layoutOf(batch);
        batch.packed.assign(layout.size(), std::numeric_limits<float>::quiet_NaN());
        for (std::size_t f = 0; f < counts.size(); ++f)
            batch.packed[layout.count(f, 0)] = countAsWord(static_cast<std::int32_t>(counts[f]));
        std::fill(counts.begin(), counts.end(), 0);
        for (const GivenCentroid& given : m_input.given) {
            const auto f = static_cast<std::size_t>(given.frame);
            float* peak = batch.packed.data() + layout.peak(f, 0, counts[f]++);
            peak[0] = given.x;
            peak[1] = given.y;
            peak[2] = 1;
        }
        std::copy_n(words, layout.cropPointsSize() + layout.cropClassesSize(),
                    batch.packed.data() + layout.cropPoint(0, 0));
        return batch;
    }

    TopDownRunner& m_runner;
    Input m_input;
};

std::unique_ptr<GpuWork> TopDownRunner::workOnGpu(const Input& input) {
    return std::make_unique<Work>(*this, input);
}

}  // namespace

Result<std::unique_ptr<InferenceRunner>> makeTopDownRunner(const std::vector<models::ModelSpec>& specs,
                                                           RunnerContext context, profile::Profiler& profiler) {
    const auto settings = topDownSettings(specs, context.options);
    if (!settings)
        return fail(settings.error());
    std::vector<TopDownRunner::Stage> stages;
    for (const models::ModelSpec& spec : specs) {
        auto networks = LaneNetworks::load(spec, context.device, context.way, context.lanes.lanes, context.numbers);
        if (!networks)
            return fail(networks.error());
        stages.push_back({spec, std::move(*networks)});
    }
    std::optional<TopDownRunner::Stage> first;
    if (stages.size() == 2)
        first = std::move(stages.front());
    return std::unique_ptr<InferenceRunner>(std::make_unique<TopDownRunner>(std::move(first), std::move(stages.back()),
                                                                            *settings, std::move(context), profiler));
}

}  // namespace skein::inference
