// SPDX-License-Identifier: GPL-3.0-or-later
// The view that goes along with the selected instance.
#include <algorithm>
#include <cmath>

#include "ui/canvas/video_canvas.h"

namespace skein::ui {

namespace {
constexpr double kGlideSeconds = 0.15;
}  // namespace

void VideoCanvas::fitSelection() {
    m_fit = Fit::Selection;
    m_followedTrack = -1;
    applyFit();
    Q_EMIT zoomChanged();
}

void VideoCanvas::setGliding(bool gliding) {
    if (std::exchange(m_gliding, gliding) == gliding || gliding)
        return;
    m_glideStep.stop();
    if (m_fit == Fit::Selection)
        applyFit();
}

void VideoCanvas::follow(const QRectF& box) {
    m_glideTo = box;
    if (!m_gliding) {
        m_glideStep.stop();
        fitTo(box);
    } else if (!m_glideStep.isActive()) {
        m_glideSpeed = {};
        m_zoomSpeed = 0;
        m_glideClock.restart();
        m_glideStep.start();
    }
}

/// Around what Fit::Selection shows: the selected instance, or the one of its track on this frame; a single point has
/// an area too. Null: there is none here.
QRectF VideoCanvas::followed() {
    const ShownInstance* instance = m_contents.find(m_selected);
    if (instance != nullptr)
        m_followedTrack = instance->header.track;
    else if (m_followedTrack >= 0)
        for (const ShownInstance& other : m_contents.instances)
            if (other.header.track == m_followedTrack && !other.hidden) {
                instance = &other;
                break;
            }
    if (instance == nullptr || std::none_of(instance->points.begin(), instance->points.end(), hasPlace))
        return {};
    return boundsOf(*instance).adjusted(-1, -1, 1, 1);
}

/// One step of a critically damped spring that pulls the view to m_glideTo.
void VideoCanvas::glide() {
    if (m_fit != Fit::Selection || m_glideTo.isNull() || width() == 0 || height() == 0) {
        m_glideStep.stop();
        return;
    }
    const double dt = std::min(0.1, static_cast<double>(m_glideClock.nsecsElapsed()) * 1e-9);
    m_glideClock.restart();
    constexpr double kPull = 2 / kGlideSeconds;
    const double fade = std::exp(-kPull * dt);
    const auto spring = [&](double now, double target, double& speed) {
        const double off = now - target, step = (speed + kPull * off) * dt;
        speed = (speed - kPull * step) * fade;
        return target + (off + step) * fade;
    };
    const QPointF middle(width() / 2.0, height() / 2.0), now = viewToScene(middle);
    const QSizeF size = m_rotation % 180 == 0 ? m_glideTo.size() : m_glideTo.size().transposed();
    const double wanted = std::clamp(std::min(width() / size.width(), height() / size.height()), 1e-3, kMaxZoom);
    const QPointF at(spring(now.x(), m_glideTo.center().x(), m_glideSpeed.rx()),
                     spring(now.y(), m_glideTo.center().y(), m_glideSpeed.ry()));
    m_zoom = std::exp(spring(std::log(m_zoom), std::log(wanted), m_zoomSpeed));
    m_offset += middle - sceneToView(at);
    const QPointF left = (at - m_glideTo.center()) * m_zoom;
    if (std::hypot(left.x(), left.y()) < 0.25 && std::fabs(m_zoom / wanted - 1) < 1e-3) {
        m_glideStep.stop();
        fitTo(m_glideTo);
        return;
    }
    Q_EMIT zoomChanged();
    update();
}

}  // namespace skein::ui
