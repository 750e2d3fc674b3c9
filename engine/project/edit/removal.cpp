// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/edit/removal.h"

#include <algorithm>

namespace skein::project::edit {

namespace {

/// Where the outcome of a deletion over `rows` lies.
Extent extentOf(const InstanceFilter& filter) {
    Extent extent;
    extent.everywhere = !filter.video || !filter.frames;
    extent.video = filter.video.value_or(0);
    extent.span = filter.frames.value_or(FrameSpan{});
    return extent;
}

std::vector<std::size_t> videoRows(const Labels& labels, std::uint32_t video) {
    std::vector<std::size_t> rows = labels.rowsOf(video);
    std::sort(rows.begin(), rows.end());
    return rows;
}

Outcome removal(const Labels& labels, const std::vector<std::size_t>& rows, const Extent& extent,
                const std::function<bool(const FrameView&, const InstanceView&)>& remove) {
    Outcome outcome = unchanged(labels);
    outcome.changed = outcome.labels.removeInstances(rows, remove);
    outcome.extent = extent;
    return outcome.changed == 0 ? unchanged(labels) : outcome;
}

}  // namespace

bool InstanceFilter::operator()(const FrameView& frame, const InstanceView& instance) const {
    if (kind && instance.header->kind != *kind)
        return false;
    if (video && frame.video() != *video)
        return false;
    if (frames && (frame.frameIndex() < frames->first || frame.frameIndex() > frames->last))
        return false;
    if (track && instance.header->track != *track)
        return false;
    // Written so that a score that is no number is under every limit.
    if (scoreBelow &&
        (instance.header->kind != InstanceKind::Predicted || double(instance.header->score) >= *scoreBelow))
        return false;
    return !onUserFrames || frame.hasUserInstance();
}

std::vector<std::size_t> rowsFor(const Labels& labels, const InstanceFilter& filter) {
    if (!filter.video)
        return allRows(labels);
    if (!filter.frames)
        return videoRows(labels, *filter.video);
    std::vector<std::size_t> rows = labels.rowsBetween(*filter.video, filter.frames->first, filter.frames->last);
    std::sort(rows.begin(), rows.end());
    return rows;
}

std::size_t countMatching(const Labels& labels, const InstanceFilter& filter) {
    std::size_t count = 0;
    for (const std::size_t row : rowsFor(labels, filter)) {
        const FrameView frame = labels.frame(row);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i)
            count += filter(frame, frame.instance(i)) ? 1 : 0;
    }
    return count;
}

Outcome deleteMatching(const Labels& labels, const InstanceFilter& filter) {
    return removal(labels, rowsFor(labels, filter), extentOf(filter), filter);
}

Outcome deletePredictionsInArea(const Labels& labels, std::uint32_t video, const Box& area) {
    Extent extent;
    extent.everywhere = true;
    return removal(labels, videoRows(labels, video), extent, [&area](const FrameView&, const InstanceView& instance) {
        if (instance.header->kind != InstanceKind::Predicted)
            return false;
        bool any = false;
        for (const Point& p : instance.points)
            if (p.exists()) {
                if (!area.contains(p.x, p.y))
                    return false;
                any = true;
            }
        return any;
    });
}

Outcome deletePredictionsBeyond(const Labels& labels, std::uint32_t video, std::size_t most) {
    Extent extent;
    extent.everywhere = true;
    return removal(labels, videoRows(labels, video), extent, [most](const FrameView& frame, const InstanceView& one) {
        if (one.header->kind != InstanceKind::Predicted)
            return false;
        std::size_t better = 0;
        bool before = true;
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const InstanceHeader& other = *frame.instance(i).header;
            if (&other == one.header) {
                before = false;
                continue;
            }
            if (other.kind == InstanceKind::Predicted &&
                (other.score > one.header->score || (before && other.score == one.header->score)))
                ++better;
        }
        return better >= most;
    });
}

Outcome deletePredictionsOutside(const Labels& labels, std::uint32_t video, FrameSpan span) {
    Extent extent;
    extent.everywhere = true;
    return removal(labels, videoRows(labels, video), extent, [span](const FrameView& frame, const InstanceView& one) {
        return one.header->kind == InstanceKind::Predicted &&
               (frame.frameIndex() < span.first || frame.frameIndex() > span.last);
    });
}

}  // namespace skein::project::edit
