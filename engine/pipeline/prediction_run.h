// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/pipeline/job.h"
#include "engine/pipeline/prediction_input.h"

namespace skein::pipeline {

/// What a run of a centroid model alone writes.
enum class CentroidOutput { Instance, Centroid, Both };

/// A run from data to a file of labels; a value.
struct PredictionRequest {
    std::vector<models::ModelSpec> models;
    inference::InferenceOptions inference;
    std::optional<tracking::TrackerOptions> tracking;  ///< resolved
    InputRequest input;
    std::filesystem::path output;
    CentroidOutput centroids = CentroidOutput::Instance;
    bool keepEmptyFrames = true;
    bool resume = false;  ///< go on where an unfinished run of the same identity stopped
    int queueMaxsize = 16;
    int groupThreads = 1;
    std::size_t traceEvents = 0;
    /// As JobSpec::makeRunner.
    std::function<Result<std::unique_ptr<inference::InferenceRunner>>(const JobSpec&, profile::Profiler&)> makeRunner;
};

/// Where a run is; `job` stays what it was at the end of the predicting, phases that follow included.
struct RunStatus {
    std::string phase;  ///< words for a person
    std::shared_ptr<const JobProgress> job;
};
enum class RunWish {
    GoOn,
    Pause,
    Cancel,  ///< what was found is saved
    Discard  ///< it ends as well, and nothing of it stays
};
/// Called some ten times a second on the thread that runs, and between phases.
using RunObserver = std::function<RunWish(const RunStatus&)>;

/// How a run ended. Whatever the state, what was computed is in the output (as long as there is anything).
struct PredictionOutcome {
    JobState state = JobState::Finished;
    std::optional<Error> error;  ///< when Failed
    std::shared_ptr<const JobProgress> progress;
    std::int64_t frames = 0, instances = 0, tracks = 0;  ///< in the output
    std::vector<std::string> notes;                      ///< sentences: what a person should know
    profile::Trace trace;
};

/// A stretch of a run's frames, in the order of work, whose detections are in a file of their own.
struct Shard {
    std::filesystem::path file;
    std::int64_t first = 0;
    std::int64_t end = 0;  ///< one past the last
};

/// The whole of a prediction: opens the data, computes, tracks, saves. What was found is on disk all the while (see
/// checkpoint.h): a run that was killed, cancelled or failed goes on with `resume`, and ends as if nothing had
/// happened. Thread-compatible.
class PredictionRun {
public:
    /// Opens the data; may take seconds for a long video. Errors: those of openPredictionInput(); InvalidArgument.
    [[nodiscard]] static Result<std::unique_ptr<PredictionRun>> open(PredictionRequest request,
                                                                     std::stop_token stop = {});

    /// What was opened, for checks before the work; its sources are the run's.
    [[nodiscard]] const std::vector<project::Video>& videos() const { return m_videos; }
    [[nodiscard]] const std::vector<std::string>& inputWarnings() const { return m_inputWarnings; }
    /// Of several videos those that could not be opened, a sentence each.
    [[nodiscard]] const std::vector<std::string>& leftOut() const { return m_leftOut; }
    /// Of the warnings, those about files that end early; and how many wanted frames lie beyond, as far as they say.
    [[nodiscard]] const std::vector<std::string>& cutShort() const { return m_cutShort; }
    [[nodiscard]] std::int64_t framesMissing() const { return m_framesMissing; }
    [[nodiscard]] std::int64_t framesTotal() const;

    /// Works to the end on the calling thread and its own. Once. Errors: what left nothing to save (Cancelled before
    /// the first frame, or discarded; Decode when no frame could be read, a device or a model that does not work), or
    /// the saving.
    [[nodiscard]] Result<PredictionOutcome> execute(const RunObserver& observe);

    /// In place of execute(): computes one stretch and keeps what it finds, before tracking, in the shard's file. What
    /// is there of the same stretch is gone on with. Errors: as execute(); Io (the file).
    [[nodiscard]] Result<PredictionOutcome> executeShard(const Shard& shard, const RunObserver& observe);

    /// Before execute(): takes what the shards have found, so that nothing is left but to track over the whole and to
    /// save. They are in order and together hold every frame. Errors: those of readCheckpoint(); InvalidArgument (a
    /// shard that is not complete, or not of this run).
    [[nodiscard]] Result<void> takeShards(const std::vector<Shard>& shards);

private:
    PredictionRun() = default;
    [[nodiscard]] Result<project::Labels> compose(std::vector<FrameResult> results, const RunObserver& observe,
                                                  PredictionOutcome& outcome) const;

    PredictionRequest m_request;
    JobSpec m_spec;
    std::vector<project::Video> m_videos;
    std::vector<std::string> m_inputWarnings, m_leftOut, m_cutShort;
    std::int64_t m_framesMissing = 0;
    std::string m_startedAt;
    std::chrono::steady_clock::time_point m_start;
    bool m_hasShards = false;
};

}  // namespace skein::pipeline
