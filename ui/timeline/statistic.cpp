// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/statistic.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "ui/timeline/statistic_motion.h"
#include "ui/timeline/statistic_walk.h"

namespace skein::ui {

namespace {

using project::InstanceView;
using project::kNaN;
using project::Labels;
using project::Point;
using statistic::distance;
using statistic::Frame;
using statistic::isPrediction;
using statistic::neighbour;
using statistic::Reduction;
using statistic::walk;

/// A user instance was made from it: it is the same animal, and is not drawn.
bool isReplaced(const InstanceView& instance, const Frame& frame) {
    return isPrediction(instance) &&
           std::any_of(frame.instances.begin(), frame.instances.end(), [&](const InstanceView& other) {
               return !isPrediction(other) && other.header->fromPredicted == instance.header->id;
           });
}

/// It is an animal that a user instance shows too.
bool isOfUserInstance(const InstanceView& instance, const Frame& frame) {
    const auto isSame = [&instance](const InstanceView& other) {
        return !isPrediction(other) && other.header->track >= 0 && other.header->track == instance.header->track;
    };
    return isReplaced(instance, frame) ||
           (isPrediction(instance) && std::any_of(frame.instances.begin(), frame.instances.end(), isSame));
}

double instanceCount(const Frame& frame) {
    return static_cast<double>(std::count_if(frame.instances.begin(), frame.instances.end(),
                                             [&](const InstanceView& i) { return !isReplaced(i, frame); }));
}

double pointDisplacement(const Frame& frame, const Frame& before, Statistic statistic) {
    double total = 0;
    for (const InstanceView& instance : frame.instances) {
        const auto same =
            std::find_if(before.instances.begin(), before.instances.end(),
                         [&](const InstanceView& other) { return other.header->track == instance.header->track; });
        if (same == before.instances.end())
            continue;
        Reduction nodes;
        for (std::size_t n = 0; n < std::min(instance.points.size(), same->points.size()); ++n)
            nodes.add(distance(instance.points[n], same->points[n]));
        if (nodes.count() == 0)
            continue;
        if (statistic == Statistic::PointDisplacementMean)
            total += nodes.mean();
        else if (!nodes.isMissingSome())
            total += statistic == Statistic::PointDisplacementSum ? nodes.sum() : nodes.most(0);
    }
    return total;
}

/// Of predictions, or of their existing nodes.
double scores(const Frame& frame, Statistic statistic) {
    Reduction all;
    for (const InstanceView& instance : frame.instances) {
        if (statistic == Statistic::TrackingScoreMean || statistic == Statistic::TrackingScoreMin) {
            if (!std::isnan(instance.header->trackingScore))
                all.add(double(instance.header->trackingScore));
            continue;
        }
        if (!isPrediction(instance))
            continue;
        switch (statistic) {
            case Statistic::InstanceScoreSum:
            case Statistic::InstanceScoreMin:
            case Statistic::InstanceScoreMean:
                all.add(double(instance.header->score));
                break;
            default:
                for (const Point& point : instance.points)
                    if (point.exists())
                        all.add(point.score);
        }
    }
    switch (statistic) {
        case Statistic::TrackingScoreMin:
            return all.least(kNaN);
        case Statistic::InstanceScoreSum:
        case Statistic::PointScoreSum:
            return all.sum();
        case Statistic::InstanceScoreMin:
        case Statistic::PointScoreMin:
            return all.least(0);
        default:
            return all.mean();
    }
}

double predictedPoints(const Frame& frame) {
    std::int64_t count = 0;
    for (const InstanceView& instance : frame.instances)
        if (isPrediction(instance))
            count += std::count_if(instance.points.begin(), instance.points.end(),
                                   [](const Point& point) { return point.exists(); });
    return static_cast<double>(count);
}

double median(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

double minCentroidDistance(const Frame& frame) {
    std::vector<std::pair<double, double>> centroids;
    std::vector<double> xs, ys;
    for (const InstanceView& instance : frame.instances) {
        if (isOfUserInstance(instance, frame))
            continue;
        xs.clear();
        ys.clear();
        for (const Point& point : instance.points)
            if (point.exists()) {
                xs.push_back(point.x);
                ys.push_back(point.y);
            }
        if (!xs.empty())
            centroids.emplace_back(median(xs), median(ys));
    }
    double least = kNaN;
    for (std::size_t a = 0; a < centroids.size(); ++a)
        for (std::size_t b = a + 1; b < centroids.size(); ++b) {
            const double d =
                std::hypot(centroids[a].first - centroids[b].first, centroids[a].second - centroids[b].second);
            least = std::isnan(least) ? d : std::min(least, d);
        }
    return least;
}

double userPredictionDistance(const Frame& frame) {
    Reduction pairs;
    for (const InstanceView& user : frame.instances) {
        if (isPrediction(user))
            continue;
        const InstanceView* partner = nullptr;
        for (const InstanceView& other : frame.instances) {
            if (!isPrediction(other))
                continue;
            if (user.header->fromPredicted != 0 && other.header->id == user.header->fromPredicted) {
                partner = &other;
                break;
            }
            if (partner == nullptr && user.header->track >= 0 && other.header->track == user.header->track)
                partner = &other;
        }
        if (partner == nullptr)
            continue;
        Reduction nodes;
        for (std::size_t n = 0; n < std::min(user.points.size(), partner->points.size()); ++n)
            nodes.add(distance(user.points[n], partner->points[n]));
        if (nodes.count() > 0)
            pairs.add(nodes.mean());
    }
    return pairs.mean();
}

}  // namespace

std::optional<std::pair<double, double>> centreOf(std::span<const Point> points) {
    double x = 0, y = 0;
    std::int64_t count = 0;
    for (const Point& point : points)
        if (point.exists()) {
            x += point.x;
            y += point.y;
            ++count;
        }
    if (count == 0)
        return std::nullopt;
    return std::pair{x / static_cast<double>(count), y / static_cast<double>(count)};
}

std::vector<double> statisticOf(const Labels& labels, const StatisticRequest& request, std::int64_t first,
                                std::int64_t last) {
    if (last < first)
        return {};
    std::vector<double> values(static_cast<std::size_t>(last - first + 1), kNaN);
    const auto each = [&](const std::function<double(const Frame&)>& value) {
        walk(labels, request.video, first, last,
             [&](const Frame& frame) { values[static_cast<std::size_t>(frame.index - first)] = value(frame); });
    };
    switch (request.statistic) {
        case Statistic::InstanceCount:
            each(instanceCount);
            break;
        case Statistic::PointDisplacementSum:
        case Statistic::PointDisplacementMean:
        case Statistic::PointDisplacementMax: {
            std::optional<Frame> before = neighbour(labels, request.video, first, -1);
            each([&](const Frame& frame) {
                const double value = before ? pointDisplacement(frame, *before, request.statistic) : 0;
                before = frame;
                return value;
            });
            break;
        }
        case Statistic::PredictedPoints:
            each(predictedPoints);
            break;
        case Statistic::MinCentroidDistance:
            each(minCentroidDistance);
            break;
        case Statistic::PrimaryDisplacementSum:
        case Statistic::PrimaryDisplacementMax:
        case Statistic::TrackSpeed:
        case Statistic::SwapSuspicion:
            motionStatistic(labels, request, first, last, values);
            break;
        case Statistic::UserPredictionDistance:
            each(userPredictionDistance);
            break;
        default:
            each([&](const Frame& frame) { return scores(frame, request.statistic); });
    }
    return values;
}

std::pair<std::int64_t, std::int64_t> framesConcerned(const Labels& before, const Labels& after,
                                                      const StatisticRequest& request, std::int64_t first,
                                                      std::int64_t last, std::int64_t frames) {
    std::int64_t end = last;
    switch (request.statistic) {
        case Statistic::PointDisplacementSum:
        case Statistic::PointDisplacementMean:
        case Statistic::PointDisplacementMax:
            if (const auto next = after.nextFrame(request.video, last + 1))
                end = after.frame(*next).frameIndex();
            break;
        case Statistic::PrimaryDisplacementSum:
        case Statistic::PrimaryDisplacementMax:
        case Statistic::TrackSpeed:
        case Statistic::SwapSuspicion:
            end = motionReach(before, after, request, first, last);
            break;
        default:
            break;
    }
    return {std::max<std::int64_t>(first, 0), std::min(end, frames - 1)};
}

}  // namespace skein::ui
