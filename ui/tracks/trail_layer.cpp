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
    m_drawnFor = -1;
}

void TrailLayer::setExchange(std::optional<Exchange> exchange) {
    m_exchange = exchange;
    m_drawnFor = -1;
}

void TrailLayer::forgetAll() {
    m_frames.clear();
    m_colors.clear();
    m_drawnFor = -1;
}

void TrailLayer::forget(const Change& change) {
    if (change.kinds & (ChangeKinds(ChangeKind::Tracks) | ChangeKind::Videos | ChangeKind::Skeletons))
        return forgetAll();
    for (std::size_t i = 0; i < m_frames.size(); ++i)
        if (change.touches(m_video, m_first + static_cast<std::int64_t>(i))) {
            m_frames[i].reset();
            m_drawnFor = -1;
        }
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

std::uint32_t TrailLayer::colorOf(int ink) {
    const auto [it, isNew] = m_colors.try_emplace(ink, 0);
    if (isNew)
        it->second = inkColor(ink).rgb() & 0xFFFFFF;
    return it->second;
}

std::uint32_t TrailLayer::weight(std::int64_t frame, std::int64_t now) const {
    const auto away = static_cast<std::size_t>(std::llabs(frame - now));
    return away < m_weights.size() ? m_weights[away] : 0;
}

/// A line with soft edges: along the longer axis, for each pixel those across whose centre lies within half the width.
/// Where lines overlap the stronger one is seen, so that corners leave no dots.
void TrailLayer::line(const Segment& s, float halfWidth, std::uint32_t color, std::int64_t frame, std::int64_t now) {
    const int width = m_image.width(), height = m_image.height();
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
    const int most = (steep ? height : width) - 1, mostAcross = (steep ? width : height) - 1;
    if (!(x1 >= 0 && x0 <= static_cast<float>(most)))
        return;
    const float slope = x1 - x0 > 1e-3F ? (y1 - y0) / (x1 - x0) : 0;
    const float across = 1 / std::sqrt(1 + slope * slope);  // of a step across, in distance from the line
    const float reach = (halfWidth + 0.5F) / across;
    const int first = std::max(0, static_cast<int>(std::floor(x0))), last = std::min(most, static_cast<int>(x1));
    const std::ptrdiff_t alongStep = steep ? width : 1, acrossStep = steep ? 1 : width;
    const std::uint32_t own = weight(frame, now);
    int lowest = mostAcross, highest = 0;
    for (int x = first; x <= last; ++x) {
        const float centre = y0 + (std::clamp(static_cast<float>(x), x0, x1) - x0) * slope;
        if (!(centre + reach >= 0 && centre - reach <= static_cast<float>(mostAcross)))
            continue;
        const int from = std::max(0, static_cast<int>(std::ceil(centre - reach)));
        const int to = std::min(mostAcross, static_cast<int>(std::floor(centre + reach)));
        for (int y = from; y <= to; ++y) {
            const float cover = std::min(1.0F, halfWidth + 0.5F - std::fabs(static_cast<float>(y) - centre) * across);
            if (cover <= 0)
                continue;
            const auto covered = static_cast<std::uint32_t>(cover * 255);
            Ink& pixel = m_pixels[static_cast<std::size_t>(x * alongStep + y * acrossStep)];
            if (pixel.frame < 0 || covered * own >= (pixel.color >> 24) * weight(pixel.frame, now))
                pixel = {color | covered << 24, static_cast<std::int32_t>(frame)};
        }
        lowest = std::min(lowest, from);
        highest = std::max(highest, to);
    }
    if (first <= last && lowest <= highest)
        m_used |= steep ? QRect(QPoint(lowest, first), QPoint(highest, last))
                        : QRect(QPoint(first, lowest), QPoint(last, highest));
}

/// The steps that end at frames `from` to `to`.
void TrailLayer::drawFrames(std::int64_t from, std::int64_t to, std::int64_t now, float halfWidth) {
    for (std::int64_t at = std::max(from, m_first + 1); at <= to; ++at) {
        const auto i = static_cast<std::size_t>(at - m_first);
        if (i >= m_frames.size())
            return;
        const std::vector<Place>&before = *m_frames[i - 1], &after = *m_frames[i];
        // A step into the future is as far away as its far end.
        const std::int64_t frame = at <= now ? at - 1 : at;
        auto b = before.begin();
        for (const Place& a : after) {
            while (b != before.end() && b->track < a.track)
                ++b;
            if (b == before.end())
                break;
            if (b->track != a.track)
                continue;
            const QPointF p = m_toDevice.map(QPointF(b->x, b->y)), q = m_toDevice.map(QPointF(a.x, a.y));
            line({static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(q.x()),
                  static_cast<float>(q.y())},
                 halfWidth, colorOf(a.ink), frame, now);
        }
    }
}

/// The ways after the exchange: each animal in the colour that it would have, in dashes so that both can be read.
void TrailLayer::drawExchange(std::int64_t now, float halfWidth) {
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
            const QPointF p = m_toDevice.map(QPointF(from->x, from->y)), q = m_toDevice.map(QPointF(to->x, to->y));
            line({static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(q.x()),
                  static_cast<float>(q.y())},
                 halfWidth + 1, colorOf(ink), now, now);
        }
    }
}

void TrailLayer::clear() {
    for (int y = m_used.top(); y <= m_used.bottom(); ++y) {
        std::fill_n(m_pixels.begin() + static_cast<std::ptrdiff_t>(y) * m_image.width() + m_used.left(), m_used.width(),
                    Ink());
        std::fill_n(reinterpret_cast<std::uint32_t*>(m_image.scanLine(y)) + m_used.left(), m_used.width(), 0U);
    }
    m_used = QRect();
}

/// What the pixels look like now; those of frames that are too far away are forgotten.
void TrailLayer::compose(std::int64_t now) {
    for (int y = m_used.top(); y <= m_used.bottom(); ++y) {
        Ink* from = m_pixels.data() + static_cast<std::ptrdiff_t>(y) * m_image.width() + m_used.left();
        auto* to = reinterpret_cast<std::uint32_t*>(m_image.scanLine(y)) + m_used.left();
        for (int x = 0; x < m_used.width(); ++x, ++from, ++to) {
            if (from->frame < 0)
                continue;
            const std::uint32_t strength = weight(from->frame, now);
            *to = strength == 0 ? 0 : scaled(from->color & 0xFFFFFF, (from->color >> 24) * strength >> 8);
            if (strength == 0)
                *from = Ink();
        }
    }
}

void TrailLayer::paint(QPainter& painter, const QTransform& toView, const QRect& view, const ShownFrame& frame) {
    if ((m_style.length <= 0 && !m_exchange) || frame.frame < 0 || !contents)
        return;
    // Of an exchange the frames to come are what it is about.
    const int length = m_exchange ? std::max(m_style.length, kPreviewFrames) : m_style.length;
    const bool past = m_exchange || m_style.when != TrailStyle::When::Future;
    const bool future = m_exchange || m_style.when != TrailStyle::When::Past;
    const std::int64_t now = frame.frame;
    const bool sameVideo = frame.video == m_video && !m_frames.empty();
    load(frame.video, std::max<std::int64_t>(0, now - (past ? length : 0)), now + (future ? length : 0));
    const double ratio = painter.device()->devicePixelRatioF();
    const QSize pixels = (QSizeF(view.size()) * ratio).toSize();
    const QTransform toDevice = toView * QTransform::fromTranslate(-view.left(), -view.top()) *
                                QTransform::fromScale(ratio, ratio) * QTransform::fromTranslate(-0.5, -0.5);
    if (m_image.size() != pixels) {
        m_image = QImage(pixels, QImage::Format_ARGB32_Premultiplied);
        m_image.fill(0);
        m_pixels.assign(static_cast<std::size_t>(pixels.width()) * static_cast<std::size_t>(pixels.height()), Ink());
        m_used = QRect();
        m_drawnFor = -1;
    }
    const auto halfWidth = static_cast<float>(m_style.width * ratio / 2);
    // A step onwards leaves what was drawn where it is, and lets it fade.
    const bool goesOn = m_drawnFor >= 0 && sameVideo && !future && toDevice == m_toDevice && now >= m_drawnFor &&
                        now - m_drawnFor <= length;
    if (!goesOn) {
        clear();
        m_toDevice = toDevice;
        m_weights.clear();
        for (int away = 0; away < length; ++away) {
            const double share = m_style.fade ? 1 - (1 - kFaintest) * away / length : 1;
            m_weights.push_back(static_cast<std::uint32_t>(256 * m_style.opacity * share));
        }
        m_weights.push_back(future ? m_weights.back() : 0);
        drawFrames(m_first, now + length, now, halfWidth);
        if (m_exchange)
            drawExchange(now, halfWidth);
    } else {
        drawFrames(m_drawnFor + 1, now, now, halfWidth);
    }
    m_drawnFor = m_exchange ? -1 : now;
    compose(now);
    if (m_used.isEmpty())
        return;
    painter.drawImage(QRectF(view.left() + m_used.left() / ratio, view.top() + m_used.top() / ratio,
                             m_used.width() / ratio, m_used.height() / ratio),
                      m_image, QRectF(m_used));
}

}  // namespace skein::ui
