// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/job.h"

#include <algorithm>
#include <utility>

#include "engine/base/frame_number.h"
#include "engine/inference/model_set.h"
#include "engine/pipeline/job_impl.h"

namespace skein::pipeline {

const char* phaseTitle(JobPhase phase) {
    switch (phase) {
        case JobPhase::LoadingModel:
            return "Loading the model";
        case JobPhase::Predicting:
            return "Predicting";
        case JobPhase::Tracking:
            return "Tracking";
        case JobPhase::Done:
            return "Done";
    }
    return "";
}

Job::Job() = default;

Result<std::unique_ptr<Job>> Job::start(JobSpec spec, std::function<void()> onEnd) {
    if (spec.models.empty())
        return fail(ErrorCode::InvalidArgument, "Choose a model first.");
    auto arranged = inference::arrangeModels(std::move(spec.models));
    if (!arranged)
        return fail(std::move(arranged.error()));
    spec.models = std::move(*arranged);
    std::int64_t framesTotal = 0;
    if (spec.sources.empty() ||
        std::all_of(spec.sources.begin(), spec.sources.end(), [](const JobSource& s) { return s.frames.empty(); }))
        return fail(ErrorCode::InvalidArgument, "There is no frame to predict in the chosen range.");
    for (const JobSource& source : spec.sources) {
        framesTotal += std::ssize(source.frames);
        if (!source.source)
            return fail(ErrorCode::InvalidArgument, "The video " + source.name + " is not open.");
        const std::int64_t count = source.source->frameCount();
        for (const std::int64_t frame : source.frames)
            if (frame < 0 || frame >= count)
                return fail(ErrorCode::InvalidArgument, "Frame " + frameNumber(frame) + " is outside " + source.name +
                                                            ", which has " + std::to_string(count) + " frames.");
        if (inference::needsCentroids(spec.models) && source.centroids.size() != source.frames.size())
            return fail(ErrorCode::InvalidArgument,
                        "A centered-instance model alone looks around instances that a person has labelled; " +
                            source.name + " has none. Give a centroid model too, or a labels file as input.");
        if (spec.tracking && !std::is_sorted(source.frames.begin(), source.frames.end()))
            return fail(ErrorCode::InvalidArgument, "Tracking needs the frames in ascending order.");
    }
    if (spec.resumeFrom < 0 || spec.resumeFrom > framesTotal ||
        (!spec.finished.empty() && spec.finished.back().sequence >= spec.resumeFrom))
        return fail(ErrorCode::InvalidArgument, "The finished frames do not belong to this run.");
    if (spec.inference.batchSize < 1 && spec.inference.batchSize != inference::kAutomaticBatch)
        return fail(ErrorCode::InvalidArgument, "The batch size must be at least 1.");
    if (spec.queueMaxsize < 1 || spec.groupThreads < 1)
        return fail(ErrorCode::InvalidArgument, "The queue and the number of host threads must be at least 1.");

    std::unique_ptr<Job> job(new Job);
    job->m_impl = std::make_unique<Impl>(std::move(spec), std::move(onEnd));
    job->m_impl->start();
    return job;
}

Job::~Job() {
    if (m_impl)
        cancel();
}

void Job::cancel() {
    {
        const std::lock_guard lock(m_impl->mutex);
        if (!m_impl->finished)
            m_impl->cancelled = true;
    }
    m_impl->stopSource.request_stop();
}

void Job::setPaused(bool paused) {
    {
        const std::lock_guard lock(m_impl->mutex);
        if (m_impl->paused == paused)
            return;
        m_impl->paused = paused;
        if (paused)
            m_impl->rate.stop(JobClock::now());
        else if (m_impl->phase == JobPhase::Predicting)
            m_impl->rate.start(JobClock::now());
    }
    m_impl->resumed.notify_all();
}

std::shared_ptr<const JobProgress> Job::progress() const {
    auto progress = std::make_shared<JobProgress>();
    const Impl& impl = *m_impl;
    progress->framesTotal = impl.framesTotal;
    progress->decodedQueue = impl.decoded.stats();
    progress->hostQueue = impl.scored.stats();
    progress->profile = impl.profiler.summary();
    std::shared_ptr<const std::vector<std::string>> names;
    {
        const std::lock_guard lock(impl.mutex);
        progress->state = impl.stateLocked();
        progress->phase = impl.phase;
        progress->paused = impl.paused;
        progress->framesDone = impl.framesDone;
        progress->framesResumed = impl.framesResumed;
        progress->instances = impl.instances;
        const auto now = JobClock::now();
        progress->framesPerSecond = impl.rate.framesPerSecond(now);
        progress->secondsElapsed = impl.rate.secondsElapsed(now);
        progress->secondsLeft = impl.rate.secondsLeft(now, impl.framesTotal - impl.spec.resumeFrom);
        progress->device = impl.device;
        progress->deviceRemark = impl.deviceRemark;
        progress->warnings = impl.warnings;
        progress->unreadable = impl.unreadable;
        if (impl.framesDone > 0) {
            progress->video = impl.spec.sources[impl.lastTicket.source].video;
            progress->frameIndex = impl.lastTicket.frameIndex;
        }
        progress->videoName = impl.spec.sources[impl.lastTicket.source].name;
        const video::VideoSource& inWork = *impl.spec.sources[impl.lastTicket.source].source;
        progress->framePixels = std::int64_t{inWork.width()} * inWork.height();
        progress->decoder = inWork.decoderNote();
        names = impl.trackNames;
    }
    progress->trackNames = *names;
    return progress;
}

std::vector<FrameResult> Job::takeResults() {
    const std::lock_guard lock(m_impl->mutex);
    return std::exchange(m_impl->results, {});
}

std::vector<FrameResult> Job::takeDetections() {
    const std::lock_guard lock(m_impl->mutex);
    return std::exchange(m_impl->detections, {});
}

profile::Trace Job::trace() const {
    return m_impl->profiler.trace();
}

void Job::startTrace() {
    m_impl->profiler.startTrace();
}

profile::Trace Job::takeTrace() {
    return m_impl->profiler.takeTrace();
}

void Job::resetProfile() {
    m_impl->profiler.reset();
}

JobOutcome Job::wait() {
    std::unique_lock lock(m_impl->mutex);
    m_impl->ended.wait(lock, [this] { return m_impl->finished; });
    return {m_impl->stateLocked(), m_impl->error};
}

}  // namespace skein::pipeline
