// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/proofread_signals/candidates.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>

#include "engine/base/assignment.h"
#include "engine/tracking/track_labels.h"

namespace skein::bench {

namespace {

using project::InstanceView;
using project::Labels;

constexpr std::int64_t kBelieved = 5;  // frames over which a movement is extrapolated
constexpr std::size_t kVelocity = 5;   // places that it is taken from

struct Place {
    std::int64_t frame = 0;
    double x = 0, y = 0;
};

Place centreOf(std::int64_t frame, const InstanceView& instance) {
    Place place{frame};
    int count = 0;
    for (const project::Point& p : instance.points)
        if (p.exists()) {
            place.x += p.x;
            place.y += p.y;
            ++count;
        }
    place.x /= count;
    place.y /= count;
    return place;
}

/// Calls visit(frame, instance) for everything with a track, in order of time.
template <class Visit>
void eachTracked(const Labels& labels, Visit visit) {
    for (std::size_t row = 0; row < labels.frameCount(); ++row)
        for (std::size_t i = 0; i < labels.frame(row).instanceCount(); ++i)
            if (const InstanceView instance = labels.frame(row).instance(i); instance.header->track >= 0)
                visit(labels.frame(row).frameIndex(), instance);
}

/// A detection is known by where it is.
using Key = std::tuple<std::int64_t, double, double>;
Key keyOf(std::int64_t frame, const InstanceView& instance) {
    const Place place = centreOf(frame, instance);
    return {frame, place.x, place.y};
}

/// Each detection's predecessor in its track.
std::map<Key, std::pair<Key, std::int32_t>> linksOf(const Labels& labels, bool reversed, std::int64_t last) {
    std::map<std::int32_t, std::vector<Key>> tracks;
    eachTracked(labels, [&](std::int64_t frame, const InstanceView& instance) {
        tracks[instance.header->track].push_back(keyOf(reversed ? last - frame : frame, instance));
    });
    std::map<Key, std::pair<Key, std::int32_t>> links;
    for (auto& [track, keys] : tracks) {
        std::sort(keys.begin(), keys.end());
        for (std::size_t i = 1; i < keys.size(); ++i)
            links[keys[i]] = {keys[i - 1], track};
    }
    return links;
}

std::vector<CandidateSign> backward(const Labels& detections, const Labels& tracked,
                                    const tracking::TrackerOptions& options) {
    const std::int64_t last = detections.frame(detections.frameCount() - 1).frameIndex();
    Labels reversed;
    reversed.editVideos() = detections.videos();
    reversed.editSkeletons() = detections.skeletons();
    for (std::size_t row = detections.frameCount(); row-- > 0;) {
        project::FrameData frame = detections.frame(row).toData();
        frame.frameIndex = last - frame.frameIndex;
        reversed.appendFrame(frame);
    }
    if (!tracking::trackLabels(reversed, options))
        throw std::runtime_error("cannot track backwards");
    const auto forth = linksOf(tracked, false, last), back = linksOf(reversed, true, last);
    std::vector<CandidateSign> signs;
    for (const auto& [key, link] : forth)
        if (const auto other = back.find(key); other == back.end() || other->second.first != link.first)
            signs.push_back({std::get<0>(key), link.second, -1, 1});
    return signs;
}

double median(std::vector<double> values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double bodyOf(const Labels& labels) {
    std::vector<double> diagonals;
    eachTracked(labels, [&](std::int64_t, const InstanceView& instance) {
        double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
        for (const project::Point& p : instance.points)
            if (p.exists()) {
                left = std::min(left, p.x);
                right = std::max(right, p.x);
                top = std::min(top, p.y);
                bottom = std::max(bottom, p.y);
            }
        diagonals.push_back(std::hypot(right - left, bottom - top));
    });
    return median(diagonals);
}

double costOf(std::span<const double> costs, std::size_t rows, std::size_t columns) {
    double sum = 0;
    const auto pairs = assign(costs, rows, columns);
    for (const AssignedPair& pair : pairs)
        sum += costs[static_cast<std::size_t>(pair.row) * columns + static_cast<std::size_t>(pair.column)];
    return pairs.size() < std::min(rows, columns) ? INFINITY : sum;
}

/// By how much the second best assignment is worse than the best, and the rows of the pair in which they differ.
std::pair<double, std::size_t> marginOf(std::vector<double> costs, std::size_t rows, std::size_t columns) {
    const double best = costOf(costs, rows, columns);
    std::pair<double, std::size_t> least{INFINITY, 0};
    for (const AssignedPair& pair : assign(costs, rows, columns)) {
        double& cell = costs[static_cast<std::size_t>(pair.row) * columns + static_cast<std::size_t>(pair.column)];
        const double kept = std::exchange(cell, INFINITY);
        const double other = costOf(costs, rows, columns) - best;
        cell = kept;
        if (other < least.first)
            least = {other, static_cast<std::size_t>(pair.row)};
    }
    return least;
}

std::vector<CandidateSign> margins(const Labels& tracked) {
    const double limit = 0.1 * bodyOf(tracked);
    std::map<std::int32_t, std::deque<Place>> trails;
    std::vector<CandidateSign> signs;
    for (std::size_t row = 0; row < tracked.frameCount(); ++row) {
        const project::FrameView frame = tracked.frame(row);
        std::vector<std::pair<std::int32_t, Place>> expected, found;
        for (const auto& [track, trail] : trails) {
            const Place &last = trail.back(), &first = trail.front();
            const auto steps = static_cast<double>(std::max<std::int64_t>(1, last.frame - first.frame));
            const auto ahead = static_cast<double>(frame.frameIndex() - last.frame);
            if (frame.frameIndex() - last.frame <= kBelieved)
                expected.push_back({track,
                                    {frame.frameIndex(), last.x + ahead * (last.x - first.x) / steps,
                                     last.y + ahead * (last.y - first.y) / steps}});
        }
        for (std::size_t i = 0; i < frame.instanceCount(); ++i)
            if (frame.instance(i).header->track >= 0)
                found.emplace_back(frame.instance(i).header->track, centreOf(frame.frameIndex(), frame.instance(i)));
        std::vector<double> costs;
        for (const auto& from : expected)
            for (const auto& to : found)
                costs.push_back(std::hypot(from.second.x - to.second.x, from.second.y - to.second.y));
        if (expected.size() > 1 && !found.empty())
            if (const auto [margin, at] = marginOf(costs, expected.size(), found.size()); margin < limit)
                signs.push_back({frame.frameIndex(), expected[at].first, -1, 1 - margin / limit});
        for (const auto& [track, place] : found) {
            trails[track].push_back(place);
            while (trails[track].size() > kVelocity || place.frame - trails[track].front().frame > kBelieved)
                trails[track].pop_front();
        }
    }
    return signs;
}

std::vector<CandidateSign> forced(const Labels& tracked) {
    constexpr std::size_t kFrames = 50;
    std::map<std::int32_t, std::deque<double>> scores;
    std::vector<CandidateSign> signs;
    eachTracked(tracked, [&](std::int64_t frame, const InstanceView& instance) {
        auto& past = scores[instance.header->track];
        const double score = static_cast<double>(instance.header->trackingScore);
        if (!past.empty()) {
            const double usual = median({past.begin(), past.end()});
            if (!(score >= 0.1 * usual))
                signs.push_back({frame, instance.header->track, -1, 1});
        }
        if (std::isfinite(score))
            past.push_back(score);
        if (past.size() > kFrames)
            past.pop_front();
    });
    return signs;
}

struct Mean {
    double value = 0, error2 = 0;  ///< squared standard error
};
Mean meanOf(const std::vector<double>& values, std::size_t first, std::size_t count) {
    Mean mean;
    for (std::size_t i = first; i < first + count; ++i)
        mean.value += values[i] / static_cast<double>(count);
    for (std::size_t i = first; i < first + count; ++i)
        mean.error2 += (values[i] - mean.value) * (values[i] - mean.value);
    mean.error2 /= static_cast<double>(count * (count - 1));
    return mean;
}

constexpr std::size_t kFrames = 10;  // before and after
struct SizeSeries {
    std::vector<std::int64_t> frames;
    std::vector<double> lengths;

    /// In standard errors; 0: below 8 %, or too near an end.
    [[nodiscard]] double change(std::size_t i) const {
        if (i < kFrames || i + kFrames > lengths.size())
            return 0;
        const Mean before = meanOf(lengths, i - kFrames, kFrames), after = meanOf(lengths, i, kFrames);
        const double by = std::fabs(after.value - before.value);
        return by > 0.08 ? by / std::sqrt(before.error2 + after.error2) : 0;
    }
};

/// Of the nodes that are most often there together (within a tenth), those farthest apart on average.
std::pair<std::size_t, std::size_t> endsOf(const Labels& tracked) {
    struct Pair {
        double count = 0, sum = 0;
    };
    std::map<std::pair<std::size_t, std::size_t>, Pair> pairs;
    eachTracked(tracked, [&](std::int64_t, const InstanceView& instance) {
        for (std::size_t a = 0; a < instance.points.size(); ++a)
            for (std::size_t b = a + 1; b < instance.points.size(); ++b)
                if (instance.points[a].exists() && instance.points[b].exists()) {
                    Pair& pair = pairs[{a, b}];
                    ++pair.count;
                    pair.sum += std::hypot(instance.points[a].x - instance.points[b].x,
                                           instance.points[a].y - instance.points[b].y);
                }
    });
    double most = 0, farthest = 0;
    for (const auto& [nodes, pair] : pairs)
        most = std::max(most, pair.count);
    std::pair<std::size_t, std::size_t> ends;
    for (const auto& [nodes, pair] : pairs)
        if (pair.count >= 0.9 * most && pair.sum / pair.count > farthest) {
            farthest = pair.sum / pair.count;
            ends = nodes;
        }
    return ends;
}

std::vector<CandidateSign> sizes(const Labels& tracked) {
    const auto ends = endsOf(tracked);
    std::map<std::int32_t, SizeSeries> tracks;
    eachTracked(tracked, [&](std::int64_t frame, const InstanceView& instance) {
        const project::Point &head = instance.points[ends.first], &tail = instance.points[ends.second];
        if (!head.exists() || !tail.exists())
            return;
        tracks[instance.header->track].frames.push_back(frame);
        tracks[instance.header->track].lengths.push_back(std::log(std::hypot(head.x - tail.x, head.y - tail.y)));
    });
    std::vector<CandidateSign> signs;
    for (const auto& [track, series] : tracks)
        for (std::size_t i = kFrames; i + kFrames <= series.lengths.size(); ++i)
            // Many frames around a change tell of it; where it is clearest it happened.
            if (const double z = series.change(i); z > 4 && z >= series.change(i - 1) && z > series.change(i + 1))
                signs.push_back({series.frames[i], track, -1, std::min(1.0, z / 12)});
    return signs;
}

}  // namespace

std::vector<CandidateSign> signsOf(Candidate candidate, const Labels& detections, const Labels& tracked,
                                   const tracking::TrackerOptions& options) {
    switch (candidate) {
        case Candidate::Backward:
            return backward(detections, tracked, options);
        case Candidate::Margin:
            return margins(tracked);
        case Candidate::Forced:
            return forced(tracked);
        case Candidate::Size:
            break;
    }
    return sizes(tracked);
}

}  // namespace skein::bench
