// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <span>

#include "engine/tracking/tracker.h"

namespace skein::tracking {

/// A tracker that is sure of a track only some detections after its first: until then the track is told by its key.
class DelayedTracker : public Tracker {
public:
    /// What each outcome of the last update() belongs to, confirmed or not; -1 nothing. In the same order.
    [[nodiscard]] virtual std::span<const int> lastKeys() const = 0;
    /// Where the animal's middle is, for each outcome of the last update(), in pixels; empty where the tracker has no
    /// better idea of it than the mean of the visible nodes.
    [[nodiscard]] virtual std::span<const PointD> lastMiddles() const { return {}; }
    /// Identity of a key; -1 for one that was never confirmed.
    [[nodiscard]] virtual int identityOf(int key) const = 0;

protected:
    DelayedTracker() = default;
};

}  // namespace skein::tracking
