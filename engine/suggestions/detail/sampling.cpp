// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <random>

#include "engine/suggestions/detail/rules.h"

namespace skein::suggestions::detail {

std::vector<std::int64_t> pick(std::int64_t total, std::int64_t count, Sampling sampling, std::uint64_t seed) {
    std::vector<std::int64_t> picked;
    if (total <= 0 || count <= 0)
        return picked;
    if (sampling == Sampling::Stride) {
        const std::int64_t step = std::max<std::int64_t>(1, total / count);
        for (std::int64_t i = 0; i < total && static_cast<std::int64_t>(picked.size()) < count; i += step)
            picked.push_back(i);
        return picked;
    }
    // Selection sampling (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S): each set is equally likely,
    // the order ascending. The generator's own numbers are used, since distributions differ between libraries.
    std::mt19937_64 random(seed);
    std::int64_t wanted = std::min(count, total);
    for (std::int64_t i = 0; i < total && wanted > 0; ++i) {
        const double u = static_cast<double>(random() >> 11) * 0x1.0p-53;
        if (static_cast<double>(total - i) * u < static_cast<double>(wanted)) {
            picked.push_back(i);
            --wanted;
        }
    }
    return picked;
}

Found sample(const VideoTask& task, const Sample& method) {
    // Numbers among the free frames are turned into frames by walking along the suggested ones.
    const auto first = std::lower_bound(task.suggested.begin(), task.suggested.end(), task.span.first);
    const auto end = std::upper_bound(first, task.suggested.end(), task.span.last);
    std::vector<std::int64_t> suggested(first, end);
    suggested.erase(std::unique(suggested.begin(), suggested.end()), suggested.end());
    const std::int64_t free = task.span.last - task.span.first + 1 - static_cast<std::int64_t>(suggested.size());
    Found found;
    auto next = suggested.begin();
    std::int64_t skipped = 0;
    for (const std::int64_t number : pick(free, method.perVideo, method.sampling, method.seed + task.video)) {
        while (next != suggested.end() && *next <= task.span.first + number + skipped) {
            ++skipped;
            ++next;
        }
        found.push_back({task.video, task.span.first + number + skipped, std::int64_t{task.video},
                         method.sampling == Sampling::Stride ? "evenly spread" : "random"});
    }
    return found;
}

Found chunk(const VideoTask& task, const FrameChunk& method) {
    Found found;
    for (std::int64_t frame = std::max(method.first, task.span.first); frame <= std::min(method.last, task.span.last);
         ++frame)
        found.push_back({task.video, frame, 0, "in the chunk"});
    return found;
}

}  // namespace skein::suggestions::detail
