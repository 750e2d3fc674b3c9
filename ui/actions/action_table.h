// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QString>
#include <functional>
#include <initializer_list>
#include <map>
#include <vector>

class QMenu;
class QMenuBar;
class QWidget;

namespace skein::ui {

/// What an action needs to make sense now. Each has a sentence for the case that it is missing.
enum class Need {
    Project,
    Frames,  ///< a video with frames, or labels to stand in for them
    TwoVideos,
    AnyLostVideo,  ///< a video of the project is missing or unreadable
    NoExport,      ///< nothing is being exported
    Instances,     ///< something on this frame
    Selection,     ///< a selected instance
    UserSelected,
    TwoUsersSelected,
    SelectionTrack,    ///< the selected instance has a track
    TrackBefore,       ///< which is also on an earlier frame, or may be in another video
    FramePredictions,  ///< a prediction on this frame
    AnyPredictions,    ///< one in the project
    AnyInstances,
    Skeleton,
    ProjectTracks,  ///< the project has a track
    ClipInstance,
    ClipTrack,
    Touched,  ///< something was edited
    Suggestions,
    SuggestionsSelected,
    Found,         ///< a search found frames
    Graph,         ///< a graph of the timeline
    GraphLine,     ///< a line across it
    TrackRows,     ///< a track: selected in the dock Tracks, else the selected instance's
    KnownTrack,    ///< a track that is selected, or was last
    TwoTrackRows,  ///< two of them
    HiddenTracks,
    Issues,        ///< open ones
    Issue,         ///< the one under review
    IssueFix,      ///< which Skein knows how to settle
    Sample,        ///< a random sample was drawn for a review
    SampleItem,    ///< one of its items is under review
    SampleAnswer,  ///< one of them is judged
    Smoothed,      ///< a way of smoothing was chosen
    Videos,        ///< a video of the list is selected
    NotRunning,
    AnySkeleton,  ///< also one without nodes
    Back,
    Forward,
    Range,   ///< a selected range of frames
    Labels,  ///< labelled frames in this video
    UserLabels,
    Tracks,
    Mark,
    Undo,
    Redo,
    NotSaving,
    RunPossible,
    QueueWaits,  ///< an entry of the queue
    QueueIdle,   ///< it does not work already
    QueueStarted,
    QueueOver,         ///< an entry of it has ended
    QueueRows,         ///< selected ones, in the dock Jobs
    QueueCancellable,  ///< among them one that waits or runs
    QueuePausable,     ///< one that is computed here, waits or runs, and is not paused by itself
    QueueResumable,    ///< one that is
    QueueRetriable,    ///< one that has ended
    QueueRemovable,    ///< one that is not in work
    QueueResult,       ///< just one, with a result
    QueueLog,          ///< just one, with a log
    Running
};

/// The queue of runs, and what of it is selected.
struct QueueFacts {
    bool waits = false, working = false, started = false, over = false, rows = false, cancellable = false,
         retriable = false;
    bool removable = false, result = false, log = false, pausable = false, resumable = false;
};

/// The state of the window that decides which needs are met; gathered by the window whenever something changes.
struct ActionFacts {
    bool project = false, frames = false, twoVideos = false, lostVideo = false, exporting = false;
    bool instances = false, selection = false, range = false;
    bool labels = false, userLabels = false, tracks = false, mark = false;
    bool undo = false, redo = false, saving = false, running = false;
    bool userSelected = false, twoUsersSelected = false, selectionTrack = false, framePredictions = false;
    bool trackBefore = false;
    bool anyPredictions = false, anyInstances = false, skeleton = false, projectTracks = false;
    bool clipInstance = false, clipTrack = false, touched = false, suggestions = false, back = false, forward = false;
    std::size_t trackCount = 0;
    bool graph = false, graphLine = false, hiddenTracks = false, issues = false, issue = false, issueFix = false;
    bool sample = false, sampleItem = false, sampleAnswer = false, smoothed = false;
    int trackRows = 0;
    bool knownTrack = false;
    bool suggestionsSelected = false, found = false, videos = false, anySkeleton = false;
    QueueFacts queue;
    QString runBlocked;  ///< why a run cannot start; empty: it can
};

/// One row of the table: everything about an action but what it does.
struct ActionSpec {
    const char* id;  ///< objectName, as tests, settings and the shortcut sheet know it
    const char* text;
    const char* menu;  ///< "File", or "View/Theme" for a submenu; empty: in no menu, by key and palette only
    std::vector<QKeySequence> keys;
    const char* icon;  ///< empty: none
    const char* tip;   ///< one sentence
    std::vector<Need> needs;
    bool checkable = false;
    const char* group = "";  ///< actions of one group exclude each other
    bool separatorBefore = false;
    std::size_t leastTracks = 0;  ///< tracks that the project must have
};

/// All actions of the window. Menus, tool bar, palette and shortcut sheet are made from it; panels ask by id.
/// GUI thread only.
class ActionTable : public QObject {
    Q_OBJECT
public:
    explicit ActionTable(QObject* parent = nullptr);

    [[nodiscard]] static const std::vector<ActionSpec>& specs();

    [[nodiscard]] QAction* get(const char* id) const;  ///< must exist
    [[nodiscard]] const std::vector<QAction*>& all() const { return m_actions; }
    /// Actions that are not from the table (dock toggles), so that palette and shortcut sheet know them too.
    void adopt(QAction* action, const QString& menuPath);
    [[nodiscard]] QString menuPathOf(const QAction* action) const;

    template <class Handler>
    void on(const char* id, Handler handler) {
        connect(get(id), &QAction::triggered, this, std::move(handler));
    }

    /// Fills the menu bar in the order of the table; returns the menus by path, e.g. "File/Open Recent".
    std::map<QString, QMenu*> buildMenus(QMenuBar* bar);

    /// Enables what can be used and puts the reason into the tool tip of what cannot.
    void refresh(const ActionFacts& facts);
    /// Writes the tool tips anew, which name the keys.
    void keysChanged();

    /// Why the need is not met, as a sentence; empty when it is.
    [[nodiscard]] static QString reasonAgainst(Need need, const ActionFacts& facts);

private:
    void writeTip(std::size_t row);

    std::vector<QAction*> m_actions;  ///< as specs(), then those that were adopted
    std::map<QString, QAction*> m_byId;
    std::map<const QAction*, QString> m_reasons;  ///< why an action cannot be used, as its tool tip says; empty: it can
    std::map<const QAction*, QString> m_paths;
};

}  // namespace skein::ui
