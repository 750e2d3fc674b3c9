// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/project/edit/gaps.h"

namespace skein::proofread {

struct GapOptions {
    std::int64_t longest = 5;      ///< frames; longer gaps stay
    std::int64_t longestNode = 3;  ///< of a single node in an instance that is there; 0: nodes stay absent
    project::edit::GapPath path = project::edit::GapPath::Smooth;
    std::optional<std::uint32_t> video = {};  ///< nullopt: all of the project
    std::vector<std::int32_t> tracks = {};    ///< empty: all
};

/// A detection without track that lies where a missing one must be.
struct Adoption {
    std::uint32_t video = 0;
    std::int64_t frame = 0;
    project::InstanceId instance = 0;
    std::int32_t track = -1;
};

struct GapPlan {
    std::vector<Adoption> adoptions;       ///< better than any filling
    std::vector<project::edit::Gap> gaps;  ///< to be filled
    std::size_t tooFar = 0;                ///< gaps whose two sides are no way that was gone in that time
    std::size_t strange = 0;               ///< gaps whose two sides have no node in common
};

/// What can be done about gaps. One is filled only if its sides are at most max(B, 3 s g) apart, with B the median
/// diagonal of boxes, s the step that 95 % of steps stay below, and g the frames; and not on frames where a detection
/// without track lies within B / 2 of the way, which is to be adopted instead. Cost: the project's poses once.
[[nodiscard]] GapPlan planGaps(const project::Labels& labels, const GapOptions& options = {});

/// Adopts, fills what is then left of the gaps, and fills nodes. One step. changed: instances that got a track or are
/// new, and points.
[[nodiscard]] project::edit::Outcome applyGaps(const project::Labels& labels, const GapPlan& plan,
                                               const GapOptions& options = {});

}  // namespace skein::proofread
