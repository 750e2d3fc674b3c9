// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs of statistics, and the line across each that a person drags.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/text.h"
#include "ui/theme.h"
#include "ui/timeline/timeline.h"
#include "ui/timeline/timeline_sizes.h"

namespace skein::ui {

using namespace timeline;

namespace {
constexpr double kPadding = 3;   ///< above and below the graph
constexpr int kLeastGraph = 20;  ///< of a strip that has a line for its name besides

QString valueText(double value, const QString& unit) {
    const QString number = text::fixed(value, std::fabs(value) >= 100 ? 0 : std::fabs(value) >= 10 ? 1 : 2);
    return unit.isEmpty() ? number : text::withUnit(number, unit);
}
}  // namespace

std::optional<double> Timeline::threshold(const QString& strip) const {
    const auto it = m_thresholds.find(strip);
    return it == m_thresholds.end() ? std::nullopt : std::optional(it->second);
}

void Timeline::setThreshold(const QString& strip, std::optional<double> value) {
    if (threshold(strip) == value)
        return;
    if (value)
        m_thresholds[strip] = *value;
    else
        m_thresholds.erase(strip);
    Q_EMIT thresholdChanged();
    update();
}

/// Values at the lower and upper edge: those of the whole video, so that the scale stays while one moves about.
std::pair<double, double> Timeline::stripExtent(std::size_t strip) const {
    const auto& values = m_strips[strip].values;
    const MinMaxPyramid::Extremes all = values ? values->all() : MinMaxPyramid::Extremes{};
    if (!all.any)
        return {0, 1};
    const double least = std::min(0.0, all.least);
    return {least, all.most > least ? all.most : least + 1};
}

QFont Timeline::stripFont() const {
    QFont small = font();
    small.setPointSizeF(std::max(7.0, small.pointSizeF() - 1.5));
    return small;
}

/// Where values lie: below the line with the name, as far as the strip is high enough for both.
QRectF Timeline::graphRect(std::size_t strip) const {
    QRectF rect(stripRect(strip));
    if (m_nameLine == 0)  // asked for each column of pixels, and dear
        m_nameLine = QFontMetrics(stripFont()).height() + 1;
    if (rect.height() >= m_nameLine + kLeastGraph)
        rect.setTop(rect.top() + m_nameLine - kPadding);
    return rect.adjusted(0, kPadding, 0, -kPadding);
}

double Timeline::stripY(std::size_t strip, double value) const {
    const QRectF rect = graphRect(strip);
    const auto [least, most] = stripExtent(strip);
    return rect.bottom() - (value - least) / (most - least) * rect.height();
}

double Timeline::stripValue(std::size_t strip, double y) const {
    const QRectF rect = graphRect(strip);
    const auto [least, most] = stripExtent(strip);
    const double share = (rect.bottom() - y) / rect.height();
    return std::clamp(least + share * (most - least), least, most);
}

int Timeline::stripAt(QPointF at) const {
    for (std::size_t i = 0; i < m_strips.size(); ++i)
        if (stripRect(i).contains(at.toPoint()))
            return static_cast<int>(i);
    return -1;
}

int Timeline::stripEdgeAt(QPointF at) const {
    for (std::size_t i = 0; i < m_strips.size(); ++i)
        if (std::fabs(stripRect(i).bottom() + 1 - at.y()) <= kGrip / 2)
            return static_cast<int>(i);
    return -1;
}

int Timeline::thresholdAt(QPointF at) const {
    const int strip = stripAt(at);
    if (strip < 0)
        return -1;
    const auto value = threshold(m_strips[static_cast<std::size_t>(strip)].id);
    return value && std::fabs(stripY(static_cast<std::size_t>(strip), *value) - at.y()) <= kGrip ? strip : -1;
}

/// Of each column of pixels the extremes, as a bar that reaches to its neighbours; below, a paler ground.
void Timeline::paintGraph(QPainter& painter, std::size_t strip) const {
    const auto& t = theme::tokens();
    const MinMaxPyramid& values = *m_strips[strip].values;
    const QColor ink = theme::mix(t.surface, t.accent, 0.85), ground = theme::mix(t.surface, t.accent, 0.22);
    const double foot = stripY(strip, std::max(0.0, stripExtent(strip).first));
    const double perFrame = pixelsPerFrame();
    const double column = std::max(1.0, perFrame);
    const int right = width() - kSide;
    std::vector<QRectF> bars, grounds;
    double previousTop = std::nan(""), previousBottom = std::nan("");
    for (double x = kSide; x < right;) {
        const double left = x;
        std::int64_t from = 0, to = 0;
        if (perFrame > 1) {  // a frame is wider than a pixel
            from = static_cast<std::int64_t>(std::floor(m_first + (left - kSide) / perFrame + 1e-9));
            to = from + 1;
            x = std::min<double>(right, frameToX(static_cast<double>(to)));
        } else {
            from = static_cast<std::int64_t>(std::ceil(m_first + (left - kSide) / perFrame - 1e-9));
            to = static_cast<std::int64_t>(std::ceil(m_first + (left + column - kSide) / perFrame - 1e-9));
            x += 1;
        }
        const MinMaxPyramid::Extremes extremes = values.over(from, to);
        if (!extremes.any) {
            previousTop = previousBottom = std::nan("");
            if (x <= left)
                break;
            continue;
        }
        double top = stripY(strip, extremes.most), bottom = stripY(strip, extremes.least);
        grounds.emplace_back(left, std::min(top, foot), x - left, std::fabs(foot - top));
        const double ownTop = top, ownBottom = bottom;
        if (!std::isnan(previousTop)) {
            bottom = std::max(bottom, std::min(previousTop, foot));
            top = std::min(top, previousBottom);
        }
        if (perFrame > 3) {  // steps: the value as a line over its frame, joined to the one before
            bars.emplace_back(left, ownTop - 0.5, x - left, 1.5);
            bars.emplace_back(left, top - 0.5, 1, bottom - top + 1);
        } else {
            bars.emplace_back(left, top - 0.5, x - left, std::max(1.5, bottom - top + 1));
        }
        previousTop = ownTop;
        previousBottom = ownBottom;
        if (x <= left)
            break;
    }
    for (const QRectF& rect : grounds)
        painter.fillRect(rect, ground);
    for (const QRectF& rect : bars)
        painter.fillRect(rect, ink);
}

void Timeline::paintStrips(QPainter& painter) const {
    const auto& t = theme::tokens();
    const QFont small = stripFont();
    painter.setFont(small);
    const QFontMetrics metrics(small);
    for (std::size_t i = 0; i < m_strips.size(); ++i) {
        const QRect rect = stripRect(i);
        const TimelineStrip& strip = m_strips[i];
        painter.fillRect(rect, t.surface);
        const bool any = strip.values != nullptr && strip.values->all().any;
        if (any) {
            painter.save();
            painter.setClipRect(rect);
            paintGraph(painter, i);
            painter.restore();
        }
        painter.fillRect(QRect(0, rect.bottom(), width(), 1), t.line);
        // In a low strip both lie on the graph, and without a ground, so that no frame of it is hidden.
        painter.setPen(t.text2);
        QString scale;
        if (any) {
            const auto [least, most] = stripExtent(i);
            scale = tr("%1 to %2").arg(valueText(least, QString()), valueText(most, strip.unit));
        }
        const QRect line = QRect(0, rect.top() + 1, width(), metrics.height()).adjusted(kSide + 3, 0, -kSide, 0);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, scale);
        const QString title = !strip.lacks.isEmpty()    ? tr("%1: %2").arg(strip.title, strip.lacks)
                              : strip.values == nullptr ? tr("%1: computing...").arg(strip.title)
                              : !any                    ? tr("%1: no values in this video").arg(strip.title)
                                                        : strip.title;
        const int room = line.width() - metrics.horizontalAdvance(scale) - kSide;
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(title, Qt::ElideRight, std::max(0, room)));
    }
}

void Timeline::paintThresholds(QPainter& painter) const {
    const auto& t = theme::tokens();
    const QFont small = stripFont();
    for (std::size_t i = 0; i < m_strips.size(); ++i) {
        const auto value = threshold(m_strips[i].id);
        if (!value)
            continue;
        const double y = std::floor(stripY(i, *value)) + 0.5;
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(t.warn, 1, Qt::DashLine));
        painter.drawLine(QPointF(kSide, y), QPointF(width() - kSide, y));
        const QString words = valueText(*value, m_strips[i].unit);
        const QFontMetrics metrics(small);
        const int wide = metrics.horizontalAdvance(words) + 8;
        QRectF box(width() / 2.0 - wide / 2.0, y - metrics.height() / 2.0, wide, metrics.height());
        box.moveTop(std::clamp<double>(box.top(), stripRect(i).top(), stripRect(i).bottom() - box.height()));
        painter.fillRect(box, t.surface);
        painter.setPen(t.warn);
        painter.setFont(small);
        painter.drawText(box, Qt::AlignCenter, words);
    }
}

bool Timeline::isBeyond(std::size_t strip, bool above, std::int64_t frame) const {
    const double value = m_strips[strip].values->values()[static_cast<std::size_t>(frame)];
    const double line = m_thresholds.at(m_strips[strip].id);
    return above ? value > line : value < line;  // NaN is neither
}

std::optional<std::int64_t> Timeline::nextBeyond(std::size_t strip, bool above, std::int64_t from,
                                                 int direction) const {
    if (strip >= m_strips.size() || m_strips[strip].values == nullptr || !threshold(m_strips[strip].id))
        return std::nullopt;
    const std::int64_t frames = m_strips[strip].values->size();
    for (std::int64_t step = 1; step <= frames; ++step) {
        const std::int64_t frame = ((from + direction * step) % frames + frames) % frames;
        if (isBeyond(strip, above, frame) && (frame == 0 || !isBeyond(strip, above, frame - 1)))
            return frame;
    }
    return std::nullopt;
}

std::vector<std::int64_t> Timeline::extremesBeyond(std::size_t strip, bool above, std::size_t most) const {
    if (strip >= m_strips.size() || m_strips[strip].values == nullptr || !threshold(m_strips[strip].id))
        return {};
    const std::vector<double>& values = m_strips[strip].values->values();
    std::vector<std::pair<double, std::int64_t>> peaks;
    bool inside = false;
    for (std::int64_t frame = 0; frame < static_cast<std::int64_t>(values.size()); ++frame) {
        const bool beyond = isBeyond(strip, above, frame);
        const double height = values[static_cast<std::size_t>(frame)] * (above ? 1 : -1);
        if (beyond && !inside)
            peaks.emplace_back(height, frame);
        else if (beyond && height > peaks.back().first)
            peaks.back() = {height, frame};
        inside = beyond;
    }
    std::stable_sort(peaks.begin(), peaks.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    peaks.resize(std::min(peaks.size(), most));
    std::vector<std::int64_t> frames;
    for (const auto& [height, frame] : peaks)
        frames.push_back(frame);
    return frames;
}

}  // namespace skein::ui
