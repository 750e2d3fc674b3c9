// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/statistic_motion.h"

#include <map>
#include <set>

#include "ui/timeline/statistic_walk.h"

namespace skein::ui {

namespace {

using project::InstanceView;
using project::kNaN;
using project::Labels;
using statistic::Frame;
using statistic::isPrediction;
using statistic::Reduction;
using statistic::walk;
using statistic::walkFrom;

/// Longest gap over which a swap is suspected, in frames.
constexpr std::int64_t kSwapReach = 5;

/// Where the tracks of a frame are: the centre of the user instance, else of the prediction.
std::vector<std::pair<int, std::pair<double, double>>> trackCentres(const Frame& frame) {
    std::map<int, std::pair<bool, std::pair<double, double>>> centres;
    for (const InstanceView& instance : frame.instances) {
        const int track = instance.header->track;
        const auto known = centres.find(track);
        if (track < 0 || (known != centres.end() && (known->second.first || isPrediction(instance))))
            continue;
        if (const auto centre = centreOf(instance.points))
            centres[track] = {!isPrediction(instance), *centre};
    }
    std::vector<std::pair<int, std::pair<double, double>>> list;
    for (const auto& [track, centre] : centres)
        list.emplace_back(track, centre.second);
    return list;
}

/// Suspicion that two tracks have exchanged animals (swap gain): with p the place where a track was last, at most five
/// frames ago, moved on by its speed there, `keep` is the way to where the tracks are now and `swap` the way to where
/// the other one is; (keep - swap) / (keep + swap) where that is positive. The largest over all pairs of a frame.
class SwapSuspicion {
public:
    double at(const Frame& frame) {
        const auto centres = trackCentres(frame);
        double most = 0;
        for (std::size_t a = 0; a < centres.size(); ++a) {
            const auto p = predicted(centres[a].first, frame.index);
            if (!p)
                continue;
            for (std::size_t b = a + 1; b < centres.size(); ++b) {
                const auto q = predicted(centres[b].first, frame.index);
                if (!q)
                    continue;
                const auto way = [](const std::pair<double, double>& from, const std::pair<double, double>& to) {
                    return std::hypot(from.first - to.first, from.second - to.second);
                };
                const double keep = way(*p, centres[a].second) + way(*q, centres[b].second);
                const double swap = way(*p, centres[b].second) + way(*q, centres[a].second);
                if (swap < keep)
                    most = std::max(most, (keep - swap) / (keep + swap));
            }
        }
        for (const auto& [track, centre] : centres) {
            State& state = m_states[track];
            const bool goesOn = state.seen && state.frame == frame.index - 1;
            state.vx = goesOn ? centre.first - state.x : 0;
            state.vy = goesOn ? centre.second - state.y : 0;
            state.x = centre.first;
            state.y = centre.second;
            state.frame = frame.index;
            state.seen = true;
        }
        return centres.size() < 2 ? kNaN : most;
    }

private:
    struct State {
        bool seen = false;
        std::int64_t frame = 0;
        double x = 0, y = 0, vx = 0, vy = 0;
    };
    [[nodiscard]] std::optional<std::pair<double, double>> predicted(int track, std::int64_t frame) const {
        const auto it = m_states.find(track);
        if (it == m_states.end() || frame - it->second.frame > kSwapReach)
            return std::nullopt;
        const auto steps = static_cast<double>(frame - it->second.frame);
        return std::pair{it->second.x + steps * it->second.vx, it->second.y + steps * it->second.vy};
    }
    std::map<int, State> m_states;
};

/// Displacement of one node a track, against where the track was last.
class PrimaryDisplacement {
public:
    PrimaryDisplacement(int node, bool sum) : m_node(node), m_sum(sum) {}

    /// Frame `index`, recorded or not (`frame` null). Frames come in order; those between records may be left out but
    /// for the first of each gap.
    double at(std::int64_t index, const Frame* frame) {
        const bool lackedBefore = m_lackedAt == index - 1;
        bool lacks = false;
        std::map<int, Place> places;  // the last instance of a track counts
        if (frame != nullptr)
            for (const InstanceView& instance : frame->instances) {
                if (instance.header->track < 0)
                    continue;
                const auto node = static_cast<std::size_t>(m_node);
                const bool has = node < instance.points.size() && instance.points[node].exists();
                Place& place = places[instance.header->track];
                place.has = has;
                if (has)
                    place.last = {instance.points[node].x, instance.points[node].y};
                place.any = place.any || has;
            }
        Reduction all;
        for (const auto& [track, place] : places) {
            const auto before = m_last.find(track);
            if (!place.has)
                lacks = true;
            else if (before != m_last.end())
                all.add(std::hypot(place.last.first - before->second.first, place.last.second - before->second.second));
            if (place.any)
                m_last[track] = place.last;
        }
        if (lacks)
            m_lackedAt = index;
        return lacks || lackedBefore ? 0 : m_sum ? all.sum() : all.most(0);
    }
    void remember(int track, std::pair<double, double> place) { m_last.emplace(track, place); }
    [[nodiscard]] bool knows(int track) const { return m_last.contains(track); }

private:
    struct Place {
        bool has = false, any = false;
        std::pair<double, double> last;
    };
    int m_node;
    bool m_sum;
    std::map<int, std::pair<double, double>> m_last;
    std::int64_t m_lackedAt = -2;
};

std::set<int> tracksBetween(const Labels& labels, std::uint32_t video, std::int64_t first, std::int64_t last) {
    std::set<int> tracks;
    walk(labels, video, first, last, [&tracks](const Frame& frame) {
        for (const InstanceView& instance : frame.instances)
            if (instance.header->track >= 0)
                tracks.insert(instance.header->track);
    });
    return tracks;
}

void primaryDisplacement(const Labels& labels, const StatisticRequest& request, std::int64_t first, std::int64_t last,
                         std::vector<double>& values) {
    PrimaryDisplacement displacement(request.primaryNode, request.statistic == Statistic::PrimaryDisplacementSum);
    if (first > 0) {
        // Where the tracks of these frames were last.
        std::set<int> open = tracksBetween(labels, request.video, first, last);
        walkFrom(labels, request.video, first, -1, [&](const Frame& frame) {
            for (auto it = frame.instances.rbegin(); it != frame.instances.rend(); ++it) {
                const auto node = static_cast<std::size_t>(request.primaryNode);
                if (!open.contains(it->header->track) || node >= it->points.size() || !it->points[node].exists())
                    continue;
                displacement.remember(it->header->track, {it->points[node].x, it->points[node].y});
                open.erase(it->header->track);
            }
            return !open.empty();
        });
        // Whether a track lacked the node on the frame just before.
        walk(labels, request.video, first - 1, first - 1,
             [&](const Frame& frame) { (void)displacement.at(frame.index, &frame); });
    }
    std::fill(values.begin(), values.end(), 0.0);
    walk(labels, request.video, first, last, [&](const Frame& frame) {
        values[static_cast<std::size_t>(frame.index - first)] = displacement.at(frame.index, &frame);
    });
}

void trackSpeed(const Labels& labels, const StatisticRequest& request, std::int64_t first, std::int64_t last,
                std::vector<double>& values) {
    std::optional<std::pair<std::int64_t, std::pair<double, double>>> before;
    const auto placeOn = [&](const Frame& frame) -> std::optional<std::pair<double, double>> {
        for (const auto& [track, centre] : trackCentres(frame))
            if (track == request.track)
                return centre;
        return std::nullopt;
    };
    walkFrom(labels, request.video, first, -1, [&](const Frame& frame) {
        if (const auto place = placeOn(frame))
            before = {frame.index, *place};
        return !before;
    });
    walk(labels, request.video, first, last, [&](const Frame& frame) {
        const auto place = placeOn(frame);
        if (!place)
            return;
        if (before)
            values[static_cast<std::size_t>(frame.index - first)] =
                std::hypot(place->first - before->second.first, place->second - before->second.second) /
                static_cast<double>(frame.index - before->first);
        before = {frame.index, *place};
    });
}

}  // namespace

void motionStatistic(const Labels& labels, const StatisticRequest& request, std::int64_t first, std::int64_t last,
                     std::vector<double>& values) {
    if (request.statistic == Statistic::TrackSpeed)
        return trackSpeed(labels, request, first, last, values);
    if (request.statistic != Statistic::SwapSuspicion)
        return primaryDisplacement(labels, request, first, last, values);
    SwapSuspicion suspicion;
    walk(labels, request.video, first - kSwapReach - 1, first - 1,
         [&](const Frame& frame) { (void)suspicion.at(frame); });
    walk(labels, request.video, first, last,
         [&](const Frame& frame) { values[static_cast<std::size_t>(frame.index - first)] = suspicion.at(frame); });
}

std::int64_t motionReach(const Labels& before, const Labels& after, const StatisticRequest& request, std::int64_t first,
                         std::int64_t last) {
    if (request.statistic == Statistic::SwapSuspicion)
        return last + kSwapReach + 1;
    // Up to where each track that was or is on these frames is seen next.
    std::set<int> open = tracksBetween(before, request.video, first, last);
    open.merge(tracksBetween(after, request.video, first, last));
    if (request.statistic == Statistic::TrackSpeed)
        std::erase_if(open, [&](int track) { return track != request.track; });
    std::int64_t end = last + 1;
    if (open.empty())
        return end;
    walkFrom(after, request.video, last, 1, [&](const Frame& frame) {
        for (const InstanceView& instance : frame.instances) {
            const auto node = static_cast<std::size_t>(request.primaryNode);
            if (request.statistic == Statistic::TrackSpeed
                    ? centreOf(instance.points).has_value()
                    : node < instance.points.size() && instance.points[node].exists())
                open.erase(instance.header->track);
        }
        end = std::max(end, frame.index);
        return !open.empty();
    });
    return end;
}

}  // namespace skein::ui
