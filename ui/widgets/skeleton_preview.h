// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <vector>

#include "engine/project/labels.h"

namespace skein::ui {

/// A skeleton as a drawing: nodes with their names, edges with their direction, pairs by dashed lines. Nodes lie as in
/// a labelled instance if one is given, else as the graph spreads.
class SkeletonPreview : public QWidget {
    Q_OBJECT
public:
    explicit SkeletonPreview(QWidget* parent);
    /// `pose`: one point a node, or empty.
    void setSkeleton(project::Skeleton skeleton, std::vector<project::Point> pose);
    void setMarked(int node);  ///< drawn in the accent colour; -1: none

    QSize sizeHint() const override { return {240, 160}; }
    QSize minimumSizeHint() const override { return {120, 100}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    project::Skeleton m_skeleton;
    std::vector<QPointF> m_places;  ///< in a box around the origin; empty without nodes
    int m_marked = -1;
};

}  // namespace skein::ui
