// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "engine/inference/host_batch.h"
#include "engine/inference/local_peaks.h"
#include "engine/inference/packed_layout.h"

namespace skein::inference {

/// Local peaks of a batch by frame and channel, in raster order; positions in network-input pixels. Keeps its buffers.
class PeakStore {
public:
    void begin(std::size_t channels) {
        m_channels = channels;
        m_frames = 0;
    }
    /// Finds the peaks of the next frame.
    void add(const MapView& maps, const PeakOptions& options, int stride);

    [[nodiscard]] std::size_t frames() const { return m_frames; }
    [[nodiscard]] const std::vector<Peak>& of(std::size_t frame, std::size_t channel) const {
        return m_lists[frame * m_channels + channel];
    }
    /// Slots that hold the fullest list, at least one.
    [[nodiscard]] std::size_t slots() const;
    /// Fills the counts and peaks of `packed`, which holds NaN everywhere.
    void write(const PackedLayout& layout, std::vector<float>& packed) const;

private:
    std::size_t m_channels = 1;
    std::size_t m_frames = 0;
    std::vector<Peak> m_found;               // of the frame at hand
    std::vector<std::vector<Peak>> m_lists;  // [frame x channel]
};

/// The largest packed buffer that is believed to be meant, in words: one GiB.
inline constexpr std::size_t kMaxPackedWords = std::size_t{1} << 28U;

/// The buffer of a batch filled with NaN, or OutOfMemory when it would be larger than anything reasonable.
[[nodiscard]] Result<HostBatch> emptyBatch(models::ModelType type, std::size_t frames, int nodes, int edges,
                                           std::size_t slots, int classes, std::size_t crops = 0);

}  // namespace skein::inference
