// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/project/labels.h"

namespace skein::test {

enum class TrackSceneKind {
    Cross,  ///< pairs whose straight ways cross, so that one goes through where the other just was
    Walk,   ///< everybody wanders about, everything is found
    Noisy,  ///< as Walk, with missed animals and missing nodes
    Occl,   ///< as Walk, with animals that vanish for a while
    Mixed   ///< as Walk, with poses made of two animals' nodes where two lie on each other
};

/// What a made-up scene holds. Lengths in pixels, times in frames; the same spec gives the same scene.
struct TrackSceneSpec {
    TrackSceneKind kind = TrackSceneKind::Walk;
    std::uint32_t seed = 1;
    int animals = 4;
    int nodes = 3;
    int frames = 120;
    double body = 24;          ///< from the first node to the last...
    double bodySpread = 0.06;  ///< ...of which each animal's own differs by up to this share
    double step = 4;           ///< way of an animal from frame to frame
    double noise = 1;          ///< most that the detector is off, per coordinate
    /// For four animals; it grows with their number, so that it is as crowded with more.
    double width = 260, height = 220;
    double passing = 10;       ///< Cross: how near the two middles of a pair come
    double missedAnimals = 0;  ///< share of detections
    double missingNodes = 0;   ///< share of nodes in what is detected
    int longestSight = 0;      ///< an animal is seen for a third of this to this many frames, then vanishes; 0: never
    int leastAway = 8, mostAway = 15;  ///< for so many frames
    /// Share of the frames on which two animals whose middles are within half a body have the nodes behind some node
    /// exchanged, as a detector that groups nodes by lines between them does.
    double mixed = 0;
};

/// The scenes in which the trackers of sleap-nn were measured: animals of 24 pixels that step a sixth of their body.
[[nodiscard]] TrackSceneSpec trackScene(TrackSceneKind kind, std::uint32_t seed = 1);
/// The same with animals of 120 pixels, as they are in most recordings: a step is a fifteenth of the body.
[[nodiscard]] TrackSceneSpec trackSceneOfLargeAnimals(TrackSceneKind kind, std::uint32_t seed = 1);

struct TrackScene {
    project::Labels complete;    ///< where everybody really is in every frame, tracked: user instances
    project::Labels truth;       ///< what was detected, with the track of whom most of it is; none: half and half
    project::Labels detections;  ///< the same without tracks: instance i of a frame is instance i there
};

/// Animal a has track a in `complete` and `truth`. All three have every frame, and the instances of a frame are in an
/// order that tells nothing. Animals pass through each other.
[[nodiscard]] TrackScene makeTrackScene(const TrackSceneSpec& spec);

/// "walk", "large walk", "unequal walk" (animals of different sizes), ...
[[nodiscard]] std::string nameOf(const TrackSceneSpec& spec);

/// A true animal goes on under another track than the one it had when it was last seen with one.
struct TrueSwitch {
    std::int64_t frame = 0;  ///< first frame under the new track
    std::int32_t animal = 0;
    std::int32_t from = 0, to = 0;  ///< tracks in the tracked project
};

/// The switches in `tracked`, which holds instances of `truth` (the same points, in any order) under its own tracks, by
/// ascending frame. One video.
[[nodiscard]] std::vector<TrueSwitch> trueSwitches(const project::Labels& truth, const project::Labels& tracked);

}  // namespace skein::test
