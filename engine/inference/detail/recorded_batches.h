// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "engine/inference/detail/cuda_bridge.h"
#include "engine/inference/detail/room.h"

namespace skein::inference {

/// Batches of one shape queue the same few hundred kernels again and again, each for a few microseconds of the
/// processor. Here they are recorded once for each shape (a CUDA graph) and then started with one call.
///
/// A recording is used only after its first result was equal to the last bit to that of the kernels queued one by one;
/// where recording fails, or differs, batches of that shape go on as they were. Thread-compatible.
class RecordedBatches {
public:
    /// All that the queued kernels depend on but the bytes themselves.
    struct Shape {
        std::vector<std::int64_t> frames;  ///< n, h, w, c
        Room room;
        friend bool operator==(const Shape&, const Shape&) = default;
    };
    /// Queues a batch: from the uploaded bytes to the packed floats. Reads nothing from the device.
    using Compute = std::function<at::Tensor(const at::Tensor& uploaded)>;

    /// `tables`: the tensors made on first use that kernels read without owning them; a recording holds on to them.
    explicit RecordedBatches(std::function<std::vector<at::Tensor>()> tables) : m_tables(std::move(tables)) {}

    /// What compute(uploaded) gives, by either way. On the thread and the stream of the batch. The result is the
    /// caller's: a later batch does not overwrite it.
    [[nodiscard]] at::Tensor run(CudaQueue& queue, const Shape& shape, const at::Tensor& uploaded,
                                 const Compute& compute);

    /// Shapes that are started as a whole by now.
    [[nodiscard]] std::size_t recorded() const;
    /// One sentence on whether recordings are used or why not; empty while there was no occasion.
    [[nodiscard]] std::string remark() const;

private:
    struct Entry {
        Shape shape;
        int seen = 0;
        bool isRefused = false;
        std::vector<at::Tensor> tables;
        at::Tensor input, output;  // read and written by the recording; before it, so that they outlive it
        std::unique_ptr<CudaRecording> recording;
    };
    [[nodiscard]] Entry& entryFor(const Shape& shape);
    /// The result of the batch, computed the plain way; leaves a recording behind if that was possible.
    [[nodiscard]] at::Tensor record(CudaQueue& queue, Entry& entry, const at::Tensor& uploaded, const Compute& compute);

    std::function<std::vector<at::Tensor>()> m_tables;
    std::list<Entry> m_entries;  // used last first
    bool m_isOff = false;        // recordings need memory of their own, and it ran out
    std::string m_problem;       // the last one
};

}  // namespace skein::inference
