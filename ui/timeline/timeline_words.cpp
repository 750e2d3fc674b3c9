// SPDX-License-Identifier: GPL-3.0-or-later
// What lies under the pointer, in words and as a picture.
#include <QEvent>
#include <algorithm>

#include "ui/text.h"
#include "ui/timeline/timeline.h"
#include "ui/timeline/timeline_tip.h"

namespace skein::ui {

QString Timeline::hoverText(QPoint at) const {
    if (m_view->frameCount() <= 0)
        return {};
    const std::int64_t frame = xToFrame(at.x());
    QStringList lines;
    QString head = tr("Frame %1").arg(text::number(frame + m_firstNumber));
    if (timeText)
        head += QStringLiteral("   ") + timeText(frame);
    lines << head;
    bool user = false, predicted = false;
    for (const auto& part : {m_data, m_live})
        if (part) {
            user = user || firstIn(part->user, frame, frame + 1) >= 0;
            predicted = predicted || firstIn(part->predicted, frame, frame + 1) >= 0;
        }
    lines << (user && predicted ? tr("User labels and predictions")
              : user            ? tr("User labels")
              : predicted       ? tr("Predictions")
                                : tr("No labels"));
    if (countText && (user || predicted))
        if (const QString counts = countText(frame); !counts.isEmpty())
            lines.back() = counts;
    if (m_data && firstIn(m_data->negative, frame, frame + 1) >= 0)
        lines << tr("Negative: background only");
    if (firstIn(m_marks.suggestedOpen, frame, frame + 1) >= 0)
        lines << tr("Suggested, nothing on it yet");
    else if (firstIn(m_marks.suggestedPredicted, frame, frame + 1) >= 0)
        lines << tr("Suggested, predicted");
    else if (firstIn(m_marks.suggestedLabelled, frame, frame + 1) >= 0)
        lines << tr("Suggested, labelled");
    const auto issue = std::find_if(m_marks.issues.begin(), m_marks.issues.end(),
                                    [frame](const std::pair<std::int64_t, double>& i) { return i.first == frame; });
    if (issue != m_marks.issues.end())
        lines << tr("Issue, severity %1").arg(text::fixed(issue->second, 2));
    if (m_marks.flag == frame)
        lines << tr("Marked frame");
    if (firstIn(m_found, frame, frame + 1) >= 0)
        lines << tr("Found by the search");
    const int strip = stripAt(QPointF(at));
    for (std::size_t i = 0; i < m_strips.size(); ++i) {
        if (m_strips[i].values == nullptr || (strip >= 0 && static_cast<std::size_t>(strip) != i))
            continue;
        const auto value = m_strips[i].values->over(frame, frame + 1);
        lines << QStringLiteral("%1: %2").arg(m_strips[i].title,
                                              !value.any ? tr("none")
                                              : m_strips[i].unit.isEmpty()
                                                  ? text::fixed(value.most, 3)
                                                  : text::withUnit(text::fixed(value.most, 2), m_strips[i].unit));
    }
    const auto in = [frame](const std::vector<FrameRange>& ranges) {
        return std::any_of(ranges.begin(), ranges.end(),
                           [frame](const FrameRange& r) { return r.first <= frame && frame <= r.last; });
    };
    if (in(m_finished))
        lines << tr("Finished in this run");
    else if (in(m_wanted))
        lines << tr("Waiting in this run");
    const int track = laneAt(at);
    if (track >= 0 && trackName)
        for (const auto& part : {m_data, m_live}) {
            const TimelineData::Lane* lane = part ? part->lane(track) : nullptr;
            const auto* span = lane != nullptr ? spanAt(lane->spans, frame) : nullptr;
            if (span != nullptr) {
                lines << tr("%1: frames %2 to %3")
                             .arg(trackName(track), text::number(span->first + m_firstNumber),
                                  text::number(span->second + m_firstNumber));
                break;
            }
        }
    return lines.join(QLatin1Char('\n'));
}

void Timeline::showTip() {
    if (!m_hover || m_drag != Drag::None || m_view->frameCount() <= 0 || overviewRect().contains(m_hover->toPoint()))
        return hideTip();
    const std::int64_t frame = xToFrame(m_hover->x());
    if (std::exchange(m_tipFrame, frame) != frame)
        m_tip->setPicture({});
    m_tip->show(hoverText(m_hover->toPoint()), mapToGlobal(QPoint(static_cast<int>(m_hover->x()), 0)));
    if (!m_tip->hasPicture())
        Q_EMIT thumbnailWanted(frame);
}

void Timeline::hideTip() {
    m_tipDelay.stop();
    m_tip->hide();
    m_tipFrame = -1;
}

void Timeline::setThumbnail(std::int64_t frame, const QPixmap& picture) {
    if (m_tip->isVisible() && frame == m_tipFrame)
        m_tip->setPicture(picture);
}

/// The tip comes by itself, with a picture; Qt's own would lie beside it.
bool Timeline::event(QEvent* event) {
    if (event->type() == QEvent::FontChange)
        m_nameLine = 0;
    return event->type() == QEvent::ToolTip || QWidget::event(event);
}

}  // namespace skein::ui
