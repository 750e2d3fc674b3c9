// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/rate_strip.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/run_text.h"
#include "ui/theme.h"

namespace skein::ui {
namespace {

constexpr int kPlotHeight = 48;

/// The next larger "round" number, so that the scale stays while the rate wobbles.
double roundedUp(double value) {
    if (!(value > 0))
        return 1;
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double step : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0})
        if (value <= step * power)
            return step * power;
    return 10 * power;
}

}  // namespace

void RateHistory::clear() {
    const auto version = m_version;
    *this = RateHistory();
    m_version = version + 1;
}

void RateHistory::add(double seconds, std::int64_t framesDone, bool paused) {
    if (m_secondStart < 0) {
        m_secondStart = seconds;
        m_framesAtStart = framesDone;
    }
    m_pausedInSecond = m_pausedInSecond || paused;
    const double elapsed = seconds - m_secondStart;
    if (elapsed < 1)
        return;
    // More than a second may have passed: its frames are spread evenly, nobody knows better.
    const int whole = static_cast<int>(std::min(std::floor(elapsed), static_cast<double>(kSeconds)));
    const double rate = m_pausedInSecond ? -1 : static_cast<double>(framesDone - m_framesAtStart) / elapsed;
    for (int i = 0; i < whole; ++i) {
        m_newest = (m_newest + 1) % kSeconds;
        m_rates[static_cast<std::size_t>(m_newest)] = rate;
        m_count = std::min(m_count + 1, kSeconds);
    }
    m_secondStart = seconds;
    m_framesAtStart = framesDone;
    m_pausedInSecond = paused;
    ++m_version;
}

double RateHistory::rate(int ago) const {
    if (ago < 0 || ago >= m_count)
        return -1;
    return m_rates[static_cast<std::size_t>((m_newest - ago + kSeconds) % kSeconds)];
}

double RateHistory::peak() const {
    double peak = 0;
    for (int ago = 0; ago < m_count; ++ago)
        peak = std::max(peak, rate(ago));
    return peak;
}

RateStrip::RateStrip(const QString& objectName, QWidget* parent) : QWidget(parent) {
    setObjectName(objectName);
    setAccessibleName(tr("Frames per second over the last minute"));
    setToolTip(tr("Frames finished in each of the last 60 seconds; the line is the run's mean."));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
}

QSize RateStrip::sizeHint() const {
    return {160, kPlotHeight + fontMetrics().height() + theme::kGrid};
}

QRectF RateStrip::plotRect() const {
    return QRectF(0, height() - kPlotHeight, width(), kPlotHeight);
}

void RateStrip::refresh(const RateHistory& history, double mean) {
    if (&history == m_history && history.version() == m_shown && mean == m_mean)
        return;
    m_history = &history;
    m_shown = history.version();
    m_mean = mean;
    update();
}

void RateStrip::paintEvent(QPaintEvent*) {
    const theme::Tokens& t = theme::tokens();
    QPainter painter(this);
    const QRectF plot = plotRect();
    painter.fillRect(plot, t.surface);

    const double top = roundedUp(m_history == nullptr ? 0 : std::max(m_history->peak(), m_mean));
    const auto yOf = [&](double rate) { return plot.bottom() - (plot.height() - 4) * rate / top; };
    const double step = plot.width() / RateHistory::kSeconds;
    // The bars are quiet, their tops carry the shape.
    const QColor body = theme::mix(t.surface, t.accent, t.dark ? 0.35 : 0.25);
    for (int ago = 0; m_history != nullptr && ago < RateHistory::kSeconds; ++ago) {
        const double rate = m_history->rate(ago);
        if (rate < 0)
            continue;
        const double right = std::round(plot.right() - step * ago);
        const double left = std::round(plot.right() - step * (ago + 1));
        const double y = std::round(yOf(rate));
        const QRectF bar(left, y, std::max(1.0, right - left - 1), plot.bottom() - y);
        painter.fillRect(bar, ago == m_hovered ? t.accent : body);
        painter.fillRect(QRectF(bar.left(), y - 1, bar.width(), 2), t.accent);
    }
    if (m_history != nullptr && m_mean > 0) {
        painter.setPen(QPen(t.text2, 1, Qt::DashLine));
        const double y = std::round(yOf(m_mean)) + 0.5;
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    }
    painter.setPen(t.line);
    painter.drawLine(plot.bottomLeft() - QPointF(0, 0.5), plot.bottomRight() - QPointF(0, 0.5));

    const QRect caption(0, 0, width(), fontMetrics().height());
    painter.setPen(t.text2);
    painter.drawText(caption, Qt::AlignLeft, tr("Last 60 s"));
    const double hovered = m_history == nullptr ? -1 : m_history->rate(m_hovered);
    QString right;
    if (hovered >= 0)
        right = tr("%1, %2 ago").arg(text::rate(hovered), text::duration(m_hovered));
    else if (m_history != nullptr && m_history->peak() > 0)
        right = tr("up to %1").arg(text::rate(m_history->peak()));
    painter.drawText(caption, Qt::AlignRight, right);
}

void RateStrip::mouseMoveEvent(QMouseEvent* event) {
    const int ago =
        static_cast<int>((plotRect().right() - event->position().x()) * RateHistory::kSeconds / std::max(1, width()));
    if (ago != m_hovered) {
        m_hovered = ago;
        update();
    }
}

void RateStrip::leaveEvent(QEvent*) {
    m_hovered = -1;
    update();
}

}  // namespace skein::ui
