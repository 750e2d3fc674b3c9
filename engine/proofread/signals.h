// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>

#include "engine/project/labels.h"

/// Signs that identities are wrong, computed from places and tracks alone. With c the mean of a track's nodes that are
/// there, B the median diagonal of the instances' boxes, t' the track's last frame before t, v the mean velocity over
/// at most 4 frames before t', and p = c(t') + v (t - t') where t - t' <= 5:
///
/// - SwapGain: exchanging two tracks shortens the ways from their expected to their found poses. Ways are means over
///   nodes known at both ends (a centroid moves when a node is missing), else between centroids.
/// - Ensemble: other ways to link the frame to what came before (by poses as they were, by poses as they were heading,
///   by the overlap of boxes), each as the assignment of least cost, link it differently. Strength: the share of these
///   that do, times how well it fits where a track came or went.
/// - Birth: a track begins after the first tracked frame. Reappear: it comes back after a pause farther away than B.
/// - Speed: centroid and pose both are much faster than the video's median, in MADs, and faster than 0.3 B a frame.
namespace skein::proofread {

enum class SignalKind : std::uint8_t { SwapGain, Ensemble, Birth, Reappear, Speed };
inline constexpr std::size_t kSignalKinds = 5;

struct Signal {
    SignalKind kind = SignalKind::SwapGain;
    std::uint32_t video = 0;
    std::int64_t frame = 0;
    std::int32_t a = -1, b = -1;           ///< tracks; b is -1 where only one is concerned
    project::InstanceId ofA = 0, ofB = 0;  ///< their instances on the frame; 0 where there is none
    double strength = 0;                   ///< 0 to 1
    /// SwapGain: length of the ways in pixels, as they are and exchanged. Speed: pixels a frame and the median.
    /// Reappear: the distance and the pause in frames.
    double value = 0, other = 0;

    friend bool operator==(const Signal&, const Signal&) = default;
};

}  // namespace skein::proofread
