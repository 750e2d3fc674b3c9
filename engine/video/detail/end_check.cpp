// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/end_check.h"
#include "engine/base/frame_number.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace skein::video::detail {
namespace {

// By so many frames headers differ from what was written without anything being wrong.
constexpr FrameNumber kHabit = 2;

struct Counts {
    FrameNumber numbered = 0;    // frames that have a number
    FrameNumber missing = 0;     // of these, those without data
    FrameNumber hidden = 0;      // packets that show nothing by design
    FrameNumber incomplete = 0;  // packets at the end that are there in part
    [[nodiscard]] FrameNumber readable() const { return numbered - missing; }
};

Counts countOf(const IndexData& data) {
    Counts counts;
    counts.numbered = std::ssize(data.order);
    counts.missing = std::count(data.order.begin(), data.order.end(), -1);
    for (const PacketEntry& packet : data.packets) {
        counts.hidden += packet.isHidden && !packet.isIncomplete ? 1 : 0;
        counts.incomplete += packet.isHidden && packet.isIncomplete ? 1 : 0;
    }
    return counts;
}

// Of a file that is cut, the frames of the whole by its other words; 0: there are none.
FrameNumber estimateWhole(const Scan& scan, const IndexData& data, const Counts& counts) {
    if (scan.listedPackets > std::ssize(data.packets))
        return scan.listedPackets - counts.hidden;
    if (scan.announcedSeconds <= 0 || data.fps <= 0)
        return 0;
    const double last = static_cast<double>(data.stamps.back()) * av_q2d(data.timeBase);
    return counts.numbered + std::max<FrameNumber>(0, std::llround((scan.announcedSeconds - last) * data.fps) - 1);
}

std::string sentenceWith(const Counts& counts, FrameNumber whole, bool isEstimate) {
    if (whole > 0)
        return std::to_string(counts.readable()) + " of " + (isEstimate ? "about " : "") + std::to_string(whole) +
               " announced frames are readable; the file ends early." +
               (whole > counts.numbered ? " What comes after frame " + frameNumber(counts.numbered - 1) + " is missing."
                                        : "");
    const std::string what = counts.missing > 0
                                 ? ": " + std::to_string(counts.missing) + " frames near its end are missing"
                             : counts.incomplete > 0 ? ": it ends inside a frame, which is left out"
                                                     : "";
    return "The file was cut short" + what + "; how many frames would follow it does not say.";
}

}  // namespace

void checkEnd(const Scan& scan, IndexData& data) {
    const Counts counts = countOf(data);
    FrameNumber whole = std::max<FrameNumber>(0, data.announced - counts.hidden);
    const bool isCut = scan.isShort || counts.missing > 0 || counts.incomplete > 0 ||
                       (!scan.announcedDts.empty() && scan.listedPackets > std::ssize(data.packets));
    const bool isEstimate = whole == 0 && data.isVariableRate && scan.listedPackets <= std::ssize(data.packets);
    if (isCut && whole == 0)
        whole = estimateWhole(scan, data, counts);
    if (isCut && (whole == 0 || counts.readable() < whole))
        data.cutEnd = {whole, sentenceWith(counts, whole, isEstimate)};
    if (data.cutEnd)
        data.warnings.insert(data.warnings.begin(), data.cutEnd->sentence);
    else if (counts.readable() + kHabit < whole)
        data.warnings.insert(data.warnings.begin(), std::to_string(counts.readable()) + " of " + std::to_string(whole) +
                                                        " announced frames are readable.");
}

}  // namespace skein::video::detail
