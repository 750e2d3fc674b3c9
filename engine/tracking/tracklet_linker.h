// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/tracking/tracklets.h"

namespace skein::tracking {

/// How animals move, for joins that weigh velocities on both sides of a gap.
struct LinkMotion {
    double acceleration = 0;  ///< standard deviation of a step's change of velocity, pixels per axis
    double noise = 0;         ///< standard deviation of a place, pixels per axis
};

struct LinkOptions {
    std::optional<int> animals;     ///< how many there are; nullopt: not known
    std::int64_t longestGap = 300;  ///< steps that a join may bridge
    /// Without a known number a join is made only if every other choice costs at least this much more.
    double safeMargin = 3.0;
    TrackletOptions tracklets;
    std::optional<LinkMotion> motion;  ///< nullopt: places alone decide beyond a few steps
};

/// A tracklet that goes on as another.
struct TrackletJoin {
    int from = 0, to = 0;  ///< positions in Tracklets::list
    double cost = 0;       ///< how odd the movement in between would be; below 12 it is likelier than chance
    double margin = 0;     ///< by how much the next best choice is worse
};

struct LinkOutcome {
    Tracklets tracklets;
    std::vector<TrackletJoin> joins;
    std::vector<int> identity;   ///< of each instance of the video: a track number, old or new; -1 none
    std::int64_t untracked = 0;  ///< instances that belong to none of the known number of animals
};

/// Joins what belongs together in tracks that broke off or were mixed up. Tracks are cut into tracklets first (see
/// cutTracklets()); a join over a gap of d steps at a distance of x pixels costs
///
///     4.5 (x / r)^2 + 2 ln(r / B) + z^2 / 2,   r = B + 3 s (d up to 10 steps, then sqrt(10 d)),
///
/// with B the body's length, s the step that 95 % of movements stay below, z the difference in body length in standard
/// errors (at most 4), and x taken from where the animal would be by its velocity for d up to 5. Farther than r no join
/// is made. An end and a beginning that are left open cost 6 each.
///
/// With LinkOptions::motion, over gaps of up to 25 steps and between tracklets whose velocities are known, the first
/// two terms are those of a likelihood with heavy tails instead: of place and velocity behind the gap, given those
/// before it and white acceleration in between.
///
/// The joins are those of least total cost: as an assignment of ends to beginnings, or, when the number N of animals is
/// known, as a flow of N units through the tracklets, in which an animal may also disappear and come back anywhere and
/// what none of the N can be is left without identity. The identity that was there first gives its track. Frames are
/// passed over once; time beyond that depends on the number of tracklets.
[[nodiscard]] LinkOutcome linkTracklets(const PlacedVideo& video, const LinkOptions& options = {});

}  // namespace skein::tracking
