// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/frame_index.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "engine/video/detail/decoder_order.h"
#include "engine/video/detail/end_check.h"
#include "engine/video/detail/index_data.h"
#include "engine/video/detail/packet_scan.h"

namespace skein::video {
namespace {

using detail::DecoderOrder;
using detail::IndexData;
using detail::PacketEntry;
using detail::Scan;

// Packets decoded after every scan to compare the decoder's order with the one that the stamps promise.
constexpr std::size_t kCheckedPackets = 24;

const PacketEntry& packetAt(const IndexData& data, std::int32_t ordinal) {
    return data.packets[static_cast<std::size_t>(ordinal)];
}

bool isShown(const PacketEntry& packet) {
    return !packet.isHidden;
}

// What an interrupted copy or recording leaves at its end shows at best half a picture: it gets no number. Transport
// streams mark whole pictures as incomplete, too, after any jump of a counter; there the decoder is to judge.
void hideIncompleteTail(IndexData& data) {
    if (data.formatName == "mpegts")
        return;
    for (auto it = data.packets.rbegin(); it != data.packets.rend() && it->isIncomplete; ++it)
        it->isHidden = true;
}

// Ranks by presentation stamp, file order where equal. False when the stamps do not determine the order.
bool rankByStamp(const Scan& scan, IndexData& data) {
    data.order.clear();
    for (std::size_t i = 0; i < data.packets.size(); ++i)
        if (isShown(data.packets[i]))
            data.order.push_back(static_cast<std::int32_t>(i));
    if (!scan.mayReorder)
        return true;
    if (!scan.hasStamps)
        return false;
    const auto pts = [&data](std::int32_t ordinal) { return packetAt(data, ordinal).pts; };
    std::stable_sort(data.order.begin(), data.order.end(), [&](auto a, auto b) { return pts(a) < pts(b); });
    return std::adjacent_find(data.order.begin(), data.order.end(), [&](auto a, auto b) { return pts(a) == pts(b); }) ==
           data.order.end();
}

// Numbers of the pictures of an MP4 that was cut short. Some of those that are missing come before some that are there;
// where the stamps lie on a regular grid each picture keeps its true number and the missing ones stay as holes.
// Otherwise pictures whose number is uncertain are left out.
void makeRoomForMissing(const Scan& scan, IndexData& data) {
    const std::size_t present = data.packets.size();
    for (std::size_t i = 0; i < present; ++i)
        if (scan.announcedDts[i] != data.packets[i].dts)
            return;  // the container's list and the packets tell different stories
    const std::vector<std::int64_t>& dts = scan.announcedDts;
    const std::int64_t step = dts[1] - dts[0];
    const std::int64_t first = packetAt(data, data.order.front()).pts;
    bool regular = step > 0;
    for (std::size_t i = 1; i < dts.size() && regular; ++i)
        regular = dts[i] - dts[i - 1] == step;
    for (const std::int32_t ordinal : data.order)
        regular = regular && (packetAt(data, ordinal).pts - first) % step == 0;
    if (regular) {
        const std::int64_t last = (packetAt(data, data.order.back()).pts - first) / step;
        if (static_cast<std::size_t>(last) < dts.size()) {
            std::vector<std::int32_t> order(static_cast<std::size_t>(last) + 1, -1);
            for (const std::int32_t ordinal : data.order)
                order[static_cast<std::size_t>((packetAt(data, ordinal).pts - first) / step)] = ordinal;
            data.order = std::move(order);
            return;
        }
    }
    // A missing picture is shown no earlier than it is decoded, give or take the file's constant shift.
    std::int64_t shift = packetAt(data, data.order.front()).pts - packetAt(data, data.order.front()).dts;
    for (const PacketEntry& packet : data.packets)
        shift = std::min(shift, packet.pts - packet.dts);
    std::size_t firstMissing = present;
    while (firstMissing > 0 && data.packets[firstMissing - 1].isHidden)
        --firstMissing;
    const std::int64_t limit = dts[firstMissing] + shift;
    while (data.order.size() > 1 && packetAt(data, data.order.back()).pts > limit)
        data.order.pop_back();
}

// Containers without a list of all packets end anywhere. Where a file with reordered pictures keeps time like a clock
// but for gaps among the pictures stored last, those gaps are pictures that were to be stored behind: they stay as
// holes.
void makeRoomAtCutEnd(IndexData& data) {
    const auto count = static_cast<std::int32_t>(data.order.size());
    const std::int32_t tail = count - 1 - std::max(data.reorderDepth, 2);
    if (tail < 8)
        return;
    const auto pts = [&data](std::int32_t rank) {
        return packetAt(data, data.order[static_cast<std::size_t>(rank)]).pts;
    };
    const double step = static_cast<double>(pts(tail) - pts(0)) / tail;
    for (std::int32_t rank = 1; rank <= tail; ++rank)
        if (std::abs(static_cast<double>(pts(rank) - pts(rank - 1)) - step) > std::max(1.01, 0.02 * step))
            return;
    if (step <= 0)
        return;
    std::vector<std::int32_t> order(data.order.begin(), data.order.begin() + tail + 1);
    for (std::int32_t rank = tail + 1; rank < count; ++rank) {
        const double steps = static_cast<double>(pts(rank) - pts(rank - 1)) / step;
        const auto missing = static_cast<std::int32_t>(std::lround(steps)) - 1;
        const bool isStoredLast = data.order[static_cast<std::size_t>(rank)] >=
                                  static_cast<std::int32_t>(data.packets.size()) - 2 - data.reorderDepth;
        if (missing > data.reorderDepth + 1 || (missing > 0 && !isStoredLast) ||
            std::abs(steps - std::round(steps)) > 0.25)
            return;  // no cut: the recording itself has a gap
        order.insert(order.end(), static_cast<std::size_t>(std::max(0, missing)), -1);
        order.push_back(data.order[static_cast<std::size_t>(rank)]);
    }
    data.order = std::move(order);
}

// Puts pictures that the decoder lost to damage back where they lie in the file, so that later ones keep their numbers.
// Packets without picture elsewhere (second fields, packed pictures) stay without.
void takeDecoderOrder(const DecoderOrder& found, IndexData& data) {
    data.neededDecoding = true;
    data.order = found.ordinals;
    if (found.damaged.empty())
        return;
    std::vector<bool> seen(data.packets.size(), false);
    for (const std::int32_t ordinal : found.ordinals)
        seen[static_cast<std::size_t>(ordinal)] = true;
    for (const std::int32_t damaged : found.damaged) {
        std::int32_t end = data.keyAfter(damaged);
        for (std::int32_t lost = std::max(0, damaged); lost < end; ++lost) {
            if (seen[static_cast<std::size_t>(lost)] || !isShown(packetAt(data, lost)))
                continue;
            seen[static_cast<std::size_t>(lost)] = true;
            const auto place =
                std::find_if(data.order.begin(), data.order.end(), [lost](std::int32_t o) { return o > lost; });
            data.order.insert(place, lost);
        }
    }
}

// Compares the decoder's first pictures with the ranking. Pictures before the first that comes out can never be shown
// (the file was cut inside a group of pictures) and lose their numbers. False: the ranking is wrong.
bool agreesWithDecoder(const DecoderOrder& found, IndexData& data) {
    if (found.ordinals.empty() || !found.damaged.empty())
        return true;  // damage proves nothing; it is dealt with when the frames are read
    std::size_t unreachable = 0;
    while (unreachable < data.order.size() && data.order[unreachable] != found.ordinals.front())
        ++unreachable;
    if (data.order.size() - unreachable < found.ordinals.size())
        return false;
    const auto begin = data.order.begin() + static_cast<std::ptrdiff_t>(unreachable);
    if (!std::equal(found.ordinals.begin(), found.ordinals.end(), begin))
        return false;
    data.order.erase(data.order.begin(), begin);
    return !found.isComplete || data.order.size() == found.ordinals.size();
}

void setTimes(const Scan& scan, IndexData& data) {
    const std::size_t count = data.order.size();
    data.stamps.assign(count, AV_NOPTS_VALUE);
    const AVRational rate = scan.nominalRate.num > 0 && scan.nominalRate.den > 0 ? scan.nominalRate : AVRational{25, 1};
    const std::int64_t duration = std::max<std::int64_t>(1, av_rescale_q(1, av_inv_q(rate), data.timeBase));
    bool known = false;
    if (scan.hasStamps) {
        for (std::size_t i = 0; i < count; ++i)
            if (data.order[i] >= 0)
                data.stamps[i] = packetAt(data, data.order[i]).pts;
        known = true;
    } else {
        // Without presentation stamps the decoding stamps in ascending order are the times of the pictures, since both
        // count the same ticks.
        std::vector<std::int64_t> dts;
        for (const std::int32_t ordinal : data.order)
            if (ordinal >= 0 && packetAt(data, ordinal).dts != AV_NOPTS_VALUE)
                dts.push_back(packetAt(data, ordinal).dts);
        std::sort(dts.begin(), dts.end());
        known = dts.size() == count && std::adjacent_find(dts.begin(), dts.end()) == dts.end();
        if (known)
            data.stamps = std::move(dts);
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (!known)
            data.stamps[i] = static_cast<std::int64_t>(i) * duration;
        else if (data.stamps[i] == AV_NOPTS_VALUE)
            data.stamps[i] = data.stamps[i - 1] + duration;
        if (i > 0)
            data.stamps[i] = std::max(data.stamps[i], data.stamps[i - 1]);
    }

    if (count < 2) {
        data.fps = scan.nominalRate.num > 0 ? av_q2d(scan.nominalRate) : 0;
        return;
    }
    std::vector<std::int64_t> steps(count - 1);
    for (std::size_t i = 1; i < count; ++i)
        steps[i - 1] = data.stamps[i] - data.stamps[i - 1];
    const std::int64_t span = data.stamps.back() - data.stamps.front();
    data.fps = span > 0 ? static_cast<double>(count - 1) / (static_cast<double>(span) * av_q2d(data.timeBase)) : 0;
    const double nominal = av_q2d(rate);
    if (scan.nominalRate.num > 0 && std::abs(data.fps - nominal) < 0.005 * nominal)
        data.fps = nominal;  // free of the rounding of coarse ticks
    std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2), steps.end());
    const auto median = static_cast<double>(steps[steps.size() / 2]);
    const double tolerance = std::max(1.01, 0.02 * median);  // ticks are whole numbers: a step may be one off
    data.isVariableRate = std::any_of(steps.begin(), steps.end(), [&](std::int64_t s) {
        return std::abs(static_cast<double>(s) - median) > tolerance;
    });
}

}  // namespace

Result<std::shared_ptr<const FrameIndex>> FrameIndex::build(const std::filesystem::path& path, const Options& options) {
    Result<Scan> scanned = detail::scanPackets(path, options);
    if (!scanned)
        return fail(std::move(scanned.error()));
    Scan& scan = *scanned;
    IndexData& data = *scan.data;
    hideIncompleteTail(data);

    bool isCertain = rankByStamp(scan, data);
    if (data.order.empty())
        return fail(ErrorCode::Format, "Cannot open \"" + path.string() + "\" as a video: there are no frames in it.");
    data.finish();
    if (isCertain) {
        const Result<DecoderOrder> head = detail::decodeOrder(data, kCheckedPackets, 1, {}, options.stop);
        if (!head)
            return fail(head.error());
        isCertain = agreesWithDecoder(*head, data);
    }
    if (isCertain) {
        if (scan.hasStamps && scan.mayReorder) {
            data.finish();
            if (scan.announcedDts.size() > data.packets.size())
                makeRoomForMissing(scan, data);
            else if (scan.announcedDts.empty())
                makeRoomAtCutEnd(data);
        }
    } else {
        const int threads = detail::decoderThreads(options.threads);
        const Result<DecoderOrder> all =
            detail::decodeOrder(data, data.packets.size() + 1, threads, options.progress, options.stop);
        if (!all)
            return fail(all.error());
        takeDecoderOrder(*all, data);
    }
    if (data.order.empty())
        return fail(ErrorCode::Format,
                    "Cannot open \"" + path.string() + "\" as a video: none of its frames can be decoded.");
    data.finish();
    setTimes(scan, data);
    detail::checkEnd(scan, data);
    return std::shared_ptr<const FrameIndex>(new FrameIndex(std::move(scan.data)));
}

FrameIndex::FrameIndex(std::unique_ptr<detail::IndexData> data) : m_data(std::move(data)) {}
FrameIndex::~FrameIndex() = default;

FrameNumber FrameIndex::frameCount() const noexcept {
    return static_cast<FrameNumber>(m_data->order.size());
}

std::int64_t FrameIndex::ptsInTimeBase(FrameNumber frame) const {
    SKEIN_EXPECTS(frame >= 0 && frame < frameCount(), "frame lies in the video");
    return m_data->stamps[static_cast<std::size_t>(frame)];
}

TimeBase FrameIndex::timeBase() const noexcept {
    return {m_data->timeBase.num, m_data->timeBase.den};
}

double FrameIndex::seconds(FrameNumber frame) const {
    return static_cast<double>(ptsInTimeBase(frame)) * av_q2d(m_data->timeBase);
}

bool FrameIndex::hasData(FrameNumber frame) const {
    SKEIN_EXPECTS(frame >= 0 && frame < frameCount(), "frame lies in the video");
    return m_data->order[static_cast<std::size_t>(frame)] >= 0;
}

bool FrameIndex::isKeyFrame(FrameNumber frame) const {
    return hasData(frame) && packetAt(*m_data, m_data->order[static_cast<std::size_t>(frame)]).isKey;
}

std::vector<FrameNumber> FrameIndex::keyFrames() const {
    std::vector<FrameNumber> frames;
    for (const std::int32_t ordinal : m_data->keyOrdinals)
        if (packetAt(*m_data, ordinal).rank >= 0)
            frames.push_back(packetAt(*m_data, ordinal).rank);
    std::sort(frames.begin(), frames.end());
    return frames;
}

bool FrameIndex::isVariableRate() const noexcept {
    return m_data->isVariableRate;
}
double FrameIndex::fps() const noexcept {
    return m_data->fps;
}
FrameNumber FrameIndex::announcedFrames() const noexcept {
    return m_data->announced;
}
bool FrameIndex::neededDecoding() const noexcept {
    return m_data->neededDecoding;
}
const std::optional<CutEnd>& FrameIndex::cutEnd() const noexcept {
    return m_data->cutEnd;
}
const std::vector<std::string>& FrameIndex::warnings() const noexcept {
    return m_data->warnings;
}
const std::filesystem::path& FrameIndex::path() const noexcept {
    return m_data->path;
}

}  // namespace skein::video
