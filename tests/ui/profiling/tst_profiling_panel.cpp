// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "tests/ui/profiling/fixed_engine.h"
#include "ui/models/profile_table_model.h"
#include "ui/panels/bottleneck.h"
#include "ui/panels/profiling_panel.h"
#include "ui/widgets/metric_card.h"
#include "ui/widgets/progress_line.h"
#include "ui/widgets/rate_strip.h"

using namespace skein;
using namespace skein::ui;
using profile::Stage;
using skein::test::FixedEngine;
using skein::test::snapshot;

namespace {

double cell(const ProfilingPanel& panel, Stage stage, ProfileTableModel::Column column) {
    QString text = panel.model()->index(int(stage), column).data().toString();
    return text.remove(',').section(QChar(0x2009), 0, 0).toDouble();
}

/// Counts what is painted, of a widget and all that lies in it.
class PaintCounter : public QObject {
public:
    explicit PaintCounter(QWidget* widget) {
        widget->installEventFilter(this);
        for (QWidget* part : widget->findChildren<QWidget*>())
            part->installEventFilter(this);
    }
    bool eventFilter(QObject*, QEvent* event) override {
        count += event->type() == QEvent::Paint ? 1 : 0;
        return false;
    }
    int count = 0;
};

bool within(double value, double expected, double share) {
    return std::abs(value - expected) <= share * expected;
}

}  // namespace

class TestProfilingPanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void F_02_figuresOfAFixedEngine() {
        const FixedEngine engine;
        ProfilingPanel panel;
        panel.show();
        panel.setRun(snapshot(engine.profiler.summary()));
        struct Row {
            Stage stage;
            double count, average, p50, p95, max, totalS;
        };
        // p95 of 40 forward passes of which 2 are slow: between the 38th and 39th, at 38.05 of 39.
        const std::vector<Row> rows = {{Stage::Forward, 40, 22, 20, 22, 60, 0.88},
                                       {Stage::BatchPrepare, 40, 0.3, 0.3, 0.3, 0.3, 0.012},
                                       {Stage::BatchAssemble, 40, 1.5, 1.5, 1.5, 1.5, 0.06},
                                       {Stage::PafScorer, 40, 4, 4, 4, 4, 0.16},
                                       {Stage::FrameBufferGet, 320, 0.25, 0.25, 0.25, 0.25, 0.08},
                                       {Stage::TrackerTrack, 320, 1, 1, 1, 1, 0.32}};
        for (const Row& row : rows) {
            const char* name = profile::stageName(row.stage);
            QVERIFY2(cell(panel, row.stage, ProfileTableModel::Count) == row.count, name);
            QVERIFY2(within(cell(panel, row.stage, ProfileTableModel::Average), row.average, 0.02), name);
            QVERIFY2(within(cell(panel, row.stage, ProfileTableModel::P50), row.p50, 0.02), name);
            QVERIFY2(within(cell(panel, row.stage, ProfileTableModel::P95), row.p95, 0.02), name);
            QVERIFY2(within(cell(panel, row.stage, ProfileTableModel::Max), row.max, 0.02), name);
            // Shown with two digits after the point.
            QVERIFY2(std::abs(cell(panel, row.stage, ProfileTableModel::Total) - row.totalS) <= 0.0051, name);
        }
        // 320 frames in 0.88 s of Forward alone.
        QVERIFY(within(cell(panel, Stage::Forward, ProfileTableModel::Alone), 320 / 0.88, 0.01));
        double shares = 0;
        for (int row = 0; row < int(profile::kStageCount); ++row)
            shares += panel.model()->index(row, ProfileTableModel::Share).data(ProfileTableModel::ShareRole).toDouble();
        QVERIFY(within(shares, 1, 1e-9));
        QVERIFY(panel.model()->index(int(Stage::Forward), 0).data(ProfileTableModel::LimitingRole).toBool());
        QVERIFY(panel.findChild<QLabel*>("profilingBottleneck")->text().startsWith("Network-bound: Forward takes 80"));
        const QString speed = panel.findChild<MetricCard*>("profilingRate")->value();
        QCOMPARE(speed, QStringLiteral("310"));
    }

    void modelIsConsistent() {
        ProfileTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 8);
        QCOMPARE(model.index(0, ProfileTableModel::Average).data().toString(), QString());
        const FixedEngine engine;
        model.setProfile({engine.profiler.summary(), Stage::Forward, {}, 1});
        model.clear();
        QCOMPARE(model.index(int(Stage::Forward), ProfileTableModel::Count).data().toString(), QString());
        const QStringList names = {"frame_buffer.get",  "BatchPrepare", "BatchAssemble", "Forward",
                                   "PAFScorer.predict", "Postprocess",  "Tracker.track", "Write"};
        for (int row = 0; row < 8; ++row)
            QCOMPARE(model.index(row, 0).data().toString(), names[row]);
    }

    void copiesCard_data() {
        QTest::addColumn<int>("copies");
        QTest::addColumn<bool>("running");
        QTest::addColumn<bool>("good");
        QTest::addColumn<QString>("value");
        QTest::newRow("one each") << 40 << false << true << "1";
        QTest::newRow("last batch under way") << 39 << true << true << "1";
        QTest::newRow("a copy is missing") << 39 << false << false << "0.975";
        QTest::newRow("one too many") << 41 << false << false << "1.025";
        QTest::newRow("one too many while running") << 41 << true << false << "1.025";
        QTest::newRow("two each") << 80 << false << false << "2.000";
    }
    void copiesCard() {
        QFETCH(const int, copies);
        QFETCH(const bool, running);
        QFETCH(const bool, good);
        profile::Summary summary = FixedEngine().profiler.summary();
        summary.deviceToHost.count = static_cast<std::uint64_t>(copies);
        ProfilingPanel panel;
        panel.show();
        panel.setRun(snapshot(summary, running ? RunState::Running : RunState::Finished));
        auto* card = panel.findChild<MetricCard*>("profilingCopiesToHost");
        QTEST(card->value(), "value");
        QCOMPARE(card->state(), good ? MetricCard::State::Good : MetricCard::State::Bad);
        QVERIFY(card->note().contains(good ? "batches" : "must be 1"));
        // Red is seen, not only known: the value is painted in the colour of "bad".
        const QImage picture = card->grab().toImage();
        int reddish = 0;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x) {
                const QColor c = picture.pixelColor(x, y);
                reddish += c.red() > 150 && c.red() > c.green() + 90 ? 1 : 0;
            }
        QCOMPARE(reddish > 20, !good);
    }

    void F_04_hiddenPanelDoesNothingAndIsUpToDateWhenItIsSeen() {
        const FixedEngine engine;
        ProfilingPanel panel;
        panel.show();
        const int shown = panel.refreshCount();
        panel.setRun(snapshot(engine.profiler.summary()));
        QVERIFY(panel.refreshCount() > shown);
        panel.hide();
        const int hidden = panel.refreshCount();
        QSignalSpy changed(panel.model(), &QAbstractItemModel::dataChanged);
        PaintCounter paints(&panel);
        for (int i = 0; i < 10; ++i) {
            panel.setRun(snapshot(engine.profiler.summary()));
            QTest::qWait(30);
        }
        QCOMPARE(panel.refreshCount(), hidden);
        QCOMPARE(changed.count(), 0);
        QCOMPARE(paints.count, 0);
        // The counters went on: what is seen first is the newest state.
        profile::Summary twice = engine.profiler.summary();
        twice.stages[std::size_t(Stage::Forward)].count = 80;
        panel.setRun(snapshot(twice));
        panel.show();
        QVERIFY(panel.refreshCount() > hidden);
        QCOMPARE(cell(panel, Stage::Forward, ProfileTableModel::Count), 80.0);
    }

    void fourTimesASecondAtMost() {
        const FixedEngine engine;
        ProfilingPanel panel;
        panel.show();
        panel.setRun(snapshot(engine.profiler.summary()));
        const int before = panel.refreshCount();
        QElapsedTimer clock;
        clock.start();
        int refreshed = 0;
        const auto refresh = [&] {
            panel.setRun(snapshot(engine.profiler.summary()));
            return refreshed = panel.refreshCount() - before;
        };
        QTRY_VERIFY(refresh() >= 4);
        QVERIFY2(refreshed <= 2 + 4 * double(clock.elapsed()) / 1000, qPrintable(QString::number(refreshed)));
    }

    void bottleneck_data() {
        QTest::addColumn<QVector<double>>("shares");  // per stage, of the run's time
        QTest::addColumn<int>("groupThreads");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("network") << QVector<double>{0.02, 0.01, 0.05, 0.9, 0.2, 0.01, 0.05, 0} << 1
                                 << "Network-bound: Forward takes 90";
        QTest::newRow("decoding") << QVector<double>{0.63, 0.01, 0.02, 0.3, 0.1, 0.01, 0.05, 0} << 1
                                  << "Decode-bound: the network waits 63";
        QTest::newRow("grouping") << QVector<double>{0.0, 0.01, 0.02, 0.4, 0.95, 0.01, 0.05, 0} << 1
                                  << "Grouping-bound: PAFScorer.predict takes 95";
        QTest::newRow("grouping on two threads")
            << QVector<double>{0.0, 0.01, 0.02, 0.6, 0.95, 0.01, 0.05, 0} << 2 << "Network-bound: Forward takes 60";
        QTest::newRow("tracking") << QVector<double>{0.1, 0.01, 0.02, 0.4, 0.2, 0.1, 0.85, 0.01} << 1
                                  << "Tracking-bound";
        QTest::newRow("upload") << QVector<double>{0.1, 0.01, 0.6, 0.3, 0.2, 0.1, 0.1, 0.01} << 1
                                << "Upload-bound: BatchAssemble takes 60";
    }
    void bottleneck() {
        QFETCH(const QVector<double>, shares);
        QFETCH(const int, groupThreads);
        QFETCH(const QString, sentence);
        pipeline::JobProgress progress;
        progress.secondsElapsed = 10;
        progress.profile.batches = 100;
        for (const double share : shares)
            progress.profile.stages.push_back({"", 100, share * 10000, share * 100, 0, 0});
        const Bottleneck found = findBottleneck(progress, groupThreads);
        QVERIFY2(found.sentence.startsWith(sentence), qPrintable(found.sentence));
        QVERIFY(found.stage.has_value());
        // Too early to tell.
        progress.secondsElapsed = 0.4;
        QVERIFY(!findBottleneck(progress, groupThreads).stage.has_value());
    }

    void theCriticalPathIsWhatTheRunWaitsFor_data() {
        QTest::addColumn<QVector<double>>("shares");  // per stage, of the run's time
        QTest::addColumn<int>("groupThreads");
        QTest::addColumn<QVector<double>>("path");
        QTest::newRow("network") << QVector<double>{0.02, 0.01, 0.05, 0.9, 0.2, 0.01, 0.05, 0} << 1
                                 << QVector<double>{0.02, 0.01, 0.05, 0.9, 0.02, 0, 0, 0};
        QTest::newRow("grouping holds the device up") << QVector<double>{0, 0.01, 0.04, 0.35, 0.95, 0.02, 0.1, 0} << 1
                                                      << QVector<double>{0, 0.01, 0.04, 0.35, 0.6, 0, 0, 0};
        QTest::newRow("tracking does") << QVector<double>{0, 0, 0, 0.4, 0.6, 0.1, 0.8, 0.1} << 2
                                       << QVector<double>{0, 0, 0, 0.4, 0, 0.06, 0.48, 0.06};
        // Nobody is waited for longer than he works: the rest was start-up.
        QTest::newRow("start-up") << QVector<double>{0, 0, 0, 0.4, 0.1, 0, 0, 0} << 1
                                  << QVector<double>{0, 0, 0, 0.4, 0.1, 0, 0, 0};
    }
    void theCriticalPathIsWhatTheRunWaitsFor() {
        QFETCH(const QVector<double>, shares);
        QFETCH(const int, groupThreads);
        QFETCH(const QVector<double>, path);
        pipeline::JobProgress progress;
        progress.secondsElapsed = 10;
        progress.profile.batches = 100;
        for (const double share : shares)
            progress.profile.stages.push_back({"", 100, share * 10000, share * 100, 0, 0});
        const auto found = criticalPath(progress, groupThreads);
        for (std::size_t i = 0; i < found.size(); ++i)
            QVERIFY2(std::abs(found[i] - path[qsizetype(i)]) < 1e-9,
                     qPrintable(QStringLiteral("stage %1: %2").arg(i).arg(found[i])));
    }

    void costlyResizingIsNamed() {
        pipeline::JobProgress progress;
        progress.secondsElapsed = 10;
        progress.profile.batches = 100;
        for (const double share : {0.0, 0.3, 0.05, 0.6, 0.1, 0.0, 0.0, 0.0})
            progress.profile.stages.push_back({"", 100, share * 10000, share * 100, 0, 0});
        QVERIFY(findBottleneck(progress, 1).hint.contains("Bringing frames to one shape costs 30"));
    }

    void howFastTheNetworkWouldBeIsSaidWhereDecodingIsTheLimit() {
        pipeline::JobProgress progress;
        progress.secondsElapsed = 10;
        progress.framesDone = 400;
        progress.profile.batches = 100;
        for (const double share : {0.6, 0.0, 0.05, 0.2, 0.1, 0.0, 0.0, 0.0})
            progress.profile.stages.push_back({"", 100, share * 10000, share * 100, 0, 0});
        const QString hint = findBottleneck(progress, 1).hint;
        QVERIFY2(hint.startsWith("The network alone would take 200"), qPrintable(hint));
    }

    void partsOfAStageFoldOut() {
        FixedEngine engine;
        for (int frame = 0; frame < 320; ++frame)
            engine.profiler.record(Stage::Decode, std::chrono::microseconds(2000));
        for (int batch = 0; batch < 40; ++batch)
            engine.profiler.recordPart(Stage::PafScorer, profile::Part::Assignment, std::chrono::microseconds(700));
        ProfileTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setProfile({engine.profiler.summary(), Stage::Forward, {}, 1});
        QCOMPARE(model.index(0, 0).data(ProfileTableModel::FoldRole).toInt(), 1);
        QCOMPARE(model.index(1, 0).data(ProfileTableModel::FoldRole).toInt(), 0);
        model.toggle(1);  // has no parts
        QCOMPARE(model.rowCount(), 8);
        model.toggle(0);
        QCOMPARE(model.rowCount(), 9);
        QCOMPARE(model.index(0, 0).data(ProfileTableModel::FoldRole).toInt(), 2);
        QCOMPARE(model.index(1, 0).data().toString(), QStringLiteral("decode"));
        QCOMPARE(model.index(1, ProfileTableModel::Count).data().toString(), QStringLiteral("320"));
        QCOMPARE(model.index(1, ProfileTableModel::Alone).data().toString(), QStringLiteral("500"));
        model.toggle(4);  // Forward
        QCOMPARE(model.rowCount(), 14);
        QStringList under;
        for (int row = 5; row < 10; ++row)
            under << model.index(row, 0).data().toString();
        QCOMPARE(under, (QStringList{"load model", "queue on device", "crops", "NMS", "PAF lines"}));
        model.toggle(10);  // PAFScorer.predict
        QCOMPARE(model.index(11, 0).data().toString(), QStringLiteral("assignment"));
        QCOMPARE(model.index(11, ProfileTableModel::Average).data().toString(), QStringLiteral("0.70"));
        QCOMPARE(model.index(11, ProfileTableModel::Share).data().toString(), QString());
        model.toggle(10);
        model.toggle(0);
        model.toggle(3);
        QCOMPARE(model.rowCount(), 8);
        QCOMPARE(model.index(3, 0).data().toString(), QStringLiteral("Forward"));
    }

    void queuesHaveAMinuteOfHistory() {
        DepthHistory history;
        for (int tick = 0; tick < 400; ++tick)
            history.add(tick * 0.25, tick % 4 == 1 ? 8 : 2);  // the most of each second counts
        const std::vector<float> shares = history.shares(16);
        QCOMPARE(shares.size(), DepthHistory::kSeconds);
        for (const float share : shares)
            QCOMPARE(share, 0.5F);
        history.clear();
        history.add(0, 4);
        QCOMPARE(history.shares(16).back(), 0.25F);
        QVERIFY(history.shares(16).front() < 0);
    }

    void historyOfTheLastMinute() {
        RateHistory history;
        QCOMPARE(history.rate(0), -1.0);
        history.add(0, 0, false);
        for (int tick = 1; tick <= 10; ++tick)
            history.add(tick * 0.25, tick * 20, false);
        QVERIFY(within(history.rate(0), 80, 1e-9));
        QVERIFY(within(history.rate(1), 80, 1e-9));
        QCOMPARE(history.rate(2), -1.0);
        history.add(3.25, 200, true);
        QCOMPARE(history.rate(0), -1.0);  // paused
        for (int second = 4; second < 100; ++second)
            history.add(second + 0.25, 200 + second * 10, false);
        QVERIFY(within(history.rate(59), 10, 1e-9));
        QCOMPARE(history.rate(60), -1.0);
        QVERIFY(within(history.peak(), 240, 1e-9) || history.peak() <= 240);
        const auto version = history.version();
        history.clear();
        QVERIFY(history.version() > version);
        QCOMPARE(history.rate(0), -1.0);
    }

    void emptyPanelTeaches() {
        ProfilingPanel panel;
        panel.show();
        QCOMPARE(panel.findChild<QLabel*>("profilingBottleneck")->text(), QStringLiteral("No run yet."));
        QVERIFY(panel.findChild<QLabel*>("profilingHint")->isVisible());
    }

    void theRunIsNamedAndItsOutcomeStays() {
        const FixedEngine engine;
        ProfilingPanel panel;
        panel.show();
        panel.setRun(snapshot(engine.profiler.summary()));
        const auto text = [&](const char* name) { return panel.findChild<QLabel*>(QLatin1String(name))->text(); };
        QCOMPARE(panel.findChild<ElidedLabel*>("profilingRun")->fullText(),
                 QString::fromUtf8("Frames 1–320 of fly.mp4"));
        QCOMPARE(text("profilingOutcome"), QStringLiteral("Predicting"));
        panel.setRun(snapshot(engine.profiler.summary(), RunState::Finished));
        QTRY_VERIFY2(text("profilingOutcome").startsWith("Finished: 320 frames"), qPrintable(text("profilingOutcome")));
        QVERIFY(text("profilingOutcome").contains("(291"));
        QCOMPARE(cell(panel, Stage::Forward, ProfileTableModel::Count), 40.0);
    }

    void whatIsOverIsNotSaidToBeMeasured() {
        profile::Profiler two;
        for (int batch = 0; batch < 2; ++batch) {
            two.record(Stage::Forward, std::chrono::milliseconds(20));
            two.countBatch(4, false);
        }
        ProfilingPanel panel;
        panel.show();
        auto* sentence = panel.findChild<QLabel*>("profilingBottleneck");
        panel.setRun(snapshot(two.summary()));
        QVERIFY2(sentence->text().startsWith("Measuring"), qPrintable(sentence->text()));
        panel.setRun(snapshot(two.summary(), RunState::Finished));
        QTRY_VERIFY2(sentence->text().startsWith("Too short to tell what limited it: 2 batches"),
                     qPrintable(sentence->text()));
    }

    void aRunOfTheQueueHasItsNameAndNoReset() {
        const FixedEngine engine;
        ProfilingPanel panel;
        panel.show();
        RunSnapshot queued = snapshot(engine.profiler.summary());
        queued.info.id = 7;
        queued.info.title = "mouse.mp4";
        queued.info.ofQueue = true;
        panel.setRun(queued);
        QCOMPARE(panel.findChild<ElidedLabel*>("profilingRun")->fullText(), QStringLiteral("mouse.mp4 (of the queue)"));
        auto* reset = panel.findChild<QPushButton*>("profilingReset");
        QVERIFY(!reset->isEnabled() && reset->toolTip().contains("queue"));
        // An old run that is told of again does not take the place of one that goes on.
        panel.setRun(snapshot(engine.profiler.summary(), RunState::Finished));
        QTest::qWait(2 * ProfilingPanel::kIntervalMs);
        QCOMPARE(panel.findChild<ElidedLabel*>("profilingRun")->fullText(), QStringLiteral("mouse.mp4 (of the queue)"));
        // The next run of the project does.
        RunSnapshot next = snapshot(engine.profiler.summary());
        next.info.id = 2;
        panel.setRun(next);
        QTRY_COMPARE(panel.findChild<ElidedLabel*>("profilingRun")->fullText(),
                     QString::fromUtf8("Frames 1–320 of fly.mp4"));
        QVERIFY(reset->isEnabled());
    }

    void whyNotTheGpu() {
        ProfilingPanel panel;
        panel.show();
        panel.setDevices({"2.11", {"cpu"}, "No NVIDIA driver was found."});
        QCOMPARE(panel.findChild<QLabel*>("profilingDevice")->text(),
                 QStringLiteral("Device: No NVIDIA driver was found."));
        panel.setRun(snapshot(FixedEngine().profiler.summary(), RunState::Finished));
        panel.hide();
        panel.show();
        QCOMPARE(panel.findChild<QLabel*>("profilingDevice")->text(),
                 QStringLiteral("Device: CPU. No NVIDIA driver was found."));
    }
};

QTEST_MAIN(TestProfilingPanel)
#include "tst_profiling_panel.moc"
