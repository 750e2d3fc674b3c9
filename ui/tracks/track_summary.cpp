// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/track_summary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "ui/timeline/statistic.h"
#include "ui/timeline/statistic_walk.h"

namespace skein::ui {

namespace {

constexpr double kNear = 0.5;                 ///< body lengths
constexpr std::size_t kMostLengths = 20'000;  ///< of the instances that the body length is taken from

using project::InstanceView;
using statistic::Reduction;

double diagonal(const InstanceView& instance) {
    Reduction x, y;
    for (const project::Point& p : instance.points)
        if (p.exists()) {
            x.add(p.x);
            y.add(p.y);
        }
    return x.count() == 0 ? 0 : std::hypot(x.most(0) - x.least(0), y.most(0) - y.least(0));
}

/// Evenly spread over the video.
double medianBodyLength(const project::Labels& labels, std::uint32_t video) {
    const std::vector<std::size_t> rows = labels.rowsOf(video);
    const std::size_t stride = std::max<std::size_t>(1, rows.size() / 4000);
    std::vector<double> lengths;
    for (std::size_t r = 0; r < rows.size() && lengths.size() < kMostLengths; r += stride) {
        const project::FrameView frame = labels.frame(rows[r]);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i)
            if (const double length = diagonal(frame.instance(i)); length > 0)
                lengths.push_back(length);
    }
    if (lengths.empty())
        return project::kNaN;
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    return *middle;
}

struct Running {
    TrackSummary summary;
    Reduction scores, trackingScores, steps;
    std::optional<std::pair<double, double>> at;  ///< centre on the last frame that has one
    std::int64_t atFrame = -1, nearFrame = -2;
};

}  // namespace

TrackSummaries summarizeTracks(const project::Labels& labels, std::uint32_t video) {
    TrackSummaries result;
    result.video = video;
    result.bodyLength = medianBodyLength(labels, video);
    std::map<int, Running> all;
    struct Here {
        Running* running;
        const InstanceView* instance;
        bool user;
        std::optional<std::pair<double, double>> centre;
    };
    std::vector<Here> here;
    statistic::walk(labels, video, 0, std::numeric_limits<std::int64_t>::max(), [&](const statistic::Frame& frame) {
        here.clear();
        for (const InstanceView& instance : frame.instances) {
            const int track = instance.header->track;
            if (track < 0)
                continue;
            Running& running = all[track];
            if (statistic::isPrediction(instance)) {
                running.scores.add(double(instance.header->score));
                running.trackingScores.add(double(instance.header->trackingScore));
            }
            const bool user = !statistic::isPrediction(instance);
            const auto known =
                std::find_if(here.begin(), here.end(), [&running](const Here& h) { return h.running == &running; });
            if (known == here.end()) {
                here.push_back({&running, &instance, user, {}});
            } else if (user && !known->user) {
                known->instance = &instance;
                known->user = true;
            }
        }
        for (Here& h : here) {
            TrackSummary& s = h.running->summary;
            if (s.frames == 0) {
                s.track = h.instance->header->track;
                s.first = frame.index;
                s.fragments = 1;
            } else if (frame.index > s.last + 1) {
                ++s.fragments;
                s.longestGap = std::max(s.longestGap, frame.index - s.last - 1);
            }
            s.last = frame.index;
            ++s.frames;
            s.userFrames += h.user ? 1 : 0;
            h.centre = centreOf(h.instance->points);
            if (!h.centre)
                continue;
            if (h.running->at && h.running->atFrame == frame.index - 1) {
                const double step =
                    std::hypot(h.centre->first - h.running->at->first, h.centre->second - h.running->at->second);
                if (h.running->steps.count() == 0 || step > h.running->steps.most(0))
                    s.jumpFrame = frame.index;
                h.running->steps.add(step);
            }
            h.running->at = h.centre;
            h.running->atFrame = frame.index;
        }
        const double limit = kNear * result.bodyLength;
        for (std::size_t a = 0; a < here.size(); ++a)
            for (std::size_t b = a + 1; b < here.size(); ++b) {
                if (!here[a].centre || !here[b].centre ||
                    !(std::hypot(here[a].centre->first - here[b].centre->first,
                                 here[a].centre->second - here[b].centre->second) < limit))
                    continue;
                for (const std::size_t side : {a, b}) {
                    Running& running = *here[side].running;
                    running.summary.encounters += running.nearFrame < frame.index - 1 ? 1 : 0;
                    running.nearFrame = frame.index;
                }
            }
    });
    for (auto& [track, running] : all) {
        TrackSummary& s = running.summary;
        s.meanScore = running.scores.mean();
        s.minScore = running.scores.least(project::kNaN);
        s.meanTrackingScore = running.trackingScores.mean();
        s.meanSpeed = running.steps.mean();
        s.maxJump = running.steps.most(project::kNaN);
        result.tracks.push_back(s);
    }
    return result;
}

}  // namespace skein::ui
