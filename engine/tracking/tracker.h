// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/image.h"
#include "engine/tracking/tracker_options.h"

namespace skein::tracking {

/// Position in pixels of the full frame, x right, y down. A node that is not there is NaN in both.
struct PointD {
    double x = 0;
    double y = 0;
};

/// One instance found in a frame. `points`, one per node in skeleton order, need to live only as long as the call.
struct Detection {
    std::span<const PointD> points;
    double score = 0;   ///< instance score; decides who is culled
    bool user = false;  ///< made by a person: never culled, and does not count
    /// One per node, as `points`; box trackers weigh detections by them. Empty: `score` is all there is.
    std::span<const double> pointScores{};
    /// Appearance vector, by which TrackerOptions::appearanceOnly and appearanceWeight compare. Empty: none.
    std::span<const double> embedding{};
};

/// What became of one detection.
struct Assignment {
    std::size_t detection = 0;  ///< position in the span given to update()
    int trackId = -1;           ///< 0, 1, 2, ... in order of birth; -1: stays in the frame without a new track
    double score = 0;           ///< how well it matched (1 for a new track, -infinity for a forced pair)
};

/// Hands identities on from frame to frame of one video. It only looks back, so that tracking while inference runs
/// gives the same as tracking afterwards. Thread-compatible.
class Tracker {
public:
    virtual ~Tracker() = default;
    Tracker(const Tracker&) = delete;
    Tracker& operator=(const Tracker&) = delete;

    /// Tracks the detections of one frame. Frames come in ascending `frameIndex` (a smaller one is a std::logic_error);
    /// frames without detections must be fed too, since they age what is remembered.
    ///
    /// The outcome is in the order that the frame's instances get; detections that are missing in it are dropped from
    /// the frame (culled, no track to be had, or too few points for one). `image` is needed by optical flow only and
    /// for as long as the call; a frame without one is compared unmoved.
    [[nodiscard]] virtual std::vector<Assignment> update(std::int64_t frameIndex, std::span<const Detection> detections,
                                                         const Image* image = nullptr) = 0;

protected:
    Tracker() = default;
};

/// `options` must come from resolveOptions() (std::logic_error otherwise).
[[nodiscard]] std::unique_ptr<Tracker> makeTracker(const TrackerOptions& options);

}  // namespace skein::tracking
