// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

// What needs CUDA's own functions: pinned memory, streams, events. Implemented in libskein-cuda.so, which is opened
// only where CUDA runs, so that one build serves machines with and without a GPU.
namespace skein::inference {

/// A copy to pinned host memory that is under way.
class CudaDownload {
public:
    virtual ~CudaDownload() = default;
    /// Returns when the copy is complete. Nothing else in a run waits for the device.
    virtual void wait() = 0;
};

/// Work that was recorded once and is started again as a whole. Belongs to the queue's thread.
class CudaRecording {
public:
    virtual ~CudaRecording() = default;
    /// Queues the work on the computation stream: it reads and writes the memory that it had when it was recorded.
    virtual void replay() = 0;
};

/// Three streams of one device: uploads, computation, downloads, ordered among each other by events. Thread-compatible.
class CudaQueue {
public:
    virtual ~CudaQueue() = default;
    /// Makes the computation stream the calling thread's current one; every tensor function then queues its work there.
    virtual void enter() = 0;
    /// A page-locked uint8 buffer on the host.
    [[nodiscard]] virtual at::Tensor pinned(std::int64_t bytes) = 0;
    /// Copies a pinned tensor to the device on the upload stream; computation waits for it, the caller does not.
    /// `host` must stay unchanged until a download that was started later is complete.
    [[nodiscard]] virtual at::Tensor upload(const at::Tensor& host) = 0;
    /// Copies a device tensor to the pinned `host` on the download stream, after the computation queued so far.
    [[nodiscard]] virtual std::unique_ptr<CudaDownload> download(const at::Tensor& device, const at::Tensor& host) = 0;
    /// Records what `work` queues on the computation stream in place of doing it. `work` must have been done before
    /// (what is made on first use cannot be recorded) and must not read the device. Throws when it cannot be recorded.
    [[nodiscard]] virtual std::unique_ptr<CudaRecording> record(const std::function<void()>& work) = 0;
};

class CudaBridge {
public:
    virtual ~CudaBridge() = default;
    /// One entry for each device: "NVIDIA A40, 45 GiB".
    [[nodiscard]] virtual std::vector<std::string> deviceNames() = 0;
    [[nodiscard]] virtual std::unique_ptr<CudaQueue> makeQueue(int device) = 0;
};

}  // namespace skein::inference
