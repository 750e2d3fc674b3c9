// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "ui/theme.h"
#include "ui/timeline/timeline.h"
#include "ui/timeline/timeline_sizes.h"

namespace skein::ui {

using namespace timeline;

namespace {

using Span = TimelineData::Span;

auto firstEndingAt(const std::vector<Span>& spans, std::vector<Span>::const_iterator from, std::int64_t frame) {
    return std::lower_bound(from, spans.end(), frame,
                            [](const Span& span, std::int64_t key) { return span.second < key; });
}

}  // namespace

const LaneLayout& Timeline::lanes() const {
    if (!m_lanesStale)
        return m_layout;
    m_lanesStale = false;
    std::vector<LaneLayout::Track> tracks;
    std::vector<std::int32_t> known;  // place in `tracks` by track index
    for (const auto& part : {m_data, m_live}) {
        if (!part)
            continue;
        known.resize(std::max(known.size(), part->placeOf.size()), -1);
        for (const TimelineData::Lane& lane : part->lanes) {
            if (lane.spans.empty())
                continue;
            std::int64_t length = 0;
            if (m_order == LaneOrder::Length)
                for (const Span& span : lane.spans)
                    length += span.second - span.first + 1;
            const auto at = static_cast<std::size_t>(lane.track);
            if (known[at] >= 0) {
                LaneLayout::Track& track = tracks[static_cast<std::size_t>(known[at])];
                track.first = std::min(track.first, lane.spans.front().first);
                track.last = std::max(track.last, lane.spans.back().second);
                track.length += length;
                continue;
            }
            known[at] = static_cast<std::int32_t>(tracks.size());
            tracks.push_back({lane.track, lane.spans.front().first, lane.spans.back().second, length,
                              at < m_openIssues.size() ? m_openIssues[at] : 0});
        }
    }
    const bool pack = m_packed && tracks.size() > static_cast<std::size_t>(kPackAbove);
    const std::int64_t gap = std::max<std::int64_t>(1, m_view->frameCount() / 500);
    LaidOut from{std::move(tracks), m_order, pack, gap};
    if (from == m_laidOut && m_order != LaneOrder::Name)
        return m_layout;
    m_layout = layOutLanes(from.tracks, m_order, pack, gap,
                           [this](int track) { return trackName ? trackName(track).toStdString() : std::string(); });
    m_laidOut = std::move(from);
    return m_layout;
}

int Timeline::laneRows() const {
    return static_cast<int>(lanes().rows.size());
}

double Timeline::laneHeight() const {
    const double room = lanesRect().height() / std::max(1.0, static_cast<double>(laneRows()));
    return room >= kLane ? std::min(kMaxLane, std::floor(room)) : std::max(kMinLane, std::floor(room));
}

int Timeline::laneAt(QPointF at) const {
    const QRect area = lanesRect();
    if (!area.contains(at.toPoint()))
        return -1;
    const auto row = static_cast<std::int64_t>((at.y() - area.top() + m_scroll->value()) / laneHeight());
    const LaneLayout& layout = lanes();
    if (row < 0 || row >= static_cast<std::int64_t>(layout.rows.size()))
        return -1;
    const auto& tracks = layout.rows[static_cast<std::size_t>(row)];
    if (tracks.size() == 1)
        return tracks.front().track;
    // Short tracks are narrow: the nearest within reach of the pointer.
    const std::int64_t frame = xToFrame(at.x());
    const auto reach = static_cast<std::int64_t>(std::ceil(kSnap / pixelsPerFrame()));
    int best = -1;
    std::int64_t distance = reach + 1;
    auto it = std::lower_bound(tracks.begin(), tracks.end(), frame - reach,
                               [](const LaneLayout::Track& t, std::int64_t key) { return t.last < key; });
    for (; it != tracks.end() && it->first <= frame + reach; ++it) {
        const std::int64_t d = frame < it->first ? it->first - frame : std::max<std::int64_t>(0, frame - it->last);
        if (d < distance) {
            distance = d;
            best = it->track;
        }
    }
    return best;
}

int Timeline::trackAt(QPointF at) const {
    const int track = laneAt(at);
    const std::int64_t frame = xToFrame(at.x());
    const auto reach = static_cast<std::int64_t>(std::ceil(kSnap / pixelsPerFrame()));
    for (const auto& part : {m_data, m_live}) {
        const TimelineData::Lane* lane = part && track >= 0 ? part->lane(track) : nullptr;
        if (lane == nullptr)
            continue;
        const auto span = firstEndingAt(lane->spans, lane->spans.begin(), frame - reach);
        if (span != lane->spans.end() && span->first <= frame + reach)
            return track;
    }
    return -1;
}

int Timeline::laneY(int track) const {
    const int row = lanes().row(track);
    const QRect area = lanesRect();
    const double y = area.top() + 1 + (row + 0.5) * laneHeight() - m_scroll->value();
    return row >= 0 && y >= area.top() && y <= area.bottom() ? static_cast<int>(y) : -1;
}

/// The spans of a track that are in sight; those that touch on the screen are painted as one.
void Timeline::paintSpans(QPainter& painter, const TimelineData::Lane& lane, const QColor& color, double top,
                          double height) const {
    const double right = width() - kSide, perFrame = pixelsPerFrame();
    auto it = firstEndingAt(lane.spans, lane.spans.begin(), static_cast<std::int64_t>(std::floor(m_first)));
    double from = -1, to = -1;
    const auto flush = [&] {
        if (to > from)
            painter.fillRect(QRectF(from, top, to - from, height), color);
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
        it =
            firstEndingAt(lane.spans, it + 1, static_cast<std::int64_t>(std::floor(m_first + (to - kSide) / perFrame)));
    }
    flush();
    auto tick = std::lower_bound(lane.userFrames.begin(), lane.userFrames.end(),
                                 static_cast<std::int64_t>(std::floor(m_first)));
    const QColor ink = theme::tokens().text;
    while (tick != lane.userFrames.end()) {
        const double x = std::floor(frameToX(static_cast<double>(*tick) + 0.5));
        if (x >= right)
            break;
        // Half a lane high, so that the track's colour is still seen where every frame is labelled.
        painter.fillRect(QRectF(x, top, 1, std::ceil(height / 2)), ink);
        const double next = m_first + (x + 1 - kSide) / perFrame;
        tick = std::lower_bound(tick + 1, lane.userFrames.end(), static_cast<std::int64_t>(std::floor(next)));
    }
}

void Timeline::paintLanes(QPainter& painter) const {
    const QRect area = lanesRect();
    const LaneLayout& layout = lanes();
    if (layout.rows.empty() || area.height() <= 0)
        return;
    painter.save();
    painter.setClipRect(area);
    const double height = laneHeight(), gap = height >= 5 ? 1 : 0;
    const double perFrame = pixelsPerFrame();
    const auto firstRow = static_cast<std::size_t>(std::max(0.0, std::floor(m_scroll->value() / height)));
    const std::int64_t last = static_cast<std::int64_t>(std::ceil(m_first + m_count));
    for (std::size_t row = firstRow; row < layout.rows.size(); ++row) {
        const double top = area.top() + 1 + static_cast<double>(row) * height - m_scroll->value();
        if (top > area.bottom())
            break;
        const auto& tracks = layout.rows[row];
        const auto endsAt = [&tracks](auto from, std::int64_t frame) {
            return std::lower_bound(from, tracks.end(), frame,
                                    [](const LaneLayout::Track& t, std::int64_t key) { return t.last < key; });
        };
        auto it = endsAt(tracks.begin(), static_cast<std::int64_t>(std::floor(m_first)));
        while (it != tracks.end() && it->first < last) {
            if (std::binary_search(m_selectedTracks.begin(), m_selectedTracks.end(), it->track)) {
                const double from = tracks.size() == 1 ? 0 : frameToX(static_cast<double>(it->first)) - 2;
                const double to = tracks.size() == 1 ? width() : frameToX(static_cast<double>(it->last) + 1) + 2;
                painter.fillRect(QRectF(from, top - gap, to - from, height + gap), theme::tokens().selection);
            }
            const QColor color = trackColor ? trackColor(it->track) : theme::trackColor(it->track);
            for (const auto& part : {m_data, m_live})
                if (const TimelineData::Lane* lane = part ? part->lane(it->track) : nullptr)
                    paintSpans(painter, *lane, color, top, height - gap);
            // Tracks that end within the same pixel add nothing to see.
            const double x = std::floor(frameToX(static_cast<double>(it->last) + 1));
            it = endsAt(it + 1, static_cast<std::int64_t>(std::floor(m_first + (x - kSide) / perFrame)));
        }
    }
    painter.restore();
}

}  // namespace skein::ui
