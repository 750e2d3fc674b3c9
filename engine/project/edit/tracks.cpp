// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/edit/tracks.h"

#include <algorithm>
#include <charconv>

namespace skein::project::edit {

namespace {

/// Rows of the span in ascending order, as bulk edits want them.
std::vector<std::size_t> rowsOf(const Labels& labels, std::uint32_t video, FrameSpan span) {
    std::vector<std::size_t> rows = labels.rowsBetween(video, span.first, span.last);
    // Most files hold their frames in order.
    if (!std::is_sorted(rows.begin(), rows.end()))
        std::sort(rows.begin(), rows.end());
    return rows;
}

bool isTrack(const Labels& labels, std::int32_t track) {
    return track >= 0 && static_cast<std::size_t>(track) < labels.tracks().size();
}

/// Number at the end of `name` after `prefix`; -1 when it is something else.
std::int64_t numberAfter(const std::string& name, std::string_view prefix) {
    if (name.size() <= prefix.size() || name.compare(0, prefix.size(), prefix) != 0)
        return -1;
    std::int64_t number = -1;
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + prefix.size(), end, number);
    return error == std::errc() && stop == end && number >= 0 ? number : -1;
}

/// Sets the track on one frame; whoever has it there loses it.
Outcome setHere(const Labels& labels, const Place& place, std::int32_t track) {
    const InstanceView view = find(labels, place);
    const InstanceId partner = view.header->fromPredicted;
    Outcome outcome = unchanged(labels);
    const std::size_t rows[] = {*labels.findFrame(place.video, place.frame)};
    outcome.labels.rewriteHeaders(rows, [&](const FrameView&, std::span<InstanceHeader> headers) {
        for (InstanceHeader& header : headers) {
            const bool meant = header.id == place.instance || (partner != 0 && header.id == partner) ||
                               header.fromPredicted == place.instance;
            if (!meant && track >= 0 && header.track == track) {
                header.track = -1;
                ++outcome.changed;
            } else if (meant && header.track != track) {
                header.track = track;
                ++outcome.changed;
            }
        }
        return outcome.changed > 0;
    });
    outcome.extent.video = place.video;
    outcome.extent.span = {place.frame, place.frame};
    return outcome.changed == 0 ? unchanged(labels) : outcome;
}

/// Whether the track is on an earlier frame of the video, on one after `last`, or in another video.
bool isElsewhere(const Labels& labels, std::int32_t track, const Place& place, std::int64_t last) {
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const FrameView frame = labels.frame(row);
        if (frame.video() == place.video && frame.frameIndex() >= place.frame && frame.frameIndex() <= last)
            continue;
        for (std::size_t i = 0; i < frame.instanceCount(); ++i)
            if (frame.instance(i).header->track == track)
                return true;
    }
    return false;
}

std::int32_t addTrack(Labels& labels, std::int64_t frame) {
    Track track;
    track.name = newTrackName(labels);
    track.spawnedOn = frame;
    labels.editTracks().push_back(std::move(track));
    return static_cast<std::int32_t>(labels.tracks().size()) - 1;
}

}  // namespace

std::string newTrackName(const Labels& labels) {
    std::int64_t named = -1, plain = -1;
    bool allPlain = !labels.tracks().empty();
    for (const Track& track : labels.tracks()) {
        named = std::max(named, numberAfter(track.name, "track_"));
        const std::int64_t number = numberAfter(track.name, "");
        plain = std::max(plain, number);
        allPlain = allPlain && number >= 0;
    }
    return allPlain ? std::to_string(plain + 1) : "track_" + std::to_string(named + 1);
}

Outcome setTrack(const Labels& labels, const Place& place, std::int32_t track, std::optional<FrameSpan> propagate) {
    const InstanceView view = find(labels, place);
    if (view.header == nullptr || view.header->track == track || (track != -1 && !isTrack(labels, track)))
        return unchanged(labels);
    if (!propagate || view.header->track < 0 || track < 0)
        return setHere(labels, place, track);
    return transposeTracks(labels, place.video, *propagate, view.header->track, track);
}

Outcome setNewTrack(const Labels& labels, const Place& place, std::optional<FrameSpan> propagate) {
    if (find(labels, place).header == nullptr)
        return unchanged(labels);
    Labels next = labels;
    const std::int32_t track = addTrack(next, place.frame);
    Outcome outcome = setTrack(next, place, track, propagate);
    outcome.extent.tracks = true;
    return outcome.changed == 0 ? unchanged(labels) : outcome;
}

Outcome transposeTracks(const Labels& labels, std::uint32_t video, FrameSpan span, std::int32_t a, std::int32_t b) {
    if (a == b || !isTrack(labels, a) || !isTrack(labels, b))
        return unchanged(labels);
    Outcome outcome = unchanged(labels);
    outcome.labels.rewriteHeaders(rowsOf(labels, video, span),
                                  [&](const FrameView&, std::span<InstanceHeader> headers) {
                                      const std::size_t before = outcome.changed;
                                      for (InstanceHeader& header : headers)
                                          if (header.track == a || header.track == b) {
                                              header.track = header.track == a ? b : a;
                                              ++outcome.changed;
                                          }
                                      return outcome.changed > before;
                                  });
    outcome.extent.video = video;
    outcome.extent.span = span;
    return outcome.changed == 0 ? unchanged(labels) : outcome;
}

Outcome transposeInstances(const Labels& labels, std::uint32_t video, std::int64_t frame, InstanceId a, InstanceId b,
                           std::optional<FrameSpan> propagate) {
    const InstanceView first = find(labels, {video, frame, a}), second = find(labels, {video, frame, b});
    if (first.header == nullptr || second.header == nullptr || first.header->track == second.header->track)
        return unchanged(labels);
    const std::int32_t trackA = first.header->track, trackB = second.header->track;
    if (trackA >= 0 && trackB >= 0)
        return transposeTracks(labels, video, propagate.value_or(FrameSpan{frame, frame}), trackA, trackB);
    // One of them has no track: it takes the other's, here.
    const InstanceHeader& without = trackA < 0 ? *first.header : *second.header;
    const InstanceHeader& with = trackA < 0 ? *second.header : *first.header;
    Outcome outcome = setHere(labels, {video, frame, without.id}, with.track);
    return outcome;
}

Outcome splitTrack(const Labels& labels, const Place& place, std::int64_t last) {
    const InstanceView view = find(labels, place);
    if (view.header == nullptr || view.header->track < 0)
        return unchanged(labels);
    const std::int32_t old = view.header->track;
    if (!isElsewhere(labels, old, place, last))
        return unchanged(labels);
    Labels next = labels;
    const std::int32_t made = addTrack(next, place.frame);
    // The new track is nowhere yet, so that exchanging them is all there is to it.
    Outcome outcome = transposeTracks(next, place.video, {place.frame, last}, old, made);
    outcome.extent.tracks = true;
    return outcome;
}

Outcome renameTrack(const Labels& labels, std::int32_t track, const std::string& name) {
    if (!isTrack(labels, track) || name.empty() || labels.tracks()[static_cast<std::size_t>(track)].name == name)
        return unchanged(labels);
    Outcome outcome = unchanged(labels);
    outcome.labels.editTracks()[static_cast<std::size_t>(track)].name = name;
    outcome.extent.everywhere = true;
    outcome.extent.tracks = true;
    outcome.extent.instances = false;
    outcome.changed = 1;
    return outcome;
}

Outcome deleteInstanceAndTrack(const Labels& labels, const Place& place, std::optional<FrameSpan> span) {
    const InstanceView view = find(labels, place);
    if (view.header == nullptr)
        return unchanged(labels);
    const std::int32_t track = view.header->track;
    Outcome outcome = unchanged(labels);
    if (track < 0) {
        const std::size_t rows[] = {*labels.findFrame(place.video, place.frame)};
        outcome.changed = outcome.labels.removeInstances(
            rows, [&](const FrameView&, const InstanceView& i) { return i.header->id == place.instance; });
        outcome.extent.video = place.video;
        outcome.extent.span = {place.frame, place.frame};
        return outcome;
    }
    bool elsewhere = false;
    const std::vector<std::size_t> all = allRows(labels);
    outcome.changed = outcome.labels.removeInstances(all, [&](const FrameView& frame, const InstanceView& i) {
        if (i.header->track != track)
            return false;
        const bool goes = frame.video() == place.video &&
                          (!span || (span->first <= frame.frameIndex() && frame.frameIndex() <= span->last));
        elsewhere = elsewhere || !goes;
        return goes;
    });
    if (!elsewhere) {
        const std::int32_t tracks[] = {track};
        outcome.labels = deleteTracks(outcome.labels, tracks, false).labels;
        outcome.extent.tracks = true;
    }
    outcome.extent.everywhere = true;
    return outcome;
}

Outcome deleteTracks(const Labels& labels, std::span<const std::int32_t> tracks, bool withInstances) {
    if (tracks.empty() || !isTrack(labels, tracks.front()) || !isTrack(labels, tracks.back()))
        return unchanged(labels);
    std::vector<std::int32_t> place(labels.tracks().size());  // new index of each track, -1 gone
    std::int32_t next = 0;
    for (std::size_t t = 0; t < place.size(); ++t)
        place[t] = std::binary_search(tracks.begin(), tracks.end(), static_cast<std::int32_t>(t)) ? -1 : next++;
    const auto newTrack = [&place](std::int32_t track) {
        return track >= 0 && static_cast<std::size_t>(track) < place.size() ? place[static_cast<std::size_t>(track)]
                                                                            : -1;
    };
    Outcome outcome = unchanged(labels);
    const std::vector<std::size_t> rows = allRows(labels);
    if (withInstances)
        outcome.labels.removeInstances(rows, [&](const FrameView&, const InstanceView& i) {
            return i.header->track >= 0 && newTrack(i.header->track) < 0;
        });
    outcome.labels.rewriteHeaders(rows, [&](const FrameView&, std::span<InstanceHeader> headers) {
        bool any = false;
        for (InstanceHeader& header : headers)
            if (header.track >= 0 && newTrack(header.track) != header.track) {
                header.track = newTrack(header.track);
                any = true;
            }
        return any;
    });
    auto& list = outcome.labels.editTracks();
    std::vector<Track> kept;
    for (std::size_t t = 0; t < list.size(); ++t)
        if (place[t] >= 0)
            kept.push_back(std::move(list[t]));
    outcome.changed = list.size() - kept.size();
    list = std::move(kept);
    outcome.extent.everywhere = true;
    outcome.extent.tracks = true;
    return outcome;
}

Labels onlyTracks(const Labels& labels, std::span<const std::int32_t> tracks) {
    std::vector<std::int32_t> others;
    for (std::int32_t t = 0; static_cast<std::size_t>(t) < labels.tracks().size(); ++t)
        if (!std::binary_search(tracks.begin(), tracks.end(), t))
            others.push_back(t);
    Labels kept = deleteTracks(labels, others, true).labels;
    kept.removeInstances(allRows(kept), [](const FrameView&, const InstanceView& i) { return i.header->track < 0; });
    return kept;
}

std::vector<std::int32_t> unusedTracks(const Labels& labels) {
    std::vector<bool> used(labels.tracks().size(), false);
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const FrameView frame = labels.frame(row);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const std::int32_t track = frame.instance(i).header->track;
            if (track >= 0 && static_cast<std::size_t>(track) < used.size())
                used[static_cast<std::size_t>(track)] = true;
        }
    }
    std::vector<std::int32_t> unused;
    for (std::size_t t = 0; t < used.size(); ++t)
        if (!used[t])
            unused.push_back(static_cast<std::int32_t>(t));
    return unused;
}

}  // namespace skein::project::edit
