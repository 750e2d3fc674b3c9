// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QPushButton>
#include <QRadioButton>
#include <QTemporaryDir>

#include "tests/ui/run/run_fakes.h"
#include "ui/bridge/job_bridge.h"
#include "ui/bridge/run_keeper.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/dialogs/model_picker.h"
#include "ui/panels/jobs_panel.h"
#include "ui/panels/profiling_panel.h"
#include "ui/run_controller.h"
#include "ui/text.h"

using namespace skein;
using namespace skein::ui;
using skein::test::FakeDialogs;
using skein::test::FakeEngine;
using skein::test::FakeHost;
using skein::test::FakeVideo;
using skein::test::sampleModel;

namespace {

/// A window with several videos; all but the first are opened when somebody wants them.
class ManyVideos : public FakeHost {
public:
    std::vector<RunVideo> all;
    std::vector<std::uint32_t> wanted;

    void add(const char* name, std::int64_t frames) {
        if (all.empty()) {
            open(frames);
            all.push_back(*video);
            return;
        }
        project::Video row;
        row.filename = std::string("/data/") + name;
        row.frameCount = frames;
        project.editVideos().push_back(row);
        RunVideo added;
        added.index = static_cast<std::uint32_t>(all.size());
        added.name = QLatin1String(name);
        added.frameCount = frames;
        all.push_back(added);
    }
    void arrives(std::uint32_t index) {
        all[index].source = std::make_shared<FakeVideo>(all[index].frameCount, 64, 64);
    }
    std::vector<RunVideo> videos() const override { return all; }
    void wantVideo(std::uint32_t index) override { wanted.push_back(index); }
};

std::size_t framesWithPredictions(const project::Labels& labels, std::uint32_t video) {
    std::size_t count = 0;
    for (const std::size_t row : labels.rowsOf(video))
        count += labels.frame(row).instanceCount() > 0 ? 1 : 0;
    return count;
}

struct Fixture {
    QTemporaryDir folder;
    FakeEngine engine;
    FakeDialogs dialogs;
    ManyVideos host;
    std::unique_ptr<RunController> run;
    QStringList notices;
    QString offer, button;

    explicit Fixture(const QString& runs = {}) : runsFolder(runs.isEmpty() ? folder.filePath("runs") : runs) {}
    void begin() {
        RunServices services;
        services.jobs = engine.starter();
        services.devices = []() -> Result<inference::DeviceInfo> {
            return inference::DeviceInfo{"2.11", {"cpu"}, "No NVIDIA driver was found."};
        };
        services.dialogs = &dialogs;
        services.settingsFile = folder.filePath("skein.ini");
        services.runsFolder = runsFolder;
        run = std::make_unique<RunController>(host, nullptr, services);
        QObject::connect(run.get(), &RunController::notice, run.get(), [this](const QString& n) { notices << n; });
        QObject::connect(run.get(), &RunController::resumeOffered, run.get(),
                         [this](const QString& sentence, const QString& words) {
                             offer = sentence;
                             button = words;
                         });
    }
    bool pickModel() {
        run->showDialog();
        run->dialog()->modelPicker()->setPath(text::fromPath(sampleModel()));
        return test::await([this] { return run->dialog()->plan().canRun; });
    }
    template <class T>
    T* find(const char* name) {
        return run->dialog()->findChild<T*>(QLatin1String(name));
    }
    bool start() {
        find<QPushButton>("inferenceRun")->click();
        return test::await([this] { return run->run().state == RunState::Running; });
    }
    bool over() {
        return test::await([this] { return !run->isRunning(); });
    }
    QString runsFolder;
};

QStringList unfinishedFiles(const QString& folder) {
    return QDir(folder).entryList({"*.unfinished"}, QDir::Files);
}

}  // namespace

class TestRunSeries : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Several videos: one after another, each opened when its turn comes; one that cannot be read holds up nobody, and
    // is told at the end.
    void severalVideosRunOneAfterAnother() {
        Fixture f;
        f.host.add("fly.mp4", 20);
        f.host.add("b.mp4", 10);
        f.host.add("broken.mp4", 10);
        f.host.add("d.mp4", 5);
        f.begin();
        QVERIFY(f.pickModel());
        f.find<QRadioButton>("inferenceTargetAllVideos")->click();
        QVERIFY(f.start());
        QCOMPARE(f.run->run().info.video, 0U);
        f.engine.finishFrames(20);
        f.engine.end(pipeline::JobState::Finished);
        QTRY_COMPARE(f.host.wanted, std::vector<std::uint32_t>({1}));
        QVERIFY(f.notices.isEmpty());
        f.host.arrives(1);
        f.run->hostChanged();
        QTRY_VERIFY(f.run->isRunning() && f.run->run().info.video == 1 && f.run->run().state == RunState::Running);
        QVERIFY2(f.run->run().info.title.contains("b.mp4 (video 2 of 4)"), qPrintable(f.run->run().info.title));
        f.engine.finishFrames(10);
        f.engine.end(pipeline::JobState::Finished);
        QTRY_COMPARE(f.host.wanted.size(), std::size_t{2});
        f.host.all[2].problem = "broken.mp4 is not a video that can be read.";
        f.run->hostChanged();
        QTRY_COMPARE(f.host.wanted.size(), std::size_t{3});
        f.host.arrives(3);
        f.run->hostChanged();
        QTRY_VERIFY(f.run->isRunning() && f.run->run().info.video == 3 && f.run->run().state == RunState::Running);
        f.engine.finishFrames(5);
        f.engine.end(pipeline::JobState::Finished);
        QTRY_COMPARE(f.notices.size(), 1);
        QVERIFY2(f.notices[0].contains("Finished with problems") && f.notices[0].contains("broken.mp4"),
                 qPrintable(f.notices[0]));
        QCOMPARE(framesWithPredictions(f.host.project, 0), std::size_t{20});
        QCOMPARE(framesWithPredictions(f.host.project, 1), std::size_t{10});
        QCOMPARE(framesWithPredictions(f.host.project, 2), std::size_t{0});
        QCOMPARE(framesWithPredictions(f.host.project, 3), std::size_t{5});
    }

    void cancellingEndsTheSeries() {
        Fixture f;
        f.host.add("fly.mp4", 20);
        f.host.add("b.mp4", 10);
        f.host.arrives(1);
        f.begin();
        QVERIFY(f.pickModel());
        f.find<QRadioButton>("inferenceTargetAllVideos")->click();
        QVERIFY(f.start());
        f.engine.finishFrames(5);
        f.run->cancel();
        f.engine.end(pipeline::JobState::Cancelled);
        QVERIFY(f.over());
        QTRY_COMPARE(f.notices.size(), 1);
        QCoreApplication::processEvents();
        QVERIFY(!f.run->isRunning());
        QCOMPARE(framesWithPredictions(f.host.project, 1), std::size_t{0});
    }

    // Tracking alone: the same instances where they were, with tracks; one step; what a person made is untouched.
    void predictionsAreTrackedAnew() {
        Fixture f;
        f.host.add("fly.mp4", 50);
        f.begin();
        QVERIFY(f.pickModel());
        QVERIFY(f.start());
        f.engine.finishFrames(50);
        f.engine.end(pipeline::JobState::Finished);
        QVERIFY(f.over());
        QCOMPARE(framesWithPredictions(f.host.project, 0), std::size_t{50});
        QVERIFY(f.host.project.tracks().empty());
        // One animal was labelled by hand.
        const auto row = f.host.project.findFrame(0, 7);
        project::FrameData data = f.host.project.frame(*row).toData();
        project::InstanceData mine = data.instances.front();
        mine.header.kind = project::InstanceKind::User;
        mine.header.id = 0;
        data.instances.push_back(mine);
        f.host.project.replaceFrame(*row, data);
        const project::Labels before = f.host.project;

        f.run->showDialog();
        f.find<QCheckBox>("inferenceTrackOnly")->click();
        QTRY_VERIFY(f.run->dialog()->plan().canRun);
        const std::size_t steps = f.host.changes.size();
        f.find<QPushButton>("inferenceRun")->click();
        QTRY_VERIFY(f.run->run().info.trackOnly && !f.run->isRunning());
        QCOMPARE(f.run->run().state, RunState::Finished);
        QVERIFY(f.host.changes.size() > steps);
        for (std::size_t i = steps; i < f.host.changes.size(); ++i)
            QCOMPARE(f.host.changes[i].run, f.host.changes[steps].run);  // one step of undo
        QVERIFY(!f.host.project.tracks().empty());
        QCOMPARE(f.host.project.instanceCount(), before.instanceCount());
        for (std::int64_t frame = 0; frame < 50; ++frame) {
            const project::FrameView was = before.frame(*before.findFrame(0, frame));
            const project::FrameView is = f.host.project.frame(*f.host.project.findFrame(0, frame));
            QCOMPARE(is.instanceCount(), was.instanceCount());
            for (std::size_t i = 0; i < is.instanceCount(); ++i) {
                const bool predicted = is.instance(i).header->kind == project::InstanceKind::Predicted;
                QCOMPARE(is.instance(i).header->track >= 0, predicted);
            }
        }
    }

    // I-06: a crash in the middle of a run of the window. The next session offers to go on, and ends with what an
    // uninterrupted run would have given.
    void I_06_aRunGoesOnAfterACrash_data() {
        QTest::addColumn<bool>("tracked");
        QTest::newRow("found only") << false;
        QTest::newRow("tracked") << true;
    }
    void I_06_aRunGoesOnAfterACrash() {
        QFETCH(const bool, tracked);
        const auto prepare = [tracked](Fixture& f) {
            f.host.add("fly.mp4", 300);
            f.begin();
            QVERIFY(f.pickModel());
            if (tracked) {
                auto* tracker = f.find<QComboBox>("inferenceTracker");
                tracker->setCurrentIndex(tracker->findData(static_cast<int>(TrackerChoice::Classic)));
                Q_EMIT tracker->activated(tracker->currentIndex());
            }
            QVERIFY(f.start());
        };
        Fixture whole;
        prepare(whole);
        whole.engine.finishFrames(300);
        whole.engine.end(pipeline::JobState::Finished);
        QVERIFY(whole.over());
        // Nothing is left to go on with.
        QTRY_VERIFY(unfinishedFiles(whole.runsFolder).isEmpty());

        const QTemporaryDir shared;
        const QString runs = shared.filePath("runs");
        {
            Fixture f(runs);
            prepare(f);
            f.engine.finishFrames(120);
            // The file is written while the run goes on.
            QTRY_VERIFY(!unfinishedFiles(runs).isEmpty());
            QTRY_COMPARE(f.run->run().framesDone(), std::int64_t{120});
            QTRY_VERIFY(QFileInfo(runs + '/' + unfinishedFiles(runs).front()).size() > 120 * 50);
            // Another window does not take it for one that a crash has left.
            QVERIFY(findUnfinishedRuns(runs).empty());
        }  // gone without a word
        QCOMPARE(unfinishedFiles(runs).size(), 1);

        Fixture next(runs);
        next.host.add("fly.mp4", 300);
        next.begin();
        next.run->projectReplaced();
        QTRY_COMPARE(next.button, QString("Resume at frame 121"));
        QVERIFY2(next.offer.contains("120 of 300 frames"), qPrintable(next.offer));
        next.run->resumeRun();
        QTRY_VERIFY(next.run->run().state == RunState::Running);
        QVERIFY(next.offer.isEmpty());
        QCOMPARE(next.engine.spec().resumeFrom, std::int64_t{120});
        QCOMPARE(next.engine.spec().finished.size(), std::size_t{120});
        QCOMPARE(next.engine.spec().tracking.has_value(), tracked);
        next.engine.finishFrames(180);
        next.engine.end(pipeline::JobState::Finished);
        QVERIFY(next.over());
        QCOMPARE(next.run->run().state, RunState::Finished);

        QCOMPARE(next.host.project.frameCount(), whole.host.project.frameCount());
        QCOMPARE(next.host.project.tracks().size(), whole.host.project.tracks().size());
        for (std::int64_t frame = 0; frame < 300; ++frame) {
            const project::FrameView a = whole.host.project.frame(*whole.host.project.findFrame(0, frame));
            const project::FrameView b = next.host.project.frame(*next.host.project.findFrame(0, frame));
            QCOMPARE(b.instanceCount(), a.instanceCount());
            for (std::size_t i = 0; i < a.instanceCount(); ++i) {
                QCOMPARE(b.instance(i).header->track, a.instance(i).header->track);
                QCOMPARE(b.instance(i).points[0].x, a.instance(i).points[0].x);
                QCOMPARE(b.instance(i).points[0].y, a.instance(i).points[0].y);
            }
        }
        QTRY_VERIFY(unfinishedFiles(runs).isEmpty());
    }

    void anUnfinishedRunCanBeForgotten() {
        const QTemporaryDir shared;
        const QString runs = shared.filePath("runs");
        {
            Fixture f(runs);
            f.host.add("fly.mp4", 300);
            f.begin();
            QVERIFY(f.pickModel());
            QVERIFY(f.start());
            f.engine.finishFrames(40);
            QTRY_VERIFY(!unfinishedFiles(runs).isEmpty() &&
                        QFileInfo(runs + '/' + unfinishedFiles(runs).front()).size() > 40 * 50);
        }
        // Another project is not asked.
        Fixture other(runs);
        other.host.add("fly.mp4", 300);
        other.host.project.editVideos()[0].filename = "/data/other.mp4";
        other.begin();
        other.run->projectReplaced();
        QTest::qWait(0);
        Fixture next(runs);
        next.host.add("fly.mp4", 300);
        next.begin();
        next.run->projectReplaced();
        QTRY_VERIFY(!next.button.isEmpty());
        QVERIFY(other.button.isEmpty());
        next.run->forgetUnfinished();
        QVERIFY(next.offer.isEmpty());
        QTRY_VERIFY(unfinishedFiles(runs).isEmpty());
    }

    // A run that ended as it should leaves nothing behind, however it ended.
    void anEndLeavesNoFile_data() {
        QTest::addColumn<int>("state");
        QTest::newRow("finished") << static_cast<int>(pipeline::JobState::Finished);
        QTest::newRow("cancelled") << static_cast<int>(pipeline::JobState::Cancelled);
        QTest::newRow("failed") << static_cast<int>(pipeline::JobState::Failed);
    }
    void anEndLeavesNoFile() {
        QFETCH(const int, state);
        Fixture f;
        f.host.add("fly.mp4", 300);
        f.begin();
        QVERIFY(f.pickModel());
        QVERIFY(f.start());
        f.engine.finishFrames(300);
        QTRY_VERIFY(!unfinishedFiles(f.runsFolder).isEmpty());
        std::optional<Error> error;
        if (static_cast<pipeline::JobState>(state) == pipeline::JobState::Failed)
            error = Error(ErrorCode::Device, "The device is gone.");
        f.engine.end(static_cast<pipeline::JobState>(state), error);
        QVERIFY(f.over());
        QTRY_VERIFY(unfinishedFiles(f.runsFolder).isEmpty());
    }

    // A file that is damaged, or of something else, is nobody's run.
    void damagedFilesAreNotOffered() {
        const QTemporaryDir folder;
        const auto write = [&folder](const char* name, const QByteArray& content) {
            QFile file(folder.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(content);
        };
        write("empty.unfinished", {});
        write("text.unfinished", QByteArray(5000, 'x'));
        write("cut.unfinished", QByteArray("SKEINRUN\1\0\0\0", 12) + QByteArray(4000, '\xff'));
        QVERIFY(findUnfinishedRuns(folder.path()).empty());
        QVERIFY(findUnfinishedRuns(folder.filePath("not there")).empty());
    }
};

QTEST_MAIN(TestRunSeries)
#include "tst_run_series.moc"
