// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proofread/detail/pose_doubts.h"

#include <algorithm>
#include <cmath>

namespace skein::proofread {

namespace {

// Spread of the similarity by which two instances are one: a tenth of the size apart on average is too far.
constexpr double kSpread = 0.1;
// Left and right have changed over if that shortens the ways of their nodes by this share, and by this many bodies.
constexpr double kSidesShare = 0.3, kSidesBodies = 0.1;
// A track's last pose is compared with if it is at most this many frames old.
constexpr std::int64_t kSidesFrames = 3;

}  // namespace

void PoseDoubts::look(std::int64_t frame, std::span<const Item> items,
                      std::span<const std::span<const project::Point>> points, const std::vector<Trail>& trails) {
    pairs(frame, items, points);
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Item& item = items[i];
        if (item.score < m_scale.lowScore)
            m_doubts.push_back({IssueKind::LowScore, frame, item.track, -1, item.id, 0,
                                static_cast<float>(1 - item.score / m_scale.lowScore), item.score, 0, -1});
        edges(frame, item, points[i]);
        if (item.track >= 0 && static_cast<std::size_t>(item.track) < trails.size())
            sides(frame, item, points[i], trails[static_cast<std::size_t>(item.track)]);
    }
}

void PoseDoubts::pairs(std::int64_t frame, std::span<const Item> items,
                       std::span<const std::span<const project::Point>> points) {
    const double near = m_options.encounterBodies * m_scale.body;
    for (std::size_t i = 0; i < items.size(); ++i) {
        std::size_t nearest = kNone;
        double least = near;
        for (std::size_t k = 0; k < items.size(); ++k) {
            if (k == i)
                continue;
            const double distance = std::hypot(items[i].x - items[k].x, items[i].y - items[k].y);
            if (!(distance <= near))
                continue;
            if (k > i)
                if (const double same = sameness(items[i], points[i], items[k], points[k]); same > 0)
                    m_doubts.push_back({IssueKind::Duplicate, frame, items[i].track, items[k].track, items[i].id,
                                        items[k].id, static_cast<float>(same), static_cast<float>(same), 0, -1});
            // Each with its nearest: a heap of animals is not every pair of it.
            if (distance < least && items[i].track >= 0 && items[k].track >= 0 && items[i].track != items[k].track) {
                least = distance;
                nearest = k;
            }
        }
        if (nearest == kNone)
            continue;
        const Item &a = items[i], &b = items[nearest];
        const bool inOrder = a.track < b.track;
        m_doubts.push_back({IssueKind::Encounter, frame, inOrder ? a.track : b.track, inOrder ? b.track : a.track,
                            inOrder ? a.id : b.id, inOrder ? b.id : a.id, static_cast<float>(1 - least / near),
                            static_cast<float>(least), 0, -1});
    }
}

double PoseDoubts::sameness(const Item& a, std::span<const project::Point> poseA, const Item& b,
                            std::span<const project::Point> poseB) const {
    if (a.skeleton != b.skeleton)
        return 0;
    const auto area = [](const Item& item) {
        return static_cast<double>(item.right - item.left) * static_cast<double>(item.bottom - item.top);
    };
    // Of a body that lies along an axis the box has no area; what is usual in the video stands in.
    const double size = std::max({area(a), area(b), 0.1 * m_scale.body * m_scale.body});
    double similarity = 0;
    int common = 0, close = 0, known = 0;
    for (std::size_t n = 0; n < std::min(poseA.size(), poseB.size()); ++n) {
        known += poseA[n].exists() || poseB[n].exists() ? 1 : 0;
        if (!poseA[n].exists() || !poseB[n].exists())
            continue;
        const double dx = poseA[n].x - poseB[n].x, dy = poseA[n].y - poseB[n].y;
        const double squared = dx * dx + dy * dy;
        ++common;
        similarity += std::exp(-squared / (2 * size * 4 * kSpread * kSpread));
        close += squared <= m_options.duplicateNodePx * m_options.duplicateNodePx ? 1 : 0;
    }
    if (common == 0)
        return 0;
    similarity /= common;
    const double share = static_cast<double>(close) / known;
    const bool one = similarity > m_options.duplicateSimilarity || share > m_options.duplicateNodesShare;
    return one ? std::max(similarity, share) : 0;
}

void PoseDoubts::sides(std::int64_t frame, const Item& item, std::span<const project::Point> pose, const Trail& trail) {
    if (!trail.isKnown() || frame - trail.last().frame > kSidesFrames || frame == trail.last().frame ||
        item.skeleton >= m_labels.skeletons().size())
        return;
    const Vector way{item.x - trail.last().x, item.y - trail.last().y};
    double keep = 0, change = 0;
    int count = 0;
    for (const auto& [left, right] : m_labels.skeletons()[item.skeleton].symmetries) {
        const auto l = static_cast<std::size_t>(left), r = static_cast<std::size_t>(right);
        const auto there = [&](std::span<const project::Point> p) {
            return l < p.size() && r < p.size() && p[l].exists() && p[r].exists();
        };
        if (!there(pose) || !there(trail.points))
            continue;
        const auto distance = [&](std::size_t from, std::size_t to) {
            return std::hypot(trail.points[from].x + way.x - pose[to].x, trail.points[from].y + way.y - pose[to].y);
        };
        keep += distance(l, l) + distance(r, r);
        change += distance(l, r) + distance(r, l);
        ++count;
    }
    if (count == 0 || !(keep - change > kSidesShare * (keep + change)) ||
        keep - change < kSidesBodies * m_scale.body * count)
        return;
    m_doubts.push_back({IssueKind::Flip, frame, item.track, -1, item.id, 0,
                        static_cast<float>((keep - change) / (keep + change)), static_cast<float>(count), 0, -1});
}

void PoseDoubts::edges(std::int64_t frame, const Item& item, std::span<const project::Point> pose) {
    if (item.skeleton >= m_scale.edges.size() || item.skeleton >= m_labels.skeletons().size())
        return;
    const auto& list = m_labels.skeletons()[item.skeleton].edges;
    const auto& norms = m_scale.edges[item.skeleton];
    PoseDoubt worst;
    for (std::size_t e = 0; e < std::min(norms.size(), list.size()); ++e) {
        if (!(norms[e].median > 0))
            continue;
        const auto from = static_cast<std::size_t>(list[e].source), to = static_cast<std::size_t>(list[e].destination);
        if (from >= pose.size() || to >= pose.size() || !pose[from].exists() || !pose[to].exists())
            continue;
        const double length = std::hypot(pose[from].x - pose[to].x, pose[from].y - pose[to].y);
        const double off = std::abs(length - norms[e].median) / norms[e].deviation;
        if (off <= m_options.edgeMads || off <= static_cast<double>(worst.strength))
            continue;
        worst = {IssueKind::EdgeLength,
                 frame,
                 item.track,
                 -1,
                 item.id,
                 0,
                 static_cast<float>(off),
                 static_cast<float>(length),
                 static_cast<float>(norms[e].median),
                 static_cast<std::int32_t>(e)};
    }
    if (worst.edge >= 0)
        m_doubts.push_back(worst);
}

}  // namespace skein::proofread
