// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <vector>

#include "engine/project/labels.h"

// Which row of an earlier version each row of a later one comes from; for the sources of the journal alone.
namespace skein::project::journal {

inline constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

/// Rows from `now` on, `count` of them, that come from those from `before` on (kNoRow: one new row).
struct RowRun {
    std::size_t before = 0, now = 0, count = 0;
    bool shared = false;  ///< known to be equal
};

/// All rows of `now`, ascending. Rows of `before` that are in no run were removed.
[[nodiscard]] std::vector<RowRun> pairRows(const Labels& before, const Labels& now);

/// Place of the instance with that id in `frame`; the frame's instance count when it is not there. `guess` is looked at
/// first.
[[nodiscard]] std::size_t placeOf(const FrameView& frame, InstanceId id, std::size_t guess);

[[nodiscard]] bool sameHeader(const InstanceHeader& a, const InstanceHeader& b);
[[nodiscard]] bool samePoints(const InstanceView& a, const InstanceView& b);

}  // namespace skein::project::journal
