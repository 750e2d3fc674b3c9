// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/trail_layer.h"

#include <algorithm>
#include <cmath>

#include "ui/canvas/ink.h"
#include "ui/timeline/statistic.h"

namespace skein::ui {

namespace {
constexpr double kFaintest = 0.12;  ///< of the opacity, at the far end of a trail that fades
constexpr int kDash = 4, kGap = 3;  ///< frames, of the proposed way

std::uint32_t scaled(std::uint32_t color, std::uint32_t alpha) {
    // Premultiplied: both pairs of channels at once.
    const std::uint32_t a = alpha + (alpha >> 7);
    const std::uint32_t rb = ((color & 0xFF00FF) * a >> 8) & 0xFF00FF;
    const std::uint32_t g = ((color & 0x00FF00) * a >> 8) & 0x00FF00;
    return alpha << 24 | rb | g;
}
}  // namespace

void TrailLayer::setStyle(const TrailStyle& style) {
    if (style.node != m_style.node)
        forgetAll();
    m_style = style;
}

void TrailLayer::setExchange(std::optional<Exchange> exchange) {
    m_exchange = exchange;
}

void TrailLayer::forgetAll() {
    m_frames.clear();
    m_colors.clear();
}

void TrailLayer::forget(const Change& change) {
    if (change.kinds & (ChangeKinds(ChangeKind::Tracks) | ChangeKind::Videos | ChangeKind::Skeletons))
        return forgetAll();
    for (std::size_t i = 0; i < m_frames.size(); ++i)
        if (change.touches(m_video, m_first + static_cast<std::int64_t>(i)))
            m_frames[i].reset();
}

std::vector<TrailLayer::Place> TrailLayer::read(std::uint32_t video, std::int64_t frame) {
    ++m_read;
    std::vector<Place> places;
    const ShownFrame shown = contents(video, frame);
    for (const ShownInstance& instance : shown.instances) {
        const int track = instance.header.track;
        if (track < 0 || instance.hidden)
            continue;
        std::optional<std::pair<double, double>> at;
        if (m_style.node.isEmpty()) {
            at = centreOf(instance.points);
        } else if (const auto node = instance.skeleton->nodeIndex(m_style.node.toStdString())) {
            const auto n = static_cast<std::size_t>(*node);
            if (n < instance.points.size() && instance.points[n].exists())
                at = {instance.points[n].x, instance.points[n].y};
        }
        if (!at)
            continue;
        const auto same =
            std::find_if(places.begin(), places.end(), [track](const Place& p) { return p.track == track; });
        const Place place{track, instance.color, at->first, at->second};
        if (same == places.end())
            places.push_back(place);
        else if (instance.header.kind == project::InstanceKind::User)
            *same = place;
    }
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.track < b.track; });
    return places;
}

/// Has every frame of the stretch, and none that lie far from it.
void TrailLayer::load(std::uint32_t video, std::int64_t first, std::int64_t last) {
    const auto end = [this] { return m_first + static_cast<std::int64_t>(m_frames.size()); };
    if (video != m_video || m_frames.empty() || last < m_first || first >= end()) {
        m_frames.clear();
        m_video = video;
        m_first = first;
    }
    for (; m_first > first; --m_first)
        m_frames.emplace_front();
    while (end() <= last)
        m_frames.emplace_back();
    for (; m_first < first; ++m_first)
        m_frames.pop_front();
    while (end() > last + 1)
        m_frames.pop_back();
    for (std::int64_t frame = first; frame <= last; ++frame)
        if (Frame& known = m_frames[static_cast<std::size_t>(frame - m_first)]; !known)
            known = read(video, frame);
}

void TrailLayer::gather(std::int64_t frame, const QTransform& toDevice, const QRectF& sight) {
    const auto distance = [frame](std::int64_t other) { return std::llabs(other - frame); };
    m_steps.resize(static_cast<std::size_t>(m_style.length) + 1);
    for (auto& step : m_steps)
        step.clear();
    const auto colorOf = [this](int ink) {
        const auto [it, isNew] = m_colors.try_emplace(ink, 0);
        if (isNew)
            it->second = inkColor(ink).rgb() & 0xFFFFFF;
        return it->second;
    };
    for (std::size_t i = 1; i < m_frames.size(); ++i) {
        const std::vector<Place>&before = *m_frames[i - 1], &after = *m_frames[i];
        const std::int64_t at = m_first + static_cast<std::int64_t>(i);
        const std::int64_t away = std::max(distance(at), distance(at - 1));
        const double age = static_cast<double>(away - 1) / std::max(1, m_style.length);
        const double opacity = m_style.opacity * (m_style.fade ? 1 - (1 - kFaintest) * age : 1);
        auto& step = m_steps[static_cast<std::size_t>(std::min<std::int64_t>(away, m_style.length))];
        auto b = before.begin();
        for (const Place& a : after) {
            while (b != before.end() && b->track < a.track)
                ++b;
            if (b == before.end())
                break;
            if (b->track != a.track)
                continue;
            const QPointF from = toDevice.map(QPointF(b->x, b->y)), to = toDevice.map(QPointF(a.x, a.y));
            if (!QRectF(from, to).normalized().adjusted(-1, -1, 1, 1).intersects(sight))
                continue;
            step.push_back({static_cast<float>(from.x()), static_cast<float>(from.y()), static_cast<float>(to.x()),
                            static_cast<float>(to.y()), colorOf(a.ink), static_cast<float>(opacity)});
        }
    }
}

/// The ways after the exchange: each animal in the colour that it would have, in dashes so that both can be read.
void TrailLayer::addPreview(const QTransform& toDevice) {
    m_preview.clear();
    int inkA = kNeutralColor, inkB = kNeutralColor;
    const auto placeOf = [](const std::vector<Place>& places, int track) {
        const auto it =
            std::find_if(places.begin(), places.end(), [track](const Place& p) { return p.track == track; });
        return it == places.end() ? nullptr : &*it;
    };
    for (const Frame& frame : m_frames) {
        if (const Place* a = placeOf(*frame, m_exchange->a))
            inkA = a->ink;
        if (const Place* b = placeOf(*frame, m_exchange->b))
            inkB = b->ink;
    }
    for (std::size_t i = 1; i < m_frames.size(); ++i) {
        const std::int64_t at = m_first + static_cast<std::int64_t>(i);
        if (at <= m_exchange->frame || (at - m_exchange->frame) % (kDash + kGap) >= kDash)
            continue;
        for (const auto& [track, ink] : {std::pair(m_exchange->a, inkB), std::pair(m_exchange->b, inkA)}) {
            const Place *from = placeOf(*m_frames[i - 1], track), *to = placeOf(*m_frames[i], track);
            if (from == nullptr || to == nullptr)
                continue;
            const QPointF p = toDevice.map(QPointF(from->x, from->y)), q = toDevice.map(QPointF(to->x, to->y));
            m_preview.push_back({static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(q.x()),
                                 static_cast<float>(q.y()), inkColor(ink).rgb() & 0xFFFFFF, 1});
        }
    }
}

/// Lines with soft edges: along the longer axis, for each pixel those across whose centre lies within half the width.
/// Where lines overlap the stronger one is seen, so that joints leave no dots.
void TrailLayer::draw(double halfWidth) {
    const int width = m_image.width(), height = m_image.height();
    auto* const bits = reinterpret_cast<std::uint32_t*>(m_image.bits());
    const auto stride = static_cast<std::ptrdiff_t>(m_image.bytesPerLine() / 4);
    const auto half = static_cast<float>(halfWidth);
    int usedLeft = width, usedTop = height, usedRight = -1, usedBottom = -1;
    const auto line = [&](const Segment& s, float wide, std::uint32_t color, float opacity) {
        float x0 = s.x0, y0 = s.y0, x1 = s.x1, y1 = s.y1;
        const bool steep = std::fabs(y1 - y0) > std::fabs(x1 - x0);
        if (steep) {
            std::swap(x0, y0);
            std::swap(x1, y1);
        }
        if (x0 > x1) {
            std::swap(x0, x1);
            std::swap(y0, y1);
        }
        const float slope = x1 - x0 > 1e-3F ? (y1 - y0) / (x1 - x0) : 0;
        const float across = 1 / std::sqrt(1 + slope * slope);  // of a step across, in distance from the line
        const float reach = (wide + 0.5F) / across;
        const int most = (steep ? height : width) - 1, mostAcross = (steep ? width : height) - 1;
        const int first = std::max(0, static_cast<int>(std::floor(x0))), last = std::min(most, static_cast<int>(x1));
        const std::ptrdiff_t alongStep = steep ? stride : 1, acrossStep = steep ? 1 : stride;
        for (int x = first; x <= last; ++x) {
            const float centre = y0 + (std::clamp(static_cast<float>(x), x0, x1) - x0) * slope;
            const int from = std::max(0, static_cast<int>(std::ceil(centre - reach)));
            const int to = std::min(mostAcross, static_cast<int>(std::floor(centre + reach)));
            for (int y = from; y <= to; ++y) {
                const float cover =
                    std::min(1.0F, wide + 0.5F - std::fabs(static_cast<float>(y) - centre) * across) * opacity;
                if (cover <= 0)
                    continue;
                const auto alpha = static_cast<std::uint32_t>(cover * 255);
                std::uint32_t& pixel = bits[x * alongStep + y * acrossStep];
                if (alpha >= pixel >> 24)
                    pixel = scaled(color, alpha);
            }
            if (from <= to) {
                usedLeft = std::min(usedLeft, steep ? from : x);
                usedRight = std::max(usedRight, steep ? to : x);
                usedTop = std::min(usedTop, steep ? x : from);
                usedBottom = std::max(usedBottom, steep ? x : to);
            }
        }
    };
    for (auto step = m_steps.rbegin(); step != m_steps.rend(); ++step)
        for (const Segment& s : *step)
            line(s, half, s.color, s.opacity);
    for (const Segment& s : m_preview)
        line(s, half + 1, s.color, s.opacity);
    m_used = QRect(QPoint(usedLeft, usedTop), QPoint(usedRight, usedBottom));
}

void TrailLayer::paint(QPainter& painter, const QTransform& toView, const QRect& view, const ShownFrame& frame) {
    if ((m_style.length <= 0 && !m_exchange) || frame.frame < 0 || !contents)
        return;
    TrailStyle shown = m_style;
    if (m_exchange) {  // the frames to come are what it is about
        m_style.length = std::max(m_style.length, kPreviewFrames);
        m_style.when = TrailStyle::When::Both;
    }
    const bool past = m_style.when != TrailStyle::When::Future, future = m_style.when != TrailStyle::When::Past;
    load(frame.video, std::max<std::int64_t>(0, frame.frame - (past ? m_style.length : 0)),
         frame.frame + (future ? m_style.length : 0));
    const double ratio = painter.device()->devicePixelRatioF();
    const QSize pixels = (QSizeF(view.size()) * ratio).toSize();
    if (m_image.size() != pixels) {
        m_image = QImage(pixels, QImage::Format_ARGB32_Premultiplied);
        m_used = m_image.rect();
    }
    for (int y = m_used.top(); y <= m_used.bottom(); ++y)  // what was drawn last
        std::fill_n(reinterpret_cast<std::uint32_t*>(m_image.scanLine(y)) + m_used.left(), m_used.width(), 0U);
    const QTransform toDevice = toView * QTransform::fromTranslate(-view.left(), -view.top()) *
                                QTransform::fromScale(ratio, ratio) * QTransform::fromTranslate(-0.5, -0.5);
    gather(frame.frame, toDevice, QRectF(m_image.rect()));
    m_preview.clear();
    if (m_exchange)
        addPreview(toDevice);
    draw(m_style.width * ratio / 2);
    m_style = shown;
    if (m_used.isEmpty())
        return;
    painter.drawImage(QRectF(view.left() + m_used.left() / ratio, view.top() + m_used.top() / ratio,
                             m_used.width() / ratio, m_used.height() / ratio),
                      m_image, QRectF(m_used));
}

}  // namespace skein::ui
