// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <vector>

#include "engine/models/model_spec.h"

namespace skein::inference {

/// Everything the host needs of one batch, as it came over in the one packed copy.
///
/// Layout of `packed` by model type (32-bit words; B frames, C nodes, E edges, K peak slots per frame and node, L
/// classes, N crops); places inside are those of PackedLayout. int32 parts are bit-cast into float words.
///
///   SingleInstance
///     points  float  [B][C][3]        x, y in network-input pixels, value; NaN, NaN, 0 below the threshold
///   Centroid
///     counts  int32  [B]              as below, with the centroid as the only node
///     peaks   float  [B][K][3]
///   BottomUp
///     counts  int32  [B][C]           peaks found, uncapped (the runner has repeated the batch if any exceeded K)
///     peaks   float  [B][C][K][3]     x, y in network-input pixels, value; raster order; unused slots have value NaN
///     scores  float  [B][E][K][K]     line score of (source slot, destination slot)
///   MultiClassBottomUp
///     counts, peaks                   as BottomUp
///     classes float  [B][C][K][L]     class probabilities of the peak
///   CenteredInstance (after a centroid model, or with centroids that were given), MultiClassTopDown
///     counts  int32  [B]              centroids found, uncapped, before maxInstances
///     peaks   float  [B][K][3]        x, y in image pixels, value: the centroids that were cropped around, in order of
///                                     their slots; NaN where there is none
///     points  float  [N][C][3]        x, y in pixels of the size-matched frame, value; NaN, NaN, 0 below the
///     threshold;
///                                     crop n belongs to the n-th centroid that is not NaN, by frame, then slot; what
///                                     follows the last of them means nothing
///     classes float  [N][L]           MultiClassTopDown only
struct HostBatch {
    models::ModelType type = models::ModelType::BottomUp;
    int frames = 0;   ///< B
    int nodes = 0;    ///< C
    int edges = 0;    ///< E
    int slots = 0;    ///< K
    int classes = 0;  ///< L
    int crops = 0;    ///< N
    std::vector<float> packed;
    std::vector<float> effScale;  ///< per frame, of the size matcher; divide last
    double inputScale = 1;        ///< divide before effScale (not the points of crops: there it is done)
};

/// Where an instance is, in image pixels.
struct CentroidPoint {
    float x = 0;
    float y = 0;
};

/// Instances of one frame as flat arrays; coordinates in original image pixels, NaN absent.
struct FrameDetections {
    int nodes = 0;
    std::vector<float> points;          ///< [instance][node][2], x then y
    std::vector<float> pointScores;     ///< [instance][node]
    std::vector<float> instanceScores;  ///< [instance]
    std::vector<float> trackingScores;  ///< [instance], NaN where the model gives none
    std::vector<int> classes;           ///< [instance], index into ModelSpec::classNames, -1 none; empty: no classes
    std::vector<float> centroids;       ///< [instance][2] of a top-down model's first stage; empty: no such stage

    [[nodiscard]] int count() const { return static_cast<int>(instanceScores.size()); }
};

}  // namespace skein::inference
