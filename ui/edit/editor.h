// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QSize>
#include <functional>
#include <optional>

#include "engine/project/edit/instances.h"
#include "engine/project/edit/placement.h"
#include "engine/project/edit/removal.h"
#include "engine/project/edit/tracks.h"
#include "ui/canvas/video_canvas.h"
#include "ui/document.h"
#include "ui/frame_contents.h"
#include "ui/view_state.h"

namespace skein::ui {

/// Turns what a person does into undo steps: calls the edits of engine/project/edit, words the step, keeps the
/// selection right, and says in one line what happened. Everything concerns the shown frame and the selected instances
/// unless something else is named. editor.cpp has the instances, editor_tracks.cpp tracks and bulk steps. GUI thread
/// only; edits over a whole large project are computed by a worker.
class Editor : public QObject {
    Q_OBJECT
public:
    Editor(Document* document, ViewState* view, const FrameContents* contents, QObject* parent);

    /// How the window numbers frames.
    std::function<QString(std::int64_t)> frameNumber;
    /// What the person sees, and where the pointer is: for new instances.
    std::function<project::edit::PlacementView()> placementView;
    /// Takes what a run has found on this frame, and still keeps to itself, into the project. False: it cannot yet.
    std::function<bool(std::uint32_t video, std::int64_t frame)> bringIn;

    // Instances of the shown frame.
    void add(project::edit::Placement placement);
    void addAt(project::edit::Placement placement, QPointF scene);
    void drag(DragResult result);
    void nudge(project::InstanceId instance, int node, double dx, double dy);
    void setPoint(project::InstanceId instance, int node, const project::Point& point);
    void toggleVisible(project::InstanceId instance, int node);
    void markComplete(project::InstanceId instance);
    void addMissingNodes(project::InstanceId instance);
    void accept(project::InstanceId prediction, bool complete);
    void acceptFrame();
    void acceptVideo();
    void deleteSelected();
    void mergeSelected();
    void mergeWith(project::InstanceId other);
    void toggleNegative();

    // Clipboard.
    void copyInstance();
    void pasteInstance();
    void copyTrack();
    void pasteTrack();
    [[nodiscard]] static bool clipboardHasInstance();
    [[nodiscard]] int copiedTrack() const;  ///< index of the track that was copied; -1: none, or it is gone

    // Tracks. With propagate(), from the shown frame to the end, or over the selected range.
    void setPropagate(bool on) { m_propagate = on; }
    [[nodiscard]] bool propagate() const { return m_propagate; }
    void setTrack(int track);  ///< of the selected instance; -1: none
    void setTrackOf(project::InstanceId instance, int track);
    void newTrack();
    void newTrackFor(project::InstanceId instance, const QString& name);
    void transpose(project::InstanceId a, project::InstanceId b);
    void transposeTracks(int a, int b);
    void splitTrack();
    /// Whether the shown frame is one of the selected frames, if some are; otherwise says so. For steps on tracks that
    /// reach over many frames whatever the preference.
    [[nodiscard]] bool isInSelectedFrames();
    void renameTrack(int track, const QString& name);
    void deleteInstanceAndTrack();
    void deleteTracks(std::vector<std::int32_t> tracks, bool withInstances);
    void deleteUnusedTracks();

    // Many at once.
    void deleteMatching(const project::edit::InstanceFilter& filter, const QString& title);
    void deletePredictionsOnFrame();
    void deletePredictionsInRange();
    void deletePredictionsEverywhere();
    void deletePredictionsInArea(const QRectF& scene);
    void deletePredictionsBelow(double score);
    void deletePredictionsBeyond(std::int64_t most);
    void deletePredictionsOutside(FrameRange kept);
    void deletePredictionsOnUserFrames();

    /// An edit that may concern the whole project, as one step; a large project is edited by a worker. `title` is told
    /// how much was changed, `nothing` is said when nothing was.
    using Compute = std::function<project::edit::Outcome(const project::Labels&)>;
    void applyLarge(const std::function<QString(std::size_t)>& title, Compute compute, const QString& nothing);

    /// Skeleton that a new instance gets: the selected instance's, else the first; nullopt: there is none.
    [[nodiscard]] std::optional<std::uint32_t> skeletonForNew() const;
    [[nodiscard]] QSize frameSize() const;  ///< of the shown video; empty: unknown
    [[nodiscard]] bool isWorking() const { return m_working; }
    /// Last place that was edited; nullopt: nothing yet.
    [[nodiscard]] const std::optional<StepPlace>& lastTouched() const { return m_lastTouched; }
    [[nodiscard]] StepPlace here() const;

Q_SIGNALS:
    void notice(const QString& words);
    void workingChanged();

private:
    using Selection = std::vector<project::InstanceId>;
    [[nodiscard]] project::edit::Place placeOf(project::InstanceId instance) const;
    [[nodiscard]] std::uint32_t video() const { return static_cast<std::uint32_t>(m_view->video()); }
    [[nodiscard]] QString onFrame() const;  ///< ", frame 412"
    [[nodiscard]] QString instanceName(project::InstanceId instance) const;
    [[nodiscard]] QString nodeName(project::InstanceId instance, int node) const;
    [[nodiscard]] QString trackName(int track) const;
    [[nodiscard]] std::optional<project::edit::FrameSpan> span() const;  ///< that track edits reach over
    /// Whether the shown frame is among them, or says that it is not; one without a track is changed here alone.
    [[nodiscard]] bool isInReach();
    [[nodiscard]] bool isInReach(const std::optional<project::edit::FrameSpan>& reach);
    [[nodiscard]] std::optional<project::edit::FrameSpan> selectedFrames() const;
    [[nodiscard]] bool isInReach(project::InstanceId instance);
    [[nodiscard]] QString overFrames() const;
    /// The instances by the ids that the project knows: predictions of a run that goes on are brought in first. Empty
    /// (or 0): that is not possible, and was said.
    [[nodiscard]] Selection settled(Selection instances);
    [[nodiscard]] project::InstanceId settled(project::InstanceId instance);
    [[nodiscard]] bool settleFrame();
    bool apply(const QString& title, project::edit::Outcome outcome, std::optional<Selection> selection = std::nullopt,
               std::uint64_t series = 0);
    void finishLarge(const std::function<QString(std::size_t)>& title, project::edit::Outcome outcome,
                     const QString& nothing);

    Document* m_document;
    ViewState* m_view;
    const FrameContents* m_contents;
    bool m_propagate = true;
    bool m_working = false;
    std::string m_copiedTrack;
    std::optional<StepPlace> m_lastTouched;
    std::uint64_t m_series = 0;
    std::pair<project::InstanceId, int> m_nudged{0, -1};
    std::int64_t m_nudgedFrame = -1;
};

}  // namespace skein::ui
