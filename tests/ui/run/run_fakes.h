// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QTest>
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "tests/support/fake_video.h"
#include "tests/support/one_video_project.h"
#include "ui/bridge/running_job.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/run_host.h"

// Stand-ins for what lies around the run side of the window: a job whose every step a test decides, a window that keeps
// what it is given.
namespace skein::test {

inline std::filesystem::path sampleModel() {
    return std::filesystem::path(SKEIN_SOURCE_DIR) / "resources" / "sample" / "synthetic_bottomup";
}

inline project::Skeleton flySkeleton() {
    return chainSkeleton("fly", {"a", "b"});
}

/// What a test does to the job that the window believes to be running.
class FakeEngine {
public:
    struct State {
        std::mutex mutex;
        pipeline::JobProgress progress;
        std::vector<pipeline::FrameResult> results, detections;
        pipeline::JobOutcome outcome;
        std::function<void()> onEnd;
        bool cancelled = false, paused = false, ended = false, destroyed = false;
        int polls = 0;
    };

    /// To be given to JobBridge or RunServices. `refusal`: the next start fails with it.
    [[nodiscard]] ui::JobStarter starter();
    std::optional<Error> refusal;

    [[nodiscard]] bool isStarted() const { return m_state != nullptr; }
    [[nodiscard]] const pipeline::JobSpec& spec() const { return m_spec; }
    State& state() { return *m_state; }

    void setPhase(pipeline::JobPhase phase) {
        change([phase](State& s) { s.progress.phase = phase; });
    }
    template <class F>
    void change(F f) {
        const std::lock_guard lock(m_state->mutex);
        f(*m_state);
    }
    /// Finishes the next `count` frames of the job with `instances` predictions each, tracked when the job tracks.
    void finishFrames(int count, int instances = 2);
    /// The job's end, told from a thread of its own as the engine does.
    void end(pipeline::JobState state, std::optional<Error> error = {});

private:
    std::shared_ptr<State> m_state;
    pipeline::JobSpec m_spec;
    std::size_t m_next = 0;
};

namespace detail {
class FakeJob : public ui::RunningJob {
public:
    explicit FakeJob(std::shared_ptr<FakeEngine::State> state) : m_state(std::move(state)) {}
    ~FakeJob() override {
        const std::lock_guard lock(m_state->mutex);
        m_state->destroyed = true;
    }
    void cancel() override {
        const std::lock_guard lock(m_state->mutex);
        m_state->cancelled = true;
    }
    void setPaused(bool paused) override {
        const std::lock_guard lock(m_state->mutex);
        m_state->paused = paused;
        m_state->progress.paused = paused;
    }
    std::shared_ptr<const pipeline::JobProgress> progress() const override {
        const std::lock_guard lock(m_state->mutex);
        ++m_state->polls;
        return std::make_shared<pipeline::JobProgress>(m_state->progress);
    }
    std::vector<pipeline::FrameResult> takeResults() override {
        const std::lock_guard lock(m_state->mutex);
        return std::exchange(m_state->results, {});
    }
    std::vector<pipeline::FrameResult> takeDetections() override {
        const std::lock_guard lock(m_state->mutex);
        return std::exchange(m_state->detections, {});
    }
    pipeline::JobOutcome outcome() override {
        const std::lock_guard lock(m_state->mutex);
        return m_state->outcome;
    }

private:
    std::shared_ptr<FakeEngine::State> m_state;
};
}  // namespace detail

inline ui::JobStarter FakeEngine::starter() {
    return [this](pipeline::JobSpec spec, std::function<void()> onEnd) -> Result<std::unique_ptr<ui::RunningJob>> {
        if (refusal) {
            Error reason = *refusal;
            refusal.reset();
            return fail(std::move(reason));
        }
        m_spec = std::move(spec);
        m_state = std::make_shared<State>();
        m_state->onEnd = std::move(onEnd);
        m_state->progress.framesTotal = static_cast<std::int64_t>(m_spec.sources.front().frames.size());
        m_state->progress.device = "cpu";
        for (std::size_t i = 0; i < profile::kStageCount; ++i) {
            profile::StageSummary stage;
            stage.name = profile::stageName(static_cast<profile::Stage>(i));
            m_state->progress.profile.stages.push_back(stage);
        }
        // What an earlier run has found comes again, as the engine does it.
        m_next = static_cast<std::size_t>(m_spec.resumeFrom);
        for (const pipeline::FrameResult& found : m_spec.finished) {
            pipeline::FrameResult result = found;
            for (std::size_t k = 0; k < result.frame.instances.size(); ++k)
                result.frame.instances[k].header.track = m_spec.tracking ? static_cast<std::int32_t>(k) : -1;
            m_state->progress.framesDone += 1;
            m_state->results.push_back(std::move(result));
        }
        return std::make_unique<detail::FakeJob>(m_state);
    };
}

inline void FakeEngine::finishFrames(int count, int instances) {
    change([&](State& s) {
        s.progress.phase = pipeline::JobPhase::Predicting;
        const auto& frames = m_spec.sources.front().frames;
        const std::size_t nodes = m_spec.models.empty() ? 2 : m_spec.models.back().skeleton.nodes.size();
        for (int i = 0; i < count && m_next < frames.size(); ++i, ++m_next) {
            pipeline::FrameResult result;
            result.sequence = static_cast<std::int64_t>(m_next);
            result.frame.video = m_spec.sources.front().video;
            result.frame.frameIndex = frames[m_next];
            for (int k = 0; k < instances; ++k) {
                project::InstanceData instance;
                instance.header.track = m_spec.tracking ? k : -1;
                instance.header.score = 0.75F;
                for (std::size_t n = 0; n < nodes; ++n) {
                    project::Point point;
                    point.x = 10.0 * k + static_cast<double>(n);
                    point.y = static_cast<double>(frames[m_next]);
                    point.score = 0.5;
                    point.visible = true;
                    instance.points.push_back(point);
                }
                result.frame.instances.push_back(std::move(instance));
            }
            if (m_spec.keepDetections) {
                s.detections.push_back(result);
                for (project::InstanceData& instance : s.detections.back().frame.instances)
                    instance.header.track = -1;
            }
            s.results.push_back(std::move(result));
            s.progress.framesDone += 1;
            s.progress.instances += instances;
            s.progress.frameIndex = frames[m_next];
        }
        if (m_spec.tracking)
            for (int k = static_cast<int>(s.progress.trackNames.size()); k < instances; ++k)
                s.progress.trackNames.push_back("track_" + std::to_string(k));
    });
}

inline void FakeEngine::end(pipeline::JobState state, std::optional<Error> error) {
    std::function<void()> onEnd;
    change([&](State& s) {
        s.ended = true;
        s.progress.state = state;
        s.progress.phase = pipeline::JobPhase::Done;
        s.outcome = {state, std::move(error)};
        onEnd = s.onEnd;
    });
    std::thread(onEnd).join();
}

/// A window with one video, or none.
class FakeHost : public ui::RunHost {
public:
    std::optional<ui::RunVideo> video;
    std::int64_t frame = 0;
    std::optional<ui::FrameRange> range;
    bool fromZero = false;
    project::Labels project;
    std::vector<ui::RunChange> changes;
    std::vector<std::int64_t> shown;
    std::function<void()> onShow;  ///< what showing a frame does besides

    void open(std::int64_t frames, int width = 384, int height = 384) {
        ui::RunVideo opened;
        opened.index = 0;
        opened.name = QStringLiteral("fly.mp4");
        opened.source = std::make_shared<FakeVideo>(frames, width, height);
        opened.frameCount = frames;
        opened.width = width;
        opened.height = height;
        video = opened;
        project::Video row;
        row.filename = "/data/fly.mp4";
        row.frameCount = frames;
        project.editVideos().push_back(row);
    }

    std::optional<ui::RunVideo> currentVideo() const override { return video; }
    std::int64_t currentFrame() const override { return frame; }
    std::optional<ui::FrameRange> selection() const override { return range; }
    bool countFramesFromZero() const override { return fromZero; }
    const project::Labels& labels() const override { return project; }
    void applyRun(project::Labels next, const ui::RunChange& change) override {
        project = std::move(next);
        changes.push_back(change);
    }
    void showFrame(std::uint32_t, std::int64_t index) override {
        shown.push_back(index);
        frame = index;
        if (onShow)
            onShow();
    }
};

/// Answers every question of choosing with `path`.
class FakeDialogs : public ui::DialogService {
public:
    QString path;
    std::optional<QString> text;  ///< for askText()
    int questions = 0;
    void askUnsaved(QWidget*, const QString&, std::function<void(Unsaved)> then) override { then(Unsaved::Discard); }
    void chooseFiles(QWidget*, const QString&, const QString&, const QString&,
                     std::function<void(const QStringList&)> then) override {
        ++questions;
        then(path.isEmpty() ? QStringList() : QStringList{path});
    }
    void chooseFolder(QWidget*, const QString&, const QString&, std::function<void(const QString&)> then) override {
        ++questions;
        then(path);
    }
    void chooseSavePath(QWidget*, const QString&, std::function<void(const QString&)> then) override {
        ++questions;
        then(path);
    }
    void chooseNewFile(QWidget*, const QString&, const QString&, const QString&,
                       std::function<void(const QString&)> then) override {
        ++questions;
        then(path);
    }
    void confirm(QWidget*, const QString&, const QString&, const QString&, std::function<void(bool)> then) override {
        ++questions;
        then(true);
    }
    void askNumber(QWidget*, const QString&, const QString&, std::int64_t, std::int64_t, std::int64_t,
                   std::function<void(std::optional<std::int64_t>)> then) override {
        then(std::nullopt);
    }
    void askDecimal(QWidget*, const QString&, const QString&, double, double, double, int,
                    std::function<void(std::optional<double>)> then) override {
        then(std::nullopt);
    }
    void askText(QWidget*, const QString&, const QString&, const QString&,
                 std::function<void(std::optional<QString>)> then) override {
        then(text);
    }
};

}  // namespace skein::test
