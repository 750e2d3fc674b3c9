// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/retrack_job.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "engine/base/thread_name.h"
#include "engine/tracking/track_labels.h"

namespace skein::ui {
namespace {

using Clock = std::chrono::steady_clock;
using project::FrameView;
using project::InstanceKind;

/// Only the predictions on the frames, as a project of their own; ids stay, so that they are recognised afterwards.
project::Labels predictionsOn(project::Labels labels, std::uint32_t video, const std::vector<std::int64_t>& frames) {
    std::vector<std::size_t> others;
    for (std::size_t row = 0; row < labels.frameCount(); ++row)
        if (const FrameView frame = labels.frame(row);
            frame.video() != video || !std::binary_search(frames.begin(), frames.end(), frame.frameIndex()))
            others.push_back(row);
    labels.removeFrames(others);
    std::vector<std::size_t> rows(labels.frameCount());
    for (std::size_t row = 0; row < rows.size(); ++row)
        rows[row] = row;
    (void)labels.removeInstances(rows, [](const FrameView&, const project::InstanceView& instance) {
        return instance.header->kind == InstanceKind::User;
    });
    (void)labels.rewriteHeaders(rows, [](const FrameView&, std::span<project::InstanceHeader> headers) {
        for (project::InstanceHeader& header : headers)
            header.track = -1;
        return !headers.empty();
    });
    return labels;
}

class RetrackJob final : public RunningJob {
public:
    RetrackJob(pipeline::JobSpec spec, project::Labels labels, std::function<void()> onEnd)
        : m_spec(std::move(spec)), m_labels(std::move(labels)), m_onEnd(std::move(onEnd)) {
        m_progress.framesTotal = std::ssize(m_spec.sources.front().frames);
        m_progress.phase = pipeline::JobPhase::Tracking;
        m_progress.video = m_spec.sources.front().video;
        m_progress.videoName = m_spec.sources.front().name;
        m_thread = std::jthread([this](const std::stop_token& stop) { work(stop); });
    }
    ~RetrackJob() override {
        cancel();
        m_thread.join();
    }

    void cancel() override {
        m_thread.request_stop();
        m_changed.notify_all();
    }
    void setPaused(bool paused) override {
        const std::lock_guard lock(m_mutex);
        m_progress.paused = paused;
        m_changed.notify_all();
    }
    std::shared_ptr<const pipeline::JobProgress> progress() const override {
        const std::lock_guard lock(m_mutex);
        return std::make_shared<pipeline::JobProgress>(m_progress);
    }
    std::vector<pipeline::FrameResult> takeResults() override {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_results, {});
    }
    pipeline::JobOutcome outcome() override {
        const std::lock_guard lock(m_mutex);
        return m_outcome;
    }

private:
    void work(const std::stop_token& stop) {
        setThreadName("skein-retrack");
        const auto begin = Clock::now();
        std::optional<Error> error;
        try {
            if (auto done = track(begin, stop); !done)
                error = std::move(done.error());
        } catch (const std::bad_alloc&) {
            error = Error(ErrorCode::OutOfMemory, "There is not enough memory for this. The tracks stay as they are.");
        }
        {
            const std::lock_guard lock(m_mutex);
            const bool cancelled = error && error->code() == ErrorCode::Cancelled;
            m_outcome.state = cancelled ? pipeline::JobState::Cancelled
                              : error   ? pipeline::JobState::Failed
                                        : pipeline::JobState::Finished;
            if (error && !cancelled)
                m_outcome.error = std::move(error);
            // What was looked at without a result is not done.
            if (m_outcome.state != pipeline::JobState::Finished)
                m_progress.framesDone = 0;
            m_progress.state = m_outcome.state;
            m_progress.phase = pipeline::JobPhase::Done;
            m_progress.secondsElapsed = std::chrono::duration<double>(Clock::now() - begin).count();
        }
        m_onEnd();
    }

    Result<void> track(Clock::time_point begin, const std::stop_token& stop) {
        const pipeline::JobSource& source = m_spec.sources.front();
        project::Labels labels = predictionsOn(std::move(m_labels), source.video, source.frames);
        std::shared_ptr<video::VideoSource> reader;
        tracking::FrameImages images;
        if (m_spec.tracking->useFlow) {
            auto opened = source.source->openAnother();
            if (!opened)
                return fail(std::move(opened.error()));
            reader = *opened;
            images = [&reader, &stop](std::uint32_t, std::int64_t frame) -> ImagePtr {
                auto picture = reader->read(frame, reader->engineFormat(), stop);
                return picture ? *picture : nullptr;
            };
        }
        const auto done = tracking::trackLabels(
            labels, *m_spec.tracking,
            [this, begin, &stop](std::int64_t count, std::int64_t total) { tell(begin, count, total, stop); }, stop,
            images);
        if (!done)
            return fail(done.error());
        take(labels);
        return {};
    }

    /// How far it is; waits while paused.
    void tell(Clock::time_point begin, std::int64_t count, std::int64_t total, const std::stop_token& stop) {
        std::unique_lock lock(m_mutex);
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count() - m_pausedSeconds;
        m_progress.secondsElapsed = seconds;
        // The last frame counts when its result is there.
        m_progress.framesDone = std::min(count, m_progress.framesTotal - 1);
        if (seconds > 0 && count > 0) {
            m_progress.framesPerSecond = static_cast<double>(count) / seconds;
            m_progress.secondsLeft = static_cast<double>(total - count) / m_progress.framesPerSecond;
        }
        if (!m_progress.paused)
            return;
        const auto since = Clock::now();
        m_changed.wait(lock, stop, [this] { return !m_progress.paused; });
        m_pausedSeconds += std::chrono::duration<double>(Clock::now() - since).count();
    }

    void take(const project::Labels& labels) {
        std::vector<pipeline::FrameResult> results;
        std::int64_t instances = 0;
        const std::vector<std::int64_t>& frames = m_spec.sources.front().frames;
        for (std::size_t i = 0; i < frames.size(); ++i) {
            pipeline::FrameResult result;
            result.sequence = static_cast<std::int64_t>(i);
            result.frame = {m_spec.sources.front().video, frames[i], {}, -1};
            if (const auto row = labels.findFrame(result.frame.video, frames[i]))
                result.frame = labels.frame(*row).toData();
            instances += std::ssize(result.frame.instances);
            results.push_back(std::move(result));
        }
        const std::lock_guard lock(m_mutex);
        for (const project::Track& track : labels.tracks())
            m_progress.trackNames.push_back(track.name);
        m_progress.instances = instances;
        m_progress.framesDone = m_progress.framesTotal;
        m_results = std::move(results);
    }

    pipeline::JobSpec m_spec;
    project::Labels m_labels;
    std::function<void()> m_onEnd;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    pipeline::JobProgress m_progress;
    std::vector<pipeline::FrameResult> m_results;
    pipeline::JobOutcome m_outcome;
    double m_pausedSeconds = 0;
    std::jthread m_thread;  ///< last: it uses all of the above
};

}  // namespace

Result<project::Skeleton> predictedSkeleton(const project::Labels& labels, std::uint32_t video,
                                            const std::vector<std::int64_t>& frames) {
    std::optional<std::uint32_t> skeleton;
    for (const std::int64_t frame : frames) {
        const auto row = labels.findFrame(video, frame);
        if (!row)
            continue;
        const FrameView view = labels.frame(*row);
        for (std::size_t i = 0; i < view.instanceCount(); ++i) {
            const project::InstanceHeader& header = *view.instance(i).header;
            if (header.kind != InstanceKind::Predicted)
                continue;
            if (skeleton && *skeleton != header.skeleton)
                return fail(ErrorCode::InvalidArgument,
                            "The predictions on these frames have different skeletons, which cannot be tracked "
                            "together. Choose frames of one model.");
            skeleton = header.skeleton;
        }
    }
    if (!skeleton || *skeleton >= labels.skeletons().size())
        return fail(ErrorCode::NotFound, "There are no predictions to be tracked on these frames.");
    return labels.skeletons()[*skeleton];
}

JobStarter retrackJobs(project::Labels labels) {
    return [labels = std::move(labels)](pipeline::JobSpec spec,
                                        std::function<void()> onEnd) -> Result<std::unique_ptr<RunningJob>> {
        if (!spec.tracking || spec.sources.empty())
            return fail(ErrorCode::InvalidArgument, "There is nothing to track.");
        return std::make_unique<RetrackJob>(std::move(spec), labels, std::move(onEnd));
    };
}

}  // namespace skein::ui
