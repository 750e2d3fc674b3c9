// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/edit/instances.h"

#include <algorithm>
#include <cmath>

#include "engine/project/edit/placement.h"

namespace skein::project::edit {

namespace {

InstanceData* instanceIn(FrameData& frame, InstanceId id) {
    for (InstanceData& instance : frame.instances)
        if (id != 0 && instance.header.id == id)
            return &instance;
    return nullptr;
}

/// Lets `change` alter the points of a user instance; it returns whether it did.
template <class F>
Outcome onPoints(const Labels& labels, const Place& place, F&& change) {
    const InstanceView view = find(labels, place);
    if (view.header == nullptr || view.header->kind != InstanceKind::User)
        return unchanged(labels);
    FrameData frame = frameAt(labels, place.video, place.frame);
    if (!change(instanceIn(frame, place.instance)->points))
        return unchanged(labels);
    return onFrame(labels, std::move(frame), 1);
}

bool same(double a, double b) {
    return a == b || (a != a && b != b);
}
bool samePlace(const Point& a, const Point& b) {
    return same(a.x, b.x) && same(a.y, b.y);
}

/// Whether a user instance other than `but` has the track on this frame.
bool userHasTrack(const FrameData& frame, std::int32_t track, InstanceId but = 0) {
    return track >= 0 && std::any_of(frame.instances.begin(), frame.instances.end(), [&](const InstanceData& i) {
               return i.header.kind == InstanceKind::User && i.header.track == track && i.header.id != but;
           });
}

InstanceData userFrom(const FrameData& frame, const InstanceData& prediction) {
    InstanceData made;
    made.header.kind = InstanceKind::User;
    made.header.skeleton = prediction.header.skeleton;
    made.header.track = userHasTrack(frame, prediction.header.track) ? -1 : prediction.header.track;
    made.header.fromPredicted = prediction.header.id;
    made.points = prediction.points;
    for (Point& p : made.points) {
        p.score = kNaN;
        p.complete = false;
    }
    return made;
}

/// Adds user instances for all predictions of the frame that have none; returns how many.
std::size_t acceptAll(FrameData& frame) {
    const std::size_t before = frame.instances.size();
    for (std::size_t i = 0; i < before; ++i) {
        const InstanceData& prediction = frame.instances[i];
        if (prediction.header.kind == InstanceKind::Predicted && !isReplaced(frame, prediction.header.id)) {
            InstanceData made = userFrom(frame, prediction);
            frame.instances.push_back(std::move(made));
        }
    }
    return frame.instances.size() - before;
}

/// Appends `made` to the frame with an id of its own.
Outcome adding(const Labels& labels, FrameData frame, InstanceData made) {
    Labels next = labels;
    made.header.id = next.newInstanceId();
    const InstanceId id = made.header.id;
    frame.instances.push_back(std::move(made));
    return onFrame(next, std::move(frame), 1, {id});
}

}  // namespace

Outcome moveNode(const Labels& labels, const Place& place, std::size_t node, double x, double y) {
    if (!std::isfinite(x) || !std::isfinite(y))
        return unchanged(labels);
    return onPoints(labels, place, [&](Pose& pose) {
        if (node >= pose.size())
            return false;
        pose[node].x = x;
        pose[node].y = y;
        pose[node].complete = true;
        return true;
    });
}

Outcome setPoint(const Labels& labels, const Place& place, std::size_t node, const Point& point) {
    return onPoints(labels, place, [&](Pose& pose) {
        if (node >= pose.size() || (samePlace(pose[node], point) && pose[node].visible == point.visible &&
                                    pose[node].complete == point.complete))
            return false;
        pose[node] = point;
        return true;
    });
}

Outcome setPose(const Labels& labels, const Place& place, const Pose& target) {
    return onPoints(labels, place, [&](Pose& pose) {
        bool any = false;
        for (std::size_t i = 0; i < std::min(pose.size(), target.size()); ++i)
            if (!samePlace(pose[i], target[i])) {
                pose[i].x = target[i].x;
                pose[i].y = target[i].y;
                any = true;
            }
        return any;
    });
}

Outcome moveInstance(const Labels& labels, const Place& place, Vec by) {
    const InstanceView view = find(labels, place);
    return setPose(labels, place, moved({view.points.begin(), view.points.end()}, by));
}

Outcome rotateInstance(const Labels& labels, const Place& place, std::size_t node, double degrees) {
    const InstanceView view = find(labels, place);
    if (node >= view.points.size() || !hasPlace(view.points[node]))
        return unchanged(labels);
    const Vec about{view.points[node].x, view.points[node].y};
    return setPose(labels, place, rotated({view.points.begin(), view.points.end()}, about, degrees));
}

Outcome scaleInstance(const Labels& labels, const Place& place, Vec fixed, double factorX, double factorY) {
    const InstanceView view = find(labels, place);
    return setPose(labels, place, scaled({view.points.begin(), view.points.end()}, fixed, factorX, factorY));
}

Outcome toggleVisible(const Labels& labels, const Place& place, std::size_t node) {
    return onPoints(labels, place, [&](Pose& pose) {
        if (node >= pose.size() || !hasPlace(pose[node]))
            return false;
        pose[node].visible = !pose[node].visible;
        pose[node].complete = true;
        return true;
    });
}

Outcome markComplete(const Labels& labels, const Place& place) {
    return onPoints(labels, place, [](Pose& pose) {
        bool any = false;
        for (Point& p : pose)
            if (hasPlace(p) && !p.complete)
                any = p.complete = true;
        return any;
    });
}

Outcome addMissingNodes(const Labels& labels, const Place& place, int frameWidth, int frameHeight) {
    const InstanceView view = find(labels, place);
    if (view.header == nullptr || view.header->skeleton >= labels.skeletons().size() ||
        std::all_of(view.points.begin(), view.points.end(), hasPlace))
        return unchanged(labels);
    const Skeleton& skeleton = labels.skeletons()[view.header->skeleton];
    const Pose model = averagePose(labels, place.video, place.frame, view.header->skeleton);
    Box box;
    const bool bounded = frameBox(frameWidth, frameHeight, box);
    return onPoints(labels, place, [&](Pose& pose) {
        const Pose before = pose;
        pose = completed(std::move(pose), model, skeleton, false);
        for (std::size_t i = 0; bounded && i < pose.size(); ++i)
            if (!hasPlace(before[i])) {
                pose[i].x = std::clamp(pose[i].x, box.left, box.right);
                pose[i].y = std::clamp(pose[i].y, box.top, box.bottom);
            }
        return true;
    });
}

namespace {

/// A user instance made from a prediction that none was made from yet; `change` says what else becomes of it.
template <class F>
Outcome accepting(const Labels& labels, const Place& place, F change) {
    FrameData frame = frameAt(labels, place.video, place.frame);
    const InstanceData* prediction = instanceIn(frame, place.instance);
    if (prediction == nullptr || prediction->header.kind != InstanceKind::Predicted ||
        isReplaced(frame, place.instance))
        return unchanged(labels);
    InstanceData made = userFrom(frame, *prediction);
    change(made.points);
    return adding(labels, std::move(frame), std::move(made));
}

}  // namespace

Outcome acceptPrediction(const Labels& labels, const Place& place, bool complete) {
    return accepting(labels, place, [&](Pose& points) {
        for (Point& p : points)
            p.complete = complete && hasPlace(p);
    });
}

Outcome acceptMoved(const Labels& labels, const Place& place, const Pose& pose, std::size_t touched) {
    return accepting(labels, place, [&](Pose& points) {
        for (std::size_t i = 0; i < std::min(points.size(), pose.size()); ++i) {
            points[i].x = pose[i].x;
            points[i].y = pose[i].y;
        }
        if (touched < points.size())
            points[touched].complete = true;
    });
}

Outcome acceptFrame(const Labels& labels, std::uint32_t video, std::int64_t frameIndex) {
    FrameData frame = frameAt(labels, video, frameIndex);
    const std::size_t before = frame.instances.size();
    const std::size_t made = acceptAll(frame);
    if (made == 0)
        return unchanged(labels);
    Labels next = labels;
    std::vector<InstanceId> ids;
    for (std::size_t i = before; i < frame.instances.size(); ++i) {
        frame.instances[i].header.id = next.newInstanceId();
        ids.push_back(frame.instances[i].header.id);
    }
    return onFrame(next, std::move(frame), made, std::move(ids));
}

Outcome acceptVideo(const Labels& labels, std::uint32_t video) {
    Outcome outcome = unchanged(labels);
    std::vector<std::size_t> rows = labels.rowsOf(video);
    std::sort(rows.begin(), rows.end());
    outcome.labels.rewriteFrames(rows, [&outcome](FrameData& frame) {
        const std::size_t made = acceptAll(frame);
        outcome.changed += made;
        return made > 0;
    });
    if (outcome.changed == 0)
        return unchanged(labels);
    outcome.extent.everywhere = true;
    return outcome;
}

Outcome deleteInstances(const Labels& labels, std::uint32_t video, std::int64_t frameIndex,
                        std::span<const InstanceId> instances) {
    const auto row = labels.findFrame(video, frameIndex);
    if (!row)
        return unchanged(labels);
    Outcome outcome = unchanged(labels);
    const std::size_t rows[] = {*row};
    outcome.changed = outcome.labels.removeInstances(rows, [&](const FrameView&, const InstanceView& instance) {
        return std::find(instances.begin(), instances.end(), instance.header->id) != instances.end();
    });
    if (outcome.changed == 0)
        return unchanged(labels);
    outcome.extent.video = video;
    outcome.extent.span = {frameIndex, frameIndex};
    return outcome;
}

Outcome duplicate(const Labels& labels, const Place& place, const Pose& pose) {
    FrameData frame = frameAt(labels, place.video, place.frame);
    const InstanceData* original = instanceIn(frame, place.instance);
    if (original == nullptr || pose.size() != original->points.size())
        return unchanged(labels);
    InstanceData made;
    made.header.kind = InstanceKind::User;
    made.header.skeleton = original->header.skeleton;
    made.points = pose;
    for (Point& p : made.points) {
        p.complete = false;
        p.score = kNaN;
    }
    return adding(labels, std::move(frame), std::move(made));
}

Outcome mergeInstances(const Labels& labels, std::uint32_t video, std::int64_t frameIndex,
                       std::span<const InstanceId> instances) {
    FrameData frame = frameAt(labels, video, frameIndex);
    if (instances.size() < 2)
        return unchanged(labels);
    InstanceData* first = instanceIn(frame, instances.front());
    if (first == nullptr || first->header.kind != InstanceKind::User)
        return unchanged(labels);
    std::vector<InstanceId> gone;
    for (const InstanceId id : instances.subspan(1)) {
        const InstanceData* other = instanceIn(frame, id);
        if (other == nullptr || other == first || other->header.kind != InstanceKind::User ||
            other->points.size() != first->points.size() || other->header.skeleton != first->header.skeleton)
            return unchanged(labels);
        for (std::size_t i = 0; i < first->points.size(); ++i)
            if (!hasPlace(first->points[i]) || (!first->points[i].visible && other->points[i].exists()))
                first->points[i] = other->points[i];
        if (first->header.track < 0)
            first->header.track = other->header.track;
        if (first->header.fromPredicted == 0)
            first->header.fromPredicted = other->header.fromPredicted;
        gone.push_back(id);
    }
    std::erase_if(frame.instances, [&gone](const InstanceData& i) {
        return std::find(gone.begin(), gone.end(), i.header.id) != gone.end();
    });
    return onFrame(labels, std::move(frame), gone.size() + 1);
}

bool isNegative(const Labels& labels, std::uint32_t video, std::int64_t frame) {
    const auto& list = labels.negativeFrames();
    return std::find(list.begin(), list.end(), std::pair(video, frame)) != list.end();
}

Outcome toggleNegative(const Labels& labels, std::uint32_t video, std::int64_t frame) {
    Outcome outcome = unchanged(labels);
    auto& list = outcome.labels.editNegativeFrames();
    if (std::erase(list, std::pair(video, frame)) == 0)
        list.emplace_back(video, frame);
    outcome.extent.video = video;
    outcome.extent.span = {frame, frame};
    outcome.changed = 1;
    return outcome;
}

std::optional<Clip> copyInstance(const Labels& labels, const Place& place) {
    const InstanceView view = find(labels, place);
    if (view.header == nullptr || view.header->skeleton >= labels.skeletons().size())
        return std::nullopt;
    Clip clip;
    clip.nodes = labels.skeletons()[view.header->skeleton].nodes;
    clip.points.assign(view.points.begin(), view.points.end());
    clip.nodes.resize(clip.points.size());
    const auto track = static_cast<std::size_t>(view.header->track);
    if (view.header->track >= 0 && track < labels.tracks().size())
        clip.track = labels.tracks()[track].name;
    return clip;
}

Outcome pasteInstance(const Labels& labels, std::uint32_t video, std::int64_t frameIndex, std::uint32_t skeleton,
                      const Clip& clip) {
    if (skeleton >= labels.skeletons().size())
        return unchanged(labels);
    const Skeleton& target = labels.skeletons()[skeleton];
    InstanceData made;
    made.header.kind = InstanceKind::User;
    made.header.skeleton = skeleton;
    made.points.resize(target.nodes.size());
    bool any = false;
    for (std::size_t i = 0; i < std::min(clip.nodes.size(), clip.points.size()); ++i)
        if (const auto node = target.nodeIndex(clip.nodes[i])) {
            Point& p = made.points[static_cast<std::size_t>(*node)];
            p = clip.points[i];
            p.score = kNaN;
            p.complete = false;
            any = any || hasPlace(p);
        }
    if (!any)
        return unchanged(labels);
    FrameData frame = frameAt(labels, video, frameIndex);
    made.points = besideOthers(std::move(made.points), frame, nullptr);
    // The track comes along where it is not taken.
    for (std::size_t t = 0; t < labels.tracks().size() && !clip.track.empty(); ++t)
        if (labels.tracks()[t].name == clip.track &&
            std::none_of(frame.instances.begin(), frame.instances.end(),
                         [t](const InstanceData& i) { return i.header.track == static_cast<std::int32_t>(t); })) {
            made.header.track = static_cast<std::int32_t>(t);
            break;
        }
    return adding(labels, std::move(frame), std::move(made));
}

}  // namespace skein::project::edit
