// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/running_job.h"

#include <QFile>
#include <utility>

#include "engine/batch/model_cache.h"

namespace skein::ui {
namespace {

class EngineJob final : public RunningJob {
public:
    explicit EngineJob(std::unique_ptr<pipeline::Job> job) : m_job(std::move(job)) {}
    void cancel() override { m_job->cancel(); }
    void setPaused(bool paused) override { m_job->setPaused(paused); }
    std::shared_ptr<const pipeline::JobProgress> progress() const override { return m_job->progress(); }
    std::vector<pipeline::FrameResult> takeResults() override { return m_job->takeResults(); }
    void resetProfile() override { m_job->resetProfile(); }
    void startTrace() override { m_job->startTrace(); }
    profile::Trace takeTrace() override { return m_job->takeTrace(); }
    std::vector<pipeline::FrameResult> takeDetections() override { return m_job->takeDetections(); }
    pipeline::JobOutcome outcome() override { return m_job->wait(); }

private:
    std::unique_ptr<pipeline::Job> m_job;
};

/// Never destroyed: LibTorch's own objects may be gone when those of the process go.
batch::ModelCache& keptModels() {
    static auto* const models = new batch::ModelCache(1, pipeline::loadWithBackend);
    return *models;
}

/// What the machine can give without swapping, in bytes; -1 unknown.
qint64 availableMemory() {
    QFile file(QStringLiteral("/proc/meminfo"));
    if (!file.open(QIODevice::ReadOnly))
        return -1;
    for (const QByteArray& line : file.readAll().split('\n'))
        if (line.startsWith("MemAvailable:"))
            return line.mid(13).trimmed().split(' ').value(0).toLongLong() * 1024;
    return -1;
}

constexpr qint64 kMemoryToLoadAhead = qint64{2} << 30;

}  // namespace

Result<std::unique_ptr<inference::InferenceRunner>> lendRunner(const pipeline::JobSpec& spec,
                                                               profile::Profiler& profiler) {
    return keptModels().lend(spec, profiler);
}

void loadAhead(const pipeline::JobSpec& spec) {
    if (const qint64 available = availableMemory(); available >= 0 && available < kMemoryToLoadAhead)
        return;
    profile::Profiler unseen;
    (void)keptModels().lend(spec, unseen);
}

JobStarter engineJobs() {
    return [](pipeline::JobSpec spec, std::function<void()> onEnd) -> Result<std::unique_ptr<RunningJob>> {
        if (!spec.makeRunner)
            spec.makeRunner = [](const pipeline::JobSpec& job, profile::Profiler& profiler) {
                return keptModels().lend(job, profiler);
            };
        auto job = pipeline::Job::start(std::move(spec), std::move(onEnd));
        if (!job)
            return fail(std::move(job.error()));
        return std::make_unique<EngineJob>(std::move(*job));
    };
}

}  // namespace skein::ui
