// SPDX-License-Identifier: GPL-3.0-or-later
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/fake_runner.h"
#include "tests/ui/run/run_fakes.h"
#include "ui/bridge/job_bridge.h"

using namespace skein;
using namespace skein::ui;
using skein::test::FakeEngine;
using skein::test::FakeVideo;

namespace {

pipeline::JobSpec spec(std::int64_t frames) {
    pipeline::JobSpec job;
    models::ModelSpec model;
    model.skeleton.nodes = {"head", "tail"};
    job.models = {model};
    pipeline::JobSource source;
    source.source = std::make_shared<FakeVideo>(frames, 8, 8);
    for (std::int64_t i = 0; i < frames; ++i)
        source.frames.push_back(i);
    job.sources = {source};
    return job;
}

/// A job of the engine's, for a runner that answers with the value of the pictures.
pipeline::JobSpec fakeJob(std::int64_t frames, const std::shared_ptr<test::FakeBehaviour>& behaviour) {
    pipeline::JobSpec job = spec(frames);
    job.models = {test::fakeModel()};
    job.makeRunner = [behaviour](const pipeline::JobSpec&,
                                 profile::Profiler& profiler) -> Result<std::unique_ptr<inference::InferenceRunner>> {
        return std::make_unique<test::FakeRunner>(behaviour, profiler);
    };
    return job;
}

}  // namespace

class TestJobBridge : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void resultsArriveInOrder() {
        FakeEngine engine;
        JobBridge bridge(engine.starter());
        std::vector<std::int64_t> frames;
        std::int64_t doneWhenTold = -1;
        connect(&bridge, &JobBridge::resultsArrived, this, [&](const std::vector<pipeline::FrameResult>& results) {
            for (const auto& result : results)
                frames.push_back(result.frame.frameIndex);
            // Whoever hears of results can rely on the progress that counts them.
            doneWhenTold = bridge.progress()->framesDone;
            QVERIFY(doneWhenTold >= static_cast<std::int64_t>(frames.size()));
        });
        QSignalSpy ended(&bridge, &JobBridge::ended);
        QVERIFY(bridge.start(spec(100)));
        QVERIFY(bridge.isRunning());
        for (int i = 0; i < 10; ++i) {
            engine.finishFrames(10);
            if (i % 3 == 0)
                QTRY_COMPARE(frames.size(), std::size_t(10 * (i + 1)));
        }
        engine.end(pipeline::JobState::Finished);
        // The end comes after everything else, whatever was still waiting.
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(frames.size(), std::size_t{100});
        QVERIFY(std::is_sorted(frames.begin(), frames.end()));
        QVERIFY(!bridge.isRunning());
        QCOMPARE(bridge.progress()->framesDone, std::int64_t{100});
        QTRY_VERIFY(engine.state().destroyed);
    }

    void pollsThirtyTimesASecondAtMost() {
        FakeEngine engine;
        JobBridge bridge(engine.starter());
        QVERIFY(bridge.start(spec(10)));
        int polls = 0;
        const auto polled = [&] {
            engine.change([&](FakeEngine::State& s) { polls = s.polls; });
            return polls;
        };
        QElapsedTimer timer;
        timer.start();
        QTRY_VERIFY(polled() >= 10);
        // Looked at before the clock is: a pause in between makes the limit no tighter.
        QVERIFY2(polls <= 3 + 30 * double(timer.elapsed()) / 1000, qPrintable(QString::number(polls)));
        engine.end(pipeline::JobState::Finished);
        QTRY_VERIFY(!bridge.isRunning());
        // Nothing is polled once nothing runs.
        const auto progress = bridge.progress();
        QTest::qWait(100);
        QCOMPARE(bridge.progress(), progress);
    }

    void pauseAndResume() {
        FakeEngine engine;
        JobBridge bridge(engine.starter());
        bridge.setPaused(true);
        QVERIFY(!bridge.isPaused());  // nothing to pause
        QVERIFY(bridge.start(spec(10)));
        bridge.setPaused(true);
        QVERIFY(bridge.isPaused());
        QVERIFY(engine.state().paused);
        QVERIFY(bridge.progress()->paused);
        bridge.setPaused(false);
        QVERIFY(!engine.state().paused);
        engine.end(pipeline::JobState::Finished);
        QTRY_VERIFY(!bridge.isRunning());
    }

    void cancelIsPassedOnAtOnce() {
        FakeEngine engine;
        JobBridge bridge(engine.starter());
        QSignalSpy ended(&bridge, &JobBridge::ended);
        std::size_t results = 0;
        connect(&bridge, &JobBridge::resultsArrived, this, [&](const auto& list) { results += list.size(); });
        QVERIFY(bridge.start(spec(100)));
        engine.finishFrames(8);
        bridge.cancel();
        QVERIFY(engine.state().cancelled);
        QVERIFY(bridge.isCancelling());
        // The batch in work still comes.
        engine.finishFrames(4);
        engine.end(pipeline::JobState::Cancelled);
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(ended.front().front().value<pipeline::JobOutcome>().state, pipeline::JobState::Cancelled);
        QCOMPARE(results, std::size_t{12});
    }

    void failureKeepsItsSentence() {
        FakeEngine engine;
        JobBridge bridge(engine.starter());
        std::optional<pipeline::JobOutcome> outcome;
        connect(&bridge, &JobBridge::ended, this, [&](const pipeline::JobOutcome& o) { outcome = o; });
        QVERIFY(bridge.start(spec(10)));
        engine.end(pipeline::JobState::Failed, Error(ErrorCode::Model, "The weight conv.0 is missing in best.ckpt."));
        QTRY_VERIFY(outcome.has_value());
        QVERIFY(outcome->error.has_value());
        QCOMPARE(QString::fromStdString(outcome->error->message()),
                 QStringLiteral("The weight conv.0 is missing in best.ckpt."));
    }

    void refusedStart() {
        FakeEngine engine;
        engine.refusal = Error(ErrorCode::InvalidArgument, "There is no frame to predict in the chosen range.");
        JobBridge bridge(engine.starter());
        const auto refused = bridge.start(spec(10));
        QVERIFY(!refused);
        QVERIFY(!bridge.isRunning());
        QVERIFY(bridge.start(spec(10)));
        // One at a time.
        const auto second = bridge.start(spec(10));
        QVERIFY(!second);
        QVERIFY(QString::fromStdString(second.error().message()).contains("in progress"));
        engine.end(pipeline::JobState::Finished);
        QTRY_VERIFY(!bridge.isRunning());
        QVERIFY(bridge.start(spec(10)));
    }

    void stalledAfterThirtySeconds() {
        FakeEngine engine;
        JobBridge bridge(engine.starter());
        qint64 now = 0;
        bridge.setClock([&now] { return now; });
        QVERIFY(bridge.start(spec(100)));
        engine.finishFrames(5);
        QTRY_COMPARE(bridge.progress()->framesDone, std::int64_t{5});
        now = 29000;
        QCOMPARE(bridge.stalledSeconds(), 0);
        now = 42000;
        QCOMPARE(bridge.stalledSeconds(), 42);
        // A pause is no stall.
        bridge.setPaused(true);
        QCOMPARE(bridge.stalledSeconds(), 0);
        bridge.setPaused(false);
        QCOMPARE(bridge.stalledSeconds(), 0);
        engine.finishFrames(5);
        QTRY_COMPARE(bridge.progress()->framesDone, std::int64_t{10});
        now = 71000;
        QCOMPARE(bridge.stalledSeconds(), 0);
    }

    // From here on the engine's own job, with a runner that needs no LibTorch.
    void enginesJobInOrder() {
        JobBridge bridge;
        const auto behaviour = std::make_shared<test::FakeBehaviour>();
        behaviour->perBatch = std::chrono::milliseconds(2);
        std::vector<std::int64_t> frames;
        connect(&bridge, &JobBridge::resultsArrived, this, [&](const std::vector<pipeline::FrameResult>& results) {
            for (const auto& result : results) {
                frames.push_back(result.frame.frameIndex);
                // The runner answers with the picture's value: results belong to their frames.
                if (result.frame.frameIndex % 256 != 0)
                    QCOMPARE(result.frame.instances.at(0).points.at(0).x, double(result.frame.frameIndex % 256));
            }
        });
        QSignalSpy ended(&bridge, &JobBridge::ended);
        QVERIFY(bridge.start(fakeJob(300, behaviour)));
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(frames.size(), std::size_t{300});
        QVERIFY(std::is_sorted(frames.begin(), frames.end()));
        QCOMPARE(bridge.progress()->profile.batches, std::uint64_t{75});
        QCOMPARE(bridge.progress()->profile.deviceToHost.count, std::uint64_t{75});
    }

    void enginesJobCancelsWithinABatch() {
        JobBridge bridge;
        const auto behaviour = std::make_shared<test::FakeBehaviour>();
        behaviour->holdAfter(2);
        std::size_t results = 0;
        connect(&bridge, &JobBridge::resultsArrived, this, [&](const auto& list) { results += list.size(); });
        QSignalSpy ended(&bridge, &JobBridge::ended);
        QVERIFY(bridge.start(fakeJob(4000, behaviour)));
        QTRY_COMPARE(results, std::size_t{8});
        const int begun = behaviour->batches;
        bridge.cancel();
        behaviour->release();
        QTRY_COMPARE(ended.count(), 1);
        // The batch on the device may end, another one does not begin.
        QCOMPARE(behaviour->batches.load(), begun);
        QVERIFY(results < 4000);
    }

    void enginesJobPauses() {
        JobBridge bridge;
        const auto behaviour = std::make_shared<test::FakeBehaviour>();
        behaviour->holdAfter(2);
        std::size_t results = 0;
        connect(&bridge, &JobBridge::resultsArrived, this, [&](const auto& list) { results += list.size(); });
        QSignalSpy ended(&bridge, &JobBridge::ended);
        QVERIFY(bridge.start(fakeJob(400, behaviour)));
        QTRY_COMPARE(results, std::size_t{8});
        const int whenPaused = behaviour->batches;
        bridge.setPaused(true);
        behaviour->release();
        // The two batches that are on their way come, and then nothing more.
        QTRY_COMPARE(results, std::size_t{16});
        QTest::qWait(150);
        QCOMPARE(results, std::size_t{16});
        QCOMPARE(behaviour->batches.load(), whenPaused);
        bridge.setPaused(false);
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(results, std::size_t{400});
    }

    void enginesJobFails() {
        JobBridge bridge;
        const auto behaviour = std::make_shared<test::FakeBehaviour>();
        behaviour->failAtBatch = 5;
        std::size_t results = 0;
        connect(&bridge, &JobBridge::resultsArrived, this, [&](const auto& list) { results += list.size(); });
        std::optional<pipeline::JobOutcome> outcome;
        connect(&bridge, &JobBridge::ended, this, [&](const pipeline::JobOutcome& o) { outcome = o; });
        QVERIFY(bridge.start(fakeJob(400, behaviour)));
        QTRY_VERIFY(outcome.has_value());
        QCOMPARE(outcome->state, pipeline::JobState::Failed);
        QCOMPARE(outcome->error->message(), std::string("The device fell off."));
        QVERIFY(results <= 20);
    }

    void destroyedWhileRunning() {
        FakeEngine engine;
        {
            JobBridge bridge(engine.starter());
            QVERIFY(bridge.start(spec(10)));
            engine.finishFrames(3);
        }
        QVERIFY(engine.state().cancelled);
        QVERIFY(engine.state().destroyed);
    }
};

QTEST_MAIN(TestJobBridge)
#include "tst_job_bridge.moc"
