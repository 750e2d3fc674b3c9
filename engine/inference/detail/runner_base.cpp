// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/runner_base.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "engine/inference/detail/guard.h"

namespace skein::inference {
namespace {

using Clock = std::chrono::steady_clock;

/// A batch whose result is there already, as on the CPU.
class ReadyBatch final : public PendingBatch {
public:
    explicit ReadyBatch(HostBatch batch) : m_batch(std::move(batch)) {}
    Result<HostBatch> wait() override { return std::move(m_batch); }

private:
    HostBatch m_batch;
};

Result<void> check(std::span<const ImagePtr> images) {
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

std::vector<std::int64_t> shapeOf(std::span<const ImagePtr> images) {
    const Image& first = *images.front();
    return {static_cast<std::int64_t>(images.size()), first.height, first.width, first.channels};
}

}  // namespace

struct TorchThread::Guard {
    c10::InferenceMode mode{true};
};

TorchThread::TorchThread(int cpuThreads) : m_guard(std::make_unique<Guard>()) {
    const int wanted = usableThreads(cpuThreads);
    // The number is a property of the calling thread (OpenMP), so each thread that computes sets it once.
    thread_local int current = 0;
    if (current != wanted) {
        // LibTorch sets a thread's number on its first use of it, and would undo ours.
        (void)at::get_num_threads();
        at::set_num_threads(wanted);
        current = wanted;
    }
}

TorchThread::~TorchThread() = default;

RunnerBase::RunnerBase(models::ModelSpec spec, models::PreprocessSpec preprocess, RunnerContext context,
                       profile::Profiler& profiler)
    : m_spec(std::move(spec)),
      m_preprocess(preprocess),
      m_options(std::move(context.options)),
      m_device(context.device),
      m_profiler(&profiler),
      m_warning(std::move(context.warning)),
      m_resizers(static_cast<std::size_t>(context.lanes.lanes) + 1) {
    if (context.lanes.lanes > 0)
        m_lanes = std::make_unique<CpuLanes>(context.lanes.lanes, context.lanes.threads);
    m_lane.queue = std::move(context.queue);
    m_lane.room = std::make_unique<RoomKeeper>(m_options.batchSize);
    m_lane.cpuThreads = m_options.cpuThreads;
    if (m_lane.queue && m_options.cudaGraphs)
        m_lane.recorded = std::make_unique<RecordedBatches>([this] { return resizer().tables(); });
}

void RunnerBase::inLanes(std::size_t count, const std::function<void(int, std::size_t)>& work,
                         const std::function<void(std::size_t)>& done) {
    if (m_lanes && count > 1)
        return m_lanes->run(count, work, done);
    for (std::size_t i = 0; i < count; ++i) {
        work(-1, i);
        done(i);
    }
}

Result<std::unique_ptr<PendingBatch>> RunnerBase::submit(std::span<const ImagePtr> images) {
    if (needsCentroids())
        return fail(ErrorCode::Internal, "A centered-instance model alone has to be told where instances are.");
    return start(images, {}, false);
}

Result<std::unique_ptr<PendingBatch>> RunnerBase::submitAround(std::span<const ImagePtr> images,
                                                               std::span<const std::vector<CentroidPoint>> centroids) {
    if (!needsCentroids())
        return fail(ErrorCode::Internal, "These models find instances by themselves.");
    SKEIN_EXPECTS(images.size() == centroids.size(), "one list of centroids for each image");
    std::vector<GivenCentroid> given;
    for (std::size_t f = 0; f < centroids.size(); ++f)
        for (const CentroidPoint& point : centroids[f])
            given.push_back({static_cast<int>(f), point.x, point.y});
    return start(images, std::move(given), true);
}

Result<void> RunnerBase::warmUp(int height, int width, int channels) {
    // Lanes have networks of their own, each of which prepares its weights for what it sees first.
    const int frames = isQueued() ? m_options.batchSize : lanes();
    const auto seconds = secondsFor(std::max(1, frames), height, width, channels);
    if (!seconds)
        return fail(seconds.error());
    return {};
}

Result<double> RunnerBase::secondsFor(int frames, int height, int width, int channels) {
    auto black = std::make_shared<Image>();
    black->height = height;
    black->width = width;
    black->channels = channels;
    black->pixels.assign(black->rowBytes() * static_cast<std::size_t>(height), 0);
    const std::vector<ImagePtr> images(static_cast<std::size_t>(frames), black);
    std::vector<GivenCentroid> middle;
    if (needsCentroids())
        middle.push_back({0, static_cast<float>(width) / 2, static_cast<float>(height) / 2});
    profile::Profiler unseen;
    profile::Profiler* const seen = std::exchange(m_profiler, &unseen);
    // Black frames tell nothing about the room that real ones need.
    const RoomKeeper room = *m_lane.room;
    const Clock::time_point begin = Clock::now();
    auto pending = start(images, std::move(middle), needsCentroids());
    Result<HostBatch> result = pending ? (*pending)->wait() : Result<HostBatch>(fail(pending.error()));
    m_profiler = seen;
    *m_lane.room = room;
    if (!result)
        return fail(result.error());
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

void RunnerBase::assemble(std::span<const ImagePtr> images, std::span<const GivenCentroid> given, std::uint8_t* out,
                          const UploadLayout& layout) {
    const profile::Span span(*m_profiler, profile::Stage::BatchAssemble);
    std::uint8_t* const begin = out;
    for (const ImagePtr& image : images) {
        std::memcpy(out, image->pixels.data(), image->pixels.size());
        out += image->pixels.size();
    }
    out = begin + layout.givenBegin();
    for (const GivenCentroid& centroid : given) {
        const std::array<float, UploadLayout::kGivenWords> words = {static_cast<float>(centroid.frame), centroid.x,
                                                                    centroid.y, 1.0F};
        std::memcpy(out, words.data(), sizeof(words));
        out += sizeof(words);
    }
    m_profiler->countCopyToDevice(layout.bytes());
}

Result<std::unique_ptr<PendingBatch>> RunnerBase::start(std::span<const ImagePtr> images,
                                                        std::vector<GivenCentroid> given, bool isAround) {
    return guarded("a batch of frames", [&]() -> Result<std::unique_ptr<PendingBatch>> {
        const TorchThread thread(m_options.cpuThreads);
        if (auto ok = check(images); !ok)
            return fail(ok.error());
        Input input;
        input.isAround = isAround;
        input.geometry = geometryOf({images.front()->height, images.front()->width});
        input.count = std::ssize(images);
        UploadLayout layout{shapeOf(images), 0};
        if (!isQueued()) {
            input.frames = at::empty(layout.shape, at::TensorOptions().dtype(at::kByte));
            assemble(images, {}, input.frames.mutable_data_ptr<std::uint8_t>(), layout);
            input.given = std::move(given);
            const profile::Span span(*m_profiler, profile::Stage::Forward);
            auto batch = runOnCpu(input);
            if (!batch)
                return fail(batch.error());
            m_profiler->countCopyToHost(batch->packed.size() * sizeof(float));
            return std::unique_ptr<PendingBatch>(std::make_unique<ReadyBatch>(std::move(*batch)));
        }
        m_lane.queue->enter();
        // Given centroids travel behind the pixels, in the same copy.
        layout.given = given.size();
        const auto bytes = static_cast<std::int64_t>(layout.bytes());
        at::Tensor& buffer = m_pinnedIn[++m_next % m_pinnedIn.size()];
        if (!buffer.defined() || buffer.numel() < bytes)
            buffer = m_lane.queue->pinned(bytes);
        assemble(images, given, buffer.mutable_data_ptr<std::uint8_t>(), layout);
        const profile::Span span(*m_profiler, profile::Stage::DeviceQueue);
        const Clock::time_point begin = Clock::now();
        GpuUpload upload{m_lane.queue->upload(buffer.narrow(0, 0, bytes)), std::move(layout)};
        input.given = std::move(given);
        return makeGpuBatch(m_lane, m_next, std::move(upload), workOnGpu(input), *m_profiler, begin);
    });
}

MapView viewOf(const at::Tensor& maps, std::int64_t frame) {
    const float* data = maps.const_data_ptr<float>() + frame * maps.size(1) * maps.size(2) * maps.size(3);
    return {data, static_cast<int>(maps.size(1)), static_cast<int>(maps.size(2)), static_cast<int>(maps.size(3))};
}

at::Tensor channelsLast(const at::Tensor& maps) {
    return maps.permute({0, 2, 3, 1}).contiguous();
}

}  // namespace skein::inference
