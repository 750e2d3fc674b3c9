// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace skein::tracking {

/// Where an instance is and whom it belongs to, as far as joining tracks needs it.
struct PlacedInstance {
    double x = 0, y = 0;                                   ///< mean of the visible nodes in pixels; NaN: nowhere
    float size = std::numeric_limits<float>::quiet_NaN();  ///< logarithm of the body's length; NaN: not known
    int track = -1;                                        ///< any number from 0; -1 none
};

/// Tracked instances of one video, frame after frame.
struct PlacedVideo {
    std::vector<PlacedInstance> instances;
    std::vector<std::size_t> ends;    ///< of each frame in `instances`
    std::vector<std::int64_t> steps;  ///< time of each frame, ascending
    double bodySize = 50;             ///< length of an animal in pixels
    /// 95th percentile of an animal's movement a step in pixels; NaN: taken from the tracks.
    double stepP95 = std::numeric_limits<double>::quiet_NaN();
};

/// A stretch of a track in which nothing speaks against its being one animal.
struct Tracklet {
    int track = -1;
    std::int64_t firstStep = 0, lastStep = 0;
    std::int64_t instances = 0;
    std::array<double, 2> firstPlace{}, lastPlace{};
    std::array<double, 2> firstVelocity{}, velocity{};  ///< pixels a step at its beginning and at its end
    double sizeMean = std::numeric_limits<double>::quiet_NaN();
    std::int64_t sizeCount = 0;
    int previous = -1;       ///< tracklet of the same track that ended before it; -1: the track begins here
    bool atMeeting = false;  ///< it begins at a doubtful meeting (rather than after a pause)
};

struct TrackletOptions {
    std::int64_t longestPause = 5;  ///< steps without the animal after which a track is cut
    /// A meeting of two tracks is doubtful, and both are cut, when changing partners shortens their ways by more than
    /// this share: (keep - change) / (keep + change). 1: never.
    double swapStrength = 0.5;
    double leastGain = 0.1;  ///< and by at least this many bodies, so that noise is no doubt
    /// and what is left of their ways is at most this many bodies: where poses jump, nothing can be concluded.
    double mostLeft = 0.2;
    /// A track that began at most so many steps before another one ended, at the same place in the end, may have begun
    /// as a piece of that animal and have taken it over: it is cut there, so that it can be its continuation. 0: never.
    std::int64_t takeOver = 0;
};

struct Tracklets {
    std::vector<Tracklet> list;   ///< by first step
    std::vector<int> ofInstance;  ///< tracklet of each instance; -1 without a track
    std::int64_t doubtfulMeetings = 0;
    double sizeSpread = 0;  ///< usual deviation of one size from its tracklet's mean
};

/// Cuts tracks where they pause or where two of them may have changed over. One pass over the frames; time grows with
/// the square of the animals in a frame.
[[nodiscard]] Tracklets cutTracklets(const PlacedVideo& video, const TrackletOptions& options = {});

/// Step that 95 % of the movements within tracks stay below, in pixels; NaN without any.
[[nodiscard]] double usualStep(const PlacedVideo& video);

}  // namespace skein::tracking
