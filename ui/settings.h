// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QSettings>
#include <QVariant>

namespace skein::ui {

/// Everything that outlives the window, by key; names and defaults stand in settings.cpp, nowhere else.
enum class Setting {
    WindowGeometry,
    WindowState,
    SplitterState,
    RecentFiles,
    Theme,
    CountFramesFromZero,
    LastFolder,
    LastModelFolder,
    ColorBy,
    ShowNames,
    ShowEdges,
    ShowHiddenNodes,
    Placement,
    PropagateTracks,
    ShowScores,
    ShowReplaced,
    ColorPredicted,
    DashPredicted,
    Palette,
    Focus,
    EdgeStyle,
    MarkerSize,
    LabelSize,
    GhostDrag,
    EveryFrame
};

/// The user's settings file. GUI thread only.
class Settings {
public:
    Settings();
    [[nodiscard]] QVariant get(Setting setting) const;
    void set(Setting setting, const QVariant& value);
    [[nodiscard]] static QVariant byDefault(Setting setting);

private:
    QSettings m_store;
};

}  // namespace skein::ui
