// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/video_canvas.h"

#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {
constexpr int kSpinnerDelayMs = 150;
constexpr int kSpinnerStepMs = 80;
constexpr int kGlideStepMs = 16;
constexpr double kLeastFollowed = 40;  ///< px of the frame that are always shown around a followed instance

/// Exact turns by quarters, clockwise as seen on the screen.
QPointF turned(QPointF p, int degrees) {
    switch (((degrees % 360) + 360) % 360) {
        case 90:
            return {-p.y(), p.x()};
        case 180:
            return -p;
        case 270:
            return {p.y(), -p.x()};
        default:
            return p;
    }
}

/// What the status bar says of the place under the pointer; empty: nothing is there.
QString hoverWords(const ShownFrame& contents, const Hit& hit) {
    const ShownInstance* instance = contents.find(hit.instance);
    if (instance == nullptr)
        return {};
    QStringList parts{VideoCanvas::tr("Instance %1").arg(instance->place + 1)};
    if (!instance->trackName.isEmpty())
        parts << instance->trackName;
    if (hit.node >= 0 && static_cast<std::size_t>(hit.node) < instance->skeleton->nodes.size()) {
        const auto node = static_cast<std::size_t>(hit.node);
        QString name = QString::fromStdString(instance->skeleton->nodes[node]);
        if (instance->header.kind == project::InstanceKind::Predicted)
            name += QLatin1Char(' ') + text::fixed(instance->points[node].score, 2);
        parts << name;
    }
    return parts.join(QStringLiteral("  \u00b7  "));
}
}  // namespace

VideoCanvas::VideoCanvas(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("videoView"));
    setAccessibleName(tr("Video view"));
    setToolTipDuration(0);
    setMouseTracking(true);
    setFocusPolicy(Qt::ClickFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_spinnerDelay.setSingleShot(true);
    m_spinnerDelay.setInterval(kSpinnerDelayMs);
    m_spinnerStep.setInterval(kSpinnerStepMs);
    m_rightHold.setSingleShot(true);
    m_glideStep.setInterval(kGlideStepMs);
    m_glideStep.setTimerType(Qt::PreciseTimer);
    connect(&m_glideStep, &QTimer::timeout, this, &VideoCanvas::glide);
    connect(&m_rightHold, &QTimer::timeout, this, [this] {
        const Hit under = std::exchange(m_rightPressed, Hit{});
        Q_EMIT menuWanted(mapToGlobal(m_pressedAt.toPoint()), under);
    });
    connect(&m_spinnerDelay, &QTimer::timeout, this, [this] {
        m_spinning = true;
        m_spinnerStep.start();
        update();
    });
    connect(&m_spinnerStep, &QTimer::timeout, this, [this] {
        m_spinnerAngle = (m_spinnerAngle + 30) % 360;
        update();
    });
}

void VideoCanvas::showFrame(ImagePtr picture, ShownFrame contents) {
    m_picture = std::move(picture);
    updatePicture();
    m_sentence.clear();
    setContents(std::move(contents));
    m_unpainted = true;
    setFrameSize({m_picture->width, m_picture->height});
    setWaiting(false);
    if (m_fit == Fit::Instances || m_fit == Fit::Selection)
        applyFit();
    updateDrag();
    revealNow();
    setHovered({});
    update();
}

void VideoCanvas::showWithoutPicture(QSize size, const QString& sentence, ShownFrame contents) {
    m_picture = nullptr;
    m_image = {};
    m_sentence = sentence;
    setContents(std::move(contents));
    m_unpainted = true;
    setFrameSize(size);
    setWaiting(false);
    updateDrag();
    revealNow();
    setHovered({});
    update();
}

void VideoCanvas::setContents(ShownFrame contents) {
    if (contents.frame != m_contents.frame || contents.video != m_contents.video) {
        endDrag();
        m_comparison.reset();
        m_map.reset();
    }
    const QString before = hoverWords(m_contents, m_hovered);
    m_contents = std::move(contents);
    // The pointer may rest while what lies under it becomes another, e.g. when tracks are exchanged.
    if (const QString words = hoverWords(m_contents, m_hovered); words != before)
        Q_EMIT hoverChanged(words);
    focusContents();
}

/// What the focus leaves out follows the style and the selection.
void VideoCanvas::focusContents() {
    std::vector<project::InstanceId> selection = m_alsoSelected;
    selection.push_back(m_selected);
    applyFocus(m_contents, m_style, selection);
}

void VideoCanvas::updateContents(ShownFrame contents) {
    if (contents.frame != m_contents.frame || contents.video != m_contents.video)
        return;  // belongs to another picture
    const bool wasEmpty = boundsOfAll().isNull();
    setContents(std::move(contents));
    // The picture stays under the person's hand as long as what was to be seen is in sight.
    const QRectF fitted = m_fit == Fit::Instances ? boundsOfAll() : m_fit == Fit::Selection ? followed() : QRectF();
    if (!m_dragging && !fitted.isNull() && (wasEmpty || !visibleScene().contains(fitted)))
        applyFit();
    updateDrag();
    revealNow();
    update();
}

void VideoCanvas::clear() {
    endDrag();
    m_picked = {};
    m_picture = nullptr;
    m_image = {};
    m_contents = {};
    m_comparison.reset();
    m_map.reset();
    m_sentence.clear();
    m_frameSize = {};
    m_lastShown = -1;
    m_fit = Fit::Frame;
    setWaiting(false);
    setHovered({});
    update();
}

void VideoCanvas::setWaiting(bool waiting) {
    m_waiting = waiting;
    updateSpinner();
}

void VideoCanvas::setComputing(bool computing) {
    m_computing = computing;
    updateSpinner();
}

void VideoCanvas::updateSpinner() {
    if (m_waiting || m_computing) {
        if (!m_spinning && !m_spinnerDelay.isActive())
            m_spinnerDelay.start();
        return;
    }
    m_spinnerDelay.stop();
    m_spinnerStep.stop();
    if (std::exchange(m_spinning, false))
        update();
}

void VideoCanvas::setOverlayStyle(const OverlayStyle& style) {
    m_style = style;
    focusContents();
    updateDrag();
    update();
}

void VideoCanvas::setInstancesShown(bool shown) {
    m_instancesShown = shown;
    update();
}

void VideoCanvas::setSelection(std::vector<project::InstanceId> instances) {
    m_selected = instances.empty() ? 0 : instances.back();
    if (!instances.empty())
        instances.pop_back();
    m_alsoSelected = std::move(instances);
    focusContents();
    if (m_fit == Fit::Selection && !m_dragging) {
        m_followedTrack = -1;
        applyFit();
    }
    if (m_picked.instance != 0 && m_picked.instance != m_selected)
        pick({});
    if (m_nudging && m_picked.instance == 0)
        pickNext(1);
    update();
}

void VideoCanvas::reveal(project::InstanceId instance) {
    m_reveal = instance;
    revealNow();
}

void VideoCanvas::revealNow() {
    const ShownInstance* instance = m_contents.find(m_reveal);
    if (instance == nullptr)
        return;
    m_reveal = 0;
    const QRectF box = selectionBox(*instance, sceneTransform());
    const QRectF view(rect());
    const bool tooLarge = box.width() > view.width() || box.height() > view.height();
    const bool inSight = view.contains(box.center()) || view.contains(box) || (tooLarge && view.intersects(box));
    if (m_frameSize.isEmpty() || inSight)
        return;
    m_fit = Fit::None;
    m_offset += QPointF(width() / 2.0, height() / 2.0) - box.center();
    keepInView();
    Q_EMIT zoomChanged();
    update();
}

void VideoCanvas::setPlaceholder(const QString& sentence) {
    m_placeholder = sentence;
    update();
}

// --- Where things are ----------------------------------------------------------------------------------------------

QRectF VideoCanvas::frameRect() const {
    return m_frameSize.isEmpty() ? QRectF() : QRectF(-0.5, -0.5, m_frameSize.width(), m_frameSize.height());
}

QTransform VideoCanvas::sceneTransform() const {
    const QPointF x = turned({m_zoom, 0}, m_rotation), y = turned({0, m_zoom}, m_rotation);
    return {x.x(), x.y(), y.x(), y.y(), m_offset.x(), m_offset.y()};
}
QPointF VideoCanvas::viewToScene(QPointF viewPoint) const {
    return turned(viewPoint - m_offset, -m_rotation) / m_zoom;
}
QPointF VideoCanvas::sceneToView(QPointF scenePoint) const {
    return turned(scenePoint * m_zoom, m_rotation) + m_offset;
}

void VideoCanvas::setRotation(int degrees) {
    if (degrees == m_rotation)
        return;
    const QPointF middle(width() / 2.0, height() / 2.0), scene = viewToScene(middle);
    m_rotation = degrees;
    m_offset = middle - turned(scene * m_zoom, m_rotation);
    if (m_fit != Fit::None)
        applyFit();
    keepInView();
    Q_EMIT zoomChanged();
    update();
}

QRectF VideoCanvas::visibleScene() const {
    return sceneTransform().inverted().mapRect(QRectF(rect())).intersected(frameRect());
}

std::optional<QPointF> VideoCanvas::pointerInScene() const {
    const QPointF at = mapFromGlobal(QPointF(QCursor::pos()));
    const QPointF scene = viewToScene(at);
    if (!underMouse() || !frameRect().contains(scene))
        return std::nullopt;
    return scene;
}

double VideoCanvas::fitZoom() const {
    if (m_frameSize.isEmpty())
        return 1;
    const QSize frame = m_rotation % 180 == 0 ? m_frameSize : m_frameSize.transposed();
    return std::min(double(width()) / frame.width(), double(height()) / frame.height());
}

void VideoCanvas::setFrameSize(QSize size) {
    if (size == m_frameSize)
        return;
    m_frameSize = size;
    if (m_fit == Fit::None)
        m_fit = Fit::Frame;
    applyFit();
}

void VideoCanvas::fitTo(const QRectF& scene) {
    if (scene.isEmpty() || width() == 0 || height() == 0)
        return;
    const QSizeF size = m_rotation % 180 == 0 ? scene.size() : scene.size().transposed();
    m_zoom = std::clamp(std::min(width() / size.width(), height() / size.height()), 1e-3, kMaxZoom);
    m_offset = QPointF(width() / 2.0, height() / 2.0) - turned(scene.center() * m_zoom, m_rotation);
    Q_EMIT zoomChanged();
    update();
}

void VideoCanvas::showScene(const QRectF& scene) {
    m_fit = Fit::None;
    fitTo(scene);
}

/// Around everything on the frame that has a place; a single point has an area too. Null: there is nothing.
QRectF VideoCanvas::boundsOfAll() const {
    QRectF all;
    for (const ShownInstance& instance : m_contents.instances)
        if (std::any_of(instance.points.begin(), instance.points.end(), hasPlace))
            all = all.united(boundsOf(instance).adjusted(-1, -1, 1, 1));
    return all;
}

void VideoCanvas::applyFit() {
    if (m_fit == Fit::Frame)
        fitTo(frameRect());
    if (m_fit != Fit::Selection && m_fit != Fit::Instances)
        return;
    const QRectF box = m_fit == Fit::Selection ? followed() : boundsOfAll();
    if (box.isNull())
        return;  // it is not here: the view stays
    const double longer = std::max(box.width(), box.height());
    if (m_fit == Fit::Selection) {
        const double room = std::max(0.5 * longer, kLeastFollowed / 2);
        follow(box.adjusted(-room, -room, room, room));
    } else {
        const double margin = 0.15 * longer;
        fitTo(box.adjusted(-margin, -margin, margin, margin));
    }
}

void VideoCanvas::fitFrame() {
    m_fit = Fit::Frame;
    applyFit();
}

void VideoCanvas::fitInstances() {
    m_fit = Fit::Instances;
    applyFit();
}

void VideoCanvas::actualSize() {
    // Also where the whole frame would be larger than life.
    setZoom(1.0, QPointF(width() / 2.0, height() / 2.0));
}

void VideoCanvas::zoomAbout(QPointF viewPoint, double factor) {
    const double fit = fitZoom();
    const double zoom = std::clamp(m_zoom * factor, std::min(fit, m_zoom), std::max(fit, kMaxZoom));
    if (zoom <= fit * (1 + 1e-9) && factor < 1)
        fitFrame();  // all the way out is "whole frame"
    else
        setZoom(zoom, viewPoint);
}

void VideoCanvas::setZoom(double zoom, QPointF viewPoint) {
    if (m_frameSize.isEmpty())
        return;
    const QPointF scene = viewToScene(viewPoint);
    m_zoom = std::clamp(zoom, 1e-3, kMaxZoom);
    m_offset = viewPoint - turned(scene * m_zoom, m_rotation);
    m_fit = Fit::None;
    keepInView();
    Q_EMIT zoomChanged();
    update();
}

/// The picture may be pushed about freely, but never out of sight.
void VideoCanvas::keepInView() {
    if (m_frameSize.isEmpty())
        return;
    const QRectF box = sceneTransform().mapRect(frameRect());
    const double margin = 48;
    QPointF shift;
    if (box.right() < margin)
        shift.setX(margin - box.right());
    if (box.left() > width() - margin)
        shift.setX(width() - margin - box.left());
    if (box.bottom() < margin)
        shift.setY(margin - box.bottom());
    if (box.top() > height() - margin)
        shift.setY(height() - margin - box.top());
    m_offset += shift;
}

void VideoCanvas::resizeEvent(QResizeEvent* event) {
    if (m_fit == Fit::None) {
        const QSize old = event->oldSize().isValid() ? event->oldSize() : size();
        m_offset += QPointF(width() - old.width(), height() - old.height()) / 2.0;
        keepInView();
    } else {
        applyFit();
    }
    QWidget::resizeEvent(event);
}

// --- Pointer: see also video_canvas_gestures.cpp --------------------------------------------------------------------

std::vector<Hit> VideoCanvas::hits(QPointF viewPoint, project::InstanceId selected) const {
    if (!m_instancesShown)
        return {};
    HitStyle style{double(m_style.markerSize), {}};
    if (m_style.names || m_style.scores)
        style.names = m_overlay.names();
    return hitsAt(m_contents, sceneTransform(), viewPoint, selected, style);
}

Hit VideoCanvas::itemAt(QPointF viewPoint) const {
    const auto found = hits(viewPoint, m_selected);
    return found.empty() ? Hit{} : found.front();
}

void VideoCanvas::leaveEvent(QEvent* event) {
    setHovered({});
    QWidget::leaveEvent(event);
}

void VideoCanvas::setHovered(const Hit& hit) {
    if (hit == m_hovered)
        return;
    m_hovered = hit;
    if (!m_pressed && !m_panning && !m_choosingArea) {
        if (hit.corner >= 0)
            setCursor(hit.corner % 2 == 0 ? Qt::SizeFDiagCursor : Qt::SizeBDiagCursor);
        else if (hit.node >= 0)
            setCursor(Qt::PointingHandCursor);
        else
            unsetCursor();
    }
    Q_EMIT hoverChanged(hoverWords(m_contents, hit));
    update();
}

void VideoCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        for (OverlayPainter* overlay : {&m_overlay, &m_loupeOverlay})
            overlay->dropCaches();
        update();
    }
    QWidget::changeEvent(event);
}

}  // namespace skein::ui
