// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QPixmap>
#include <QTimer>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "engine/project/edit/edit.h"
#include "ui/actions/action_table.h"
#include "ui/bridge/frame_service.h"
#include "ui/canvas/overlay_painter.h"
#include "ui/review/sample_review.h"
#include "ui/settings.h"
#include "ui/timeline/statistic_series.h"
#include "ui/tracks/draft_layer.h"
#include "ui/tracks/issue_list.h"
#include "ui/tracks/proofread_state.h"
#include "ui/tracks/smoothed_tracks.h"
#include "ui/tracks/track_marks.h"
#include "ui/tracks/trail_layer.h"

class QDockWidget;

namespace skein::ui {

class MainWindow;
class IssuesPanel;
class ReviewPanel;
class TracksPanel;
class TrackPlotPanel;

/// The part of the window in which tracks are seen, doubted and repaired: graphs and lanes of the timeline, trails, the
/// docks Tracks, Issues, Review and Plots. GUI thread only.
///
/// proofreading.cpp has docks and tracks, proofreading_timeline.cpp the timeline and trails, proofreading_issues.cpp
/// going through issues, proofreading_review.cpp the review with a number, proofreading_repair.cpp what changes tracks,
/// proofreading_points.cpp gaps and smoothing, proofreading_pictures.cpp small pictures of other frames.
class Proofreading : public QObject {
    Q_OBJECT
public:
    /// Builds the docks; connectActions() follows once everything else of the window is there.
    explicit Proofreading(MainWindow* window);
    ~Proofreading() override;
    void connectActions();

    void gatherFacts(ActionFacts& facts) const;
    void applySetting(Setting setting);
    void setFirstFrameNumber(int number);
    /// Two tracks are to change over. While the key of the command is held both ways are shown, and its release makes
    /// the step; otherwise it is made at once.
    void transposeTracks(int a, int b, std::function<void()> step);
    [[nodiscard]] bool isPreviewing() const { return m_step != nullptr; }
    /// Esc: False: there was no preview.
    bool cancelPreview();

    [[nodiscard]] ProofreadState& state() { return m_state; }
    [[nodiscard]] StatisticSeries& statistics() { return m_statistics; }
    [[nodiscard]] TrailLayer& trails() { return m_trails; }
    [[nodiscard]] IssueList& issues() { return m_issues; }
    [[nodiscard]] TracksPanel& tracksPanel() { return *m_tracks; }
    [[nodiscard]] IssuesPanel& issuesPanel() { return *m_issuesPanel; }
    [[nodiscard]] TrackPlotPanel& plotPanel() { return *m_plots; }
    [[nodiscard]] SampleReview& review() { return m_review; }
    [[nodiscard]] ReviewNotes& notes() { return m_notes; }
    [[nodiscard]] SmoothedTracks& smoothed() { return m_smoothed; }
    [[nodiscard]] DraftLayer& draft() { return m_draft; }
    [[nodiscard]] TrackMarks& marks() { return m_marks; }
    [[nodiscard]] QDockWidget* reviewDock() const { return m_reviewDock; }
    /// The entry of issues() under review; -1: none.
    [[nodiscard]] int issueUnderReview() const { return m_issue; }
    void goToNextIssue(int direction);
    /// The selected tracks, which commands mean: the same ones in the timeline, the dock Tracks and the plots. Those of
    /// the instances that are selected on the frame, or chosen by their lanes or rows.
    [[nodiscard]] const std::vector<int>& tracksInMind() const { return m_known; }
    /// False: none was selected.
    bool clearTracks();

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildDocks();
    void connectTrackCommands();
    void connectTimeline();
    void connectGraphs();
    void connectTrails();
    void connectIssues();
    void connectPlots();
    void connectRepairs();
    void connectReview();
    void connectPoints();
    /// Takes the preview away; the step that it stood for, null: none.
    std::function<void()> endPreview();
    void commitPreview();
    [[nodiscard]] bool isTransposeKey(int key) const;
    void joinTracks(std::vector<int> tracks);
    void joinBroken();
    void interpolate();
    [[nodiscard]] QStringList knownNames() const;
    /// Deletes the selected tracks' instances on some frames, called by a worker for each track.
    using Cut = std::function<project::edit::Outcome(const project::Labels&, std::uint32_t video, int track)>;
    void cutTracks(const QString& title, const Cut& cut);
    void cutTracksHere(bool before);
    void noteTracks(const std::vector<int>& tracks);
    /// By which an issue is known again in another list.
    using IssueKey = std::tuple<proofread::IssueKind, std::uint32_t, std::int64_t, std::vector<std::int32_t>>;
    [[nodiscard]] static IssueKey keyOf(const proofread::Issue& issue);
    void noteFollowing();
    void goOn(int direction);
    void sayWrapped(int direction);
    void issuesChanged();
    void goToIssue(int entry);
    void acceptIssue();
    /// What a review looks at.
    struct Scene {
        std::uint32_t video = 0;
        std::int64_t frame = 0;                      ///< to go to
        std::int64_t first = 0, last = 0;            ///< to play, before a margin is added
        std::vector<std::int32_t> tracks;            ///< to come near to, with those of `instances`
        std::vector<project::InstanceId> instances;  ///< to select on `frame`
    };
    /// Goes there, plays around it and comes near. The part of the frame that is shown; null: no animal is there.
    QRectF goToScene(const Scene& scene);
    /// Shows that part of the frame with room around it; returns what is shown.
    QRectF comeNear(QRectF box);
    void goToSample(int item);
    void saveReport();
    void showDraft();
    void fillGaps();
    void exportSmoothed();
    void exportTracks();
    /// Makes of the project what is written; called by a worker.
    using PointsToWrite = std::function<Result<project::Labels>(const project::Labels&, const proofread::Progress&,
                                                                const std::stop_token&)>;
    void exportPoints(const QString& title, const QString& ending, const PointsToWrite& points);
    void writePoints(const QString& path, const PointsToWrite& points);
    void chooseStatistic(Statistic statistic);
    void showStatistics();
    void showStrips();
    void showMarks();
    void showSelection(bool came);
    void showStripMenu(int strip, const QPoint& at);
    void showTrackMenu(int track, const QPoint& at);
    void goBeyond(bool above);
    void suggestBeyond(bool above);
    struct Thumbnail {
        std::int64_t frame = 0;
        QRectF scene;  ///< part of the frame; null: all of it
        QSize size;    ///< at most
        std::function<void(const QPixmap&)> then;
        bool hover = false;  ///< the pointer has gone on when another one is wanted
    };
    void wantThumbnail(Thumbnail thumbnail);
    void nextThumbnail();
    void takeThumbnail(const ImagePtr& image, std::int64_t frame);
    [[nodiscard]] QPixmap drawThumbnail(const ImagePtr& image, const Thumbnail& thumbnail);
    void showIssuePictures(const proofread::Issue& issue, const QRectF& scene);
    void applyTrails();
    void askForTrailNode();
    void askForColor();
    void renameByPattern();
    void deleteTracks();
    void goToTrack(int track, std::int64_t frame);
    void selectTracks(const std::vector<int>& tracks);
    void keepSelectedTracks();
    void renameTrack(int track);
    [[nodiscard]] QString quotedNames(const std::vector<int>& tracks) const;
    void coloursOrTracksChanged();

    MainWindow* m_window;
    ProofreadState m_state;
    StatisticSeries m_statistics;
    ReviewNotes m_notes;
    IssueList m_issues;
    SampleReview m_review;
    SmoothedTracks m_smoothed;
    TrailLayer m_trails;
    DraftLayer m_draft;
    TrackMarks m_marks;
    LayerStack m_layers;
    std::optional<project::Labels> m_gapDraft;  ///< what the dialog for gaps shows
    FrameService m_thumbnails;
    std::deque<Thumbnail> m_wanted;  ///< one after the other
    OverlayPainter m_thumbnailPainter;
    TracksPanel* m_tracks = nullptr;
    IssuesPanel* m_issuesPanel = nullptr;
    TrackPlotPanel* m_plots = nullptr;
    ReviewPanel* m_reviewPanel = nullptr;
    QDockWidget* m_reviewDock = nullptr;
    int m_issue = -1;  ///< under review
    /// What stood below the one under review, then what stood above: where to go on when the list is another one.
    std::vector<IssueKey> m_following;
    std::size_t m_below = 0;  ///< how many of m_following stood below
    proofread::Issue m_reviewed;
    bool m_goOn = false;       ///< to the next issue as soon as the list is true again
    std::vector<int> m_known;  ///< the selected tracks, also when they are not on this frame
    std::vector<std::string> m_knownNames;
    std::size_t m_trackCount = 0;  ///< of the project, when those were selected
    bool m_selecting = false;      ///< the instances follow the tracks, not the other way round
    std::size_t m_strip = 0;       ///< the graph that commands mean
    bool m_growing = false;        ///< a change of the number of graphs changes the timeline's height
    bool m_transposeKey = false;
    QTimer m_released;  ///< since the key was let go: a display may send a release and a press for each repetition
    std::function<void()> m_step;  ///< what the release of the key does; null: no preview
};

}  // namespace skein::ui
