// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "engine/tracking/tracker.h"

namespace skein::tracking {

/// How animals move in a video, in pixels and steps: what a prediction may be wrong by.
struct PoseScales {
    double body = 50;         ///< length of an animal
    double step = 5;          ///< step that 95 % of movements stay below
    double acceleration = 1;  ///< standard deviation of a step's change of velocity, per axis
    double noise = 1;         ///< standard deviation of a node's place, per axis
    double turn = 0.2;        ///< standard deviation of a step's change of heading, in radians
};

[[nodiscard]] PoseScales poseScales(double body, double stepP95);

/// Constant velocity with white acceleration; both axes share their variances.
struct PoseMotion {
    double x = 0, y = 0, vx = 0, vy = 0;
    double placeVariance = 0, covariance = 0, velocityVariance = 0;

    void predict(const PoseScales& scales);
    void correct(double placeX, double placeY, double variance);
};

/// A pose laid upon a track.
struct PoseFit {
    double x = 0, y = 0;       ///< where the track's middle would be, by the nodes that both have
    double offSquared = 0;     ///< squared distance of that to where it is expected
    double offVariance = 1;    ///< variance of it per axis, if the pose is the track's
    double shapeSquared = 0;   ///< mean squared distance of the nodes once the middles lie on each other
    double shapeExpected = 0;  ///< what that is expected to be; 0: fewer than two common nodes
    int strangers = 0;         ///< nodes that were left out of it, see PoseTrack::withoutStrangers()
    [[nodiscard]] double off() const { return offSquared / offVariance; }
    [[nodiscard]] double shape() const { return shapeExpected > 0 ? shapeSquared / shapeExpected : 0; }
};

/// One animal: where its middle moves, and where its nodes lie around the middle. A node that is not seen turns with
/// the body, so that the middle does not jump when nodes come and go.
class PoseTrack {
public:
    int key = 0;
    int identity = -1;      ///< -1: not confirmed yet
    int hits = 0;           ///< detections so far
    std::int64_t step = 0;  ///< of the last of them
    double score = 0;       ///< usual score of its detections

    /// `points` has a visible node.
    void begin(std::span<const PointD> points, const PoseScales& scales);
    void predict(const PoseScales& scales) { m_motion.predict(scales); }
    /// `missed`: steps since the last detection, 1 for none missed.
    [[nodiscard]] PoseFit fit(std::span<const PointD> points, std::int64_t missed, const PoseScales& scales) const;
    /// Nodes of the pose that lie where the track expects them; the others become NaN in `kept`. Where animals overlap
    /// a detector puts nodes of one into the pose of another. Returns how many were left out; 0 when it is none, or
    /// more than half of those that both have: then it is no such case. `offFactor` and `shapeFactor`: how far off
    /// poses and nodes usually are, as multiples of what is expected.
    int withoutStrangers(std::span<const PointD> points, std::int64_t missed, const PoseScales& scales,
                         double offFactor, double shapeFactor, std::vector<PointD>& kept) const;
    /// Takes over a detection that was laid upon the predicted track.
    void correct(std::span<const PointD> points, const PoseFit& fit, const PoseScales& scales);
    /// As correct(), for an animal that did what no prediction foresees: it is there, and its velocity is not known.
    void restart(std::span<const PointD> points, const PoseFit& fit, const PoseScales& scales);

    [[nodiscard]] PointD middle() const { return {m_motion.x, m_motion.y}; }

private:
    void reshape(std::span<const PointD> points);

    PoseMotion m_motion;
    std::vector<PointD> m_shape;  ///< nodes as seen from the middle; NaN: never seen
};

}  // namespace skein::tracking
