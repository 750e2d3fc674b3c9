// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QImage>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ui/canvas/canvas_layer.h"
#include "ui/document.h"

namespace skein::ui {

struct TrailStyle {
    enum class When { Past, Future, Both };
    int length = 0;  ///< frames to each side; 0: no trails
    When when = When::Past;
    QString node;  ///< name; empty: the centre of the nodes that are there
    bool fade = true;
    double opacity = 1;
    int width = 2;  ///< logical pixels
    friend bool operator==(const TrailStyle&, const TrailStyle&) = default;
};

/// The ways of the tracks over the frames around the shown one. Where each track was is kept from frame to frame: a
/// step asks for one new frame and forgets one. Lines are drawn into a picture of their own of which each pixel knows
/// its frame, so that a step onwards draws what is new and lets the rest fade; a general painter takes ten times as
/// long. GUI thread only.
///
/// A trail is broken where the track is absent. Hidden tracks have none.
class TrailLayer : public CanvasLayer {
public:
    /// What is on a frame.
    std::function<ShownFrame(std::uint32_t, std::int64_t)> contents;

    void setStyle(const TrailStyle& style);
    [[nodiscard]] const TrailStyle& style() const { return m_style; }
    /// Draws the tracks as if `a` and `b` were exchanged from `frame` on, dashed, over the frames after it, beside the
    /// ways as they are; nullopt: no more.
    struct Exchange {
        int a = -1, b = -1;
        std::int64_t frame = 0;
    };
    static constexpr int kPreviewFrames = 50;
    void setExchange(std::optional<Exchange> exchange);
    [[nodiscard]] bool hasExchange() const { return m_exchange.has_value(); }

    /// Frames are not what they were; they are asked for again when they are needed.
    void forget(const Change& change);
    void forgetAll();

    void paint(QPainter& painter, const QTransform& toView, const QRect& view, const ShownFrame& frame) override;
    /// Frames asked for since the start: for tests of what a step costs.
    [[nodiscard]] std::int64_t framesRead() const { return m_read; }

private:
    struct Place {
        int track = -1;
        int ink = 0;
        double x = 0, y = 0;  ///< frame pixels
    };
    struct Segment {
        float x0, y0, x1, y1;  ///< device pixels of the picture
    };
    /// What a pixel of the picture shows.
    struct Ink {
        std::uint32_t color = 0;  ///< opaque RGB, and in the upper byte how much of the pixel is covered
        std::int32_t frame = -1;  ///< that the line ends at; -1: nothing
    };
    using Frame = std::optional<std::vector<Place>>;  ///< nullopt: not asked for

    void load(std::uint32_t video, std::int64_t first, std::int64_t last);
    [[nodiscard]] std::vector<Place> read(std::uint32_t video, std::int64_t frame);
    void drawFrames(std::int64_t from, std::int64_t to, std::int64_t now, float halfWidth);
    void drawExchange(std::int64_t now, float halfWidth);
    void line(const Segment& segment, float halfWidth, std::uint32_t color, std::int64_t frame, std::int64_t now);
    [[nodiscard]] std::uint32_t weight(std::int64_t frame, std::int64_t now) const;
    [[nodiscard]] std::uint32_t colorOf(int ink);
    void clear();
    void compose(std::int64_t now);

    TrailStyle m_style;
    std::optional<Exchange> m_exchange;
    std::uint32_t m_video = 0;
    std::int64_t m_first = 0;  ///< frame of m_frames.front()
    std::deque<Frame> m_frames;
    std::unordered_map<int, std::uint32_t> m_colors;
    std::vector<std::uint32_t> m_weights;  ///< 0 to 256, by distance in frames
    QTransform m_toDevice;
    std::vector<Ink> m_pixels;
    QImage m_image;                ///< of m_pixels as they look now
    QRect m_used;                  ///< of both
    std::int64_t m_drawnFor = -1;  ///< frame that m_pixels were drawn for; -1: they are to be drawn anew
    std::int64_t m_read = 0;
};

}  // namespace skein::ui
