// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/job.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "engine/base/bounded_queue.h"
#include "engine/base/thread_name.h"
#include "engine/inference/batch_size.h"
#include "engine/inference/grouping.h"
#include "engine/inference/host_batch.h"
#include "engine/inference/model_set.h"
#include "engine/pipeline/rate_meter.h"
#include "engine/tracking/track_labels.h"

namespace skein::pipeline {
namespace {

using Clock = std::chrono::steady_clock;
using profile::Span;
using profile::Stage;

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

bool sameShape(const Image& a, const Image& b) {
    return a.width == b.width && a.height == b.height && a.channels == b.channels;
}

/// The LibTorch library's runner for the models of the spec.
Result<std::unique_ptr<inference::InferenceRunner>> loadWithBackend(const JobSpec& spec, profile::Profiler& profiler) {
    auto backend = inference::openBackend();
    if (!backend)
        return fail(std::move(backend.error()));
    return (*backend)->loadRunner(spec.models, spec.inference, profiler);
}

project::FrameData toFrameData(const inference::FrameDetections& found, std::uint32_t video, std::int64_t frameIndex) {
    project::FrameData frame;
    frame.video = video;
    frame.frameIndex = frameIndex;
    frame.instances.resize(static_cast<std::size_t>(found.count()));
    const auto nodes = static_cast<std::size_t>(found.nodes);
    for (std::size_t i = 0; i < frame.instances.size(); ++i) {
        project::InstanceData& instance = frame.instances[i];
        instance.header.score = found.instanceScores[i];
        if (!found.trackingScores.empty())
            instance.header.trackingScore = found.trackingScores[i];
        if (!found.classes.empty())
            instance.header.track = found.classes[i];
        instance.points.resize(nodes);
        for (std::size_t n = 0; n < nodes; ++n) {
            const std::size_t at = i * nodes + n;
            project::Point& point = instance.points[n];
            point.x = static_cast<double>(found.points[2 * at]);
            point.y = static_cast<double>(found.points[2 * at + 1]);
            point.score = static_cast<double>(found.pointScores[at]);
            point.visible = point.x == point.x && point.y == point.y;
        }
    }
    return frame;
}

std::vector<std::string> namesOf(const std::vector<project::Track>& tracks) {
    std::vector<std::string> names;
    names.reserve(tracks.size());
    for (const project::Track& track : tracks)
        names.push_back(track.name);
    return names;
}

}  // namespace

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
    std::vector<std::string> warnings;
    std::vector<std::pair<std::uint32_t, std::int64_t>> unreadable;
    std::shared_ptr<const std::vector<std::string>> trackNames = std::make_shared<std::vector<std::string>>();
    JobPhase phase = JobPhase::LoadingModel;
    std::string device;
    std::int64_t framesDone = 0;
    std::int64_t instances = 0;
    FrameTicket lastTicket;
    RateMeter rate;

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
            atEnd();
        });
    }

    void start() {
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

    Result<void> decode(const std::stop_token& stop) {
        std::int64_t sequence = 0;
        for (std::size_t s = 0; s < spec.sources.size(); ++s) {
            const JobSource& source = spec.sources[s];
            // A reader of our own: the window goes on reading from the one it has.
            auto reader = source.source->openAnother();
            if (!reader)
                return fail(std::move(reader.error()).withContext("while opening " + source.name));
            for (std::size_t row = 0; row < source.frames.size(); ++row) {
                const std::int64_t frameIndex = source.frames[row];
                if (stop.stop_requested())
                    return {};
                DecodedFrame frame{{sequence++, s, row, frameIndex}, nullptr};
                auto image = (*reader)->read(frameIndex, (*reader)->engineFormat(), stop);
                if (image) {
                    frame.image = std::move(*image);
                } else if (image.error().code() == ErrorCode::Cancelled) {
                    return {};
                } else {
                    // One bad frame never stops a run: it is recorded, and every later frame keeps its number.
                    const std::lock_guard lock(mutex);
                    unreadable.emplace_back(source.video, frameIndex);
                }
                if (!decoded.push(std::move(frame), stop))
                    return {};
            }
        }
        return {};
    }

    /// Frames of the next batch: full, or cut where the picture's shape or the video changes, or at the end of input.
    /// Empty at the end. `carried` keeps the frame that did not fit.
    std::vector<DecodedFrame> nextBatch(std::optional<DecodedFrame>& carried, std::size_t size,
                                        const std::stop_token& stop) {
        std::vector<DecodedFrame> frames;
        while (frames.size() < size) {
            std::optional<DecodedFrame> frame;
            if (carried) {
                frame = std::exchange(carried, std::nullopt);
            } else {
                const Span span(profiler, Stage::FrameBufferGet);
                frame = decoded.pop(stop);
            }
            if (!frame)
                break;
            if (!frame->image) {
                const std::lock_guard lock(mutex);
                ++framesDone;
                continue;
            }
            if (!frames.empty() && (!sameShape(*frames.front().image, *frame->image) ||
                                    frames.front().ticket.source != frame->ticket.source)) {
                carried = std::move(frame);
                break;
            }
            frames.push_back(std::move(*frame));
        }
        return frames;
    }

    std::vector<std::vector<inference::CentroidPoint>> centroidsOf(const std::vector<FrameTicket>& tickets) const {
        std::vector<std::vector<inference::CentroidPoint>> centroids;
        centroids.reserve(tickets.size());
        for (const FrameTicket& ticket : tickets)
            centroids.push_back(spec.sources[ticket.source].centroids[ticket.row]);
        return centroids;
    }

    bool isPaused() const {
        const std::lock_guard lock(mutex);
        return paused;
    }

    void waitWhilePaused(const std::stop_token& stop) {
        std::unique_lock lock(mutex);
        resumed.wait(lock, stop, [this] { return !paused; });
    }

    Result<void> compute(const std::stop_token& stop) {
        auto runner = spec.makeRunner ? spec.makeRunner(spec, profiler) : loadWithBackend(spec, profiler);
        if (!runner)
            return fail(std::move(runner.error()));
        {
            const std::lock_guard lock(mutex);
            device = (*runner)->device();
        }

        struct InFlight {
            Batch batch;
            std::vector<ImagePtr> images;
            std::unique_ptr<inference::PendingBatch> pending;
        };
        std::optional<InFlight> inFlight;
        const bool keepImages = spec.tracking && spec.tracking->useFlow;
        const bool around = inference::needsCentroids(spec.models);

        // Waits for the batch on the device and hands it on.
        const auto settle = [&]() -> Result<void> {
            if (!inFlight)
                return {};
            InFlight current = std::move(*inFlight);
            inFlight.reset();
            auto host = current.pending->wait();
            if (!host)
                return fail(std::move(host.error()));
            if (keepImages)
                current.batch.images = std::move(current.images);
            // False only when the run is being stopped.
            (void)scored.push({std::move(current.batch), std::move(*host)}, stop);
            return {};
        };

        const bool measure = spec.inference.batchSize == inference::kAutomaticBatch;
        auto size = static_cast<std::size_t>(measure ? 1 : spec.inference.batchSize);
        std::optional<DecodedFrame> carried;
        std::deque<std::vector<DecodedFrame>> waiting;  // parts of a batch that had to be split
        bool warm = false;
        for (std::int64_t number = 0;;) {
            if (isPaused()) {
                if (auto settled = settle(); !settled)
                    return settled;
                waitWhilePaused(stop);
            }
            std::vector<DecodedFrame> frames;
            if (!waiting.empty()) {
                frames = std::move(waiting.front());
                waiting.pop_front();
            } else {
                frames = nextBatch(carried, size, stop);
            }
            if (stop.stop_requested())
                return {};
            if (frames.empty())
                return settle();
            Batch batch;
            std::vector<ImagePtr> images;
            {
                const Span span(profiler, Stage::BatchPrepare);
                batch.tickets.reserve(frames.size());
                images.reserve(frames.size());
                for (const DecodedFrame& frame : frames) {
                    batch.tickets.push_back(frame.ticket);
                    images.push_back(frame.image);
                }
            }
            if (!std::exchange(warm, true)) {
                const Image& first = *images.front();
                if (auto done = (*runner)->warmUp(first.height, first.width, first.channels); !done)
                    return fail(std::move(done.error()));
                if (measure) {
                    auto fastest = inference::fastestBatchSize(**runner, first.height, first.width, first.channels);
                    if (!fastest)
                        return fail(std::move(fastest.error()));
                    size = static_cast<std::size_t>(*fastest);
                }
                const std::lock_guard lock(mutex);
                phase = JobPhase::Predicting;
                rate.start(Clock::now());
            }
            auto pending =
                around ? (*runner)->submitAround(images, centroidsOf(batch.tickets)) : (*runner)->submit(images);
            if (!pending && pending.error().code() == ErrorCode::OutOfMemory && frames.size() > 1) {
                // The batch before frees its memory first; then two halves of this one are tried.
                if (auto settled = settle(); !settled)
                    return settled;
                size = std::max<std::size_t>(1, frames.size() / 2);
                warn("The device's memory is too small for the batch; " + std::to_string(size) +
                     (size == 1 ? " frame" : " frames") + " at a time are used instead.");
                const auto middle = frames.begin() + static_cast<std::ptrdiff_t>(size);
                std::vector<DecodedFrame> rest(std::make_move_iterator(middle), std::make_move_iterator(frames.end()));
                frames.erase(middle, frames.end());
                waiting.push_front(std::move(rest));
                waiting.push_front(std::move(frames));
                continue;
            }
            if (!pending)
                return fail(std::move(pending.error()));
            batch.number = number++;
            profiler.countBatch(frames.size(), frames.size() < size);
            // The batch before is fetched while this one is on the device.
            if (auto settled = settle(); !settled)
                return settled;
            inFlight = InFlight{std::move(batch), std::move(images), std::move(*pending)};
        }
    }

    Result<void> group(const std::stop_token& stop) {
        auto grouper = inference::Grouper::create(spec.models.back(), spec.inference);
        if (!grouper)
            return fail(std::move(grouper.error()));
        for (const std::string& warning : grouper->warnings())
            warn(warning);
        while (auto item = scored.pop(stop)) {
            GroupedBatch done{std::move(item->batch), grouper->group(item->host, profiler)};
            if (!grouped.push(std::move(done), stop))
                break;
        }
        return {};
    }

    /// Takes batches strictly by number, so that the outcome does not depend on the number of group threads.
    Result<void> track(const std::stop_token& stop) {
        std::optional<tracking::OnlineTracking> online;
        if (spec.tracking)
            online.emplace(*spec.tracking);
        else if (!spec.models.back().classNames.empty())
            setTrackNames(spec.models.back().classNames);
        std::map<std::int64_t, GroupedBatch> early;
        std::int64_t next = 0;
        while (auto item = grouped.pop(stop)) {
            early.emplace(item->batch.number, std::move(*item));
            for (auto it = early.find(next); it != early.end(); it = early.find(++next)) {
                deliver(it->second, online);
                early.erase(it);
            }
        }
        return {};
    }

    void setTrackNames(std::vector<std::string> names) {
        auto shared = std::make_shared<const std::vector<std::string>>(std::move(names));
        const std::lock_guard lock(mutex);
        trackNames = std::move(shared);
    }

    void deliver(GroupedBatch& item, std::optional<tracking::OnlineTracking>& online) {
        std::vector<FrameResult> ready;
        std::int64_t found = 0;
        ready.reserve(item.batch.tickets.size());
        for (std::size_t i = 0; i < item.batch.tickets.size(); ++i) {
            const FrameTicket& ticket = item.batch.tickets[i];
            FrameResult result{ticket.sequence, {}};
            {
                const Span span(profiler, Stage::Postprocess);
                result.frame = toFrameData(item.detections[i], spec.sources[ticket.source].video, ticket.frameIndex);
            }
            if (online) {
                const Span span(profiler, Stage::TrackerTrack);
                online->track(result.frame, item.batch.images.empty() ? nullptr : item.batch.images[i].get());
            }
            found += static_cast<std::int64_t>(result.frame.instances.size());
            ready.push_back(std::move(result));
        }
        if (online && online->tracks().size() != trackNames->size())
            setTrackNames(namesOf(online->tracks()));
        const Span span(profiler, Stage::Write);
        const std::lock_guard lock(mutex);
        framesDone += static_cast<std::int64_t>(ready.size());
        instances += found;
        lastTicket = item.batch.tickets.back();
        results.insert(results.end(), std::make_move_iterator(ready.begin()), std::make_move_iterator(ready.end()));
        rate.add(Clock::now(), framesDone);
    }

    void finish() {
        {
            const std::lock_guard lock(mutex);
            finished = true;
            phase = JobPhase::Done;
            rate.stop(Clock::now());
        }
        ended.notify_all();
        if (onEnd)
            onEnd();
    }

    [[nodiscard]] JobState stateLocked() const {
        if (!finished)
            return JobState::Running;
        if (error)
            return JobState::Failed;
        return cancelled ? JobState::Cancelled : JobState::Finished;
    }
};

Job::Job() = default;

Result<std::unique_ptr<Job>> Job::start(JobSpec spec, std::function<void()> onEnd) {
    if (spec.models.empty())
        return fail(ErrorCode::InvalidArgument, "Choose a model first.");
    auto arranged = inference::arrangeModels(std::move(spec.models));
    if (!arranged)
        return fail(std::move(arranged.error()));
    spec.models = std::move(*arranged);
    if (spec.sources.empty() ||
        std::all_of(spec.sources.begin(), spec.sources.end(), [](const JobSource& s) { return s.frames.empty(); }))
        return fail(ErrorCode::InvalidArgument, "There is no frame to predict in the chosen range.");
    for (const JobSource& source : spec.sources) {
        if (!source.source)
            return fail(ErrorCode::InvalidArgument, "The video " + source.name + " is not open.");
        const std::int64_t count = source.source->frameCount();
        for (const std::int64_t frame : source.frames)
            if (frame < 0 || frame >= count)
                return fail(ErrorCode::InvalidArgument, "Frame " + std::to_string(frame) + " is outside " +
                                                            source.name + ", which has " + std::to_string(count) +
                                                            " frames.");
        if (inference::needsCentroids(spec.models) && source.centroids.size() != source.frames.size())
            return fail(ErrorCode::InvalidArgument,
                        "A centered-instance model alone looks around instances that a person has labelled; " +
                            source.name + " has none. Give a centroid model too, or a labels file as input.");
        if (spec.tracking && !std::is_sorted(source.frames.begin(), source.frames.end()))
            return fail(ErrorCode::InvalidArgument, "Tracking needs the frames in ascending order.");
    }
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
            m_impl->rate.stop(Clock::now());
        else if (m_impl->phase == JobPhase::Predicting)
            m_impl->rate.start(Clock::now());
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
        progress->instances = impl.instances;
        const auto now = Clock::now();
        progress->framesPerSecond = impl.rate.framesPerSecond(now);
        progress->secondsElapsed = impl.rate.secondsElapsed(now);
        progress->secondsLeft = impl.rate.secondsLeft(now, impl.framesTotal);
        progress->device = impl.device;
        progress->warnings = impl.warnings;
        progress->unreadable = impl.unreadable;
        if (impl.framesDone > 0) {
            progress->video = impl.spec.sources[impl.lastTicket.source].video;
            progress->frameIndex = impl.lastTicket.frameIndex;
        }
        progress->videoName = impl.spec.sources[impl.lastTicket.source].name;
        names = impl.trackNames;
    }
    progress->trackNames = *names;
    return progress;
}

std::vector<FrameResult> Job::takeResults() {
    const std::lock_guard lock(m_impl->mutex);
    return std::exchange(m_impl->results, {});
}

JobOutcome Job::wait() {
    std::unique_lock lock(m_impl->mutex);
    m_impl->ended.wait(lock, [this] { return m_impl->finished; });
    return {m_impl->stateLocked(), m_impl->error};
}

}  // namespace skein::pipeline
