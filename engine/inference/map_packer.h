// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/inference/host_batch.h"
#include "engine/inference/line_scores.h"
#include "engine/inference/local_peaks.h"
#include "engine/inference/options.h"
#include "engine/models/model_spec.h"
#include "engine/project/skeleton.h"

namespace skein::inference {

/// What has to be known to turn a model's maps into the packed buffer.
struct PackOptions {
    PeakOptions peaks;
    LineOptions lines;
    int confmapStride = 1;  ///< input pixels per confidence map pixel
    int secondStride = 1;   ///< of the second head: part affinity fields or class maps
    int nodes = 0;
    std::vector<project::Edge> edges;  ///< in channel order of the PAF head
    int classes = 0;
};

/// Of a model and a run; the thresholds are those of a model that runs alone.
[[nodiscard]] PackOptions packOptions(const models::ModelSpec& spec, const InferenceOptions& options);

/// Turns the maps of a batch into the packed buffer on the CPU, by plain loops: what a handful of loops do faster than
/// ninety tensor operations. Thread-compatible; keeps its buffers from batch to batch.
class MapPacker {
public:
    virtual ~MapPacker() = default;
    virtual void begin() = 0;
    /// Adds the next frame's maps, in the order of the model's heads; they may go away afterwards.
    virtual void add(std::span<const MapView> maps) = 0;
    /// Packs the frames added since begin(), with exactly as many slots as the fullest (frame, node) needs.
    /// Errors: OutOfMemory, when a frame is so full of peaks that they fit in no reasonable memory (the threshold is
    /// far too low).
    [[nodiscard]] virtual Result<HostBatch> finish() = 0;
};

/// The packer of a model that runs in one stage: single instance, centroid, bottom-up, multi-class bottom-up.
[[nodiscard]] std::unique_ptr<MapPacker> makeMapPacker(models::ModelType type, PackOptions options);

}  // namespace skein::inference
