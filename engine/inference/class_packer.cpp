// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/class_packer.h"

#include <algorithm>
#include <cmath>

namespace skein::inference {
namespace {

/// Nearest pixel within the map. A position that is not a number reads the first pixel, as on the peer's machines.
int nearestPixel(float position, int size) {
    const float rounded = std::nearbyint(position);
    if (!(rounded > 0))
        return 0;
    return rounded >= static_cast<float>(size) ? size - 1 : static_cast<int>(rounded);
}

}  // namespace

void sampleClasses(const MapView& classMaps, float x, float y, std::vector<float>& out) {
    const int column = nearestPixel(x, classMaps.width);
    const int row = nearestPixel(y, classMaps.height);
    for (int c = 0; c < classMaps.channels; ++c)
        out.push_back(classMaps.at(row, column, c));
}

void ClassPacker::begin() {
    m_peaks.begin(static_cast<std::size_t>(m_options.nodes));
    m_classes.clear();
}

void ClassPacker::add(std::span<const MapView> maps) {
    const std::size_t frame = m_peaks.frames();
    m_peaks.add(maps[0], m_options.peaks, m_options.confmapStride);
    const auto stride = static_cast<float>(m_options.secondStride);
    for (std::size_t n = 0; n < static_cast<std::size_t>(m_options.nodes); ++n)
        for (const Peak& peak : m_peaks.of(frame, n))
            sampleClasses(maps[1], peak.x / stride, peak.y / stride, m_classes);
}

Result<HostBatch> ClassPacker::finish() {
    auto batch = emptyBatch(models::ModelType::MultiClassBottomUp, m_peaks.frames(), m_options.nodes, 0,
                            m_peaks.slots(), m_options.classes);
    if (!batch)
        return batch;
    const PackedLayout layout = layoutOf(*batch);
    m_peaks.write(layout, batch->packed);
    const float* next = m_classes.data();
    for (std::size_t f = 0; f < layout.frames; ++f)
        for (std::size_t n = 0; n < layout.channels; ++n) {
            const std::size_t words = m_peaks.of(f, n).size() * layout.peakClasses;
            std::copy_n(next, words, batch->packed.data() + layout.peakClass(f, n, 0));
            next += words;
        }
    return batch;
}

}  // namespace skein::inference
