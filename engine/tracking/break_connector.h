// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace skein::tracking {

/// Joins broken tracks while frames go by: where exactly one identity is missing and exactly one is new, the new one
/// continues the missing one, and keeps doing so for the rest of the video. Never looks at distances, as sleap-nn's
/// connect_single_breaks, whose results it gives. Thread-compatible.
class BreakConnector {
public:
    /// Forget everything: a new video begins.
    void reset();

    /// Next frame of the video, in ascending order: the identity of each instance, changed in place. "Without a track"
    /// is an identity like any other.
    void connect(std::span<std::int64_t> identities);

private:
    using Identities = std::vector<std::int64_t>;  // sorted, each once
    void collect(std::span<const std::int64_t> identities);

    bool m_started = false;
    Identities m_good;     // of the last frame that had all of them
    Identities m_current;  // of this frame
    Identities m_extra, m_missing;
    std::map<std::int64_t, std::int64_t> m_continues;
};

}  // namespace skein::tracking
