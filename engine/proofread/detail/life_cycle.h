// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <vector>

#include "engine/proofread/detail/columns.h"
#include "engine/proofread/issues.h"

// What concerns whole tracks. Columns alone are read, so that it costs little enough to be done anew each time.
namespace skein::proofread {

/// A track in one video.
struct TrackSpan {
    std::int32_t track = -1;
    std::int64_t first = 0, last = 0, frames = 0;
    Item firstItem, lastItem;
};

/// Frames with another number of instances than usual.
struct CountRun {
    std::int64_t first = 0, last = 0;
    std::size_t count = 0;  ///< of the first of them
};

struct LifeCycle {
    std::vector<TrackSpan> spans;  ///< by track
    std::vector<Signal> signals;   ///< Birth and Reappear, by frame
    std::vector<CountRun> counts;
    [[nodiscard]] const TrackSpan* spanOf(std::int32_t track) const;
};

[[nodiscard]] LifeCycle lifeCycle(std::uint32_t video, const Columns& columns, const Scale& scale,
                                  const IssueOptions& options);

/// Track `to` begins soon after `from` ended, and near.
struct Break {
    std::size_t from = 0, to = 0;  ///< positions in LifeCycle::spans
    double distance = 0;           ///< pixels
    bool ambiguous = false;        ///< another track could be the continuation as well
};

/// Each span at most once as `from` and once as `to`, the nearest first.
[[nodiscard]] std::vector<Break> findBreaks(const LifeCycle& life, const Scale& scale, const IssueOptions& options);

}  // namespace skein::proofread
