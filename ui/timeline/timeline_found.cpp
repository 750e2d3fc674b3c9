// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>

#include "ui/theme.h"
#include "ui/timeline/timeline.h"

namespace skein::ui {

void Timeline::setFound(std::vector<std::int64_t> frames) {
    if (frames == m_found)
        return;
    m_found = std::move(frames);
    invalidate();
}

/// Frames that a search found: a line along the upper edge of the marks, one look-up a pixel.
void Timeline::paintFound(QPainter& painter) const {
    if (m_found.empty())
        return;
    constexpr int kHeight = 4, kLeastWidth = 3;
    const QRect marks = marksRect();
    const double perFrame = pixelsPerFrame();
    for (int x = marks.left(); x <= marks.right(); ++x) {
        const std::int64_t from = xToFrame(x);
        const std::int64_t found = firstIn(m_found, from, std::max(from + 1, xToFrame(x + 1)));
        if (found < 0)
            continue;
        const int left = static_cast<int>(frameToX(static_cast<double>(found)));
        const int wide = std::max(kLeastWidth, static_cast<int>(perFrame));
        painter.fillRect(QRect(std::max(left, marks.left()), marks.top(), wide, kHeight), theme::tokens().accent);
        x = std::max(x, left + wide - 1);
    }
}

}  // namespace skein::ui
