// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <atomic>
#include <cstdint>
#include <string>

namespace skein {

namespace shown_frames {
inline std::atomic<int> first{0};
}

/// What the first frame of a video is called in sentences made from here on: 0, as on the command line, or 1. Who shows
/// the sentences says it, once and whenever a person chooses otherwise; indices in the program count from 0 always.
inline void countFramesFrom(int first) noexcept {
    shown_frames::first.store(first, std::memory_order_relaxed);
}

/// What is added to an index for a person to read.
[[nodiscard]] inline std::int64_t firstFrameNumber() noexcept {
    return shown_frames::first.load(std::memory_order_relaxed);
}

/// The number of a frame in a sentence for a person.
[[nodiscard]] inline std::string frameNumber(std::int64_t frame) {
    return std::to_string(frame + firstFrameNumber());
}

}  // namespace skein
