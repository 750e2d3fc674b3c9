// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "ui/models/profile_table_model.h"
#include "ui/panels/bottleneck.h"
#include "ui/panels/profiling_panel.h"
#include "ui/widgets/metric_card.h"
#include "ui/widgets/rate_strip.h"

using namespace skein;
using namespace skein::ui;
using profile::Stage;

namespace {

using std::chrono::microseconds;

/// A run of an engine whose stages take exactly what is said here: 40 batches of 8 frames.
struct FixedEngine {
    profile::Profiler profiler;
    FixedEngine() {
        for (int batch = 0; batch < 40; ++batch) {
            // 19 of 20 forward passes take 20 ms, the others 60.
            profiler.record(Stage::Forward, microseconds(batch % 20 == 0 ? 60000 : 20000));
            profiler.record(Stage::BatchPrepare, microseconds(300));
            profiler.record(Stage::BatchAssemble, microseconds(1500));
            profiler.record(Stage::PafScorer, microseconds(4000));
            profiler.record(Stage::Write, microseconds(50));
            for (int frame = 0; frame < 8; ++frame) {
                profiler.record(Stage::FrameBufferGet, microseconds(250));
                profiler.record(Stage::Postprocess, microseconds(100));
                profiler.record(Stage::TrackerTrack, microseconds(1000));
            }
            profiler.countBatch(8, false);
            profiler.countCopyToDevice(8 * 384 * 384);
            profiler.countCopyToHost(65536);
        }
    }
};

RunSnapshot snapshot(const profile::Summary& summary, RunState state = RunState::Running) {
    RunSnapshot run;
    run.info.id = 1;
    run.info.title = "Frames 1–320 of fly.mp4";
    run.info.framesTotal = 320;
    run.info.queueMaxsize = 16;
    run.info.started = QDateTime(QDate(2026, 3, 1), QTime(12, 30));
    run.state = state;
    auto progress = std::make_shared<pipeline::JobProgress>();
    progress->phase = pipeline::JobPhase::Predicting;
    progress->framesDone = 320;
    progress->framesTotal = 320;
    progress->framesPerSecond = 310;
    progress->secondsElapsed = 1.1;
    progress->device = "cpu";
    progress->decodedQueue.depth = 12;
    progress->decodedQueue.maxDepth = 16;
    progress->profile = summary;
    run.progress = std::move(progress);
    return run;
}

double cell(const ProfilingPanel& panel, Stage stage, ProfileTableModel::Column column) {
    QString text = panel.model()->index(int(stage), column).data().toString();
    return text.remove(',').section(QChar(0x2009), 0, 0).toDouble();
}

bool within(double value, double expected, double share) {
    return std::abs(value - expected) <= share * expected;
}

}  // namespace

class TestProfilingPanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // [F-02] The figures of an engine whose stages have known lengths.
    void figuresOfAFixedEngine() {
        const FixedEngine engine;
        ProfilingPanel panel;
        panel.show();
        panel.setRun(snapshot(engine.profiler.summary()));
        struct Row {
            Stage stage;
            double count, average, p50, p95, totalS;
        };
        // p95 of 40 forward passes of which 2 are slow: between the 38th and 39th, at 38.05 of 39.
        const std::vector<Row> rows = {{Stage::Forward, 40, 22, 20, 22, 0.88},
                                       {Stage::BatchPrepare, 40, 0.3, 0.3, 0.3, 0.012},
                                       {Stage::BatchAssemble, 40, 1.5, 1.5, 1.5, 0.06},
                                       {Stage::PafScorer, 40, 4, 4, 4, 0.16},
                                       {Stage::FrameBufferGet, 320, 0.25, 0.25, 0.25, 0.08},
                                       {Stage::TrackerTrack, 320, 1, 1, 1, 0.32}};
        for (const Row& row : rows) {
            const char* name = profile::stageName(row.stage);
            QVERIFY2(cell(panel, row.stage, ProfileTableModel::Count) == row.count, name);
            QVERIFY2(within(cell(panel, row.stage, ProfileTableModel::Average), row.average, 0.02), name);
            QVERIFY2(within(cell(panel, row.stage, ProfileTableModel::P50), row.p50, 0.02), name);
            QVERIFY2(within(cell(panel, row.stage, ProfileTableModel::P95), row.p95, 0.02), name);
            // Shown with two digits after the point.
            QVERIFY2(std::abs(cell(panel, row.stage, ProfileTableModel::Total) - row.totalS) <= 0.0051, name);
        }
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
        model.setProfile(engine.profiler.summary(), Stage::Forward);
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

    // [F-04] Hidden, the panel does nothing; shown, it is up to date at once.
    void hiddenPanelDoesNothing() {
        const FixedEngine engine;
        ProfilingPanel panel;
        panel.show();
        const int shown = panel.refreshCount();
        panel.setRun(snapshot(engine.profiler.summary()));
        QVERIFY(panel.refreshCount() > shown);
        panel.hide();
        const int hidden = panel.refreshCount();
        QSignalSpy changed(panel.model(), &QAbstractItemModel::dataChanged);
        for (int i = 0; i < 10; ++i) {
            panel.setRun(snapshot(engine.profiler.summary()));
            QTest::qWait(30);
        }
        QCOMPARE(panel.refreshCount(), hidden);
        QCOMPARE(changed.count(), 0);
        panel.show();
        QVERIFY(panel.refreshCount() > hidden);
    }

    void fourTimesASecondAtMost() {
        const FixedEngine engine;
        ProfilingPanel panel;
        panel.show();
        panel.setRun(snapshot(engine.profiler.summary()));
        const int before = panel.refreshCount();
        for (int i = 0; i < 30; ++i) {
            panel.setRun(snapshot(engine.profiler.summary()));
            QTest::qWait(33);
        }
        const int refreshed = panel.refreshCount() - before;
        QVERIFY2(refreshed >= 2 && refreshed <= 6, qPrintable(QString::number(refreshed)));
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

    void costlyResizingIsNamed() {
        pipeline::JobProgress progress;
        progress.secondsElapsed = 10;
        progress.profile.batches = 100;
        for (const double share : {0.0, 0.3, 0.05, 0.6, 0.1, 0.0, 0.0, 0.0})
            progress.profile.stages.push_back({"", 100, share * 10000, share * 100, 0, 0});
        QVERIFY(findBottleneck(progress, 1).hint.contains("Bringing frames to one shape costs 30"));
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

    void markdownAndJson() {
        const FixedEngine engine;
        ProfilingPanel panel;
        panel.show();
        QVERIFY(!panel.findChild<QPushButton*>("profilingCopy")->isEnabled());
        panel.setRun(snapshot(engine.profiler.summary(), RunState::Finished));
        panel.findChild<QPushButton*>("profilingCopy")->click();
        const QStringList lines = QGuiApplication::clipboard()->text().split('\n');
        QCOMPARE(lines[0], QStringLiteral("| stage | count | avg ms | p50 ms | p95 ms | total s |"));
        QVERIFY2(lines[5].startsWith("| Forward | 40 | 22.000 | "), qPrintable(lines[5]));
        QVERIFY(lines.join('\n').contains(
            "320 frames in 1.10 s (290.9 frames/s) on cpu; 40 batches, 40 copies to the host"));

        QTemporaryDir folder;
        const QString file = folder.filePath("profile.json");
        QString suggested;
        panel.setAskPath([&](QWidget*, const QString& suggestion, std::function<void(QString)> then) {
            suggested = suggestion;
            then(file);
        });
        QSignalSpy notice(&panel, &ProfilingPanel::notice);
        panel.findChild<QPushButton*>("profilingSave")->click();
        QTRY_COMPARE(notice.count(), 1);
        QCOMPARE(suggested, QStringLiteral("profile-2026-03-01-1230.json"));
        QFile saved(file);
        QVERIFY(saved.open(QIODevice::ReadOnly));
        const QJsonObject json = QJsonDocument::fromJson(saved.readAll()).object();
        QCOMPARE(json["batches"].toInt(), 40);
        QCOMPARE(json["frames"].toInt(), 320);
        QCOMPARE(json["device_copies"]["device_to_host"]["count"].toInt(), 40);
        QCOMPARE(json["stages"].toArray().size(), 8);
        QCOMPARE(json["queue"]["maxsize"].toInt(), 16);

        // A folder that is not there: a sentence, no file.
        panel.setAskPath(
            [](QWidget*, const QString&, std::function<void(QString)> then) { then("/no/such/folder/p.json"); });
        panel.findChild<QPushButton*>("profilingSave")->click();
        QTRY_COMPARE(notice.count(), 2);
        QVERIFY(notice.last().front().toString().contains("/no/such/folder"));
    }

    void emptyPanelTeaches() {
        ProfilingPanel panel;
        panel.show();
        QCOMPARE(panel.findChild<QLabel*>("profilingBottleneck")->text(), QStringLiteral("No run yet."));
        QVERIFY(panel.findChild<QLabel*>("profilingHint")->isVisible());
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
