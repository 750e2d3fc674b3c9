// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proofread/detail/life_cycle.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace skein::proofread {

namespace {

// A birth that the end of another track is this near to is likelier a mistake than an arrival.
constexpr std::int64_t kEndFrames = 60;
constexpr double kEndBodies = 3;
constexpr double kInsideBodies = 2;  // so far from the border of where instances are, nobody comes in
constexpr std::int64_t kLastingFrames = 10;

/// Box of all centroids.
struct Arena {
    double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
    void add(const Item& item) {
        left = std::min(left, item.x);
        right = std::max(right, item.x);
        top = std::min(top, item.y);
        bottom = std::max(bottom, item.y);
    }
    [[nodiscard]] double toBorder(const Item& item) const {
        return std::min({item.x - left, right - item.x, item.y - top, bottom - item.y});
    }
};

double distance(const Item& a, const Item& b) {
    return std::hypot(a.x - b.x, a.y - b.y);
}

void countRuns(const Columns& columns, const Scale& scale, const IssueOptions& options, std::vector<CountRun>& runs) {
    const auto& slots = columns.slots;
    if (slots.empty())
        return;
    // Of a video of which little is recorded, frames that are not recorded say nothing; else nothing was found there.
    const std::int64_t span = slots.back().frame - slots.front().frame + 1;
    const bool dense = 2 * static_cast<std::int64_t>(slots.size()) > span;
    const auto count = [&](std::size_t s) { return slots[s].end - slots[s].begin; };
    std::size_t lastUsual = kNone;
    for (std::size_t s = 0; s < slots.size(); ++s) {
        if (count(s) != scale.usualCount)
            continue;
        if (lastUsual != kNone) {
            const std::int64_t frames = slots[s].frame - slots[lastUsual].frame - 1;
            const bool recorded = s - lastUsual - 1 == static_cast<std::size_t>(frames);
            if (frames > 0 && frames <= options.countFrames && (dense || recorded)) {
                const bool begins = lastUsual + 1 < s && slots[lastUsual + 1].frame == slots[lastUsual].frame + 1;
                runs.push_back(
                    {slots[lastUsual].frame + 1, slots[s].frame - 1, begins ? count(lastUsual + 1) : std::size_t{0}});
            }
        }
        lastUsual = s;
    }
}

}  // namespace

const TrackSpan* LifeCycle::spanOf(std::int32_t track) const {
    const auto it = std::lower_bound(spans.begin(), spans.end(), track,
                                     [](const TrackSpan& span, std::int32_t key) { return span.track < key; });
    return it != spans.end() && it->track == track ? &*it : nullptr;
}

LifeCycle lifeCycle(std::uint32_t video, const Columns& columns, const Scale& scale, const IssueOptions& options) {
    LifeCycle life;
    std::unordered_map<std::int32_t, std::size_t> spanOf;
    Arena arena;
    struct Step {
        std::int64_t frame = 0;
        int tracks = 0;
    };
    std::vector<Step> changes;  // of the number of tracks that have begun and not ended
    for (const Slot& slot : columns.slots)
        for (std::size_t i = slot.begin; i < slot.end; ++i) {
            const Item& item = columns.items[i];
            if (item.track < 0 || !item.somewhere())
                continue;
            arena.add(item);
            const auto [known, isNew] = spanOf.try_emplace(item.track, life.spans.size());
            if (isNew) {
                life.spans.push_back({item.track, slot.frame, slot.frame, 1, item, item});
                continue;
            }
            TrackSpan& span = life.spans[known->second];
            const std::int64_t steps = slot.frame - span.last;
            if (steps == 0)
                continue;
            const double way = distance(span.lastItem, item);
            if (steps > 1 && way > scale.body)
                life.signals.push_back({SignalKind::Reappear, video, slot.frame, item.track, -1, item.id, 0,
                                        std::min(1.0, 0.4 + 0.2 * way / scale.body), way, static_cast<double>(steps)});
            span.last = slot.frame;
            span.lastItem = item;
            ++span.frames;
        }
    std::sort(life.spans.begin(), life.spans.end(),
              [](const TrackSpan& a, const TrackSpan& b) { return a.track < b.track; });

    std::int64_t begin = std::numeric_limits<std::int64_t>::max();
    std::vector<std::size_t> byEnd;
    for (std::size_t s = 0; s < life.spans.size(); ++s) {
        begin = std::min(begin, life.spans[s].first);
        byEnd.push_back(s);
        changes.push_back({life.spans[s].first, 1});
        changes.push_back({life.spans[s].last + 1, -1});
    }
    std::sort(byEnd.begin(), byEnd.end(),
              [&](std::size_t a, std::size_t b) { return life.spans[a].last < life.spans[b].last; });
    std::sort(changes.begin(), changes.end(),
              [](const Step& a, const Step& b) { return std::pair(a.frame, a.tracks) < std::pair(b.frame, b.tracks); });
    for (std::size_t k = 1; k < changes.size(); ++k)
        changes[k].tracks += changes[k - 1].tracks;
    for (const TrackSpan& span : life.spans) {
        if (span.first == begin)
            continue;
        double strength = 0.5;
        if (arena.toBorder(span.firstItem) > kInsideBodies * scale.body)
            strength += 0.2;
        auto end = std::lower_bound(byEnd.begin(), byEnd.end(), span.first - kEndFrames,
                                    [&](std::size_t s, std::int64_t frame) { return life.spans[s].last < frame; });
        for (; end != byEnd.end() && life.spans[*end].last < span.first; ++end)
            if (distance(life.spans[*end].lastItem, span.firstItem) < kEndBodies * scale.body) {
                strength += 0.2;
                break;
            }
        if (span.frames < kLastingFrames)
            strength += 0.1;
        if (options.animals) {
            const auto now = std::upper_bound(changes.begin(), changes.end(), span.first,
                                              [](std::int64_t frame, const Step& step) { return frame < step.frame; });
            if (now != changes.begin() && std::prev(now)->tracks > *options.animals)
                strength = 1;
        }
        life.signals.push_back({SignalKind::Birth, video, span.first, span.track, -1, span.firstItem.id, 0,
                                std::min(strength, 1.0), 0, 0});
    }
    std::stable_sort(life.signals.begin(), life.signals.end(), [](const Signal& a, const Signal& b) {
        return std::tuple(a.frame, a.kind, a.a) < std::tuple(b.frame, b.kind, b.a);
    });
    countRuns(columns, scale, options, life.counts);
    return life;
}

std::vector<Break> findBreaks(const LifeCycle& life, const Scale& scale, const IssueOptions& options) {
    const double reach = options.breakBodies * scale.body;
    std::vector<std::size_t> byStart(life.spans.size());
    for (std::size_t s = 0; s < byStart.size(); ++s)
        byStart[s] = s;
    std::sort(byStart.begin(), byStart.end(),
              [&](std::size_t a, std::size_t b) { return life.spans[a].first < life.spans[b].first; });
    std::vector<Break> possible;
    for (std::size_t from = 0; from < life.spans.size(); ++from) {
        const TrackSpan& a = life.spans[from];
        auto start = std::lower_bound(byStart.begin(), byStart.end(), a.last + 1,
                                      [&](std::size_t s, std::int64_t frame) { return life.spans[s].first < frame; });
        for (; start != byStart.end() && life.spans[*start].first <= a.last + options.breakFrames; ++start) {
            const double d = distance(a.lastItem, life.spans[*start].firstItem);
            if (d <= reach)
                possible.push_back({from, *start, d, false});
        }
    }
    std::sort(possible.begin(), possible.end(), [](const Break& x, const Break& y) {
        return std::tuple(x.distance, x.from, x.to) < std::tuple(y.distance, y.from, y.to);
    });
    std::unordered_map<std::size_t, int> choicesFrom, choicesTo;
    for (const Break& b : possible) {
        ++choicesFrom[b.from];
        ++choicesTo[b.to];
    }
    std::vector<bool> ended(life.spans.size(), false), begun(life.spans.size(), false);
    std::vector<Break> breaks;
    for (Break& b : possible) {
        if (ended[b.from] || begun[b.to])
            continue;
        ended[b.from] = begun[b.to] = true;
        b.ambiguous = choicesFrom[b.from] > 1 || choicesTo[b.to] > 1;
        breaks.push_back(b);
    }
    return breaks;
}

}  // namespace skein::proofread
