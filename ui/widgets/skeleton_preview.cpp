// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/skeleton_preview.h"

#include <QPainter>
#include <cmath>

#include "engine/project/edit/pose.h"
#include "ui/theme.h"

namespace skein::ui {

namespace edit = project::edit;

namespace {
constexpr double kNode = 4;
constexpr double kArrow = 6;
constexpr double kLayoutSize = 100;
}  // namespace

SkeletonPreview::SkeletonPreview(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("skeletonPreview"));
    setAccessibleName(tr("Drawing of the skeleton"));
}

void SkeletonPreview::setSkeleton(project::Skeleton skeleton, std::vector<project::Point> pose) {
    m_skeleton = std::move(skeleton);
    const std::size_t nodes = m_skeleton.nodes.size();
    bool usable = pose.size() == nodes;
    for (const project::Point& p : pose)
        usable = usable && edit::hasPlace(p);
    edit::Box box;
    usable = usable && edit::boundsOf(pose, box) && box.diagonal() > 1;
    const edit::Pose layout = usable ? pose : edit::springLayout(m_skeleton, kLayoutSize);
    m_places.clear();
    for (const project::Point& p : layout)
        m_places.emplace_back(p.x, p.y);
    m_marked = -1;
    update();
}

void SkeletonPreview::setMarked(int node) {
    if (std::exchange(m_marked, node) != node)
        update();
}

void SkeletonPreview::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Tokens& t = theme::tokens();
    painter.fillRect(rect(), t.surface);
    if (m_places.empty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    QRectF bounds(m_places.front(), QSizeF(0, 0));
    for (const QPointF& p : m_places)
        bounds = bounds.united(QRectF(p, QSizeF(1e-6, 1e-6)));
    int widest = 0;
    for (const std::string& name : m_skeleton.nodes)
        widest = std::max(widest, fontMetrics().horizontalAdvance(QString::fromStdString(name)));
    // Names stand to the right of their nodes: that side needs the room.
    const QRectF room = QRectF(rect()).adjusted(theme::kGap, theme::kGap,
                                                -theme::kGap - std::min(widest + 8, width() / 3), -theme::kGap);
    const double scale =
        std::min(room.width() / std::max(bounds.width(), 1.0), room.height() / std::max(bounds.height(), 1.0));
    const auto place = [&](int node) {
        return room.center() + (m_places[static_cast<std::size_t>(node)] - bounds.center()) * scale;
    };
    for (const auto& pair : m_skeleton.symmetries) {
        painter.setPen(QPen(t.text2, 1, Qt::DashLine));
        painter.drawLine(place(pair[0]), place(pair[1]));
    }
    for (const project::Edge& edge : m_skeleton.edges) {
        const QPointF from = place(edge.source), to = place(edge.destination), way = to - from;
        const double length = std::hypot(way.x(), way.y());
        painter.setPen(QPen(t.text, 1.5));
        painter.drawLine(from, to);
        if (length < 3 * kArrow)
            continue;
        const QPointF along = way / length, across(-along.y(), along.x()), tip = from + way * 0.55;
        painter.setBrush(t.text);
        painter.setPen(Qt::NoPen);
        painter.drawPolygon(QPolygonF() << tip << tip - along * kArrow + across * kArrow / 2
                                        << tip - along * kArrow - across * kArrow / 2);
    }
    for (std::size_t n = 0; n < m_places.size(); ++n) {
        const QPointF at = place(static_cast<int>(n));
        const bool marked = static_cast<int>(n) == m_marked;
        painter.setPen(QPen(t.surface, 1));
        painter.setBrush(marked ? t.accent : theme::trackColor(0));
        painter.drawEllipse(at, marked ? kNode + 2 : kNode, marked ? kNode + 2 : kNode);
        painter.setPen(marked ? t.accent : t.text);
        const QString name = fontMetrics().elidedText(QString::fromStdString(m_skeleton.nodes[n]), Qt::ElideRight,
                                                      static_cast<int>(width() - at.x() - 2 * kNode - 2));
        painter.drawText(QPointF(at.x() + 2 * kNode, at.y() + fontMetrics().ascent() / 2.0 - 1), name);
    }
}

}  // namespace skein::ui
