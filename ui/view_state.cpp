// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/view_state.h"

#include <algorithm>

namespace skein::ui {

void ViewState::setVideo(int video, std::int64_t frameCount, std::int64_t frame) {
    m_video = video;
    m_frameCount = frameCount;
    m_frame = std::clamp<std::int64_t>(frame, 0, std::max<std::int64_t>(0, frameCount - 1));
    setRange(std::nullopt);
    setSelected(0);
    Q_EMIT videoChanged(m_video);
    Q_EMIT frameCountChanged(m_frameCount);
    Q_EMIT frameChanged(m_frame);
}

void ViewState::setFrameCount(std::int64_t frameCount) {
    if (frameCount == m_frameCount)
        return;
    m_frameCount = frameCount;
    if (m_range && m_range->last >= frameCount)
        setRange(std::nullopt);
    Q_EMIT frameCountChanged(m_frameCount);
    setFrame(m_frame);
}

bool ViewState::setFrame(std::int64_t frame) {
    const std::int64_t clamped = std::clamp<std::int64_t>(frame, 0, std::max<std::int64_t>(0, m_frameCount - 1));
    if (clamped != m_frame) {
        m_frame = clamped;
        Q_EMIT frameChanged(m_frame);
    }
    return clamped == frame;
}

void ViewState::setSelected(project::InstanceId instance) {
    if (instance == m_selected)
        return;
    m_selected = instance;
    Q_EMIT selectionChanged(instance);
}

void ViewState::setRange(std::optional<FrameRange> range) {
    if (range && range->last < range->first)
        std::swap(range->first, range->last);
    if (range && m_frameCount > 0) {
        range->first = std::clamp<std::int64_t>(range->first, 0, m_frameCount - 1);
        range->last = std::clamp<std::int64_t>(range->last, 0, m_frameCount - 1);
    }
    if (range == m_range)
        return;
    m_range = range;
    Q_EMIT rangeChanged();
}

void ViewState::setColorBy(ColorBy colorBy) {
    if (std::exchange(m_colorBy, colorBy) != colorBy)
        Q_EMIT displayChanged();
}
void ViewState::setShowInstances(bool show) {
    if (std::exchange(m_showInstances, show) != show)
        Q_EMIT displayChanged();
}
void ViewState::setShowHiddenNodes(bool show) {
    if (std::exchange(m_showHiddenNodes, show) != show)
        Q_EMIT displayChanged();
}
void ViewState::setShowNames(bool show) {
    if (std::exchange(m_showNames, show) != show)
        Q_EMIT displayChanged();
}
void ViewState::setShowEdges(bool show) {
    if (std::exchange(m_showEdges, show) != show)
        Q_EMIT displayChanged();
}

}  // namespace skein::ui
