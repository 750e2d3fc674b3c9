// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "engine/inference/local_peaks.h"
#include "engine/inference/map_packer.h"

namespace skein::inference {

/// The highest pixel of one channel, in map pixels. Column and row are looked for apart from each other, as in
/// sleap-nn: the first column and the first row that reach the maximum, which with two equal maxima may meet in a third
/// place. Below the threshold the position is NaN and the value 0. A NaN in the map is the maximum. With refinement the
/// position moves as refinePeak() says; the value stays that of the pixel.
[[nodiscard]] Peak findGlobalPeak(const MapView& maps, int channel, const PeakOptions& options);

/// One point of each node in each picture: single-instance models, and crops. Writes [picture][node] x, y, value.
class GlobalPeakPacker final : public MapPacker {
public:
    explicit GlobalPeakPacker(PackOptions options) : m_options(std::move(options)) {}
    void begin() override;
    void add(std::span<const MapView> maps) override;
    [[nodiscard]] Result<HostBatch> finish() override;

    [[nodiscard]] const std::vector<float>& points() const { return m_points; }

private:
    PackOptions m_options;
    std::size_t m_frames = 0;
    std::vector<float> m_points;
};

}  // namespace skein::inference
