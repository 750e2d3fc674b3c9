// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <stop_token>
#include <vector>

#include "engine/proofread/detail/columns.h"
#include "engine/proofread/issues.h"

// What depends on poses: looked for frame by frame, each with a few frames before it, so that a change of one frame
// concerns kReach frames after it and no more.
namespace skein::proofread {

inline constexpr std::int64_t kBelieved = 5;        // a track's movement is extrapolated over so many frames
inline constexpr std::int64_t kVelocityFrames = 4;  // and taken from so many
inline constexpr std::int64_t kReach = kBelieved + kVelocityFrames + 1;

/// A doubt that is no sign of a wrong identity.
struct PoseDoubt {
    IssueKind kind = IssueKind::Duplicate;  ///< Duplicate, Flip (a change of sides), EdgeLength, LowScore or Encounter
    std::int64_t frame = 0;
    std::int32_t a = -1, b = -1;  ///< tracks
    project::InstanceId ofA = 0, ofB = 0;
    float strength = 0;
    /// Duplicate: similarity. EdgeLength: length and usual length. LowScore: score. Encounter: distance in pixels.
    float value = 0, other = 0;
    std::int32_t edge = -1;

    friend bool operator==(const PoseDoubt&, const PoseDoubt&) = default;
};

struct Found {
    std::vector<Signal> signals;    ///< SwapGain, Ensemble and Speed, by frame
    std::vector<PoseDoubt> doubts;  ///< by frame
};

struct FrameRange {
    std::int64_t first = 0, last = 0;  ///< both included
};

/// Looks at the frames of `ranges`, which ascend and do not overlap. `tick` is called now and then with the number of
/// slots done; false stops. Returns whether it came to the end.
[[nodiscard]] bool scan(const project::Labels& labels, std::uint32_t video, const Columns& columns, const Scale& scale,
                        const IssueOptions& options, const std::vector<FrameRange>& ranges, Found& found,
                        const std::function<bool(std::size_t)>& tick);

}  // namespace skein::proofread
