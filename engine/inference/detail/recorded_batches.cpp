// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/recorded_batches.h"

#include <ATen/ops/equal.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <exception>
#include <string>
#include <string_view>

namespace skein::inference {
namespace {

// The first batch of a shape chooses kernels and makes tables, the second shows that the shape was no exception.
constexpr int kSeenBefore = 2;
// Each recording keeps the memory of a whole batch; what a run alternates between are one or two rooms.
constexpr std::size_t kMostKept = 3;

/// Bit by bit, since what is no number equals nothing.
bool isSame(const at::Tensor& a, const at::Tensor& b) {
    return a.sizes() == b.sizes() && at::equal(a.view(at::kInt), b.view(at::kInt));
}

}  // namespace

std::size_t RecordedBatches::recorded() const {
    return static_cast<std::size_t>(std::count_if(m_entries.begin(), m_entries.end(),
                                                  [](const Entry& entry) { return entry.recording != nullptr; }));
}

RecordedBatches::Entry& RecordedBatches::entryFor(const Shape& shape) {
    const auto found =
        std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& entry) { return entry.shape == shape; });
    if (found != m_entries.end()) {
        m_entries.splice(m_entries.begin(), m_entries, found);
    } else {
        if (m_entries.size() >= kMostKept)
            m_entries.pop_back();
        m_entries.emplace_front().shape = shape;
    }
    return m_entries.front();
}

at::Tensor RecordedBatches::record(CudaQueue& queue, Entry& entry, const at::Tensor& uploaded, const Compute& compute) {
    at::Tensor plain = compute(uploaded);
    entry.isRefused = true;
    try {
        entry.input = uploaded.clone();
        entry.tables = m_tables();
        auto recording = queue.record([&] { entry.output = compute(entry.input); });
        recording->replay();
        if (isSame(entry.output, plain)) {
            entry.recording = std::move(recording);
            entry.isRefused = false;
            return plain;
        }
        m_problem = "a recorded batch differed from the same batch queued kernel by kernel";
    } catch (const std::exception& e) {
        m_problem = std::string(e.what()).substr(0, std::string_view(e.what()).find('\n'));
    }
    entry.input = entry.output = at::Tensor();
    entry.tables.clear();
    return plain;
}

at::Tensor RecordedBatches::run(CudaQueue& queue, const Shape& shape, const at::Tensor& uploaded,
                                const Compute& compute) {
    if (m_isOff)
        return compute(uploaded);
    Entry& entry = entryFor(shape);
    if (entry.recording) {
        entry.input.copy_(uploaded, true);
        entry.recording->replay();
        return entry.output.clone();
    }
    try {
        if (entry.isRefused || entry.seen++ < kSeenBefore)
            return compute(uploaded);
        return record(queue, entry, uploaded, compute);
    } catch (const c10::OutOfMemoryError&) {
        if (recorded() == 0)
            throw;
    }
    // The batch itself comes first: it gets the memory that recordings hold.
    m_entries.clear();
    m_isOff = true;
    m_problem = "the device's memory is too small for it";
    return compute(uploaded);
}

std::string RecordedBatches::remark() const {
    if (!m_problem.empty())
        return "Batches were queued kernel by kernel, since recording them failed: " + m_problem + ".";
    const std::size_t count = recorded();
    return count == 0 ? ""
                      : "Batches of " + std::to_string(count) + (count == 1 ? " shape" : " shapes") +
                            " were started as recorded (CUDA graph).";
}

}  // namespace skein::inference
