// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <functional>

#include "ui/document.h"
#include "ui/shown_frame.h"
#include "ui/view_state.h"

namespace skein::ui {

/// Marks ids of instances that a run has found and the project does not hold yet.
inline constexpr project::InstanceId kLiveId = project::InstanceId{1} << 63;

/// Tells what is on a frame: the project's instances and, in place of its predictions, those that a run has finished
/// and not yet handed over. GUI thread only. Cost of at(): a search and a copy of one frame.
class FrameContents : public QObject {
    Q_OBJECT
public:
    /// Where a run's fresh results come from; empty functions: no run. As RunController says.
    struct Live {
        std::function<const project::FrameData*(std::uint32_t, std::int64_t)> frame;
        std::function<const project::Skeleton&()> skeleton;
        std::function<QString(int)> trackName;
    };

    FrameContents(Document* document, const ViewState* view, QObject* parent);

    void setLive(Live live) { m_live = std::move(live); }
    /// Colour of a track where colours mean tracks, as a place in the palette; and whether a person wants to see it
    /// now.
    std::function<int(int)> trackInk;
    std::function<bool(int)> trackShown;
    [[nodiscard]] ShownFrame at(std::uint32_t video, std::int64_t frame) const;
    /// The frame as an older state of the project has it, without what a run adds.
    [[nodiscard]] ShownFrame before(const project::Labels& labels, std::uint32_t video, std::int64_t frame) const;
    [[nodiscard]] QString trackName(int track) const;

private:
    void add(ShownFrame& shown, project::InstanceHeader header, std::vector<project::Point> points,
             const project::Skeleton* skeleton) const;
    void finish(ShownFrame& shown, const project::Labels& labels) const;
    void refreshSkeletons();

    Document* m_document;
    const ViewState* m_view;
    Live m_live;
    std::shared_ptr<const std::vector<project::Skeleton>> m_skeletons;
};

}  // namespace skein::ui
