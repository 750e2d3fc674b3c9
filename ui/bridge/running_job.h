// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "engine/base/result.h"
#include "engine/pipeline/job.h"

namespace skein::ui {

/// What the window needs of a job, so that tests can put one of their own in the engine's place. The functions are
/// those of pipeline::Job.
class RunningJob {
public:
    virtual ~RunningJob() = default;
    virtual void cancel() = 0;
    virtual void setPaused(bool paused) = 0;
    [[nodiscard]] virtual std::shared_ptr<const pipeline::JobProgress> progress() const = 0;
    [[nodiscard]] virtual std::vector<pipeline::FrameResult> takeResults() = 0;
    // For the person who looks at the profile; a job that has none does nothing.
    virtual void resetProfile() {}
    virtual void startTrace() {}
    [[nodiscard]] virtual profile::Trace takeTrace() { return {}; }
    [[nodiscard]] virtual std::vector<pipeline::FrameResult> takeDetections() { return {}; }
    /// Called after the end only: returns at once.
    virtual pipeline::JobOutcome outcome() = 0;
};

/// Starts a job; `onEnd` is called once, on a thread of the job's.
using JobStarter =
    std::function<Result<std::unique_ptr<RunningJob>>(pipeline::JobSpec spec, std::function<void()> onEnd)>;

/// The engine's jobs. The models of the last run stay loaded, so that the next one with the same models and options
/// begins at once.
[[nodiscard]] JobStarter engineJobs();

/// The models of the spec for a moment's work beside the runs, loaded or kept from the last one. Takes seconds where
/// they have to be loaded: for a worker. Errors: those of a run's start.
[[nodiscard]] Result<std::unique_ptr<inference::InferenceRunner>> lendRunner(const pipeline::JobSpec& spec,
                                                                             profile::Profiler& profiler);

/// Loads the models of `spec` for a run of the engine's that is likely to come. Takes seconds: for a worker. Left out
/// where memory is short; what goes wrong is left for the run to say.
void loadAhead(const pipeline::JobSpec& spec);

}  // namespace skein::ui
