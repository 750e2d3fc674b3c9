// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <atomic>
#include <filesystem>
#include <thread>

#include "engine/tracking/track_labels.h"
#include "tests/support/worked_time.h"
#include "tests/ui/run/run_fakes.h"
#include "ui/bridge/job_bridge.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/dialogs/model_picker.h"
#include "ui/models/run_history_model.h"
#include "ui/panels/jobs_panel.h"
#include "ui/panels/profiling_panel.h"
#include "ui/run_controller.h"
#include "ui/text.h"
#include "ui/widgets/progress_line.h"

using namespace skein;
using namespace skein::ui;
using skein::test::FakeDialogs;
using skein::test::FakeEngine;
using skein::test::FakeHost;
using skein::test::sampleModel;

namespace {

std::size_t predictedFrames(const project::Labels& labels) {
    std::size_t count = 0;
    for (std::size_t row = 0; row < labels.frameCount(); ++row)
        count += labels.frame(row).instanceCount() > 0 ? 1 : 0;
    return count;
}

}  // namespace

class TestRunController : public QObject {
    Q_OBJECT

    struct Fixture {
        QTemporaryDir folder;
        FakeEngine engine;
        FakeDialogs dialogs;
        FakeHost host;
        std::function<void(RunServices::Leave)> leave;  // the question that stands
        std::unique_ptr<RunController> run;
        QStringList notices, docks;
        int devicesAsked = 0;

        std::atomic<int> loadedAhead = 0;
        explicit Fixture(std::int64_t frames = 100, const QString& lastModel = {}) {
            if (!lastModel.isEmpty())
                QSettings(folder.filePath("skein.ini"), QSettings::IniFormat).setValue("inference/model", lastModel);
            if (frames > 0)
                host.open(frames);
            RunServices services;
            services.jobs = engine.starter();
            services.devices = [this]() -> Result<inference::DeviceInfo> {
                ++devicesAsked;
                return inference::DeviceInfo{"2.11", {"cpu"}, "No NVIDIA driver was found."};
            };
            services.loadAhead = [this](const pipeline::JobSpec& job) {
                loadedAhead += job.models.size() == 1 ? 1 : 100;
            };
            services.dialogs = &dialogs;
            services.settingsFile = folder.filePath("skein.ini");
            services.askLeave = [this](QWidget*, std::int64_t, std::function<void(RunServices::Leave)> then) {
                leave = std::move(then);
            };
            run = std::make_unique<RunController>(host, nullptr, services);
            QObject::connect(run.get(), &RunController::notice, run.get(),
                             [this](const QString& text) { notices << text; });
            QObject::connect(run.get(), &RunController::panelWanted, run.get(),
                             [this](const QString& dock) { docks << dock; });
            run->jobsPanel()->show();
        }
        bool pickModel() {
            run->showDialog();
            run->dialog()->modelPicker()->setPath(text::fromPath(sampleModel()));
            return test::await([this] { return run->dialog()->plan().canRun; });
        }
        template <class T>
        T* job(const char* name) {
            return run->jobsPanel()->findChild<T*>(QLatin1String(name));
        }
        bool start() {
            if (!pickModel())
                return false;
            run->dialog()->findChild<QPushButton*>("inferenceRun")->click();
            return test::await([this] { return engine.isStarted() && run->run().state == RunState::Running; });
        }
        bool finish(pipeline::JobState state, std::optional<Error> error = {}) {
            engine.end(state, std::move(error));
            return test::await([this] { return !run->isRunning(); });
        }
    };

private Q_SLOTS:
    // I-05: where the processors also compute the network, the view follows as often as costs the run little, and ends
    // with the newest frame all the same.
    void I_05_followingTakesAShareOfTheProcessorsOnly() {
        Fixture f(2000);
        f.host.onShow = [] {  // a window that is slow to show a frame
            const test::WorkedTime time;
            while (time.ms() < 20) {
            }
        };
        QVERIFY(f.start());
        QVERIFY(f.run->isFollowing());
        int ticks = 0;
        connect(f.run->bridge(), &JobBridge::progressChanged, f.run.get(), [&] {
            if (++ticks <= 20)
                f.engine.finishFrames(2);
        });
        QTRY_VERIFY(ticks > 21);
        QVERIFY(!f.host.shown.empty());
        if (std::thread::hardware_concurrency() < 16)
            QVERIFY2(f.host.shown.size() < 20, qPrintable(QString::number(f.host.shown.size())));
        QVERIFY(f.finish(pipeline::JobState::Cancelled));
        QCOMPARE(f.host.shown.back(), std::int64_t{39});
    }

    // A tracker that has to see the whole video: what the run said frame by frame is replaced at its end, and all of it
    // is one step.
    void trackersWithTheWholeVideoHaveTheLastWord_data() {
        QTest::addColumn<bool>("cancelled");
        QTest::newRow("to the end") << false;
        QTest::newRow("cancelled") << true;
    }
    void trackersWithTheWholeVideoHaveTheLastWord() {
        QFETCH(const bool, cancelled);
        Fixture f;
        QVERIFY(f.pickModel());
        auto* tracker = f.run->dialog()->findChild<QComboBox*>("inferenceTracker");
        tracker->setCurrentIndex(tracker->findData(static_cast<int>(TrackerChoice::Sort)));
        Q_EMIT tracker->activated(tracker->currentIndex());
        f.run->dialog()->findChild<QPushButton*>("inferenceRun")->click();
        QTRY_VERIFY(f.engine.isStarted() && f.run->run().state == RunState::Running);
        QVERIFY(f.engine.spec().tracking->tracker == tracking::TrackerKind::Sort);
        f.engine.finishFrames(60);
        // As box trackers do: no identity while a track is not confirmed.
        f.engine.change([](FakeEngine::State& s) {
            for (pipeline::FrameResult& result : s.results)
                for (project::InstanceData& instance : result.frame.instances) {
                    // Boxes with an extent, that move slowly.
                    for (std::size_t n = 0; n < instance.points.size(); ++n)
                        instance.points[n].y = 0.25 * static_cast<double>(result.frame.frameIndex) + 5.0 * double(n);
                    instance.header.track = result.frame.frameIndex < 3 ? -1 : instance.header.track;
                }
        });
        project::Labels expected;
        f.engine.change([&expected](FakeEngine::State& s) {
            expected.editVideos().resize(1);
            expected.editSkeletons().resize(1);
            for (std::size_t i = 0; i < s.progress.trackNames.size(); ++i)
                expected.editTracks().push_back({s.progress.trackNames[i]});
            for (const pipeline::FrameResult& result : s.results)
                expected.appendFrame(result.frame);
        });
        QVERIFY(tracking::finishTracking(expected, *f.engine.spec().tracking));
        QTRY_VERIFY(f.run->liveFrame(0, 59) != nullptr);
        // Nothing is in the project before the end, but everything can be seen.
        QCOMPARE(predictedFrames(f.host.project), std::size_t{0});
        QCOMPARE(f.run->liveFrame(0, 0)->instances[0].header.track, -1);
        QVERIFY(f.finish(cancelled ? pipeline::JobState::Cancelled : pipeline::JobState::Finished));
        const project::Labels& now = f.host.project;
        QCOMPARE(predictedFrames(now), std::size_t{60});
        for (std::int64_t frame = 0; frame < 60; ++frame) {
            const auto ours = now.frame(*now.findFrame(0, frame)),
                       theirs = expected.frame(*expected.findFrame(0, frame));
            QCOMPARE(ours.instanceCount(), theirs.instanceCount());
            for (std::size_t i = 0; i < ours.instanceCount(); ++i) {
                const int a = ours.instance(i).header->track, b = theirs.instance(i).header->track;
                QCOMPARE(a < 0, b < 0);
                if (a >= 0)
                    QCOMPARE(now.tracks()[static_cast<std::size_t>(a)].name,
                             expected.tracks()[static_cast<std::size_t>(b)].name);
            }
        }
        // The first frames have their identities after all.
        QVERIFY(now.frame(*now.findFrame(0, 0)).instance(0).header->track >= 0);
        for (const RunChange& change : f.host.changes)
            QCOMPARE(change.run, f.host.changes.front().run);
        QVERIFY(now.provenanceJson().find("sort") != std::string::npos);
        QCOMPARE(f.run->run().state, cancelled ? RunState::Cancelled : RunState::Finished);
    }

    void aWholeRun() {
        Fixture f;
        QSignalSpy finished(f.run.get(), &RunController::framesFinished);
        QSignalSpy status(f.run.get(), &RunController::statusChanged);
        QVERIFY(f.start());
        QVERIFY(!f.run->dialog()->isVisible());
        QCOMPARE(f.engine.spec().sources.front().frames.size(), std::size_t{100});
        QVERIFY(f.run->isRunning());
        QCOMPARE(f.run->wantedRanges(), (std::vector<FrameRange>{{0, 99}}));
        QCOMPARE(f.job<QLabel>("jobsPhase")->text(), QStringLiteral("Loading the model"));
        QCOMPARE(f.run->status().fraction, -1.0);
        QVERIFY(f.job<QLabel>("jobsTimeLeft")->text().isEmpty());

        f.engine.finishFrames(8);
        QTRY_COMPARE(finished.count(), 1);
        QTRY_COMPARE(f.job<QLabel>("jobsPhase")->text(), QStringLiteral("Predicting"));
        QCOMPARE(f.job<QLabel>("jobsFrames")->text(), QStringLiteral("8 / 100"));
        QCOMPARE(f.job<QLabel>("jobsTimeLeft")->text(), QStringLiteral("estimating"));
        QCOMPARE(f.run->finishedRanges(), (std::vector<FrameRange>{{0, 7}}));
        // Seen at once, in the project only later.
        const project::FrameData* live = f.run->liveFrame(0, 5);
        QVERIFY(live != nullptr);
        QCOMPARE(live->instances.size(), std::size_t{2});
        QCOMPARE(f.run->liveSkeleton().nodes.size(), std::size_t{4});
        QCOMPARE(f.host.project.frameCount(), std::size_t{0});

        f.engine.change([](FakeEngine::State& s) {
            s.progress.decoder = "the processor. No GPU decodes here.";
            s.progress.framesPerSecond = 84.12;
            s.progress.secondsElapsed = 3;
            s.progress.secondsLeft = 9.2;
        });
        f.engine.finishFrames(82);
        QTRY_COMPARE(f.job<QLabel>("jobsFrames")->text(), QStringLiteral("90 / 100"));
        QCOMPARE(f.job<QLabel>("jobsTimeLeft")->text(), QStringLiteral("9\u2009s left"));
        QCOMPARE(f.job<QLabel>("jobsRate")->text(), QStringLiteral("84.1 (30.0)"));
        QCOMPARE(f.run->status().text, QStringLiteral("Predicting · 90 / 100 · 84.1\u2009frames/s · 9\u2009s left"));

        // All frames are done and yet something is going on: the bar is not full.
        f.engine.finishFrames(10);
        QTRY_COMPARE(f.job<QLabel>("jobsFrames")->text(), QStringLiteral("100 / 100"));
        QVERIFY(f.job<ProgressLine>("jobsProgress")->fraction() < 1);
        QVERIFY(f.run->status().fraction < 1);

        QVERIFY(f.finish(pipeline::JobState::Finished));
        QCOMPARE(f.run->run().state, RunState::Finished);
        QCOMPARE(f.job<ProgressLine>("jobsProgress")->fraction(), 1.0);
        QCOMPARE(predictedFrames(f.host.project), std::size_t{100});
        QVERIFY(f.run->liveFrame(0, 5) == nullptr);
        QCOMPARE(f.host.project.skeletons().size(), std::size_t{1});
        QVERIFY(QString::fromStdString(f.host.project.provenanceJson()).contains("\"model_type\":\"bottomup\""));
        QCOMPARE(f.notices.size(), 1);
        QVERIFY2(f.notices.front().startsWith("Finished: 100 frames, 200 instances in 3"),
                 qPrintable(f.notices.front()));
        // One run, one number: its steps fold into one undo step.
        for (const RunChange& change : f.host.changes)
            QCOMPARE(change.run, f.host.changes.front().run);
        QVERIFY(f.host.changes.front().text.contains("Frames 1–100 of fly.mp4"));
        QCOMPARE(f.run->jobsPanel()->history()->rowCount(), 1);
        // Who decoded, and why, is said where the run is, and over its row.
        const QString decoded = QStringLiteral("Decoded by the processor. No GPU decodes here.");
        QVERIFY2(f.job<QLabel>("jobsMessage")->text().endsWith(decoded),
                 qPrintable(f.job<QLabel>("jobsMessage")->text()));
        QVERIFY(f.run->jobsPanel()->history()->index(0, 0).data(Qt::ToolTipRole).toString().contains(decoded));
        // The mean is the only rate that is left.
        QVERIFY(!f.job<QLabel>("jobsRate")->text().contains(QLatin1Char('(')));
        // The runs of one project are not those of the next.
        f.run->projectReplaced();
        QCOMPARE(f.run->jobsPanel()->history()->rowCount(), 0);
        QVERIFY(f.job<QLabel>("jobsEmpty")->isVisible());
        // No fraction of the run was ever told as done before it was.
        for (const auto& call : status)
            if (const auto told = call.front().value<RunStatus>(); told.running)
                QVERIFY(told.fraction < 1);
    }

    void followsUntilThePersonMoves() {
        Fixture f;
        QSignalSpy following(f.run.get(), &RunController::followingChanged);
        QVERIFY(f.start());
        QVERIFY(f.run->isFollowing());
        f.engine.finishFrames(8);
        QTRY_COMPARE(f.host.shown, (std::vector<std::int64_t>{7}));
        f.run->personMoved();
        QVERIFY(!f.run->isFollowing());
        f.engine.finishFrames(8);
        QTRY_COMPARE(f.run->finishedRanges(), (std::vector<FrameRange>{{0, 15}}));
        QCOMPARE(f.host.shown.size(), std::size_t{1});
        // Back to live: the newest frame at once.
        f.run->setFollowing(true);
        QCOMPARE(f.host.shown.back(), std::int64_t{15});
        QVERIFY(f.finish(pipeline::JobState::Finished));
        QVERIFY(!f.run->isFollowing());
        QCOMPARE(following.count(), 4);
    }

    void pauseFromThePanel() {
        Fixture f;
        QVERIFY(f.start());
        f.engine.finishFrames(8);
        QTRY_COMPARE(f.job<QLabel>("jobsFrames")->text(), QStringLiteral("8 / 100"));
        auto* pause = f.job<QPushButton>("jobsPause");
        QCOMPARE(pause->text(), QStringLiteral("Pause"));
        pause->click();
        QVERIFY(f.run->isPaused());
        QVERIFY(f.engine.state().paused);
        QCOMPARE(pause->text(), QStringLiteral("Resume"));
        QCOMPARE(f.job<QLabel>("jobsPhase")->text(), QStringLiteral("Paused"));
        QCOMPARE(f.job<QLabel>("jobsTimeLeft")->text(), QString());
        pause->click();
        QVERIFY(!f.run->isPaused());
        QVERIFY(f.finish(pipeline::JobState::Finished));
    }

    void cancelKeepsAndAsksOnce() {
        Fixture f;
        QVERIFY(f.start());
        f.engine.finishFrames(12);
        QTRY_COMPARE(f.run->finishedRanges().size(), std::size_t{1});
        f.job<QPushButton>("jobsCancel")->click();
        QVERIFY(f.engine.state().cancelled);
        QCOMPARE(f.job<QLabel>("jobsPhase")->text(), QStringLiteral("Cancelling"));
        QVERIFY(!f.job<QPushButton>("jobsCancel")->isEnabled());
        QVERIFY(f.finish(pipeline::JobState::Cancelled));
        // What is done is in the project before anybody answers: nothing is lost by looking away.
        QCOMPARE(predictedFrames(f.host.project), std::size_t{12});
        QCOMPARE(f.docks, QStringList{"dockJobs"});
        QVERIFY(f.job<QLabel>("jobsQuestion")->isVisible());
        QCOMPARE(f.job<QLabel>("jobsQuestion")->text(), QStringLiteral("Keep 12 frames that were finished?"));
        QCOMPARE(f.job<QPushButton>("jobsDiscard")->text(), QStringLiteral("Discard 12 frames"));
        f.job<QPushButton>("jobsKeep")->click();
        QVERIFY(!f.job<QLabel>("jobsQuestion")->isVisible());
        QCOMPARE(predictedFrames(f.host.project), std::size_t{12});
        QCOMPARE(f.run->jobsPanel()->history()->run(0).state, RunState::Cancelled);
        QCOMPARE(f.run->jobsPanel()->history()->index(0, RunHistoryModel::Frames).data().toString(),
                 QStringLiteral("12 / 100"));
    }

    void cancelAndDiscard() {
        Fixture f;
        const project::Labels before = f.host.project;
        QVERIFY(f.start());
        f.engine.finishFrames(12);
        QTRY_COMPARE(f.run->finishedRanges().size(), std::size_t{1});
        f.run->cancel();
        QVERIFY(f.finish(pipeline::JobState::Cancelled));
        f.job<QPushButton>("jobsDiscard")->click();
        QTRY_VERIFY(!f.run->isRunning());
        QVERIFY(f.host.project.isUnchangedCopyOf(before));
        QVERIFY(f.host.changes.back().discarded);
        QCOMPARE(f.job<QLabel>("jobsMessage")->text(), QStringLiteral("The results were taken out of the project."));
        QVERIFY(!f.job<QPushButton>("jobsDiscard")->isVisible());
        QCOMPARE(f.run->jobsPanel()->history()->rowCount(), 1);
        QCOMPARE(f.run->jobsPanel()->history()->index(0, 0).data().toString(), QStringLiteral("Discarded"));
    }

    void cancelBeforeAnyResult() {
        Fixture f;
        QVERIFY(f.start());
        f.run->cancel();
        QVERIFY(f.finish(pipeline::JobState::Cancelled));
        QVERIFY(!f.job<QLabel>("jobsQuestion")->isVisible());
        QVERIFY(f.host.changes.empty());
        QVERIFY(f.docks.isEmpty());
    }

    void failureShowsItsSentenceAndKeepsResults() {
        Fixture f;
        QVERIFY(f.start());
        f.engine.finishFrames(20);
        QVERIFY(f.finish(pipeline::JobState::Failed, Error(ErrorCode::Decode, "Frame 20 of fly.mp4 is damaged.")));
        QCOMPARE(f.job<QLabel>("jobsPhase")->text(), QStringLiteral("Failed"));
        QCOMPARE(f.job<QLabel>("jobsMessage")->text(),
                 QStringLiteral("Frame 20 of fly.mp4 is damaged. The 20 frames finished before are in the project."));
        QCOMPARE(predictedFrames(f.host.project), std::size_t{20});
        QVERIFY(f.run->status().failed);
        QVERIFY(f.run->status().text.contains("Frame 20 of fly.mp4 is damaged."));
        QVERIFY(f.job<ProgressLine>("jobsProgress")->fraction() < 1);
        QCOMPARE(f.notices.size(), 1);
    }

    void jobThatCannotStart() {
        Fixture f;
        QVERIFY(f.pickModel());
        f.engine.refusal = Error(ErrorCode::InvalidArgument, "Frame 120 is outside fly.mp4, which has 100 frames.");
        f.run->dialog()->findChild<QPushButton*>("inferenceRun")->click();
        QTRY_COMPARE(f.run->run().state, RunState::Failed);
        QVERIFY(f.run->dialog()->isVisible());
        QCOMPARE(f.run->dialog()->findChild<QLabel*>("inferenceSummary")->text(),
                 QStringLiteral("Frame 120 is outside fly.mp4, which has 100 frames."));
        QVERIFY(!f.run->isRunning());
    }

    void checkpointWhileRunning() {
        Fixture f(6000);
        QVERIFY(f.start());
        f.engine.finishFrames(5200);
        QTRY_VERIFY(predictedFrames(f.host.project) >= 5200);
        QVERIFY(f.run->isRunning());
        // Frames that are in the project come from there; the next ones are live again.
        QVERIFY(f.run->liveFrame(0, 100) == nullptr);
        f.engine.finishFrames(10);
        QTRY_VERIFY(f.run->liveFrame(0, 5205) != nullptr);
        QVERIFY(f.finish(pipeline::JobState::Finished));
    }

    void tracksAreNamedBeforeTheyExist() {
        Fixture f;
        f.host.project.editTracks().push_back({"track_0"});
        // A frame outside the run uses that track: the run's own gets another name.
        project::FrameData other{1, 0, {}, -1};
        other.instances.push_back({});
        other.instances.back().header.track = 0;
        f.host.project.appendFrame(other);
        QVERIFY(f.pickModel());
        f.run->dialog()->findChild<QComboBox*>("inferenceTracker")->setCurrentIndex(1);
        Q_EMIT f.run->dialog()->findChild<QComboBox*>("inferenceTracker")->activated(1);
        f.run->dialog()->findChild<QPushButton*>("inferenceRun")->click();
        QTRY_VERIFY(f.engine.isStarted() && f.run->run().state == RunState::Running);
        QVERIFY(f.engine.spec().tracking.has_value());
        f.engine.finishFrames(4, 2);
        QTRY_VERIFY(f.run->liveFrame(0, 3) != nullptr);
        const int track = f.run->liveFrame(0, 3)->instances[0].header.track;
        QCOMPARE(track, 1);
        QCOMPARE(f.run->liveTrackName(track), QStringLiteral("track_1"));
        QVERIFY(f.finish(pipeline::JobState::Finished));
        QCOMPARE(f.host.project.tracks().size(), std::size_t{3});
        QCOMPARE(f.host.project.tracks()[1].name, std::string("track_1"));
    }

    void warningsAndBadFrames() {
        Fixture f;
        QVERIFY(f.start());
        f.engine.change([](FakeEngine::State& s) {
            s.progress.warnings = {
                "The device's memory is too small for the batch; 2 frames at a time are used instead."};
            s.progress.unreadable = {{0, 8}, {0, 9}};
        });
        f.engine.finishFrames(4);
        auto* button = f.job<QToolButton>("jobsWarningsButton");
        QTRY_VERIFY(button->isVisible());
        QCOMPARE(button->text(), QStringLiteral("2 warnings"));
        QVERIFY(!f.job<QLabel>("jobsWarnings")->isVisible());
        button->click();
        QVERIFY(f.job<QLabel>("jobsWarnings")->isVisible());
        QVERIFY2(f.job<QLabel>("jobsWarnings")
                     ->text()
                     .startsWith("2 frames could not be decoded and have no result: 9, 10."),
                 qPrintable(f.job<QLabel>("jobsWarnings")->text()));
        QVERIFY(f.finish(pipeline::JobState::Finished));
    }

    void leavingDuringARun() {
        Fixture f;
        QVERIFY(f.run->finishBeforeClosing([] { QFAIL("nothing runs: nobody is called"); }));
        QVERIFY(f.start());
        f.engine.finishFrames(12);
        QTRY_COMPARE(f.run->finishedRanges().size(), std::size_t{1});
        int left = 0;
        QVERIFY(!f.run->finishBeforeClosing([&] { ++left; }));
        QVERIFY(f.leave);
        f.leave(RunServices::Leave::Stay);
        QVERIFY(f.run->isRunning());
        QVERIFY(!f.engine.state().cancelled);
        QVERIFY(!f.run->finishBeforeClosing([&] { ++left; }));
        f.leave(RunServices::Leave::Keep);
        QVERIFY(f.engine.state().cancelled);
        QVERIFY(f.finish(pipeline::JobState::Cancelled));
        QCOMPARE(left, 1);
        QCOMPARE(predictedFrames(f.host.project), std::size_t{12});
        QVERIFY(f.docks.isEmpty());  // the answer was given already
    }

    void leavingAndDiscarding() {
        Fixture f;
        QVERIFY(f.start());
        f.engine.finishFrames(12);
        QTRY_COMPARE(f.run->finishedRanges().size(), std::size_t{1});
        int left = 0;
        QVERIFY(!f.run->finishBeforeClosing([&] { ++left; }));
        f.leave(RunServices::Leave::Discard);
        QVERIFY(f.finish(pipeline::JobState::Cancelled));
        QCOMPARE(left, 1);
        QCOMPARE(f.host.project.frameCount(), std::size_t{0});
    }

    void theModelOfTheLastSessionIsLoadedOnceAVideoIsThere() {
        Fixture without;
        without.run->hostChanged();
        Fixture f(0, text::fromPath(sampleModel()));
        f.run->hostChanged();
        QTest::qWait(50);
        QCOMPARE(f.loadedAhead.load(), 0);
        f.host.open(10);
        f.run->hostChanged();
        QTRY_COMPARE(f.loadedAhead.load(), 1);
        QVERIFY(!f.run->dialog()->isVisible());
        QCOMPARE(without.loadedAhead.load(), 0);
    }

    void blockedWithoutAVideo() {
        Fixture f(0);
        f.run->hostChanged();
        QTest::qWait(1);
        QCOMPARE(f.run->blockedReason(), QStringLiteral("Open a video first."));
        QVERIFY(!f.job<QPushButton>("jobsRun")->isEnabled());
        f.host.open(10);
        QSignalSpy changed(f.run.get(), &RunController::stateChanged);
        f.run->hostChanged();
        QTRY_COMPARE(changed.count(), 1);
        QCOMPARE(f.run->blockedReason(), QString());
        QVERIFY(f.job<QPushButton>("jobsRun")->isEnabled());
        f.job<QPushButton>("jobsRun")->click();
        QVERIFY(f.run->dialog()->isVisible());
    }

    void predictAgainOnThisFrame() {
        Fixture f;
        f.host.frame = 41;
        // Without a model there is nothing to run: the dialog asks for one.
        f.run->predictAgain();
        QVERIFY(f.run->dialog()->isVisible());
        QVERIFY(f.pickModel());
        f.run->predictAgain();
        QTRY_VERIFY(f.engine.isStarted());
        QCOMPARE(f.engine.spec().sources.front().frames, (std::vector<std::int64_t>{41}));
        QVERIFY(!f.run->isFollowing());
        QVERIFY(f.finish(pipeline::JobState::Finished));
    }

    void oneRunAtATime() {
        Fixture f;
        QVERIFY(f.start());
        f.run->showDialog();
        QVERIFY(!f.run->dialog()->plan().canRun);
        QVERIFY(f.run->dialog()->findChild<QLabel*>("inferenceSummary")->text().contains("A run is in progress"));
        f.run->dialog()->findChild<QPushButton*>("inferenceFix")->click();
        QCOMPARE(f.docks, QStringList{"dockJobs"});
        QVERIFY(f.finish(pipeline::JobState::Finished));
        QVERIFY(f.run->dialog()->plan().canRun);
    }

    void libraryIsLoadedOnceAModelIsThere() {
        Fixture f;
        QSignalSpy known(f.run.get(), &RunController::deviceKnown);
        QTest::qWait(20);
        QCOMPARE(f.devicesAsked, 0);
        QVERIFY(f.pickModel());
        QTRY_COMPARE(known.count(), 1);
        QCOMPARE(known.front()[0].toString(), QStringLiteral("CPU"));
        QCOMPARE(known.front()[1].toString(), QStringLiteral("No NVIDIA driver was found."));
        QVERIFY(f.start());
        QVERIFY(f.finish(pipeline::JobState::Finished));
        QCOMPARE(f.devicesAsked, 1);
    }

    void anotherProjectTakesItsPlace() {
        Fixture f;
        QVERIFY(f.start());
        f.engine.finishFrames(5);
        QTRY_COMPARE(f.run->finishedRanges().size(), std::size_t{1});
        f.run->cancel();
        QVERIFY(f.finish(pipeline::JobState::Cancelled));
        QVERIFY(f.job<QPushButton>("jobsDiscard")->isVisible());
        f.host.project = project::Labels();
        f.run->projectReplaced();
        QVERIFY(!f.job<QPushButton>("jobsDiscard")->isVisible());
        QVERIFY(f.run->liveFrame(0, 1) == nullptr);
        QCOMPARE(f.run->finishedRanges().size(), std::size_t{0});
    }

    void hiddenJobsPanelCatchesUp() {
        Fixture f;
        f.run->jobsPanel()->hide();
        QVERIFY(f.start());
        f.engine.finishFrames(30);
        QTRY_COMPARE(f.run->finishedRanges().size(), std::size_t{1});
        f.run->jobsPanel()->show();
        QCOMPARE(f.job<QLabel>("jobsFrames")->text(), QStringLiteral("30 / 100"));
        QVERIFY(f.finish(pipeline::JobState::Finished));
    }

    void destroyedWhileRunning() {
        Fixture f;
        QVERIFY(f.start());
        f.engine.finishFrames(3);
        auto* jobs = f.run->jobsPanel();
        const QPointer<JobsPanel> guard(jobs);
        f.run.reset();
        QVERIFY(f.engine.state().destroyed);
        QVERIFY(guard.isNull());
    }
};

QTEST_MAIN(TestRunController)
#include "tst_run_controller.moc"
