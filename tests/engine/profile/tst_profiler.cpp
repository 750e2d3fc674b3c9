// SPDX-License-Identifier: BSD-3-Clause
#include <QTest>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>
#include <vector>

#include "engine/profile/profiler.h"
#include "tests/support/worked_time.h"

using skein::profile::Profiler;
using skein::profile::Stage;
using skein::profile::StageSummary;
using skein::profile::Summary;

namespace {

/// Reference: linear interpolation between sorted samples.
double quantile(std::vector<double> samples, double q) {
    std::sort(samples.begin(), samples.end());
    const double position = q * static_cast<double>(samples.size() - 1);
    const auto low = static_cast<std::size_t>(position);
    const std::size_t high = std::min(low + 1, samples.size() - 1);
    return samples[low] + (samples[high] - samples[low]) * (position - static_cast<double>(low));
}

bool within(double value, double expected, double share) {
    return std::abs(value - expected) <= share * std::abs(expected) + 1e-9;
}

const StageSummary& stageOf(const Summary& summary, Stage stage) {
    return summary.stages[static_cast<std::size_t>(stage)];
}

}  // namespace

class TestProfiler : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void quantiles_data() {
        QTest::addColumn<QVector<double>>("samplesNs");
        QTest::newRow("one") << QVector<double>{1500000};
        QTest::newRow("zero") << QVector<double>{0};
        QTest::newRow("two far apart") << QVector<double>{1000, 900000000};
        QTest::newRow("tiny") << QVector<double>{1, 2, 3, 5, 8, 13, 21, 34, 55, 63, 64, 65};
        QTest::newRow("hour long") << QVector<double>{3.6e12, 3.6e12, 3.6e12};
        std::mt19937 random(7);
        QVector<double> wide;
        std::lognormal_distribution<double> spread(14, 1.2);
        for (int i = 0; i < 20000; ++i)
            wide << std::floor(spread(random));
        QTest::newRow("lognormal") << wide;
        QVector<double> two;
        for (int i = 0; i < 100; ++i)
            two << (i < 94 ? 2e6 : 50e6);
        QTest::newRow("two kinds") << two;
    }
    void quantiles() {
        QFETCH(const QVector<double>, samplesNs);
        Profiler profiler;
        double total = 0;
        for (const double ns : samplesNs) {
            profiler.record(Stage::Forward, std::chrono::nanoseconds(static_cast<std::int64_t>(ns)));
            total += ns / 1e6;
        }
        const Summary summary = profiler.summary();
        const StageSummary& forward = stageOf(summary, Stage::Forward);
        const std::vector<double> samples(samplesNs.begin(), samplesNs.end());
        QCOMPARE(forward.count, static_cast<std::uint64_t>(samples.size()));
        QVERIFY(within(forward.totalMs, total, 1e-9));
        QVERIFY(within(forward.avgMs, total / static_cast<double>(samples.size()), 1e-9));
        QVERIFY2(within(forward.p50Ms, quantile(samples, 0.5) / 1e6, 0.008),
                 qPrintable(QString::number(forward.p50Ms)));
        QVERIFY2(within(forward.p95Ms, quantile(samples, 0.95) / 1e6, 0.008),
                 qPrintable(QString::number(forward.p95Ms)));
        QCOMPARE(stageOf(summary, Stage::Write).count, std::uint64_t{0});
        QCOMPARE(stageOf(summary, Stage::Write).p95Ms, 0.0);
    }

    // Stages of known length on two threads.
    void sleepingStages() {
        Profiler profiler;
        // Sleeping takes at least as long as asked, and on a busy machine longer: measured from outside, too.
        using Clock = std::chrono::steady_clock;
        const auto work = [&profiler](Stage stage, int milliseconds, int times, std::vector<double>& measured) {
            for (int i = 0; i < times; ++i) {
                const auto start = Clock::now();
                {
                    const skein::profile::Span span(profiler, stage);
                    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
                }
                measured.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
            }
        };
        std::vector<double> deviceMs, hostMs;
        {
            const std::jthread device([&] { work(Stage::Forward, 50, 8, deviceMs); });
            const std::jthread host([&] { work(Stage::PafScorer, 25, 12, hostMs); });
        }
        const Summary summary = profiler.summary();
        const StageSummary& forward = stageOf(summary, Stage::Forward);
        QCOMPARE(forward.count, std::uint64_t{8});
        QVERIFY2(forward.p50Ms >= 50 * 0.993 && forward.p50Ms <= quantile(deviceMs, 0.5) * 1.008,
                 qPrintable(QString::number(forward.p50Ms)));
        const StageSummary& scorer = stageOf(summary, Stage::PafScorer);
        QCOMPARE(scorer.count, std::uint64_t{12});
        QVERIFY2(scorer.p50Ms >= 25 * 0.993 && scorer.p50Ms <= quantile(hostMs, 0.5) * 1.008,
                 qPrintable(QString::number(scorer.p50Ms)));
    }

    void copiesAndBatches() {
        Profiler profiler;
        for (int i = 0; i < 5; ++i) {
            profiler.countCopyToDevice(100);
            profiler.countCopyToHost(7);
            profiler.countBatch(i < 4 ? 8 : 3, i == 4);
        }
        const Summary summary = profiler.summary();
        QCOMPARE(summary.batches, std::uint64_t{5});
        QCOMPARE(summary.partialBatches, std::uint64_t{1});
        QCOMPARE(summary.frames, std::uint64_t{35});
        QCOMPARE(summary.hostToDevice.bytes, std::uint64_t{500});
        QCOMPARE(summary.deviceToHost.count, std::uint64_t{5});
        QCOMPARE(summary.deviceToHost.bytes, std::uint64_t{35});
    }

    // The window asks 30 times a second while a run goes on, whatever its length.
    void summaryCostDoesNotGrow() {
        Profiler profiler;
        for (std::int64_t i = 0; i < 400000; ++i)
            profiler.record(Stage::Forward, std::chrono::nanoseconds(1000 + (i * 7919) % 100000));
        const skein::test::WorkedTime time;
        double sum = 0;
        for (int i = 0; i < 100; ++i)
            sum += profiler.summary().stages[3].p95Ms;
        const double ms = time.ms() / 100;
        QVERIFY(sum > 0);
        QVERIFY2(ms < 2, qPrintable(QStringLiteral("%1 ms each").arg(ms)));
        qInfo("one summary takes %.3f ms", ms);
    }

    void afterAResetOnlyWhatCameSinceCounts() {
        Profiler profiler;
        profiler.record(Stage::Forward, std::chrono::milliseconds(500));
        profiler.countBatch(8, true);
        profiler.countCopyToHost(10);
        profiler.countCopyToDevice(10);
        profiler.reset();
        const Summary none = profiler.summary();
        QCOMPARE(stageOf(none, Stage::Forward).count, std::uint64_t{0});
        QCOMPARE(none.batches + none.partialBatches + none.frames + none.deviceToHost.count + none.hostToDevice.bytes,
                 std::uint64_t{0});
        profiler.record(Stage::Forward, std::chrono::milliseconds(2));
        const Summary summary = profiler.summary();
        const StageSummary& forward = stageOf(summary, Stage::Forward);
        QCOMPARE(forward.count, std::uint64_t{1});
        QVERIFY(within(forward.p95Ms, 2, 0.02) && within(forward.maxMs, 2, 1e-6) && within(forward.avgMs, 2, 1e-6));
    }

    void aTraceThatWasTakenIsGone() {
        Profiler profiler;
        profiler.startTrace();
        profiler.record(Stage::Forward, std::chrono::milliseconds(2));
        const auto trace = profiler.takeTrace();
        QCOMPARE(trace.events.size(), std::size_t{1});
        profiler.record(Stage::Forward, std::chrono::milliseconds(2));
        QVERIFY(profiler.trace().events.empty());
        profiler.startTrace();
        profiler.record(Stage::Write, std::chrono::milliseconds(1));
        QCOMPARE(profiler.takeTrace().events.size(), std::size_t{1});
    }

    void partsBelongToTheStageThatTheirThreadIsIn() {
        using skein::profile::Part;
        using skein::profile::PartSpan;
        using skein::profile::Span;
        Profiler profiler;
        { const PartSpan nowhere(Part::Assignment); }
        {
            const Span tracking(profiler, Stage::TrackerTrack);
            {
                const Span inner(profiler, Stage::Wait);
                const PartSpan part(Part::Peaks);
            }
            const PartSpan part(Part::Assignment);
            // A thread that works for another one's stage says whose.
            std::thread([&] {
                const PartSpan none(Part::Assignment);
                const PartSpan crops(profiler, Stage::Forward, Part::Crops);
            }).join();
        }
        { const PartSpan nowhere(Part::Assignment); }
        const Summary summary = profiler.summary();
        QCOMPARE(summary.parts.size(), std::size_t{3});
        QCOMPARE(summary.parts[0].stage, Stage::Forward);
        QCOMPARE(summary.parts[0].times.name, std::string("crops"));
        QCOMPARE(summary.parts[1].stage, Stage::TrackerTrack);
        QCOMPARE(summary.parts[1].times.count, std::uint64_t{1});
        QVERIFY(summary.parts[1].times.totalMs <= stageOf(summary, Stage::TrackerTrack).totalMs);
        QCOMPARE(summary.parts[2].stage, Stage::Wait);
        profiler.reset();
        QVERIFY(profiler.summary().parts.empty());
    }
};

QTEST_GUILESS_MAIN(TestProfiler)
#include "tst_profiler.moc"
