// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <vector>

#include "engine/inference/map_packer.h"
#include "engine/inference/peak_store.h"

namespace skein::inference {

/// Peaks and line scores of bottom-up models. Without edges it finds peaks alone, which is what centroid models need.
class BottomUpPacker final : public MapPacker {
public:
    using Options = PackOptions;
    /// `type`: BottomUp, or Centroid for a model with one channel and no edges.
    explicit BottomUpPacker(Options options, models::ModelType type = models::ModelType::BottomUp)
        : m_options(std::move(options)), m_type(type) {}

    void begin() override;
    void add(std::span<const MapView> maps) override;
    void add(const MapView& confmaps, const MapView& pafs);
    [[nodiscard]] Result<HostBatch> finish() override;

private:
    void scoreLines(std::size_t frame, const MapView& pafs);

    Options m_options;
    models::ModelType m_type;
    PeakStore m_peaks;
    std::vector<float> m_scores;  // [frame][edge][sources x destinations], as many as there are
    bool m_tooMany = false;
};

}  // namespace skein::inference
