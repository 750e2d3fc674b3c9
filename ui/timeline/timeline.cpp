// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline.h"

#include <QEvent>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "ui/theme.h"
#include "ui/timeline/timeline_sizes.h"
#include "ui/timeline/timeline_tip.h"

namespace skein::ui {

using namespace timeline;

namespace {
constexpr int kTipMs = 200;
}

Timeline::Timeline(ViewState* view, QWidget* parent)
    : QWidget(parent), m_view(view), m_scroll(new QScrollBar(Qt::Vertical, this)), m_tip(new TimelineTip(this)) {
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Timeline"));
    setMouseTracking(true);
    setFocusPolicy(Qt::ClickFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_scroll->setObjectName(QStringLiteral("timelineScroll"));
    m_scroll->setAccessibleName(tr("Scroll track lanes"));
    m_scroll->hide();
    m_tipDelay.setSingleShot(true);
    m_tipDelay.setInterval(kTipMs);
    connect(&m_tipDelay, &QTimer::timeout, this, &Timeline::showTip);
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
    return {200, kRuler + static_cast<int>(m_strips.size()) * m_stripHeight + kMarks + kLeastLanes};
}

void Timeline::setData(std::shared_ptr<const TimelineData> part) {
    m_data = std::move(part);
    lanesChanged();
}

void Timeline::setLive(std::shared_ptr<const TimelineData> live) {
    m_live = std::move(live);
    lanesChanged();
}

void Timeline::setRun(std::vector<FrameRange> finished, std::vector<FrameRange> wanted) {
    if (finished == m_finished && wanted == m_wanted)
        return;
    m_finished = std::move(finished);
    m_wanted = std::move(wanted);
    invalidate();
}

void Timeline::setMarks(TimelineMarks marks) {
    m_marks = std::move(marks);
    invalidate();
}

void Timeline::setStrips(std::vector<TimelineStrip> strips) {
    const bool others = strips.size() != m_strips.size();
    m_strips = std::move(strips);
    if (others)
        updateGeometry();
    invalidate();
}

void Timeline::setStripHeight(int height) {
    height = std::clamp(height, kLeastStrip, kMostStrip);
    if (std::exchange(m_stripHeight, height) == height)
        return;
    updateGeometry();
    invalidate();
}

void Timeline::setLaneOrder(LaneOrder order) {
    if (std::exchange(m_order, order) != order)
        lanesChanged();
}

void Timeline::setLanesPacked(bool packed) {
    if (std::exchange(m_packed, packed) != packed)
        lanesChanged();
}

void Timeline::setIssueCounts(std::vector<int> open) {
    if (open == m_openIssues)
        return;
    m_openIssues = std::move(open);
    if (m_order == LaneOrder::Issues)
        lanesChanged();
}

void Timeline::setSelectedTracks(std::vector<int> tracks) {
    std::sort(tracks.begin(), tracks.end());
    if (tracks == m_selectedTracks)
        return;
    m_selectedTracks = std::move(tracks);
    invalidate();
}

void Timeline::setFirstFrameNumber(int number) {
    m_firstNumber = number;
    invalidate();
}

void Timeline::setRulerShowsTime(bool time) {
    if (std::exchange(m_rulerTime, time) != time)
        invalidate();
}

void Timeline::colorsChanged() {
    invalidate();
}

void Timeline::lanesChanged() {
    m_lanesStale = true;
    invalidate();
}

void Timeline::invalidate() {
    m_stale = true;
    updateScrollBar();
    update();
    if (m_first != m_toldFirst || m_count != m_toldCount) {
        m_toldFirst = m_first;
        m_toldCount = m_count;
        Q_EMIT viewChanged();
    }
}

// --- Where things are ----------------------------------------------------------------------------------------------

QRect Timeline::rulerRect() const {
    return {0, 0, width(), kRuler};
}
QRect Timeline::stripRect(std::size_t strip) const {
    return {0, kRuler + static_cast<int>(strip) * m_stripHeight, width(), m_stripHeight};
}
QRect Timeline::marksRect() const {
    return {0, kRuler + static_cast<int>(m_strips.size()) * m_stripHeight, width(), kMarks};
}
QRect Timeline::overviewRect() const {
    const bool zoomed = m_count < static_cast<double>(m_view->frameCount()) - 1e-9;
    return zoomed ? QRect(0, height() - kOverview, width(), kOverview) : QRect();
}
QRect Timeline::lanesRect() const {
    const int top = marksRect().bottom() + 2;
    return {0, top, width(), std::max(0, height() - top - overviewRect().height() - 2)};
}

double Timeline::pixelsPerFrame() const {
    return std::max(1, width() - 2 * kSide) / std::max(1e-9, m_count);
}
double Timeline::overviewScale() const {
    return std::max(1, width() - 2 * kSide) / std::max(1.0, static_cast<double>(m_view->frameCount()));
}
double Timeline::frameToX(double frame) const {
    return kSide + (frame - m_first) * pixelsPerFrame();
}
std::int64_t Timeline::xToFrame(double x) const {
    const auto frame = static_cast<std::int64_t>(std::floor(m_first + (x - kSide) / pixelsPerFrame()));
    return std::clamp<std::int64_t>(frame, 0, std::max<std::int64_t>(0, m_view->frameCount() - 1));
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
    const QRect area = lanesRect();
    const int needed = static_cast<int>(std::ceil(laneHeight() * laneRows()));
    const bool scrolls = needed > area.height();
    m_scroll->setVisible(scrolls);
    m_scroll->setGeometry(width() - theme::kScrollBar, area.top(), theme::kScrollBar, area.height());
    m_scroll->setPageStep(std::max(1, area.height()));
    m_scroll->setSingleStep(std::max(1, static_cast<int>(3 * laneHeight())));
    m_scroll->setRange(0, std::max(0, needed - area.height()));
}

void Timeline::resizeEvent(QResizeEvent*) {
    clampView();
    invalidate();
}

void Timeline::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        invalidate();
    QWidget::changeEvent(event);
}

}  // namespace skein::ui
