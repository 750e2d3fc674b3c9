// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/gpu_batch.h"

#include <bit>
#include <exception>

#include "engine/inference/detail/guard.h"
#include "engine/inference/detail/runner_base.h"
#include "engine/inference/packed_layout.h"

namespace skein::inference {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kFewestSlots = 8;
constexpr std::int64_t kMostSlots = 128;  // beyond by the repeat only
constexpr std::int64_t kCropStep = 8;

class GpuBatch final : public PendingBatch {
public:
    GpuBatch(GpuLane& lane, std::size_t number, GpuUpload upload, std::unique_ptr<GpuWork> work,
             profile::Profiler& profiler, Clock::time_point start)
        : m_lane(lane),
          m_buffer(number % lane.pinnedOut.size()),
          m_upload(std::move(upload)),
          m_work(std::move(work)),
          m_profiler(profiler),
          m_start(start) {
        m_room = lane.room->room();
        // Places that are given differ in number from batch to batch, and with them all shapes.
        const bool isRecorded = lane.recorded && m_upload.layout.given == 0;
        download(isRecorded ? lane.recorded->run(*lane.queue, {m_upload.layout.shape, m_room}, m_upload.bytes,
                                                 [this](const at::Tensor& bytes) { return compute(bytes); })
                            : compute(m_upload.bytes));
    }
    ~GpuBatch() override {
        // Of a batch that nobody waited for, the buffers are still in use.
        try {
            m_download->wait();
        } catch (const std::exception&) {
        }
    }

    Result<HostBatch> wait() override {
        return guarded("the results of a batch", [&]() -> Result<HostBatch> {
            const TorchThread thread(m_lane.cpuThreads);
            m_lane.queue->enter();
            HostBatch batch = fetch();
            Room needed = m_work->needed(batch);
            while (needed.slots > m_room.slots || needed.crops > m_room.crops) {
                // Rare, and never at the price of a peak: the same frames again with room for all.
                m_room = {std::max(m_room.slots, roundedUp(needed.slots)), std::max(m_room.crops, needed.crops)};
                download(compute(m_upload.bytes));
                batch = fetch();
                needed = m_work->needed(batch);
            }
            m_lane.room->note(needed);
            m_profiler.record(profile::Stage::Forward, Clock::now() - m_start);
            m_work.reset();
            m_upload.bytes.reset();
            return batch;
        });
    }

private:
    static std::int64_t roundedUp(std::int64_t slots) {
        return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(slots, 1))));
    }
    at::Tensor compute(const at::Tensor& bytes) { return m_work->compute(m_upload.layout.partsOf(bytes), m_room); }
    void download(const at::Tensor& packed) {
        at::Tensor& buffer = m_lane.pinnedOut[m_buffer];
        const std::int64_t bytes = packed.numel() * static_cast<std::int64_t>(sizeof(float));
        if (!buffer.defined() || buffer.numel() < bytes)
            buffer = m_lane.queue->pinned(2 * bytes);
        m_out = buffer.narrow(0, 0, bytes).view(at::kFloat);
        m_download = m_lane.queue->download(packed, m_out);
        m_profiler.countCopyToHost(static_cast<std::uint64_t>(bytes));
    }
    HostBatch fetch() {
        m_download->wait();
        return m_work->receive(m_room, m_out.const_data_ptr<float>(), static_cast<std::size_t>(m_out.numel()));
    }

    GpuLane& m_lane;
    std::size_t m_buffer;
    GpuUpload m_upload;
    std::unique_ptr<GpuWork> m_work;
    profile::Profiler& m_profiler;
    Clock::time_point m_start;
    Room m_room;
    at::Tensor m_out;
    std::unique_ptr<CudaDownload> m_download;
};

}  // namespace

Room GpuWork::needed(const HostBatch& packed) const {
    const PackedLayout layout = layoutOf(packed);
    Room room;
    for (std::size_t i = 0; i < layout.countsSize(); ++i)
        room.slots = std::max<std::int64_t>(room.slots, wordAsCount(packed.packed[i]));
    return room;
}

void RoomKeeper::note(const Room& needed) {
    m_last[m_next++ % kRemembered] = needed;
    Room most;
    for (const Room& room : m_last) {
        most.slots = std::max(most.slots, room.slots);
        most.crops = std::max(most.crops, room.crops);
    }
    m_slots = std::clamp(static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(2 * most.slots))),
                         kFewestSlots, kMostSlots);
    // A quarter to spare: a crop that is not needed costs a pass through the second network.
    m_crops = (std::max<std::int64_t>(most.crops + most.crops / 4, 1) + kCropStep - 1) / kCropStep * kCropStep;
}

std::unique_ptr<PendingBatch> makeGpuBatch(GpuLane& lane, std::size_t number, GpuUpload upload,
                                           std::unique_ptr<GpuWork> work, profile::Profiler& profiler,
                                           Clock::time_point start) {
    return std::make_unique<GpuBatch>(lane, number, std::move(upload), std::move(work), profiler, start);
}

}  // namespace skein::inference
