// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLineEdit>
#include <QRadioButton>
#include <QSpinBox>

#include "tests/ui/run/dialog_fixture.h"

using namespace skein;
using namespace skein::ui;
using skein::test::DialogFixture;
using skein::test::FakeVideo;
using skein::test::flySkeleton;
using skein::test::sampleModel;

namespace {

void predict(project::Labels& labels, std::uint32_t video, std::int64_t frame, int track) {
    if (labels.skeletons().empty())
        labels.editSkeletons().push_back(flySkeleton());
    while (static_cast<int>(labels.tracks().size()) <= track)
        labels.editTracks().push_back({"track_" + std::to_string(labels.tracks().size())});
    project::FrameData data;
    data.video = video;
    data.frameIndex = frame;
    project::InstanceData instance;
    instance.header.kind = project::InstanceKind::Predicted;
    instance.header.track = track;
    for (int n = 0; n < 2; ++n) {
        project::Point point;
        point.x = 10 + 5.0 * n;
        point.y = 20 + static_cast<double>(frame);
        point.visible = true;
        instance.points.push_back(point);
    }
    data.instances.push_back(instance);
    labels.appendFrame(std::move(data));
}

/// A second, third ... video of the project; `source` false: not open yet.
RunVideo anotherVideo(project::Labels& labels, const char* name, std::int64_t frames, bool open = true) {
    project::Video row;
    row.filename = std::string("/data/") + name;
    row.frameCount = frames;
    labels.editVideos().push_back(row);
    RunVideo video;
    video.index = static_cast<std::uint32_t>(labels.videos().size() - 1);
    video.name = QLatin1String(name);
    video.frameCount = frames;
    if (open)
        video.source = std::make_shared<FakeVideo>(frames, 64, 64);
    return video;
}

}  // namespace

class TestRunTargets : public QObject {
    Q_OBJECT

    static void target(DialogFixture& f, const char* name) {
        auto* button = f.find<QRadioButton>(name);
        QVERIFY2(button->isEnabled(), name);
        button->click();
    }

private Q_SLOTS:
    void listsOfFramesAreUnderstoodAsTheWindowCounts_data() {
        QTest::addColumn<QString>("list");
        QTest::addColumn<bool>("fromZero");
        QTest::addColumn<QString>("frames");  // from 0; empty: refused
        QTest::newRow("one") << "7" << false << "6";
        QTest::newRow("from 0") << "7" << true << "7";
        QTest::newRow("range") << "1-3" << false << "0 1 2";
        QTest::newRow("mixed, in any order, twice") << "5, 1 - 2,2" << false << "0 1 4";
        QTest::newRow("dash of a text program") << QString::fromUtf8("9–10") << false << "8 9";
        QTest::newRow("partly outside") << "9-99" << false << "8 9";
        QTest::newRow("0 of a window that begins with 1") << "0" << false << "";
        QTest::newRow("outside") << "11" << false << "";
        QTest::newRow("backwards") << "5-3" << false << "";
        QTest::newRow("words") << "all" << false << "";
        QTest::newRow("nothing") << " " << false << "";
        QTest::newRow("negative") << "-4" << false << "";
        QTest::newRow("huge") << "99999999999999999999" << false << "";
        QTest::newRow("huge range") << "1-9223372036854775807" << false << "0 1 2 3 4 5 6 7 8 9";
    }
    void listsOfFramesAreUnderstoodAsTheWindowCounts() {
        QFETCH(const QString, list);
        QFETCH(const bool, fromZero);
        QFETCH(const QString, frames);
        const auto listed = listedFrames(list, fromZero, 10);
        QCOMPARE(listed.has_value(), !frames.isEmpty());
        if (!listed)
            return;
        QStringList got;
        for (const std::int64_t frame : toFrames(*listed))
            got << QString::number(frame);
        QCOMPARE(got.join(' '), frames);
    }

    void aListOfFramesIsATarget() {
        DialogFixture f(100);
        f.show();
        QVERIFY(f.pick(sampleModel()));
        auto* list = f.find<QLineEdit>("inferenceFrameList");
        QVERIFY(list->isHidden());
        target(f, "inferenceTargetList");
        QVERIFY(!list->isHidden());
        QVERIFY(!f.dialog.plan().canRun);
        QVERIFY2(f.summary().contains("Write frames as"), qPrintable(f.summary()));
        QTest::keyClicks(list, "1-10, 50");
        QVERIFY2(f.dialog.plan().canRun, qPrintable(f.summary()));
        QCOMPARE(f.dialog.plan().count, std::int64_t{11});
        QCOMPARE(f.find<QLabel>("inferenceTargetListCount")->text(), QString("11 frames"));
        QTest::keyClicks(list, "0000");
        QCOMPARE(f.dialog.plan().count, std::int64_t{10});
    }

    void framesWithIssuesAreATargetOnceSomebodyLooked() {
        DialogFixture f(100);
        f.show();
        QVERIFY(f.pick(sampleModel()));
        auto* button = f.find<QRadioButton>("inferenceTargetIssues");
        QVERIFY(!button->isEnabled());
        QVERIFY(button->toolTip().contains("Issues dock"));
        f.dialog.setProject({*f.host.video}, {}, FrameRanges{{10, 19}, {40, 40}});
        f.tell();
        QVERIFY(button->isEnabled());
        QCOMPARE(f.find<QLabel>("inferenceTargetIssuesCount")->text(), QString("11 frames"));
        button->click();
        QVERIFY(f.dialog.plan().canRun);
        QCOMPARE(f.dialog.plan().count, std::int64_t{11});
        QVERIFY(f.summary().contains("11 frames with issues"));
        // Settled meanwhile.
        f.dialog.setProject({*f.host.video}, {}, FrameRanges());
        f.tell();
        QVERIFY(!f.dialog.plan().canRun);
        QVERIFY(f.summary().contains("No frame of this video has an open issue"));
    }

    void severalVideosAreATarget() {
        DialogFixture f(100);
        std::vector<RunVideo> videos{*f.host.video};
        videos.push_back(anotherVideo(f.host.project, "b.mp4", 50));
        videos.push_back(anotherVideo(f.host.project, "c.mp4", 30, false));
        RunVideo missing = anotherVideo(f.host.project, "d.mp4", 20, false);
        missing.problem = "The video d.mp4 was not found.";
        videos.push_back(missing);
        // A project of one video is not asked.
        f.dialog.setProject({*f.host.video}, {}, std::nullopt);
        f.show();
        QVERIFY(f.find<QRadioButton>("inferenceTargetAllVideos")->isHidden());
        f.dialog.setProject(videos, {2, 1}, std::nullopt);
        f.tell();
        QVERIFY(!f.find<QRadioButton>("inferenceTargetAllVideos")->isHidden());
        QVERIFY(f.pick(sampleModel()));
        target(f, "inferenceTargetAllVideos");
        QTRY_VERIFY2(f.dialog.plan().canRun, qPrintable(f.summary()));
        QCOMPARE(f.dialog.plan().videos, std::size_t{3});
        QCOMPARE(f.dialog.plan().count, std::int64_t{180});
        QCOMPARE(f.run()->text(), QString("Run on 3 videos"));
        QVERIFY2(f.summary().contains("Left out") && f.summary().contains("d.mp4"), qPrintable(f.summary()));
        const auto request = f.dialog.request(RunTarget::AllVideos);
        QVERIFY(request);
        QCOMPARE(request->info.video, 0U);
        QCOMPARE(request->later.size(), std::size_t{3});

        target(f, "inferenceTargetSelectedVideos");
        QCOMPARE(f.find<QRadioButton>("inferenceTargetSelectedVideos")->text(), QString("Selected videos (2)"));
        QCOMPARE(f.find<QLabel>("inferenceTargetSelectedVideosCount")->text(), QString("80 frames"));
        QCOMPARE(f.dialog.plan().videos, std::size_t{2});
        const auto selected = f.dialog.request(RunTarget::SelectedVideos);
        QVERIFY(selected);
        // The one that is open begins.
        QCOMPARE(selected->info.video, 1U);
        QCOMPARE(selected->later.size(), std::size_t{1});
        QCOMPARE(selected->later.front().video, 2U);
        // As many random frames of each.
        target(f, "inferenceTargetSampleOfAll");
        QVERIFY(f.find<QSpinBox>("inferenceSampleSize")->isVisible());
        f.find<QSpinBox>("inferenceSampleSize")->setValue(10);
        QCOMPARE(f.dialog.plan().count, std::int64_t{30});
        const auto sample = f.dialog.request(RunTarget::SampleOfAll);
        QVERIFY(sample);
        QCOMPARE(sample->job.sources.front().frames.size(), std::size_t{10});
        QVERIFY(sample->later.front().settings.target == RunTarget::RandomSample);
        target(f, "inferenceTargetSelectedVideos");
        f.dialog.setProject(videos, {}, std::nullopt);
        f.tell();
        QVERIFY(!f.dialog.plan().canRun);
        QVERIFY(f.summary().contains("Select some in the Videos dock"));
    }

    // Nobody means to lose tracks by leaving out a tracker.
    void aRunWithoutATrackerSaysThatTracksGo() {
        DialogFixture f(100);
        for (std::int64_t frame = 0; frame < 20; ++frame)
            predict(f.host.project, 0, frame, 0);
        f.show();
        QVERIFY(f.pick(sampleModel()));
        QTRY_VERIFY2(f.summary().contains("Those of 20 frames have tracks, and the new ones will have none"),
                     qPrintable(f.summary()));
        f.track(TrackerChoice::Classic);
        QVERIFY(!f.summary().contains("will have none"));
        QVERIFY(f.summary().contains("Replaces the predictions of 20 frames"));
        f.track(TrackerChoice::None);
        QVERIFY(f.summary().contains("will have none"));
        // Beside the old ones nothing is lost.
        auto* existing = f.find<QComboBox>("inferenceExisting");
        existing->setCurrentIndex(existing->findData(static_cast<int>(ExistingPredictions::Keep)));
        QVERIFY(!f.summary().contains("will have none"));
        // On other frames neither; all of the video go when it is cleared.
        f.host.frame = 50;
        f.tell();
        existing->setCurrentIndex(existing->findData(static_cast<int>(ExistingPredictions::Replace)));
        target(f, "inferenceTargetFrame");
        QTRY_VERIFY(f.dialog.plan().canRun);
        QVERIFY(!f.summary().contains("will have none"));
    }

    void trackingAloneNeedsNoModelButPredictions() {
        DialogFixture f(100);
        f.show();
        auto* only = f.find<QCheckBox>("inferenceTrackOnly");
        only->click();
        QVERIFY(f.dialog.settings().tracking);
        QTRY_VERIFY2(f.summary().contains("There are no predictions to be tracked"), qPrintable(f.summary()));
        QVERIFY(!f.run()->isEnabled());
        for (std::int64_t frame = 0; frame < 20; ++frame)
            predict(f.host.project, 0, frame, 0);
        f.tell();
        QTRY_VERIFY2(f.dialog.plan().canRun, qPrintable(f.summary()));
        QCOMPARE(f.dialog.plan().count, std::int64_t{20});
        QCOMPARE(f.run()->text(), QString("Track 20 frames"));
        QVERIFY2(f.summary().contains("get new tracks") && f.summary().contains("nothing is found anew"),
                 qPrintable(f.summary()));
        const auto request = f.dialog.request(f.dialog.settings().target);
        QVERIFY(request);
        QVERIFY(request->trackOnly);
        QVERIFY(request->job.models.empty());
        QVERIFY(request->job.tracking);
        // Without a tracker there is nothing to do: it is off again.
        f.track(TrackerChoice::None);
        QVERIFY(!only->isChecked());
    }
};

QTEST_MAIN(TestRunTargets)
#include "tst_run_targets.moc"
