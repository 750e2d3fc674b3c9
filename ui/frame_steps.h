// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace skein::ui {

struct FrameStep {
    std::int64_t frame;
    bool wrapped;  ///< the end was passed
};

using FrameLists = std::vector<const std::vector<std::int64_t>*>;

/// The nearest frame after (direction 1) or before (-1) `frame` in any of the ascending lists, around the end if need
/// be; nullopt: all are empty. Null lists are empty ones. O(log n) for each list.
[[nodiscard]] std::optional<FrameStep> stepAmong(const FrameLists& lists, std::int64_t frame, int direction);

}  // namespace skein::ui
