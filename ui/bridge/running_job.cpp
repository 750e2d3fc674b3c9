// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/running_job.h"

#include <utility>

namespace skein::ui {
namespace {

class EngineJob final : public RunningJob {
public:
    explicit EngineJob(std::unique_ptr<pipeline::Job> job) : m_job(std::move(job)) {}
    void cancel() override { m_job->cancel(); }
    void setPaused(bool paused) override { m_job->setPaused(paused); }
    std::shared_ptr<const pipeline::JobProgress> progress() const override { return m_job->progress(); }
    std::vector<pipeline::FrameResult> takeResults() override { return m_job->takeResults(); }
    pipeline::JobOutcome outcome() override { return m_job->wait(); }

private:
    std::unique_ptr<pipeline::Job> m_job;
};

}  // namespace

JobStarter engineJobs() {
    return [](pipeline::JobSpec spec, std::function<void()> onEnd) -> Result<std::unique_ptr<RunningJob>> {
        auto job = pipeline::Job::start(std::move(spec), std::move(onEnd));
        if (!job)
            return fail(std::move(job.error()));
        return std::make_unique<EngineJob>(std::move(*job));
    };
}

}  // namespace skein::ui
