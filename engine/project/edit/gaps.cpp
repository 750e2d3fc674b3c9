// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/edit/gaps.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace skein::project::edit {

namespace {

// A velocity is taken from so many frames.
constexpr std::int64_t kSlopeFrames = 3;

/// The instance of a track on a frame: a person's before a model's.
InstanceView instanceOf(const FrameView& frame, std::int32_t track) {
    InstanceView found;
    for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
        const InstanceView instance = frame.instance(i);
        if (instance.header->track == track && (found.header == nullptr || instance.header->kind == InstanceKind::User))
            found = instance;
    }
    return found;
}

InstanceView instanceAt(const Labels& labels, std::uint32_t video, std::int64_t frame, std::int32_t track) {
    const auto row = labels.findFrame(video, frame);
    return row ? instanceOf(labels.frame(*row), track) : InstanceView{};
}

struct Knot {
    double at = 0, slope = 0;
    bool sloped = false;
};

/// Place and velocity of a node at the side of a gap: `frame` is the last (direction -1) or first (1) with the track.
Knot knotOf(const Labels& labels, const Gap& gap, std::int64_t frame, int direction, std::size_t node,
            double Point::*axis) {
    Knot knot;
    for (std::int64_t k = 0; k < kSlopeFrames; ++k) {
        const InstanceView instance = instanceAt(labels, gap.video, frame + direction * k, gap.track);
        if (instance.header == nullptr || node >= instance.points.size() || !instance.points[node].exists())
            continue;
        const double value = instance.points[node].*axis;
        if (k == 0) {
            knot.at = value;
        } else {
            knot.slope = (value - knot.at) / static_cast<double>(direction * k);
            knot.sloped = true;
        }
    }
    return knot;
}

double between(const Knot& from, const Knot& to, double frames, double t, GapPath path) {
    const double s = t / frames;
    if (path == GapPath::Linear || !from.sloped || !to.sloped)
        return from.at + (to.at - from.at) * s;
    const double s2 = s * s, s3 = s2 * s;  // cubic Hermite basis
    return (2 * s3 - 3 * s2 + 1) * from.at + (s3 - 2 * s2 + s) * frames * from.slope + (3 * s2 - 2 * s3) * to.at +
           (s3 - s2) * frames * to.slope;
}

}  // namespace

std::vector<Gap> gapsOf(const Labels& labels, std::uint32_t video, std::int32_t track, std::int64_t longest) {
    std::vector<Gap> gaps;
    std::unordered_map<std::int32_t, std::int64_t> last;
    for (const std::size_t row : labels.rowsOf(video)) {
        const FrameView frame = labels.frame(row);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const std::int32_t here = frame.instance(i).header->track;
            if (here < 0 || (track >= 0 && here != track))
                continue;
            const auto [known, isNew] = last.try_emplace(here, frame.frameIndex());
            const std::int64_t missing = frame.frameIndex() - known->second - 1;
            if (!isNew && missing > 0 && missing <= longest)
                gaps.push_back({video, here, {known->second + 1, frame.frameIndex() - 1}});
            known->second = frame.frameIndex();
        }
    }
    std::sort(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) {
        return std::pair(a.track, a.span.first) < std::pair(b.track, b.span.first);
    });
    return gaps;
}

std::optional<Gap> gapAt(const Labels& labels, std::uint32_t video, std::int32_t track, std::int64_t frame,
                         std::int64_t longest) {
    const auto isThere = [&](std::int64_t f) { return instanceAt(labels, video, f, track).header != nullptr; };
    if (track < 0 || isThere(frame))
        return std::nullopt;
    std::int64_t first = frame, last = frame;
    while (last - first < longest && first > 0 && !isThere(first - 1))
        --first;
    while (last - first < longest && !isThere(last + 1))
        ++last;
    if (last - first >= longest || first == 0)
        return std::nullopt;
    return Gap{video, track, {first, last}};
}

std::vector<InstanceData> posesFor(const Labels& labels, const Gap& gap, GapPath path) {
    std::vector<InstanceData> poses;
    const std::int64_t first = gap.span.first - 1, last = gap.span.last + 1;
    const InstanceView before = instanceAt(labels, gap.video, first, gap.track);
    const InstanceView after = instanceAt(labels, gap.video, last, gap.track);
    if (gap.span.last < gap.span.first || before.header == nullptr || after.header == nullptr ||
        before.header->skeleton != after.header->skeleton)
        return poses;
    InstanceData empty;
    empty.header.kind = InstanceKind::Predicted;
    empty.header.track = gap.track;
    empty.header.skeleton = before.header->skeleton;
    empty.points.assign(before.points.size(), Point{kNaN, kNaN, 0, false, false});
    poses.assign(static_cast<std::size_t>(gap.frames()), empty);
    const auto frames = static_cast<double>(last - first);
    bool any = false;
    for (std::size_t node = 0; node < std::min(before.points.size(), after.points.size()); ++node) {
        if (!before.points[node].exists() || !after.points[node].exists())
            continue;
        any = true;
        for (double Point::*axis : {&Point::x, &Point::y}) {
            const Knot from = knotOf(labels, gap, first, -1, node, axis), to = knotOf(labels, gap, last, 1, node, axis);
            for (std::size_t k = 0; k < poses.size(); ++k) {
                Point& point = poses[k].points[node];
                point.*axis = between(from, to, frames, static_cast<double>(k + 1), path);
                point.visible = true;
            }
        }
    }
    return any ? poses : std::vector<InstanceData>{};
}

Outcome fillGaps(const Labels& labels, std::span<const Gap> gaps, GapPath path) {
    Outcome outcome = unchanged(labels);
    std::map<std::pair<std::uint32_t, std::int64_t>, std::vector<InstanceData>> made;
    for (const Gap& gap : gaps) {
        std::vector<InstanceData> poses = posesFor(labels, gap, path);
        for (std::size_t k = 0; k < poses.size(); ++k) {
            const std::int64_t frame = gap.span.first + static_cast<std::int64_t>(k);
            auto& here = made[{gap.video, frame}];
            const bool twice = std::any_of(here.begin(), here.end(),
                                           [&](const InstanceData& i) { return i.header.track == gap.track; });
            if (twice || instanceAt(labels, gap.video, frame, gap.track).header != nullptr)
                continue;
            poses[k].header.id = outcome.labels.newInstanceId();
            outcome.made.push_back(poses[k].header.id);
            here.push_back(std::move(poses[k]));
        }
    }
    if (outcome.made.empty())
        return unchanged(labels);
    std::vector<std::size_t> rows;
    for (const auto& [where, instances] : made)
        if (const auto row = labels.findFrame(where.first, where.second); row && !instances.empty())
            rows.push_back(*row);
    std::sort(rows.begin(), rows.end());
    outcome.labels.rewriteFrames(rows, [&](FrameData& frame) {
        auto& fresh = made[{frame.video, frame.frameIndex}];
        frame.instances.insert(frame.instances.end(), fresh.begin(), fresh.end());
        fresh.clear();
        return true;
    });
    for (auto& [where, instances] : made)
        if (!instances.empty())
            outcome.labels.appendFrame({where.first, where.second, std::move(instances), -1});
    outcome.changed = outcome.made.size();
    const std::uint32_t video = made.begin()->first.first;
    outcome.extent.everywhere = std::prev(made.end())->first.first != video;
    outcome.extent.video = video;
    outcome.extent.span = {made.begin()->first.second, std::prev(made.end())->first.second};
    return outcome;
}

Outcome fillNodes(const Labels& labels, std::uint32_t video, std::int64_t longest,
                  std::span<const std::int32_t> tracks) {
    struct Seen {
        std::int64_t frame = 0;
        double x = 0, y = 0;
    };
    struct Filling {
        std::size_t node = 0;
        double x = 0, y = 0;
    };
    using Pending = std::vector<std::pair<std::size_t, InstanceId>>;  // instances that lack the node since it was seen
    std::unordered_map<InstanceId, std::vector<Filling>> fillings;
    std::vector<std::size_t> rows;
    std::unordered_map<std::int32_t, std::vector<std::pair<std::optional<Seen>, Pending>>> nodes;
    Outcome outcome = unchanged(labels);
    for (const std::size_t row : labels.rowsOf(video)) {
        const FrameView frame = labels.frame(row);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const InstanceView instance = frame.instance(i);
            if (instance.header->track < 0 || instance.header->kind != InstanceKind::Predicted ||
                (!tracks.empty() && std::find(tracks.begin(), tracks.end(), instance.header->track) == tracks.end()))
                continue;
            auto& states = nodes[instance.header->track];
            states.resize(std::max(states.size(), instance.points.size()));
            for (std::size_t node = 0; node < instance.points.size(); ++node) {
                auto& [seen, pending] = states[node];
                const Point& point = instance.points[node];
                if (!point.exists()) {
                    pending.emplace_back(row, instance.header->id);
                    continue;
                }
                const Seen now{frame.frameIndex(), point.x, point.y};
                if (seen && !pending.empty() && now.frame - seen->frame - 1 <= longest)
                    for (const auto& [where, id] : pending) {
                        const double share = static_cast<double>(labels.frame(where).frameIndex() - seen->frame) /
                                             static_cast<double>(now.frame - seen->frame);
                        rows.push_back(where);
                        fillings[id].push_back(
                            {node, seen->x + share * (now.x - seen->x), seen->y + share * (now.y - seen->y)});
                        ++outcome.changed;
                    }
                pending.clear();
                seen = now;
            }
        }
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    outcome.labels.rewriteFrames(rows, [&](FrameData& frame) {
        for (InstanceData& instance : frame.instances)
            if (const auto known = fillings.find(instance.header.id); known != fillings.end())
                for (const Filling& filling : known->second)
                    instance.points[filling.node] = {filling.x, filling.y, 0, true, false};
        return true;
    });
    outcome.extent.video = video;
    outcome.extent.span = {0, kToEnd};
    return outcome.changed == 0 ? unchanged(labels) : outcome;
}

bool isFilled(const InstanceView& instance) {
    if (instance.header->kind != InstanceKind::Predicted || instance.header->score != 0)
        return false;
    bool any = false;
    for (const Point& point : instance.points) {
        if (!point.exists())
            continue;
        if (point.score != 0)
            return false;
        any = true;
    }
    return any;
}

Outcome removeFilled(const Labels& labels) {
    Outcome outcome = unchanged(labels);
    const std::vector<std::size_t> rows = allRows(labels);
    outcome.changed = outcome.labels.removeInstances(
        rows, [](const FrameView&, const InstanceView& instance) { return isFilled(instance); });
    outcome.extent.everywhere = true;
    return outcome.changed == 0 ? unchanged(labels) : outcome;
}

}  // namespace skein::project::edit
