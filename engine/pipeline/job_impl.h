// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>

#include "engine/base/bounded_queue.h"
#include "engine/base/thread_name.h"
#include "engine/inference/grouping.h"
#include "engine/inference/host_batch.h"
#include "engine/pipeline/job.h"
#include "engine/pipeline/rate_meter.h"
#include "engine/tracking/track_labels.h"

namespace skein::pipeline {

using JobClock = std::chrono::steady_clock;

/// Where a frame stands in the order of work.
struct FrameTicket {
    std::int64_t sequence = 0;
    std::size_t source = 0;  // index into JobSpec::sources
    std::size_t row = 0;     // index into JobSource::frames
    std::int64_t frameIndex = 0;
};

struct DecodedFrame {
    FrameTicket ticket;
    ImagePtr image;  // null: could not be decoded; the frame keeps its place and gets no result
};

/// Frames of one batch on their way, with what has become of them.
struct Batch {
    std::int64_t number = 0;
    std::vector<FrameTicket> tickets;
    std::vector<ImagePtr> images;  // kept for optical flow only
};

struct ScoredBatch {
    Batch batch;
    inference::HostBatch host;
};

struct GroupedBatch {
    Batch batch;
    std::vector<inference::FrameDetections> detections;
};

/// The threads of a job, what passes between them, and what they lay out for whoever asks.
struct Job::Impl {
    Impl(JobSpec s, std::function<void()> end)
        : spec(std::move(s)),
          onEnd(std::move(end)),
          decoded(static_cast<std::size_t>(spec.queueMaxsize)),
          scored(2),
          grouped(2 + static_cast<std::size_t>(spec.groupThreads)) {
        for (const JobSource& source : spec.sources)
            framesTotal += static_cast<std::int64_t>(source.frames.size());
    }

    JobSpec spec;
    std::function<void()> onEnd;
    profile::Profiler profiler;
    std::stop_source stopSource;
    std::int64_t framesTotal = 0;

    BoundedQueue<DecodedFrame> decoded;
    BoundedQueue<ScoredBatch> scored;
    BoundedQueue<GroupedBatch> grouped;

    mutable std::mutex mutex;  // guards what follows, held for a copy only
    std::condition_variable_any resumed;
    std::condition_variable ended;
    bool paused = false;
    bool cancelled = false;
    bool finished = false;
    std::optional<Error> error;
    std::vector<FrameResult> results;
    std::vector<FrameResult> detections;
    std::vector<std::string> warnings;
    std::vector<std::pair<std::uint32_t, std::int64_t>> unreadable;
    std::shared_ptr<const std::vector<std::string>> trackNames = std::make_shared<std::vector<std::string>>();
    JobPhase phase = JobPhase::LoadingModel;
    std::string device;
    std::string deviceRemark;
    std::int64_t framesDone = 0;
    std::int64_t framesResumed = 0;
    std::int64_t instances = 0;
    FrameTicket lastTicket;
    RateMeter rate;
    std::vector<JobClock::time_point> ends;  // of the threads that are through
    JobClock::time_point started;

    std::atomic<int> grouping{0};  // group threads still running; the last one closes the queue
    // Joined in reverse order of declaration, before anything above is destroyed.
    std::vector<std::jthread> threads;

    void failWith(Error e) {
        {
            const std::lock_guard lock(mutex);
            // What follows a cancellation or a first error is its consequence.
            if (!error && !cancelled && e.code() != ErrorCode::Cancelled)
                error = std::move(e);
        }
        stopSource.request_stop();
    }

    void warn(std::string text) {
        const std::lock_guard lock(mutex);
        if (std::find(warnings.begin(), warnings.end(), text) == warnings.end())
            warnings.push_back(std::move(text));
    }

    /// Runs a stage on its own thread; nothing leaves it but an Error. `atEnd` lets the next stage end too: it is
    /// called whatever happened, and after the error has been kept, so that nobody can see the end without its reason.
    template <class F, class E>
    void launch(const char* name, F stage, E atEnd) {
        threads.emplace_back([this, name, stage, atEnd]() mutable {
            setThreadName(name);
            try {
                if (Result<void> outcome = stage(stopSource.get_token()); !outcome)
                    failWith(std::move(outcome.error()));
            } catch (const std::bad_alloc&) {
                failWith(
                    Error(ErrorCode::OutOfMemory, "There is not enough memory to go on; results so far are kept."));
            } catch (const std::exception& e) {
                failWith(Error(ErrorCode::Internal, std::string("The run stopped on an internal error: ") + e.what()));
            }
            {
                const std::lock_guard lock(mutex);
                ends.push_back(JobClock::now());
            }
            atEnd();
        });
    }

    template <class T>
    bool push(BoundedQueue<T>& queue, T item, const std::stop_token& stop) {
        const profile::Span span(profiler, profile::Stage::Wait);
        return queue.push(std::move(item), stop);
    }
    template <class T>
    std::optional<T> pop(BoundedQueue<T>& queue, const std::stop_token& stop) {
        const profile::Span span(profiler, profile::Stage::Wait);
        return queue.pop(stop);
    }

    void start() {
        if (spec.traceEvents > 0)
            profiler.startTrace(spec.traceEvents);
        noteMissing();
        started = JobClock::now();
        grouping = spec.groupThreads;
        launch(
            "skein-decode", [this](const std::stop_token& stop) { return decode(stop); }, [this] { decoded.close(); });
        launch(
            "skein-device", [this](const std::stop_token& stop) { return compute(stop); }, [this] { scored.close(); });
        for (int i = 0; i < spec.groupThreads; ++i)
            launch(
                "skein-group", [this](const std::stop_token& stop) { return group(stop); },
                [this] {
                    if (--grouping == 0)
                        grouped.close();
                });
        launch(
            "skein-track", [this](const std::stop_token& stop) { return track(stop); }, [this] { finish(); });
    }

    /// The frames that an earlier run could not read, before those that this one cannot.
    void noteMissing();
    Result<void> decode(const std::stop_token& stop);
    /// Frames of the next batch: full, or cut where the picture's shape or the video changes, or at the end of input.
    /// Empty at the end. `carried` keeps the frame that did not fit.
    std::vector<DecodedFrame> nextBatch(std::optional<DecodedFrame>& carried, std::size_t size,
                                        const std::stop_token& stop);
    std::vector<std::vector<inference::CentroidPoint>> centroidsOf(const std::vector<FrameTicket>& tickets) const;
    bool isPaused() const;
    void waitWhilePaused(const std::stop_token& stop);
    Result<void> compute(const std::stop_token& stop);
    Result<void> group(const std::stop_token& stop);
    /// Takes batches strictly by number, so that the outcome does not depend on the number of group threads.
    Result<void> track(const std::stop_token& stop);
    void setTrackNames(std::vector<std::string> names);
    /// What an earlier run has found, in the same order as then.
    Result<void> replay(std::optional<tracking::OnlineTracking>& online, const std::stop_token& stop);
    void deliver(GroupedBatch& item, std::optional<tracking::OnlineTracking>& online);
    /// Tracks frames that come in order, and lays them out for whoever asks. `images`: for optical flow, else empty.
    void hand(std::vector<FrameResult> ready, const std::vector<ImagePtr>& images, const FrameTicket& last,
              std::optional<tracking::OnlineTracking>& online, bool isReplay);
    void finish();
    [[nodiscard]] JobState stateLocked() const {
        if (!finished)
            return JobState::Running;
        if (error)
            return JobState::Failed;
        return cancelled ? JobState::Cancelled : JobState::Finished;
    }
};

}  // namespace skein::pipeline
