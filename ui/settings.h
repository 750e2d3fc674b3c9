// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QSettings>
#include <QVariant>

#include "engine/video/decoder_choice.h"

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
    EveryFrame,
    Decoder,          ///< of videos: a video::DecoderChoice, see decoderOf()
    AutosaveMinutes,  ///< 0: off
    KeepBackups,
    RecoveryFolder,       ///< empty: the user's data folder
    VideoReplacements,    ///< "from|to" beginnings of video paths, the latest first
    MediumStep,           ///< frames
    LargeStep,            ///< frames
    SpacePlays,           ///< Space plays and F takes the next suggestion, instead of the other way round
    RecentCount,          ///< files in the list of recent ones
    FontPercent,          ///< of the desktop's size of text
    Shortcuts,            ///< list of "action=key; key" for each action whose keys a person has chosen
    FindFilters,          ///< name -> text of a filter
    TimelineStatistics,   ///< ids of the graphs that are shown, from top to bottom
    TimelineStacked,      ///< choosing a graph adds it
    TimelineStripHeight,  ///< px
    TimelineTime,         ///< the ruler shows time
    LaneOrder,
    LanesPacked,
    TrailLength,  ///< frames; 0: no trails
    TrailWhen,    ///< 0 past, 1 future, 2 both
    TrailNode,    ///< name of the node; empty: centre
    TrailFade,
    TrailOpacity,      ///< percent
    TrailWidth,        ///< px
    DeletedTracks,     ///< instances of deleted tracks: 0 it is asked, 1 kept, 2 deleted
    CancelledEntries,  ///< finished frames of a cancelled entry of the queue: 0 it is asked, 1 kept, 2 discarded
};

/// The user's settings file. GUI thread only.
class Settings : public QObject {
    Q_OBJECT
public:
    explicit Settings(QObject* parent = nullptr);
    /// Keeps the settings in `folder` from now on, for a copy of Skein that leaves nothing elsewhere. To be called
    /// before the first Settings is made.
    static void setFolder(const QString& folder);

    [[nodiscard]] QVariant get(Setting setting) const;
    [[nodiscard]] static QVariant defaultOf(Setting setting);
    /// Does nothing when the value is the same.
    void set(Setting setting, const QVariant& value);
    void reset(Setting setting);
    [[nodiscard]] QString file() const { return m_store.fileName(); }

    /// Columns and order of a table, by its objectName; empty: never changed.
    [[nodiscard]] QByteArray tableState(const QString& table) const;
    void setTableState(const QString& table, const QByteArray& state);

Q_SIGNALS:
    void changed(skein::ui::Setting setting);

private:
    QSettings m_store;
};

[[nodiscard]] video::DecoderChoice decoderOf(const Settings& settings);

}  // namespace skein::ui
