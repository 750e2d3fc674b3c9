// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/project/labels.h"
#include "ui/canvas/overlay_style.h"
#include "ui/run_host.h"

namespace skein::ui {

/// What the person looks at: shared by canvas, timeline, docks and dialogs. GUI thread only. Setters do nothing when
/// the value is already there, so that views may set freely what they show.
class ViewState : public QObject {
    Q_OBJECT
public:
    explicit ViewState(QObject* parent = nullptr) : QObject(parent) {}

    [[nodiscard]] int video() const { return m_video; }           ///< -1: none
    [[nodiscard]] std::int64_t frame() const { return m_frame; }  ///< frame index, from 0
    [[nodiscard]] std::int64_t frameCount() const { return m_frameCount; }
    /// The instance that Inspector and single edits mean: the last one of selection(); 0: none.
    [[nodiscard]] project::InstanceId selected() const { return m_selection.empty() ? 0 : m_selection.back(); }
    /// All selected instances, in the order in which they were chosen.
    [[nodiscard]] const std::vector<project::InstanceId>& selection() const { return m_selection; }
    [[nodiscard]] bool isSelected(project::InstanceId instance) const;
    /// Not drawn and not to be clicked, by the person's wish; nothing of it is saved.
    [[nodiscard]] bool isHidden(project::InstanceId instance) const;
    [[nodiscard]] const std::optional<FrameRange>& range() const { return m_range; }
    [[nodiscard]] const OverlayStyle& style() const { return m_style; }
    [[nodiscard]] bool showInstances() const { return m_showInstances; }

    void setVideo(int video, std::int64_t frameCount, std::int64_t frame = 0);
    void setFrameCount(std::int64_t frameCount);
    /// Clamped to the video. Returns false when `frame` was outside.
    bool setFrame(std::int64_t frame);
    void setSelected(project::InstanceId instance);  ///< alone; 0: none
    void setSelection(std::vector<project::InstanceId> instances);
    void toggleSelected(project::InstanceId instance);  ///< adds it as the last, or takes it out
    void setHidden(project::InstanceId instance, bool hidden);
    void setRange(std::optional<FrameRange> range);
    void setStyle(const OverlayStyle& style);
    void setShowInstances(bool show);

Q_SIGNALS:
    void videoChanged(int video);
    void frameChanged(std::int64_t frame);  ///< also after another video was chosen
    void frameCountChanged(std::int64_t frameCount);
    void selectionChanged(skein::project::InstanceId instance);  ///< selected(); also when only selection() differs
    void rangeChanged();
    void displayChanged();  ///< style(), showInstances(), isHidden()

private:
    int m_video = -1;
    std::int64_t m_frame = 0;
    std::int64_t m_frameCount = 0;
    std::vector<project::InstanceId> m_selection;
    std::vector<project::InstanceId> m_hidden;  ///< ascending
    std::optional<FrameRange> m_range;
    OverlayStyle m_style;
    bool m_showInstances = true;
};

}  // namespace skein::ui
