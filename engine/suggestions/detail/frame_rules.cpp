// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "engine/base/assignment.h"
#include "engine/suggestions/detail/rules.h"

namespace skein::suggestions::detail {

using project::FrameView;
using project::InstanceKind;
using project::InstanceView;
using project::Point;

namespace {

/// Stops are looked for every so many frames: often enough for a person, seldom enough to cost nothing.
constexpr std::size_t kFramesPerLook = 1024;

bool isStopped(const VideoTask& task, std::size_t done) {
    return done % kFramesPerLook == 0 && task.around.stop.stop_requested();
}

/// Three significant digits.
std::string figure(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", value);
    return text.data();
}

/// Rows of the video in frame order, the first of each frame.
std::vector<std::size_t> firstRows(const project::Labels& labels, std::uint32_t video) {
    std::vector<std::size_t> rows = labels.rowsOf(video);
    rows.erase(std::unique(rows.begin(), rows.end(),
                           [&labels](std::size_t a, std::size_t b) {
                               return labels.frame(a).frameIndex() == labels.frame(b).frameIndex();
                           }),
               rows.end());
    return rows;
}

double meanNodeScore(const InstanceView& instance) {
    double sum = 0;
    int count = 0;
    for (const Point& p : instance.points)
        if (p.exists()) {
            sum += p.score;
            ++count;
        }
    return count == 0 ? project::kNaN : sum / count;
}

/// Mean distance of the nodes that both have; NaN when there is none.
double meanDistance(std::span<const Point> a, std::span<const Point> b) {
    double sum = 0;
    int count = 0;
    for (std::size_t n = 0; n < std::min(a.size(), b.size()); ++n)
        if (a[n].exists() && b[n].exists()) {
            sum += std::hypot(a[n].x - b[n].x, a[n].y - b[n].y);
            ++count;
        }
    return count == 0 ? project::kNaN : sum / count;
}

}  // namespace

void shownOn(const FrameView& frame, std::vector<InstanceView>& shown) {
    shown.clear();
    for (std::size_t i = 0; i < frame.instanceCount(); ++i)
        shown.push_back(frame.instance(i));
    const std::size_t all = shown.size();
    for (std::size_t i = 0; i < all; ++i) {
        const project::InstanceId replaced = frame.instance(i).header->fromPredicted;
        if (replaced != 0)
            std::erase_if(shown, [&](const InstanceView& other) {
                return other.header->kind == InstanceKind::Predicted && other.header->id == replaced;
            });
    }
}

/// Calls work(frame, what is shown on it) for each frame with labels, until the task is stopped.
template <class Work>
void forEachFrame(const VideoTask& task, Work work) {
    std::vector<InstanceView> shown;
    std::size_t done = 0;
    for (const std::size_t row : firstRows(task.labels, task.video)) {
        if (isStopped(task, done++))
            return;
        const FrameView frame = task.labels.frame(row);
        shownOn(frame, shown);
        work(frame, shown);
    }
}

Found predictionScore(const VideoTask& task, const PredictionScore& method) {
    Found found;
    forEachFrame(task, [&](const FrameView& frame, const std::vector<InstanceView>& shown) {
        int low = 0;
        double lowest = std::numeric_limits<double>::infinity();
        for (const InstanceView& instance : shown) {
            if (instance.header->kind != InstanceKind::Predicted)
                continue;
            const double score = method.byNodes ? meanNodeScore(instance) : double(instance.header->score);
            if (!(method.byNodes ? score < method.limit : score <= method.limit))
                continue;
            ++low;
            lowest = std::min(lowest, score);
        }
        if (low < method.least || low > method.most)
            return;
        const std::string what = method.byNodes ? "node score " : "score ";
        found.push_back({task.video, frame.frameIndex(), 0, low > 0 ? what + figure(lowest) : "no low score"});
    });
    return found;
}

Found velocity(const VideoTask& task, const Velocity& method) {
    const auto& skeletons = task.labels.skeletons();
    if (skeletons.empty() || task.frames < 2)
        return {};
    const auto node = static_cast<std::size_t>(skeletons.front().nodeIndex(method.node).value_or(0));
    struct TrackState {
        double x = 0, y = 0;
        bool seen = false;
    };
    std::vector<TrackState> tracks(task.labels.tracks().size());
    bool lackedBefore = false;  ///< on the frame before, a track that was seen already was there without the node
    struct Way {
        std::int64_t frame;
        double length;
    };
    std::vector<Way> ways;
    struct Seen {
        std::int32_t track;
        bool has;
        double x, y;
    };
    std::vector<Seen> here;
    std::int64_t before = -2;
    std::size_t done = 0;
    for (const std::size_t row : firstRows(task.labels, task.video)) {
        if (isStopped(task, done++))
            return {};
        const FrameView frame = task.labels.frame(row);
        const std::int64_t now = frame.frameIndex();
        if (now >= task.frames)
            break;
        here.clear();
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const InstanceView instance = frame.instance(i);
            const std::int32_t track = instance.header->track;
            if (track < 0 || static_cast<std::size_t>(track) >= tracks.size())
                continue;
            const bool has = node < instance.points.size() && instance.points[node].exists();
            const Seen seen{track, has, has ? instance.points[node].x : 0, has ? instance.points[node].y : 0};
            // Of several instances of one track the last one counts.
            const auto it = std::find_if(here.begin(), here.end(), [&](const Seen& s) { return s.track == track; });
            if (it == here.end())
                here.push_back(seen);
            else
                *it = seen;
        }
        double length = 0;
        bool lacks = false;
        for (const Seen& seen : here) {
            TrackState& state = tracks[static_cast<std::size_t>(seen.track)];
            if (!seen.has) {
                lacks = lacks || state.seen;
                continue;
            }
            if (state.seen)
                length += std::hypot(seen.x - state.x, seen.y - state.y);
            state = {seen.x, seen.y, true};
        }
        const bool unknown = lacks || (lackedBefore && before == now - 1);
        if (now > 0)
            ways.push_back({now - 1, unknown ? 0 : length});
        lackedBefore = lacks;
        before = now;
    }
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const Way& way : ways) {
        least = std::min(least, way.length);
        most = std::max(most, way.length);
    }
    // Where nothing is recorded nothing moves.
    if (static_cast<std::int64_t>(ways.size()) < task.frames - 1)
        least = 0;
    Found found;
    for (const Way& way : ways)
        if (way.length - least > (most - least) * method.threshold)
            found.push_back({task.video, way.frame, 0, "moves " + figure(way.length) + " px"});
    return found;
}

Found displacement(const VideoTask& task, const MaxPointDisplacement& method) {
    const std::vector<std::size_t> rows = firstRows(task.labels, task.video);
    std::vector<InstanceView> shown;
    bool single = task.labels.tracks().empty();
    for (std::size_t r = 0; single && r < rows.size(); ++r) {
        shownOn(task.labels.frame(rows[r]), shown);
        single = shown.size() <= 1;
    }
    // Of each track its user instance, else the last prediction.
    struct Tracked {
        std::int32_t track;
        InstanceView instance;
    };
    const auto gather = [&](std::size_t row, std::vector<Tracked>& out) {
        out.clear();
        shownOn(task.labels.frame(row), shown);
        for (const InstanceView& instance : shown) {
            const std::int32_t track = single ? 0 : instance.header->track;
            if (track < 0)
                continue;
            const auto it = std::find_if(out.begin(), out.end(), [&](const Tracked& t) { return t.track == track; });
            if (it == out.end())
                out.push_back({track, instance});
            else if (instance.header->kind == InstanceKind::User ||
                     it->instance.header->kind == InstanceKind::Predicted)
                it->instance = instance;
        }
    };
    Found found;
    std::vector<Tracked> now, before;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        if (isStopped(task, r))
            break;
        const std::int64_t frame = task.labels.frame(rows[r]).frameIndex();
        gather(rows[r], now);
        if (r > 0 && task.labels.frame(rows[r - 1]).frameIndex() == frame - 1) {
            double most = 0;
            for (const Tracked& one : now)
                for (const Tracked& other : before)
                    if (one.track == other.track)
                        if (const double way = meanDistance(one.instance.points, other.instance.points); way > most)
                            most = way;
            if (most > method.pixels)
                found.push_back({task.video, frame, 0, "moved " + figure(most) + " px"});
        }
        std::swap(now, before);
    }
    return found;
}

Found instanceCount(const VideoTask& task, const InstanceCount& method) {
    Found found;
    forEachFrame(task, [&](const FrameView& frame, const std::vector<InstanceView>& shown) {
        if (static_cast<std::int64_t>(shown.size()) != method.expected)
            found.push_back({task.video, frame.frameIndex(), 0,
                             std::to_string(shown.size()) + (shown.size() == 1 ? " instance" : " instances")});
    });
    return found;
}

namespace {

std::string baseName(const std::string& path) {
    const std::size_t slash = path.find_last_of("/\\");
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// The video of `other` that is this one.
std::optional<std::uint32_t> counterpart(const VideoTask& task, const project::Labels& other) {
    const project::Video& video = task.labels.videos()[task.video];
    std::optional<std::uint32_t> found;
    for (std::uint32_t v = 0; v < other.videos().size(); ++v)
        if (baseName(other.videos()[v].filename) == baseName(video.filename) &&
            other.videos()[v].dataset == video.dataset && (!found || v == task.video))
            found = v;
    if (!found && task.video < other.videos().size())
        found = task.video;
    return found;
}

}  // namespace

Found disagreement(const VideoTask& task, const Disagreement& method) {
    const project::Labels& other = *method.other;
    const auto theirs = counterpart(task, other);
    if (!theirs)
        return {};
    Found found;
    Assigner assigner;
    std::vector<InstanceView> a, b;
    std::vector<double> cost;
    const auto predictions = [](std::vector<InstanceView>& shown) {
        std::erase_if(shown, [](const InstanceView& i) { return i.header->kind != InstanceKind::Predicted; });
    };
    std::size_t done = 0;
    for (const std::size_t row : firstRows(task.labels, task.video)) {
        if (isStopped(task, done++))
            break;
        const FrameView frame = task.labels.frame(row);
        const auto otherRow = other.findFrame(*theirs, frame.frameIndex());
        if (!otherRow)
            continue;  // the other run did not look at it
        shownOn(frame, a);
        shownOn(other.frame(*otherRow), b);
        predictions(a);
        predictions(b);
        if (a.size() != b.size()) {
            found.push_back({task.video, frame.frameIndex(), 0,
                             std::to_string(a.size()) + " against " + std::to_string(b.size()) + " instances"});
            continue;
        }
        // Poses without a node in common are as far apart as can be.
        constexpr double kFar = 1e9;
        cost.assign(a.size() * b.size(), kFar);
        for (std::size_t i = 0; i < a.size(); ++i)
            for (std::size_t k = 0; k < b.size(); ++k)
                if (const double d = meanDistance(a[i].points, b[k].points); std::isfinite(d))
                    cost[i * b.size() + k] = d;
        double most = 0;
        for (const AssignedPair& pair : assigner.minimise(cost, a.size(), b.size()))
            most = std::max(
                most, cost[static_cast<std::size_t>(pair.row) * b.size() + static_cast<std::size_t>(pair.column)]);
        if (most >= kFar)
            found.push_back({task.video, frame.frameIndex(), 0, "no node in common"});
        else if (most > method.pixels)
            found.push_back({task.video, frame.frameIndex(), 0, figure(most) + " px apart"});
    }
    return found;
}

}  // namespace skein::suggestions::detail
