// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "engine/pipeline/job.h"
#include "engine/pipeline/profile_table.h"
#include "engine/pipeline/run_report.h"
#include "tests/support/fake_runner.h"
#include "tests/support/fake_video.h"

using namespace skein;
using namespace skein::pipeline;
using namespace std::chrono_literals;
using profile::Stage;
using Clock = std::chrono::steady_clock;

namespace {

/// How long turns of a stage took, measured from within and from outside the profiler's own clock: whatever a busy
/// machine does between two clocks, what the profiler says lies between them.
struct Times {
    std::vector<double> least, most;
};

/// A fake model whose stages take known times: it measures them itself.
class SleepingRunner final : public inference::InferenceRunner {
public:
    struct Measured {
        Times assemble, forward;
        std::uint64_t up = 0, upBytes = 0, down = 0, downBytes = 0;
    };
    SleepingRunner(std::shared_ptr<Measured> measured, profile::Profiler& profiler)
        : m_measured(std::move(measured)),
          m_profiler(profiler),
          m_inner(std::make_shared<test::FakeBehaviour>(), profiler) {}

    Result<std::unique_ptr<inference::PendingBatch>> submit(std::span<const ImagePtr> images) override {
        const int turn = m_turn++;
        // One in ten is slow, so that mean, median and p95 are three different things.
        sleep(Stage::BatchAssemble, turn % 10 == 3 ? 9ms : 3ms, m_measured->assemble);
        sleep(Stage::Forward, turn % 10 == 7 ? 20ms : 6ms, m_measured->forward);
        ++m_measured->up;
        m_measured->upBytes += 1;
        auto pending = m_inner.submit(images);
        if (!pending)
            return pending;
        return std::unique_ptr<inference::PendingBatch>(std::make_unique<Hooked>(std::move(*pending), m_measured));
    }
    Result<void> warmUp(int, int, int) override { return {}; }
    Result<double> secondsFor(int, int, int, int) override { return 0; }
    const models::ModelSpec& spec() const override { return m_inner.spec(); }
    const models::PreprocessSpec& preprocess() const override { return m_inner.preprocess(); }
    std::string device() const override { return "fake"; }

private:
    /// Counts what really crosses over to the host.
    struct Hooked final : inference::PendingBatch {
        Hooked(std::unique_ptr<inference::PendingBatch> p, std::shared_ptr<Measured> m)
            : pending(std::move(p)), measured(std::move(m)) {}
        Result<inference::HostBatch> wait() override {
            auto host = pending->wait();
            if (host) {
                ++measured->down;
                measured->downBytes += host->packed.size() * sizeof(float);
            }
            return host;
        }
        std::unique_ptr<inference::PendingBatch> pending;
        std::shared_ptr<Measured> measured;
    };

    void sleep(Stage stage, std::chrono::milliseconds time, Times& into) {
        const auto since = [](Clock::time_point start) {
            return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
        };
        const auto outside = Clock::now();
        {
            const profile::Span span(m_profiler, stage);
            const auto inside = Clock::now();
            std::this_thread::sleep_for(time);
            into.least.push_back(since(inside));
        }
        into.most.push_back(since(outside));
    }

    std::shared_ptr<Measured> m_measured;
    profile::Profiler& m_profiler;
    test::FakeRunner m_inner;
    int m_turn = 0;
};

/// Linear interpolation between sorted samples.
double quantile(std::vector<double> samples, double q) {
    std::sort(samples.begin(), samples.end());
    const double position = q * static_cast<double>(samples.size() - 1);
    const auto low = static_cast<std::size_t>(position);
    return samples[low] +
           (samples[std::min(low + 1, samples.size() - 1)] - samples[low]) * (position - static_cast<double>(low));
}

double mean(const std::vector<double>& samples) {
    return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

struct Run {
    std::shared_ptr<SleepingRunner::Measured> measured = std::make_shared<SleepingRunner::Measured>();
    std::shared_ptr<const JobProgress> progress;
    profile::Trace trace;
};

Run runSleeping(int groupThreads) {
    Run run;
    JobSpec spec;
    spec.models = {test::fakeModel()};
    auto video = std::make_shared<test::FakeVideo>(240);
    JobSource source{0, video, std::vector<std::int64_t>(240), "fake"};
    std::iota(source.frames.begin(), source.frames.end(), 0);
    spec.sources.push_back(std::move(source));
    spec.groupThreads = groupThreads;
    spec.traceEvents = 100000;
    tracking::TrackingFacts facts;
    facts.skeletonNodeCounts = {2};
    if (auto options = tracking::resolveOptions({}, facts))
        spec.tracking = *options;
    spec.makeRunner = [m = run.measured](
                          const JobSpec&,
                          profile::Profiler& profiler) -> Result<std::unique_ptr<inference::InferenceRunner>> {
        return std::unique_ptr<inference::InferenceRunner>(new SleepingRunner(m, profiler));
    };
    auto job = Job::start(std::move(spec));
    if (!job || (*job)->wait().state != JobState::Finished)
        return run;
    run.progress = (*job)->progress();
    run.trace = (*job)->trace();
    return run;
}

}  // namespace

class TestRunProfile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void F_01_stageTotalsAddUpToWallTimesThreads_data() {
        QTest::addColumn<int>("groupThreads");
        QTest::newRow("four threads") << 1;
        QTest::newRow("six threads") << 3;
    }
    void F_01_stageTotalsAddUpToWallTimesThreads() {
        QFETCH(const int, groupThreads);
        const Run run = runSleeping(groupThreads);
        QVERIFY(run.progress);
        const profile::Summary& s = run.progress->profile;
        QCOMPARE(s.threads, 3 + groupThreads);
        double total = 0, named = 0;
        for (const profile::StageSummary& stage : s.stages)
            named += stage.totalMs;
        total = named;
        for (const profile::StageSummary& stage : s.beside)
            total += stage.totalMs;
        const double all = s.threads * s.threadsWallMs;
        QVERIFY2(std::abs(total - all) <= 0.05 * all, qPrintable(QStringLiteral("%1 ms of %2 ms").arg(total).arg(all)));
        // And not by everything being called waiting.
        QVERIFY(named >= 0.8 * (mean(run.measured->assemble.least) + mean(run.measured->forward.least)) *
                             static_cast<double>(run.measured->forward.least.size()));
        qInfo("%.1f ms of %.1f ms", total, all);
    }

    void F_02_meanAndP95OfKnownTimes() {
        const Run run = runSleeping(1);
        QVERIFY(run.progress);
        const auto& stages = run.progress->profile.stages;
        const auto isBetween = [](double told, double least, double most) {
            return told >= 0.98 * least && told <= 1.02 * most;
        };
        const auto check = [&](Stage stage, const Times& measured) {
            const profile::StageSummary& told = stages[static_cast<std::size_t>(stage)];
            QCOMPARE(told.count, static_cast<std::uint64_t>(measured.least.size()));
            const double least = mean(measured.least), most = mean(measured.most);
            QVERIFY2(isBetween(told.avgMs, least, most),
                     qPrintable(QStringLiteral("avg %1, really %2 to %3").arg(told.avgMs).arg(least).arg(most)));
            const double least95 = quantile(measured.least, 0.95), most95 = quantile(measured.most, 0.95);
            QVERIFY2(isBetween(told.p95Ms, least95, most95),
                     qPrintable(QStringLiteral("p95 %1, really %2 to %3").arg(told.p95Ms).arg(least95).arg(most95)));
            QVERIFY(told.maxMs >= told.p95Ms && told.p95Ms > told.avgMs);
        };
        QCOMPARE(run.measured->forward.least.size(), std::size_t{60});
        check(Stage::BatchAssemble, run.measured->assemble);
        check(Stage::Forward, run.measured->forward);
    }

    void F_03_copiesAreThoseThatAHookSees() {
        const Run run = runSleeping(1);
        QVERIFY(run.progress);
        const profile::Summary& s = run.progress->profile;
        QCOMPARE(s.deviceToHost.count, run.measured->down);
        QCOMPARE(s.deviceToHost.bytes, run.measured->downBytes);
        QCOMPARE(s.hostToDevice.count, run.measured->up);
        QCOMPARE(s.batches, run.measured->down);
    }

    void theTraceHoldsEachTurnOnce() {
        const Run run = runSleeping(1);
        QVERIFY(run.progress);
        QCOMPARE(run.trace.dropped, std::uint64_t{0});
        std::map<Stage, std::uint64_t> turns;
        std::map<int, std::int64_t> ends;
        for (const profile::TraceEvent& event : run.trace.events) {
            ++turns[event.stage];
            QVERIFY(event.thread >= 0 && event.thread < static_cast<int>(run.trace.threads.size()));
            // No stage runs within another on one thread: shares would be counted twice.
            QVERIFY(event.startNs >= ends[event.thread] - 2000);
            ends[event.thread] = event.startNs + event.durationNs;
        }
        for (std::size_t i = 0; i < profile::kStageCount; ++i)
            QCOMPARE(turns[static_cast<Stage>(i)], run.progress->profile.stages[i].count);
        QVERIFY(std::find(run.trace.threads.begin(), run.trace.threads.end(), "skein-device") !=
                run.trace.threads.end());
    }

    void savedProfilesReadBackAndCompare() {
        const QTemporaryDir dir;
        const Run run = runSleeping(1);
        QVERIFY(run.progress);
        const std::filesystem::path file = dir.filePath("run.json").toStdString();
        QVERIFY(writeProfile(file, *run.progress, {2.5, 16, {}}));
        const auto saved = readProfile(file);
        QVERIFY2(saved, saved ? "" : saved.error().describe().c_str());
        QCOMPARE(saved->summary.stages.size(), std::size_t{8});
        QCOMPARE(saved->summary.threads, 4);
        // Tracking chose pairs; what its parts took lies within it.
        QCOMPARE(saved->summary.parts.size(), run.progress->profile.parts.size());
        const auto tracking = std::find_if(saved->summary.parts.begin(), saved->summary.parts.end(),
                                           [](const auto& part) { return part.stage == Stage::TrackerTrack; });
        QVERIFY(tracking != saved->summary.parts.end() && tracking->part == profile::Part::Assignment);
        QVERIFY(tracking->times.totalMs > 0 &&
                tracking->times.totalMs <=
                    saved->summary.stages[static_cast<std::size_t>(Stage::TrackerTrack)].totalMs);
        QCOMPARE(saved->summary.deviceToHost.count, run.measured->down);
        const std::string table = profileTable(*saved, nullptr, false);
        QVERIFY2(table.find("PAFScorer.predict") != std::string::npos && table.find("4 threads x") != std::string::npos,
                 table.c_str());
        SavedProfile faster = *saved;
        faster.summary.stages[static_cast<std::size_t>(Stage::Forward)].avgMs /= 2;
        const std::string compared = profileTable(faster, &*saved, true);
        QVERIFY2(compared.find("-50.0 %") != std::string::npos, compared.c_str());

        // The peer's shape has the stages alone.
        std::ofstream(file) << R"({"stages": [{"name": "Forward", "count": 2, "avg_ms": 3.5, "p95_ms": 4}]})";
        const auto peer = readProfile(file);
        QVERIFY(peer);
        QCOMPARE(peer->summary.stages.front().totalMs, 7.0);
        for (const char* wrong : {"", "[]", "{}", R"({"stages": 3})", R"({"stages": [{"name": "Forward"}]})"}) {
            std::ofstream(file) << wrong;
            QVERIFY2(!readProfile(file), wrong);
        }
    }
};

QTEST_GUILESS_MAIN(TestRunProfile)
#include "tst_run_profile.moc"
