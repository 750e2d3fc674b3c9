// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/cuda_bridge.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>

#include <exception>
#include <string>

namespace skein::inference {
namespace {

class Download final : public CudaDownload {
public:
    explicit Download(const c10::cuda::CUDAStream& stream) { m_event.record(stream); }
    void wait() override { m_event.synchronize(); }

private:
    at::cuda::CUDAEvent m_event;
};

class Recording final : public CudaRecording {
public:
    explicit Recording(const std::function<void()>& work) {
        // Other threads may do as they like meanwhile, such as making pinned buffers.
        m_graph.capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
        try {
            work();
        } catch (...) {
            // The stream must not be left recording, or nothing works on it any more.
            try {
                m_graph.capture_end();
            } catch (const std::exception&) {
            }
            throw;
        }
        m_graph.capture_end();
    }
    void replay() override { m_graph.replay(); }

private:
    at::cuda::CUDAGraph m_graph;
};

class Queue final : public CudaQueue {
public:
    explicit Queue(int device)
        : m_device(at::kCUDA, static_cast<c10::DeviceIndex>(device)),
          m_upload(c10::cuda::getStreamFromPool(false, m_device.index())),
          m_compute(c10::cuda::getStreamFromPool(false, m_device.index())),
          m_download(c10::cuda::getStreamFromPool(false, m_device.index())) {}

    void enter() override {
        c10::cuda::set_device(m_device.index());
        c10::cuda::setCurrentCUDAStream(m_compute);
    }

    at::Tensor pinned(std::int64_t bytes) override {
        return at::empty({bytes}, at::TensorOptions().dtype(at::kByte).pinned_memory(true));
    }

    at::Tensor upload(const at::Tensor& host) override {
        at::Tensor device;
        at::cuda::CUDAEvent ready;
        {
            const c10::cuda::CUDAStreamGuard guard(m_upload);
            device = at::empty_like(host, host.options().device(m_device).pinned_memory(false));
            device.copy_(host, true);
            ready.record(m_upload);
        }
        ready.block(m_compute);
        // The allocator must not hand the memory out again before the computation has read it.
        device.record_stream(m_compute);
        return device;
    }

    std::unique_ptr<CudaDownload> download(const at::Tensor& device, const at::Tensor& host) override {
        at::cuda::CUDAEvent ready;
        ready.record(m_compute);
        ready.block(m_download);
        const c10::cuda::CUDAStreamGuard guard(m_download);
        at::Tensor target = host;
        target.copy_(device, true);
        device.record_stream(m_download);
        return std::make_unique<Download>(m_download);
    }

    std::unique_ptr<CudaRecording> record(const std::function<void()>& work) override {
        return std::make_unique<Recording>(work);
    }

private:
    at::Device m_device;
    c10::cuda::CUDAStream m_upload, m_compute, m_download;
};

class Bridge final : public CudaBridge {
public:
    std::vector<std::string> deviceNames() override {
        std::vector<std::string> names;
        for (c10::DeviceIndex i = 0; i < c10::cuda::device_count(); ++i) {
            cudaDeviceProp properties{};
            if (cudaGetDeviceProperties(&properties, i) != cudaSuccess)
                continue;
            names.push_back(std::string(properties.name) + ", " + std::to_string(properties.totalGlobalMem >> 30U) +
                            " GiB");
        }
        return names;
    }
    std::unique_ptr<CudaQueue> makeQueue(int device) override { return std::make_unique<Queue>(device); }
};

}  // namespace
}  // namespace skein::inference

extern "C" __attribute__((visibility("default"))) skein::inference::CudaBridge* skeinCudaBridge() {
    static skein::inference::Bridge bridge;
    return &bridge;
}
