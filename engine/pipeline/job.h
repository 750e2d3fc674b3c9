// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/bounded_queue.h"
#include "engine/base/result.h"
#include "engine/inference/options.h"
#include "engine/inference/runner.h"
#include "engine/models/model_spec.h"
#include "engine/profile/profiler.h"
#include "engine/project/labels.h"
#include "engine/tracking/tracker_options.h"
#include "engine/video/video_source.h"

namespace skein::pipeline {

/// Frames of one video that a job shall predict.
struct JobSource {
    std::uint32_t video = 0;  ///< index into the project's videos; results carry it
    std::shared_ptr<video::VideoSource> source;
    std::vector<std::int64_t> frames;  ///< in the order of work; tracking needs them ascending
    std::string name;                  ///< for messages
    /// For each of `frames`, where instances are (image pixels); only for a run that has to be told, see
    /// inference::needsCentroids().
    std::vector<std::vector<inference::CentroidPoint>> centroids = {};
};

/// One finished frame, in the order of work. Track indices refer to the job's track list (JobProgress::trackNames),
/// the skeleton index is 0: the model's skeleton.
struct FrameResult {
    std::int64_t sequence = 0;  ///< 0, 1, ... in the order of work
    project::FrameData frame;
};

/// What to do; a value, complete before the job starts.
struct JobSpec {
    std::vector<models::ModelSpec> models;  ///< one, or a pair of stages in either order
    std::vector<JobSource> sources;
    inference::InferenceOptions inference;
    std::optional<tracking::TrackerOptions> tracking;  ///< resolved (see tracking::resolveOptions)
    int queueMaxsize = 16;                             ///< decoded frames that may wait for the device
    int groupThreads = 1;                              ///< host threads for matching and grouping

    /// Frames that an earlier run has found, in the order of work, as Job::takeDetections() gave them. They are not
    /// computed again; tracking begins with them, so that its outcome is that of one uninterrupted run.
    std::vector<FrameResult> finished = {};
    /// The first frame to compute, counted in the order of work. Frames before it that are not in `finished` count as
    /// unreadable. At the end of a batch, later batches hold the same frames as those of an uninterrupted run.
    std::int64_t resumeFrom = 0;
    bool keepDetections = false;  ///< for Job::takeDetections()
    std::size_t traceEvents = 0;  ///< most events of Job::trace(); 0: no trace

    /// Makes the runner on the device thread. Left empty, the LibTorch library is opened and the models are loaded;
    /// tests put a runner of their own here.
    std::function<Result<std::unique_ptr<inference::InferenceRunner>>(const JobSpec&, profile::Profiler&)> makeRunner;
};

/// What an empty JobSpec::makeRunner stands for: opens the LibTorch library and loads the models of the spec.
[[nodiscard]] Result<std::unique_ptr<inference::InferenceRunner>> loadWithBackend(const JobSpec& spec,
                                                                                  profile::Profiler& profiler);

enum class JobState { Running, Finished, Cancelled, Failed };
enum class JobPhase { LoadingModel, Predicting, Tracking, Done };
[[nodiscard]] const char* phaseTitle(JobPhase phase);

/// Immutable picture of a running job; a fresh one replaces it several times a second.
struct JobProgress {
    JobState state = JobState::Running;
    JobPhase phase = JobPhase::LoadingModel;
    bool paused = false;
    std::int64_t framesDone = 0;
    std::int64_t framesTotal = 0;
    std::int64_t framesResumed = 0;  ///< of framesDone, those of an earlier run
    std::int64_t instances = 0;
    double framesPerSecond = 0;    ///< over the last seconds, pauses left out
    double secondsElapsed = 0;     ///< since the first frame was asked for, pauses left out
    double secondsLeft = -1;       ///< -1 unknown
    std::string videoName;         ///< in work
    std::int64_t frameIndex = -1;  ///< last finished frame
    std::uint32_t video = 0;
    std::string device;
    std::string deviceRemark;      ///< a sentence on how batches were computed, once all are; often empty
    std::int64_t framePixels = 0;  ///< of a frame of the video in work
    std::string decoder;           ///< who decodes the video in work: VideoSource::decoderNote()
    std::vector<std::string> trackNames;
    QueueStats decodedQueue;  ///< decoded frames waiting for the device
    QueueStats hostQueue;     ///< batches waiting for grouping
    profile::Summary profile;
    std::vector<std::string> warnings;  ///< for the person: unreadable frames, unused edges, smaller batches
    std::vector<std::pair<std::uint32_t, std::int64_t>>
        unreadable;  ///< frames that could not be decoded, left without result
};

/// How a job ended. What was computed until then is kept whatever the state.
struct JobOutcome {
    JobState state = JobState::Finished;
    std::optional<Error> error;  ///< when Failed
};

/// A running job: decode -> queue -> batches -> device -> host matching -> tracker in frame order -> results, each
/// stage on its own thread. Thread-safe. Destroying it cancels and joins.
///
/// Results are collected by polling takeResults() and progress(), never pushed, so that a fast engine cannot flood a
/// slow listener; only the end is announced.
class Job {
public:
    /// Checks the spec and starts the threads. `onEnd` is called once, on one of the job's threads, when no result will
    /// come any more; it must not destroy the job.
    /// Errors: InvalidArgument (no frames, wrong pair of models, tracking options).
    [[nodiscard]] static Result<std::unique_ptr<Job>> start(JobSpec spec, std::function<void()> onEnd = {});
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    /// Stops within one batch; finished frames stay available.
    void cancel();
    /// A paused job keeps its place and its model; the batch on the device is finished first.
    void setPaused(bool paused);

    [[nodiscard]] std::shared_ptr<const JobProgress> progress() const;
    /// Results finished since the last call, in the order of work, without gaps. The vector's buffer is handed over.
    [[nodiscard]] std::vector<FrameResult> takeResults();
    /// The same frames as they were found, before tracking; only with JobSpec::keepDetections. Whole batches, without
    /// those of JobSpec::finished.
    [[nodiscard]] std::vector<FrameResult> takeDetections();
    /// Each stage's turns so far; empty without JobSpec::traceEvents.
    [[nodiscard]] profile::Trace trace() const;
    /// Keeps each stage's turns from now on; takeTrace() ends that and hands them over.
    void startTrace();
    [[nodiscard]] profile::Trace takeTrace();
    /// The profile in progress() counts from now on.
    void resetProfile();
    /// Waits for the end.
    JobOutcome wait();

private:
    Job();
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace skein::pipeline
