// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proofread/joins.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include "engine/project/edit/track_repair.h"
#include "engine/proofread/detail/columns.h"
#include "engine/tracking/tracklet_linker.h"

namespace skein::proofread {

namespace {

namespace edit = project::edit;

// A track of fewer frames may be one too many...
constexpr std::int64_t kShortTrack = 30;
// ...if on this share of them all animals are there without it.
constexpr double kSurplusShare = 0.8;

/// Short tracks beside as many longer ones as there usually are animals: something was found twice. They continue
/// nobody, and to leave them alone costs nothing, or the ends of real tracks would be spent on them.
std::set<std::int32_t> surplusTracks(const Columns& columns, std::size_t usualCount) {
    std::unordered_map<std::int32_t, std::int64_t> frames, surplus;
    for (const Item& item : columns.items)
        if (item.track >= 0)
            ++frames[item.track];
    for (const Slot& slot : columns.slots)
        for (std::size_t i = slot.begin; i < slot.end; ++i) {
            const std::int32_t track = columns.items[i].track;
            if (track < 0 || frames[track] >= kShortTrack)
                continue;
            std::size_t longer = 0;
            for (std::size_t k = slot.begin; k < slot.end; ++k)
                longer += columns.items[k].track >= 0 && frames[columns.items[k].track] > frames[track] ? 1 : 0;
            surplus[track] += longer >= usualCount ? 1 : 0;
        }
    std::set<std::int32_t> tracks;
    for (const auto& [track, count] : surplus)
        if (static_cast<double>(count) >= kSurplusShare * static_cast<double>(frames[track]))
            tracks.insert(track);
    return tracks;
}

void planVideo(const project::Labels& labels, std::uint32_t video, const JoinOptions& options,
               std::vector<ProposedJoin>& joins) {
    const Columns columns = columnsOf(labels, video);
    const Scale scale = scaleOf(columns, {}, 0.02);
    tracking::PlacedVideo placed;
    placed.bodySize = scale.body;
    if (scale.step95 > 0)
        placed.stepP95 = scale.step95;
    const std::set<std::int32_t> surplus = surplusTracks(columns, scale.usualCount);
    for (const Slot& slot : columns.slots) {
        for (std::size_t i = slot.begin; i < slot.end; ++i) {
            const Item& item = columns.items[i];
            tracking::PlacedInstance instance;
            instance.x = item.x;
            instance.y = item.y;
            instance.track = item.somewhere() && surplus.count(item.track) == 0 ? item.track : -1;
            // Boxes of incomplete poses are smaller, whoever it is.
            if (item.complete && item.diagonal() > 0)
                instance.size = static_cast<float>(std::log(item.diagonal()));
            placed.instances.push_back(instance);
        }
        placed.ends.push_back(placed.instances.size());
        placed.steps.push_back(slot.frame);
    }
    tracking::LinkOptions link;
    link.longestGap = options.longestGap;
    link.safeMargin = -std::numeric_limits<double>::infinity();
    // Each track is one piece: what is doubtful within tracks is a matter of swaps.
    link.tracklets.longestPause = std::numeric_limits<std::int64_t>::max();
    link.tracklets.swapStrength = 1;
    const tracking::LinkOutcome outcome = tracking::linkTracklets(placed, link);
    const auto& pieces = outcome.tracklets.list;
    for (const tracking::TrackletJoin& join : outcome.joins) {
        const tracking::Tracklet& from = pieces[static_cast<std::size_t>(join.from)];
        const tracking::Tracklet& to = pieces[static_cast<std::size_t>(join.to)];
        ProposedJoin proposal{video,        from.track, to.track,    from.lastStep,
                              to.firstStep, join.cost,  join.margin, join.margin >= options.safeMargin};
        if (options.animals) {
            const auto beside = std::count_if(pieces.begin(), pieces.end(), [&](const tracking::Tracklet& t) {
                return t.track != from.track && t.track != to.track && t.firstStep <= to.firstStep &&
                       t.lastStep >= to.firstStep;
            });
            proposal.safe = proposal.safe && beside < *options.animals;
        }
        joins.push_back(proposal);
    }
}

}  // namespace

TrackSummary summaryOf(const project::Labels& labels) {
    TrackSummary summary;
    for (std::uint32_t video = 0; video < labels.videos().size(); ++video) {
        struct Seen {
            std::int64_t last = 0, frames = 0;
        };
        std::map<std::int32_t, Seen> seen;
        for (const std::size_t row : labels.rowsOf(video)) {
            const project::FrameView frame = labels.frame(row);
            for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
                const std::int32_t track = frame.instance(i).header->track;
                if (track < 0)
                    continue;
                const auto [known, isNew] = seen.try_emplace(track, Seen{frame.frameIndex(), 1});
                if (isNew || frame.frameIndex() > known->second.last + 1)
                    ++summary.fragments;
                if (!isNew && frame.frameIndex() > known->second.last) {
                    known->second.last = frame.frameIndex();
                    ++known->second.frames;
                }
            }
        }
        summary.tracks += seen.size();
        for (const auto& [track, one] : seen)
            summary.longest = std::max(summary.longest, one.frames);
    }
    return summary;
}

Result<std::vector<ProposedJoin>> planJoins(const project::Labels& labels, const JoinOptions& options,
                                            const Progress& progress, std::stop_token stop) {
    std::vector<ProposedJoin> joins;
    for (std::uint32_t video = 0; video < labels.videos().size(); ++video) {
        if (stop.stop_requested())
            return fail(ErrorCode::Cancelled, "The search for joins was stopped.");
        if (progress)
            progress(static_cast<double>(video) / static_cast<double>(labels.videos().size()));
        planVideo(labels, video, options, joins);
    }
    std::stable_sort(joins.begin(), joins.end(),
                     [](const ProposedJoin& a, const ProposedJoin& b) { return a.margin > b.margin; });
    return joins;
}

edit::Outcome applyJoins(const project::Labels& labels, const std::vector<ProposedJoin>& joins, bool all) {
    std::vector<std::vector<std::int32_t>> become(labels.videos().size());
    const auto isTrack = [&labels](std::int32_t track) {
        return track >= 0 && static_cast<std::size_t>(track) < labels.tracks().size();
    };
    for (const ProposedJoin& join : joins) {
        if (!(all || join.safe) || join.video >= become.size() || !isTrack(join.from) || !isTrack(join.to))
            continue;
        auto& list = become[join.video];
        if (list.empty()) {
            list.resize(labels.tracks().size());
            std::iota(list.begin(), list.end(), 0);
        }
        list[static_cast<std::size_t>(join.to)] = join.from;
    }
    // A chain of joins ends at its first track; it cannot close, since each leads back in time.
    for (auto& list : become)
        for (std::int32_t& track : list)
            while (list[static_cast<std::size_t>(track)] != track)
                track = list[static_cast<std::size_t>(track)];
    return edit::joinAll(labels, become);
}

Result<Joined> joinUntilNone(const project::Labels& labels, const JoinOptions& options, bool all,
                             std::stop_token stop) {
    Joined joined;
    joined.labels = labels;
    for (;;) {
        auto joins = planJoins(joined.labels, options, {}, stop);
        if (!joins)
            return fail(std::move(joins.error()));
        edit::Outcome outcome = applyJoins(joined.labels, *joins, all);
        if (outcome.changed == 0) {
            joined.left = joins->size();
            return joined;
        }
        const auto name = [&joined](std::int32_t track) {
            return joined.labels.tracks()[static_cast<std::size_t>(track)].name;
        };
        for (const ProposedJoin& one : *joins)
            if (all || one.safe)
                joined.made.push_back({one, name(one.from), name(one.to)});
        joined.labels = std::move(outcome.labels);  // of fewer tracks each time, so that it comes to an end
    }
}

}  // namespace skein::proofread
