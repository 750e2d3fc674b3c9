// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/bottomup_packer.h"

#include <algorithm>
#include <array>
#include <string>

#include "engine/inference/packed_layout.h"
#include "engine/profile/profiler.h"

namespace skein::inference {

void BottomUpPacker::begin() {
    m_peaks.begin(static_cast<std::size_t>(m_options.nodes));
    m_scores.clear();
    m_tooMany = false;
}

void BottomUpPacker::add(std::span<const MapView> maps) {
    const std::size_t frame = m_peaks.frames();
    m_peaks.add(maps[0], m_options.peaks, m_options.confmapStride);
    if (!m_options.edges.empty())
        scoreLines(frame, maps[1]);
}

void BottomUpPacker::add(const MapView& confmaps, const MapView& pafs) {
    const std::array<MapView, 2> maps = {confmaps, pafs};
    add(maps);
}

void BottomUpPacker::scoreLines(std::size_t frame, const MapView& pafs) {
    const profile::PartSpan part(profile::Part::Lines);
    const LineScorer scorer(m_options.lines, m_options.secondStride, pafs.height, pafs.width,
                            static_cast<int>(m_options.edges.size()));
    for (std::size_t e = 0; e < m_options.edges.size() && !m_tooMany; ++e) {
        const auto& sources = m_peaks.of(frame, static_cast<std::size_t>(m_options.edges[e].source));
        const auto& destinations = m_peaks.of(frame, static_cast<std::size_t>(m_options.edges[e].destination));
        if (sources.size() * destinations.size() > kMaxPackedWords - m_scores.size()) {
            m_tooMany = true;
            break;
        }
        for (const Peak& a : sources)
            for (const Peak& b : destinations)
                m_scores.push_back(scorer.score(pafs, static_cast<int>(e), a.x, a.y, b.x, b.y));
    }
}

Result<HostBatch> BottomUpPacker::finish() {
    if (m_tooMany)
        return fail(ErrorCode::OutOfMemory, "A frame holds " + std::to_string(m_peaks.slots()) +
                                                " peaks of one node, too many to pair up; raise the peak threshold.");
    auto batch = emptyBatch(m_type, m_peaks.frames(), m_options.nodes, static_cast<int>(m_options.edges.size()),
                            m_peaks.slots(), 0);
    if (!batch)
        return batch;
    const PackedLayout layout = layoutOf(*batch);
    m_peaks.write(layout, batch->packed);
    const float* score = m_scores.data();
    for (std::size_t f = 0; f < layout.frames; ++f)
        for (std::size_t e = 0; e < layout.edges; ++e) {
            const std::size_t sources = m_peaks.of(f, static_cast<std::size_t>(m_options.edges[e].source)).size();
            const std::size_t destinations =
                m_peaks.of(f, static_cast<std::size_t>(m_options.edges[e].destination)).size();
            for (std::size_t s = 0; s < sources; ++s) {
                std::copy_n(score, destinations, batch->packed.data() + layout.score(f, e, s, 0));
                score += destinations;
            }
        }
    return batch;
}

}  // namespace skein::inference
