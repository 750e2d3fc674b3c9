// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/frame_renderer.h"

#include <QFontDatabase>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/canvas/ink.h"
#include "ui/stored_frame.h"

namespace skein::ui {

namespace {

constexpr double kSmoothUpTo = 3;  // as the canvas

QColor groundOf(RenderBackground background) {
    switch (background) {
        case RenderBackground::White:
            return Qt::white;
        case RenderBackground::Gray:
            return theme::uncoloredColor();
        case RenderBackground::Transparent:
            return Qt::transparent;
        case RenderBackground::Video:
        case RenderBackground::Black:
            break;
    }
    return Qt::black;
}

/// Where an animal is: one node, or the middle of those that are there.
std::optional<QPointF> placeOf(std::span<const project::Point> points, int node) {
    if (node >= 0) {
        if (static_cast<std::size_t>(node) >= points.size() || !points[static_cast<std::size_t>(node)].exists())
            return std::nullopt;
        return QPointF(points[static_cast<std::size_t>(node)].x, points[static_cast<std::size_t>(node)].y);
    }
    QPointF sum;
    int count = 0;
    for (const project::Point& p : points)
        if (p.exists()) {
            sum += QPointF(p.x, p.y);
            ++count;
        }
    return count == 0 ? std::nullopt : std::optional(sum / count);
}

/// The instance of a track on a frame, a person's before a prediction.
std::optional<project::InstanceView> ofTrack(const project::Labels& labels, std::uint32_t video, std::int64_t frame,
                                             std::int32_t track) {
    std::optional<project::InstanceView> found;
    const auto row = labels.findFrame(video, frame);
    for (std::size_t i = 0; row && i < labels.frame(*row).instanceCount(); ++i) {
        const project::InstanceView instance = labels.frame(*row).instance(i);
        if (instance.header->track == track && (!found || instance.header->kind == project::InstanceKind::User))
            found = instance;
    }
    return found;
}

}  // namespace

FrameRenderer::FrameRenderer(project::Labels labels, RenderOptions options, QSize frameSize, double fps)
    : m_labels(std::move(labels)),
      m_options(std::move(options)),
      m_frameSize(frameSize),
      m_fps(fps),
      m_skeletons(std::make_shared<const std::vector<project::Skeleton>>(m_labels.skeletons())) {
    m_painter.setLook(m_options.look);
    const QRect inside = m_options.rectangle.intersected(QRect(QPoint(0, 0), frameSize));
    m_crop = m_options.crop == RenderCrop::None          ? QSizeF(frameSize)
             : !inside.isEmpty()                         ? QSizeF(inside.size())
             : m_options.crop == RenderCrop::FollowTrack ? extentOfTrack()
                                                         : QSizeF(frameSize);
    m_size = QSize(std::max(1, static_cast<int>(std::lround(m_crop.width() * m_options.scale))),
                   std::max(1, static_cast<int>(std::lround(m_crop.height() * m_options.scale))));
}

/// The largest box of the track on the frames of the video, with the margin on all sides.
QSizeF FrameRenderer::extentOfTrack() const {
    QSizeF extent(0, 0);
    for (const std::int64_t frame : m_options.frames)
        if (const auto instance = ofTrack(m_labels, m_options.video, frame, m_options.track)) {
            double left = 1e18, top = 1e18, right = -1e18, bottom = -1e18;
            for (const project::Point& p : instance->points)
                if (p.exists()) {
                    left = std::min(left, p.x);
                    right = std::max(right, p.x);
                    top = std::min(top, p.y);
                    bottom = std::max(bottom, p.y);
                }
            if (right >= left)
                extent = extent.expandedTo(QSizeF(right - left, bottom - top));
        }
    return (extent + QSizeF(2.0 * m_options.margin, 2.0 * m_options.margin)).boundedTo(QSizeF(m_frameSize));
}

/// Where the track is on the frame, or was last before it, or will be next.
std::optional<QPointF> FrameRenderer::middleOfTrack(std::int64_t frame) const {
    constexpr std::int64_t kFarthest = 10'000;
    for (std::int64_t away = 0; away < kFarthest; ++away)
        for (const std::int64_t at : {frame - away, frame + away})
            if (const auto instance = ofTrack(m_labels, m_options.video, at, m_options.track))
                if (const auto place = placeOf(instance->points, -1))
                    return place;
    return std::nullopt;
}

/// Part of the video that is seen on a frame; corners of pixels, so that pixel (0, 0) spans 0 to 1.
QRectF FrameRenderer::cropOn(std::int64_t frame) const {
    QPointF corner(0, 0);
    if (m_options.crop == RenderCrop::Rectangle)
        corner = m_options.rectangle.intersected(QRect(QPoint(0, 0), m_frameSize)).topLeft();
    if (m_options.crop == RenderCrop::FollowTrack)
        if (const auto middle = middleOfTrack(frame)) {
            corner = *middle + QPointF(0.5, 0.5) - QPointF(m_crop.width() / 2, m_crop.height() / 2);
            // Whole pixels, or the picture would shimmer; inside, so that there is no empty edge.
            corner.setX(std::clamp(std::round(corner.x()), 0.0, std::max(0.0, m_frameSize.width() - m_crop.width())));
            corner.setY(std::clamp(std::round(corner.y()), 0.0, std::max(0.0, m_frameSize.height() - m_crop.height())));
        }
    return {corner, m_crop};
}

QImage FrameRenderer::draw(std::int64_t frame, const QImage& picture, double seconds) {
    const bool transparent = m_options.background == RenderBackground::Transparent;
    const QRectF crop = cropOn(frame);
    const bool isWhole = m_options.crop == RenderCrop::None && m_size == m_frameSize;
    const bool hasPicture = needsPicture() && !picture.isNull();
    QImage image;
    if (hasPicture && isWhole && picture.size() == m_size) {
        image = picture.copy();
    } else {
        image = QImage(m_size, transparent ? QImage::Format_ARGB32_Premultiplied : QImage::Format_RGB32);
        image.fill(groundOf(m_options.background));
    }
    QPainter painter(&image);
    const double zoom = m_size.width() / m_crop.width();
    if (hasPicture && !(isWhole && picture.size() == m_size)) {
        painter.setRenderHint(QPainter::SmoothPixmapTransform, zoom != 1 && zoom < kSmoothUpTo);
        painter.drawImage(QRectF(QPointF(0, 0), QSizeF(m_size)), picture, crop);
    }
    // Points count from the centre of the first pixel, pictures from its corner.
    const QTransform toPicture =
        QTransform::fromTranslate(0.5 - crop.left(), 0.5 - crop.top()) *
        QTransform::fromScale(m_size.width() / m_crop.width(), m_size.height() / m_crop.height());
    ShownFrame shown = storedFrame(m_labels, m_skeletons, m_options.video, frame, m_options.style);
    for (ShownInstance& instance : shown.instances)
        if (const auto track = static_cast<std::size_t>(instance.header.track);
            m_options.style.colorBy == ColorBy::Track && instance.header.track >= 0 &&
            instance.color == instance.header.track && track < m_options.trackInks.size())
            instance.color = m_options.trackInks[track];
    applyFocus(shown, m_options.style, {});
    if (m_options.trails.on)
        drawTrails(painter, shown, toPicture);
    painter.setOpacity(m_options.opacity);
    m_painter.paint(painter, shown, toPicture, m_options.style,
                    hasPicture && picture.size() == m_frameSize ? picture : QImage(), 0);
    if (m_options.trackNames)
        drawTrackNames(painter, shown, toPicture);
    painter.setOpacity(1);
    drawBurnIn(painter, frame, seconds);
    return image;
}

void FrameRenderer::drawTrails(QPainter& painter, const ShownFrame& shown, const QTransform& toPicture) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const ShownInstance& instance : shown.instances) {
        if (instance.header.track < 0)
            continue;
        QColor color = m_options.trails.color.isValid() ? m_options.trails.color
                                                        : inkColor(instance.color, m_options.style.palette);
        auto here = placeOf(instance.points, m_options.trails.node);
        for (int back = 1; back <= m_options.trails.length && shown.frame - back >= 0; ++back) {
            const auto before = ofTrack(m_labels, m_options.video, shown.frame - back, instance.header.track);
            const auto there = before ? placeOf(before->points, m_options.trails.node) : std::nullopt;
            if (here && there) {
                const double left = m_options.trails.fade ? 1 - double(back - 1) / m_options.trails.length : 1.0;
                color.setAlphaF(static_cast<float>(std::clamp(m_options.trails.opacity * left, 0.0, 1.0)));
                painter.setPen(QPen(color, m_options.trails.width, Qt::SolidLine, Qt::FlatCap));
                painter.drawLine(toPicture.map(*here), toPicture.map(*there));
            }
            if (there)
                here = there;
        }
    }
    painter.restore();
}

namespace {
/// Text on a dark box with its lower left corner there.
void drawLabel(QPainter& painter, const QString& text, QPointF corner) {
    const QFontMetricsF metrics(painter.font());
    const QRectF box(corner.x(), corner.y() - metrics.height() - theme::kGrid,
                     metrics.horizontalAdvance(text) + 2 * theme::kGrid, metrics.height() + theme::kGrid);
    painter.fillRect(box, theme::tagGround());
    painter.setPen(theme::onPicture());
    painter.drawText(box, Qt::AlignCenter, text);
}
}  // namespace

void FrameRenderer::drawTrackNames(QPainter& painter, const ShownFrame& shown, const QTransform& toPicture) const {
    QFont font = painter.font();
    font.setPixelSize(m_options.style.labelSize);
    painter.setFont(font);
    for (const ShownInstance& instance : shown.instances) {
        const QRectF box = boundsOf(instance);
        if (instance.trackName.isEmpty() || std::none_of(instance.points.begin(), instance.points.end(), hasPlace))
            continue;
        const QRectF seen = toPicture.mapRect(box);
        drawLabel(painter, instance.trackName, seen.topLeft() - QPointF(0, m_options.style.markerSize + 2));
    }
}

void FrameRenderer::drawBurnIn(QPainter& painter, std::int64_t frame, double seconds) const {
    const RenderBurnIn& burn = m_options.burnIn;
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPixelSize(std::clamp(m_size.height() / 32, 10, 32));
    painter.setFont(font);
    QStringList words;
    if (burn.frameNumber)
        words << QString::number(frame + burn.firstNumber);
    if (burn.time)
        words << QStringLiteral("%1 s").arg(seconds == seconds ? seconds
                                            : m_fps > 0        ? double(frame) / m_fps
                                                               : 0.0,
                                            0, 'f', 3);
    if (!words.isEmpty())
        drawLabel(painter, words.join(QStringLiteral("  ")), QPointF(theme::kMargin, m_size.height() - theme::kMargin));
    if (burn.scaleBar > 0) {
        const double length = burn.scaleBar * m_size.width() / m_crop.width();
        const QRectF bar(m_size.width() - theme::kMargin - length, m_size.height() - theme::kMargin - 4.0, length, 4);
        painter.fillRect(bar.adjusted(-1, -1, 1, 1), theme::darkHalo());
        painter.fillRect(bar, theme::onPicture());
        if (!burn.scaleBarText.isEmpty())
            drawLabel(painter, burn.scaleBarText, bar.topLeft() - QPointF(0, 3));
    }
}

}  // namespace skein::ui
