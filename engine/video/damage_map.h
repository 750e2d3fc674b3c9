// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/base/result.h"
#include "engine/video/pixel_format.h"
#include "engine/video/video_source.h"

namespace skein::video {

/// What the readers of one video have found out about its frames. Thread-safe: they share it, so that damage is
/// searched once and every reader gives the same answer.
class DamageMap {
public:
    explicit DamageMap(FrameNumber frames);

    [[nodiscard]] FrameState stateOf(FrameNumber frame) const;
    /// Unreadable is final: a later markReadable does not take it back.
    void markReadable(FrameNumber frame);
    void markUnreadable(FrameNumber frame);

    /// Runs `search` unless it succeeded before for the group of pictures that starts at this packet; others wait until
    /// it is done, so that none goes on without its findings. Returns whether it ran.
    [[nodiscard]] Result<bool> searchOnce(std::int32_t keyOrdinal, const std::function<Result<void>()>& search);

    [[nodiscard]] FrameNumber unreadableFrames() const noexcept { return m_unreadable.load(); }
    /// "13-35, 40": the unreadable frames found so far, at most `maxRanges` runs and then "...".
    [[nodiscard]] std::string describe(std::size_t maxRanges = 8) const;

private:
    std::vector<std::atomic<std::uint8_t>> m_states;
    std::atomic<FrameNumber> m_unreadable{0};
    std::mutex m_searchMutex;
    std::unordered_set<std::int32_t> m_searched;
};

}  // namespace skein::video
