// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/edit/pose.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace skein::project::edit {

namespace {

/// The rigid motion that lays `from` over `to` in the least-squares sense, from the nodes that both have.
struct Motion {
    Vec fromCentre, toCentre;
    double cosine = 1, sine = 0;
    bool known = false;  ///< false: no common node

    [[nodiscard]] Vec operator()(const Point& p) const {
        const double x = p.x - fromCentre.x, y = p.y - fromCentre.y;
        return {toCentre.x + cosine * x - sine * y, toCentre.y + sine * x + cosine * y};
    }
};

Motion motionBetween(std::span<const Point> from, std::span<const Point> to) {
    Motion motion;
    double count = 0;
    const std::size_t nodes = std::min(from.size(), to.size());
    for (std::size_t i = 0; i < nodes; ++i)
        if (hasPlace(from[i]) && hasPlace(to[i])) {
            motion.fromCentre.x += from[i].x;
            motion.fromCentre.y += from[i].y;
            motion.toCentre.x += to[i].x;
            motion.toCentre.y += to[i].y;
            ++count;
        }
    if (count == 0)
        return motion;
    motion.known = true;
    for (Vec* v : {&motion.fromCentre, &motion.toCentre}) {
        v->x /= count;
        v->y /= count;
    }
    double dot = 0, cross = 0;
    for (std::size_t i = 0; i < nodes; ++i)
        if (hasPlace(from[i]) && hasPlace(to[i])) {
            const double ax = from[i].x - motion.fromCentre.x, ay = from[i].y - motion.fromCentre.y;
            const double bx = to[i].x - motion.toCentre.x, by = to[i].y - motion.toCentre.y;
            dot += ax * bx + ay * by;
            cross += ax * by - ay * bx;
        }
    const double length = std::hypot(dot, cross);
    if (length > 1e-12) {
        motion.cosine = dot / length;
        motion.sine = cross / length;
    }
    return motion;
}

}  // namespace

double Box::diagonal() const {
    return std::hypot(width(), height());
}

bool boundsOf(std::span<const Point> pose, Box& box) {
    bool any = false;
    for (const Point& p : pose) {
        if (!hasPlace(p))
            continue;
        if (!any)
            box = {p.x, p.y, p.x, p.y};
        box = {std::min(box.left, p.x), std::min(box.top, p.y), std::max(box.right, p.x), std::max(box.bottom, p.y)};
        any = true;
    }
    return any;
}

bool frameBox(int width, int height, Box& box) {
    if (width <= 0 || height <= 0)
        return false;
    box = {0, 0, width - 1.0, height - 1.0};
    return true;
}

Pose moved(Pose pose, Vec by) {
    for (Point& p : pose) {
        p.x += by.x;
        p.y += by.y;
    }
    return pose;
}

Pose rotated(Pose pose, Vec about, double degrees) {
    const double angle = degrees * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
    for (Point& p : pose) {
        const double x = p.x - about.x, y = p.y - about.y;
        p.x = about.x + c * x - s * y;
        p.y = about.y + s * x + c * y;
    }
    return pose;
}

Pose scaled(Pose pose, Vec fixed, double factorX, double factorY) {
    for (Point& p : pose) {
        p.x = fixed.x + factorX * (p.x - fixed.x);
        p.y = fixed.y + factorY * (p.y - fixed.y);
    }
    return pose;
}

Vec movableBy(std::span<const Point> pose, Vec by, const Box& box) {
    for (const Point& p : pose) {
        if (!hasPlace(p) || !box.contains(p.x, p.y))
            continue;
        by.x = std::clamp(by.x, box.left - p.x, box.right - p.x);
        by.y = std::clamp(by.y, box.top - p.y, box.bottom - p.y);
    }
    return by;
}

Pose clamped(Pose pose, std::span<const Point> before, const Box& box) {
    for (std::size_t i = 0; i < pose.size(); ++i) {
        if (!hasPlace(pose[i]) || (i < before.size() && !box.contains(before[i].x, before[i].y)))
            continue;
        pose[i].x = std::clamp(pose[i].x, box.left, box.right);
        pose[i].y = std::clamp(pose[i].y, box.top, box.bottom);
    }
    return pose;
}

Pose fittedInto(Pose pose, const Box& box) {
    Box bounds;
    if (!boundsOf(pose, bounds))
        return pose;
    const double shrink = std::min({1.0, bounds.width() > 0 ? box.width() / bounds.width() : 1.0,
                                    bounds.height() > 0 ? box.height() / bounds.height() : 1.0});
    if (shrink < 1)
        pose = scaled(std::move(pose), bounds.centre(), shrink, shrink);
    if (!boundsOf(pose, bounds))
        return pose;
    Vec by;
    by.x = std::max(0.0, box.left - bounds.left) - std::max(0.0, bounds.right - box.right);
    by.y = std::max(0.0, box.top - bounds.top) - std::max(0.0, bounds.bottom - box.bottom);
    pose = moved(std::move(pose), by);
    for (Point& p : pose)  // what rounding left outside
        if (hasPlace(p)) {
            p.x = std::clamp(p.x, box.left, box.right);
            p.y = std::clamp(p.y, box.top, box.bottom);
        }
    return pose;
}

Pose meanPose(const std::vector<Pose>& poses, std::size_t nodes) {
    Pose mean(nodes);
    if (poses.empty())
        return mean;
    const auto placed = [](const Pose& pose) { return std::count_if(pose.begin(), pose.end(), hasPlace); };
    mean = *std::max_element(poses.begin(), poses.end(),
                             [&](const Pose& a, const Pose& b) { return placed(a) < placed(b); });
    mean.resize(nodes);
    for (int round = 0; round < 3; ++round) {
        std::vector<Vec> sum(nodes);
        std::vector<double> count(nodes, 0);
        for (const Pose& pose : poses) {
            const Motion motion = motionBetween(pose, mean);
            if (!motion.known)
                continue;
            for (std::size_t i = 0; i < std::min(nodes, pose.size()); ++i)
                if (hasPlace(pose[i])) {
                    const Vec at = motion(pose[i]);
                    sum[i].x += at.x;
                    sum[i].y += at.y;
                    ++count[i];
                }
        }
        for (std::size_t i = 0; i < nodes; ++i)
            if (count[i] > 0) {
                mean[i].x = sum[i].x / count[i];
                mean[i].y = sum[i].y / count[i];
            }
    }
    Box bounds;
    if (boundsOf(mean, bounds))
        mean = moved(std::move(mean), {-bounds.centre().x, -bounds.centre().y});
    for (Point& p : mean) {
        p.score = kNaN;
        p.visible = hasPlace(p);
        p.complete = false;
    }
    return mean;
}

Pose springLayout(const Skeleton& skeleton, double size) {
    constexpr int kRounds = 120;
    const std::size_t n = skeleton.nodes.size();
    std::vector<Vec> at(n), force(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double angle = 2 * std::numbers::pi * double(i) / double(std::max<std::size_t>(n, 1));
        at[i] = {std::cos(angle), std::sin(angle)};
    }
    const double ideal = 1.0 / std::sqrt(double(std::max<std::size_t>(n, 1)));
    for (int round = 0; round < kRounds && n > 1; ++round) {
        const double step = 0.1 * (1 - double(round) / kRounds);
        std::fill(force.begin(), force.end(), Vec{});
        for (std::size_t a = 0; a < n; ++a)
            for (std::size_t b = a + 1; b < n; ++b) {
                const double dx = at[a].x - at[b].x, dy = at[a].y - at[b].y;
                const double d2 = std::max(dx * dx + dy * dy, 1e-9), push = ideal * ideal / d2;
                force[a].x += dx * push;
                force[a].y += dy * push;
                force[b].x -= dx * push;
                force[b].y -= dy * push;
            }
        for (const Edge& edge : skeleton.edges) {
            const auto a = static_cast<std::size_t>(edge.source), b = static_cast<std::size_t>(edge.destination);
            if (a >= n || b >= n || a == b)
                continue;
            const double dx = at[a].x - at[b].x, dy = at[a].y - at[b].y, pull = std::hypot(dx, dy) / ideal;
            force[a].x -= dx * pull;
            force[a].y -= dy * pull;
            force[b].x += dx * pull;
            force[b].y += dy * pull;
        }
        for (std::size_t i = 0; i < n; ++i) {
            const double length = std::max(std::hypot(force[i].x, force[i].y), 1e-12);
            at[i].x += force[i].x / length * std::min(length, step);
            at[i].y += force[i].y / length * std::min(length, step);
        }
    }
    Pose pose(n);
    for (std::size_t i = 0; i < n; ++i)
        pose[i] = {at[i].x, at[i].y, kNaN, true, false};
    Box bounds;
    if (!boundsOf(pose, bounds))
        return pose;
    pose = moved(std::move(pose), {-bounds.centre().x, -bounds.centre().y});
    const double extent = std::max(bounds.width(), bounds.height());
    return extent > 1e-9 ? scaled(std::move(pose), {}, size / extent, size / extent) : pose;
}

Pose completed(Pose pose, const Pose& model, const Skeleton& skeleton, bool visible) {
    const Motion motion = motionBetween(model, pose);
    for (std::size_t i = 0; i < pose.size(); ++i) {
        if (hasPlace(pose[i]))
            continue;
        if (motion.known && i < model.size() && hasPlace(model[i])) {
            const Vec at = motion(model[i]);
            pose[i] = {at.x, at.y, kNaN, visible, false};
        }
    }
    // What is still without a place goes beside a neighbour, or beside the body.
    Box bounds;
    const bool any = boundsOf(pose, bounds);
    const double beside = any ? std::max(10.0, 0.15 * bounds.diagonal()) : 10.0;
    for (std::size_t round = 0; round < pose.size(); ++round)
        for (std::size_t i = 0; i < pose.size(); ++i) {
            if (hasPlace(pose[i]))
                continue;
            for (const Edge& edge : skeleton.edges) {
                const auto a = static_cast<std::size_t>(edge.source), b = static_cast<std::size_t>(edge.destination);
                const std::size_t other = a == i ? b : b == i ? a : pose.size();
                if (other >= pose.size() || !hasPlace(pose[other]))
                    continue;
                const double angle = 2 * std::numbers::pi * double(i) / double(pose.size());
                pose[i] = {pose[other].x + beside * std::cos(angle), pose[other].y + beside * std::sin(angle), kNaN,
                           visible, false};
                break;
            }
        }
    const Vec centre = any ? bounds.centre() : Vec{};
    for (std::size_t i = 0; i < pose.size(); ++i)
        if (!hasPlace(pose[i])) {
            const double angle = 2 * std::numbers::pi * double(i) / double(pose.size());
            pose[i] = {centre.x + beside * std::cos(angle), centre.y + beside * std::sin(angle), kNaN, visible, false};
        }
    return pose;
}

}  // namespace skein::project::edit
