// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/project/edit/edit.h"
#include "engine/proofread/issues.h"

/// Tracks that broke off, put together over a whole video at once: of all ways to continue ends as beginnings the one
/// of least cost (tracking/tracklet_linker.h), with each track as one piece. Only proposals.
namespace skein::proofread {

struct JoinOptions {
    std::int64_t longestGap = 300;  ///< frames
    double safeMargin = 3;          ///< a join is safe if every other choice costs this much more
    std::optional<int> animals;     ///< how many there are at a time; nullopt: not known
};

struct ProposedJoin {
    std::uint32_t video = 0;
    std::int32_t from = -1, to = -1;             ///< track `to` continues track `from` and is to become it
    std::int64_t lastFrame = 0, firstFrame = 0;  ///< end of `from`, beginning of `to`
    double cost = 0;    ///< how odd the movement in between would be; below 12 likelier than chance
    double margin = 0;  ///< by how much the next best choice is worse
    bool safe = false;
};

/// Before and after, for a person to compare.
struct TrackSummary {
    std::size_t tracks = 0;
    std::size_t fragments = 0;  ///< stretches without a gap, of all tracks
    std::int64_t longest = 0;   ///< frames of the longest track
};
[[nodiscard]] TrackSummary summaryOf(const project::Labels& labels);

/// The joins of the best choice, the surest first. With a number of animals a join is safe only if no more tracks than
/// that go on beside it. Short tracks beside as many others as there usually are continue nobody. Errors: Cancelled.
[[nodiscard]] Result<std::vector<ProposedJoin>> planJoins(const project::Labels& labels,
                                                          const JoinOptions& options = {},
                                                          const Progress& progress = {}, std::stop_token stop = {});

/// Applies those of `joins` that are safe, or all. One step; tracks that became others leave the list. changed:
/// instances.
[[nodiscard]] project::edit::Outcome applyJoins(const project::Labels& labels, const std::vector<ProposedJoin>& joins,
                                                bool all = false);

struct JoinMade {
    ProposedJoin join;     ///< its tracks are indices that later joins may have moved
    std::string from, to;  ///< names of the tracks
};
struct Joined {
    project::Labels labels;
    std::vector<JoinMade> made;  ///< in the order in which they were made
    std::size_t left = 0;        ///< possible ones that are not safe
};

/// Plans and applies until nothing is left: a join makes another one possible, or safe. Errors: Cancelled.
[[nodiscard]] Result<Joined> joinUntilNone(const project::Labels& labels, const JoinOptions& options = {},
                                           bool all = false, std::stop_token stop = {});

}  // namespace skein::proofread
