// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <set>
#include <span>
#include <vector>

#include "engine/proofread/signals.h"
#include "tests/support/track_scenes.h"

namespace skein::test {

/// How well flagged frames tell true switches. A switch is found when a frame within kTolerance of it is flagged;
/// flagged frames in a row are one event, which is right when a switch is within kTolerance of it.
struct SignalScore {
    static constexpr std::int64_t kTolerance = 2;
    std::size_t switches = 0, foundSwitches = 0;  ///< by frame: two animals that change over are one
    std::size_t frames = 0, flagged = 0;
    std::size_t events = 0, rightEvents = 0;

    [[nodiscard]] double recall() const { return switches == 0 ? 1 : double(foundSwitches) / double(switches); }
    [[nodiscard]] double share() const { return frames == 0 ? 0 : double(flagged) / double(frames); }
    [[nodiscard]] double precision() const { return events == 0 ? 1 : double(rightEvents) / double(events); }

    void add(const std::set<std::int64_t>& switchFrames, const std::set<std::int64_t>& flaggedFrames,
             std::size_t frameCount) {
        const auto near = [](const std::set<std::int64_t>& in, std::int64_t first, std::int64_t last) {
            const auto it = in.lower_bound(first - kTolerance);
            return it != in.end() && *it <= last + kTolerance;
        };
        switches += switchFrames.size();
        for (const std::int64_t frame : switchFrames)
            foundSwitches += near(flaggedFrames, frame, frame) ? 1 : 0;
        frames += frameCount;
        flagged += flaggedFrames.size();
        for (auto it = flaggedFrames.begin(); it != flaggedFrames.end();) {
            const std::int64_t first = *it;
            std::int64_t last = first;
            while (++it != flaggedFrames.end() && *it == last + 1)
                last = *it;
            ++events;
            rightEvents += near(switchFrames, first, last) ? 1 : 0;
        }
    }
};

/// Frames at which one of `kinds` was raised.
inline std::set<std::int64_t> flaggedFrames(std::span<const proofread::Signal> signals,
                                            const std::set<proofread::SignalKind>& kinds) {
    std::set<std::int64_t> frames;
    for (const proofread::Signal& signal : signals)
        if (kinds.count(signal.kind) != 0)
            frames.insert(signal.frame);
    return frames;
}

}  // namespace skein::test
