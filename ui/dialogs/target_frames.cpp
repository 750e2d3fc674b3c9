// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/target_frames.h"

#include <algorithm>
#include <random>
#include <set>

#include "engine/pipeline/frame_list.h"
#include "ui/run_text.h"

namespace skein::ui {
namespace {

FrameRanges ranges(std::vector<std::int64_t> frames) {
    std::sort(frames.begin(), frames.end());
    return text::toRanges(frames);
}

/// Whether there is a predicted instance, or one with a track.
bool hasPrediction(const project::FrameView& frame, bool tracked) {
    for (std::size_t i = 0; i < frame.instanceCount(); ++i)
        if (const project::InstanceHeader& header = *frame.instance(i).header;
            header.kind == project::InstanceKind::Predicted && (!tracked || header.track >= 0))
            return true;
    return false;
}

}  // namespace

std::int64_t countOf(const FrameRanges& ranges) {
    std::int64_t count = 0;
    for (const FrameRange& range : ranges)
        count += range.count();
    return count;
}

FrameRanges intersection(const FrameRanges& a, const FrameRanges& b) {
    FrameRanges both;
    for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
        const std::int64_t first = std::max(a[i].first, b[k].first), last = std::min(a[i].last, b[k].last);
        if (first <= last)
            both.push_back({first, last});
        a[i].last < b[k].last ? ++i : ++k;
    }
    return both;
}

FrameRanges unionOf(const FrameRanges& a, const FrameRanges& b) {
    FrameRanges all;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all),
               [](const FrameRange& x, const FrameRange& y) { return x.first < y.first; });
    FrameRanges joined;
    for (const FrameRange& range : all) {
        if (!joined.empty() && range.first <= joined.back().last + 1)
            joined.back().last = std::max(joined.back().last, range.last);
        else
            joined.push_back(range);
    }
    return joined;
}

FrameRanges difference(const FrameRanges& a, const FrameRanges& b) {
    FrameRanges rest;
    std::size_t k = 0;
    for (const FrameRange& range : a) {
        std::int64_t first = range.first;
        while (k < b.size() && b[k].last < first)
            ++k;
        for (std::size_t n = k; n < b.size() && b[n].first <= range.last; ++n) {
            if (b[n].first > first)
                rest.push_back({first, b[n].first - 1});
            first = std::max(first, b[n].last + 1);
        }
        if (first <= range.last)
            rest.push_back({first, range.last});
    }
    return rest;
}

std::vector<std::int64_t> toFrames(const FrameRanges& ranges) {
    std::vector<std::int64_t> frames;
    frames.reserve(static_cast<std::size_t>(countOf(ranges)));
    for (const FrameRange& range : ranges)
        for (std::int64_t frame = range.first; frame <= range.last; ++frame)
            frames.push_back(frame);
    return frames;
}

FrameRanges sampleOf(const FrameRanges& from, int count, std::uint32_t seed) {
    const std::int64_t total = countOf(from);
    if (total <= count)
        return from;
    // Floyd's way: `count` different positions without a list of all.
    std::mt19937 random(seed);
    std::set<std::int64_t> positions;
    for (std::int64_t last = total - count; last < total; ++last) {
        const std::int64_t drawn = std::uniform_int_distribution<std::int64_t>(0, last)(random);
        if (!positions.insert(drawn).second)
            positions.insert(last);
    }
    std::vector<std::int64_t> frames;
    std::int64_t before = 0;
    auto next = positions.begin();
    for (const FrameRange& range : from) {
        for (; next != positions.end() && *next < before + range.count(); ++next)
            frames.push_back(range.first + *next - before);
        before += range.count();
    }
    return text::toRanges(frames);
}

Result<FrameRanges> listedFrames(const QString& list, bool fromZero, std::int64_t count) {
    QString plain = list;
    const auto parsed = pipeline::parseFrameList(plain.replace(QChar(0x2013), QLatin1Char('-')).toStdString());
    if (!parsed || parsed->ranges.empty())
        return fail(ErrorCode::InvalidArgument, "Write frames as 1-100, 250: numbers and ranges, with commas between.");
    const std::int64_t offset = fromZero ? 0 : 1;
    FrameRanges frames;
    for (const pipeline::FrameList::Range& range : parsed->ranges) {
        const std::int64_t first = std::max<std::int64_t>(range.first - offset, 0);
        const std::int64_t last = std::min(range.last - offset, count - 1);
        if (first <= last)
            frames = unionOf(frames, {{first, last}});
    }
    if (frames.empty())
        return fail(ErrorCode::InvalidArgument, "The video has none of these frames.");
    return frames;
}

LabelFrames labelFramesOf(const project::Labels& labels, std::uint32_t video) {
    std::vector<std::int64_t> labelled, suggested, predicted, tracked;
    for (const std::size_t row : labels.rowsOf(video)) {
        const project::FrameView frame = labels.frame(row);
        if (frame.hasUserInstance())
            labelled.push_back(frame.frameIndex());
        if (hasPrediction(frame, false))
            predicted.push_back(frame.frameIndex());
        if (hasPrediction(frame, true))
            tracked.push_back(frame.frameIndex());
    }
    for (const project::Suggestion& suggestion : labels.suggestions()) {
        if (suggestion.video != video)
            continue;
        const auto row = labels.findFrame(video, suggestion.frameIndex);
        if (!row || !labels.frame(*row).hasUserInstance())
            suggested.push_back(suggestion.frameIndex);
    }
    return {ranges(std::move(labelled)), ranges(std::move(suggested)), ranges(std::move(predicted)),
            ranges(std::move(tracked))};
}

}  // namespace skein::ui
