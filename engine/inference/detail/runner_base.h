// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/inference/detail/cpu_lanes.h"
#include "engine/inference/detail/cuda_bridge.h"
#include "engine/inference/detail/gpu_batch.h"
#include "engine/inference/detail/preprocess.h"
#include "engine/inference/detail/torch_runner.h"
#include "engine/inference/input_geometry.h"
#include "engine/inference/local_peaks.h"
#include "engine/inference/options.h"
#include "engine/inference/runner.h"
#include "engine/models/detail/network.h"

namespace skein::inference {

/// Sets up the calling thread for LibTorch: no gradients, and the run's number of threads.
class TorchThread {
public:
    explicit TorchThread(int cpuThreads);
    ~TorchThread();
    TorchThread(const TorchThread&) = delete;
    TorchThread& operator=(const TorchThread&) = delete;

private:
    struct Guard;
    std::unique_ptr<Guard> m_guard;
};

/// What the runners of all model types share: checks, the one upload, the way of a batch on either device.
class RunnerBase : public InferenceRunner {
public:
    [[nodiscard]] Result<std::unique_ptr<PendingBatch>> submit(std::span<const ImagePtr> images) final;
    [[nodiscard]] Result<std::unique_ptr<PendingBatch>> submitAround(
        std::span<const ImagePtr> images, std::span<const std::vector<CentroidPoint>> centroids) final;
    [[nodiscard]] Result<void> warmUp(int height, int width, int channels) final;
    [[nodiscard]] Result<double> secondsFor(int frames, int height, int width, int channels) final;
    void profileInto(profile::Profiler& profiler) final { m_profiler = &profiler; }
    [[nodiscard]] const models::ModelSpec& spec() const final { return m_spec; }
    [[nodiscard]] const models::PreprocessSpec& preprocess() const final { return m_preprocess; }
    [[nodiscard]] std::string device() const final { return m_device.str(); }
    [[nodiscard]] std::string warning() const final { return m_warning; }
    [[nodiscard]] std::string remark() const final { return m_lane.recorded ? m_lane.recorded->remark() : ""; }

protected:
    /// `spec`: of the run's last model. `preprocess`: of the frames.
    RunnerBase(models::ModelSpec spec, models::PreprocessSpec preprocess, RunnerContext context,
               profile::Profiler& profiler);
    /// Whether batches go the GPU's way: work is queued and fetched later.
    [[nodiscard]] bool isQueued() const { return m_lane.queue != nullptr; }

    struct Input {
        at::Tensor frames;  ///< [n, h, w, c] uint8; on the CPU only
        std::int64_t count = 0;
        InputGeometry geometry;
        std::vector<GivenCentroid> given;  ///< by frame; only when `isAround`
        bool isAround = false;
    };
    [[nodiscard]] virtual InputGeometry geometryOf(Size frame) const = 0;
    [[nodiscard]] virtual Result<HostBatch> runOnCpu(const Input& input) = 0;
    [[nodiscard]] virtual std::unique_ptr<GpuWork> workOnGpu(const Input& input) = 0;
    /// Whether the runner has to be told where instances are.
    [[nodiscard]] virtual bool needsCentroids() const { return false; }

    /// On the CPU: work(lane, i) for each item, over the lanes where there are some and more than one item, and done(i)
    /// in order on this thread. Lane -1 is this thread.
    void inLanes(std::size_t count, const std::function<void(int, std::size_t)>& work,
                 const std::function<void(std::size_t)>& done);
    [[nodiscard]] int lanes() const { return m_lanes ? m_lanes->lanes() : 0; }
    [[nodiscard]] Resizer& resizer(int lane = -1) { return m_resizers[static_cast<std::size_t>(lane + 1)]; }

    models::ModelSpec m_spec;
    models::PreprocessSpec m_preprocess;
    InferenceOptions m_options;
    at::Device m_device;
    profile::Profiler* m_profiler;

private:
    [[nodiscard]] Result<std::unique_ptr<PendingBatch>> start(std::span<const ImagePtr> images,
                                                              std::vector<GivenCentroid> given, bool isAround);
    void assemble(std::span<const ImagePtr> images, std::span<const GivenCentroid> given, std::uint8_t* out,
                  const UploadLayout& layout);

    std::string m_warning;
    std::vector<Resizer> m_resizers;  // of this thread and of each lane
    std::unique_ptr<CpuLanes> m_lanes;
    GpuLane m_lane;
    std::array<at::Tensor, 2> m_pinnedIn;  // batch n+1 is filled while batch n is under way
    std::size_t m_next = 0;
};

/// One frame of channels-last maps as plain memory.
[[nodiscard]] MapView viewOf(const at::Tensor& maps, std::int64_t frame);

/// Maps [n, c, h, w] in channels-last memory as [n, h, w, c].
[[nodiscard]] at::Tensor channelsLast(const at::Tensor& maps);

}  // namespace skein::inference
