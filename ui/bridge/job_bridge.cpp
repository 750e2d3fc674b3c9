// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/job_bridge.h"

#include <utility>

namespace skein::ui {

JobBridge::JobBridge(JobStarter starter, QObject* parent) : QObject(parent), m_starter(std::move(starter)) {
    m_timer.setInterval(kIntervalMs);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &JobBridge::collect);
    m_elapsed.start();
    m_clock = [this] { return m_elapsed.elapsed(); };
}

JobBridge::~JobBridge() {
    if (m_job)
        m_job->cancel();
    // Joined here, while `this` is whole: onEnd may still be posting to it.
    m_job.reset();
}

Result<void> JobBridge::start(pipeline::JobSpec spec, const JobStarter& starter) {
    if (m_job)
        return fail(ErrorCode::InvalidArgument, "A run is in progress. Wait for it or cancel it first.");
    auto job = starter(std::move(spec), [this] {
        // The job's thread: only posts. The job is destroyed before `this`, and with it this function.
        QMetaObject::invokeMethod(
            this, [this] { finish(); }, Qt::QueuedConnection);
    });
    if (!job)
        return fail(std::move(job.error()));
    m_job = std::move(*job);
    m_paused = false;
    m_cancelling = false;
    m_lastMoveMs = m_clock();
    m_progress = m_job->progress();
    if (m_recording)
        m_job->startTrace();
    m_timer.start();
    Q_EMIT started();
    Q_EMIT progressChanged(m_progress);
    return {};
}

void JobBridge::setPaused(bool paused) {
    if (!m_job || m_cancelling || paused == m_paused)
        return;
    m_paused = paused;
    m_job->setPaused(paused);
    m_lastMoveMs = m_clock();
    collect();
}

void JobBridge::cancel() {
    if (!m_job || m_cancelling)
        return;
    m_cancelling = true;
    m_job->cancel();
    collect();
}

void JobBridge::resetProfile() {
    if (!m_job)
        return;
    m_job->resetProfile();
    collect();
}

void JobBridge::recordTrace() {
    m_trace = {};
    m_recording = true;
    if (m_job)
        m_job->startTrace();
}

profile::Trace JobBridge::takeTrace() {
    if (m_recording && m_job)
        m_trace = m_job->takeTrace();
    m_recording = false;
    return std::exchange(m_trace, {});
}

int JobBridge::stalledSeconds() const {
    if (!m_job || m_paused)
        return 0;
    const qint64 still = m_clock() - m_lastMoveMs;
    return still < kStalledAfterMs ? 0 : static_cast<int>(still / 1000);
}

void JobBridge::collect() {
    if (!m_job)
        return;
    // Results first: the progress taken afterwards is at least as new, so that its counts and track names cover them.
    const std::vector<pipeline::FrameResult> results = m_job->takeResults();
    const std::vector<pipeline::FrameResult> detections = m_job->takeDetections();
    auto progress = m_job->progress();
    if (!m_progress || progress->framesDone != m_progress->framesDone || progress->phase != m_progress->phase)
        m_lastMoveMs = m_clock();
    m_progress = std::move(progress);
    if (!results.empty())
        Q_EMIT resultsArrived(results);
    if (!detections.empty())
        Q_EMIT detectionsArrived(detections);
    Q_EMIT progressChanged(m_progress);
}

void JobBridge::finish() {
    if (!m_job)
        return;
    m_timer.stop();
    collect();
    const pipeline::JobOutcome outcome = m_job->outcome();
    if (std::exchange(m_recording, false))
        m_trace = m_job->takeTrace();
    // Weights and device buffers may take a while to free: not on this thread. Joining the one before is instant, a
    // whole job lies between.
    m_reaper = std::jthread([job = std::move(m_job)]() mutable { job.reset(); });
    m_paused = false;
    m_cancelling = false;
    Q_EMIT ended(outcome);
}

}  // namespace skein::ui
