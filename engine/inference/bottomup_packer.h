// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <vector>

#include "engine/base/result.h"
#include "engine/inference/host_batch.h"
#include "engine/inference/line_scores.h"
#include "engine/inference/local_peaks.h"
#include "engine/project/skeleton.h"

namespace skein::inference {

/// Peaks and line scores of a bottom-up batch on the CPU, by plain loops over the maps: what a handful of loops do
/// faster than ninety tensor operations. Writes the layout of PackedLayout with exactly as many slots as the fullest
/// (frame, node) needs, so that it never overflows. Thread-compatible; keeps its buffers from batch to batch.
class BottomUpPacker {
public:
    struct Options {
        PeakOptions peaks;
        LineOptions lines;
        int confmapStride = 1;  ///< input pixels per confidence map pixel
        int pafStride = 1;
        int nodes = 0;
        std::vector<project::Edge> edges;  ///< in channel order of the PAF head
    };
    explicit BottomUpPacker(Options options) : m_options(std::move(options)) {}

    void begin();
    /// Adds the next frame's maps; they may go away afterwards.
    void add(const MapView& confmaps, const MapView& pafs);
    /// Packs the frames added since begin(). Errors: OutOfMemory, when a frame is so full of peaks that its pairs fit
    /// in no reasonable memory (the threshold is far too low).
    [[nodiscard]] Result<HostBatch> finish();

private:
    Options m_options;
    std::vector<Peak> m_peaks;                // of the frame at hand, in raster order
    std::vector<std::vector<Peak>> m_byNode;  // [frame x node], input pixels
    std::vector<float> m_scores;              // [frame][edge][sources x destinations], as many as there are
    std::size_t m_frames = 0;
    bool m_tooMany = false;
};

}  // namespace skein::inference
