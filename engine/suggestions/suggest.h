// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/result.h"
#include "engine/project/edit/edit.h"
#include "engine/project/labels.h"
#include "engine/video/video_source.h"

/// Frames that are worth labelling next. Every method is a function of a project (and of pictures, where it looks at
/// them): the same input gives the same frames. "Shown" instances are all but predictions that a user instance of the
/// frame was made from.
namespace skein::suggestions {

enum class Sampling { Stride, Random };

/// Evenly spread frames, or random ones. The frames to choose from are those that are not suggested yet, n of them;
/// stride takes every (n / perVideo)-th (integer division, at least 1) from the first on, at most `perVideo`.
struct Sample {
    int perVideo = 20;
    Sampling sampling = Sampling::Stride;
    std::uint64_t seed = 1;
};

/// Pictures that differ: features of sampled frames, their principal components, clusters of those, some frames of each
/// cluster.
struct ImageFeatures {
    enum class Feature {
        Raw,     ///< the grey picture itself
        Hog,     ///< orientations of edges in cells of 16 x 16 px (Dalal and Triggs 2005)
        OrbLike  ///< counts of visual words: binary descriptors (Calonder et al. 2010) at corners (Harris 1988)
    };
    int samplesPerVideo = 200;
    Sampling sampling = Sampling::Stride;
    double scale = 1.0;         ///< of the pictures, over 0 and up to 1
    bool acrossVideos = false;  ///< one set of clusters for all videos together
    Feature feature = Feature::Raw;
    int components = 5;
    int clusters = 5;
    int perCluster = 5;
    std::uint64_t seed = 1;
};

/// Frames on which at least `least` and at most `most` shown predictions have a score of `limit` or lower (first mode),
/// or a mean score of visible nodes below it (second mode).
struct PredictionScore {
    bool byNodes = false;
    double limit = 3.0;  ///< 0.5 suits the second mode
    int least = 1;
    int most = 2;
};

/// Frames before fast movement. d[i] is the way of one node from frame i to i + 1, summed over tracks; a track that is
/// missing stands where it was last, and is taken to have stood where it is first seen. A frame where a tracked
/// instance lacks the node counts as still. Frame i is taken if d[i] - min(d) > threshold * (max(d) - min(d)), over all
/// frames of the video.
struct Velocity {
    std::string node;  ///< of the first skeleton; empty or unknown: its first node
    double threshold = 0.10;
};

/// Frames f of which some track moved by more than `pixels` from frame f - 1: the mean way of the nodes that are
/// visible on both. Where a track has a user instance, that counts. A project without tracks and never more than one
/// shown instance on a frame counts as one track.
struct MaxPointDisplacement {
    double pixels = 10;
};

/// All frames from first to last, both included, from 0, cut to the video.
struct FrameChunk {
    std::int64_t first = 0;
    std::int64_t last = 0;
};

/// Frames on which the shown predictions of two projects (two runs, two models) do not agree: another number of
/// instances, or, once each is paired with the nearest of the other, a pair whose nodes lie more than `pixels` apart on
/// average. Videos of the other project are found by name, else by place.
struct Disagreement {
    std::shared_ptr<const project::Labels> other;
    double pixels = 5;
};

/// The `count` frames of a video with the poses that differ most from those labelled by people and from each other:
/// farthest-point sampling (Gonzalez 1985) on poses that were centred, turned onto the mean pose and scaled to its
/// size.
struct PoseNovelty {
    int count = 20;
};

/// Recorded frames on which the number of shown instances is not `expected`.
struct InstanceCount {
    int expected = 1;
};

using Method = std::variant<Sample, ImageFeatures, PredictionScore, Velocity, MaxPointDisplacement, FrameChunk,
                            Disagreement, PoseNovelty, InstanceCount>;

struct Request {
    Method method;
    std::vector<std::uint32_t> videos;             ///< to look at, ascending
    std::optional<project::edit::FrameSpan> span;  ///< only frames within; nullopt: all
    std::optional<std::int64_t> group;  ///< for all of them; nullopt: the video's place (Sample), the cluster (Image
                                        ///< features), else 0
    bool replace = false;               ///< the old suggestions will go: they exclude nothing
};

struct Suggested {
    std::uint32_t video = 0;
    std::int64_t frame = 0;
    std::int64_t group = 0;
    std::string reason;  ///< a few words, e.g. "score 1.25"
};

/// What the functions need beyond the project.
struct Surroundings {
    /// Frames of a video; more than the labels tell where the file is open. Must be there.
    std::function<std::int64_t(std::uint32_t)> frameCount;
    /// Pictures of a video, for the calling thread alone; only for ImageFeatures.
    std::function<Result<std::shared_ptr<video::VideoSource>>(std::uint32_t)> open;
    std::function<void(double)> progress;  ///< share done, 0 to 1, on the calling thread; may be empty
    std::stop_token stop;
};

/// Frames in the order of video, then as the method finds them (ascending unless it ranks them). Frames that are
/// suggested already and frames with a user instance or a negative mark are left out. Cost: linear in the instances of
/// the videos; ImageFeatures reads pictures. Errors: Cancelled; those of reading pictures; InvalidArgument
/// (Disagreement without another project).
[[nodiscard]] Result<std::vector<Suggested>> suggest(const project::Labels& labels, const Request& request,
                                                     const Surroundings& surroundings);

/// How many frames ImageFeatures can give at most; it takes too long to try.
[[nodiscard]] std::int64_t mostOf(const ImageFeatures& method, std::size_t videos);

}  // namespace skein::suggestions
