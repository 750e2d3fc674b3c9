// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/edit/track_repair.h"

#include <algorithm>

namespace skein::project::edit {

namespace {

bool isTrack(const Labels& labels, std::int32_t track) {
    return track >= 0 && static_cast<std::size_t>(track) < labels.tracks().size();
}

/// Ascending; of all videos unless one is given.
std::vector<std::size_t> rowsOf(const Labels& labels, std::optional<std::uint32_t> video) {
    if (!video)
        return allRows(labels);
    std::vector<std::size_t> rows = labels.rowsOf(*video);
    std::sort(rows.begin(), rows.end());
    return rows;
}

void describeExtent(Outcome& outcome, std::optional<std::uint32_t> video) {
    outcome.extent.everywhere = !video;
    outcome.extent.video = video.value_or(0);
    outcome.extent.span = {0, kToEnd};
}

std::vector<std::size_t> rowsIn(const Labels& labels, std::uint32_t video, FrameSpan span) {
    std::vector<std::size_t> rows = labels.rowsBetween(video, span.first, span.last);
    std::sort(rows.begin(), rows.end());
    return rows;
}

/// What a track has on a frame: at most one user instance and one prediction.
struct Holding {
    const InstanceHeader* user = nullptr;
    const InstanceHeader* prediction = nullptr;
    [[nodiscard]] bool any() const { return user != nullptr || prediction != nullptr; }
};

Holding holdingOf(const std::vector<const InstanceHeader*>& headers, std::int32_t track) {
    Holding holding;
    for (const InstanceHeader* header : headers)
        if (header->track == track)
            (header->kind == InstanceKind::User ? holding.user : holding.prediction) = header;
    return holding;
}

bool collide(const Holding& a, const Holding& b) {
    return (a.user != nullptr && b.user != nullptr) || (a.prediction != nullptr && b.prediction != nullptr);
}

bool fromWins(const Holding& from, const Holding& into, JoinRule rule) {
    if (rule == JoinRule::UserFirst && (from.user != nullptr) != (into.user != nullptr))
        return from.user != nullptr;
    if (from.prediction == nullptr || into.prediction == nullptr)
        return false;
    return from.prediction->score > into.prediction->score;
}

/// Track -1, or the instances gone, where `concerned` says so.
template <class Concerned>
Outcome clearWhere(const Labels& labels, std::uint32_t video, FrameSpan span, std::int32_t track, bool withInstances,
                   Concerned concerned) {
    if (!isTrack(labels, track))
        return unchanged(labels);
    Outcome outcome = unchanged(labels);
    const std::vector<std::size_t> rows = rowsIn(labels, video, span);
    if (withInstances) {
        outcome.changed =
            outcome.labels.removeInstances(rows, [&](const FrameView& frame, const InstanceView& instance) {
                return instance.header->track == track && concerned(frame.frameIndex());
            });
    } else {
        outcome.labels.rewriteHeaders(rows, [&](const FrameView& frame, std::span<InstanceHeader> headers) {
            bool any = false;
            if (concerned(frame.frameIndex()))
                for (InstanceHeader& header : headers)
                    if (header.track == track) {
                        header.track = -1;
                        ++outcome.changed;
                        any = true;
                    }
            return any;
        });
    }
    outcome.extent.video = video;
    outcome.extent.span = span;
    return outcome.changed == 0 ? unchanged(labels) : outcome;
}

/// Tracks of `gone` that nothing has leave the list.
void dropUnused(Outcome& outcome, std::vector<std::int32_t> gone) {
    const std::vector<std::int32_t> unused = unusedTracks(outcome.labels);
    gone.erase(std::remove_if(gone.begin(), gone.end(),
                              [&](std::int32_t t) { return !std::binary_search(unused.begin(), unused.end(), t); }),
               gone.end());
    if (gone.empty())
        return;
    outcome.labels = deleteTracks(outcome.labels, gone, false).labels;
    outcome.extent.everywhere = true;  // indices have moved
    outcome.extent.tracks = true;
}

std::vector<const InstanceHeader*> headersOf(const FrameView& frame) {
    std::vector<const InstanceHeader*> headers;
    for (std::size_t i = 0; i < frame.instanceCount(); ++i)
        headers.push_back(frame.instance(i).header);
    return headers;
}

}  // namespace

std::vector<JoinConflict> joinConflicts(const Labels& labels, std::int32_t from, std::int32_t into,
                                        std::optional<std::uint32_t> video) {
    std::vector<JoinConflict> conflicts;
    if (from == into || !isTrack(labels, from) || !isTrack(labels, into))
        return conflicts;
    for (const std::size_t row : rowsOf(labels, video)) {
        const FrameView frame = labels.frame(row);
        const auto headers = headersOf(frame);
        const Holding a = holdingOf(headers, from), b = holdingOf(headers, into);
        if (!collide(a, b))
            continue;
        const bool users = a.user != nullptr && b.user != nullptr;
        conflicts.push_back({frame.video(), frame.frameIndex(), users ? a.user->id : a.prediction->id,
                             users ? b.user->id : b.prediction->id});
    }
    return conflicts;
}

Outcome joinTracks(const Labels& labels, std::int32_t from, std::int32_t into, JoinRule rule,
                   std::optional<std::uint32_t> video) {
    if (from == into || !isTrack(labels, from) || !isTrack(labels, into))
        return unchanged(labels);
    Outcome outcome = unchanged(labels);
    outcome.labels.rewriteHeaders(
        rowsOf(labels, video), [&](const FrameView& frame, std::span<InstanceHeader> headers) {
            const bool here = std::any_of(headers.begin(), headers.end(),
                                          [from](const InstanceHeader& header) { return header.track == from; });
            if (!here)
                return false;
            const auto before = headersOf(frame);
            const Holding a = holdingOf(before, from), b = holdingOf(before, into);
            const bool conflict = collide(a, b);
            if (conflict && rule == JoinRule::Leave)
                return false;
            const bool wins = !conflict || fromWins(a, b, rule);
            for (InstanceHeader& header : headers)
                if (header.track == from || (header.track == into && conflict && wins)) {
                    header.track = header.track == from && wins ? into : -1;
                    ++outcome.changed;
                }
            return true;
        });
    if (outcome.changed == 0)
        return unchanged(labels);
    describeExtent(outcome, video);
    dropUnused(outcome, {from});
    return outcome;
}

Outcome joinAll(const Labels& labels, std::span<const std::vector<std::int32_t>> become) {
    Outcome outcome = unchanged(labels);
    std::vector<std::int32_t> before;
    outcome.labels.rewriteHeaders(allRows(labels), [&](const FrameView& frame, std::span<InstanceHeader> headers) {
        if (frame.video() >= become.size())
            return false;
        const std::vector<std::int32_t>& list = become[frame.video()];
        const auto next = [&list](std::int32_t track) {
            const bool known = track >= 0 && static_cast<std::size_t>(track) < list.size();
            return known ? list[static_cast<std::size_t>(track)] : track;
        };
        const std::size_t changed = outcome.changed;
        before.clear();
        for (const InstanceHeader& header : headers)
            before.push_back(header.track);
        for (InstanceHeader& header : headers) {
            const std::int32_t track = header.track, wanted = next(track);
            if (wanted == track || !isTrack(labels, wanted))
                continue;
            // A track changes as a whole on a frame, so that a user instance and its prediction go together.
            const bool taken = std::any_of(before.begin(), before.end(), [&](std::int32_t other) {
                return other != track && next(other) == wanted && (other == wanted || other < track);
            });
            if (taken)
                continue;
            header.track = wanted;
            ++outcome.changed;
        }
        return outcome.changed > changed;
    });
    if (outcome.changed == 0)
        return unchanged(labels);
    outcome.extent.everywhere = true;
    std::vector<std::int32_t> gone;
    for (std::size_t t = 0; t < labels.tracks().size(); ++t)
        if (std::any_of(become.begin(), become.end(),
                        [t](const auto& list) { return t < list.size() && list[t] != static_cast<std::int32_t>(t); }))
            gone.push_back(static_cast<std::int32_t>(t));
    dropUnused(outcome, std::move(gone));
    return outcome;
}

Outcome clearTrack(const Labels& labels, std::uint32_t video, std::int32_t track, FrameSpan span, bool withInstances) {
    return clearWhere(labels, video, span, track, withInstances, [](std::int64_t) { return true; });
}

Outcome trimTrack(const Labels& labels, std::uint32_t video, std::int32_t track, FrameSpan keep, bool withInstances) {
    return clearWhere(labels, video, {0, kToEnd}, track, withInstances,
                      [keep](std::int64_t frame) { return frame < keep.first || frame > keep.last; });
}

Outcome flipSides(const Labels& labels, std::uint32_t video, std::int32_t track, FrameSpan span) {
    if (!isTrack(labels, track))
        return unchanged(labels);
    std::vector<std::size_t> rows;
    for (const std::size_t row : rowsIn(labels, video, span)) {
        const auto headers = headersOf(labels.frame(row));
        if (std::any_of(headers.begin(), headers.end(), [track](const auto* header) { return header->track == track; }))
            rows.push_back(row);
    }
    Outcome outcome = unchanged(labels);
    outcome.labels.rewriteFrames(rows, [&](FrameData& frame) {
        const std::size_t before = outcome.changed;
        for (InstanceData& instance : frame.instances) {
            if (instance.header.track != track || instance.header.skeleton >= labels.skeletons().size())
                continue;
            bool any = false;
            for (const auto& [left, right] : labels.skeletons()[instance.header.skeleton].symmetries) {
                const auto l = static_cast<std::size_t>(left), r = static_cast<std::size_t>(right);
                if (l >= instance.points.size() || r >= instance.points.size())
                    continue;
                std::swap(instance.points[l], instance.points[r]);
                any = true;
            }
            outcome.changed += any ? 1 : 0;
        }
        return outcome.changed > before;
    });
    outcome.extent.video = video;
    outcome.extent.span = span;
    return outcome.changed == 0 ? unchanged(labels) : outcome;
}

Outcome deleteInstancesIn(const Labels& labels, std::uint32_t video, FrameSpan span,
                          std::span<const InstanceId> instances) {
    Outcome outcome = unchanged(labels);
    outcome.changed = outcome.labels.removeInstances(
        rowsIn(labels, video, span), [&](const FrameView&, const InstanceView& instance) {
            return std::binary_search(instances.begin(), instances.end(), instance.header->id);
        });
    outcome.extent.video = video;
    outcome.extent.span = span;
    return outcome.changed == 0 ? unchanged(labels) : outcome;
}

}  // namespace skein::project::edit
