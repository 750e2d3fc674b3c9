// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/inference/detail/cuda_bridge.h"
#include "engine/inference/detail/recorded_batches.h"
#include "engine/inference/detail/room.h"
#include "engine/inference/detail/upload_layout.h"
#include "engine/inference/runner.h"
#include "engine/profile/profiler.h"

// A batch on a GPU: shapes are fixed before anything is known about the frames, so that nothing has to be read back
// until the one packed copy; if the room was too small, the packing is repeated with more.
namespace skein::inference {

/// Where an instance is, as told from outside; in image pixels.
struct GivenCentroid {
    int frame = 0;  ///< in the batch
    float x = 0;
    float y = 0;
};

/// How a batch is computed, from its upload to its packed floats and back on the host.
class GpuWork {
public:
    virtual ~GpuWork() = default;
    /// Queues everything up to the packed float32. Reads nothing from the device and depends on nothing but shapes,
    /// so that it can be recorded; repeated with more room when the counts tell that it was too small.
    [[nodiscard]] virtual at::Tensor compute(const UploadLayout::Parts& input, const Room& room) = 0;
    /// The batch from the words that compute() made in this room.
    [[nodiscard]] virtual HostBatch receive(const Room& room, const float* words, std::size_t count) const = 0;
    /// The room that a packed batch would have needed, at least; equal or less than what it had when it fitted.
    [[nodiscard]] virtual Room needed(const HostBatch& packed) const;
};

/// Chooses the room of the next batch from what the last ones needed: enough, but not much more, since every slot and
/// every crop costs.
class RoomKeeper {
public:
    explicit RoomKeeper(int batchSize) : m_crops(std::max<std::int64_t>(16, 4LL * batchSize)) {}
    [[nodiscard]] Room room() const { return {m_slots, m_crops}; }
    void note(const Room& needed);

private:
    static constexpr std::size_t kRemembered = 16;
    std::int64_t m_slots = 32;
    std::int64_t m_crops;
    std::array<Room, kRemembered> m_last{};
    std::size_t m_next = 0;
};

/// What the batches of a runner share on its GPU.
struct GpuLane {
    std::unique_ptr<CudaQueue> queue;
    std::array<at::Tensor, 2> pinnedOut;
    std::unique_ptr<RoomKeeper> room;
    std::unique_ptr<RecordedBatches> recorded;  ///< null: batches are queued kernel by kernel
    int cpuThreads = 0;
};

/// A batch on the device.
struct GpuUpload {
    at::Tensor bytes;
    UploadLayout layout;
};

/// Queues the work on an upload and the download of its result. `number` of the batch chooses the pinned buffer.
[[nodiscard]] std::unique_ptr<PendingBatch> makeGpuBatch(GpuLane& lane, std::size_t number, GpuUpload upload,
                                                         std::unique_ptr<GpuWork> work, profile::Profiler& profiler,
                                                         std::chrono::steady_clock::time_point start);

}  // namespace skein::inference
