// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/global_peaks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/inference/peak_store.h"

namespace skein::inference {

Peak findGlobalPeak(const MapView& maps, int channel, const PeakOptions& options) {
    float best = -std::numeric_limits<float>::infinity();
    int column = 0;
    int row = 0;
    bool any = false;
    for (int y = 0; y < maps.height; ++y)
        for (int x = 0; x < maps.width; ++x) {
            const float value = maps.at(y, x, channel);
            if (std::isnan(best) ? std::isnan(value) : value == best && any) {
                column = std::min(column, x);
                continue;
            }
            if (std::isnan(best) || (any && value < best))
                continue;
            best = value;
            column = x;
            row = y;
            any = true;
        }
    Peak peak{static_cast<float>(column), static_cast<float>(row), best, channel};
    if (best < options.threshold) {
        peak.x = peak.y = std::numeric_limits<float>::quiet_NaN();
        peak.value = 0;
    } else if (options.refine) {
        refinePeak(maps, channel, options.patch, peak.x, peak.y);
    }
    return peak;
}

void GlobalPeakPacker::begin() {
    m_frames = 0;
    m_points.clear();
}

void GlobalPeakPacker::add(std::span<const MapView> maps) {
    ++m_frames;
    const auto stride = static_cast<float>(m_options.confmapStride);
    for (int n = 0; n < m_options.nodes; ++n) {
        const Peak peak = findGlobalPeak(maps[0], n, m_options.peaks);
        m_points.insert(m_points.end(), {peak.x * stride, peak.y * stride, peak.value});
    }
}

Result<HostBatch> GlobalPeakPacker::finish() {
    auto batch = emptyBatch(models::ModelType::SingleInstance, m_frames, m_options.nodes, 0, 0, 0);
    if (batch)
        batch->packed = m_points;
    return batch;
}

}  // namespace skein::inference
