// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/timeline_data.h"

#include <algorithm>

namespace skein::ui {

namespace {

void insert(std::vector<std::int64_t>& frames, std::int64_t frame) {
    if (frames.empty() || frames.back() < frame) {
        frames.push_back(frame);
        return;
    }
    const auto it = std::lower_bound(frames.begin(), frames.end(), frame);
    if (*it != frame)
        frames.insert(it, frame);
}

/// The first span that ends at `frame` or later.
template <class Spans>
auto spanFrom(Spans& spans, std::int64_t frame) {
    return std::lower_bound(spans.begin(), spans.end(), frame,
                            [](const TimelineData::Span& span, std::int64_t key) { return span.second < key; });
}

void insert(std::vector<TimelineData::Span>& spans, std::int64_t frame) {
    if (spans.empty() || spans.back().second < frame) {
        if (!spans.empty() && spans.back().second == frame - 1)
            spans.back().second = frame;
        else
            spans.emplace_back(frame, frame);
        return;
    }
    auto it = spanFrom(spans, frame);
    if (it->first <= frame)
        return;
    const bool touchesNext = it->first == frame + 1;
    const bool touchesPrevious = it != spans.begin() && std::prev(it)->second == frame - 1;
    if (touchesNext && touchesPrevious) {
        std::prev(it)->second = it->second;
        spans.erase(it);
    } else if (touchesNext) {
        it->first = frame;
    } else if (touchesPrevious) {
        std::prev(it)->second = frame;
    } else {
        spans.insert(it, {frame, frame});
    }
}

}  // namespace

void TimelineData::add(std::int64_t frame, const std::vector<int>& userTracks, const std::vector<int>& predictedTracks,
                       bool hasUser, bool hasPredicted) {
    if (hasUser)
        insert(user, frame);
    if (hasPredicted)
        insert(predicted, frame);
    if (hasUser || hasPredicted)
        insert(labelled, frame);
    const auto lane = [this](int track) -> Lane& {
        const auto [it, isNew] = laneOf.try_emplace(track, lanes.size());
        if (isNew)
            lanes.push_back({track, {}, {}});
        return lanes[it->second];
    };
    for (const int track : userTracks) {
        Lane& l = lane(track);
        insert(l.spans, frame);
        insert(l.userFrames, frame);
    }
    for (const int track : predictedTracks)
        insert(lane(track).spans, frame);
}

TimelineData timelineOf(const project::Labels& labels, std::uint32_t video) {
    TimelineData data;
    data.video = video;
    std::vector<int> user, predicted;
    for (const std::size_t row : labels.rowsOf(video)) {
        const project::FrameView frame = labels.frame(row);
        user.clear();
        predicted.clear();
        bool hasUser = false, hasPredicted = false;
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const project::InstanceHeader& header = *frame.instance(i).header;
            const bool isUser = header.kind == project::InstanceKind::User;
            (isUser ? hasUser : hasPredicted) = true;
            if (header.track >= 0)
                (isUser ? user : predicted).push_back(header.track);
        }
        data.add(frame.frameIndex(), user, predicted, hasUser, hasPredicted);
    }
    // Lanes by track index, whatever order the tracks appear in.
    std::sort(data.lanes.begin(), data.lanes.end(),
              [](const TimelineData::Lane& a, const TimelineData::Lane& b) { return a.track < b.track; });
    for (std::size_t i = 0; i < data.lanes.size(); ++i)
        data.laneOf[data.lanes[i].track] = i;
    return data;
}

std::int64_t firstIn(const std::vector<std::int64_t>& frames, std::int64_t from, std::int64_t to) {
    const auto it = std::lower_bound(frames.begin(), frames.end(), from);
    return it != frames.end() && *it < to ? *it : -1;
}

bool meets(const std::vector<TimelineData::Span>& spans, std::int64_t from, std::int64_t to) {
    const auto it = spanFrom(spans, from);
    return it != spans.end() && it->first < to;
}

const TimelineData::Span* spanAt(const std::vector<TimelineData::Span>& spans, std::int64_t frame) {
    const auto it = spanFrom(spans, frame);
    return it != spans.end() && it->first <= frame ? &*it : nullptr;
}

std::int64_t nearest(const std::vector<std::int64_t>& frames, std::int64_t frame) {
    if (frames.empty())
        return -1;
    const auto it = std::lower_bound(frames.begin(), frames.end(), frame);
    if (it == frames.end())
        return frames.back();
    if (it == frames.begin() || *it - frame <= frame - *std::prev(it))
        return *it;
    return *std::prev(it);
}

}  // namespace skein::ui
