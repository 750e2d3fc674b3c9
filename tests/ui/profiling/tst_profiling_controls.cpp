// SPDX-License-Identifier: GPL-3.0-or-later
// The buttons of the profiling panel: reset, freeze, trace, copy, save, compare.
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include "engine/pipeline/run_report.h"
#include "tests/support/fake_runner.h"
#include "tests/support/fake_video.h"
#include "tests/ui/profiling/fixed_engine.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/bridge/job_bridge.h"
#include "ui/models/profile_table_model.h"
#include "ui/panels/profiling_panel.h"
#include "ui/widgets/metric_card.h"

using namespace skein;
using namespace skein::ui;
using profile::Stage;
using skein::test::FixedEngine;
using skein::test::snapshot;

namespace {

/// A real job of the engine, for a runner that computes nothing.
pipeline::JobSpec fakeJob(std::int64_t frames) {
    pipeline::JobSpec job;
    job.models = {test::fakeModel()};
    pipeline::JobSource source;
    source.source = std::make_shared<test::FakeVideo>(frames, 8, 8);
    for (std::int64_t i = 0; i < frames; ++i)
        source.frames.push_back(i);
    job.sources = {source};
    job.makeRunner = [](const pipeline::JobSpec&,
                        profile::Profiler& profiler) -> Result<std::unique_ptr<inference::InferenceRunner>> {
        return std::make_unique<test::FakeRunner>(std::make_shared<test::FakeBehaviour>(), profiler);
    };
    return job;
}

QJsonObject jsonIn(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

}  // namespace

class TestProfilingControls : public QObject {
    Q_OBJECT
private:
    QTemporaryDir m_folder;
    test::Answers m_answers;
    std::unique_ptr<ProfilingPanel> m_panel;

    QPushButton* button(const char* name) const { return m_panel->findChild<QPushButton*>(QLatin1String(name)); }
    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }

private Q_SLOTS:
    void init() {
        m_panel = std::make_unique<ProfilingPanel>();
        m_panel->setControls({{}, {}, {}, [this]() -> DialogService& { return m_answers; }});
        m_panel->show();
    }
    void cleanup() { m_panel.reset(); }

    void markdownHasTheFiguresAndTheRunBelow() {
        QVERIFY(!button("profilingCopy")->isEnabled());
        m_panel->setRun(snapshot(FixedEngine().profiler.summary(), RunState::Finished));
        button("profilingCopy")->click();
        const QStringList lines = QGuiApplication::clipboard()->text().split('\n');
        QCOMPARE(lines[0], QStringLiteral("| stage | count | avg ms | p50 ms | p95 ms | max ms | total s | share % |"));
        QVERIFY2(lines[5].startsWith("| Forward | 40 | 22.000 | "), qPrintable(lines[5]));
        QVERIFY(lines.join('\n').contains(
            "320 frames in 1.10 s (290.9 frames/s) on cpu; 40 batches, 40 copies to the host"));
    }

    void jsonIsWhatTheCommandWrites() {
        m_panel->setRun(snapshot(FixedEngine().profiler.summary(), RunState::Finished));
        m_answers.savePath = path("profile.json");
        QSignalSpy notice(m_panel.get(), &ProfilingPanel::notice);
        button("profilingSave")->click();
        QTRY_COMPARE(notice.count(), 1);
        QVERIFY(m_answers.suggestion.endsWith(QStringLiteral("profile-2026-03-01-1230.json")));
        const QJsonObject json = jsonIn(path("profile.json"));
        QCOMPARE(json["batches"].toInt(), 40);
        QCOMPARE(json["frames"].toInt(), 320);
        QCOMPARE(json["device_copies"]["device_to_host"]["count"].toInt(), 40);
        QCOMPARE(json["stages"].toArray().size(), 8);
        QCOMPARE(json["queue"]["maxsize"].toInt(), 16);

        // A folder that is not there: a sentence, no file.
        m_answers.savePath = QStringLiteral("/no/such/folder/p.json");
        button("profilingSave")->click();
        QTRY_COMPARE(notice.count(), 2);
        QVERIFY(notice.last().front().toString().contains("/no/such/folder"));
    }

    void csvHasARowForEachStageAndItsParts() {
        FixedEngine engine;
        engine.profiler.record(Stage::Decode, std::chrono::microseconds(1500));
        m_panel->setRun(snapshot(engine.profiler.summary(), RunState::Finished));
        m_answers.savePath = path("profile.csv");
        QSignalSpy notice(m_panel.get(), &ProfilingPanel::notice);
        button("profilingSaveCsv")->click();
        QTRY_COMPARE(notice.count(), 1);
        QFile file(path("profile.csv"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QStringList lines = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), qsizetype(1 + profile::kAllStages));
        QVERIFY(lines[0].startsWith("stage,count,avg_ms,p50_ms,p95_ms,max_ms,total_ms,share,critical_share"));
        const QStringList forward = lines[1 + int(Stage::Forward)].split(',');
        QCOMPARE(forward.size(), lines[0].split(',').size());
        QCOMPARE(forward[1].toInt(), 40);
        QVERIFY(std::abs(forward[2].toDouble() - 22) < 0.01);
        QVERIFY(std::abs(forward[8].toDouble() - 0.8) < 0.01);  // 0.88 s of 1.1
        QCOMPARE(lines[1 + int(Stage::Decode)].split(',')[2].toDouble(), 1.5);
    }

    void aSavedRunIsComparedWith() {
        // The saved run took half as long in Forward, and twice as long in matching.
        FixedEngine engine;
        for (int batch = 0; batch < 40; ++batch)
            engine.profiler.recordPart(Stage::PafScorer, profile::Part::Assignment, std::chrono::microseconds(700));
        profile::Summary before = engine.profiler.summary();
        before.parts.front().times.avgMs *= 10;
        before.stages[std::size_t(Stage::Forward)].avgMs /= 2;
        before.stages[std::size_t(Stage::PafScorer)].avgMs *= 2;
        QVERIFY(pipeline::writeProfile(path("before.json").toStdString(), *snapshot(before).progress, {1.1, 16, {}}));
        m_panel->setRun(snapshot(engine.profiler.summary(), RunState::Finished));
        auto* table = m_panel->findChild<QTableView*>("profilingTable");
        auto* words = m_panel->findChild<QLabel*>("profilingComparison");
        QVERIFY(table->isColumnHidden(ProfileTableModel::AverageChange));
        QVERIFY(!words->isVisible());
        m_answers.files = {path("before.json")};
        button("profilingCompare")->click();
        QTRY_VERIFY(words->isVisible());
        QVERIFY2(words->text().startsWith("Compared with before.json: 291"), qPrintable(words->text()));
        QVERIFY(!table->isColumnHidden(ProfileTableModel::AverageChange));
        const auto change = [this](Stage stage) {
            return m_panel->model()->index(int(stage), ProfileTableModel::AverageChange);
        };
        QVERIFY(change(Stage::Forward).data().toString().startsWith("+100"));
        QVERIFY(std::abs(change(Stage::PafScorer).data(ProfileTableModel::ChangeRole).toDouble() + 0.5) < 1e-6);
        m_panel->model()->toggle(int(Stage::PafScorer));
        const QModelIndex part = m_panel->model()->index(int(Stage::PafScorer) + 1, ProfileTableModel::AverageChange);
        QVERIFY(std::abs(part.data(ProfileTableModel::ChangeRole).toDouble() + 0.9) < 1e-6);
        QVERIFY(m_panel->markdown().contains("| other avg ms | change % |"));
        QVERIFY(m_panel->csv().contains("other_avg_ms"));
        m_panel->findChild<QToolButton*>("profilingEndComparison")->click();
        QVERIFY(table->isColumnHidden(ProfileTableModel::AverageChange));
        QVERIFY(!m_panel->markdown().contains("other avg"));

        QFile wrong(path("wrong.json"));
        QVERIFY(wrong.open(QIODevice::WriteOnly) && wrong.write("[]") == 2);
        wrong.close();
        m_answers.files = {path("wrong.json")};
        QSignalSpy notice(m_panel.get(), &ProfilingPanel::notice);
        button("profilingCompare")->click();
        QTRY_COMPARE(notice.count(), 1);
        QVERIFY(notice.last().front().toString().contains("holds no profile"));
    }

    void frozenFiguresStandStillWhileTheRunGoesOn() {
        m_panel->setRun(snapshot(FixedEngine().profiler.summary()));
        button("profilingFreeze")->click();
        const int refreshed = m_panel->refreshCount();
        profile::Summary later = FixedEngine().profiler.summary();
        later.stages[std::size_t(Stage::Forward)].count = 41;
        const auto count = [this] {
            return m_panel->model()->index(int(Stage::Forward), ProfileTableModel::Count).data().toString();
        };
        for (int i = 0; i < 12; ++i) {
            m_panel->setRun(snapshot(later));
            QTest::qWait(30);
        }
        QCOMPARE(m_panel->refreshCount(), refreshed);
        QCOMPARE(count(), QStringLiteral("40"));
        button("profilingFreeze")->click();
        QCOMPARE(count(), QStringLiteral("41"));
    }

    void afterAResetOnlyWhatCameSinceCounts() {
        // The engine's profiler, as a job has it.
        FixedEngine engine;
        RunSnapshot run = snapshot(engine.profiler.summary());
        m_panel->setControls({[&] { engine.profiler.reset(); }, {}, {}, {}});
        m_panel->setRun(run);
        auto* toHost = m_panel->findChild<MetricCard*>("profilingCopiesToHost");
        QCOMPARE(toHost->value(), QStringLiteral("1"));
        button("profilingReset")->click();
        // Two batches were under way; then three come that take 10 ms each.
        engine.profiler.countCopyToHost(100);
        for (int batch = 0; batch < 3; ++batch) {
            engine.profiler.record(Stage::Forward, std::chrono::milliseconds(10));
            engine.profiler.countBatch(8, false);
            engine.profiler.countCopyToDevice(100);
            engine.profiler.countCopyToHost(100);
        }
        auto progress = std::make_shared<pipeline::JobProgress>(*run.progress);
        progress->profile = engine.profiler.summary();
        progress->secondsElapsed += 0.1;
        run.progress = progress;
        m_panel->setRun(run);
        const auto cell = [this](ProfileTableModel::Column column) {
            return m_panel->model()->index(int(Stage::Forward), column).data().toString();
        };
        QTRY_COMPARE(cell(ProfileTableModel::Count), QStringLiteral("3"));
        QCOMPARE(cell(ProfileTableModel::Average), QStringLiteral("10.00"));
        QCOMPARE(cell(ProfileTableModel::Max), QStringLiteral("10.00"));
        // 30 ms of the 100 since.
        QCOMPARE(m_panel->findChild<MetricCard*>("profilingDeviceBusy")->value(), QStringLiteral("30"));
        QCOMPARE(toHost->value(), QStringLiteral("1"));
        QCOMPARE(toHost->state(), MetricCard::State::Good);
    }

    void aTraceOfARunIsWrittenForChrome() {
        JobBridge bridge;
        RunSnapshot run = snapshot(FixedEngine().profiler.summary(), RunState::Finished);
        m_panel->setControls({[&] { bridge.resetProfile(); }, [&] { bridge.recordTrace(); },
                              [&] { return bridge.takeTrace(); }, [this]() -> DialogService& { return m_answers; }});
        auto* record = button("profilingRecord");
        QSignalSpy notice(m_panel.get(), &ProfilingPanel::notice);
        // Nothing goes on: that is said, and nothing is written.
        record->click();
        record->click();
        QVERIFY(notice.last().front().toString().startsWith("Nothing was recorded"));
        // The next run is recorded to its end.
        record->click();
        QVERIFY(notice.last().front().toString().startsWith("Recording begins with the next run"));
        QSignalSpy ended(&bridge, &JobBridge::ended);
        QVERIFY(bridge.start(fakeJob(64)));
        QTRY_COMPARE(ended.count(), 1);
        m_panel->setRun(run);
        QCOMPARE(record->text(), QStringLiteral("Save Trace..."));
        m_answers.savePath = path("run.trace.json");
        record->click();
        QTRY_VERIFY(QFile::exists(path("run.trace.json")));
        QTRY_VERIFY(notice.last().front().toString().startsWith("Trace saved to"));
        const QJsonArray events = jsonIn(path("run.trace.json"))["traceEvents"].toArray();
        QSet<QString> names;
        int threads = 0;
        for (const auto& event : events) {
            names << event.toObject()["name"].toString();
            threads += event.toObject()["name"].toString() == QLatin1String("thread_name") ? 1 : 0;
        }
        QVERIFY(names.contains("decode") && names.contains("PAFScorer.predict") && names.contains("Write"));
        QVERIFY(threads >= 3);
        QCOMPARE(record->text(), QStringLiteral("Record Trace"));
        // It was handed over: the next save has nothing of it.
        record->click();
        record->click();
        QVERIFY(notice.last().front().toString().startsWith("Nothing was recorded"));
    }
};

QTEST_MAIN(TestProfilingControls)
#include "tst_profiling_controls.moc"
