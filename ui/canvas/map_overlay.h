// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QImage>
#include <QPainter>
#include <QRectF>
#include <QTransform>
#include <cstdint>
#include <vector>

#include "engine/inference/map_probe.h"

namespace skein::ui {

enum class MapChoice { None, Confidence, PartAffinity, Centroids };

/// What a network says of one frame, made ready to be drawn over it. A value; belongs to that frame alone.
struct MapOverlay {
    /// Confidence: the highest of all channels, in the colours of the scale, the more opaque the surer.
    struct Sheet {
        QImage image;
        QRectF scene;  ///< where it lies in the frame, pixel edges included
    };
    /// Part affinity: at each map pixel the strongest edge's vector.
    struct Field {
        int width = 0, height = 0;
        double step = 1, originX = 0, originY = 0;  ///< as MapLayer
        std::vector<float> x, y;                    ///< [height, width]; 0 where no edge is strong enough
        std::vector<std::uint16_t> edge;
    };
    std::uint64_t serial = 0;  ///< of the video's source
    std::int64_t frame = -1;
    MapChoice choice = MapChoice::None;
    std::vector<Sheet> sheets;
    std::vector<Field> fields;
};

/// Whether there is anything of this choice among the maps.
[[nodiscard]] bool hasMaps(const inference::FrameMaps& maps, MapChoice choice);

/// For a worker: some milliseconds.
[[nodiscard]] MapOverlay makeMapOverlay(const inference::FrameMaps& maps, MapChoice choice);

/// Arrows of a field are thinned so that they stay some 12 px apart whatever the zoom.
void paintMapOverlay(QPainter& painter, const MapOverlay& overlay, const QTransform& toView);

}  // namespace skein::ui
