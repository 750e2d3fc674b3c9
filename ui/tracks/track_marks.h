// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <set>
#include <vector>

#include "ui/canvas/canvas_layer.h"
#include "ui/view_state.h"

namespace skein::ui {

/// Corners around the animals of the selected tracks, on every frame: instances are selected on one frame alone, and a
/// loop or a step would leave nothing to tell who is meant. What is selected has its box already. GUI thread only.
class TrackMarks : public CanvasLayer {
public:
    explicit TrackMarks(const ViewState* view) : m_view(view) {}

    void setTracks(const std::vector<int>& tracks) { m_tracks = {tracks.begin(), tracks.end()}; }
    /// Boxes of the marked instances, in view coordinates.
    [[nodiscard]] std::vector<QRectF> boxesOn(const ShownFrame& frame, const QTransform& toView) const;

    void paint(QPainter& painter, const QTransform& toView, const QRect& view, const ShownFrame& frame) override;
    void paintOver(QPainter& painter, const QTransform& toView, const QRect& view, const ShownFrame& frame) override;

private:
    const ViewState* m_view;
    std::set<int> m_tracks;
};

}  // namespace skein::ui
