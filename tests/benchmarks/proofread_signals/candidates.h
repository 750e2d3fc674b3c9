// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <vector>

#include "engine/project/labels.h"
#include "engine/tracking/tracker_options.h"

/// Signs of wrong identities that were proposed beside those that the engine raises, as plainly as they were described;
/// one video with its rows in order. They are here to be measured.
namespace skein::bench {

enum class Candidate {
    Backward,  ///< tracked from the end to the start, other detections are linked
    Margin,    ///< the second best way to link the frame costs little more: less than a tenth of a body
    Forced,    ///< the tracking score is below a tenth of the track's median over 50 frames
    Size       ///< the body's length over 10 frames differs from that over the 10 before, by 8 % and 4 standard errors
};
inline constexpr int kCandidates = 4;

struct CandidateSign {
    std::int64_t frame = 0;
    std::int32_t a = -1, b = -1;  ///< tracks
    double strength = 0;          ///< 0 to 1
};

[[nodiscard]] std::vector<CandidateSign> signsOf(Candidate candidate, const project::Labels& detections,
                                                 const project::Labels& tracked,
                                                 const tracking::TrackerOptions& options);

}  // namespace skein::bench
