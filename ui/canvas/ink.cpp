// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/ink.h"

#include <algorithm>
#include <cmath>

#include "ui/canvas/overlay_painter.h"
#include "ui/palette_colors.h"

namespace skein::ui {

namespace {
/// Body lengths a frame at which the scale of speeds ends.
constexpr double kFastest = 0.5;
/// Length of an animal of one node, px: there is nothing to measure it by.
constexpr double kPointLength = 20;

/// Mean of the scores of its nodes; NaN: it has none.
double meanScore(const ShownInstance& instance) {
    if (instance.header.kind == project::InstanceKind::User)
        return project::kNaN;
    double sum = 0;
    int count = 0;
    for (const project::Point& p : instance.points)
        if (hasPlace(p) && p.score == p.score) {
            sum += p.score;
            ++count;
        }
    return count == 0 ? project::kNaN : sum / count;
}
}  // namespace

QColor inkColor(int ink, theme::Palette palette) {
    if (ink == kNeutralColor)
        return theme::neutralColor();
    if (ink == kUncolored)
        return theme::uncoloredColor();
    if (ink >= kRampInk)
        return theme::rampColor(double(ink - kRampInk) / (kRampSteps - 1));
    return paletteColor(palette, ink);
}

int rampInk(double share) {
    if (share != share)
        return kNeutralColor;
    return kRampInk + static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * (kRampSteps - 1)));
}

int inkCount(theme::Palette palette) {
    return paletteSize(palette) + kRampSteps + 2;
}

int inkPlace(int ink, theme::Palette palette) {
    const int colors = paletteSize(palette);
    if (ink == kNeutralColor)
        return colors + kRampSteps;
    if (ink == kUncolored)
        return colors + kRampSteps + 1;
    return ink >= kRampInk ? colors + std::min(ink - kRampInk, kRampSteps - 1) : ink % colors;
}

int inkAt(int place, theme::Palette palette) {
    const int colors = paletteSize(palette);
    if (place < colors)
        return place;
    if (place < colors + kRampSteps)
        return kRampInk + place - colors;
    return place == colors + kRampSteps ? kNeutralColor : kUncolored;
}

double speedShare(const ShownInstance& instance) {
    const QRectF box = boundsOf(instance);
    const double length = std::hypot(box.width(), box.height());
    return instance.speed / (kFastest * (length > 1 ? length : kPointLength));
}

int instanceInk(const ShownInstance& instance, const OverlayStyle& style, bool projectHasTracks) {
    if (!style.colorPredicted && instance.header.kind == project::InstanceKind::Predicted)
        return kUncolored;
    switch (style.colorBy) {
        case ColorBy::Track:
            if (instance.header.track >= 0)
                return instance.header.track;
            return projectHasTracks ? kNeutralColor : instance.place;
        case ColorBy::Instance:
            return instance.place;
        case ColorBy::Score:
            return rampInk(meanScore(instance));
        case ColorBy::Speed:
            return rampInk(speedShare(instance));
        case ColorBy::Node:
        case ColorBy::Edge:
            break;
    }
    return kNeutralColor;
}

void InkChooser::begin(const ShownInstance& instance) {
    m_instance = &instance;
    const bool predicted = instance.header.kind == project::InstanceKind::Predicted;
    m_uncolored = predicted && !m_style.colorPredicted;
    m_ofParts = m_style.colorBy == ColorBy::Node || m_style.colorBy == ColorBy::Edge ||
                (m_style.colorBy == ColorBy::Score && predicted);
    if (m_style.colorBy != ColorBy::Edge || instance.skeleton == m_skeleton)
        return;
    m_skeleton = instance.skeleton;
    m_edgeOfNode.assign(m_skeleton->nodes.size(), kNeutralColor);
    const auto put = [this](int node, std::size_t edge) {
        if (node >= 0 && static_cast<std::size_t>(node) < m_edgeOfNode.size() &&
            m_edgeOfNode[static_cast<std::size_t>(node)] == kNeutralColor)
            m_edgeOfNode[static_cast<std::size_t>(node)] = static_cast<int>(edge);
    };
    for (std::size_t e = 0; e < m_skeleton->edges.size(); ++e)
        put(m_skeleton->edges[e].destination, e);
    for (std::size_t e = 0; e < m_skeleton->edges.size(); ++e)
        put(m_skeleton->edges[e].source, e);
}

int InkChooser::node(std::size_t node) const {
    if (m_uncolored)
        return kUncolored;
    if (!m_ofParts)
        return m_instance->color;
    if (m_style.colorBy == ColorBy::Node)
        return static_cast<int>(node);
    if (m_style.colorBy == ColorBy::Edge)
        return node < m_edgeOfNode.size() ? m_edgeOfNode[node] : kNeutralColor;
    return rampInk(m_instance->points[node].score);
}

int InkChooser::edge(std::size_t edge) const {
    if (m_uncolored)
        return kUncolored;
    if (!m_ofParts)
        return m_instance->color;
    const project::Edge& ends = m_instance->skeleton->edges[edge];
    if (m_style.colorBy == ColorBy::Node)
        return ends.destination;
    if (m_style.colorBy == ColorBy::Edge)
        return static_cast<int>(edge);
    // An edge is as good as its worse end.
    return rampInk(std::min(m_instance->points[static_cast<std::size_t>(ends.source)].score,
                            m_instance->points[static_cast<std::size_t>(ends.destination)].score));
}

void applyFocus(ShownFrame& frame, const OverlayStyle& style, std::span<const project::InstanceId> selection) {
    const auto isSelected = [&selection](const ShownInstance& instance) {
        return std::find(selection.begin(), selection.end(), instance.header.id) != selection.end();
    };
    const bool any = std::any_of(frame.instances.begin(), frame.instances.end(), isSelected);
    for (ShownInstance& instance : frame.instances) {
        const bool selected = isSelected(instance);
        instance.unfocused = style.focus == Focus::OnlySelected && any && !selected;
        instance.hiddenNodes = style.focus == Focus::VisibleOnly        ? false
                               : style.focus == Focus::HiddenOfSelected ? selected
                                                                        : style.hiddenNodes;
    }
}

}  // namespace skein::ui
