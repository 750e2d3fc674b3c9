// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "engine/inference/map_packer.h"
#include "engine/inference/peak_store.h"

namespace skein::inference {

/// Peaks of all nodes and what the class maps say at them: multi-class bottom-up models. The class map is read at the
/// nearest pixel (halves to the even one), at its border for peaks outside.
class ClassPacker final : public MapPacker {
public:
    explicit ClassPacker(PackOptions options) : m_options(std::move(options)) {}
    void begin() override;
    void add(std::span<const MapView> maps) override;
    [[nodiscard]] Result<HostBatch> finish() override;

private:
    PackOptions m_options;
    PeakStore m_peaks;
    std::vector<float> m_classes;  // [frame][node][peak][class], as many peaks as there are
};

/// Class probabilities at a position in class map pixels, appended to `out`.
void sampleClasses(const MapView& classMaps, float x, float y, std::vector<float>& out);

}  // namespace skein::inference
