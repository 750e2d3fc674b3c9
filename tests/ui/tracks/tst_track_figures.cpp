// SPDX-License-Identifier: GPL-3.0-or-later
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <random>

#include "engine/project/edit/tracks.h"
#include "tests/support/big_project.h"
#include "ui/document.h"
#include "ui/theme.h"
#include "ui/tracks/line_color.h"
#include "ui/tracks/proofread_state.h"
#include "ui/tracks/track_choice.h"
#include "ui/tracks/track_path.h"
#include "ui/tracks/track_summary.h"
#include "ui/tracks/track_table_model.h"
#include "ui/tracks/trail_layer.h"

using namespace skein;
using namespace skein::ui;

namespace {

/// Track 0 walks to the right by 2 px a frame with a pause of frames 10 to 14 and a jump of 40 px at frame 20; track 1
/// stands at (100, 10) on frames 5 to 24; track 2 stands on frame 7 alone.
project::Labels walkers() {
    project::Labels labels;
    labels.editVideos().resize(1);
    labels.editVideos()[0].frameCount = 40;
    project::Skeleton skeleton;
    skeleton.nodes = {"a", "b"};
    labels.editSkeletons().push_back(skeleton);
    for (const char* name : {"walker", "stander", "guest"})
        labels.editTracks().push_back({name, 0, -1});
    const auto at = [](double x, double y, int track, float score, bool user = false) {
        project::InstanceData instance;
        instance.header.track = track;
        instance.header.score = score;
        instance.header.kind = user ? project::InstanceKind::User : project::InstanceKind::Predicted;
        instance.points = {{x - 3, y, 0.9, true, false}, {x + 3, y, 0.9, true, false}};
        return instance;
    };
    for (std::int64_t f = 0; f < 30; ++f) {
        project::FrameData frame;
        frame.frameIndex = f;
        if (f < 10 || f >= 15)
            frame.instances.push_back(
                at(2.0 * static_cast<double>(f) + (f >= 20 ? 40 : 0), 10, 0, f == 3 ? 0.25F : 0.75F, f == 4));
        if (f >= 5 && f < 25)
            frame.instances.push_back(at(100, 10, 1, 0.5F));
        if (f == 7)
            frame.instances.push_back(at(101, 10, 2, 0.5F));
        labels.appendFrame(frame);
    }
    return labels;
}

ShownFrame shownOf(int frame, int tracks) {
    static const auto skeletons = std::make_shared<const std::vector<project::Skeleton>>(1);
    ShownFrame shown;
    shown.frame = frame;
    shown.skeletons = skeletons;
    for (int t = 0; t < tracks; ++t) {
        ShownInstance instance;
        instance.header.track = t;
        instance.color = t;
        instance.skeleton = &skeletons->front();
        const double angle = 0.02 * frame + t;
        instance.points = {
            {500 + (100 + 8 * t) * std::cos(angle), 400 + (90 + 6 * t) * std::sin(angle), 1, true, false}};
        shown.instances.push_back(instance);
    }
    return shown;
}

}  // namespace

class TestTrackFigures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyColourOfATrackIsSeenAsALine() {
        const auto contrast = [](const QColor& a, const QColor& b) {
            const auto [dark, light] = std::minmax({theme::luminance(a), theme::luminance(b)});
            return (light + 0.05) / (dark + 0.05);
        };
        for (const theme::Mode mode : {theme::Mode::Light, theme::Mode::Dark}) {
            theme::apply(mode);
            const QColor ground = theme::tokens().surface;
            for (int palette = 0; palette < theme::kPalettes; ++palette) {
                theme::setPalette(static_cast<theme::Palette>(palette));
                for (int i = 0; i < theme::paletteSize(); ++i) {
                    const QColor color = theme::trackColor(i), line = lineColor(color, ground);
                    QVERIFY2(contrast(line, ground) >= 3, qPrintable(color.name() + " as " + line.name()));
                    if (contrast(color, ground) >= 3)
                        QCOMPARE(line, color);
                }
            }
        }
        theme::setPalette(theme::Palette::Safe);
        theme::apply(theme::Mode::Light);
    }

    void figuresOfTracksAreRight() {
        const TrackSummaries all = summarizeTracks(walkers(), 0);
        QCOMPARE(all.tracks.size(), std::size_t{3});
        QCOMPARE(all.bodyLength, 6.0);
        const TrackSummary& walker = all.tracks[0];
        QCOMPARE(walker.first, std::int64_t{0});
        QCOMPARE(walker.last, std::int64_t{29});
        QCOMPARE(walker.frames, std::int64_t{25});
        QCOMPARE(walker.fragments, std::int64_t{2});
        QCOMPARE(walker.gaps(), std::int64_t{1});
        QCOMPARE(walker.longestGap, std::int64_t{5});
        QCOMPARE(walker.userFrames, std::int64_t{1});
        QCOMPARE(walker.minScore, 0.25);
        QVERIFY(std::fabs(walker.meanScore - (0.25 + 23 * 0.75) / 24) < 1e-6);
        QCOMPARE(walker.maxJump, 42.0);
        QCOMPARE(walker.jumpFrame, std::int64_t{20});
        QVERIFY(std::fabs(walker.meanSpeed - (22 * 2.0 + 42) / 23) < 1e-9);
        QVERIFY(std::isnan(walker.meanTrackingScore));
        const TrackSummary& stander = all.tracks[1];
        QCOMPARE(stander.meanSpeed, 0.0);
        QCOMPARE(stander.encounters, std::int64_t{1});  // the guest
        QCOMPARE(all.tracks[2].frames, std::int64_t{1});
        QVERIFY(std::isnan(all.tracks[2].maxJump));
    }

    void curvesOfTracksAreRight() {
        const std::vector<TrackPath> paths = pathsOf(walkers(), 0, {1, 0});
        QCOMPARE(paths[1].track, 0);
        QCOMPARE(paths[1].frames.size(), std::size_t{25});
        const PlotCurve speed = speedOf(paths[1]);
        QCOMPARE(speed.values[0], 2.0);
        QVERIFY(std::isnan(speed.values[9]));  // the first frame after the pause
        QCOMPARE(headingOf(paths[1]).values[0], 0.0);
        QVERIFY(std::isnan(headingOf(paths[0]).values[0]));
        const PlotCurve distance = distanceOf(paths[0], paths[1]);
        QCOMPARE(distance.frames.front(), 5.0);
        QCOMPARE(distance.values.front(), 90.0);
        QCOMPARE(distance.frames.back(), 24.0);
        QCOMPARE(runsOf(paths[1]).size(), std::size_t{2});
        const Occupancy map = occupancyOf(paths, 128, 64, 16);
        QCOMPARE(map.columns, 16);
        QCOMPARE(map.rows, 8);
        QCOMPARE(map.cell, 8.0);
        std::int64_t sum = 0;
        for (const std::int64_t count : map.counts)
            sum += count;
        QCOMPARE(sum, std::int64_t{45});
        QVERIFY(map.counts[16 + 12] >= 20);  // (100, 10)
    }

    void coloursAndReviewsAreKeptBesideTheProject() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("p.slp"));
        {
            Document document;
            ProofreadState state(&document, nullptr);
            document.replaceAll(QStringLiteral("start"), walkers());
            document.save(path);
            QTRY_VERIFY(!document.isSaving() && !document.path().isEmpty());
            QCOMPARE(state.inkOf(1), 1);
            state.setInk({1}, 7);
            state.setReviewed({0, 1}, true);
            QTRY_VERIFY(state.isSaved() && QFileInfo::exists(ProofreadState::filePath(path)));
            // Another name, the same track.
            project::Labels next = document.snapshot();
            next.editTracks()[1].name = "other name";
            document.commit(QStringLiteral("rename"), next, {ChangeKind::Tracks, 0, 0, -1});
            QCOMPARE(state.inkOf(1), 7);
            document.save(path);
            QTRY_VERIFY(!document.isSaving() && state.isSaved());
        }
        Document document;
        ProofreadState state(&document, nullptr);
        document.openProject(path);
        QTRY_VERIFY(document.isOpen());
        QTRY_COMPARE(state.inkOf(1), 7);
        QVERIFY(state.isReviewed(0) && state.isReviewed(1) && !state.isReviewed(2));
        QCOMPARE(state.inkOf(2), 2);
        state.setInk({1}, std::nullopt);
        QCOMPARE(state.inkOf(1), 1);
    }

    void otherTracksKeepTheirColoursWhenOneIsDeletedOrAdded() {
        Document document;
        ProofreadState state(&document, nullptr);
        document.replaceAll(QStringLiteral("start"), walkers());
        state.setInk({2}, 9);
        state.hide({1});
        const auto deleted = project::edit::deleteTracks(document.labels(), std::vector<std::int32_t>{0}, false);
        document.commit(QStringLiteral("delete"), deleted.labels, {ChangeKind::Tracks, 0, 0, -1});
        QCOMPARE(state.inkOf(0), 1);
        QCOMPARE(state.inkOf(1), 9);
        QVERIFY(!state.isShown(0) && state.isShown(1));
        // A new one takes none that is in use.
        project::Labels more = document.snapshot();
        more.editTracks().push_back({"newcomer", 0, -1});
        document.commit(QStringLiteral("add"), more, {ChangeKind::Tracks, 0, 0, -1});
        QCOMPARE(state.inkOf(2), 3);
        document.undoStack()->undo();
        document.undoStack()->undo();
        for (const int track : {0, 1})
            QCOMPARE(state.inkOf(track), track);
        QCOMPARE(state.inkOf(2), 9);
        state.setInk({2}, std::nullopt);
        QCOMPARE(state.inkOf(2), 2);
    }

    void smoothingOfChosenTracksIsKeptAndFollowsARename() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("p.slp"));
        {
            Document document;
            ProofreadState state(&document, nullptr);
            document.replaceAll(QStringLiteral("start"), walkers());
            document.save(path);
            QTRY_VERIFY(!document.isSaving() && !document.path().isEmpty());
            SmoothSetting setting;
            setting.options.tracks = {"stander"};
            state.setSmoothing(setting);
            project::Labels next = document.snapshot();
            next.editTracks()[1].name = "anna";
            document.commit(QStringLiteral("rename"), next, {ChangeKind::Tracks, 0, 0, -1});
            QCOMPARE(state.smoothing()->options.tracks, std::vector<std::string>{"anna"});
            QTRY_VERIFY(state.isSaved());
        }
        Document document;
        ProofreadState state(&document, nullptr);
        document.openProject(path);
        QTRY_VERIFY(state.smoothing().has_value());
        QCOMPARE(state.smoothing()->options.tracks, std::vector<std::string>{"anna"});
    }

    void theChoiceOfTracksOffersTheSelectedOnes() {
        TrackChoice choice(nullptr);
        const QSignalSpy changes(&choice, &TrackChoice::choiceChanged);
        QCOMPARE(choice.count(), 1);
        choice.offer({QStringLiteral("guest"), QStringLiteral("walker")});
        QCOMPARE(choice.count(), 2);
        QVERIFY(choice.chosen().isEmpty() && changes.isEmpty());
        choice.setCurrentIndex(1);
        QCOMPARE(choice.indicesIn(walkers()), (std::vector<std::int32_t>{0, 2}));
        QCOMPARE(changes.size(), 1);
        choice.choose({QStringLiteral("stander")});  // others in the same place
        QCOMPARE(changes.size(), 2);
        QCOMPARE(choice.indicesIn(walkers()), std::vector<std::int32_t>{1});
        choice.choose({});
        QCOMPARE(choice.count(), 1);
        QVERIFY(choice.indicesIn(walkers()).empty());
    }

    void aDamagedFileBesideTheProjectIsSaidAndHarmsNothing() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("p.slp"));
        {
            Document document;
            document.replaceAll(QStringLiteral("start"), walkers());
            document.save(path);
            QTRY_VERIFY(!document.isSaving() && !document.path().isEmpty());
        }
        QFile file(ProofreadState::filePath(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"tracks\": [");
        file.close();
        Document document;
        ProofreadState state(&document, nullptr);
        QString said;
        connect(&state, &ProofreadState::problem, this, [&said](const UiError& error) { said = error.message; });
        document.openProject(path);
        QTRY_VERIFY2(said.contains(QLatin1String("p.slp.skein.json is damaged")), qPrintable(said));
        QCOMPARE(document.labels().tracks().size(), std::size_t{3});
        // What is well-formed and means nothing is passed over.
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"tracks\": {\"walker\": {\"color\": -3, \"reviewed\": \"x\"}, \"stander\": 5}, \"future\": 1}");
        file.close();
        document.openProject(path);
        QTest::qWait(50);
        QCOMPARE(state.inkOf(0), 0);
        QVERIFY(!state.isReviewed(0));
    }

    void soloAndHideSayWhichTracksAreShown() {
        Document document;
        ProofreadState state(&document, nullptr);
        document.replaceAll(QStringLiteral("start"), walkers());
        state.hide({1});
        QVERIFY(state.isShown(0) && !state.isShown(1));
        state.solo({1, 2});
        QVERIFY(!state.isShown(0) && state.isShown(1) && state.isShown(2));
        state.hide({2});
        QVERIFY(state.isShown(1) && !state.isShown(2));
        state.showAll();
        QVERIFY(state.isShown(0) && state.isShown(1) && !state.hidesAny());
    }

    // P-01
    void P_01_trailsAreAppendedFrameByFrame() {
        constexpr int kTracks = 50, kLength = 500;
        TrailLayer layer;
        layer.contents = [](std::uint32_t, std::int64_t frame) { return shownOf(static_cast<int>(frame), kTracks); };
        TrailStyle style;
        style.length = kLength;
        layer.setStyle(style);
        QImage picture(1024, 768, QImage::Format_RGB32);
        picture.fill(Qt::black);
        QPainter painter(&picture);
        const auto paint = [&](int frame) {
            layer.paint(painter, QTransform(), picture.rect(), shownOf(frame, kTracks));
        };
        paint(1000);
        QCOMPARE(layer.framesRead(), std::int64_t{kLength + 1});
        std::vector<double> milliseconds;
        for (int frame = 1001; frame <= 1040; ++frame) {
            QElapsedTimer clock;
            clock.start();
            paint(frame);
            milliseconds.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
        }
        QCOMPARE(layer.framesRead(), std::int64_t{kLength + 1 + 40});
        std::sort(milliseconds.begin(), milliseconds.end());
        // Appended frame by frame, the picture is what it is when drawn at once.
        QImage appended(picture.size(), QImage::Format_RGB32), atOnce(picture.size(), QImage::Format_RGB32);
        for (QImage* image : {&appended, &atOnce}) {
            image->fill(Qt::black);
            QPainter onto(image);
            layer.paint(onto, QTransform(), picture.rect(), shownOf(1040, kTracks));
            layer.forgetAll();
        }
        qint64 different = 0;
        for (int y = 0; y < appended.height(); ++y)
            for (int x = 0; x < appended.width(); ++x)
                different += std::abs(qGray(appended.pixel(x, y)) - qGray(atOnce.pixel(x, y))) > 8 ? 1 : 0;
        QVERIFY2(different < 2000, qPrintable(QString::number(different)));
        qInfo("50 tracks x 500 frames: median %.2f ms, p95 %.2f ms", milliseconds[20], milliseconds[38]);
    }

    void trailsFadeBreakAtPausesAndLeaveOutHiddenTracks() {
        TrailLayer layer;
        layer.contents = [](std::uint32_t, std::int64_t frame) {
            ShownFrame shown = shownOf(static_cast<int>(frame), 2);
            for (ShownInstance& instance : shown.instances)
                instance.points[0] = {4.0 * static_cast<double>(frame), instance.header.track == 0 ? 20.0 : 60.0, 1,
                                      true, false};
            if (frame >= 20 && frame < 25)
                shown.instances.erase(shown.instances.begin());
            shown.instances.back().hidden = true;
            return shown;
        };
        TrailStyle style;
        style.length = 40;
        layer.setStyle(style);
        QImage picture(400, 100, QImage::Format_RGB32);
        picture.fill(Qt::black);
        {
            QPainter painter(&picture);
            layer.paint(painter, QTransform(), picture.rect(), layer.contents(0, 40));
        }
        const auto light = [&picture](int x, int y) { return qGray(picture.pixel(x, y)); };
        QVERIFY(light(4 * 35, 20) > light(4 * 5, 20));  // newer is stronger
        QVERIFY(light(4 * 5, 20) > 0);
        QCOMPARE(light(4 * 22, 20), 0);  // the track was not there
        QCOMPARE(light(4 * 35, 60), 0);  // hidden
        QCOMPARE(light(4 * 50, 20), 0);  // the future is not asked for
        // An edit of a frame is seen.
        const std::int64_t read = layer.framesRead();
        Change change;
        change.kinds = ChangeKind::Frames;
        change.first = change.last = 30;
        layer.forget(change);
        QPainter painter(&picture);
        layer.paint(painter, QTransform(), picture.rect(), layer.contents(0, 40));
        QCOMPARE(layer.framesRead(), read + 1);
    }
};

QTEST_MAIN(TestTrackFigures)
#include "tst_track_figures.moc"
