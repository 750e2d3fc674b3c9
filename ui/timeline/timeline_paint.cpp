// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/text.h"
#include "ui/theme.h"
#include "ui/timeline/timeline.h"
#include "ui/timeline/timeline_sizes.h"

namespace skein::ui {

using namespace timeline;

void Timeline::render() {
    m_stale = false;
    const double ratio = devicePixelRatioF();
    const QSize pixels = (QSizeF(size()) * ratio).toSize();
    if (m_ground.size() != pixels)
        m_ground = QPixmap(pixels);
    m_ground.setDevicePixelRatio(ratio);
    const auto& t = theme::tokens();
    m_ground.fill(t.surface2);
    QPainter painter(&m_ground);
    painter.setFont(font());
    painter.fillRect(lanesRect(), t.surface);
    paintRuler(painter);
    if (m_view->frameCount() > 0) {
        paintStrips(painter);
        painter.setFont(font());
        paintMarks(painter);
        paintFound(painter);
        paintLanes(painter);
        paintOverview(painter);
    }
    painter.fillRect(QRect(0, kRuler - 1, width(), 1), t.line);
    painter.fillRect(QRect(0, marksRect().bottom() + 1, width(), 1), t.line);
}

void Timeline::paintRuler(QPainter& painter) const {
    if (m_view->frameCount() <= 0)
        return;
    QFont small = font();
    small.setPointSizeF(std::max(7.0, small.pointSizeF() - 1));
    painter.setFont(small);
    const QFontMetricsF metrics(small);
    const double widest = metrics.horizontalAdvance(text::number(m_view->frameCount())) + 24;
    const double fps = m_rulerTime && framesPerSecond ? framesPerSecond() : 0;
    if (fps > 0)
        return paintTimes(painter, metrics, fps);
    // Steps of 1, 2, 5 times a power of ten, as many as fit without crowding.
    double step = 1;
    const double wanted = widest / pixelsPerFrame();
    const double power = std::pow(10.0, std::floor(std::log10(std::max(1.0, wanted))));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (power * factor >= wanted) {
            step = power * factor;
            break;
        }
    step = std::max(1.0, step);
    const double minor = step >= 5 ? step / 5 : step;
    const auto count = static_cast<double>(m_view->frameCount());
    // Ticks stand at round numbers as people count them.
    const double base = m_firstNumber;
    for (double number = std::floor((m_first + base) / minor) * minor; number - base < m_first + m_count + 1;
         number += minor) {
        const double frame = number - base;
        if (frame < 0 || frame >= count)
            continue;
        const bool major = std::fabs(std::remainder(number, step)) < 1e-6;
        paintTick(painter, metrics, frameToX(frame + 0.5),
                  major ? text::number(static_cast<std::int64_t>(number)) : QString());
    }
}

/// A tick of the ruler, long with a label, short without.
void Timeline::paintTick(QPainter& painter, const QFontMetricsF& metrics, double x, const QString& label) const {
    const auto& t = theme::tokens();
    x = std::floor(x);
    const bool major = !label.isEmpty();
    painter.fillRect(QRectF(x, kRuler - (major ? 7 : 4), 1, major ? 6 : 3), major ? t.text2 : t.line);
    if (!major)
        return;
    const double labelWidth = metrics.horizontalAdvance(label);
    const double left = std::clamp(x - labelWidth / 2, 2.0, std::max(2.0, width() - labelWidth - 2));
    painter.setPen(t.text2);
    painter.drawText(QRectF(left, 1, labelWidth + 2, kRuler - 8), Qt::AlignLeft | Qt::AlignVCenter, label);
}

/// Ticks at round times, of a video whose frames come `fps` a second.
void Timeline::paintTimes(QPainter& painter, const QFontMetricsF& metrics, double fps) const {
    const double wanted = (metrics.horizontalAdvance(text::time(0)) + 24) / pixelsPerFrame() / fps;
    double step = 36000;
    for (const double seconds : {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0,
                                 1800.0, 3600.0, 7200.0})
        if (seconds >= wanted) {
            step = seconds;
            break;
        }
    const auto count = static_cast<double>(m_view->frameCount());
    for (auto tick = static_cast<std::int64_t>(m_first / fps / step * 5);; ++tick) {
        const double seconds = static_cast<double>(tick) * step / 5;
        const double frame = seconds * fps;
        if (frame > m_first + m_count || frame >= count)
            break;
        paintTick(painter, metrics, frameToX(frame), tick % 5 == 0 ? text::time(seconds) : QString());
    }
}

void Timeline::paintEvent(QPaintEvent*) {
    if (m_stale || m_ground.devicePixelRatio() != devicePixelRatioF())
        render();
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_ground);
    if (m_view->frameCount() <= 0)
        return;
    const auto& t = theme::tokens();
    const int bottom = height() - overviewRect().height();
    if (const auto& range = m_view->range()) {
        const double left = frameToX(static_cast<double>(range->first)),
                     right = frameToX(static_cast<double>(range->last) + 1);
        QColor fill = t.accent;
        fill.setAlpha(t.dark ? 56 : 40);
        painter.fillRect(QRectF(left, 0, right - left, bottom), fill);
        painter.fillRect(QRectF(std::floor(left), 0, 1, bottom), t.accent);
        painter.fillRect(QRectF(std::floor(right) - 1, 0, 1, bottom), t.accent);
    }
    paintThresholds(painter);
    if (m_drag == Drag::Zoom) {
        QColor fill = t.text2;
        fill.setAlpha(60);
        painter.fillRect(QRectF(QPointF(m_pressedAt.x(), 0), QPointF(m_draggedTo.x(), bottom)).normalized(), fill);
    }
    if (m_hover && m_drag == Drag::None) {
        QColor faint = t.text2;
        faint.setAlpha(110);
        painter.fillRect(QRectF(std::floor(m_hover->x()), kRuler, 1, bottom - kRuler), faint);
    }
    const double x = std::floor(frameToX(static_cast<double>(m_view->frame()) + 0.5));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.accent);
    painter.drawPolygon(QPolygonF() << QPointF(x - 4.5, kRuler - 9) << QPointF(x + 5.5, kRuler - 9)
                                    << QPointF(x + 5.5, kRuler - 5) << QPointF(x + 0.5, kRuler)
                                    << QPointF(x - 4.5, kRuler - 5));
    painter.fillRect(QRectF(x, kRuler - 2, 1, bottom - kRuler + 2), t.accent);
    if (const QRect overview = overviewRect(); !overview.isEmpty())
        painter.fillRect(QRectF(kSide + static_cast<double>(m_view->frame()) * overviewScale(), overview.top() + 1, 1,
                                kOverview - 1),
                         t.accent);
}

/// The whole video: where something is labelled, and the part in sight as a box.
void Timeline::paintOverview(QPainter& painter) const {
    const QRect overview = overviewRect();
    if (overview.isEmpty())
        return;
    const auto& t = theme::tokens();
    painter.fillRect(overview, t.surface2);
    painter.fillRect(QRect(overview.left(), overview.top(), overview.width(), 1), t.line);
    const double scale = overviewScale();
    const QColor some = theme::mix(t.surface2, t.text2, 0.3);
    for (int x = kSide; x < width() - kSide; ++x) {
        const auto from = static_cast<std::int64_t>(std::floor((x - kSide) / scale));
        const auto to = std::max(from + 1, static_cast<std::int64_t>(std::floor((x + 1 - kSide) / scale)));
        for (const auto& part : {m_data, m_live})
            if (part && meets(part->labelled, from, to)) {
                painter.fillRect(QRect(x, overview.top() + 4, 1, kOverview - 6), some);
                break;
            }
    }
    QColor box = t.accent;
    box.setAlpha(70);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(t.accent, 1));
    painter.setBrush(box);
    painter.drawRoundedRect(
        QRectF(kSide + m_first * scale + 0.5, overview.top() + 1.5, std::max(8.0, m_count * scale), kOverview - 3), 2,
        2);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace skein::ui
