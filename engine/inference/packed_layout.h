// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>

#include "engine/inference/host_batch.h"

namespace skein::inference {

/// Places inside HostBatch::packed of a bottom-up batch, in 32-bit words; the order is stated there. One definition for
/// those who write the buffer (CPU loops, tensor operations) and the one who reads it (Grouper).
struct PackedLayout {
    std::size_t frames = 0;
    std::size_t nodes = 0;
    std::size_t edges = 0;
    std::size_t slots = 0;

    [[nodiscard]] std::size_t countsSize() const { return frames * nodes; }
    [[nodiscard]] std::size_t peaksSize() const { return frames * nodes * slots * 3; }
    [[nodiscard]] std::size_t scoresSize() const { return frames * edges * slots * slots; }
    [[nodiscard]] std::size_t size() const { return countsSize() + peaksSize() + scoresSize(); }

    [[nodiscard]] std::size_t count(std::size_t frame, std::size_t node) const { return frame * nodes + node; }
    /// First of the three words of a peak: x, y, value.
    [[nodiscard]] std::size_t peak(std::size_t frame, std::size_t node, std::size_t slot) const {
        return countsSize() + ((frame * nodes + node) * slots + slot) * 3;
    }
    [[nodiscard]] std::size_t score(std::size_t frame, std::size_t edge, std::size_t source,
                                    std::size_t destination) const {
        return countsSize() + peaksSize() + ((frame * edges + edge) * slots + source) * slots + destination;
    }
};

[[nodiscard]] inline PackedLayout layoutOf(const HostBatch& batch) {
    return {static_cast<std::size_t>(batch.frames), static_cast<std::size_t>(batch.nodes),
            static_cast<std::size_t>(batch.edges), static_cast<std::size_t>(batch.slots)};
}

[[nodiscard]] inline float countAsWord(std::int32_t count) {
    return std::bit_cast<float>(count);
}
[[nodiscard]] inline std::int32_t wordAsCount(float word) {
    return std::bit_cast<std::int32_t>(word);
}

}  // namespace skein::inference
