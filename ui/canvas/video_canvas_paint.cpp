// SPDX-License-Identifier: GPL-3.0-or-later
// What the canvas looks like.
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/canvas/canvas_layer.h"
#include "ui/canvas/video_canvas.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {
constexpr double kSmoothUpTo = 3;
constexpr double kLoupeRadius = 96;  ///< px
constexpr double kLoupeFactor = 4;
}  // namespace

const ShownFrame& VideoCanvas::drawn() const {
    if (m_comparison && !m_dragging)
        return *m_comparison;
    return m_dragging ? m_preview : m_contents;
}

void VideoCanvas::updatePicture() {
    if (m_picture == nullptr)
        return;
    m_image = QImage(m_picture->pixels.data(), m_picture->width, m_picture->height,
                     static_cast<qsizetype>(m_picture->rowBytes()), QImage::Format_RGB32);
    if (!m_adjustment.isNeutral())
        m_image = adjusted(m_image, m_adjustment);
    update();
}

void VideoCanvas::setAdjustment(const PictureAdjustment& adjustment) {
    if (adjustment == m_adjustment)
        return;
    m_adjustment = adjustment;
    updatePicture();
}

void VideoCanvas::setMapOverlay(std::shared_ptr<const MapOverlay> overlay) {
    m_map = std::move(overlay);
    update();
}

bool VideoCanvas::isMapShown() const {
    return m_map != nullptr && m_map->frame == m_contents.frame && m_picture != nullptr;
}

void VideoCanvas::setLayer(CanvasLayer* layer) {
    m_layer = layer;
    update();
}

void VideoCanvas::setLoupe(bool on) {
    m_loupe = on;
    if (const QPointF at = mapFromGlobal(QPointF(QCursor::pos())); on && underMouse())
        m_pointer = at;
    update();
}

void VideoCanvas::setComparison(std::optional<ShownFrame> frame, const QString& words) {
    if (frame && (frame->frame != m_contents.frame || frame->video != m_contents.video))
        frame.reset();  // belongs to another picture
    m_comparison = std::move(frame);
    m_comparisonWords = words;
    if (m_comparison)
        applyFocus(*m_comparison, m_style, {});
    update();
}

/// Only the part in sight is scaled, or a zoomed picture would cost as much as its whole enlargement. `toView` turns,
/// scales by `zoom` and moves; `view` is what is seen.
void VideoCanvas::paintPicture(QPainter& painter, const QTransform& toView, double zoom, const QRectF& view) const {
    painter.setRenderHint(QPainter::SmoothPixmapTransform, zoom * devicePixelRatioF() < kSmoothUpTo);
    const QTransform turn(toView.m11() / zoom, toView.m12() / zoom, toView.m21() / zoom, toView.m22() / zoom,
                          toView.dx(), toView.dy());
    const QRectF whole(-0.5 * zoom, -0.5 * zoom, m_frameSize.width() * zoom, m_frameSize.height() * zoom);
    const QRectF seen = whole.intersected(turn.inverted().mapRect(view.adjusted(-zoom, -zoom, zoom, zoom)));
    if (seen.isEmpty())
        return;
    painter.save();
    painter.setTransform(turn, true);
    painter.drawImage(seen, m_image, QRectF(seen.topLeft() / zoom + QPointF(0.5, 0.5), seen.size() / zoom));
    painter.restore();
}

void VideoCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto& t = theme::tokens();
    painter.fillRect(rect(), t.canvas);
    if (m_frameSize.isEmpty()) {
        if (!m_placeholder.isEmpty())
            paintSentence(painter, m_placeholder, rect());
        if (m_spinning)
            paintSpinner(painter);
        return;
    }
    const QTransform toView = sceneTransform();
    if (m_picture != nullptr) {
        paintPicture(painter, toView, m_zoom, rect());
    } else {
        const QRectF target = toView.mapRect(frameRect());
        painter.fillRect(target, theme::mix(t.canvas, t.canvasText, 0.12));
        paintSentence(painter, m_sentence, target.intersected(rect()));
    }
    if (isMapShown())
        paintMapOverlay(painter, *m_map, toView);
    if (m_layer != nullptr && m_instancesShown)
        m_layer->paint(painter, toView, rect(), m_contents);
    if (m_instancesShown)
        m_overlay.paint(painter, drawn(), toView, m_style, m_image, m_selected,
                        {m_alsoSelected, m_hovered, m_nudging ? m_picked : Hit{}});
    if (m_layer != nullptr && m_instancesShown)
        m_layer->paintOver(painter, toView, rect(), m_contents);
    if (!m_rubber.isNull()) {
        painter.setPen(QPen(t.accent, 1));
        QColor fill = t.accent;
        fill.setAlpha(40);
        painter.setBrush(fill);
        painter.drawRect(m_rubber);
    }
    if (m_loupe)
        paintLoupe(painter);
    if (m_comparison && !m_dragging)
        paintWords(painter, m_comparisonWords);
    if (m_spinning)
        paintSpinner(painter);
    if (std::exchange(m_unpainted, false)) {
        ++m_framesShown;
        m_lastShown = m_contents.frame;
        Q_EMIT framePainted(m_contents.frame);
    }
}

void VideoCanvas::paintLoupe(QPainter& painter) {
    const QTransform larger = sceneTransform() * QTransform::fromTranslate(-m_pointer.x(), -m_pointer.y()) *
                              QTransform::fromScale(kLoupeFactor, kLoupeFactor) *
                              QTransform::fromTranslate(m_pointer.x(), m_pointer.y());
    const QRectF box(m_pointer.x() - kLoupeRadius, m_pointer.y() - kLoupeRadius, 2 * kLoupeRadius, 2 * kLoupeRadius);
    QPainterPath circle;
    circle.addEllipse(box);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipPath(circle);
    painter.fillRect(box, theme::tokens().canvas);
    if (m_picture != nullptr)
        paintPicture(painter, larger, m_zoom * kLoupeFactor, box);
    if (m_instancesShown) {
        OverlayStyle style = m_style;
        style.names = style.scores = false;
        m_loupeOverlay.paint(painter, drawn(), larger, style, m_image, 0);
    }
    painter.setClipping(false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme::darkHalo(), 4));
    painter.drawEllipse(box);
    painter.setPen(QPen(theme::onPicture(), 2));
    painter.drawEllipse(box);
    painter.restore();
}

void VideoCanvas::paintSentence(QPainter& painter, const QString& sentence, const QRectF& where) {
    painter.save();
    QColor ink = theme::tokens().canvasText;
    ink.setAlpha(170);
    painter.setPen(ink);
    painter.drawText(where.adjusted(theme::kGap, theme::kGap, -theme::kGap, -theme::kGap),
                     Qt::AlignCenter | Qt::TextWordWrap, sentence);
    painter.restore();
}

/// Over the middle of the upper edge.
void VideoCanvas::paintWords(QPainter& painter, const QString& words) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetricsF metrics(font());
    QRectF box(0, theme::kGap, metrics.horizontalAdvance(words) + 2 * theme::kGap, metrics.height() + theme::kMargin);
    box.moveLeft((width() - box.width()) / 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme::tagGround());
    painter.drawRoundedRect(box, theme::kRadius, theme::kRadius);
    painter.setPen(theme::onPicture());
    painter.drawText(box, Qt::AlignCenter, words);
    painter.restore();
}

void VideoCanvas::paintSpinner(QPainter& painter) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box(width() - 36.0, theme::kGap, 20, 20);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, 120));
    painter.drawEllipse(box.adjusted(-4, -4, 4, 4));
    painter.setPen(QPen(theme::tokens().canvasText, 2, Qt::SolidLine, Qt::RoundCap));
    painter.setBrush(Qt::NoBrush);
    painter.drawArc(box.adjusted(2, 2, -2, -2), -m_spinnerAngle * 16, 270 * 16);
    painter.restore();
}

}  // namespace skein::ui
