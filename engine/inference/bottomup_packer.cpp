// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/bottomup_packer.h"

#include <algorithm>
#include <limits>
#include <string>

#include "engine/inference/packed_layout.h"

namespace skein::inference {
namespace {

constexpr std::size_t kMaxWords = std::size_t{1} << 28;  // one GiB

}  // namespace

void BottomUpPacker::begin() {
    m_frames = 0;
    m_scores.clear();
    m_tooMany = false;
}

void BottomUpPacker::add(const MapView& confmaps, const MapView& pafs) {
    const auto nodes = static_cast<std::size_t>(m_options.nodes);
    const std::size_t first = m_frames * nodes;
    if (m_byNode.size() < first + nodes)
        m_byNode.resize(first + nodes);
    for (std::size_t n = 0; n < nodes; ++n)
        m_byNode[first + n].clear();
    ++m_frames;

    m_peaks.clear();
    findLocalPeaks(confmaps, m_options.peaks, m_peaks);
    const auto stride = static_cast<float>(m_options.confmapStride);
    for (Peak peak : m_peaks) {
        peak.x *= stride;
        peak.y *= stride;
        m_byNode[first + static_cast<std::size_t>(peak.channel)].push_back(peak);
    }
    const LineScorer scorer(m_options.lines, m_options.pafStride, pafs.height, pafs.width,
                            static_cast<int>(m_options.edges.size()));
    for (std::size_t e = 0; e < m_options.edges.size() && !m_tooMany; ++e) {
        const auto& sources = m_byNode[first + static_cast<std::size_t>(m_options.edges[e].source)];
        const auto& destinations = m_byNode[first + static_cast<std::size_t>(m_options.edges[e].destination)];
        if (sources.size() * destinations.size() > kMaxWords - m_scores.size()) {
            m_tooMany = true;
            break;
        }
        for (const Peak& a : sources)
            for (const Peak& b : destinations)
                m_scores.push_back(scorer.score(pafs, static_cast<int>(e), a.x, a.y, b.x, b.y));
    }
}

Result<HostBatch> BottomUpPacker::finish() {
    const auto nodes = static_cast<std::size_t>(m_options.nodes);
    std::size_t slots = 1;
    for (std::size_t i = 0; i < m_frames * nodes; ++i)
        slots = std::max(slots, m_byNode[i].size());
    const PackedLayout layout{m_frames, nodes, m_options.edges.size(), slots};
    if (m_tooMany || slots > (1U << 20) || layout.size() > kMaxWords)
        return fail(ErrorCode::OutOfMemory, "A frame holds " + std::to_string(slots) +
                                                " peaks of one node, too many to pair up; raise the peak threshold.");

    HostBatch batch;
    batch.type = models::ModelType::BottomUp;
    batch.frames = static_cast<int>(m_frames);
    batch.nodes = m_options.nodes;
    batch.edges = static_cast<int>(m_options.edges.size());
    batch.slots = static_cast<int>(slots);
    batch.packed.resize(layout.size(), std::numeric_limits<float>::quiet_NaN());
    const float* score = m_scores.data();
    for (std::size_t f = 0; f < m_frames; ++f) {
        for (std::size_t n = 0; n < nodes; ++n) {
            const auto& peaks = m_byNode[f * nodes + n];
            batch.packed[layout.count(f, n)] = countAsWord(static_cast<std::int32_t>(peaks.size()));
            float* word = batch.packed.data() + layout.peak(f, n, 0);
            for (const Peak& peak : peaks) {
                *word++ = peak.x;
                *word++ = peak.y;
                *word++ = peak.value;
            }
        }
        for (std::size_t e = 0; e < m_options.edges.size(); ++e) {
            const auto& sources = m_byNode[f * nodes + static_cast<std::size_t>(m_options.edges[e].source)];
            const auto& destinations = m_byNode[f * nodes + static_cast<std::size_t>(m_options.edges[e].destination)];
            for (std::size_t s = 0; s < sources.size(); ++s) {
                std::copy_n(score, destinations.size(), batch.packed.data() + layout.score(f, e, s, 0));
                score += destinations.size();
            }
        }
    }
    return batch;
}

}  // namespace skein::inference
