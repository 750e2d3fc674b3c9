// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/job_impl.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "engine/inference/batch_size.h"
#include "engine/inference/model_set.h"
#include "engine/pipeline/frame_data.h"

namespace skein::pipeline {
namespace {

using Clock = JobClock;
using profile::Span;
using profile::Stage;

bool sameShape(const Image& a, const Image& b) {
    return a.width == b.width && a.height == b.height && a.channels == b.channels;
}

std::vector<std::string> namesOf(const std::vector<project::Track>& tracks) {
    std::vector<std::string> names;
    names.reserve(tracks.size());
    for (const project::Track& track : tracks)
        names.push_back(track.name);
    return names;
}

}  // namespace

Result<std::unique_ptr<inference::InferenceRunner>> loadWithBackend(const JobSpec& spec, profile::Profiler& profiler) {
    auto backend = inference::openBackend();
    if (!backend)
        return fail(std::move(backend.error()));
    return (*backend)->loadRunner(spec.models, spec.inference, profiler);
}

void Job::Impl::noteMissing() {
    auto next = spec.finished.begin();
    std::int64_t sequence = 0;
    for (const JobSource& source : spec.sources)
        for (const std::int64_t frame : source.frames) {
            if (sequence >= spec.resumeFrom)
                return;
            if (next != spec.finished.end() && next->sequence == sequence)
                ++next;
            else
                unreadable.emplace_back(source.video, frame);
            ++sequence;
        }
}

Result<void> Job::Impl::decode(const std::stop_token& stop) {
    std::int64_t sequence = 0;
    for (std::size_t s = 0; s < spec.sources.size(); ++s) {
        const JobSource& source = spec.sources[s];
        const auto done = static_cast<std::size_t>(
            std::clamp<std::int64_t>(spec.resumeFrom - sequence, 0, std::ssize(source.frames)));
        sequence += static_cast<std::int64_t>(done);
        if (done == source.frames.size())
            continue;
        // A reader of our own: the window goes on reading from the one it has.
        auto reader = [&] {
            const Span span(profiler, Stage::Decode);
            return source.source->openAnother();
        }();
        if (!reader)
            return fail(std::move(reader.error()).withContext("while opening " + source.name));
        for (std::size_t row = done; row < source.frames.size(); ++row) {
            const std::int64_t frameIndex = source.frames[row];
            if (stop.stop_requested())
                return {};
            DecodedFrame frame{{sequence++, s, row, frameIndex}, nullptr};
            auto image = [&] {
                const Span span(profiler, Stage::Decode);
                return (*reader)->read(frameIndex, (*reader)->engineFormat(), stop);
            }();
            if (image) {
                frame.image = std::move(*image);
            } else if (image.error().code() == ErrorCode::Cancelled) {
                return {};
            } else {
                // One bad frame never stops a run: it is recorded, and every later frame keeps its number.
                const std::lock_guard lock(mutex);
                unreadable.emplace_back(source.video, frameIndex);
            }
            if (!push(decoded, std::move(frame), stop))
                return {};
        }
    }
    return {};
}

std::vector<DecodedFrame> Job::Impl::nextBatch(std::optional<DecodedFrame>& carried, std::size_t size,
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

std::vector<std::vector<inference::CentroidPoint>> Job::Impl::centroidsOf(
    const std::vector<FrameTicket>& tickets) const {
    std::vector<std::vector<inference::CentroidPoint>> centroids;
    centroids.reserve(tickets.size());
    for (const FrameTicket& ticket : tickets)
        centroids.push_back(spec.sources[ticket.source].centroids[ticket.row]);
    return centroids;
}

bool Job::Impl::isPaused() const {
    const std::lock_guard lock(mutex);
    return paused;
}

void Job::Impl::waitWhilePaused(const std::stop_token& stop) {
    const Span span(profiler, Stage::Wait);
    std::unique_lock lock(mutex);
    resumed.wait(lock, stop, [this] { return !paused; });
}

Result<void> Job::Impl::compute(const std::stop_token& stop) {
    if (spec.resumeFrom >= framesTotal) {
        // Everything is known already: no model is needed.
        const std::lock_guard lock(mutex);
        phase = JobPhase::Tracking;
        return {};
    }
    auto runner = [&] {
        const Span span(profiler, Stage::LoadModel);
        return spec.makeRunner ? spec.makeRunner(spec, profiler) : loadWithBackend(spec, profiler);
    }();
    if (!runner)
        return fail(std::move(runner.error()));
    {
        const std::lock_guard lock(mutex);
        device = (*runner)->device();
    }
    if (const std::string warning = (*runner)->warning(); !warning.empty())
        warn(warning);

    struct InFlight {
        Batch batch;
        std::vector<ImagePtr> images;
        std::unique_ptr<inference::PendingBatch> pending;
    };
    std::deque<InFlight> inFlight;  // in the order of submission
    const auto atOnce = static_cast<std::size_t>((*runner)->batchesAtOnce());
    const bool keepImages = spec.tracking && spec.tracking->useFlow;
    const bool around = inference::needsCentroids(spec.models);

    // Waits for all batches but the last `left` that are on the device, and hands them on.
    const auto settle = [&](std::size_t left) -> Result<void> {
        while (inFlight.size() > left) {
            InFlight current = std::move(inFlight.front());
            inFlight.pop_front();
            auto host = [&] {
                const Span span(profiler, Stage::Wait);
                return current.pending->wait();
            }();
            if (!host)
                return fail(std::move(host.error()));
            if (keepImages)
                current.batch.images = std::move(current.images);
            // False only when the run is being stopped.
            (void)push(scored, {std::move(current.batch), std::move(*host)}, stop);
        }
        return {};
    };

    const bool measure = spec.inference.batchSize == inference::kAutomaticBatch;
    auto size = static_cast<std::size_t>(measure ? 1 : spec.inference.batchSize);
    std::optional<DecodedFrame> carried;
    std::deque<std::vector<DecodedFrame>> waiting;  // parts of a batch that had to be split
    bool warm = false;
    for (std::int64_t number = 0;;) {
        if (isPaused()) {
            if (auto settled = settle(0); !settled)
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
        if (frames.empty()) {
            auto settled = settle(0);
            const std::lock_guard lock(mutex);
            deviceRemark = (*runner)->remark();
            return settled;
        }
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
            const Span span(profiler, Stage::LoadModel);
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
        auto pending = around ? (*runner)->submitAround(images, centroidsOf(batch.tickets)) : (*runner)->submit(images);
        if (!pending && pending.error().code() == ErrorCode::OutOfMemory && frames.size() > 1) {
            // The batches before free their memory first; then two halves of this one are tried.
            if (auto settled = settle(0); !settled)
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
        // Earlier batches are fetched while this one is on the device.
        inFlight.push_back({std::move(batch), std::move(images), std::move(*pending)});
        if (auto settled = settle(atOnce); !settled)
            return settled;
    }
}

Result<void> Job::Impl::group(const std::stop_token& stop) {
    auto grouper = inference::Grouper::create(spec.models.back(), spec.inference);
    if (!grouper)
        return fail(std::move(grouper.error()));
    for (const std::string& warning : grouper->warnings())
        warn(warning);
    while (auto item = pop(scored, stop)) {
        GroupedBatch done{std::move(item->batch), grouper->group(item->host, profiler)};
        if (!push(grouped, std::move(done), stop))
            break;
    }
    return {};
}

Result<void> Job::Impl::track(const std::stop_token& stop) {
    std::optional<tracking::OnlineTracking> online;
    if (spec.tracking)
        online.emplace(*spec.tracking);
    else if (!spec.models.back().classNames.empty())
        setTrackNames(spec.models.back().classNames);
    if (auto replayed = replay(online, stop); !replayed)
        return replayed;
    std::map<std::int64_t, GroupedBatch> early;
    std::int64_t next = 0;
    while (auto item = pop(grouped, stop)) {
        early.emplace(item->batch.number, std::move(*item));
        for (auto it = early.find(next); it != early.end(); it = early.find(++next)) {
            deliver(it->second, online);
            early.erase(it);
        }
    }
    return {};
}

void Job::Impl::setTrackNames(std::vector<std::string> names) {
    auto shared = std::make_shared<const std::vector<std::string>>(std::move(names));
    const std::lock_guard lock(mutex);
    trackNames = std::move(shared);
}

Result<void> Job::Impl::replay(std::optional<tracking::OnlineTracking>& online, const std::stop_token& stop) {
    constexpr std::size_t kAtOnce = 256;
    std::vector<FrameResult> finishedFrames = std::move(spec.finished);
    auto next = finishedFrames.begin();
    std::int64_t sequence = 0;
    for (std::size_t s = 0; s < spec.sources.size() && sequence < spec.resumeFrom; ++s) {
        const JobSource& source = spec.sources[s];
        Result<std::shared_ptr<video::VideoSource>> images = nullptr;
        if (spec.tracking && spec.tracking->useFlow)
            images = source.source->openAnother();
        if (!images)
            return fail(std::move(images.error()).withContext("while opening " + source.name));
        std::vector<FrameResult> ready;
        std::vector<ImagePtr> pictures;
        FrameTicket last;
        for (std::size_t row = 0; row < source.frames.size() && sequence < spec.resumeFrom; ++row, ++sequence) {
            if (stop.stop_requested())
                return {};
            const FrameTicket ticket{sequence, s, row, source.frames[row]};
            if (next == finishedFrames.end() || next->sequence != sequence) {
                const std::lock_guard lock(mutex);
                ++framesDone;
                ++framesResumed;
                continue;
            }
            if (*images) {
                auto picture = (*images)->read(ticket.frameIndex, (*images)->engineFormat(), stop);
                pictures.push_back(picture ? std::move(*picture) : nullptr);
            }
            ready.push_back(std::move(*next++));
            last = ticket;
            if (ready.size() == kAtOnce) {
                hand(std::exchange(ready, {}), pictures, last, online, true);
                pictures.clear();
            }
        }
        if (!ready.empty())
            hand(std::move(ready), pictures, last, online, true);
    }
    return {};
}

void Job::Impl::deliver(GroupedBatch& item, std::optional<tracking::OnlineTracking>& online) {
    std::vector<FrameResult> ready;
    ready.reserve(item.batch.tickets.size());
    for (std::size_t i = 0; i < item.batch.tickets.size(); ++i) {
        const FrameTicket& ticket = item.batch.tickets[i];
        const Span span(profiler, Stage::Postprocess);
        ready.push_back(
            {ticket.sequence, toFrameData(item.detections[i], spec.sources[ticket.source].video, ticket.frameIndex)});
    }
    hand(std::move(ready), item.batch.images, item.batch.tickets.back(), online, false);
}

void Job::Impl::hand(std::vector<FrameResult> ready, const std::vector<ImagePtr>& images, const FrameTicket& last,
                     std::optional<tracking::OnlineTracking>& online, bool isReplay) {
    std::vector<FrameResult> before;
    if (spec.keepDetections && !isReplay)
        before = ready;
    std::int64_t found = 0;
    for (std::size_t i = 0; i < ready.size(); ++i) {
        if (online) {
            const Span span(profiler, Stage::TrackerTrack);
            online->track(ready[i].frame, images.empty() ? nullptr : images[i].get());
        }
        found += static_cast<std::int64_t>(ready[i].frame.instances.size());
    }
    if (online && online->tracks().size() != trackNames->size())
        setTrackNames(namesOf(online->tracks()));
    const Span span(profiler, Stage::Write);
    const std::lock_guard lock(mutex);
    framesDone += std::ssize(ready);
    framesResumed += isReplay ? std::ssize(ready) : 0;
    instances += found;
    lastTicket = last;
    results.insert(results.end(), std::make_move_iterator(ready.begin()), std::make_move_iterator(ready.end()));
    detections.insert(detections.end(), std::make_move_iterator(before.begin()), std::make_move_iterator(before.end()));
    if (!isReplay)
        rate.add(Clock::now(), framesDone - framesResumed);
}

void Job::Impl::finish() {
    {
        const std::lock_guard lock(mutex);
        const Clock::time_point now = Clock::now();
        std::vector<std::chrono::nanoseconds> idle;
        for (const Clock::time_point end : ends)
            idle.push_back(now - end);
        profiler.noteThreads(idle, now - started);
        finished = true;
        phase = JobPhase::Done;
        rate.stop(Clock::now());
    }
    ended.notify_all();
    if (onEnd)
        onEnd();
}

}  // namespace skein::pipeline
