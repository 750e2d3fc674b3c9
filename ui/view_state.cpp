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

bool ViewState::isSelected(project::InstanceId instance) const {
    return std::find(m_selection.begin(), m_selection.end(), instance) != m_selection.end();
}

bool ViewState::isHidden(project::InstanceId instance) const {
    return std::binary_search(m_hidden.begin(), m_hidden.end(), instance);
}

void ViewState::setSelected(project::InstanceId instance) {
    setSelection(instance == 0 ? std::vector<project::InstanceId>() : std::vector{instance});
}

void ViewState::setSelection(std::vector<project::InstanceId> instances) {
    if (instances == m_selection)
        return;
    m_selection = std::move(instances);
    Q_EMIT selectionChanged(selected());
}

void ViewState::toggleSelected(project::InstanceId instance) {
    std::vector<project::InstanceId> next = m_selection;
    if (std::erase(next, instance) == 0 && instance != 0)
        next.push_back(instance);
    setSelection(std::move(next));
}

void ViewState::setHidden(project::InstanceId instance, bool hidden) {
    const auto at = std::lower_bound(m_hidden.begin(), m_hidden.end(), instance);
    const bool is = at != m_hidden.end() && *at == instance;
    if (is == hidden)
        return;
    if (hidden)
        m_hidden.insert(at, instance);
    else
        m_hidden.erase(at);
    Q_EMIT displayChanged();
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

void ViewState::setStyle(const OverlayStyle& style) {
    if (style == m_style)
        return;
    m_style = style;
    Q_EMIT displayChanged();
}

void ViewState::setShowInstances(bool show) {
    if (std::exchange(m_showInstances, show) != show)
        Q_EMIT displayChanged();
}

}  // namespace skein::ui
