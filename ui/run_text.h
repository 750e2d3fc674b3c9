// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <cstdint>
#include <vector>

#include "ui/run_host.h"
#include "ui/text.h"

// Rates, durations and ranges of frames as a run shows them, beside what ui/text.h has for numbers.
namespace skein::ui::text {

/// "1 frame", "1,100 frames".
[[nodiscard]] QString frames(std::int64_t count);
/// Three significant digits and trailing zeros kept, so that a changing figure does not jitter: "8.41", "84.1",
/// "1,240".
[[nodiscard]] QString significant(double value);
/// "84.1 frames/s"; a dash while there is nothing to say.
[[nodiscard]] QString rate(double framesPerSecond);
/// In words and rounded to what matters: "8 s", "3 min 20 s", "1 h 5 min".
[[nodiscard]] QString duration(double seconds);
/// As a clock that ticks: "0:08", "3:20", "1:05:00".
[[nodiscard]] QString clock(double seconds);
/// Two digits after the point below 100 ms, one above: for tables.
[[nodiscard]] QString milliseconds(double ms);
/// "63 %".
[[nodiscard]] QString percent(double fraction);

/// The number of a frame as the window shows it.
[[nodiscard]] QString frameNumber(std::int64_t frame, bool fromZero);
/// "frame 301" or "frames 301-1,100", with an en dash.
[[nodiscard]] QString frameRange(const FrameRange& range, bool fromZero);

/// Ascending frames as ranges without gaps.
[[nodiscard]] std::vector<FrameRange> toRanges(const std::vector<std::int64_t>& ascending);

}  // namespace skein::ui::text
