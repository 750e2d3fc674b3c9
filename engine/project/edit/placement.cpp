// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/edit/placement.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/project/edit/instances.h"

namespace skein::project::edit {

namespace {

constexpr int kNearFrames = 2000;         ///< looked at for the average
constexpr std::size_t kEnoughPoses = 60;  ///< more do not change a mean that a person corrects anyway
constexpr double kStep = 10;

const Box kUnknownFrame{0, 0, 639, 479};

/// The best prediction that no user instance was made from; null: none.
const InstanceData* bestPrediction(const FrameData& frame, std::uint32_t skeleton) {
    const InstanceData* best = nullptr;
    for (const InstanceData& instance : frame.instances)
        if (instance.header.kind == InstanceKind::Predicted && instance.header.skeleton == skeleton &&
            !isReplaced(frame, instance.header.id) && (best == nullptr || instance.header.score > best->header.score))
            best = &instance;
    return best;
}

bool centroid(std::span<const Point> pose, Vec& at) {
    double count = 0;
    at = {};
    for (const Point& p : pose)
        if (hasPlace(p)) {
            at.x += p.x;
            at.y += p.y;
            ++count;
        }
    if (count > 0)
        at = {at.x / count, at.y / count};
    return count > 0;
}

struct Prior {
    Pose pose;
    std::int32_t track = -1;
};

/// What the views show of a frame: predictions with a user instance are left out.
std::vector<const InstanceData*> shown(const FrameData& frame, std::uint32_t skeleton) {
    std::vector<const InstanceData*> list;
    for (const InstanceData& instance : frame.instances)
        if (instance.header.skeleton == skeleton &&
            std::any_of(instance.points.begin(), instance.points.end(), hasPlace) &&
            !(instance.header.kind == InstanceKind::Predicted && isReplaced(frame, instance.header.id)))
            list.push_back(&instance);
    return list;
}

/// The instance of the nearest earlier labelled frame that is missing here.
std::optional<Prior> priorInstance(const Labels& labels, const FrameData& here, std::uint32_t skeleton,
                                   bool withVelocity) {
    std::int64_t before = here.frameIndex - 1;
    FrameData earlier;
    std::vector<const InstanceData*> candidates;
    for (int i = 0; candidates.empty() && i < kNearFrames; ++i) {
        const auto row = labels.previousFrame(here.video, before);
        if (!row)
            return std::nullopt;
        earlier = labels.frame(*row).toData();
        before = earlier.frameIndex - 1;
        candidates = shown(earlier, skeleton);
    }
    std::size_t untracked = 0;  // here, they stand for as many of the earlier frame
    for (const InstanceData& instance : here.instances)
        untracked += instance.header.track < 0 ? 1 : 0;
    for (const InstanceData* candidate : candidates) {
        const std::int32_t track = candidate->header.track;
        if (track < 0) {
            if (untracked > 0) {
                --untracked;
                continue;
            }
        } else if (std::any_of(here.instances.begin(), here.instances.end(),
                               [track](const InstanceData& i) { return i.header.track == track; })) {
            continue;
        }
        Prior prior{candidate->points, track};
        Box bounds;
        Vec last, first;
        if (withVelocity && track >= 0 && boundsOf(prior.pose, bounds) && centroid(prior.pose, last))
            if (const auto row = labels.previousFrame(here.video, earlier.frameIndex - 1)) {
                const FrameView other = labels.frame(*row);
                for (std::size_t i = 0; i < other.instanceCount(); ++i)
                    if (other.instance(i).header->track == track && centroid(other.instance(i).points, first)) {
                        const double frames = double(here.frameIndex - earlier.frameIndex) /
                                              double(earlier.frameIndex - other.frameIndex());
                        Vec by{(last.x - first.x) * frames, (last.y - first.y) * frames};
                        const double length = std::hypot(by.x, by.y), most = bounds.diagonal();
                        if (length > most && length > 0)
                            by = {by.x * most / length, by.y * most / length};
                        prior.pose = moved(std::move(prior.pose), by);
                        break;
                    }
            }
        return prior;
    }
    return std::nullopt;
}

/// 53 random bits as a number from 0 to 1, the same with every standard library.
double uniform(std::mt19937_64& generator) {
    return double(generator() >> 11) * 0x1.0p-53;
}

}  // namespace

Pose averagePose(const Labels& labels, std::uint32_t video, std::int64_t frame, std::uint32_t skeleton) {
    const std::size_t nodes = labels.skeletons().at(skeleton).nodes.size();
    std::vector<Pose> users, predictions;
    const auto take = [&](std::size_t row) {
        const FrameView view = labels.frame(row);
        for (std::size_t i = 0; i < view.instanceCount(); ++i) {
            const InstanceView instance = view.instance(i);
            std::vector<Pose>& list = instance.header->kind == InstanceKind::User ? users : predictions;
            if (list.size() < kEnoughPoses && instance.header->skeleton == skeleton &&
                std::any_of(instance.points.begin(), instance.points.end(), hasPlace))
                list.emplace_back(instance.points.begin(), instance.points.end());
        }
    };
    // Outward from the frame, and then whatever other videos have.
    std::int64_t down = frame, up = frame + 1;
    bool more = true;
    for (int i = 0; i < kNearFrames / 2 && users.size() < kEnoughPoses && more; ++i) {
        const auto before = labels.previousFrame(video, down), after = labels.nextFrame(video, up);
        more = before || after;
        if (before) {
            take(*before);
            down = labels.frame(*before).frameIndex() - 1;
        }
        if (after) {
            take(*after);
            up = labels.frame(*after).frameIndex() + 1;
        }
    }
    if (users.empty())
        for (std::size_t row = 0; row < std::min<std::size_t>(labels.frameCount(), kNearFrames) && users.empty(); ++row)
            take(row);
    return meanPose(users.empty() ? predictions : users, nodes);
}

Pose besideOthers(Pose pose, const FrameData& frame, const Box* box) {
    const auto taken = [&frame](const Pose& candidate) {
        return std::any_of(frame.instances.begin(), frame.instances.end(), [&candidate](const InstanceData& other) {
            if (other.header.kind == InstanceKind::Predicted || other.points.size() != candidate.size())
                return false;
            for (std::size_t i = 0; i < candidate.size(); ++i)
                if (hasPlace(candidate[i]) && !(std::fabs(candidate[i].x - other.points[i].x) < 1 &&
                                                std::fabs(candidate[i].y - other.points[i].y) < 1))
                    return false;
            return true;
        });
    };
    if (!taken(pose))
        return pose;
    for (int ring = 1; ring <= 50; ++ring)
        for (const auto& [x, y] : {std::pair{1, 1}, std::pair{-1, 1}, std::pair{1, -1}, std::pair{-1, -1}}) {
            Pose shifted = moved(pose, {x * kStep * ring, y * kStep * ring});
            if (box != nullptr)
                shifted = fittedInto(std::move(shifted), *box);
            if (!taken(shifted))
                return shifted;
        }
    return pose;
}

Outcome addInstance(const Labels& labels, std::uint32_t video, std::int64_t frameIndex, std::uint32_t skeletonIndex,
                    Placement placement, const PlacementView& view) {
    if (skeletonIndex >= labels.skeletons().size() || labels.skeletons()[skeletonIndex].nodes.empty())
        return unchanged(labels);
    const Skeleton& skeleton = labels.skeletons()[skeletonIndex];
    FrameData frame = frameAt(labels, video, frameIndex);
    Box frameLimits = kUnknownFrame;
    const bool bounded = frameBox(view.frameWidth, view.frameHeight, frameLimits);
    Box visible = view.visible.value_or(frameLimits);
    if (bounded) {
        visible.left = std::clamp(visible.left, frameLimits.left, frameLimits.right);
        visible.right = std::clamp(visible.right, visible.left, frameLimits.right);
        visible.top = std::clamp(visible.top, frameLimits.top, frameLimits.bottom);
        visible.bottom = std::clamp(visible.bottom, visible.top, frameLimits.bottom);
    }

    if (placement == Placement::Best || placement == Placement::CopyPrediction)
        if (const InstanceData* prediction = bestPrediction(frame, skeletonIndex))
            return acceptPrediction(labels, {video, frameIndex, prediction->header.id}, false);

    InstanceData made;
    made.header.kind = InstanceKind::User;
    made.header.skeleton = skeletonIndex;
    std::optional<Prior> prior;
    if (placement == Placement::Best || placement == Placement::CopyPriorFrame)
        prior = priorInstance(labels, frame, skeletonIndex, placement == Placement::Best);
    if (prior) {
        made.points = std::move(prior->pose);
        made.header.track = prior->track;
    } else if (placement == Placement::Random) {
        std::mt19937_64 generator(static_cast<std::uint64_t>(frameIndex) * 1000003U + video * 8191U +
                                  frame.instances.size());
        made.points.resize(skeleton.nodes.size());
        for (Point& p : made.points) {
            p.x = visible.left + uniform(generator) * visible.width();
            p.y = visible.top + uniform(generator) * visible.height();
        }
    } else {
        if (placement != Placement::ForceDirected)
            made.points = averagePose(labels, video, frameIndex, skeletonIndex);
        const double size = std::max(4.0, 0.25 * std::min(visible.width(), visible.height()));
        const Pose layout = springLayout(skeleton, size);
        made.points = made.points.empty() || std::none_of(made.points.begin(), made.points.end(), hasPlace)
                          ? layout
                          : completed(std::move(made.points), layout, skeleton, true);
        made.points = moved(std::move(made.points), view.at.value_or(visible.centre()));
    }
    made.points.resize(skeleton.nodes.size());
    const bool copied = prior.has_value();
    for (Point& p : made.points) {
        p.score = kNaN;
        p.complete = false;
        p.visible = hasPlace(p) && (!copied || p.visible);
    }
    if (bounded)
        made.points = fittedInto(std::move(made.points), frameLimits);
    made.points = besideOthers(std::move(made.points), frame, bounded ? &frameLimits : nullptr);

    Labels next = labels;
    made.header.id = next.newInstanceId();
    const InstanceId id = made.header.id;
    frame.instances.push_back(std::move(made));
    return onFrame(next, std::move(frame), 1, {id});
}

}  // namespace skein::project::edit
