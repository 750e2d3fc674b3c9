// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/torch_runner.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <exception>
#include <thread>
#include <utility>

#include "engine/inference/bottomup_packer.h"
#include "engine/inference/detail/device.h"
#include "engine/inference/detail/guard.h"
#include "engine/inference/detail/preprocess.h"
#include "engine/inference/detail/tensor_peaks.h"
#include "engine/inference/input_geometry.h"
#include "engine/inference/packed_layout.h"
#include "engine/models/detail/buffer_cache.h"

namespace skein::inference {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kFirstSlots = 32;
constexpr std::int64_t kFewestSlots = 8;
constexpr std::int64_t kMostSlots = 128;  // beyond by the repeat only
constexpr int kMostThreads = 256;

BottomUpPacker::Options packerOptions(const models::ModelSpec& spec, const InferenceOptions& options) {
    BottomUpPacker::Options o;
    o.peaks = {static_cast<float>(options.peakThreshold), options.integralRefinement, options.integralPatchSize};
    o.lines = {options.maxEdgeLengthRatio, options.distPenaltyWeight, options.nPoints};
    o.confmapStride = spec.heads[0].outputStride;
    o.pafStride = spec.heads[1].outputStride;
    o.nodes = static_cast<int>(spec.partNames.size());
    o.edges = spec.pafEdges;
    return o;
}

/// One frame of channels-last maps as plain memory.
MapView viewOf(const at::Tensor& maps, std::int64_t frame) {
    const float* data = maps.const_data_ptr<float>() + frame * maps.size(1) * maps.size(2) * maps.size(3);
    return {data, static_cast<int>(maps.size(1)), static_cast<int>(maps.size(2)), static_cast<int>(maps.size(3))};
}

/// A batch whose result is there already, as on the CPU.
class ReadyBatch final : public PendingBatch {
public:
    explicit ReadyBatch(HostBatch batch) : m_batch(std::move(batch)) {}
    Result<HostBatch> wait() override { return std::move(m_batch); }

private:
    HostBatch m_batch;
};

class BottomUpRunner final : public InferenceRunner {
public:
    BottomUpRunner(models::ModelSpec spec, models::PreprocessSpec preprocess, const InferenceOptions& options,
                   at::Device device, profile::Profiler& profiler, std::unique_ptr<models::Network> network)
        : m_spec(std::move(spec)),
          m_preprocess(preprocess),
          m_options(options),
          m_device(device),
          m_profiler(&profiler),
          m_network(std::move(network)),
          m_packer(packerOptions(m_spec, options)) {
        if (m_device.is_cuda()) {
            m_queue = cudaSupport().bridge->makeQueue(m_device.index());
            m_tensorPeaks = std::make_unique<TensorPeaks>(packerOptions(m_spec, options), device);
        }
    }

    Result<std::unique_ptr<PendingBatch>> submit(std::span<const ImagePtr> images) override {
        return guarded("a batch of frames", [&]() -> Result<std::unique_ptr<PendingBatch>> {
            const TorchThread thread(m_options.cpuThreads);
            if (auto ok = check(images); !ok)
                return fail(ok.error());
            return m_device.is_cuda() ? submitToGpu(images) : runOnCpu(images);
        });
    }

    Result<void> warmUp(int height, int width, int channels) override {
        auto black = std::make_shared<Image>();
        black->height = height;
        black->width = width;
        black->channels = channels;
        black->pixels.assign(black->rowBytes() * static_cast<std::size_t>(height), 0);
        const std::vector<ImagePtr> images(
            m_device.is_cuda() ? static_cast<std::size_t>(std::max(1, m_options.batchSize)) : 1, black);
        profile::Profiler unseen;
        profile::Profiler* const seen = std::exchange(m_profiler, &unseen);
        auto pending = submit(images);
        Result<HostBatch> result = pending ? (*pending)->wait() : Result<HostBatch>(fail(pending.error()));
        m_profiler = seen;
        if (!result)
            return fail(result.error());
        return {};
    }

    const models::ModelSpec& spec() const override { return m_spec; }
    const models::PreprocessSpec& preprocess() const override { return m_preprocess; }
    std::string device() const override { return m_device.str(); }

private:
    class QueuedBatch;

    Result<void> check(std::span<const ImagePtr> images) const {
        SKEIN_EXPECTS(!images.empty(), "a batch has at least one image");
        const Image& first = *images.front();
        if (first.channels != 1 && first.channels != 3)
            return fail(ErrorCode::Model,
                        "Frames must have 1 or 3 channels; these have " + std::to_string(first.channels) + ".");
        if (first.height < 1 || first.width < 1)
            return fail(ErrorCode::Model, "A frame has no pixels.");
        for (const ImagePtr& image : images)
            SKEIN_EXPECTS(image->height == first.height && image->width == first.width &&
                              image->channels == first.channels &&
                              image->pixels.size() == image->rowBytes() * static_cast<std::size_t>(image->height),
                          "images of one batch have one shape");
        return {};
    }

    InputGeometry geometryOf(const Image& image) const {
        return inputGeometry({image.height, image.width}, m_preprocess, m_spec.maxStride());
    }

    /// Packs the pixels of all images behind each other: the one upload.
    void assemble(std::span<const ImagePtr> images, std::uint8_t* out) {
        const profile::Span span(*m_profiler, profile::Stage::BatchAssemble);
        for (const ImagePtr& image : images) {
            std::memcpy(out, image->pixels.data(), image->pixels.size());
            out += image->pixels.size();
        }
        m_profiler->countCopyToDevice(images.size() * images.front()->pixels.size());
    }

    static std::vector<std::int64_t> shapeOf(std::span<const ImagePtr> images) {
        const Image& first = *images.front();
        return {static_cast<std::int64_t>(images.size()), first.height, first.width, first.channels};
    }

    void complete(HostBatch& batch, const InputGeometry& geometry) const {
        batch.effScale.assign(static_cast<std::size_t>(batch.frames), geometry.effScale);
        batch.inputScale = m_preprocess.scale;
    }

    Result<std::unique_ptr<PendingBatch>> runOnCpu(std::span<const ImagePtr> images) {
        const at::Tensor frames = at::empty(shapeOf(images), at::TensorOptions().dtype(at::kByte));
        assemble(images, frames.mutable_data_ptr<std::uint8_t>());
        const profile::Span span(*m_profiler, profile::Stage::Forward);
        const InputGeometry geometry = geometryOf(*images.front());
        m_packer.begin();
        const std::int64_t step = m_network->framesAtOnce();
        for (std::int64_t f = 0; f < frames.size(0); f += step) {
            const std::int64_t count = std::min(step, frames.size(0) - f);
            const at::Tensor pixels =
                inference::preprocess(frames.narrow(0, f, count), geometry, m_preprocess, m_resizer);
            const std::vector<at::Tensor> maps = m_network->forward(normalise(pixels));
            const at::Tensor confmaps = maps[0].permute({0, 2, 3, 1}).contiguous();
            const at::Tensor pafs = maps[1].permute({0, 2, 3, 1}).contiguous();
            for (std::int64_t i = 0; i < count; ++i)
                m_packer.add(viewOf(confmaps, i), viewOf(pafs, i));
        }
        auto batch = m_packer.finish();
        if (!batch)
            return fail(batch.error());
        complete(*batch, geometry);
        m_profiler->countCopyToHost(batch->packed.size() * sizeof(float));
        return std::unique_ptr<PendingBatch>(std::make_unique<ReadyBatch>(std::move(*batch)));
    }

    Result<std::unique_ptr<PendingBatch>> submitToGpu(std::span<const ImagePtr> images);

    /// Twice the fullest (frame, node) of the last batches, as a power of two.
    void adaptSlots(std::int64_t most) {
        m_fullest[m_nextFullest++ % m_fullest.size()] = most;
        const std::int64_t wanted = 2 * *std::max_element(m_fullest.begin(), m_fullest.end());
        m_slots = std::clamp(static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(wanted))), kFewestSlots,
                             kMostSlots);
    }

    models::ModelSpec m_spec;
    models::PreprocessSpec m_preprocess;
    InferenceOptions m_options;
    at::Device m_device;
    profile::Profiler* m_profiler;
    std::unique_ptr<models::Network> m_network;
    BottomUpPacker m_packer;
    Resizer m_resizer;
    // CUDA only.
    std::unique_ptr<CudaQueue> m_queue;
    std::unique_ptr<TensorPeaks> m_tensorPeaks;
    std::array<at::Tensor, 2> m_pinnedIn, m_pinnedOut;  // batch n+1 is filled while batch n is under way
    std::size_t m_next = 0;
    std::int64_t m_slots = kFirstSlots;
    std::array<std::int64_t, 16> m_fullest{kFirstSlots / 2};
    std::size_t m_nextFullest = 0;
};

/// A batch on the GPU. Keeps its maps until the counts are known, in case they do not fit.
class BottomUpRunner::QueuedBatch final : public PendingBatch {
public:
    QueuedBatch(BottomUpRunner& runner, InputGeometry geometry, std::int64_t frames, std::vector<at::Tensor> maps,
                Clock::time_point start)
        : m_runner(runner),
          m_buffer(runner.m_next % 2),
          m_geometry(geometry),
          m_frames(frames),
          m_maps(std::move(maps)),
          m_start(start) {
        launch(m_runner.m_slots);
    }
    ~QueuedBatch() override {
        // Of a batch that nobody waited for, the buffers are still in use.
        try {
            m_download->wait();
        } catch (const std::exception&) {
        }
    }

    Result<HostBatch> wait() override {
        return guarded("the results of a batch", [&]() -> Result<HostBatch> {
            const TorchThread thread(m_runner.m_options.cpuThreads);
            m_runner.m_queue->enter();
            m_download->wait();
            if (const std::int64_t most = fullest(); most > m_slots) {
                // Rare, and never at the price of a peak: the same maps again with room for all.
                launch(static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(most))));
                m_download->wait();
            }
            m_runner.adaptSlots(fullest());
            HostBatch batch;
            batch.type = models::ModelType::BottomUp;
            batch.frames = static_cast<int>(m_frames);
            batch.nodes = static_cast<int>(m_runner.m_spec.partNames.size());
            batch.edges = static_cast<int>(m_runner.m_spec.pafEdges.size());
            batch.slots = static_cast<int>(m_slots);
            const float* words = m_out.const_data_ptr<float>();
            batch.packed.assign(words, words + m_out.numel());
            m_runner.complete(batch, m_geometry);
            m_runner.m_profiler->record(profile::Stage::Forward, Clock::now() - m_start);
            m_maps.clear();
            return batch;
        });
    }

private:
    void launch(std::int64_t slots) {
        m_slots = slots;
        const at::Tensor packed = m_runner.m_tensorPeaks->pack(m_maps[0], m_maps[1], slots);
        at::Tensor& buffer = m_runner.m_pinnedOut[m_buffer];
        const std::int64_t bytes = packed.numel() * static_cast<std::int64_t>(sizeof(float));
        if (!buffer.defined() || buffer.numel() < bytes)
            buffer = m_runner.m_queue->pinned(2 * bytes);
        m_out = buffer.narrow(0, 0, bytes).view(at::kFloat);
        m_download = m_runner.m_queue->download(packed, m_out);
        m_runner.m_profiler->countCopyToHost(static_cast<std::uint64_t>(bytes));
    }
    std::int64_t fullest() const {
        const float* words = m_out.const_data_ptr<float>();
        std::int64_t most = 1;
        const auto counts = static_cast<std::size_t>(m_frames) * m_runner.m_spec.partNames.size();
        for (std::size_t i = 0; i < counts; ++i)
            most = std::max<std::int64_t>(most, wordAsCount(words[i]));
        return most;
    }

    BottomUpRunner& m_runner;
    std::size_t m_buffer;
    InputGeometry m_geometry;
    std::int64_t m_frames;
    std::vector<at::Tensor> m_maps;
    Clock::time_point m_start;
    std::int64_t m_slots = 0;
    at::Tensor m_out;
    std::unique_ptr<CudaDownload> m_download;
};

Result<std::unique_ptr<PendingBatch>> BottomUpRunner::submitToGpu(std::span<const ImagePtr> images) {
    m_queue->enter();
    const std::vector<std::int64_t> shape = shapeOf(images);
    const std::int64_t bytes = shape[0] * shape[1] * shape[2] * shape[3];
    ++m_next;
    at::Tensor& buffer = m_pinnedIn[m_next % 2];
    if (!buffer.defined() || buffer.numel() < bytes)
        buffer = m_queue->pinned(bytes);
    assemble(images, buffer.mutable_data_ptr<std::uint8_t>());
    const Clock::time_point start = Clock::now();
    const at::Tensor frames = m_queue->upload(buffer.narrow(0, 0, bytes).view(shape));
    const InputGeometry geometry = geometryOf(*images.front());
    std::vector<at::Tensor> maps =
        m_network->forward(normalise(inference::preprocess(frames, geometry, m_preprocess, m_resizer)));
    return std::unique_ptr<PendingBatch>(
        std::make_unique<QueuedBatch>(*this, geometry, shape[0], std::move(maps), start));
}

}  // namespace

struct TorchThread::Guard {
    c10::InferenceMode mode{true};
};

TorchThread::TorchThread(int cpuThreads) : m_guard(std::make_unique<Guard>()) {
    const int wanted =
        cpuThreads > 0 ? cpuThreads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    // The number is a property of the calling thread (OpenMP), so each thread that computes sets it once.
    thread_local int current = 0;
    if (current != wanted) {
        at::set_num_threads(wanted);
        current = wanted;
    }
}

TorchThread::~TorchThread() = default;

Result<std::unique_ptr<InferenceRunner>> makeBottomUpRunner(const models::ModelSpec& spec,
                                                            const InferenceOptions& options, at::Device device,
                                                            profile::Profiler& profiler, models::ForwardWay way) {
    return guarded("loading the model", [&]() -> Result<std::unique_ptr<InferenceRunner>> {
        const TorchThread thread(options.cpuThreads);
        if (options.integralPatchSize < 1 || options.integralPatchSize > 255)
            return fail(ErrorCode::InvalidArgument, "The refinement patch size must be from 1 to 255.");
        if (options.nPoints < 1 || options.nPoints > 100000)
            return fail(ErrorCode::InvalidArgument, "The number of points along an edge must be from 1 to 100000.");
        const auto preprocess = effectivePreprocess(spec.preprocess, options);
        if (!preprocess)
            return fail(preprocess.error());
        if (device.is_cuda()) {
            // Exact float32, as everything is compared against; faster forms are a choice, not a surprise.
            at::globalContext().setAllowTF32CuBLAS(false);
            at::globalContext().setAllowTF32CuDNN(false);
        }
        models::keepLargeBuffers();
        auto network = models::Network::load(spec, device, way);
        if (!network)
            return fail(network.error());
        return std::unique_ptr<InferenceRunner>(
            std::make_unique<BottomUpRunner>(spec, *preprocess, options, device, profiler, std::move(*network)));
    });
}

}  // namespace skein::inference
