// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <vector>

namespace skein::inference {

/// One frame's maps in memory, `[height, width, channels]` float32, packed (channels-last, as the network leaves them).
struct MapView {
    const float* data = nullptr;
    int height = 0;
    int width = 0;
    int channels = 0;

    [[nodiscard]] float at(int y, int x, int channel) const {
        return data[(static_cast<std::ptrdiff_t>(y) * width + x) * channels + channel];
    }
};

/// A local maximum of a confidence map; x and y in map pixels, (0, 0) the centre of the first pixel.
struct Peak {
    float x = 0;
    float y = 0;
    float value = 0;  ///< of the map at the peak's first pixel, before refinement
    int channel = 0;
};

struct PeakOptions {
    float threshold = 0.2F;  ///< a peak is above it
    bool refine = true;      ///< integral refinement
    int patch = 5;           ///< side of its window; an even one shifts every peak by half a pixel, as the peer's does
};

/// Appends the local peaks of all channels, in the order y, x, channel of the pixel where they begin.
///
/// A pixel is a peak when it is above the threshold, above its neighbours before it and not below those after it (of
/// the eight around it, in raster order). Equal neighbours count as one flat peak with their mean position, if they fit
/// into two by two pixels and nothing around them is as high; a larger plateau gives none. This is what sleap-nn 0.3.5
/// does. With refinement a peak moves to the centre of mass of the window around it: no clamping, negative values count
/// negatively, an empty window gives NaN, all as in the peer. Pixels outside the map are lower than all (search) or 0
/// (refinement).
void findLocalPeaks(const MapView& maps, const PeakOptions& options, std::vector<Peak>& out);

/// Moves one position (x, y in map pixels) to the centre of mass of its window in one channel.
void refinePeak(const MapView& maps, int channel, int patch, float& x, float& y);

}  // namespace skein::inference
