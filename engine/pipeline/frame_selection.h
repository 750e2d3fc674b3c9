// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/pipeline/frame_list.h"
#include "engine/project/labels.h"

namespace skein::pipeline {

/// Which frames of a labels file a run is about, by what they hold.
enum class FrameKind {
    Any,         ///< every labelled frame (of one video: every frame)
    Labeled,     ///< with an instance made by a person
    Suggested,   ///< suggested for labelling, and not labelled by a person yet
    NotLabeled,  ///< without an instance made by a person
    Predicted    ///< with a predicted instance
};

/// The kind that sleap-nn's four flags mean together; of several the first in the order of the arguments counts.
/// Errors: InvalidArgument, for labelled frames only and labelled frames excluded.
[[nodiscard]] Result<FrameKind> frameKind(bool onlyLabeled, bool onlySuggested, bool excludeLabeled,
                                          bool onlyPredicted);
/// "labelled frames", for sentences.
[[nodiscard]] const char* describe(FrameKind kind);

using FrameKey = std::pair<std::uint32_t, std::int64_t>;  ///< video, frame index

/// Frames of the file in its order (suggestions in theirs); `positions` then picks from that list by position, as
/// sleap-nn does, null: all. `outside` counts positions beyond the list.
[[nodiscard]] std::vector<FrameKey> selectFrames(const project::Labels& labels, FrameKind kind,
                                                 const FrameList* positions, std::int64_t* outside = nullptr);

/// Frames of one video that are of the kind, ascending, each once; `available`: those that have a picture, ascending.
[[nodiscard]] std::vector<std::int64_t> selectFromVideo(const project::Labels& labels, std::uint32_t video,
                                                        const std::vector<std::int64_t>& available, FrameKind kind);

}  // namespace skein::pipeline
