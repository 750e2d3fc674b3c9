// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <cstdint>
#include <deque>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/pipeline/job.h"
#include "engine/project/labels.h"
#include "engine/tracking/tracker_options.h"
#include "ui/dialogs/run_options.h"
#include "ui/run_host.h"

namespace skein::ui {

/// Tracks of `labels` that an instance outside of `frames` (ascending) of `video` uses. Reads the whole project: for a
/// worker.
[[nodiscard]] std::vector<bool> tracksUsedElsewhere(const project::Labels& labels, std::uint32_t video,
                                                    const std::vector<std::int64_t>& frames);

/// Results of one run on their way into the project. The project is changed in small steps, so that no step takes
/// longer than a frame however much has come together; until a result is in the project, pending() gives it to the
/// view.
///
/// Names of tracks: a track of the run takes over the project's track of the same name if that one is used only on
/// frames that this run predicts anew; otherwise it becomes a new track with a free name. If the run ends early,
/// predictions of the run before that remain are moved to tracks of their own, so that no track holds two animals.
///
/// Instances of the engine carry the run's own track numbers; they are translated when they are handed out. GUI thread.
class RunResults {
public:
    struct Setup {
        std::uint32_t video = 0;
        std::vector<std::int64_t> frames;  ///< that the run shall predict, ascending
        project::Skeleton skeleton;        ///< of the model
        ExistingPredictions existing = ExistingPredictions::Replace;
        std::vector<bool> trackTaken;  ///< tracksUsedElsewhere() for `frames`
        /// Tracks are known only at the end (see trackWhole()): until then nothing enters the project.
        bool wholeVideo = false;
    };
    /// What tracking made of all results together.
    struct Tracked {
        std::unordered_map<std::int64_t, project::FrameData> frames;
        std::vector<std::string> trackNames;
        std::int64_t instances = 0;
    };
    /// One step into the project.
    struct Step {
        project::Labels labels;
        std::vector<std::int64_t> frames;  ///< whose predictions differ now, ascending
    };

    /// Frames that may wait before they are written to the project, and how long.
    static constexpr std::size_t kCheckpointFrames = 5000;
    static constexpr double kCheckpointSeconds = 30;
    /// Points that one step moves: about two milliseconds.
    static constexpr std::size_t kStepPoints = 60000;

    RunResults(Setup setup, const project::Labels& now);

    /// Takes results in; `trackNames` are the run's so far. Returns the frames, ascending.
    std::vector<std::int64_t> add(const std::vector<pipeline::FrameResult>& results,
                                  const std::vector<std::string>& trackNames, double nowSeconds);

    [[nodiscard]] std::uint32_t video() const { return m_setup.video; }
    /// See RunController::liveFrame.
    [[nodiscard]] const project::FrameData* pending(std::int64_t frame, const project::Labels& now) const;
    [[nodiscard]] const project::Skeleton& skeleton() const { return m_setup.skeleton; }
    [[nodiscard]] QString trackName(int track, const project::Labels& now) const;

    [[nodiscard]] std::size_t pendingCount() const { return m_pending.size(); }
    [[nodiscard]] std::int64_t finishedCount() const { return m_finishedCount; }
    [[nodiscard]] const std::vector<FrameRange>& finishedRanges() const { return m_finished; }

    [[nodiscard]] bool checkpointDue(double nowSeconds) const;
    /// What was found on this frame shall go into the project by the next call of step(), alone. False: tracks are
    /// given when the run is over, and nothing goes in before.
    [[nodiscard]] bool beginFrame(std::int64_t frame);
    /// Everything that is pending now shall go into the project, by calls of step().
    void beginCheckpoint(double nowSeconds);
    /// Gives the tracker's last word on all results, for trackers that have to see a video to its end. Reads only: for
    /// a worker, while nobody adds results. Errors: those of tracking::finishTracking().
    [[nodiscard]] Result<Tracked> trackWhole(const tracking::TrackerOptions& options, std::stop_token stop) const;
    /// Results and tracks as trackWhole() gave them; before anything has entered the project.
    void replaceResults(Tracked tracked);
    /// No more results. `complete`: every wanted frame was done.
    void beginEnd(bool complete, const project::Labels& now);
    /// Takes everything of the run out of the project again; after beginEnd().
    void beginDiscard(const project::Labels& now);

    [[nodiscard]] bool hasWork() const { return !m_work.empty() || !m_maybeEmpty.empty() || m_restoreWhole; }
    [[nodiscard]] std::size_t workLeft() const { return m_work.size(); }
    /// The next step, made from the project as it is `now`. Precondition: hasWork().
    [[nodiscard]] Step step(const project::Labels& now, std::size_t pointBudget = kStepPoints);

    /// The project was changed on behalf of this run beside step(): that counts as the run's own doing.
    void noteApplied(const project::Labels& labels) { m_lastApplied = labels; }

private:
    /// A frame to be written.
    struct Work {
        std::int64_t frame = 0;
        bool fromPending = true;
        project::FrameData data;  ///< else: the frame's predictions, with track numbers of the project (or kSplit + n)
    };
    struct RunTrack {
        std::string name;       ///< as the run calls it
        int place = -1;         ///< in the project; -1: not there yet
        std::string placeName;  ///< its name there, by which it is recognised after an undo
    };
    /// Where tracks and skeleton stand, or would stand, in a project.
    struct Plan {
        std::vector<int> places;  ///< per track of the run; from Labels::tracks().size() on: to be appended, in order
        std::vector<std::string> newNames;
        int skeleton = 0;  ///< Labels::skeletons().size(): to be appended
    };

    [[nodiscard]] Plan plan(const project::Labels& now) const;
    [[nodiscard]] const Plan& shownPlan(const project::Labels& now) const;
    void translate(project::FrameData& frame, const Plan& plan) const;
    void keepOld(project::FrameData& frame, const project::Labels& now) const;
    void addFinished(std::int64_t frame);
    void clearOtherFrames(const project::Labels& now);
    void splitReusedTracks(const project::Labels& now);
    void removeEmptied(project::Labels& next, std::vector<std::int64_t>& frames);

    Setup m_setup;
    project::Labels m_before;
    project::Labels m_lastApplied;
    bool m_onlyOurs = true;  ///< nobody else has changed the project since the run began

    std::unordered_map<std::int64_t, project::FrameData> m_pending;  ///< with the run's own track numbers
    std::vector<std::int64_t> m_order;                               ///< pending frames as they came
    std::deque<Work> m_work;
    std::vector<FrameRange> m_finished;
    std::int64_t m_finishedCount = 0;
    double m_lastCheckpoint = -1;
    std::vector<std::int64_t> m_written;     ///< frames that steps have changed, unsorted
    std::vector<std::int64_t> m_maybeEmpty;  ///< frames that go if nothing is left on them
    std::vector<RunTrack> m_tracks;
    std::vector<std::string> m_splitNames;  ///< tracks that old predictions move to when the run ended early
    std::vector<int> m_splitPlaces;         ///< in the project, -1 not there yet
    bool m_cleared = false;
    bool m_restoreWhole = false;

    mutable project::FrameData m_shown;  ///< what pending() has handed out last
    mutable Plan m_shownPlan;
    mutable const void* m_shownFor = nullptr;  ///< the track list that m_shownPlan was made for
    mutable std::size_t m_shownTracks = 0, m_shownRunTracks = 0;
};

}  // namespace skein::ui
