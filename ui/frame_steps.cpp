// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame_steps.h"

#include <algorithm>
#include <iterator>

namespace skein::ui {

std::optional<FrameStep> stepAmong(const FrameLists& lists, std::int64_t frame, int direction) {
    std::optional<std::int64_t> near, end;  // the nearest beyond `frame`, and the one to go on from
    const auto better = [direction](std::int64_t a, std::int64_t b) { return direction > 0 ? a < b : a > b; };
    const auto take = [&better](std::optional<std::int64_t>& best, std::int64_t one) {
        if (!best || better(one, *best))
            best = one;
    };
    for (const std::vector<std::int64_t>* list : lists) {
        if (list == nullptr || list->empty())
            continue;
        take(end, direction > 0 ? list->front() : list->back());
        if (direction > 0) {
            if (const auto it = std::upper_bound(list->begin(), list->end(), frame); it != list->end())
                take(near, *it);
        } else if (const auto it = std::lower_bound(list->begin(), list->end(), frame); it != list->begin()) {
            take(near, *std::prev(it));
        }
    }
    if (near)
        return FrameStep{*near, false};
    return end ? std::optional(FrameStep{*end, true}) : std::nullopt;
}

}  // namespace skein::ui
