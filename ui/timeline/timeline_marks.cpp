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

/// Bars at frames, one look-up a pixel column, or one a frame where a frame is wider than a pixel.
void Timeline::paintBars(QPainter& painter, const std::vector<std::int64_t>& frames, const QColor& color, double top,
                         double height, double widest) const {
    if (frames.empty())
        return;
    const double perFrame = pixelsPerFrame();
    const double column = std::max(1.0, perFrame);
    const double barWidth = std::clamp(perFrame - (perFrame > 3 ? 1 : 0), 1.0, widest);
    auto it = std::lower_bound(frames.begin(), frames.end(), static_cast<std::int64_t>(std::floor(m_first)));
    double from = -1, to = -1;  // bars that touch are painted as one
    while (it != frames.end()) {
        const double x = std::floor(frameToX(static_cast<double>(*it)));
        if (x >= width() - kSide)
            break;
        // A bar that is narrower than its frame stands in the middle, where ticks and the head do.
        const double left = perFrame - barWidth < 2
                                ? x
                                : std::floor(frameToX(static_cast<double>(*it) + 0.5)) - std::floor(barWidth / 2);
        if (left > to) {
            if (to > from)
                painter.fillRect(QRectF(from, top, to - from, height), color);
            from = left;
        }
        to = left + barWidth;
        // Everything else in this column adds nothing to see.
        const double next = m_first + (x + column - kSide) / perFrame;
        it = std::lower_bound(it + 1, frames.end(), static_cast<std::int64_t>(std::ceil(next - 1e-9)));
    }
    if (to > from)
        painter.fillRect(QRectF(from, top, to - from, height), color);
}

void Timeline::paintMarks(QPainter& painter) const {
    const auto& t = theme::tokens();
    const QRect row = marksRect();
    const QColor pending = theme::mix(t.surface2, t.accent, 0.16), done = theme::mix(t.surface2, t.accent, 0.38);
    const auto shade = [&](const std::vector<FrameRange>& ranges, const QColor& color) {
        for (const FrameRange& range : ranges) {
            const double left = std::max(frameToX(static_cast<double>(range.first)), double(kSide));
            const double right = std::min(frameToX(static_cast<double>(range.last) + 1), double(width() - kSide));
            if (right > left)
                painter.fillRect(QRectF(left, row.top(), std::max(1.0, right - left), row.height()), color);
        }
    };
    shade(m_wanted, pending);
    shade(m_finished, done);
    const QColor predicted = theme::mix(t.surface2, t.text2, 0.75);
    constexpr double kWidest = 24;
    for (const auto& part : {m_data, m_live})
        if (part)
            paintBars(painter, part->predicted, predicted, row.top() + 7.0, row.height() - 11.0, kWidest);
    for (const auto& part : {m_data, m_live})
        if (part)
            paintBars(painter, part->user, t.text, row.top() + 3.0, row.height() - 6.0, kWidest);
    if (m_data)
        paintBars(painter, m_data->negative, t.accent, row.top() + 3.0, row.height() - 6.0, kWidest);
    paintSuggestions(painter);
    paintIssues(painter);
    if (m_marks.flag >= 0) {
        const double x = std::floor(frameToX(static_cast<double>(m_marks.flag) + 0.5));
        painter.fillRect(QRectF(x, row.top() + 1, 1, row.height() - 2), t.good);
        painter.fillRect(QRectF(x, row.top() + 1, 7, 5), t.good);
    }
}

/// Small squares at the lower edge: open ones are still to be labelled, full ones are done, pale ones predicted.
void Timeline::paintSuggestions(QPainter& painter) const {
    const auto& t = theme::tokens();
    constexpr int kSize = 5;
    const QRect row = marksRect();
    const struct {
        const std::vector<std::int64_t>& frames;
        QColor fill, line;
    } kinds[] = {{m_marks.suggestedPredicted, theme::mix(t.surface, t.warn, 0.4), t.warn},
                 {m_marks.suggestedLabelled, t.warn, t.warn},
                 {m_marks.suggestedOpen, t.surface, t.warn}};
    for (const auto& kind : kinds) {
        auto it =
            std::lower_bound(kind.frames.begin(), kind.frames.end(), static_cast<std::int64_t>(std::floor(m_first)));
        while (it != kind.frames.end()) {
            const double x = std::floor(frameToX(static_cast<double>(*it) + 0.5));
            if (x >= width() - kSide)
                break;
            const QRectF box(x - kSize / 2, row.bottom() - kSize, kSize, kSize);
            painter.fillRect(box, kind.line);
            painter.fillRect(box.adjusted(1, 1, -1, -1), kind.fill);
            // The next one that is not hidden behind this one.
            const double next = m_first + (x + 3 - kSide) / pixelsPerFrame();
            it = std::lower_bound(it + 1, kind.frames.end(), static_cast<std::int64_t>(std::ceil(next)));
        }
    }
}

/// Triangles at the upper edge; of those that would cover each other the gravest.
void Timeline::paintIssues(QPainter& painter) const {
    const auto& t = theme::tokens();
    constexpr double kHalf = 4;
    const QRect row = marksRect();
    const auto ink = [&t](double severity) {
        return severity >= 0.66 ? t.bad : severity >= 0.33 ? t.warn : theme::mix(t.surface2, t.warn, 0.6);
    };
    auto it = std::lower_bound(
        m_marks.issues.begin(), m_marks.issues.end(), static_cast<std::int64_t>(std::floor(m_first)),
        [](const std::pair<std::int64_t, double>& issue, std::int64_t key) { return issue.first < key; });
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    double last = -1e9, gravest = 0;
    const auto draw = [&] {
        if (last < 0)
            return;
        painter.setBrush(ink(gravest));
        painter.drawPolygon(QPolygonF() << QPointF(last - kHalf, row.top() + 1) << QPointF(last + kHalf, row.top() + 1)
                                        << QPointF(last, row.top() + 8));
    };
    for (; it != m_marks.issues.end(); ++it) {
        const double x = std::floor(frameToX(static_cast<double>(it->first) + 0.5)) + 0.5;
        if (x >= width() - kSide)
            break;
        if (x - last > kHalf) {
            draw();
            last = x;
            gravest = it->second;
        } else {
            gravest = std::max(gravest, it->second);
        }
    }
    draw();
    painter.restore();
}

}  // namespace skein::ui
