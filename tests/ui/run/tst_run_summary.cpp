// SPDX-License-Identifier: GPL-3.0-or-later
// The line that says what Run will do, or why it cannot.
#include <QSignalSpy>
#include <QSpinBox>

#include "tests/support/worked_time.h"
#include "tests/ui/run/dialog_fixture.h"

using namespace skein;
using namespace skein::ui;
using skein::test::DialogFixture;
using skein::test::FakeHost;
using skein::test::sampleModel;

namespace {

RunSituation readySituation(const FakeHost& host) {
    RunSituation s;
    s.video = host.video;
    s.frame = 300;
    s.modelPath = QStringLiteral("/models/flies");
    s.model = CheckedModel{s.modelPath, test::plainModel(), {}, {}};
    return s;
}

}  // namespace

class TestRunSummary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reasonsAndButton_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<bool>("canRun");
        QTest::addColumn<QString>("button");
        QTest::addColumn<QString>("summary");
        QTest::newRow("whole video") << "" << true << "Run on 1,100 frames"
                                     << "Bottom-up, frames 1–1,100 of fly.mp4, not tracked.";
        QTest::newRow("this frame") << "frame" << true << "Run on 1 frame"
                                    << "Bottom-up, frame 301 of fly.mp4, not tracked.";
        QTest::newRow("range") << "range" << true << "Run on 150 frames"
                               << "Bottom-up, frames 251–400 of fly.mp4, not tracked.";
        QTest::newRow("from zero") << "range,zero" << true << "Run on 150 frames"
                                   << "Bottom-up, frames 250–399 of fly.mp4, not tracked.";
        QTest::newRow("tracked") << "track" << true << "Run on 1,100 frames"
                                 << "Bottom-up, frames 1–1,100 of fly.mp4, track with OKS + Hungarian.";
        QTest::newRow("two animals") << "track,two,greedy" << true << "Run on 1,100 frames"
                                     << "Bottom-up, frames 1–1,100 of fly.mp4, track with OKS + greedy as 2 animals.";
        QTest::newRow("replaces")
            << "predicted" << true << "Run on 1,100 frames"
            << "Bottom-up, frames 1–1,100 of fly.mp4, not tracked. Replaces the predictions of 300 frames.";
        QTest::newRow("known speed")
            << "rate,device" << true << "Run on 1,100 frames"
            << "Bottom-up, frames 1–1,100 of fly.mp4, not tracked, about 13\u2009s on this device (CPU).";
        QTest::newRow("device, no speed") << "device" << true << "Run on 1,100 frames"
                                          << "Bottom-up, frames 1–1,100 of fly.mp4, not tracked, on CPU.";
        QTest::newRow("speed of an unknown device") << "rate" << true << "Run on 1,100 frames"
                                                    << "Bottom-up, frames 1–1,100 of fly.mp4, not tracked.";
        QTest::newRow("slow")
            << "slow,device" << true << "Run on 1,100 frames"
            << "Bottom-up, frames 1–1,100 of fly.mp4, not tracked, about 6\u2009min 10\u2009s on this "
               "device (CPU).";
        QTest::newRow("no video") << "novideo" << false << "Run"
                                  << "Open a video first.";
        QTest::newRow("video not read") << "unread" << false << "Run on 1,100 frames"
                                        << "fly.mp4 is missing.";
        QTest::newRow("no model") << "nomodel" << false << "Run on 1,100 frames"
                                  << "Choose a model folder, or drop one here.";
        QTest::newRow("reading") << "reading" << false << "Run on 1,100 frames"
                                 << "Reading the model…";
        QTest::newRow("refused") << "refused" << false << "Run on 1,100 frames"
                                 << "This model cannot be run. Choose another one.";
        QTest::newRow("no range") << "range,norange" << false << "Run"
                                  << "No range is selected. Drag over the timeline with Shift held.";
        QTest::newRow("running") << "running" << false << "Run on 1,100 frames"
                                 << "A run is in progress. Wait for it, or cancel it in Jobs.";
    }
    void reasonsAndButton() {
        QFETCH(const QString, what);
        FakeHost host;
        host.open(1100);
        RunSituation s = readySituation(host);
        RunSettings settings;
        s.selection = FrameRange{250, 399};
        const QStringList words = what.split(',');
        if (words.contains("frame"))
            settings.target = RunTarget::CurrentFrame;
        if (words.contains("range"))
            settings.target = RunTarget::SelectedRange;
        if (words.contains("norange"))
            s.selection.reset();
        s.fromZero = words.contains("zero");
        settings.tracking = words.contains("track");
        if (words.contains("two"))
            settings.tracker.maxTracks = 2;
        if (words.contains("greedy"))
            settings.tracker.matching = tracking::MatchingMethod::Greedy;
        if (words.contains("predicted"))
            s.framesWithPredictions = 300;
        if (words.contains("rate"))
            s.knownRate = 84;
        if (words.contains("slow"))
            s.knownRate = 2.99;  // 368 s
        if (words.contains("device"))
            s.device = "CPU";
        if (words.contains("novideo"))
            s.video.reset();
        if (words.contains("unread")) {
            s.video->source.reset();
            s.video->problem = "fly.mp4 is missing.";
        }
        if (words.contains("nomodel"))
            s.modelPath.clear();
        if (words.contains("reading")) {
            s.model.reset();
            s.modelReading = true;
        }
        if (words.contains("refused"))
            s.model->problem = UiError{"no", {}};
        s.running = words.contains("running");
        const RunPlan plan = planRun(settings, s);
        QTEST(plan.canRun, "canRun");
        QTEST(plan.button, "button");
        QTEST(plan.summary, "summary");
    }

    void theTimeIsEstimatedFromRunsOfTheSameModelOnTheSameDevice() {
        DialogFixture f;
        f.host.open(1100);
        f.dialog.setDevices({"2.11", {"cpu"}, "No NVIDIA driver was found."});
        f.show();
        QVERIFY(f.pick(sampleModel()));
        QVERIFY2(!f.summary().contains("about"), qPrintable(f.summary()));
        RunSnapshot ended;
        ended.state = RunState::Finished;
        ended.info.modelPath = f.picker()->path();
        auto progress = std::make_shared<pipeline::JobProgress>();
        progress->framesDone = 300;
        progress->framesResumed = 100;  // by a run before it
        progress->secondsElapsed = 10;
        progress->framePixels = 384 * 384;
        progress->device = "cuda:0 (NVIDIA H200)";
        ended.progress = progress;
        f.dialog.noteRate(ended);
        QVERIFY2(!f.summary().contains("about"), qPrintable(f.summary()));
        progress = std::make_shared<pipeline::JobProgress>(*progress);
        progress->device = "cpu";
        ended.progress = progress;
        f.dialog.noteRate(ended);
        QVERIFY2(f.summary().contains(QString::fromUtf8("about 55\u2009s on this device (CPU)")),
                 qPrintable(f.summary()));
        // Too short a run is no measure.
        progress = std::make_shared<pipeline::JobProgress>(*progress);
        progress->framesDone = 120;
        ended.progress = progress;
        f.dialog.noteRate(ended);
        QVERIFY2(f.summary().contains("about 55"), qPrintable(f.summary()));
        // Frames of four times the size take four times as long: 220 s.
        f.host.open(1100, 768, 768);
        f.show();
        QVERIFY2(f.summary().contains(QString::fromUtf8("about 3\u2009min 40\u2009s")), qPrintable(f.summary()));
    }

    void severalVideosAreOneSentence() {
        FakeHost host;
        host.open(1100);
        RunSituation s = readySituation(host);
        s.device = "CPU";
        s.knownRate = 55;
        for (std::uint32_t i = 0; i < 3; ++i) {
            RunVideo video = *host.video;
            video.index = i;
            video.frameCount = 1100;
            s.videos.push_back(video);
        }
        s.videos[2].source.reset();
        s.videos[2].problem = "late.mp4 is missing.";
        s.videos[2].name = "late.mp4";
        RunSettings settings;
        settings.target = RunTarget::AllVideos;
        settings.tracking = true;
        const RunPlan plan = planRun(settings, s);
        QVERIFY(plan.canRun);
        QCOMPARE(plan.summary, QString::fromUtf8("Bottom-up, 2 videos, 2,200 frames, track with OKS + Hungarian, about "
                                                 "40\u2009s on this device (CPU). Left out, since they cannot be read: "
                                                 "late.mp4."));
    }

    void aRefusalHasAButtonThatMendsIt() {
        DialogFixture f(100);
        f.show();
        QVERIFY(f.pick(sampleModel()));
        auto* fix = f.find<QPushButton>("inferenceFix");
        QVERIFY(f.run()->isEnabled() && !fix->isVisible());
        f.track(TrackerChoice::Kalman);
        QVERIFY(!f.run()->isEnabled());
        QCOMPARE(fix->text(), QStringLiteral("Show the option"));
        fix->click();
        auto* animals = f.option<QSpinBox>("max_tracks");
        QVERIFY(animals->isVisible());
        QCOMPARE(f.dialog.focusWidget(), animals);
        animals->setValue(2);
        QVERIFY(f.run()->isEnabled() && !fix->isVisible());
        QSignalSpy docks(&f.dialog, &InferenceDialog::dockWanted);
        f.dialog.setRunning(true);
        QCOMPARE(fix->text(), QStringLiteral("Show Jobs"));
        fix->click();
        QCOMPARE(docks.takeFirst().front().toString(), QStringLiteral("dockJobs"));

        // A target without frames.
        RunSituation s = readySituation(f.host);
        s.labelFrames = std::make_shared<const LabelFrames>();
        RunSettings settings;
        settings.target = RunTarget::Labelled;
        QVERIFY(planRun(settings, s).fix == RunPlan::Fix::WholeVideo);
        settings.target = RunTarget::WithIssues;
        QCOMPARE(planRun(settings, s).fixPlace, QStringLiteral("dockIssues"));
        s.video->source.reset();
        s.video->problem = "fly.mp4 is missing.";
        QCOMPARE(planRun(settings, s).fixPlace, QStringLiteral("dockVideos"));
    }

    // [I-04]
    void I_04_summaryFollowsAtOnce() {
        DialogFixture f;
        f.host.open(1100);
        f.show();
        QVERIFY(f.pick(sampleModel()));
        auto* tracker = f.find<QComboBox>("inferenceTracker");
        const test::WorkedTime time;
        for (int i = 0; i < 20; ++i) {
            tracker->setCurrentIndex(i % 2);
            Q_EMIT tracker->activated(i % 2);
            QCOMPARE(f.summary().contains("track with"), i % 2 == 1);
        }
        QVERIFY2(time.ms() <= 20 * 50, qPrintable(QString::number(time.ms())));
    }
};

QTEST_MAIN(TestRunSummary)
#include "tst_run_summary.moc"
