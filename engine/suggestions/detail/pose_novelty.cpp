// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/project/edit/pose.h"
#include "engine/suggestions/detail/rules.h"

namespace skein::suggestions::detail {

namespace edit = project::edit;

namespace {

constexpr std::size_t kMostPoses = 200'000;  // beyond, every k-th frame is looked at
constexpr std::size_t kPosesForMean = 500;   // the mean settles long before
constexpr std::size_t kMostLabelled = 64;    // that stand for what people labelled
constexpr std::size_t kLeastNodes = 2;       // fewer have no shape

/// Poses in one frame of reference: flat arrays of x, y, NaN where a node is absent.
struct Poses {
    std::size_t nodes = 0;
    std::vector<float> xy;
    std::vector<std::int64_t> frame;

    [[nodiscard]] const float* at(std::size_t i) const { return xy.data() + i * nodes * 2; }
    [[nodiscard]] std::size_t size() const { return frame.size(); }
};

/// Centred, turned onto the model by least squares (the closed form in the plane), and scaled to its size, over the
/// nodes that both have. False: too few.
bool align(std::span<const project::Point> points, const edit::Pose& model, std::vector<float>& out) {
    const std::size_t nodes = model.size();
    double px = 0, py = 0, mx = 0, my = 0;
    std::size_t count = 0;
    const auto both = [&](std::size_t n) {
        return n < points.size() && points[n].exists() && edit::hasPlace(model[n]);
    };
    for (std::size_t n = 0; n < nodes; ++n)
        if (both(n)) {
            px += points[n].x;
            py += points[n].y;
            mx += model[n].x;
            my += model[n].y;
            ++count;
        }
    if (count < kLeastNodes)
        return false;
    const auto of = static_cast<double>(count);
    px /= of, py /= of, mx /= of, my /= of;
    double dot = 0, cross = 0, size = 0;
    for (std::size_t n = 0; n < nodes; ++n)
        if (both(n)) {
            const double ax = points[n].x - px, ay = points[n].y - py, bx = model[n].x - mx, by = model[n].y - my;
            dot += ax * bx + ay * by;
            cross += ax * by - ay * bx;
            size += ax * ax + ay * ay;
        }
    if (size <= 0)
        return false;
    // Turn and scale in one: the best complex factor.
    const double c = dot / size, s = cross / size;
    for (std::size_t n = 0; n < nodes; ++n) {
        const bool is = n < points.size() && points[n].exists();
        const double ax = is ? points[n].x - px : 0, ay = is ? points[n].y - py : 0;
        out.push_back(is ? static_cast<float>(c * ax - s * ay + mx) : std::numeric_limits<float>::quiet_NaN());
        out.push_back(is ? static_cast<float>(s * ax + c * ay + my) : std::numeric_limits<float>::quiet_NaN());
    }
    return true;
}

/// Mean squared distance of the nodes that both have; 0 when there is none: nothing speaks for a difference.
float apart(const float* a, const float* b, std::size_t nodes) {
    float sum = 0;
    int count = 0;
    for (std::size_t n = 0; n < nodes; ++n) {
        const float dx = a[2 * n] - b[2 * n], dy = a[2 * n + 1] - b[2 * n + 1];
        const float d = dx * dx + dy * dy;
        if (d == d) {
            sum += d;
            ++count;
        }
    }
    return count == 0 ? 0 : sum / static_cast<float>(count);
}

/// Brings down how far each pose lies from the nearest chosen one, now that `chosen` is one of them.
void approach(const Poses& poses, const float* chosen, std::vector<float>& nearest) {
    for (std::size_t i = 0; i < poses.size(); ++i)
        nearest[i] = std::min(nearest[i], apart(poses.at(i), chosen, poses.nodes));
}

std::size_t farthest(const std::vector<float>& nearest) {
    return static_cast<std::size_t>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
}

}  // namespace

Found novelty(const VideoTask& task, const PoseNovelty& method) {
    const auto& skeletons = task.labels.skeletons();
    if (skeletons.empty() || method.count <= 0)
        return {};
    const std::size_t nodes = skeletons.front().nodes.size();

    const std::vector<std::size_t> rows = task.labels.rowsOf(task.video);
    std::vector<edit::Pose> forMean;
    std::vector<project::InstanceView> shown;
    const std::size_t meanStep = std::max<std::size_t>(1, rows.size() / kPosesForMean);
    for (std::size_t r = 0; r < rows.size() && forMean.size() < kPosesForMean; r += meanStep) {
        shownOn(task.labels.frame(rows[r]), shown);
        for (const project::InstanceView& instance : shown)
            if (instance.header->skeleton == 0 && instance.points.size() == nodes && forMean.size() < kPosesForMean)
                forMean.emplace_back(instance.points.begin(), instance.points.end());
    }
    if (forMean.empty())
        return {};
    const edit::Pose mean = edit::meanPose(forMean, nodes);

    Poses poses, labelled;
    poses.nodes = labelled.nodes = nodes;
    const std::size_t perFrame =
        std::max<std::size_t>(1, task.labels.instanceCount() / std::max<std::size_t>(1, task.labels.frameCount()));
    const std::size_t step = 1 + rows.size() * perFrame / kMostPoses;
    for (std::size_t r = 0; r < rows.size(); r += step) {
        if (task.around.stop.stop_requested())
            return {};
        const project::FrameView frame = task.labels.frame(rows[r]);
        const bool isLabelled = frame.hasUserInstance();
        shownOn(frame, shown);
        for (const project::InstanceView& instance : shown) {
            if (instance.header->skeleton != 0)
                continue;
            Poses& to = isLabelled ? labelled : poses;
            if (isLabelled && instance.header->kind != project::InstanceKind::User)
                continue;
            if (align(instance.points, mean, to.xy))
                to.frame.push_back(frame.frameIndex());
        }
    }
    if (poses.size() == 0)
        return {};

    // What people labelled in this video is known already; else the mean pose is.
    std::vector<float> nearest(poses.size(), std::numeric_limits<float>::infinity());
    if (labelled.size() == 0) {
        std::vector<float> model;
        for (const project::Point& p : mean) {
            model.push_back(static_cast<float>(p.x));
            model.push_back(static_cast<float>(p.y));
        }
        approach(poses, model.data(), nearest);
    } else {
        // The most different of them stand for all.
        std::vector<float> spread(labelled.size(), std::numeric_limits<float>::infinity());
        std::size_t next = 0;
        for (std::size_t k = 0; k < std::min(kMostLabelled, labelled.size()); ++k) {
            approach(poses, labelled.at(next), nearest);
            approach(labelled, labelled.at(next), spread);
            next = farthest(spread);
        }
    }
    Found found;
    while (static_cast<int>(found.size()) < method.count) {
        if (task.around.stop.stop_requested())
            return {};
        const std::size_t best = farthest(nearest);
        if (!(nearest[best] > 0))
            break;  // every pose has its like by now
        const std::int64_t frame = poses.frame[best];
        found.push_back({task.video, frame, 0, "unusual pose"});
        std::vector<float> chosen(poses.at(best), poses.at(best) + nodes * 2);
        approach(poses, chosen.data(), nearest);
        // Its frame is taken, whatever else is on it.
        for (std::size_t i = 0; i < poses.size(); ++i)
            if (poses.frame[i] == frame)
                nearest[i] = 0;
    }
    return found;
}

}  // namespace skein::suggestions::detail
