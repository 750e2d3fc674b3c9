// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/project/labels.h"

namespace skein::evaluation {

/// A video that both projects know.
struct VideoPair {
    std::uint32_t truth = 0;       ///< index into the truth's videos
    std::uint32_t prediction = 0;  ///< index into the prediction's videos
};

struct VideoMatch {
    std::vector<VideoPair> pairs;    ///< each video at most once, in the prediction's order
    std::vector<std::string> notes;  ///< sentences about pairs that are not certain
};

/// Which videos of `prediction` are videos of `truth`: first by the whole path, then by the file's name where it is
/// unique on both sides, and a single video on each side in any case. Images embedded in a file also go by the name of
/// the video that they were taken from. Cheap: looks at the lists of videos only.
[[nodiscard]] VideoMatch matchVideos(const project::Labels& truth, const project::Labels& prediction);

/// A frame of the truth and, where there is one, the predicted frame of the same video and index.
struct FramePair {
    std::size_t truth = 0;                  ///< row in the truth
    std::optional<std::size_t> prediction;  ///< row in the prediction
    std::uint32_t video = 0;                ///< of the truth
    std::int64_t frameIndex = 0;
};

struct FramePairs {
    std::vector<FramePair> frames;  ///< video by video, ascending frame index; every frame of the truth
    std::size_t shared = 0;         ///< of them, those with a predicted frame
    std::vector<std::string> notes;
};

/// All frames of the truth in videos of which the prediction has at least one frame in common. O(n log n).
/// Errors: InvalidArgument, when the two have no frame in common or are of different skeletons.
[[nodiscard]] Result<FramePairs> pairFrames(const project::Labels& truth, const project::Labels& prediction);

}  // namespace skein::evaluation
