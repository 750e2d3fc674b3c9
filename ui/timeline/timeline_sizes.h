// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme.h"

// Sizes of the timeline's parts, in logical pixels.
namespace skein::ui::timeline {

inline constexpr int kRuler = 22;
inline constexpr int kMarks = 18;
inline constexpr int kOverview = 10;
inline constexpr int kSide = theme::kGap;  ///< room left and right, so that the head is whole at the ends
inline constexpr int kLeastLanes = 48;     ///< room for lanes, however many graphs are above them
inline constexpr double kMinLane = 3, kLane = 6, kMaxLane = 12;
inline constexpr double kMostPixelsPerFrame = 40;
inline constexpr double kSnap = 4;
inline constexpr double kGrip = 4;

}  // namespace skein::ui::timeline
