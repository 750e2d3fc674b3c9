// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/drag_edit.h"

#include <algorithm>
#include <cmath>

namespace skein::ui {

namespace edit = project::edit;

namespace {
/// An instance is not scaled through itself.
constexpr double kLeastFactor = 0.02;
}  // namespace

DragEdit::DragEdit(DragKind kind, ShownInstance instance, int place, QPointF pressedAt, QSize frame)
    : m_kind(kind),
      m_instance(std::move(instance)),
      m_place(place),
      m_pressedAt(pressedAt),
      m_now(pressedAt),
      m_frame(frame),
      m_pose(m_instance.points) {}

void DragEdit::moveTo(QPointF scene, bool keepProportions) {
    m_now = scene;
    m_keepProportions = keepProportions;
    update();
}

void DragEdit::turn(double degrees) {
    m_degrees += degrees;
    update();
}

bool DragEdit::hasChanged() const {
    for (std::size_t i = 0; i < m_pose.size(); ++i)
        if (hasPlace(m_pose[i]) && (m_pose[i].x != m_instance.points[i].x || m_pose[i].y != m_instance.points[i].y))
            return true;
    return m_kind == DragKind::Duplicate && m_now != m_pressedAt;
}

void DragEdit::update() {
    const edit::Pose& before = m_instance.points;
    const edit::Vec by{m_now.x() - m_pressedAt.x(), m_now.y() - m_pressedAt.y()};
    edit::Box box;
    const bool bounded = edit::frameBox(m_frame.width(), m_frame.height(), box);
    const auto node = static_cast<std::size_t>(std::max(m_place, 0));
    switch (m_kind) {
        case DragKind::Node:
        case DragKind::Ghost: {
            m_pose = before;
            if (node >= m_pose.size())
                break;
            m_pose[node].x += by.x;
            m_pose[node].y += by.y;
            if (bounded) {
                m_pose[node].x = std::clamp(m_pose[node].x, box.left, box.right);
                m_pose[node].y = std::clamp(m_pose[node].y, box.top, box.bottom);
            }
            break;
        }
        case DragKind::Instance:
        case DragKind::Duplicate: {
            m_pose = before;
            if (m_degrees != 0 && node < m_pose.size())
                m_pose = edit::rotated(std::move(m_pose), {before[node].x, before[node].y}, m_degrees);
            m_pose = edit::moved(m_pose, bounded ? edit::movableBy(before, by, box) : by);
            if (bounded && m_degrees != 0)
                m_pose = edit::clamped(std::move(m_pose), before, box);
            break;
        }
        case DragKind::Scale: {
            edit::Box bounds;
            if (!edit::boundsOf(before, bounds))
                break;
            const auto corner = static_cast<Corner>(m_place);
            const bool left = corner == Corner::TopLeft || corner == Corner::BottomLeft;
            const bool top = corner == Corner::TopLeft || corner == Corner::TopRight;
            const edit::Vec fixed{left ? bounds.right : bounds.left, top ? bounds.bottom : bounds.top};
            const auto factor = [](double size, double delta) {
                return size > 0 ? std::max(kLeastFactor, (size + delta) / size) : 1.0;
            };
            double x = factor(bounds.width(), left ? -by.x : by.x), y = factor(bounds.height(), top ? -by.y : by.y);
            if (m_keepProportions)
                x = y = bounds.width() >= bounds.height() ? x : y;
            m_pose = edit::scaled(before, fixed, x, y);
            if (bounded)
                m_pose = edit::clamped(std::move(m_pose), before, box);
            break;
        }
    }
}

ShownFrame DragEdit::preview(ShownFrame frame) const {
    for (ShownInstance& instance : frame.instances) {
        if (instance.header.id != m_instance.header.id)
            continue;
        if (m_kind == DragKind::Duplicate) {
            ShownInstance copy = m_instance;
            copy.points = m_pose;
            frame.instances.push_back(std::move(copy));
            break;
        }
        instance.points = m_pose;
        if (m_kind == DragKind::Ghost)
            instance.header.kind = project::InstanceKind::User;
        if (const int moved = node(); moved >= 0 && m_kind != DragKind::Instance)
            instance.points[static_cast<std::size_t>(moved)].complete = true;
    }
    return frame;
}

}  // namespace skein::ui
