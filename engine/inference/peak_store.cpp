// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/peak_store.h"

#include <algorithm>
#include <limits>
#include <string>

#include "engine/profile/profiler.h"

namespace skein::inference {

void PeakStore::add(const MapView& maps, const PeakOptions& options, int stride) {
    const std::size_t first = m_frames * m_channels;
    if (m_lists.size() < first + m_channels)
        m_lists.resize(first + m_channels);
    for (std::size_t c = 0; c < m_channels; ++c)
        m_lists[first + c].clear();
    ++m_frames;
    m_found.clear();
    {
        const profile::PartSpan part(profile::Part::Peaks);
        findLocalPeaks(maps, options, m_found);
    }
    for (Peak peak : m_found) {
        peak.x *= static_cast<float>(stride);
        peak.y *= static_cast<float>(stride);
        m_lists[first + static_cast<std::size_t>(peak.channel)].push_back(peak);
    }
}

std::size_t PeakStore::slots() const {
    std::size_t most = 1;
    for (std::size_t i = 0; i < m_frames * m_channels; ++i)
        most = std::max(most, m_lists[i].size());
    return most;
}

void PeakStore::write(const PackedLayout& layout, std::vector<float>& packed) const {
    for (std::size_t f = 0; f < m_frames; ++f)
        for (std::size_t c = 0; c < m_channels; ++c) {
            const std::vector<Peak>& peaks = of(f, c);
            packed[layout.count(f, c)] = countAsWord(static_cast<std::int32_t>(peaks.size()));
            float* word = packed.data() + layout.peak(f, c, 0);
            for (const Peak& peak : peaks) {
                *word++ = peak.x;
                *word++ = peak.y;
                *word++ = peak.value;
            }
        }
}

Result<HostBatch> emptyBatch(models::ModelType type, std::size_t frames, int nodes, int edges, std::size_t slots,
                             int classes, std::size_t crops) {
    constexpr std::size_t kMostSlots = std::size_t{1} << 20U;
    HostBatch batch;
    batch.type = type;
    batch.frames = static_cast<int>(frames);
    batch.nodes = nodes;
    batch.edges = edges;
    batch.slots = static_cast<int>(std::min(slots, kMostSlots));
    batch.classes = classes;
    batch.crops = static_cast<int>(std::min(crops, kMaxPackedWords));
    const std::size_t words = layoutOf(batch).size();
    if (slots > kMostSlots || words > kMaxPackedWords)
        return fail(ErrorCode::OutOfMemory, "A frame holds " + std::to_string(slots) +
                                                " peaks of one node, too many to work with; raise the peak threshold.");
    batch.packed.resize(words, std::numeric_limits<float>::quiet_NaN());
    return batch;
}

}  // namespace skein::inference
