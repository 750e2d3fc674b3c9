// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/proofread/gap_filling.h"
#include "engine/proofread/issues.h"
#include "engine/proofread/joins.h"

namespace skein::proofread {

enum class JoinChoice { None, Safe, All };

/// Which proposals are accepted without a person. What is unset is not done.
struct RepairOptions {
    IssueOptions issues;
    std::optional<double> swaps;       ///< swaps that are at least this sure (Fix::confidence), and sure at all
    std::optional<double> flips;       ///< exchanged sides that are at least this sure
    std::optional<double> duplicates;  ///< duplicates that are at least this sure
    JoinChoice joins = JoinChoice::None;
    JoinOptions joining;
    std::optional<GapOptions> gaps;
};

struct RepairReport {
    std::size_t swaps = 0, flips = 0, duplicates = 0, joins = 0;
    std::size_t adopted = 0, filledInstances = 0;
    std::size_t filledNodes = 0;  ///< of poses that were there
    TrackSummary before, after;
    std::vector<std::string> done;  ///< a sentence for each swap, flip, duplicate and join, in the order they were made
};

struct Repaired {
    project::Labels labels;
    RepairReport report;
};

/// Accepts proposals in rounds until none is left: duplicates, flips, swaps (the latest first, so that each means what
/// it says), then joins, after which tracks that became whole are looked at again; gaps come last. A swap that is asked
/// back as surely as it was asked for is taken back: that case cannot be decided. Repairing what was repaired changes
/// little. Tracks that nothing is left of leave the list.
/// Errors: Cancelled.
[[nodiscard]] Result<Repaired> repair(const project::Labels& labels, const RepairOptions& options,
                                      const Progress& progress = {}, std::stop_token stop = {});

}  // namespace skein::proofread
