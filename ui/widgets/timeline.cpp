// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/timeline.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {
constexpr int kRuler = 22;
constexpr int kMarks = 18;
constexpr int kOverview = 10;
constexpr int kSide = theme::kGap;  ///< room left and right, so that the head is whole at the ends
constexpr double kMinLane = 3, kLane = 6, kMaxLane = 12;
constexpr double kMostPixelsPerFrame = 40;
constexpr double kSnap = 4;
constexpr double kGrip = 4;
}  // namespace

Timeline::Timeline(ViewState* view, QWidget* parent)
    : QWidget(parent), m_view(view), m_scroll(new QScrollBar(Qt::Vertical, this)) {
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Timeline"));
    setMouseTracking(true);
    setFocusPolicy(Qt::ClickFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_scroll->setObjectName(QStringLiteral("timelineScroll"));
    m_scroll->setAccessibleName(tr("Scroll track lanes"));
    m_scroll->hide();
    connect(m_scroll, &QScrollBar::valueChanged, this, &Timeline::invalidate);
    connect(view, &ViewState::frameCountChanged, this, [this] { showAll(); });
    connect(view, &ViewState::frameChanged, this, [this] {
        if (m_drag == Drag::None)
            keepHeadVisible();
        update();
    });
    connect(view, &ViewState::rangeChanged, this, qOverload<>(&QWidget::update));
}

QSize Timeline::minimumSizeHint() const {
    return {200, kRuler + kMarks + 16};
}

void Timeline::setData(std::shared_ptr<const TimelineData> part) {
    m_data = std::move(part);
    invalidate();
}

void Timeline::setLive(std::shared_ptr<const TimelineData> live) {
    m_live = std::move(live);
    invalidate();
}

void Timeline::setRun(std::vector<FrameRange> finished, std::vector<FrameRange> wanted) {
    if (finished == m_finished && wanted == m_wanted)
        return;
    m_finished = std::move(finished);
    m_wanted = std::move(wanted);
    invalidate();
}

void Timeline::setFirstFrameNumber(int number) {
    m_firstNumber = number;
    invalidate();
}

void Timeline::invalidate() {
    m_stale = true;
    updateScrollBar();
    update();
}

// --- Where things are ----------------------------------------------------------------------------------------------

QRect Timeline::rulerRect() const {
    return {0, 0, width(), kRuler};
}
QRect Timeline::marksRect() const {
    return {0, kRuler, width(), kMarks};
}
QRect Timeline::overviewRect() const {
    const bool zoomed = m_count < static_cast<double>(m_view->frameCount()) - 1e-9;
    return zoomed ? QRect(0, height() - kOverview, width(), kOverview) : QRect();
}
QRect Timeline::lanesRect() const {
    const int top = kRuler + kMarks + 1;
    return {0, top, width(), std::max(0, height() - top - overviewRect().height() - 2)};
}

double Timeline::pixelsPerFrame() const {
    return std::max(1, width() - 2 * kSide) / std::max(1e-9, m_count);
}
double Timeline::frameToX(double frame) const {
    return kSide + (frame - m_first) * pixelsPerFrame();
}
std::int64_t Timeline::xToFrame(double x) const {
    const auto frame = static_cast<std::int64_t>(std::floor(m_first + (x - kSide) / pixelsPerFrame()));
    return std::clamp<std::int64_t>(frame, 0, std::max<std::int64_t>(0, m_view->frameCount() - 1));
}

std::vector<int> Timeline::laneTracks() const {
    std::vector<int> tracks;
    for (const auto& part : {m_data, m_live})
        if (part)
            for (const TimelineData::Lane& lane : part->lanes)
                tracks.push_back(lane.track);
    std::sort(tracks.begin(), tracks.end());
    tracks.erase(std::unique(tracks.begin(), tracks.end()), tracks.end());
    return tracks;
}

double Timeline::laneHeight() const {
    const auto lanes = static_cast<double>(laneTracks().size());
    const double room = lanesRect().height() / std::max(1.0, lanes);
    return room >= kLane ? std::min(kMaxLane, std::floor(room)) : std::max(kMinLane, std::floor(room));
}

int Timeline::laneAt(QPointF at) const {
    const QRect lanes = lanesRect();
    if (!lanes.contains(at.toPoint()))
        return -1;
    const auto tracks = laneTracks();
    const auto place = static_cast<std::int64_t>((at.y() - lanes.top() + m_scroll->value()) / laneHeight());
    return place >= 0 && place < static_cast<std::int64_t>(tracks.size()) ? tracks[static_cast<std::size_t>(place)]
                                                                          : -1;
}

void Timeline::clampView() {
    const auto all = std::max(1.0, static_cast<double>(m_view->frameCount()));
    const double least = std::min(all, std::max(1.0, (width() - 2 * kSide) / kMostPixelsPerFrame));
    m_count = std::clamp(m_count, least, all);
    m_first = std::clamp(m_first, 0.0, all - m_count);
}

void Timeline::showAll() {
    m_first = 0;
    m_count = std::max(1.0, static_cast<double>(m_view->frameCount()));
    invalidate();
}

void Timeline::showRange(const FrameRange& range) {
    m_first = static_cast<double>(range.first);
    m_count = static_cast<double>(range.count());
    clampView();
    invalidate();
}

void Timeline::zoomAbout(double x, double factor) {
    const double frame = m_first + (x - kSide) / pixelsPerFrame();
    m_count /= factor;
    clampView();
    m_first = frame - (x - kSide) / pixelsPerFrame();
    clampView();
    invalidate();
}

/// The head never leaves the window while the view moves by itself; half a page is turned at the edge.
void Timeline::keepHeadVisible() {
    const auto frame = static_cast<double>(m_view->frame());
    if (frame >= m_first && frame + 1 <= m_first + m_count)
        return;
    m_first = frame - m_count / 2;
    clampView();
    invalidate();
}

void Timeline::updateScrollBar() {
    const QRect lanes = lanesRect();
    const int needed = static_cast<int>(std::ceil(laneHeight() * static_cast<double>(laneTracks().size())));
    const bool scrolls = needed > lanes.height();
    m_scroll->setVisible(scrolls);
    m_scroll->setGeometry(width() - theme::kScrollBar, lanes.top(), theme::kScrollBar, lanes.height());
    m_scroll->setPageStep(std::max(1, lanes.height()));
    m_scroll->setRange(0, std::max(0, needed - lanes.height()));
}

void Timeline::resizeEvent(QResizeEvent*) {
    clampView();
    invalidate();
}

// --- Painting ------------------------------------------------------------------------------------------------------

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
    const QRect lanes = lanesRect();
    painter.fillRect(lanes, t.surface);
    paintRuler(painter);
    if (m_view->frameCount() > 0) {
        paintMarks(painter);
        paintFound(painter);
        paintLanes(painter);
    }
    painter.fillRect(QRect(0, kRuler - 1, width(), 1), t.line);
    painter.fillRect(QRect(0, kRuler + kMarks, width(), 1), t.line);
}

void Timeline::paintRuler(QPainter& painter) const {
    if (m_view->frameCount() <= 0)
        return;
    const auto& t = theme::tokens();
    QFont small = font();
    small.setPointSizeF(std::max(7.0, small.pointSizeF() - 1));
    painter.setFont(small);
    const QFontMetricsF metrics(small);
    const double widest = metrics.horizontalAdvance(text::number(m_view->frameCount())) + 24;
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
        const double x = std::floor(frameToX(frame + 0.5));
        const bool major = std::fabs(std::remainder(number, step)) < 1e-6;
        painter.fillRect(QRectF(x, kRuler - (major ? 7 : 4), 1, major ? 6 : 3), major ? t.text2 : t.line);
        if (!major)
            continue;
        const QString label = text::number(static_cast<std::int64_t>(number));
        const double labelWidth = metrics.horizontalAdvance(label);
        const double left = std::clamp(x - labelWidth / 2, 2.0, std::max(2.0, width() - labelWidth - 2));
        painter.setPen(t.text2);
        painter.drawText(QRectF(left, 1, labelWidth + 2, kRuler - 8), Qt::AlignLeft | Qt::AlignVCenter, label);
    }
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

    // One look-up a pixel column, or one a frame where a frame is wider than a pixel.
    const double perFrame = pixelsPerFrame();
    const double column = std::max(1.0, perFrame);
    const QColor predicted = theme::mix(t.surface2, t.text2, 0.75);
    const auto mark = [&](const std::vector<std::int64_t>& frames, const QColor& color, double top, double height,
                          double most) {
        if (frames.empty())
            return;
        const double barWidth = std::clamp(perFrame - (perFrame > 3 ? 1 : 0), 1.0, most);
        auto it = std::lower_bound(frames.begin(), frames.end(), static_cast<std::int64_t>(std::floor(m_first)));
        double from = -1, to = -1;  // bars that touch are painted as one
        while (it != frames.end()) {
            const double x = std::floor(frameToX(static_cast<double>(*it)));
            if (x >= width() - kSide)
                break;
            if (x > to) {
                if (to > from)
                    painter.fillRect(QRectF(from, top, to - from, height), color);
                from = x;
            }
            to = x + barWidth;
            // Everything else in this column adds nothing to see.
            const double next = m_first + (x + column - kSide) / perFrame;
            it = std::lower_bound(it + 1, frames.end(), static_cast<std::int64_t>(std::ceil(next - 1e-9)));
        }
        if (to > from)
            painter.fillRect(QRectF(from, top, to - from, height), color);
    };
    for (const auto& part : {m_data, m_live})
        if (part)
            mark(part->predicted, predicted, row.top() + 7.0, row.height() - 11.0, 24);
    for (const auto& part : {m_data, m_live})
        if (part)
            mark(part->user, t.text, row.top() + 3.0, row.height() - 6.0, 24);
}

void Timeline::paintLanes(QPainter& painter) const {
    const auto& t = theme::tokens();
    const QRect area = lanesRect();
    const auto tracks = laneTracks();
    if (tracks.empty() || area.height() <= 0)
        return;
    painter.save();
    painter.setClipRect(area);
    const double height = laneHeight();
    const double gap = height >= 5 ? 1 : 0;
    const auto firstLane = static_cast<std::size_t>(std::max(0.0, std::floor(m_scroll->value() / height)));
    const double right = width() - kSide;
    for (std::size_t i = firstLane; i < tracks.size(); ++i) {
        const double top = area.top() + 1 + static_cast<double>(i) * height - m_scroll->value();
        if (top > area.bottom())
            break;
        const QColor color = theme::trackColor(tracks[i]);
        for (const auto& part : {m_data, m_live}) {
            if (!part)
                continue;
            const auto found = part->laneOf.find(tracks[i]);
            if (found == part->laneOf.end())
                continue;
            const TimelineData::Lane& lane = part->lanes[found->second];
            auto it =
                std::lower_bound(lane.spans.begin(), lane.spans.end(), static_cast<std::int64_t>(std::floor(m_first)),
                                 [](const TimelineData::Span& s, std::int64_t key) { return s.second < key; });
            double from = -1, to = -1;  // spans that touch on the screen are painted as one
            const auto flush = [&] {
                if (to > from)
                    painter.fillRect(QRectF(from, top, to - from, height - gap), color);
            };
            while (it != lane.spans.end()) {
                const double x0 = std::floor(std::max(frameToX(static_cast<double>(it->first)), double(kSide)));
                if (x0 >= right)
                    break;
                const double x1 = std::min(frameToX(static_cast<double>(it->second) + 1), right);
                if (x0 > to) {
                    flush();
                    from = x0;
                }
                to = std::max({to, x0 + 1, std::floor(x1)});  // at least a pixel wide
                // Spans that end before this pixel add nothing to see.
                const auto next = static_cast<std::int64_t>(std::floor(m_first + (to - kSide) / pixelsPerFrame()));
                it = std::lower_bound(it + 1, lane.spans.end(), next,
                                      [](const TimelineData::Span& s, std::int64_t key) { return s.second < key; });
            }
            flush();
            auto tick = std::lower_bound(lane.userFrames.begin(), lane.userFrames.end(),
                                         static_cast<std::int64_t>(std::floor(m_first)));
            while (tick != lane.userFrames.end()) {
                const double x = std::floor(frameToX(static_cast<double>(*tick) + 0.5));
                if (x >= right)
                    break;
                // Half a lane high, so that the track's colour is still seen where every frame is labelled.
                painter.fillRect(QRectF(x, top, 1, std::ceil((height - gap) / 2)), t.text);
                const double next = m_first + (x + 1 - kSide) / pixelsPerFrame();
                tick = std::lower_bound(tick + 1, lane.userFrames.end(), static_cast<std::int64_t>(std::floor(next)));
            }
        }
    }
    painter.restore();
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

    const QRect overview = overviewRect();
    if (!overview.isEmpty()) {
        painter.fillRect(overview, t.surface2);
        painter.fillRect(QRect(overview.left(), overview.top(), overview.width(), 1), t.line);
        const double scale = (width() - 2.0 * kSide) / static_cast<double>(m_view->frameCount());
        painter.setBrush(theme::mix(t.surface2, t.text2, 0.5));
        painter.drawRoundedRect(
            QRectF(kSide + m_first * scale, overview.top() + 3, std::max(8.0, m_count * scale), kOverview - 5), 2, 2);
        painter.fillRect(
            QRectF(kSide + static_cast<double>(m_view->frame()) * scale, overview.top() + 1, 1, kOverview - 1),
            t.accent);
    }
}

// --- Pointer -------------------------------------------------------------------------------------------------------

std::int64_t Timeline::snapped(double x) const {
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

void Timeline::mousePressEvent(QMouseEvent* event) {
    if (m_view->frameCount() <= 0)
        return;
    const double x = event->position().x();
    m_pressedAt = event->position();
    m_anchor = xToFrame(x);
    m_pannedFrom = m_first;
    m_hover.reset();
    QToolTip::hideText();
    if (event->button() == Qt::MiddleButton) {
        m_drag = Drag::Pan;
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    if (overviewRect().contains(event->pos())) {
        m_drag = Drag::Overview;
        mouseMoveEvent(event);
        return;
    }
    if (event->modifiers().testFlag(Qt::AltModifier)) {
        m_drag = Drag::Zoom;
        return;
    }
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        m_drag = Drag::Range;
        m_view->setRange(FrameRange{m_anchor, m_anchor});
        return;
    }
    if (const auto& range = m_view->range()) {
        if (std::fabs(frameToX(static_cast<double>(range->first)) - x) <= kGrip) {
            m_drag = Drag::RangeFirst;
            return;
        }
        if (std::fabs(frameToX(static_cast<double>(range->last) + 1) - x) <= kGrip) {
            m_drag = Drag::RangeLast;
            return;
        }
    }
    m_drag = Drag::Seek;
    const int track = laneAt(event->position());
    const std::int64_t frame = event->modifiers().testFlag(Qt::ControlModifier) ? m_anchor : snapped(x);
    seek(frame);
    if (track >= 0)
        Q_EMIT trackClicked(track, frame);
}

void Timeline::mouseMoveEvent(QMouseEvent* event) {
    const double x = event->position().x();
    const std::int64_t frame = xToFrame(x);
    switch (m_drag) {
        case Drag::Seek:
            seek(event->modifiers().testFlag(Qt::ControlModifier) ? frame : snapped(x));
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
        case Drag::Overview: {
            const double scale = static_cast<double>(m_view->frameCount()) / std::max(1, width() - 2 * kSide);
            m_first = (x - kSide) * scale - m_count / 2;
            clampView();
            invalidate();
            break;
        }
        case Drag::Zoom:
            break;
        case Drag::None: {
            m_hover = event->position();
            Qt::CursorShape shape = Qt::ArrowCursor;
            if (const auto& range = m_view->range())
                if (std::fabs(frameToX(static_cast<double>(range->first)) - x) <= kGrip ||
                    std::fabs(frameToX(static_cast<double>(range->last) + 1) - x) <= kGrip)
                    shape = Qt::SizeHorCursor;
            setCursor(shape);
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
    update();
}

void Timeline::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        invalidate();
    QWidget::changeEvent(event);
}

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
            if (!part || !part->laneOf.contains(track))
                continue;
            const auto* span = spanAt(part->lanes[part->laneOf.at(track)].spans, frame);
            if (span != nullptr) {
                lines << tr("%1: frames %2 to %3")
                             .arg(trackName(track), text::number(span->first + m_firstNumber),
                                  text::number(span->second + m_firstNumber));
                break;
            }
        }
    return lines.join(QLatin1Char('\n'));
}

bool Timeline::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), hoverText(help->pos()), this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace skein::ui
