// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/draft_layer.h"

#include <QPainterPath>
#include <algorithm>

#include "ui/theme.h"

namespace skein::ui {

namespace {

constexpr double kLine = 1.5, kHalo = 2.5;
constexpr double kNode = 2.5;  // radius
constexpr double kBoxRoom = 8;
constexpr double kLight = 0.3;  // luminance from which a dark halo is seen better

std::optional<project::InstanceView> find(const project::FrameView& frame, project::InstanceId id) {
    for (std::size_t i = 0; i < frame.instanceCount(); ++i)
        if (frame.instance(i).header->id == id)
            return frame.instance(i);
    return std::nullopt;
}

bool samePoints(std::span<const project::Point> a, std::span<const project::Point> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const project::Point& p, const project::Point& q) {
        return p.exists() == q.exists() && (!p.exists() || (p.x == q.x && p.y == q.y));
    });
}

}  // namespace

std::vector<DraftLayer::Pose> DraftLayer::differing(std::uint32_t video, std::int64_t frame) const {
    std::vector<Pose> found;
    if (!m_draft)
        return found;
    const auto row = m_draft->findFrame(video, frame);
    if (!row)
        return found;
    const project::Labels& labels = m_document->labels();
    const auto known = labels.findFrame(video, frame);
    const project::FrameView drafted = m_draft->frame(*row);
    for (std::size_t i = 0; i < drafted.instanceCount(); ++i) {
        const project::InstanceView instance = drafted.instance(i);
        if (instance.header->track < 0 || (trackShown && !trackShown(instance.header->track)))
            continue;
        const auto mine = known ? find(labels.frame(*known), instance.header->id) : std::nullopt;
        const bool same = mine && samePoints(mine->points, instance.points);
        if (!same || mine->header->track != instance.header->track)
            found.push_back({instance, same});
    }
    return found;
}

QRectF DraftLayer::boundsOf(const Pose& pose) {
    QPolygonF places;
    for (const project::Point& point : pose.instance.points)
        if (point.exists())
            places << QPointF(point.x, point.y);
    return places.boundingRect();
}

void DraftLayer::paint(QPainter& /*painter*/, const QTransform& /*toView*/, const QRect& /*view*/,
                       const ShownFrame& /*frame*/) {}

void DraftLayer::paintOver(QPainter& painter, const QTransform& toView, const QRect& /*view*/,
                           const ShownFrame& frame) {
    if (!m_draft || frame.frame < 0)
        return;
    const std::vector<Pose> poses = differing(frame.video, frame.frame);
    if (poses.empty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Pose& pose : poses)
        paintPose(painter, toView, pose);
    painter.restore();
}

void DraftLayer::paintPose(QPainter& painter, const QTransform& toView, const Pose& pose) const {
    const project::InstanceView& instance = pose.instance;
    const int track = instance.header->track;
    const QColor color = trackColor ? trackColor(track) : theme::trackColor(track);
    const auto exists = [&](std::size_t node) {
        return node < instance.points.size() && instance.points[node].exists();
    };
    const auto place = [&](std::size_t node) {
        return toView.map(QPointF(instance.points[node].x, instance.points[node].y));
    };
    QPainterPath edges, nodes;
    const auto& skeletons = m_draft->skeletons();
    if (!pose.adopted && instance.header->skeleton < skeletons.size())
        for (const project::Edge& edge : skeletons[instance.header->skeleton].edges) {
            const auto from = static_cast<std::size_t>(edge.source), to = static_cast<std::size_t>(edge.destination);
            if (!exists(from) || !exists(to))
                continue;
            edges.moveTo(place(from));
            edges.lineTo(place(to));
        }
    QRectF box;
    for (std::size_t n = 0; n < instance.points.size(); ++n)
        if (exists(n)) {
            nodes.addEllipse(place(n), kNode, kNode);
            box |= QRectF(place(n) - QPointF(kBoxRoom, kBoxRoom), QSizeF(2 * kBoxRoom, 2 * kBoxRoom));
        }
    if (pose.adopted) {
        nodes = QPainterPath();
        edges.addRoundedRect(box, theme::kRadius, theme::kRadius);
    }
    QPen dashes(color, kLine, Qt::CustomDashLine, Qt::FlatCap);
    dashes.setDashPattern({4, 2});
    const QPen halo(theme::luminance(color) > kLight ? theme::darkHalo() : theme::lightHalo(), kHalo);
    for (const auto& [path, pen] : {std::pair(edges, dashes), std::pair(nodes, QPen(color, kLine))}) {
        painter.strokePath(path, halo);
        painter.strokePath(path, pen);
    }
}

}  // namespace skein::ui
