// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/prediction_run.h"

#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

#include "engine/base/frame_number.h"
#include "engine/base/local_time.h"
#include "engine/formats/predicted_centroids.h"
#include "engine/inference/given_centroids.h"
#include "engine/inference/model_set.h"
#include "engine/pipeline/checkpoint.h"
#include "engine/pipeline/compose_labels.h"
#include "engine/pipeline/frame_list.h"
#include "engine/pipeline/run_identity.h"
#include "engine/pipeline/run_recorder.h"
#include "engine/pipeline/save_results.h"
#include "engine/pipeline/versions.h"
#include "engine/tracking/track_labels.h"

namespace skein::pipeline {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPoll{100};

void removeEmptyFrames(project::Labels& labels) {
    std::vector<std::size_t> empty;
    for (std::size_t row = 0; row < labels.frameCount(); ++row)
        if (labels.frame(row).instanceCount() == 0)
            empty.push_back(row);
    if (!empty.empty())
        labels.removeFrames(empty);
}

/// Instances of one node as predicted centroids, instead of the instances or beside them.
Result<void> toCentroids(project::Labels& labels, const JobSpec& spec, bool keepInstances) {
    const auto definition = inference::centroidDefinition(spec.models, spec.inference.anchorPart);
    if (!definition)
        return fail(definition.error());
    std::vector<formats::PredictedCentroid> centroids;
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        project::FrameData frame = labels.frame(row).toData();
        for (const project::InstanceData& instance : frame.instances)
            centroids.push_back(
                {frame.video, frame.frameIndex, instance.points[0].x, instance.points[0].y, instance.header.score});
        if (!keepInstances && !frame.instances.empty()) {
            frame.instances.clear();
            labels.replaceFrame(row, std::move(frame));
        }
    }
    return formats::attachCentroids(labels, centroids, definition->tag());
}

/// The frames that could not be read, as a sentence; with several videos their names are told.
std::string unreadableSentence(const JobProgress& progress, const std::vector<JobSource>& sources) {
    std::map<std::uint32_t, std::vector<std::int64_t>> frames;
    for (const auto& [video, frame] : progress.unreadable)
        frames[video].push_back(frame + firstFrameNumber());
    std::string list;
    for (const JobSource& source : sources) {
        const auto found = frames.find(source.video);
        if (found == frames.end())
            continue;
        std::sort(found->second.begin(), found->second.end());
        list += (list.empty() ? "" : "; ") + (sources.size() > 1 ? "of " + source.name + " " : std::string()) +
                formatFrameList(found->second);
    }
    return countOfFrames(std::ssize(progress.unreadable)) + " could not be read and got no prediction: " + list + ".";
}

/// The frames [first, end) of the order of work.
std::vector<JobSource> sliceOf(const std::vector<JobSource>& sources, std::int64_t first, std::int64_t end) {
    std::vector<JobSource> slice;
    std::int64_t at = 0;
    for (const JobSource& source : sources) {
        const std::int64_t count = std::ssize(source.frames);
        const std::int64_t from = std::clamp<std::int64_t>(first - at, 0, count);
        const std::int64_t to = std::clamp<std::int64_t>(end - at, from, count);
        at += count;
        if (from == to)
            continue;
        JobSource part = source;
        part.frames.assign(source.frames.begin() + from, source.frames.begin() + to);
        if (!source.centroids.empty())
            part.centroids.assign(source.centroids.begin() + from, source.centroids.begin() + to);
        slice.push_back(std::move(part));
    }
    return slice;
}

/// Watches a job to its end; `each` is called ten times a second with what was found since.
JobOutcome watch(Job& job, std::condition_variable& ended, std::mutex& mutex, const bool& isEnded,
                 const RunObserver& observe, const std::function<void()>& each) {
    bool paused = false;
    for (bool cancelled = false;;) {
        each();
        const auto now = job.progress();
        if (now->state != JobState::Running)
            break;
        const RunWish wish = observe ? observe({phaseTitle(now->phase), now}) : RunWish::GoOn;
        if ((wish == RunWish::Cancel || wish == RunWish::Discard) && !std::exchange(cancelled, true))
            job.cancel();
        if ((wish == RunWish::Pause) != paused && !cancelled)
            job.setPaused(paused = !paused);
        std::unique_lock lock(mutex);
        ended.wait_for(lock, kPoll, [&] { return isEnded; });
    }
    JobOutcome outcome = job.wait();
    each();
    return outcome;
}

Result<std::unique_ptr<Job>> startJob(JobSpec spec, RunRecorder& recorder) {
    return Job::start(std::move(spec), [&recorder] {
        {
            const std::lock_guard lock(recorder.mutex);
            recorder.isEnded = true;
        }
        recorder.ended.notify_all();
    });
}

/// Remembers that whoever observes a run wanted nothing of it to stay.
class Discarding {
public:
    explicit Discarding(const RunObserver& observe) : m_observe(observe) {}
    RunWish operator()(const RunStatus& status) {
        const RunWish wish = m_observe ? m_observe(status) : RunWish::GoOn;
        isWanted = isWanted || wish == RunWish::Discard;
        return isWanted ? RunWish::Discard : wish;
    }
    bool isWanted = false;

private:
    const RunObserver& m_observe;
};

}  // namespace

Result<std::unique_ptr<PredictionRun>> PredictionRun::open(PredictionRequest request, std::stop_token stop) {
    std::unique_ptr<PredictionRun> run(new PredictionRun);
    run->m_startedAt = localTime();
    run->m_start = Clock::now();
    auto arranged = inference::arrangeModels(request.models);
    if (!arranged)
        return fail(std::move(arranged.error()));
    auto input = openPredictionInput(request.input, std::move(stop));
    if (!input)
        return fail(std::move(input.error()));
    JobSpec& spec = run->m_spec;
    spec.models = std::move(*arranged);
    spec.sources = std::move(input->sources);
    spec.inference = request.inference;
    spec.tracking = request.tracking;
    spec.queueMaxsize = request.queueMaxsize;
    spec.groupThreads = request.groupThreads;
    spec.traceEvents = request.traceEvents;
    spec.makeRunner = request.makeRunner;
    spec.keepDetections = true;
    if (run->framesTotal() == 0) {
        const std::string name = request.input.data.filename().string();
        const std::int64_t length = spec.sources.empty() ? 0 : spec.sources.front().source->frameCount();
        return length == 0 ? fail(ErrorCode::Format, "The video " + name + " holds no frames.")
                           : fail(ErrorCode::InvalidArgument, "None of the frames " + request.input.frames + " is in " +
                                                                  name + ", which has " + countOfFrames(length) +
                                                                  "; a range goes from its first frame to its last.");
    }
    run->m_videos = std::move(input->videos);
    run->m_inputWarnings = std::move(input->warnings);
    run->m_leftOut = std::move(input->leftOut);
    run->m_cutShort = std::move(input->cutShort);
    run->m_framesMissing = input->missing;
    run->m_request = std::move(request);
    return run;
}

std::int64_t PredictionRun::framesTotal() const {
    std::int64_t total = 0;
    for (const JobSource& source : m_spec.sources)
        total += std::ssize(source.frames);
    return total;
}

Result<PredictionOutcome> PredictionRun::execute(const RunObserver& observer) {
    PredictionOutcome outcome;
    Discarding discarding(observer);
    const RunObserver observe = [&discarding](const RunStatus& status) { return discarding(status); };
    std::error_code ec;
    const bool wasPart = fs::exists(checkpointPath(m_request.output), ec);
    JobSpec spec = m_spec;
    spec.finished = std::exchange(m_spec.finished, {});
    RunRecorder recorder(checkpointPath(m_request.output),
                         runIdentity(m_spec, m_request.input.data, m_request.input.more));
    if (!m_hasShards)
        recorder.begin(spec, m_request.resume);
    // What was found before this time; shards come from elsewhere.
    const std::int64_t before = m_hasShards ? 0 : std::ssize(spec.finished);
    auto job = startJob(std::move(spec), recorder);
    if (!job) {
        recorder.removeIfEmpty();
        return fail(std::move(job.error()));
    }
    const JobOutcome ended = watch(**job, recorder.ended, recorder.mutex, recorder.isEnded, observe,
                                   [&] { recorder.add((*job)->takeDetections()); });
    outcome.state = ended.state;
    outcome.error = ended.error;
    outcome.progress = (*job)->progress();
    outcome.trace = (*job)->trace();
    std::vector<FrameResult> results = (*job)->takeResults();
    job->reset();
    if (outcome.state == JobState::Finished)
        recorder.complete(framesTotal());
    outcome.notes = recorder.takeNotes();
    outcome.notes.insert(outcome.notes.end(), outcome.progress->warnings.begin(), outcome.progress->warnings.end());
    if (!outcome.progress->unreadable.empty())
        outcome.notes.push_back(unreadableSentence(*outcome.progress, m_spec.sources));
    const auto discard = [&]() -> Result<PredictionOutcome> {
        recorder.remove();
        // What an earlier part of this run has saved goes with it; a result of another run stays.
        if (wasPart)
            fs::remove(m_request.output, ec);
        return fail(ErrorCode::Cancelled, "Cancelled; what was found was discarded.");
    };
    if (discarding.isWanted && outcome.state == JobState::Cancelled)
        return discard();
    // Stopped before it had come as far again, it leaves the file and what was saved of it as they are.
    if (outcome.state != JobState::Finished && std::ssize(results) < before)
        return outcome.error ? Result<PredictionOutcome>(fail(*outcome.error))
                             : fail(ErrorCode::Cancelled,
                                    "Interrupted before it could go on; what was found before "
                                    "is kept.");
    if (results.empty()) {
        recorder.remove();
        if (outcome.error)
            return fail(*outcome.error);
        if (outcome.state == JobState::Cancelled)
            return fail(ErrorCode::Cancelled, "Interrupted before the first frame was done; nothing was saved.");
        return fail(ErrorCode::Decode, "None of the chosen frames could be read; nothing was saved.");
    }
    auto labels = compose(std::move(results), observe, outcome);
    if (!labels)
        return fail(std::move(labels.error()));
    if (discarding.isWanted && outcome.state == JobState::Cancelled)
        return discard();
    (void)observe({"Saving", outcome.progress});
    if (auto saved = saveResults(*labels, m_request.output.string()); !saved)
        return fail(std::move(saved.error()));
    if (outcome.state == JobState::Finished)
        recorder.remove();
    return outcome;
}

Result<project::Labels> PredictionRun::compose(std::vector<FrameResult> results, const RunObserver& observe,
                                               PredictionOutcome& outcome) const {
    RunFacts facts;
    facts.startedAt = m_startedAt;
    facts.sourceFile = m_request.input.data.string();
    facts.device = outcome.progress->device;
    facts.framesProcessed = std::ssize(results);
    for (const auto& [name, version] : libraryVersions(!facts.device.empty()))
        if (name == "libtorch")
            facts.torchVersion = version;
    const bool wholeVideo = m_spec.tracking && tracking::needsWholeVideo(*m_spec.tracking);
    // Frames without instances are time that passes: they go only after the last tracking.
    project::Labels labels = composeLabels(m_videos, inference::outputSkeleton(m_spec.models), std::move(results),
                                           outcome.progress->trackNames, wholeVideo || m_request.keepEmptyFrames);
    if (wholeVideo) {
        std::stop_source stop;
        const auto tell = [&](std::int64_t, std::int64_t) {
            const RunWish wish = observe({phaseTitle(JobPhase::Tracking), outcome.progress});
            if (wish == RunWish::Cancel || wish == RunWish::Discard)
                stop.request_stop();
        };
        auto tracked = tracking::finishTracking(labels, *m_spec.tracking, tell, stop.get_token());
        if (!tracked && tracked.error().code() != ErrorCode::Cancelled)
            return fail(std::move(tracked.error()));
        if (!tracked)
            outcome.state = JobState::Cancelled;
        if (!m_request.keepEmptyFrames)
            removeEmptyFrames(labels);
    }
    facts.endedAt = localTime();
    facts.seconds = std::chrono::duration<double>(Clock::now() - m_start).count();
    facts.state = outcome.state;
    labels.setProvenanceJson(provenanceJson(m_spec, facts));
    if (m_request.centroids != CentroidOutput::Instance)
        if (auto attached = toCentroids(labels, m_spec, m_request.centroids == CentroidOutput::Both); !attached)
            return fail(std::move(attached.error()));
    outcome.frames = static_cast<std::int64_t>(labels.frameCount());
    outcome.instances = static_cast<std::int64_t>(labels.instanceCount());
    outcome.tracks = std::ssize(labels.tracks());
    return labels;
}

Result<PredictionOutcome> PredictionRun::executeShard(const Shard& shard, const RunObserver& observe) {
    if (shard.first < 0 || shard.end <= shard.first || shard.end > framesTotal())
        return fail(ErrorCode::InvalidArgument, "The shard's frames are outside the run.");
    JobSpec spec = m_spec;
    spec.tracking.reset();
    spec.sources = sliceOf(m_spec.sources, shard.first, shard.end);
    RunRecorder recorder(shard.file, runIdentity(spec, m_request.input.data, m_request.input.more));
    recorder.begin(spec, true);
    PredictionOutcome outcome;
    outcome.notes = recorder.takeNotes();
    // Here the file is not a precaution but the result.
    if (!recorder.isWriting())
        return fail(ErrorCode::Io, outcome.notes.back());
    auto job = startJob(std::move(spec), recorder);
    if (!job)
        return fail(std::move(job.error()));
    const JobOutcome ended = watch(**job, recorder.ended, recorder.mutex, recorder.isEnded, observe, [&] {
        recorder.add((*job)->takeDetections());
        (void)(*job)->takeResults();
        if (!recorder.isWriting())
            (*job)->cancel();
    });
    outcome.state = ended.state;
    outcome.error = ended.error;
    outcome.progress = (*job)->progress();
    outcome.frames = outcome.progress->framesDone;
    outcome.instances = outcome.progress->instances;
    if (outcome.state == JobState::Finished)
        recorder.complete(shard.end - shard.first);
    if (!recorder.isWriting())
        return fail(ErrorCode::Io, recorder.takeNotes().back());
    return outcome;
}

Result<void> PredictionRun::takeShards(const std::vector<Shard>& shards) {
    std::int64_t at = 0;
    std::vector<FrameResult> all;
    for (const Shard& shard : shards) {
        const std::string name = shard.file.filename().string();
        auto found = readCheckpoint(shard.file);
        if (!found)
            return fail(std::move(found.error()));
        if (shard.first != at || shard.end > framesTotal() || found->through != shard.end - shard.first)
            return fail(ErrorCode::InvalidArgument, "The shard " + name +
                                                        " is not complete: " + std::to_string(found->through) + " of " +
                                                        countOfFrames(shard.end - shard.first) + " are there.");
        JobSpec part = m_spec;
        part.sources = sliceOf(m_spec.sources, shard.first, shard.end);
        if (const std::string difference =
                identityDifference(found->identity, runIdentity(part, m_request.input.data, m_request.input.more));
            !difference.empty())
            return fail(ErrorCode::InvalidArgument, "The shard " + name + " was made with " + difference + ".");
        for (FrameResult& frame : found->frames) {
            frame.sequence += at;
            all.push_back(std::move(frame));
        }
        at = shard.end;
    }
    if (at != framesTotal())
        return fail(ErrorCode::InvalidArgument, "The shards hold " + countOfFrames(at) + " of " +
                                                    std::to_string(framesTotal()) + "; some are missing.");
    m_spec.finished = std::move(all);
    m_spec.resumeFrom = at;
    m_hasShards = true;
    return {};
}

}  // namespace skein::pipeline
