// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>

#include "ui/shown_frame.h"
#include "ui/theme.h"

namespace skein::ui {

/// What the colours of skeletons mean.
enum class ColorBy { Track, Instance, Node, Edge, Score, Speed };
/// Which instances are drawn, and of which the nodes that are not visible.
enum class Focus { Manual, OnlySelected, VisibleOnly, HiddenOfSelected };
/// Wedges are wide at the edge's source and end in a point.
enum class EdgeStyle { Line, Wedge };

/// How skeletons are drawn. Sizes are in logical pixels and do not grow with the zoom.
struct OverlayStyle {
    int markerSize = 4;  ///< radius of a user node
    int labelSize = 12;  ///< pixels, node names
    bool hiddenNodes = true;
    bool names = false;
    bool edges = true;
    bool scores = false;         ///< of predicted nodes, beside their names or alone
    bool colorPredicted = true;  ///< false: predictions are grey with a yellow outline
    bool replaced = false;       ///< predictions that a user instance was made from are drawn too
    bool dashPredicted = false;  ///< edges of predictions
    ColorBy colorBy = ColorBy::Track;
    theme::Palette palette = theme::Palette::Safe;
    Focus focus = Focus::Manual;
    EdgeStyle edgeStyle = EdgeStyle::Line;
    friend bool operator==(const OverlayStyle&, const OverlayStyle&) = default;
};

/// Marks in `frame` what the style leaves out: whole instances, or nodes that are not visible. Without a selected
/// instance on the frame OnlySelected leaves out none.
void applyFocus(ShownFrame& frame, const OverlayStyle& style, std::span<const project::InstanceId> selection);

}  // namespace skein::ui
