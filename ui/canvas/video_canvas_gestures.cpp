// SPDX-License-Identifier: GPL-3.0-or-later
// What pointer and keys do on the canvas.
#include <QApplication>
#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/alt_gesture.h"
#include "ui/canvas/video_canvas.h"
#include "ui/text.h"

namespace skein::ui {

namespace {
constexpr double kNotchFactor = 1.1;
constexpr double kDragThreshold = 3;
constexpr double kNotch = 120;
constexpr double kTurnPerNotch = 6;
constexpr double kFineTurnPerNotch = 1;
constexpr int kHoldMs = 500;
constexpr double kNudge = 1, kFineNudge = 0.1, kLargeNudge = 10;

double length(QPointF v) {
    return std::hypot(v.x(), v.y());
}
bool isArrow(int key) {
    return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
}
}  // namespace

bool VideoCanvas::event(QEvent* event) {
    if (event->type() == QEvent::NativeGesture) {
        auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            zoomAbout(gesture->position(), 1.0 + gesture->value());
            return true;
        }
    }
    // While a node is moved by keys, the arrows are not those that change the frame.
    if (event->type() == QEvent::ShortcutOverride && m_nudging && m_picked.instance != 0) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (isArrow(key) || key == Qt::Key_Tab || key == Qt::Key_Backtab) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void VideoCanvas::wheelEvent(QWheelEvent* event) {
    // With Alt held, some platforms give the wheel's turn as a sideways one.
    const double delta = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    event->accept();
    if (!m_drag.isNull() && m_pressed) {
        if (m_drag.kind() == DragKind::Instance && delta != 0) {
            // Where Shift is part of the gesture it says nothing of its own.
            const bool fine = event->modifiers().testFlag(Qt::ShiftModifier) && !isAltGesture(event->modifiers());
            m_drag.turn((fine ? kFineTurnPerNotch : kTurnPerNotch) * delta / kNotch);
            m_dragging = m_turned = true;
            updateDrag();
        }
        return;  // no zoom under a grabbed node
    }
    const auto modifiers = event->modifiers();
    if (modifiers == Qt::NoModifier || modifiers == Qt::ControlModifier) {
        if (delta != 0)
            zoomAbout(event->position(), std::pow(kNotchFactor, delta / kNotch));
        return;
    }
    event->ignore();
}

void VideoCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::BackButton || event->button() == Qt::ForwardButton) {
        event->ignore();  // the window goes through visited places
        return;
    }
    m_pressedAt = event->position();
    m_pannedFrom = m_offset;
    m_doubleClicked = false;
    if (event->button() == Qt::RightButton) {
        if (!m_pressed) {
            m_rightPressed = itemAt(event->position());
            m_rightHold.start(kHoldMs);
        }
        return;
    }
    m_pressed = event->button() == Qt::LeftButton;
    m_panning = event->button() == Qt::MiddleButton;
    m_zoomRect = false;
    if (m_pressed && !m_choosingArea) {
        takeHold(itemAt(event->position()), event->modifiers());
        m_zoomRect = m_drag.isNull() && isAltGesture(event->modifiers());
    }
    if (m_panning)
        setCursor(Qt::ClosedHandCursor);
}

/// Takes hold of what a drag from here would move.
void VideoCanvas::takeHold(const Hit& hit, Qt::KeyboardModifiers modifiers) {
    const ShownInstance* instance = m_contents.find(hit.instance);
    if (instance == nullptr)
        return;
    const bool user = instance->header.kind == project::InstanceKind::User;
    const QPointF scene = viewToScene(m_pressedAt);
    if (hit.corner >= 0) {
        m_drag = DragEdit(DragKind::Scale, *instance, hit.corner, scene, m_frameSize);
    } else if (modifiers == Qt::ControlModifier && user) {
        m_drag = DragEdit(DragKind::Duplicate, *instance, std::max(hit.node, 0), scene, m_frameSize);
    } else if (hit.node >= 0 && hasPlace(instance->points[static_cast<std::size_t>(hit.node)])) {
        pick(hit);
        if ((isAltGesture(modifiers) || modifiers == (Qt::AltModifier | Qt::ShiftModifier)) && user)
            m_drag = DragEdit(DragKind::Instance, *instance, hit.node, scene, m_frameSize);
        else if (modifiers == Qt::NoModifier && (user || m_ghostDrag))
            m_drag = DragEdit(user ? DragKind::Node : DragKind::Ghost, *instance, hit.node, scene, m_frameSize);
    }
}

void VideoCanvas::updateDrag() {
    if (!m_dragging)
        return;
    if (m_contents.find(m_drag.instance()) == nullptr) {
        endDrag();  // somebody else took it away
        return;
    }
    m_preview = m_drag.preview(m_contents);
    update();
}

void VideoCanvas::endDrag() {
    m_drag = {};
    m_dragging = m_turned = false;
    m_preview = {};
    update();
}

bool VideoCanvas::cancelGesture() {
    if (!m_drag.isNull() && m_pressed) {
        endDrag();
        m_pressed = false;
        unsetCursor();
        return true;
    }
    if (m_choosingArea) {
        setChoosingArea(false);
        return true;
    }
    if (m_nudging) {
        setNudging(false);
        return true;
    }
    return false;
}

void VideoCanvas::mouseMoveEvent(QMouseEvent* event) {
    const QPointF moved = event->position() - m_pressedAt;
    m_pointer = event->position();
    if (m_loupe)
        update();
    if (m_rightHold.isActive() && length(moved) >= kDragThreshold)
        m_rightPressed.node = -1;
    if (!m_drag.isNull() && m_pressed) {
        if (!m_dragging && length(moved) < kDragThreshold)
            return;
        if (!m_dragging) {
            m_dragging = true;
            setCursor(Qt::ClosedHandCursor);
            if (m_drag.instance() != m_selected)
                Q_EMIT instanceClicked(m_drag.instance());
        }
        m_drag.moveTo(viewToScene(event->position()), event->modifiers().testFlag(Qt::ShiftModifier));
        updateDrag();
        return;
    }
    if (m_pressed && !m_panning && m_rubber.isNull() && length(moved) >= kDragThreshold) {
        if (m_zoomRect || m_choosingArea)
            m_rubber = QRectF(m_pressedAt, m_pressedAt);
        else
            m_panning = true;
        setCursor(m_panning ? Qt::ClosedHandCursor : Qt::CrossCursor);
    }
    if (!m_rubber.isNull() || (m_pressed && (m_zoomRect || m_choosingArea))) {
        m_rubber = QRectF(m_pressedAt, event->position()).normalized();
        update();
        return;
    }
    if (m_panning && !m_frameSize.isEmpty()) {
        m_offset = m_pannedFrom + moved;
        m_fit = Fit::None;
        keepInView();
        Q_EMIT zoomChanged();
        update();
        return;
    }
    if (event->buttons() == Qt::NoButton)
        setHovered(itemAt(event->position()));
}

void VideoCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::RightButton) {
        if (!m_rightHold.isActive())
            return;  // the menu is there already
        m_rightHold.stop();
        const Hit hit = std::exchange(m_rightPressed, Hit{});
        const ShownInstance* instance = m_contents.find(hit.instance);
        if (instance != nullptr && hit.node >= 0 && instance->header.kind == project::InstanceKind::User) {
            pick(hit);
            Q_EMIT visibilityWanted(hit.instance, hit.node);
        } else {
            Q_EMIT menuWanted(event->globalPosition().toPoint(), itemAt(event->position()));
        }
        return;
    }
    const bool wasClick = m_pressed && !m_panning && !m_dragging && m_rubber.isNull() && !m_doubleClicked;
    const QRectF rubber = m_rubber;
    const bool isArea = m_choosingArea;
    std::optional<DragResult> result;
    if (m_dragging) {
        m_drag.moveTo(viewToScene(event->position()), event->modifiers().testFlag(Qt::ShiftModifier));
        if (m_drag.hasChanged())
            result = DragResult{m_drag.kind(), m_drag.instance(), m_drag.node(), m_drag.pose(), m_turned};
    }
    m_pressed = m_panning = m_zoomRect = m_doubleClicked = false;
    m_rubber = {};
    unsetCursor();
    endDrag();
    if (result)
        Q_EMIT dragged(*result);
    else if (!rubber.isNull() && rubber.width() > kDragThreshold && rubber.height() > kDragThreshold) {
        const QRectF scene = sceneTransform().inverted().mapRect(rubber);
        if (isArea) {
            setChoosingArea(false);
            Q_EMIT areaChosen(scene);
        } else {
            m_fit = Fit::None;
            fitTo(scene);
        }
    } else if (wasClick && !isArea && event->button() == Qt::LeftButton) {
        click(event->position(), event->modifiers());
    }
    update();
}

void VideoCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    // Qt sends this in place of the second press.
    m_pressedAt = event->position();
    m_pannedFrom = m_offset;
    if (event->button() != Qt::LeftButton) {
        mousePressEvent(event);
        return;
    }
    m_doubleClicked = true;
    m_pressed = true;
    if (isAltGesture(event->modifiers())) {
        fitFrame();
        return;
    }
    const auto found = hits(event->position(), m_selected);
    if (found.empty())
        return;
    // The first click may have chosen another one of several that lie here: that is the one that is meant.
    const auto chosen =
        std::find_if(found.begin(), found.end(), [this](const Hit& h) { return h.instance == m_selected; });
    const ShownInstance* instance = m_contents.find(chosen != found.end() ? m_selected : found.front().instance);
    if (instance == nullptr)
        return;
    const auto modifiers = event->modifiers();
    if (instance->header.kind == project::InstanceKind::Predicted) {
        if ((modifiers & ~Qt::ShiftModifier) == Qt::NoModifier)
            Q_EMIT acceptWanted(instance->header.id, modifiers.testFlag(Qt::ShiftModifier));
    } else if (modifiers == Qt::NoModifier) {
        Q_EMIT missingNodesWanted(instance->header.id);
    }
}

void VideoCanvas::click(QPointF viewPoint, Qt::KeyboardModifiers modifiers) {
    if (!m_instancesShown)
        return;
    const Hit nearest = itemAt(viewPoint);
    if (nearest.corner >= 0)
        return;
    if (modifiers == Qt::ShiftModifier) {
        const ShownInstance* instance = m_contents.find(nearest.instance);
        if (instance == nullptr)
            return;
        if (nearest.node >= 0 && instance->header.kind == project::InstanceKind::User)
            Q_EMIT completeWanted(nearest.instance);
        else
            Q_EMIT instanceShiftClicked(nearest.instance);
        return;
    }
    const auto found = hits(viewPoint, 0);
    const QPointF moved = viewPoint - m_lastClick;
    // Clicking the same place again goes through everything that lies there.
    m_cycle = length(moved) < kDragThreshold && !found.empty() ? (m_cycle + 1) % found.size() : 0;
    m_lastClick = viewPoint;
    const Hit hit = found.empty() ? Hit{} : found[m_cycle];
    Q_EMIT instanceClicked(hit.instance);
    if (hit.node >= 0)
        pick(hit);
    if (found.size() > 1)
        Q_EMIT hoverChanged(tr("%1 of %2 here").arg(m_cycle + 1).arg(found.size()));
}

void VideoCanvas::contextMenuEvent(QContextMenuEvent* event) {
    event->accept();
    // With the mouse the button's own events decide; the key asks for the menu of what is selected.
    if (event->reason() == QContextMenuEvent::Mouse)
        return;
    QPoint at = rect().center();
    if (const ShownInstance* instance = m_contents.find(m_selected))
        at = selectionBox(*instance, sceneTransform()).center().toPoint();
    Q_EMIT menuWanted(mapToGlobal(at), {m_selected, -1, -1});
}

// --- Keys ----------------------------------------------------------------------------------------------------------

Hit VideoCanvas::nodeInMind() const {
    if (m_hovered.node >= 0)
        return m_hovered;
    return m_contents.find(m_picked.instance) != nullptr ? m_picked : Hit{};
}

void VideoCanvas::pick(const Hit& node) {
    m_picked = {node.instance, node.node, -1};
    if (m_nudging)
        update();
}

/// The next (1) or previous (-1) node of the selected instance that has a place.
void VideoCanvas::pickNext(int by) {
    const ShownInstance* instance = m_contents.find(m_selected);
    if (instance == nullptr) {
        pick({});
        return;
    }
    const int count = static_cast<int>(instance->points.size());
    int node = m_picked.instance == m_selected ? m_picked.node : by > 0 ? -1 : count;
    for (int tries = 0; tries < count; ++tries) {
        node = (node + by + count) % count;
        if (hasPlace(instance->points[static_cast<std::size_t>(node)])) {
            pick({m_selected, node, -1});
            return;
        }
    }
    pick({});
}

void VideoCanvas::setNudging(bool nudging) {
    if (nudging == m_nudging)
        return;
    m_nudging = nudging;
    if (m_nudging) {
        if (m_contents.find(m_picked.instance) == nullptr)
            pickNext(1);
        setFocus(Qt::OtherFocusReason);
    }
    Q_EMIT gestureModeChanged();
    update();
}

void VideoCanvas::setChoosingArea(bool choosing) {
    if (choosing == m_choosingArea)
        return;
    m_choosingArea = choosing;
    m_rubber = {};
    if (choosing)
        setCursor(Qt::CrossCursor);
    else
        unsetCursor();
    Q_EMIT gestureModeChanged();
    update();
}

bool VideoCanvas::focusNextPrevChild(bool next) {
    // Tab goes from node to node while nodes are moved by keys.
    if (!m_nudging)
        return QWidget::focusNextPrevChild(next);
    pickNext(next ? 1 : -1);
    return true;
}

void VideoCanvas::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && cancelGesture())
        return;
    if (!m_nudging || m_picked.instance == 0 || !isArrow(event->key())) {
        QWidget::keyPressEvent(event);
        return;
    }
    const double by = event->modifiers().testFlag(Qt::ShiftModifier)     ? kFineNudge
                      : event->modifiers().testFlag(Qt::ControlModifier) ? kLargeNudge
                                                                         : kNudge;
    const double dx = event->key() == Qt::Key_Left ? -by : event->key() == Qt::Key_Right ? by : 0;
    const double dy = event->key() == Qt::Key_Up ? -by : event->key() == Qt::Key_Down ? by : 0;
    Q_EMIT nodeNudged(m_picked.instance, m_picked.node, dx, dy);
}

}  // namespace skein::ui
