// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPointF>
#include <QSize>

#include "engine/project/edit/pose.h"
#include "ui/shown_frame.h"

namespace skein::ui {

/// What a drag on the canvas does to an instance.
enum class DragKind {
    Node,       ///< one node of a user instance
    Ghost,      ///< one node of a prediction, which becomes a user instance by it
    Instance,   ///< all nodes, and turning about the grabbed one
    Scale,      ///< about the corner opposite to the grabbed one
    Duplicate,  ///< a copy moves, the original stays
};

/// Corners of an instance's box, clockwise from the top left one.
enum class Corner { TopLeft, TopRight, BottomRight, BottomLeft };

/// The state of one drag: from where it began and how far the pointer is now follows where every node is. Nothing of
/// the project is touched until somebody takes pose(). Scene coordinates; GUI thread only.
class DragEdit {
public:
    DragEdit() = default;
    /// `place` is a node, or a Corner for Scale. Nodes stay inside `frame` if they were; an empty size is no limit.
    DragEdit(DragKind kind, ShownInstance instance, int place, QPointF pressedAt, QSize frame);

    [[nodiscard]] bool isNull() const { return m_instance.header.id == 0; }
    [[nodiscard]] DragKind kind() const { return m_kind; }
    [[nodiscard]] int node() const { return m_kind == DragKind::Scale ? -1 : m_place; }
    [[nodiscard]] project::InstanceId instance() const { return m_instance.header.id; }

    void moveTo(QPointF scene, bool keepProportions);
    void turn(double degrees);

    [[nodiscard]] const project::edit::Pose& pose() const { return m_pose; }
    [[nodiscard]] bool hasChanged() const;
    /// `frame` as it would look if the drag ended now.
    [[nodiscard]] ShownFrame preview(ShownFrame frame) const;

private:
    void update();

    DragKind m_kind = DragKind::Node;
    ShownInstance m_instance;
    int m_place = -1;
    QPointF m_pressedAt;
    QPointF m_now;
    QSize m_frame;
    double m_degrees = 0;
    bool m_keepProportions = false;
    project::edit::Pose m_pose;
};

}  // namespace skein::ui
