// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/image.h"
#include "engine/base/result.h"
#include "engine/inference/host_batch.h"

// What a network says of one frame before anything is made of it: for looking at, not for speed.
namespace skein::inference {

enum class MapKind { Confidence, PartAffinity, Centroids, Classes };

/// Maps of one head over a frame, or over one crop of it.
struct MapLayer {
    MapKind kind = MapKind::Confidence;
    int channels = 0;
    int height = 0;
    int width = 0;
    std::vector<float> values;  ///< [channels, height, width]
    /// What each channel is about: a node, a class, "centroid". Part affinity fields have two channels an edge, x and
    /// y, and one name for the two: "thorax-abdomen".
    std::vector<std::string> names;
    int outputStride = 1;  ///< network-input pixels a map pixel
    // Map pixel (i, j), from 0, lies at (originX + i * step, originY + j * step) in pixels of the frame.
    double step = 1;
    double originX = 0;
    double originY = 0;
};

struct FrameMaps {
    std::vector<MapLayer> layers;  ///< of crops: a layer for each
};

/// A model with its weights, kept for one frame after another. Thread-compatible.
class MapProbe {
public:
    virtual ~MapProbe() = default;
    /// Maps of one image (1 or 3 channels). `around`: where a model that has to be told finds instances, in image
    /// pixels; others ignore it. Errors: as InferenceRunner::submit().
    [[nodiscard]] virtual Result<FrameMaps> maps(const ImagePtr& image, std::span<const CentroidPoint> around) = 0;
    /// Whether it has to be told: a centered-instance model without a centroid model.
    [[nodiscard]] virtual bool needsCentroids() const = 0;
};

}  // namespace skein::inference
