// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>

#include "engine/inference/host_batch.h"

namespace skein::inference {

/// Places inside HostBatch::packed, in 32-bit words; the sections and their order are stated there. One definition for
/// those who write the buffer (CPU loops, tensor operations) and those who read it. Sections that a model type does not
/// have are empty.
struct PackedLayout {
    std::size_t frames = 0;
    std::size_t channels = 0;  ///< of the maps with several peaks each: nodes, or 1 for centroids
    std::size_t edges = 0;
    std::size_t slots = 0;
    std::size_t peakClasses = 0;  ///< class probabilities of each peak
    std::size_t crops = 0;        ///< whole pictures (single instance) or crops with one peak per node
    std::size_t cropNodes = 0;
    std::size_t cropClasses = 0;

    [[nodiscard]] std::size_t countsSize() const { return frames * channels; }
    [[nodiscard]] std::size_t peaksSize() const { return frames * channels * slots * 3; }
    [[nodiscard]] std::size_t scoresSize() const { return frames * edges * slots * slots; }
    [[nodiscard]] std::size_t peakClassesSize() const { return frames * channels * slots * peakClasses; }
    [[nodiscard]] std::size_t cropPointsSize() const { return crops * cropNodes * 3; }
    [[nodiscard]] std::size_t cropClassesSize() const { return crops * cropClasses; }
    [[nodiscard]] std::size_t size() const {
        return countsSize() + peaksSize() + scoresSize() + peakClassesSize() + cropPointsSize() + cropClassesSize();
    }

    [[nodiscard]] std::size_t count(std::size_t frame, std::size_t channel) const { return frame * channels + channel; }
    /// First of the three words of a peak: x, y, value.
    [[nodiscard]] std::size_t peak(std::size_t frame, std::size_t channel, std::size_t slot) const {
        return countsSize() + ((frame * channels + channel) * slots + slot) * 3;
    }
    [[nodiscard]] std::size_t score(std::size_t frame, std::size_t edge, std::size_t source,
                                    std::size_t destination) const {
        return countsSize() + peaksSize() + ((frame * edges + edge) * slots + source) * slots + destination;
    }
    /// First of the class probabilities of a peak.
    [[nodiscard]] std::size_t peakClass(std::size_t frame, std::size_t channel, std::size_t slot) const {
        return countsSize() + peaksSize() + scoresSize() + ((frame * channels + channel) * slots + slot) * peakClasses;
    }
    /// First of the three words of a crop's point: x, y, value.
    [[nodiscard]] std::size_t cropPoint(std::size_t crop, std::size_t node) const {
        return countsSize() + peaksSize() + scoresSize() + peakClassesSize() + (crop * cropNodes + node) * 3;
    }
    /// First of the class probabilities of a crop.
    [[nodiscard]] std::size_t cropClass(std::size_t crop) const {
        return size() - cropClassesSize() + crop * cropClasses;
    }
};

[[nodiscard]] inline PackedLayout layoutOf(const HostBatch& batch) {
    const auto size = [](int value) { return static_cast<std::size_t>(value); };
    PackedLayout layout;
    layout.frames = size(batch.frames);
    switch (batch.type) {
        case models::ModelType::SingleInstance:
            layout.crops = size(batch.frames);
            layout.cropNodes = size(batch.nodes);
            break;
        case models::ModelType::Centroid:
            layout.channels = 1;
            layout.slots = size(batch.slots);
            break;
        case models::ModelType::BottomUp:
            layout.channels = size(batch.nodes);
            layout.edges = size(batch.edges);
            layout.slots = size(batch.slots);
            break;
        case models::ModelType::MultiClassBottomUp:
            layout.channels = size(batch.nodes);
            layout.slots = size(batch.slots);
            layout.peakClasses = size(batch.classes);
            break;
        case models::ModelType::CenteredInstance:
        case models::ModelType::MultiClassTopDown:
            layout.channels = 1;
            layout.slots = size(batch.slots);
            layout.crops = size(batch.crops);
            layout.cropNodes = size(batch.nodes);
            layout.cropClasses = size(batch.classes);
            break;
    }
    return layout;
}

[[nodiscard]] inline float countAsWord(std::int32_t count) {
    return std::bit_cast<float>(count);
}
[[nodiscard]] inline std::int32_t wordAsCount(float word) {
    return std::bit_cast<std::int32_t>(word);
}

}  // namespace skein::inference
