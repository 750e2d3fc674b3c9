// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "engine/base/image.h"
#include "engine/tracking/tracker.h"

namespace skein::tracking {

/// An image made ready for optical flow: scaled, and as a pyramid that is built once. Immutable. Memory: about 1.4
/// times the scaled image.
class FlowImage;

/// Pyramidal Lucas-Kanade flow (OpenCV), with the settings of sleap-nn: 30 iterations or 0.01 px, OpenCV's other
/// defaults. Works on grey images and on all colours together. Thread-safe (const).
class OpticalFlow {
public:
    explicit OpticalFlow(const TrackerOptions& options)
        : m_scale(options.flowImageScale), m_windowSize(options.flowWindowSize), m_levels(options.flowMaxLevels) {}

    /// Copies what it needs of `image` (1 grey, 3 RGB, 4 BGRA). nullptr, with a line in the log, if it cannot be used.
    [[nodiscard]] std::shared_ptr<const FlowImage> prepare(const Image& image) const;

    /// Where the points of `from` are in `to`; NaN where they are lost. False, with `moved` unspecified, if the two
    /// images cannot be compared (different sizes).
    [[nodiscard]] bool move(const FlowImage& from, const FlowImage& to, std::span<const PointD> points,
                            std::vector<PointD>& moved) const;

private:
    double m_scale;
    int m_windowSize;
    int m_levels;
};

}  // namespace skein::tracking
