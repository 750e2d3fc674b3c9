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
    FindFilters
};

/// The user's settings file. GUI thread only.
class Settings {
public:
    Settings();
    [[nodiscard]] QVariant get(Setting setting) const;
    void set(Setting setting, const QVariant& value);

    /// Columns and order of a table, by its objectName; empty: never changed.
    [[nodiscard]] QByteArray tableState(const QString& table) const;
    void setTableState(const QString& table, const QByteArray& state);

private:
    QSettings m_store;
};

}  // namespace skein::ui
