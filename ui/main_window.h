// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QMainWindow>
#include <QTimer>
#include <memory>

#include "ui/actions/action_table.h"
#include "ui/bridge/frame_service.h"
#include "ui/canvas/video_canvas.h"
#include "ui/document.h"
#include "ui/frame_contents.h"
#include "ui/frame_presenter.h"
#include "ui/frame_steps.h"
#include "ui/playback.h"
#include "ui/project_digest.h"
#include "ui/recent_files.h"
#include "ui/run_controller.h"
#include "ui/session.h"
#include "ui/settings.h"
#include "ui/status_fields.h"
#include "ui/theme.h"
#include "ui/timeline/timeline.h"
#include "ui/view_state.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/message_bar.h"

class QDockWidget;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace skein::ui {

class Badge;
class CommandPalette;
class PreferencesDialog;
class Editor;
class FindBar;
class HistoryPanel;
class InspectorPanel;
class InstancesPanel;
class JobBar;
class ProjectSafety;
class ProjectTools;
class Proofreading;
class Shortcuts;
class ProjectEditor;
class QueueSide;
class SkeletonPanel;
class SuggestionsPanel;
class VideosPanel;
class ViewTools;
class WindowRunHost;

/// The window: puts the parts together and connects them. What the parts do is their own business. GUI thread only.
///
/// main_window_build.cpp makes its parts, main_window_actions.cpp says what each action does, main_window_edit.cpp does
/// so for gestures, labels and tracks, main_window_project.cpp for suggestions, skeletons, videos and finding,
/// main_window_view.cpp says how a frame looks, main_window_run.cpp connects the run, main_window_files.cpp what
/// belongs to files, main_window_preferences.cpp obeys the settings, and main_window.cpp does the rest.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(RunServices services = {}, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens files and folders as if they were chosen in the Open dialog.
    void openPaths(const QStringList& paths);

    [[nodiscard]] Document& document() { return *m_document; }
    [[nodiscard]] ViewState& view() { return *m_view; }
    [[nodiscard]] ActionTable& actions() { return *m_actions; }
    [[nodiscard]] VideoCanvas& canvas() { return *m_canvas; }
    [[nodiscard]] Timeline& timeline() { return *m_timeline; }
    [[nodiscard]] FramePresenter& presenter() { return *m_presenter; }
    [[nodiscard]] FrameService& frames() { return *m_frames; }
    [[nodiscard]] Playback& playback() { return *m_playback; }
    [[nodiscard]] ProjectDigest& digest() { return *m_digest; }
    [[nodiscard]] MessageBar& messages() { return *m_messages; }
    [[nodiscard]] Session& session() { return *m_session; }
    [[nodiscard]] StatusFields& status() { return *m_status; }
    [[nodiscard]] RunController& run() { return *m_run; }
    [[nodiscard]] QueueSide& queue() { return *m_queue; }
    [[nodiscard]] Editor& editor() { return *m_editor; }
    [[nodiscard]] ViewTools& viewTools() { return *m_viewTools; }
    [[nodiscard]] ProjectSafety& safety() { return *m_safety; }
    [[nodiscard]] ProjectTools& tools() { return *m_tools; }
    [[nodiscard]] FindBar& find() { return *m_find; }
    [[nodiscard]] Proofreading& proofreading() { return *m_proofreading; }
    /// Menu for what lies there; the caller shows it and owns it.
    [[nodiscard]] QMenu* canvasMenu(const Hit& under);

    [[nodiscard]] int firstFrameNumber() const { return m_countFromZero ? 0 : 1; }

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    friend class WindowRunHost;
    friend class Proofreading;

    void buildCentre();
    void buildDocks();
    void buildProjectDocks();
    void buildToolBar();
    void buildMenus();
    QDockWidget* addDock(const char* objectName, const QString& title, QWidget* contents, const QKeySequence& key = {});
    void resetLayout();
    void restoreLayout();
    void storeState();

    void connectParts();
    void connectActions();
    void connectMovement();
    void connectEditing();
    void connectLabelActions();
    void connectTrackActions();
    void connectLook();
    void connectView();
    void connectStyle();
    void applyStyleSetting(Setting setting);
    void askForOverlayModel();
    void connectFiles();
    void connectPreferences();
    void applySetting(Setting setting);
    void arrange(const std::vector<QDockWidget*>& upper, const std::vector<QDockWidget*>& lower, int timelineHeight);
    void goToNextPart();
    [[nodiscard]] std::int64_t stepLength(Setting setting) const;
    void nameSteps();
    void buildRun(RunServices services);
    void connectRun();
    void connectQueue();
    void connectProject();

    void projectOpened();
    void videoStateChanged(int video);
    void showVideo(int video, std::int64_t frame = -1);
    void contentsChanged(const ShownFrame& shown);
    void updateTitle();
    void updateStatus();
    void updateFrameStatus();
    void updateBanners();
    void updateActions();
    void gatherEditFacts(ActionFacts& facts) const;
    void gatherProjectFacts(ActionFacts& facts) const;
    void goToPlace(int video, std::int64_t frame);
    void showFound();
    void moveSelectedVideo(int by);
    void askToRemoveVideos();
    void updateEditActions();
    void instanceClicked(project::InstanceId instance);
    void transpose();
    bool cancelPicking();
    void addAbsentTracks(QMenu* menu, int track);
    [[nodiscard]] QString nameOf(const ShownInstance& instance) const;
    void goToTrackEnd(int track, bool end);
    void leavePlace();
    void goThroughPlaces(int by);
    void goToSuggestion(int direction);
    void scheduleUpdate();
    void updateNow();
    void rebuildRecentMenu();
    void applyOverlayStyle();
    void applyTheme(theme::Mode mode);
    void setCountFromZero(bool fromZero);
    void placeBadges();
    void liveFramesArrived(std::uint32_t video, const std::vector<qint64>& frames);
    void addLiveFrame(std::uint32_t video, std::int64_t frame);
    void refreshLive();
    void gatherLive();
    void updateRunShading();

    /// The person goes to a frame: outside the video it is clamped, with a word about it.
    void goTo(std::int64_t frame);
    void goToNext(const FrameLists& frames, int direction, const QString& nothing);
    void step(std::int64_t by, bool extendSelection);
    void selectNext();
    void copyPose();
    [[nodiscard]] QString frameNumber(std::int64_t frame) const;

    std::unique_ptr<Settings> m_settings;
    ActionTable* m_actions;
    Document* m_document;
    ViewState* m_view;
    RecentFiles* m_recent;
    FrameService* m_frames;
    FrameContents* m_contents;
    ProjectDigest* m_digest;
    Editor* m_editor;

    QStackedWidget* m_pages = nullptr;
    MessageBar* m_messages = nullptr;
    EmptyState* m_empty = nullptr;
    JobBar* m_jobBar = nullptr;
    QSplitter* m_splitter = nullptr;
    VideoCanvas* m_canvas = nullptr;
    Timeline* m_timeline = nullptr;
    FindBar* m_find = nullptr;
    Proofreading* m_proofreading = nullptr;
    ProjectEditor* m_projectEditor = nullptr;
    Badge* m_liveBadge = nullptr;
    Badge* m_hiddenBadge = nullptr;
    Badge* m_negativeBadge = nullptr;
    Session* m_session = nullptr;
    ProjectSafety* m_safety = nullptr;
    ProjectTools* m_tools = nullptr;
    FramePresenter* m_presenter = nullptr;
    Playback* m_playback = nullptr;
    ViewTools* m_viewTools = nullptr;
    StatusFields* m_status = nullptr;
    CommandPalette* m_palette = nullptr;
    Shortcuts* m_shortcuts = nullptr;
    PreferencesDialog* m_preferences = nullptr;

    QDockWidget* m_videosDock = nullptr;
    QDockWidget* m_instancesDock = nullptr;
    QDockWidget* m_inspectorDock = nullptr;
    QDockWidget* m_historyDock = nullptr;
    QDockWidget* m_suggestionsDock = nullptr;
    QDockWidget* m_skeletonDock = nullptr;
    QDockWidget* m_tracksDock = nullptr;
    QDockWidget* m_issuesDock = nullptr;
    QDockWidget* m_plotDock = nullptr;
    QDockWidget* m_jobsDock = nullptr;
    QDockWidget* m_profilingDock = nullptr;
    VideosPanel* m_videos = nullptr;
    InstancesPanel* m_instances = nullptr;
    InspectorPanel* m_inspector = nullptr;
    HistoryPanel* m_history = nullptr;
    SuggestionsPanel* m_suggestions = nullptr;
    SkeletonPanel* m_skeleton = nullptr;
    QMenu* m_recentMenu = nullptr;
    QToolButton* m_speedButton = nullptr;
    QToolBar* m_toolBar = nullptr;

    std::unique_ptr<WindowRunHost> m_runHost;
    std::unique_ptr<RunController> m_run;
    QueueSide* m_queue = nullptr;
    std::shared_ptr<TimelineData> m_live;    ///< frames of the run that the digest does not know yet
    std::vector<std::int64_t> m_liveFrames;  ///< all of m_live's, those without instances too
    QString m_device;
    QString m_deviceReason;

    QTimer m_update;
    QTimer m_rateTimer;
    std::int64_t m_mark = -1;
    int m_markVideo = -1;
    using Visited = std::pair<int, std::int64_t>;  ///< video, frame
    std::vector<Visited> m_visited;
    std::size_t m_visitedAt = 0;  ///< how many of m_visited lie before this place
    bool m_transposing = false;   ///< clicks choose the instances that exchange tracks
    project::InstanceId m_transposeFirst = 0;
    bool m_countFromZero = false;
    bool m_leaving = false;
    bool m_inCloseEvent = false;
};

}  // namespace skein::ui
