// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QImage>
#include <QPainter>
#include <memory>
#include <vector>

#include "engine/project/labels.h"
#include "ui/canvas/overlay_painter.h"
#include "ui/render/render_options.h"

namespace skein::ui {

/// Draws single pictures of a rendered video. One thread at a time; each thread has its own, over a copy of Labels.
class FrameRenderer {
public:
    /// `frameSize`: of the video, pixels; `fps`: for the burned-in time.
    FrameRenderer(project::Labels labels, RenderOptions options, QSize frameSize, double fps);

    /// Size of every picture.
    [[nodiscard]] QSize size() const { return m_size; }
    /// The picture of `frame`; `picture`: the video's own as 32-bit RGB, null where it cannot be read or is not wanted.
    [[nodiscard]] QImage draw(std::int64_t frame, const QImage& picture, double seconds);
    [[nodiscard]] bool needsPicture() const { return m_options.background == RenderBackground::Video; }

private:
    [[nodiscard]] QRectF cropOn(std::int64_t frame) const;
    [[nodiscard]] QSizeF extentOfTrack() const;
    [[nodiscard]] std::optional<QPointF> middleOfTrack(std::int64_t frame) const;
    void drawTrails(QPainter& painter, const ShownFrame& shown, const QTransform& toPicture) const;
    void drawTrackNames(QPainter& painter, const ShownFrame& shown, const QTransform& toPicture) const;
    void drawBurnIn(QPainter& painter, std::int64_t frame, double seconds) const;

    project::Labels m_labels;
    RenderOptions m_options;
    QSize m_frameSize, m_size;
    QSizeF m_crop;  ///< px of the video
    double m_fps;
    std::shared_ptr<const std::vector<project::Skeleton>> m_skeletons;
    OverlayPainter m_painter;
};

}  // namespace skein::ui
