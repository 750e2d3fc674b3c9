// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>
#include <vector>

#include "ui/canvas/overlay_style.h"

namespace skein::ui {

// Inks: the colours that skeletons are drawn with, as numbers that can be grouped and looked up. From 0: the palette,
// around and around; kNeutralColor: means nothing here; kUncolored; from kRampInk: steps of the scale from low to high.
inline constexpr int kUncolored = -2;
inline constexpr int kRampInk = 1000;
inline constexpr int kRampSteps = 32;

// Of a palette: by default of the one that the window uses now, which only its own thread may ask for.
[[nodiscard]] QColor inkColor(int ink, theme::Palette palette = theme::palette());
/// Step of the scale; `share` from 0 to 1, clamped; NaN: kNeutralColor.
[[nodiscard]] int rampInk(double share);
/// The ink as a place in a table of inkCount() entries.
[[nodiscard]] int inkPlace(int ink, theme::Palette palette = theme::palette());
[[nodiscard]] int inkCount(theme::Palette palette = theme::palette());
/// The ink at such a place.
[[nodiscard]] int inkAt(int place, theme::Palette palette = theme::palette());

/// Ink of the whole instance: of its tag, its row in tables, and of its nodes and edges unless these have their own.
[[nodiscard]] int instanceInk(const ShownInstance& instance, const OverlayStyle& style, bool projectHasTracks);

/// Speed as a share of what the scale ends at: half of the animal's own length (the diagonal of its box) a frame.
[[nodiscard]] double speedShare(const ShownInstance& instance);

/// Inks of the parts of one instance after another. Thread-compatible.
class InkChooser {
public:
    explicit InkChooser(const OverlayStyle& style) : m_style(style) {}
    void begin(const ShownInstance& instance);
    [[nodiscard]] int node(std::size_t node) const;
    [[nodiscard]] int edge(std::size_t edge) const;

private:
    const OverlayStyle& m_style;
    const ShownInstance* m_instance = nullptr;
    const project::Skeleton* m_skeleton = nullptr;  ///< that m_edgeOfNode belongs to
    std::vector<int> m_edgeOfNode;                  ///< the edge that leads to each node, else one that leaves it
    bool m_uncolored = false;
    bool m_ofParts = false;
};

}  // namespace skein::ui
