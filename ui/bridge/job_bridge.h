// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "ui/bridge/running_job.h"

namespace skein::ui {

/// The window's end of a job: collects its progress and results 30 times a second and tells them on the GUI thread.
/// At most one job runs at a time. GUI thread only; nothing here waits for the engine, but for the destructor, which
/// cancels a running job and waits for the batch in work.
class JobBridge : public QObject {
    Q_OBJECT
public:
    explicit JobBridge(JobStarter starter = engineJobs(), QObject* parent = nullptr);
    ~JobBridge() override;

    static constexpr int kIntervalMs = 33;
    static constexpr int kStalledAfterMs = 30000;

    /// Errors: those of pipeline::Job::start; InvalidArgument while a job runs.
    [[nodiscard]] Result<void> start(pipeline::JobSpec spec) { return start(std::move(spec), m_starter); }
    /// The same for a job of another kind.
    [[nodiscard]] Result<void> start(pipeline::JobSpec spec, const JobStarter& starter);
    void setPaused(bool paused);
    void cancel();

    /// The profile in progress() counts from now on.
    void resetProfile();
    /// Records each stage's turns, of the running job or of the next one, until takeTrace() or the job's end.
    void recordTrace();
    /// What was recorded; empty when nothing was.
    [[nodiscard]] profile::Trace takeTrace();

    [[nodiscard]] bool isRunning() const { return m_job != nullptr; }
    [[nodiscard]] bool isPaused() const { return m_paused; }
    [[nodiscard]] bool isCancelling() const { return m_cancelling; }
    /// Of the running job, afterwards of the last one; never null once a job was started.
    [[nodiscard]] const std::shared_ptr<const pipeline::JobProgress>& progress() const { return m_progress; }
    /// Seconds since anything has moved, once they are too many to be normal; 0 before.
    [[nodiscard]] int stalledSeconds() const;

    /// For tests: what the clock of stalledSeconds() says, in milliseconds.
    void setClock(std::function<qint64()> clock) { m_clock = std::move(clock); }

Q_SIGNALS:
    void started();
    /// Results before progress: progress already counts them, and its track names cover them.
    void resultsArrived(const std::vector<skein::pipeline::FrameResult>& results);
    /// The same frames before tracking; only of jobs with JobSpec::keepDetections.
    void detectionsArrived(const std::vector<skein::pipeline::FrameResult>& detections);
    void progressChanged(const std::shared_ptr<const skein::pipeline::JobProgress>& progress);
    /// No result comes any more; the last ones and the last progress were told before.
    void ended(const skein::pipeline::JobOutcome& outcome);

private:
    void collect();
    void finish();

    JobStarter m_starter;
    std::unique_ptr<RunningJob> m_job;
    std::shared_ptr<const pipeline::JobProgress> m_progress;
    QTimer m_timer;
    std::function<qint64()> m_clock;
    QElapsedTimer m_elapsed;
    qint64 m_lastMoveMs = 0;
    bool m_paused = false;
    bool m_cancelling = false;
    bool m_recording = false;
    profile::Trace m_trace;  ///< of a job that has ended
    std::jthread m_reaper;   ///< frees the model of an ended job
};

}  // namespace skein::ui
