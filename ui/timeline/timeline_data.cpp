// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_data.h"

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

void erase(std::vector<std::int64_t>& frames, std::int64_t frame) {
    const auto it = std::lower_bound(frames.begin(), frames.end(), frame);
    if (it != frames.end() && *it == frame)
        frames.erase(it);
}

void erase(std::vector<TimelineData::Span>& spans, std::int64_t frame) {
    const auto it = spanFrom(spans, frame);
    if (it == spans.end() || it->first > frame)
        return;
    if (it->first == it->second) {
        spans.erase(it);
    } else if (it->first == frame) {
        ++it->first;
    } else if (it->second == frame) {
        --it->second;
    } else {
        const TimelineData::Span rest{frame + 1, it->second};
        it->second = frame - 1;
        spans.insert(std::next(it), rest);
    }
}

/// Keeps doubles.
void insertAgain(std::vector<std::int64_t>& frames, std::int64_t frame) {
    frames.insert(std::upper_bound(frames.begin(), frames.end(), frame), frame);
}

/// What one frame (all its records) has for the timeline.
struct FrameMarks {
    std::vector<int> user, predicted;
    bool hasUser = false, hasPredicted = false;

    void take(const project::FrameView& frame) {
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const project::InstanceHeader& header = *frame.instance(i).header;
            const bool isUser = header.kind == project::InstanceKind::User;
            (isUser ? hasUser : hasPredicted) = true;
            if (header.track >= 0)
                (isUser ? user : predicted).push_back(header.track);
        }
    }
};

/// Lanes by track index, none without a frame.
void orderLanes(TimelineData& data) {
    std::erase_if(data.lanes, [](const TimelineData::Lane& lane) { return lane.spans.empty(); });
    std::sort(data.lanes.begin(), data.lanes.end(),
              [](const TimelineData::Lane& a, const TimelineData::Lane& b) { return a.track < b.track; });
    data.placeOf.assign(data.lanes.empty() ? 0 : static_cast<std::size_t>(data.lanes.back().track) + 1, -1);
    for (std::size_t i = 0; i < data.lanes.size(); ++i)
        data.placeOf[static_cast<std::size_t>(data.lanes[i].track)] = static_cast<std::int32_t>(i);
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
    const auto laneFor = [this](int track) -> Lane& {
        const auto at = static_cast<std::size_t>(track);
        if (at >= placeOf.size())
            placeOf.resize(at + 1, -1);
        if (placeOf[at] < 0) {
            placeOf[at] = static_cast<std::int32_t>(lanes.size());
            lanes.push_back({track, {}, {}});
        }
        return lanes[static_cast<std::size_t>(placeOf[at])];
    };
    for (const int track : userTracks) {
        Lane& l = laneFor(track);
        insert(l.spans, frame);
        insert(l.userFrames, frame);
    }
    for (const int track : predictedTracks)
        insert(laneFor(track).spans, frame);
}

const TimelineData::Lane* TimelineData::lane(int track) const {
    const auto at = static_cast<std::size_t>(track);
    return track >= 0 && at < placeOf.size() && placeOf[at] >= 0 ? &lanes[static_cast<std::size_t>(placeOf[at])]
                                                                 : nullptr;
}

void TimelineData::refreshFrame(const project::Labels& labels, std::int64_t frame) {
    FrameMarks marks;
    for (const std::size_t row : labels.rowsBetween(video, frame, frame))
        marks.take(labels.frame(row));
    erase(user, frame);
    erase(predicted, frame);
    erase(labelled, frame);
    erase(userOrNegative, frame);
    erase(negative, frame);
    struct Ends {
        int track;
        std::int64_t first, last;
    };
    std::vector<Ends> before;  // of the tracks that the frame concerns
    const auto remember = [&](const Lane& lane) {
        if (!lane.spans.empty())
            before.push_back({lane.track, lane.spans.front().first, lane.spans.back().second});
    };
    for (Lane& lane : lanes) {
        const bool was = spanAt(lane.spans, frame) != nullptr;
        const auto has = [&lane](const std::vector<int>& tracks) {
            return std::find(tracks.begin(), tracks.end(), lane.track) != tracks.end();
        };
        if (!was && !has(marks.user) && !has(marks.predicted))
            continue;
        remember(lane);
        erase(lane.spans, frame);
        erase(lane.userFrames, frame);
    }
    add(frame, marks.user, marks.predicted, marks.hasUser, marks.hasPredicted);
    const auto& negatives = labels.negativeFrames();
    const bool isNegative = std::find(negatives.begin(), negatives.end(), std::pair(video, frame)) != negatives.end();
    if (isNegative)
        insert(negative, frame);
    if (marks.hasUser || isNegative)
        insert(userOrNegative, frame);
    for (const Ends& ends : before) {
        erase(trackStarts, ends.first);
        erase(trackEnds, ends.last);
    }
    orderLanes(*this);
    std::vector<int> concerned;
    for (const Ends& ends : before)
        concerned.push_back(ends.track);
    concerned.insert(concerned.end(), marks.user.begin(), marks.user.end());
    concerned.insert(concerned.end(), marks.predicted.begin(), marks.predicted.end());
    std::sort(concerned.begin(), concerned.end());
    concerned.erase(std::unique(concerned.begin(), concerned.end()), concerned.end());
    for (const int track : concerned)
        if (const Lane* own = lane(track)) {
            insertAgain(trackStarts, own->spans.front().first);
            insertAgain(trackEnds, own->spans.back().second);
        }
}

TimelineData timelineOf(const project::Labels& labels, std::uint32_t video) {
    TimelineData data;
    data.video = video;
    FrameMarks marks;
    const std::vector<std::size_t> rows = labels.rowsOf(video);
    for (std::size_t r = 0; r < rows.size();) {
        const std::int64_t frame = labels.frame(rows[r]).frameIndex();
        marks.user.clear();
        marks.predicted.clear();
        marks.hasUser = marks.hasPredicted = false;
        for (; r < rows.size() && labels.frame(rows[r]).frameIndex() == frame; ++r)
            marks.take(labels.frame(rows[r]));
        data.add(frame, marks.user, marks.predicted, marks.hasUser, marks.hasPredicted);
    }
    orderLanes(data);
    for (const TimelineData::Lane& lane : data.lanes) {
        data.trackStarts.push_back(lane.spans.front().first);
        data.trackEnds.push_back(lane.spans.back().second);
    }
    std::sort(data.trackStarts.begin(), data.trackStarts.end());
    std::sort(data.trackEnds.begin(), data.trackEnds.end());
    data.userOrNegative = data.user;
    for (const auto& [v, frame] : labels.negativeFrames())
        if (v == video)
            data.negative.push_back(frame);
    std::sort(data.negative.begin(), data.negative.end());
    data.negative.erase(std::unique(data.negative.begin(), data.negative.end()), data.negative.end());
    data.userOrNegative.insert(data.userOrNegative.end(), data.negative.begin(), data.negative.end());
    std::sort(data.userOrNegative.begin(), data.userOrNegative.end());
    data.userOrNegative.erase(std::unique(data.userOrNegative.begin(), data.userOrNegative.end()),
                              data.userOrNegative.end());
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
