// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <vector>

#include "engine/models/model_spec.h"

namespace skein::inference {

/// Everything the host needs of one batch, as it came over in the one packed copy.
///
/// Bottom-up layout of `packed` (32-bit words; B frames, C nodes, E edges, K peak slots per frame and node):
///   counts  int32  [B][C]        peaks found, uncapped (the runner has repeated the batch if any exceeded K)
///   peaks   float  [B][C][K][3]  x, y in network-input pixels, value; raster order; unused slots have value NaN
///   scores  float  [B][E][K][K]  line score of (source slot, destination slot)
/// int32 parts are bit-cast into float words.
struct HostBatch {
    models::ModelType type = models::ModelType::BottomUp;
    int frames = 0;  ///< B
    int nodes = 0;   ///< C
    int edges = 0;   ///< E
    int slots = 0;   ///< K
    std::vector<float> packed;
    std::vector<float> effScale;  ///< per frame, of the size matcher; divide last
    double inputScale = 1;        ///< divide before effScale
};

/// Instances of one frame as flat arrays; coordinates in original image pixels, NaN absent.
struct FrameDetections {
    int nodes = 0;
    std::vector<float> points;          ///< [instance][node][2], x then y
    std::vector<float> pointScores;     ///< [instance][node]
    std::vector<float> instanceScores;  ///< [instance]
    std::vector<float> trackingScores;  ///< [instance], NaN where the model gives none
    std::vector<int> classes;           ///< [instance], index into ModelSpec::classNames, -1 none; empty: no classes

    [[nodiscard]] int count() const { return static_cast<int>(instanceScores.size()); }
};

}  // namespace skein::inference
