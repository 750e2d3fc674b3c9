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
    AutosaveMinutes,  ///< 0: off
    KeepBackups,
    RecoveryFolder,    ///< empty: the user's data folder
    VideoReplacements  ///< "from|to" beginnings of video paths, the latest first
};

/// The user's settings file. GUI thread only.
class Settings {
public:
    Settings();
    [[nodiscard]] QVariant get(Setting setting) const;
    void set(Setting setting, const QVariant& value);

private:
    QSettings m_store;
};

}  // namespace skein::ui
