// SPDX-License-Identifier: GPL-3.0-or-later
// The window for tracks: graphs, trails, docks, exchange with a look, and the review of issues.
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QTemporaryDir>
#include <cmath>

#include "engine/formats/slp.h"
#include "engine/project/edit/tracks.h"
#include "tests/support/one_video_project.h"
#include "tests/support/worked_time.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/edit/editor.h"
#include "ui/tracks/issues_panel.h"
#include "ui/tracks/join_dialog.h"
#include "ui/tracks/proofreading.h"
#include "ui/tracks/track_plot_panel.h"
#include "ui/tracks/tracks_panel.h"

using namespace skein;
using namespace skein::ui;

namespace {

constexpr std::int64_t kFrames = 200;

/// Two animals that walk on parallel ways; from frame 100 on their tracks are exchanged.
project::Labels swapped() {
    project::Labels labels = test::oneVideoProject(
        "none.mp4", kFrames, 640, 480, test::chainSkeleton("animal", {"head", "middle", "tail"}), {"left", "right"});
    for (std::int64_t f = 0; f < kFrames; ++f) {
        project::FrameData frame;
        frame.frameIndex = f;
        for (int animal = 0; animal < 2; ++animal) {
            project::InstanceData instance;
            instance.header.track = f < 100 ? animal : 1 - animal;
            instance.header.score = 0.9F;
            const double x = 50 + 2.0 * static_cast<double>(f), y = 200 + 60.0 * animal;
            for (int n = 0; n < 3; ++n)
                instance.points.push_back(
                    {x + 12 * n, y + 2 * std::sin(0.3 * static_cast<double>(f) + n), 0.9, true, false});
            frame.instances.push_back(instance);
        }
        labels.appendFrame(frame);
    }
    return labels;
}

}  // namespace

class TestProofreading : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }
    void init() {
        test::forgetSettings();
        QVERIFY(m_folder.isValid());
        m_path = m_folder.filePath(QStringLiteral("swapped%1.slp").arg(++m_count));
        QVERIFY(formats::writeSlp(swapped(), m_path.toStdString()).has_value());
        m_window = std::make_unique<test::Window>();
        QVERIFY(m_window->open(m_path));
        QVERIFY(m_window->waitForDigest());
    }
    void cleanup() { m_window.reset(); }

    void graphsAreChosenStackedAndRemembered() {
        const auto ids = [this] {
            QStringList list;
            for (const TimelineStrip& strip : timeline().strips())
                list << strip.id;
            return list;
        };
        QVERIFY(ids().isEmpty());
        const int height = timeline().height();
        m_window->trigger("timelineInstanceCount");
        QCOMPARE(ids(), QStringList{QStringLiteral("instanceCount")});
        QTRY_VERIFY(timeline().strips()[0].values != nullptr);
        QCOMPARE(timeline().strips()[0].values->all().most, 2.0);
        QTRY_VERIFY(timeline().height() >= height + 30);  // the lanes keep their room
        m_window->trigger("timelineProximity");
        QCOMPARE(ids(), QStringList{QStringLiteral("proximity")});
        m_window->trigger("timelineStack");
        m_window->trigger("timelinePointSum");
        m_window->trigger("timelineSwap");
        QCOMPARE(ids(), (QStringList{QStringLiteral("proximity"), QStringLiteral("pointSum"), QStringLiteral("swap")}));
        m_window->trigger("timelinePoints");  // the oldest makes room, and that is said
        QVERIFY(said().contains("Minimum centroid distance"));
        QCOMPARE(ids(), (QStringList{QStringLiteral("pointSum"), QStringLiteral("swap"), QStringLiteral("points")}));
        m_window->trigger("timelineSwap");
        QCOMPARE(ids(), (QStringList{QStringLiteral("pointSum"), QStringLiteral("points")}));
        QVERIFY((*m_window)->actions().get("timelinePoints")->isChecked());
        m_window->trigger("timelineNone");
        QVERIFY(ids().isEmpty());
        QVERIFY(!(*m_window)->actions().get("timelinePoints")->isChecked());
    }

    void framesBeyondALineAreVisitedAndSuggested() {
        m_window->trigger("timelineSwap");
        QTRY_VERIFY(!timeline().strips().empty() && timeline().strips()[0].values != nullptr);
        QCoreApplication::processEvents();
        QVERIFY(!(*m_window)->actions().get("timelineNextAbove")->isEnabled());
        m_window->trigger("timelineLine");
        timeline().setThreshold(QStringLiteral("swap"), 0.5);
        m_window->trigger("timelineNextAbove");
        QCOMPARE((*m_window)->view().frame(), std::int64_t{100});
        m_window->trigger("timelineSuggestAbove");
        const auto& suggestions = (*m_window)->document().labels().suggestions();
        QVERIFY(!suggestions.empty());
        QCOMPARE(suggestions.front().frameIndex, std::int64_t{100});
        (*m_window)->document().undoStack()->undo();
        QVERIFY((*m_window)->document().labels().suggestions().empty());
    }

    void theTableOfTracksKnowsThemAndItsCommandsWork() {
        dock("dockTracks");
        TracksPanel& panel = proof().tracksPanel();
        QTRY_VERIFY(panel.isUpToDate() && panel.model()->rowCount() == 2);
        QVERIFY(panel.model()->totals().contains(QLatin1String("400 tracked instances")));
        // Double-click goes to the first frame, with Shift to the last.
        (*m_window)->view().setFrame(50);
        QVERIFY(m_window->waitForFrame());
        const QModelIndex cell = panel.table()->fromModel(panel.model()->index(1, TrackTableModel::First));
        const QPoint at = panel.table()->visualRect(cell).center();
        QTest::mouseClick(panel.table()->viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(panel.table()->viewport(), Qt::LeftButton, {}, at);
        QCOMPARE((*m_window)->view().frame(), std::int64_t{0});
        // The row's track is selected on the frame, and can be hidden and shown alone.
        QVERIFY(m_window->waitForFrame());
        QTRY_COMPARE(proof().tracksInMind(), std::vector<int>{1});
        m_window->trigger("trackSolo");
        QTRY_VERIFY(isHidden(0) && !isHidden(1));
        m_window->trigger("trackShowAll");
        QTRY_VERIFY(!isHidden(0));
        m_window->trigger("trackReviewed");
        QVERIFY(proof().state().isReviewed(1) && !proof().state().isReviewed(0));
        m_window->answers.item = 6;  // colour 6 of the palette
        m_window->trigger("trackColor");
        QTRY_COMPARE(inkOn(1), 5);
        QCOMPARE(inkOn(0), 0);
        // Names by a pattern, as one step.
        panel.table()->selectAll();
        m_window->answers.text = QStringLiteral("fly #");
        m_window->trigger("trackRenameRows");
        QCOMPARE((*m_window)->document().labels().tracks()[0].name, std::string("fly 1"));
        QCOMPARE((*m_window)->document().labels().tracks()[1].name, std::string("fly 2"));
        QCOMPARE(proof().state().inkOf(1), 5);
        (*m_window)->document().undoStack()->undo();
        QCOMPARE((*m_window)->document().labels().tracks()[0].name, std::string("left"));
        QCOMPARE(proof().state().inkOf(1), 5);
    }

    void tracksAreJoinedCutAndFilled() {
        // Track "left" gets a hole; it is filled with a smooth way.
        m_window->trigger("trackTranspose");  // nothing is selected: two on the frame
        (*m_window)->document().undoStack()->undo();
        (*m_window)->view().setFrame(50);
        QVERIFY(m_window->waitForFrame());
        (*m_window)->view().setSelected(idOf(0));
        (*m_window)->view().setRange(FrameRange{0, 150});
        m_window->trigger("trackTrim");
        QCOMPARE(lane(0)->spans.back().second, std::int64_t{150});
        (*m_window)->view().setRange(std::nullopt);
        (*m_window)->view().setFrame(140);
        QVERIFY(m_window->waitForFrame());
        (*m_window)->view().setSelected(idOf(0));
        m_window->trigger("trackDeleteAfter");
        QCOMPARE(lane(0)->spans.back().second, std::int64_t{140});
        // Joining: both are on every frame up to 140, so it asks.
        m_window->answers.item = 0;
        m_window->answers.choice = 2;
        m_window->trigger("trackJoin");
        QCOMPARE(m_window->answers.choiceAsked, 1);
        for (int i = 0; i < 4; ++i)
            (*m_window)->document().undoStack()->undo();
    }

    void gapsAreInterpolated() {
        project::Labels labels = (*m_window)->document().snapshot();
        for (std::int64_t f = 30; f < 36; ++f) {
            project::FrameData frame = labels.frame(*labels.findFrame(0, f)).toData();
            frame.instances.erase(frame.instances.begin());
            labels.replaceFrame(*labels.findFrame(0, f), frame);
        }
        (*m_window)->document().commit(QStringLiteral("hole"), labels, {ChangeKind::Frames, 0, 0, -1});
        (*m_window)->view().setFrame(29);
        QVERIFY(m_window->waitForFrame());
        (*m_window)->view().setSelected(idOf(0));
        m_window->trigger("trackInterpolate");
        const auto& now = (*m_window)->document().labels();
        for (std::int64_t f = 30; f < 36; ++f)
            QCOMPARE(now.frame(*now.findFrame(0, f)).instanceCount(), std::size_t{2});
        QCOMPARE((*m_window)->view().frame(), std::int64_t{30});
    }

    void brokenTracksAreJoinedAfterALookAtThem() {
        Document& document = (*m_window)->document();
        for (const std::int64_t frame : {40, 150}) {
            const project::InstanceId id =
                document.labels().frame(*document.labels().findFrame(0, frame)).instance(0).header->id;
            document.commit(QStringLiteral("split"),
                            project::edit::splitTrack(document.labels(), {0, frame, id}).labels, Change{});
        }
        QCOMPARE(document.labels().tracks().size(), std::size_t{4});
        const int steps = document.undoStack()->count();
        m_window->trigger("trackJoinBroken");
        auto* dialog = (*m_window)->findChild<JoinDialog*>();
        QVERIFY(dialog != nullptr);
        QTRY_VERIFY(dialog->isUpToDate());
        const QString summary = dialog->findChild<QLabel*>(QStringLiteral("joinSummary"))->text();
        QVERIFY2(summary.contains(QStringLiteral("2 joins would be made")) &&
                     summary.contains(QStringLiteral("Tracks: 4 \u2192 2")),
                 qPrintable(summary));
        dialog->findChild<QAbstractButton*>(QStringLiteral("joinNext"))->click();
        QVERIFY((*m_window)->view().frame() == 39 || (*m_window)->view().frame() == 149);
        QCOMPARE(proof().tracksInMind().size(), std::size_t{2});
        const std::int64_t end = (*m_window)->view().frame();
        QCOMPARE(*(*m_window)->playback().around(), (FrameRange{end - 15, end + 1 + 15}));
        dialog->findChild<QAbstractButton*>(QStringLiteral("joinJoin"))->click();
        QTRY_COMPARE(document.labels().tracks().size(), std::size_t{2});
        QCOMPARE(document.undoStack()->count(), steps + 1);
        document.undoStack()->undo();
        QCOMPARE(document.labels().tracks().size(), std::size_t{4});
    }

    void onlyTheSelectedTracksAreExported() {
        (*m_window)->view().setSelected(idOf(1));
        m_window->answers.savePath = m_folder.filePath(QStringLiteral("right.csv"));
        m_window->trigger("trackExportRows");
        QTRY_VERIFY(!m_window->sentences().filter(QStringLiteral("Wrote 200 instances")).isEmpty());
        QFile csv(m_window->answers.savePath);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const QByteArray table = csv.readAll();
        QVERIFY(table.contains("right") && !table.contains("left"));
    }

    void anExchangeIsShownWhileItsKeyIsHeld() {
        (*m_window)->view().setFrame(100);
        QVERIFY(m_window->waitForFrame());
        QCoreApplication::processEvents();
        const int steps = (*m_window)->document().undoStack()->count();
        QTest::keyPress(m_window->window.get(), Qt::Key_T, Qt::ControlModifier);
        QVERIFY(proof().isPreviewing());
        QVERIFY(proof().trails().hasExchange());
        QCOMPARE((*m_window)->document().undoStack()->count(), steps);
        (void)(*m_window)->canvas().grab();
        // Some displays send a release and a press for each repetition, and other keys are none of its business.
        for (int i = 0; i < 3; ++i) {
            QTest::keyRelease(m_window->window.get(), Qt::Key_T, Qt::ControlModifier);
            QTest::keyPress(m_window->window.get(), Qt::Key_T, Qt::ControlModifier);
        }
        QTest::keyClick(m_window->window.get(), Qt::Key_Shift, Qt::ControlModifier);
        QVERIFY(proof().isPreviewing());
        QCOMPARE((*m_window)->document().undoStack()->count(), steps);
        QTest::keyRelease(m_window->window.get(), Qt::Key_T, Qt::ControlModifier);
        QTRY_VERIFY(!proof().isPreviewing());
        QCOMPARE((*m_window)->document().undoStack()->count(), steps + 1);
        // Esc while it is held, with Ctrl as it comes or without: nothing happens.
        for (const Qt::KeyboardModifiers held : {Qt::KeyboardModifiers(Qt::ControlModifier), Qt::KeyboardModifiers()}) {
            QTest::keyPress(m_window->window.get(), Qt::Key_T, Qt::ControlModifier);
            QVERIFY(proof().isPreviewing());
            QTest::keyClick(m_window->window.get(), Qt::Key_Escape, held);
            QVERIFY(!proof().isPreviewing());
            QTest::keyRelease(m_window->window.get(), Qt::Key_T, Qt::ControlModifier);
            QTest::qWait(150);
            QCOMPARE((*m_window)->document().undoStack()->count(), steps + 1);
        }
    }

    // P-07
    void P_07_acceptingARepairIsOneStepAndUndoOpensTheIssueAgain() {
        m_window->trigger("analyzeIssues");
        QTRY_VERIFY(proof().issues().isUpToDate());
        QVERIFY(proof().issues().openCount() > 0);
        QVERIFY((*m_window)->findChild<QDockWidget*>(QStringLiteral("dockIssues"))->isVisible());
        QCoreApplication::processEvents();
        m_window->key(Qt::Key_F8);
        const int entry = proof().issueUnderReview();
        QVERIFY(entry >= 0);
        const proofread::Issue issue = proof().issues().entries()[static_cast<std::size_t>(entry)].issue;
        QCOMPARE(issue.kind, proofread::IssueKind::Swap);
        QCOMPARE((*m_window)->view().frame(), issue.frame);
        QVERIFY(std::abs(issue.frame - 100) <= 2);
        // To look at it selects no frames.
        QVERIFY(!(*m_window)->view().range());
        QCOMPARE(*(*m_window)->playback().around(), (FrameRange{issue.frame - 15, issue.frame + 15}));
        QCOMPARE(proof().tracksInMind(), std::vector<int>(issue.tracks.begin(), issue.tracks.end()));
        QVERIFY((*m_window)->actions().get("goLoop")->isChecked());
        QCOMPARE((*m_window)->view().selection().size(), std::size_t{2});
        QVERIFY((*m_window)->canvas().zoom() > 1);  // both animals fill the view
        QVERIFY(m_window->waitForFrame());
        // On the other frames of the loop both animals are marked, though nothing is selected there.
        QCOMPARE(proof().marks().boxesOn((*m_window)->presenter().shown(), {}).size(), std::size_t{0});
        (*m_window)->view().setFrame(issue.frame + 3);
        QCOMPARE(proof().marks().boxesOn((*m_window)->presenter().shown(), {}).size(), std::size_t{2});
        (*m_window)->view().setFrame(issue.frame);
        const std::size_t open = proof().issues().openCount();
        const int steps = (*m_window)->document().undoStack()->count();
        QCoreApplication::processEvents();
        m_window->key(Qt::Key_Y);
        QTRY_COMPARE((*m_window)->document().undoStack()->count(), steps + 1);
        QTRY_VERIFY(proof().issues().isUpToDate());
        QVERIFY(proof().issues().openCount() < open);
        const auto isOpen = [this, &issue] {
            for (const auto& e : proof().issues().entries())
                if (e.issue.kind == issue.kind && e.issue.frame == issue.frame &&
                    e.state == proofread::ReviewState::Open)
                    return true;
            return false;
        };
        QVERIFY(!isOpen());
        // The tracks are right: the animal that began as "left" ends as "left".
        const auto& labels = (*m_window)->document().labels();
        const auto last = labels.frame(*labels.findFrame(0, kFrames - 1));
        for (std::size_t i = 0; i < last.instanceCount(); ++i)
            QCOMPARE(last.instance(i).header->track, last.instance(i).points[0].y < 230 ? 0 : 1);
        QVERIFY(proof().issues().reviewed().reviewed >= 1);
        (*m_window)->document().undoStack()->undo();
        QTRY_VERIFY(proof().issues().isUpToDate() && isOpen());
        (*m_window)->document().undoStack()->redo();
        QTRY_VERIFY(proof().issues().isUpToDate() && !isOpen());
    }

    void whatWasDismissedStaysSoWhenTheProjectIsOpenedAgain() {
        m_window->trigger("analyzeIssues");
        QTRY_VERIFY(proof().issues().isUpToDate());
        QCoreApplication::processEvents();
        m_window->key(Qt::Key_F8);
        const std::size_t open = proof().issues().openCount();
        QCoreApplication::processEvents();
        m_window->key(Qt::Key_X);
        QCOMPARE(proof().issues().openCount(), open - 1);
        QTRY_VERIFY(proof().issues().isSaved());
        QVERIFY(QFileInfo::exists(m_path + QStringLiteral(".review.json")));
        m_window.reset();
        m_window = std::make_unique<test::Window>();
        QVERIFY(m_window->open(m_path));
        m_window->trigger("analyzeIssues");
        QTRY_VERIFY(proof().issues().isUpToDate());
        QTRY_COMPARE(proof().issues().openCount(), open - 1);
        QVERIFY(proof()
                    .issuesPanel()
                    .findChild<QLabel*>(QStringLiteral("issuesReviewed"))
                    ->text()
                    .startsWith(QLatin1String("1 / ")));
        // Its row can be seen and it can be opened again.
        proof().issuesPanel().findChild<QAbstractButton*>(QStringLiteral("issuesShowAll"))->click();
        QCOMPARE(proof().issuesPanel().model()->rowCount(), static_cast<int>(proof().issues().entries().size()));
    }

    void plotsFollowTheSelectedTracksAndAreExported() {
        dock("dockPlots");
        TrackPlotPanel& plots = proof().plotPanel();
        (*m_window)->view().setSelection({idOf(0), idOf(1)});
        QTRY_VERIFY(plots.isUpToDate() && plots.csv().count('\n') > 100);
        const QByteArray positions = plots.csv();
        QVERIFY2(positions.startsWith("frame (from 1),\"left x\",\"left y\",\"right x\",\"right y\"\n"),
                 positions.left(100).constData());
        for (const auto kind :
             {TrackPlotPanel::Kind::Speed, TrackPlotPanel::Kind::Heading, TrackPlotPanel::Kind::Distance,
              TrackPlotPanel::Kind::Presence, TrackPlotPanel::Kind::Occupancy}) {
            plots.setKind(kind);
            QVERIFY(plots.csv().count('\n') >= 3);
            (void)plots.grab();
        }
        plots.setKind(TrackPlotPanel::Kind::Distance);
        const QList<QByteArray> lines = plots.csv().split('\n');
        QVERIFY(std::fabs(lines[1].split(',')[1].toDouble() - 60) < 5);
        for (const char* ending : {"png", "svg", "pdf", "csv"}) {
            const QString file = m_folder.filePath(QStringLiteral("plot.") + QLatin1String(ending));
            QCOMPARE(plots.exportTo(file), QString());
            QVERIFY(QFileInfo(file).size() > 200);
        }
        QVERIFY(!plots.exportTo(m_folder.filePath(QStringLiteral("no/such/folder.png"))).isEmpty());
        QVERIFY(plots.exportTo(QStringLiteral("plot.doc")).contains(QLatin1String("png, svg, pdf")));
    }

    void theNamesOfThePlotLieBesideItsCurves() {
        TrackPlotPanel plots(&(*m_window)->document(), &(*m_window)->view(), nullptr);
        plots.resize(480, 320);
        plots.show();
        plots.setTracks({0, 1});
        QTRY_VERIFY(plots.isUpToDate() && !plots.legendRect().isEmpty());
        for (const int width : {480, 240, 900}) {
            plots.resize(width, 320);
            (void)plots.grab();
            QTRY_VERIFY2(!plots.legendRect().intersects(plots.curvesRect()) && plots.curvesRect().height() >= 80,
                         qPrintable(QString::number(width)));
        }
        // Where there is room for either only, the curves have it.
        plots.resize(480, 150);
        QTRY_VERIFY(plots.legendRect().isEmpty());
        plots.resize(480, 320);
        QTRY_VERIFY(!plots.legendRect().isEmpty());
        plots.setKind(TrackPlotPanel::Kind::Presence);
        QVERIFY(plots.legendRect().isEmpty());
    }

    void aLaneIsSelectedInTheDockAndThePlotsToo() {
        dock("dockTracks");
        TracksPanel& panel = proof().tracksPanel();
        QTRY_VERIFY(panel.isUpToDate() && panel.model()->rowCount() == 2);
        const auto at = [this](int track) {
            return QPoint(static_cast<int>(timeline().frameToX(50.5)), timeline().laneY(track));
        };
        QTRY_VERIFY(timeline().laneY(1) > 0);
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, at(1));
        QCOMPARE(proof().tracksInMind(), std::vector<int>{1});
        QCOMPARE(panel.selectedTracks(), std::vector<int>{1});
        QVERIFY(m_window->waitForFrame());
        QTest::mouseClick(&timeline(), Qt::LeftButton, Qt::ControlModifier, at(0));
        QCOMPARE(panel.selectedTracks(), (std::vector<int>{0, 1}));
        QCOMPARE((*m_window)->view().selection().size(), std::size_t{2});
        // Several stay so on a frame which only one of them is on, and when only the frame changes.
        (*m_window)->view().setFrame(60);
        QVERIFY(m_window->waitForFrame());
        QCOMPARE(panel.selectedTracks(), (std::vector<int>{0, 1}));
        m_window->trigger("goClear");
        QVERIFY(proof().tracksInMind().empty());
        QVERIFY(panel.selectedTracks().empty());
        dock("dockPlots");
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, at(0));
        TrackPlotPanel& plots = proof().plotPanel();
        QTRY_VERIFY(plots.isUpToDate() && plots.csv().contains("left x"));
        QVERIFY(!plots.csv().contains("right x"));
    }

    void theMenuOfALaneMeansThatLane() {
        dock("dockTracks");
        TracksPanel& panel = proof().tracksPanel();
        QTRY_VERIFY(panel.isUpToDate() && panel.model()->rowCount() == 2);
        panel.table()->selectModelRow(panel.model()->rowOf(0));
        QCOMPARE(proof().tracksInMind(), std::vector<int>{0});
        QTRY_VERIFY(timeline().laneY(1) > 0);
        const QPoint at(static_cast<int>(timeline().frameToX(50.5)), timeline().laneY(1));
        QContextMenuEvent click(QContextMenuEvent::Mouse, at, timeline().mapToGlobal(at));
        QCoreApplication::sendEvent(&timeline(), &click);
        auto* menu = (*m_window)->findChild<QMenu*>(QStringLiteral("laneMenu"));
        QVERIFY(menu != nullptr);
        QCOMPARE(menu->actions().first()->text(), QStringLiteral("Track \u201cright\u201d"));
        QVERIFY(!menu->actions().first()->isSeparator());
        QCOMPARE(panel.selectedTracks(), std::vector<int>{1});
        m_window->answers.choice = 1;  // the instances too
        m_window->trigger("trackDeleteRows");
        QVERIFY2(m_window->answers.question.startsWith(QStringLiteral("Its 200 instances can stay")),
                 qPrintable(m_window->answers.question));
        menu->close();
        QTRY_COMPARE((*m_window)->document().labels().tracks().size(), std::size_t{1});
        QCOMPARE((*m_window)->document().labels().tracks()[0].name, std::string("left"));
        QVERIFY(proof().tracksInMind().empty());
    }

    void whatBecomesOfADeletedTracksInstancesIsAskedOnce() {
        dock("dockTracks");
        TracksPanel& panel = proof().tracksPanel();
        QTRY_VERIFY(panel.isUpToDate() && panel.model()->rowCount() == 2);
        const std::size_t instances = (*m_window)->document().labels().instanceCount();
        const auto remove = [&](int track) {
            QTRY_VERIFY(panel.isUpToDate());
            panel.table()->selectModelRow(panel.model()->rowOf(track));
            m_window->trigger("trackDeleteRows");
        };
        const auto command = [this] { return (*m_window)->actions().get("trackDeleteRows")->text(); };
        QVERIFY(command().endsWith("..."));
        m_window->answers.choice = -1;  // closed
        remove(0);
        QCOMPARE(m_window->answers.choiceAsked, 1);
        QCOMPARE((*m_window)->document().labels().tracks().size(), std::size_t{2});
        m_window->answers.choice = 0;  // kept, from now on
        m_window->answers.always = true;
        remove(0);
        QTRY_COMPARE((*m_window)->document().labels().tracks().size(), std::size_t{1});
        remove(0);
        QTRY_COMPARE((*m_window)->document().labels().tracks().size(), std::size_t{0});
        QCOMPARE(m_window->answers.choiceAsked, 2);
        QCOMPARE((*m_window)->document().labels().instanceCount(), instances);
        QVERIFY(!command().endsWith("..."));  // nothing is asked any more
    }

    void theHistorySaysWhetherInstancesWentWithTheirTrack() {
        const auto step = [this] { return (*m_window)->document().undoStack()->undoText(); };
        (*m_window)->editor().deleteTracks({1}, true);
        QTRY_COMPARE(step(), QStringLiteral("Delete track right and its instances"));
        m_window->trigger("editUndo");
        (*m_window)->editor().deleteTracks({1}, false);
        QTRY_COMPARE(step(), QStringLiteral("Delete track right"));
        m_window->trigger("editUndo");
        (*m_window)->editor().deleteTracks({0, 1}, true);
        QTRY_COMPARE(step(), QStringLiteral("Delete 2 tracks and their instances"));
    }

    void cutsKeepToTheSelectedFrames() {
        const std::size_t all = (*m_window)->document().labels().instanceCount();
        (*m_window)->view().setRange(FrameRange{50, 59});
        (*m_window)->view().setFrame(20);
        QVERIFY(m_window->waitForFrame());
        (*m_window)->view().setSelected(idOf(0));
        m_window->trigger("trackDeleteAfter");
        QVERIFY(said().contains("outside the selected frames"));
        QCOMPARE((*m_window)->document().labels().instanceCount(), all);
        (*m_window)->view().setFrame(53);
        QVERIFY(m_window->waitForFrame());
        (*m_window)->view().setSelected(idOf(0));
        m_window->trigger("trackDeleteAfter");
        QTRY_COMPARE((*m_window)->document().labels().instanceCount(), all - 6);
        m_window->trigger("trackDeleteBefore");
        QTRY_COMPARE((*m_window)->document().labels().instanceCount(), all - 9);
    }

    void aGraphOfMotionSaysThatItNeedsTracks() {
        m_window->trigger("timelineStack");
        m_window->trigger("timelinePointMean");
        m_window->trigger("timelinePrimaryMax");
        QTRY_VERIFY(timeline().strips().size() == 2 && timeline().strips()[1].values != nullptr);
        QVERIFY(timeline().strips()[0].lacks.isEmpty());
        m_window->trigger("trackDeleteAll");
        for (const std::size_t strip : {0, 1}) {
            QTRY_COMPARE(timeline().strips()[strip].lacks, QStringLiteral("needs tracks"));
            QVERIFY(timeline().strips()[strip].values == nullptr);
        }
        m_window->trigger("editUndo");
        QTRY_VERIFY(timeline().strips()[0].lacks.isEmpty() && timeline().strips()[0].values != nullptr);
    }

    void aSelectedTrackStaysSoWhenAnotherOneIsRemoved() {
        (*m_window)->view().setSelected(idOf(1));
        QCOMPARE(proof().tracksInMind(), std::vector<int>{1});
        (*m_window)->editor().deleteTracks({0}, false);
        QTRY_COMPARE((*m_window)->document().labels().tracks().size(), std::size_t{1});
        QCOMPARE(proof().tracksInMind(), std::vector<int>{0});  // "right", in its new place
    }

    void trailsAreSetInTheMenu() {
        QCOMPARE(proof().trails().style().length, 0);
        m_window->trigger("viewTrailLength50");
        m_window->trigger("viewTrailBoth");
        m_window->trigger("viewTrailWidth3");
        QCOMPARE(proof().trails().style().length, 50);
        QCOMPARE(proof().trails().style().when, TrailStyle::When::Both);
        QCOMPARE(proof().trails().style().width, 3);
        m_window->answers.item = 3;
        m_window->trigger("viewTrailNode");
        QCOMPARE(proof().trails().style().node, QStringLiteral("tail"));
        (*m_window)->view().setFrame(60);
        QVERIFY(m_window->waitForFrame());
        (void)(*m_window)->canvas().grab();
        QVERIFY(proof().trails().framesRead() >= 101);
        m_window->trigger("viewTrailLength0");
    }

    // P-03: an exchange over every frame, and the views that follow it.
    void P_03_anExchangeOverAllFramesIsSeenAtOnce() {
        const test::WorkedTime time;
        (*m_window)->editor().transposeTracks(0, 1);
        const double edit = time.ms();
        QVERIFY2(edit < 100, qPrintable(QString::number(edit)));
        QTRY_VERIFY((*m_window)->digest().isUpToDate());
        QCOMPARE((*m_window)->document().labels().frame(50).instance(0).header->track, 1);
    }

private:
    [[nodiscard]] Proofreading& proof() { return (*m_window)->proofreading(); }
    [[nodiscard]] Timeline& timeline() { return (*m_window)->timeline(); }
    [[nodiscard]] QString said() { return (*m_window)->findChild<QLabel*>(QStringLiteral("statusNotice"))->text(); }
    void dock(const char* name) {
        auto* dock = (*m_window)->findChild<QDockWidget*>(QLatin1String(name));
        dock->show();
        dock->raise();
        QTRY_VERIFY(dock->widget()->isVisible());
    }
    [[nodiscard]] const ShownFrame& shown() { return (*m_window)->presenter().shown(); }
    [[nodiscard]] const ShownInstance* onTrack(int track) {
        for (const ShownInstance& instance : shown().instances)
            if (instance.header.track == track)
                return &instance;
        return nullptr;
    }
    [[nodiscard]] bool isHidden(int track) { return onTrack(track) != nullptr && onTrack(track)->hidden; }
    [[nodiscard]] int inkOn(int track) { return onTrack(track) != nullptr ? onTrack(track)->color : -9; }
    [[nodiscard]] project::InstanceId idOf(int track) {
        return onTrack(track) != nullptr ? onTrack(track)->header.id : 0;
    }
    /// As it is once everything is counted.
    [[nodiscard]] const TimelineData::Lane* lane(int track) {
        (void)m_window->waitForDigest();
        return (*m_window)->digest().timeline()->lane(track);
    }

    QTemporaryDir m_folder;
    QString m_path;
    int m_count = 0;
    std::unique_ptr<test::Window> m_window;
};

QTEST_MAIN(TestProofreading)
#include "tst_proofreading.moc"
