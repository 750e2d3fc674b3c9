// SPDX-License-Identifier: GPL-3.0-or-later
// What the pointer does on the timeline.
#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/alt_gesture.h"
#include "ui/timeline/timeline.h"
#include "ui/timeline/timeline_sizes.h"
#include "ui/timeline/timeline_tip.h"

namespace skein::ui {

using namespace timeline;

/// In the row of marks: what is meant there more than that a frame is predicted. -1: nothing within reach.
std::int64_t Timeline::markAt(QPointF at) const {
    if (!marksRect().contains(at.toPoint()))
        return -1;
    const std::int64_t frame = xToFrame(at.x());
    std::int64_t best = -1;
    double distance = kSnap + 1e-9;
    const auto consider = [&](std::int64_t mark) {
        if (mark < 0)
            return;
        if (const double d = std::fabs(frameToX(static_cast<double>(mark) + 0.5) - at.x()); d < distance) {
            distance = d;
            best = mark;
        }
    };
    for (const auto* list : {&m_marks.suggestedOpen, &m_marks.suggestedLabelled, &m_marks.suggestedPredicted})
        consider(nearest(*list, frame));
    if (m_data)
        for (const auto* list : {&m_data->user, &m_data->negative})
            consider(nearest(*list, frame));
    consider(m_marks.flag);
    const auto issue = std::lower_bound(m_marks.issues.begin(), m_marks.issues.end(), std::pair(frame, 0.0));
    if (issue != m_marks.issues.end())
        consider(issue->first);
    if (issue != m_marks.issues.begin())
        consider(std::prev(issue)->first);
    return best;
}

std::int64_t Timeline::snapped(QPointF at) const {
    if (const std::int64_t mark = markAt(at); mark >= 0)
        return mark;
    const double x = at.x();
    const std::int64_t frame = xToFrame(x);
    std::int64_t best = frame;
    double distance = kSnap + 1e-9;
    for (const auto& part : {m_data, m_live}) {
        if (!part)
            continue;
        for (const auto* list : {&part->user, &part->predicted}) {
            const std::int64_t mark = nearest(*list, frame);
            if (mark < 0)
                continue;
            if (mark == frame)
                return frame;
            const double d = std::fabs(frameToX(static_cast<double>(mark) + 0.5) - x);
            if (d < distance) {
                distance = d;
                best = mark;
            }
        }
    }
    return best;
}

void Timeline::seek(std::int64_t frame) {
    Q_EMIT sought(frame);
    m_view->setFrame(frame);
}

/// What a press there would take hold of, other than a frame.
Timeline::Drag Timeline::whatIsAt(QPointF at) const {
    if (overviewRect().contains(at.toPoint())) {
        const double left = kSide + m_first * overviewScale(), right = left + m_count * overviewScale();
        if (right - left > 4 * kGrip && std::fabs(at.x() - left) <= kGrip)
            return Drag::OverviewFirst;
        if (right - left > 4 * kGrip && std::fabs(at.x() - right) <= kGrip)
            return Drag::OverviewLast;
        return Drag::Overview;
    }
    if (thresholdAt(at) >= 0)
        return Drag::Threshold;
    if (stripEdgeAt(at) >= 0)
        return Drag::StripHeight;
    if (const auto& range = m_view->range()) {
        if (std::fabs(frameToX(static_cast<double>(range->first)) - at.x()) <= kGrip)
            return Drag::RangeFirst;
        if (std::fabs(frameToX(static_cast<double>(range->last) + 1) - at.x()) <= kGrip)
            return Drag::RangeLast;
    }
    return Drag::None;
}

void Timeline::mousePressEvent(QMouseEvent* event) {
    if (m_view->frameCount() <= 0)
        return;
    const double x = event->position().x();
    m_pressedAt = event->position();
    m_anchor = xToFrame(x);
    m_pannedFrom = m_first;
    m_draggedTo = m_pressedAt;
    m_pannedCount = m_count;
    m_hover.reset();
    hideTip();
    if (event->button() == Qt::MiddleButton) {
        m_drag = Drag::Pan;
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    const Drag special = whatIsAt(event->position());
    if (special == Drag::Overview || special == Drag::OverviewFirst || special == Drag::OverviewLast) {
        m_drag = special;
        mouseMoveEvent(event);
        return;
    }
    if (special == Drag::Threshold || special == Drag::StripHeight) {
        m_drag = special;
        m_draggedStrip = static_cast<std::size_t>(special == Drag::Threshold ? thresholdAt(event->position())
                                                                             : stripEdgeAt(event->position()));
        return;
    }
    if (isAltGesture(event->modifiers())) {
        m_drag = Drag::Zoom;
        return;
    }
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        m_drag = Drag::Range;
        m_view->setRange(FrameRange{m_anchor, m_anchor});
        return;
    }
    if (special == Drag::RangeFirst || special == Drag::RangeLast) {
        m_drag = special;
        return;
    }
    // Beside its track a lane is as good a place as any to seek.
    const int track = trackAt(event->position());
    const bool exact = event->modifiers().testFlag(Qt::ControlModifier);
    if (track >= 0 && exact) {  // one more of them; the frame stays
        Q_EMIT trackAdded(track, m_anchor);
        return;
    }
    m_drag = Drag::Seek;
    const std::int64_t frame = exact ? m_anchor : snapped(event->position());
    seek(frame);
    if (track >= 0)
        Q_EMIT trackClicked(track, frame);
}

void Timeline::mouseMoveEvent(QMouseEvent* event) {
    const double x = event->position().x();
    const std::int64_t frame = xToFrame(x);
    switch (m_drag) {
        case Drag::Seek:
            seek(event->modifiers().testFlag(Qt::ControlModifier) ? frame : snapped(event->position()));
            break;
        case Drag::Range:
            m_view->setRange(FrameRange{std::min(m_anchor, frame), std::max(m_anchor, frame)});
            break;
        case Drag::RangeFirst:
            m_view->setRange(FrameRange{std::min(frame, m_view->range()->last), m_view->range()->last});
            break;
        case Drag::RangeLast:
            m_view->setRange(FrameRange{m_view->range()->first, std::max(frame, m_view->range()->first)});
            break;
        case Drag::Pan:
            m_first = m_pannedFrom - (x - m_pressedAt.x()) / pixelsPerFrame();
            clampView();
            invalidate();
            break;
        case Drag::Overview:
            m_first = (x - kSide) / overviewScale() - m_count / 2;
            clampView();
            invalidate();
            break;
        case Drag::OverviewFirst:
        case Drag::OverviewLast: {
            const double end = m_pannedFrom + m_pannedCount, at = (x - kSide) / overviewScale();
            const double first = m_drag == Drag::OverviewFirst ? std::min(at, end - 1) : m_pannedFrom;
            m_count = (m_drag == Drag::OverviewFirst ? end : std::max(at, m_pannedFrom + 1)) - first;
            m_first = first;
            clampView();
            invalidate();
            break;
        }
        case Drag::Threshold:
            setThreshold(m_strips[m_draggedStrip].id, stripValue(m_draggedStrip, event->position().y()));
            break;
        case Drag::StripHeight:
            setStripHeight(
                static_cast<int>((event->position().y() - kRuler) / static_cast<double>(m_draggedStrip + 1)));
            Q_EMIT stripHeightChanged(m_stripHeight);
            break;
        case Drag::Zoom:
            m_draggedTo = event->position();
            update();
            break;
        case Drag::None: {
            m_hover = event->position();
            switch (whatIsAt(event->position())) {
                case Drag::RangeFirst:
                case Drag::RangeLast:
                case Drag::OverviewFirst:
                case Drag::OverviewLast:
                    setCursor(Qt::SizeHorCursor);
                    break;
                case Drag::Threshold:
                case Drag::StripHeight:
                    setCursor(Qt::SizeVerCursor);
                    break;
                default:
                    setCursor(Qt::ArrowCursor);
            }
            if (m_tip->isVisible() && frame == m_tipFrame)
                showTip();  // goes along with the pointer
            else
                m_tipDelay.start();
            update();
            break;
        }
    }
}

void Timeline::mouseReleaseEvent(QMouseEvent* event) {
    if (m_drag == Drag::Zoom) {
        const std::int64_t frame = xToFrame(event->position().x());
        if (std::fabs(event->position().x() - m_pressedAt.x()) > 3)
            showRange({std::min(m_anchor, frame), std::max(m_anchor, frame)});
    }
    m_drag = Drag::None;
    update();
}

void Timeline::mouseDoubleClickEvent(QMouseEvent* event) {
    m_drag = Drag::None;
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        // The contiguous labelled span under the cursor.
        const std::int64_t frame = xToFrame(event->position().x());
        for (const auto& part : {m_data, m_live})
            if (part)
                if (const auto* span = spanAt(part->labelled, frame)) {
                    m_view->setRange(FrameRange{span->first, span->second});
                    return;
                }
        return;
    }
    if (rulerRect().contains(event->pos()))
        showAll();
}

void Timeline::wheelEvent(QWheelEvent* event) {
    const QPointF delta = event->angleDelta();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        zoomAbout(event->position().x(), std::pow(1.2, delta.y() / 120.0));
    } else if (event->modifiers().testFlag(Qt::ShiftModifier) && m_scroll->isVisible()) {
        m_scroll->setValue(m_scroll->value() - static_cast<int>((delta.x() + delta.y()) / 4));
    } else {
        const double along = std::fabs(delta.x()) > std::fabs(delta.y()) ? delta.x() : delta.y();
        m_first -= along / 120.0 * m_count / 10;
        clampView();
        invalidate();
    }
    event->accept();
}

void Timeline::leaveEvent(QEvent*) {
    m_hover.reset();
    hideTip();
    update();
}

void Timeline::hideEvent(QHideEvent*) {
    hideTip();
}

void Timeline::contextMenuEvent(QContextMenuEvent* event) {
    hideTip();
    const int track = laneAt(QPointF(event->pos()));
    const int strip = stripAt(QPointF(event->pos()));
    if (track >= 0)
        Q_EMIT trackMenuWanted(track, xToFrame(event->pos().x()), event->globalPos());
    else if (strip >= 0)
        Q_EMIT stripMenuWanted(strip, event->globalPos());
}

}  // namespace skein::ui
