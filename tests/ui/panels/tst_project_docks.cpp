// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <set>

#include "engine/video/video_source.h"
#include "tests/ui/edit/edit_fixture.h"
#include "ui/edit/project_editor.h"
#include "ui/find/filter_text.h"
#include "ui/find/find_bar.h"
#include "ui/models/found_table_model.h"
#include "ui/models/instance_table_model.h"
#include "ui/models/node_table_model.h"
#include "ui/panels/instances_panel.h"
#include "ui/panels/skeleton_panel.h"
#include "ui/panels/skeleton_templates.h"
#include "ui/panels/suggestions_panel.h"
#include "ui/panels/videos_panel.h"

using namespace skein;
using namespace skein::ui;
using skein::test::EditWindow;

class TestProjectDocks : public QObject {
    Q_OBJECT

    std::unique_ptr<EditWindow> m_w;
    EditWindow& w() { return *m_w; }
    template <class T>
    T* find(const char* name) {
        return w()->findChild<T*>(QLatin1String(name));
    }
    void raise(const char* dock) {
        auto* widget = find<QDockWidget>(dock);
        widget->show();
        widget->raise();
        QTRY_VERIFY(widget->widget()->isVisible());
    }
    void click(const char* button) {
        QCoreApplication::processEvents();
        auto* found = find<QAbstractButton>(button);
        QVERIFY2(found != nullptr && found->isEnabled(), button);
        found->click();
    }
    std::size_t pointsOf(project::InstanceId id) { return w().points(id).size(); }

private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }
    void init() {
        test::forgetSettings();
        m_w = std::make_unique<EditWindow>();
        QVERIFY(w().setUp());
    }
    void cleanup() { m_w.reset(); }

    // --- Suggestions ---

    void suggestionsAreAddedVisitedAndRemoved() {
        raise("dockSuggestions");
        QVERIFY(find<QWidget>("suggestionsEmpty")->isVisible());
        const int steps = w().steps();
        for (const int frame : {3, 7}) {
            w().view().setFrame(frame);
            click("suggestionAddPanelButton");
        }
        QCOMPARE(w().steps(), steps + 2);
        QVERIFY(!find<QWidget>("suggestionsEmpty")->isVisible());
        auto* table = find<QTableView>("suggestionsTable");
        QCOMPARE(table->model()->rowCount(), 2);
        QCOMPARE(table->model()->index(0, SuggestionTableModel::Frame).data().toString(), QString("4"));
        QCOMPARE(table->model()->index(0, SuggestionTableModel::Labelled).data().toString(), QString("2"));
        QCOMPARE(table->model()->index(0, SuggestionTableModel::Reason).data().toString(), QString("chosen by hand"));
        // 0.8 and 0.9, as EditWindow scores its predictions.
        QCOMPARE(table->model()->index(0, SuggestionTableModel::MeanScore).data().toString(), QString("0.850"));
        click("suggestionAddPanelButton");  // again: nothing
        QCOMPARE(w().steps(), steps + 2);

        w().view().setFrame(0);
        w().key(Qt::Key_Space);
        QCOMPARE(w().view().frame(), std::int64_t{3});
        QCOMPARE(table->currentIndex().row(), 0);
        w().key(Qt::Key_Space);
        w().key(Qt::Key_Space);  // around the end
        QCOMPARE(w().view().frame(), std::int64_t{3});
        w().key(Qt::Key_Space, Qt::ShiftModifier);
        QCOMPARE(w().view().frame(), std::int64_t{7});
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(0, 1)).center());
        QCOMPARE(w().view().frame(), std::int64_t{3});

        click("suggestionRemovePanelButton");
        QCOMPARE(w().labels().suggestions().size(), std::size_t{1});
        w().document().undoStack()->undo();
        QCOMPARE(w().labels().suggestions().size(), std::size_t{2});
        click("suggestionClearPanelButton");
        QVERIFY(w().labels().suggestions().empty());
        QVERIFY(find<QWidget>("suggestionsEmpty")->isVisible());
    }

    void generatingSaysHowManyFirst() {
        w().trigger("suggestionGenerate");
        auto* dialog = find<QDialog>("suggestionDialog");
        QVERIFY(dialog != nullptr);
        auto* count = find<QLabel>("suggestCount");
        auto* generate = find<QPushButton>("suggestGenerate");
        // Frames 0 to 11 are labelled by people; of the rest, evenly spread ones.
        find<QSpinBox>("suggestPerVideo")->setValue(1000000);
        const int free = static_cast<int>(w().view().frameCount()) - EditWindow::kFrames;
        QTRY_COMPARE(count->text(), QStringLiteral("%1 frames will be suggested.").arg(free));
        QCOMPARE(generate->text(), QStringLiteral("Suggest %1 frames").arg(free));
        find<QComboBox>("suggestMethod")->setCurrentIndex(5);  // frame chunk: all labelled
        find<QSpinBox>("suggestFrom")->setValue(1);
        find<QSpinBox>("suggestTo")->setValue(12);
        QTRY_VERIFY(count->text().startsWith("No frame is like this"));
        QVERIFY(!generate->isEnabled());
        find<QSpinBox>("suggestTo")->setValue(15);
        QTRY_COMPARE(count->text(), QString("3 frames will be suggested."));
        const int steps = w().steps();
        generate->click();
        QTRY_COMPARE(w().labels().suggestions().size(), std::size_t{3});
        QCOMPARE(w().steps(), steps + 1);
        QCOMPARE(w().document().undoStack()->undoText(), QString("Suggest 3 frames"));
        QCOMPARE(w().labels().suggestions()[0].frameIndex, std::int64_t{12});
        QCOMPARE(ProjectEditor::reasonOf(w().labels().suggestions()[0]), QString("in the chunk"));
    }

    void pictureMethodRunsInTheWindow() {
        w().trigger("suggestionGenerate");
        find<QComboBox>("suggestMethod")->setCurrentIndex(1);
        find<QSpinBox>("suggestSamples")->setValue(40);
        find<QSpinBox>("suggestClusters")->setValue(2);
        find<QSpinBox>("suggestPerCluster")->setValue(3);
        QTRY_VERIFY(find<QLabel>("suggestCount")->text().startsWith("At most 6 frames"));
        find<QPushButton>("suggestGenerate")->click();
        QTRY_VERIFY(!w().labels().suggestions().empty());
        QVERIFY(w().labels().suggestions().size() <= 6);
    }

    // --- Skeleton ---

    void newNodesReachEveryInstance() {
        raise("dockSkeleton");
        const project::InstanceId id = w().id(0);
        const auto before = w().points(id);
        click("skeletonNewNode");
        QCOMPARE(pointsOf(id), std::size_t{6});
        QVERIFY(!w().points(id)[5].visible);
        auto* table = find<QTableView>("skeletonNodes");
        QVERIFY(table->model()->setData(table->model()->index(5, 0), "tail"));
        QCOMPARE(w().labels().skeletons()[0].nodes[5], std::string("tail"));
        table->clearSelection();
        table->selectRow(5);
        click("skeletonNodeUp");
        QCOMPARE(w().labels().skeletons()[0].nodes[4], std::string("tail"));
        QCOMPARE(w().points(id)[5].x, before[4].x);
        QVERIFY(!table->model()->setData(table->model()->index(0, 0), "node1"));  // taken
        for (int i = 0; i < 3; ++i)
            w().document().undoStack()->undo();
        QCOMPARE(pointsOf(id), std::size_t{5});
        QCOMPARE(w().points(id)[4].x, before[4].x);
    }

    void deletingANodeSaysWhatIsLost() {
        raise("dockSkeleton");
        auto* table = find<QTableView>("skeletonNodes");
        table->selectRow(2);
        w().answers.confirmed = false;
        click("skeletonDeleteNode");
        QTRY_VERIFY(w().answers.question.contains("1 node is not in the new skeleton: node2."));
        // 12 frames of 4 instances.
        QVERIFY(w().answers.question.contains("48 labelled points on 48 instances"));
        QCOMPARE(w().labels().skeletons()[0].nodes.size(), std::size_t{5});
        w().answers.confirmed = true;
        click("skeletonDeleteNode");
        QTRY_COMPARE(w().labels().skeletons()[0].nodes.size(), std::size_t{4});
        QCOMPARE(pointsOf(w().id(0)), std::size_t{4});
    }

    void edgesAndPairs() {
        raise("dockSkeleton");
        auto* nodes = find<QTableView>("skeletonNodes");
        auto* edges = find<QTableView>("skeletonEdges");
        nodes->selectionModel()->select(nodes->model()->index(0, 0),
                                        QItemSelectionModel::Select | QItemSelectionModel::Rows);
        nodes->selectionModel()->select(nodes->model()->index(3, 0),
                                        QItemSelectionModel::Select | QItemSelectionModel::Rows);
        click("skeletonNewEdge");
        QCOMPARE(w().labels().skeletons()[0].edges.back(), (project::Edge{0, 3}));
        QVERIFY(edges->model()->setData(edges->model()->index(4, 1), 4));
        QCOMPARE(w().labels().skeletons()[0].edges.back(), (project::Edge{0, 4}));
        QVERIFY(!edges->model()->setData(edges->model()->index(4, 1), 0));  // to itself
        edges->selectRow(4);
        click("skeletonDeleteEdge");
        QCOMPARE(w().labels().skeletons()[0].edges.size(), std::size_t{4});
        QVERIFY(nodes->model()->setData(nodes->model()->index(0, 1), 4));
        QCOMPARE(w().labels().skeletons()[0].symmetries.size(), std::size_t{1});
        QCOMPARE(nodes->model()->index(4, 1).data().toString(), QString("node0"));
    }

    void skeletonGoesThroughAFile() {
        QTemporaryDir folder;
        w().answers.savePath = folder.filePath("worm.json");
        w().trigger("skeletonSave");
        QTRY_VERIFY(QFileInfo::exists(w().answers.savePath));
        QVERIFY(w().answers.suggestion.endsWith("worm.json"));
        project::Labels other = w().document().snapshot();
        other.editSkeletons()[0].edges.clear();
        w().document().commit("No edges", other, {ChangeKind::Skeletons, 0, 0, -1});
        w().answers.files = {w().answers.savePath};
        w().trigger("skeletonLoad");
        QTRY_COMPARE(w().labels().skeletons()[0].edges.size(), std::size_t{4});
        w().answers.files = {QStringLiteral(SKEIN_SOURCE_DIR "/README.md")};
        w().trigger("skeletonLoad");
        QTRY_VERIFY(w().sentences().join(' ').contains("README.md"));
    }

    void templatesAreSound() {
        for (const SkeletonTemplate& one : skeletonTemplates()) {
            std::set<std::string> names(one.skeleton.nodes.begin(), one.skeleton.nodes.end());
            QCOMPARE(names.size(), one.skeleton.nodes.size());
            std::set<int> reached{one.skeleton.edges.front().source};
            for (const project::Edge& edge : one.skeleton.edges) {
                reached.insert(edge.destination);
                QVERIFY(edge.source != edge.destination);
            }
            // In one piece, as bottom-up models want it.
            QCOMPARE(one.skeleton.edges.size(), one.skeleton.nodes.size() - 1);
            QCOMPARE(reached.size(), one.skeleton.nodes.size());
        }
    }

    void aVideoWithoutSkeletonOffersTemplates() {
        w()->openPaths({test::sample("synthetic_6.mp4")});
        w().answers.unsaved = DialogService::Unsaved::Discard;
        w()->openPaths({test::sample("synthetic_6.mp4")});
        QTRY_VERIFY(w().labels().skeletons().empty() && w().document().videoCount() == 1);
        QTRY_VERIFY(find<QWidget>("skeletonEmpty")->isVisible());
        click("skeletonEmptyButton");
        QTRY_VERIFY(find<QMenu>("skeletonTemplates") != nullptr);
        find<QMenu>("skeletonTemplates")->actions().front()->trigger();
        QCOMPARE(w().labels().skeletons().size(), std::size_t{1});
        QCOMPARE(w().labels().skeletons()[0].nodes.size(), std::size_t{2});
        QTRY_VERIFY(find<QWidget>("skeletonPreview")->isVisible());
    }

    // --- Finding ---

    void findBarFindsAndGoes() {
        w().view().setFrame(0);
        w().key(Qt::Key_F, Qt::ControlModifier);
        FindBar& bar = w()->find();
        QTRY_VERIFY(bar.isOpen());
        project::FindCondition condition;
        condition.by = project::FindBy::InstanceCount;
        condition.number = 4;
        bar.addCondition(condition);
        QTRY_COMPARE(find<QLabel>("findCount")->text(), QString("12 frames"));
        w().view().setSelected(w().id(3));
        w().trigger("labelDelete");
        QTRY_COMPARE(find<QLabel>("findCount")->text(), QString("11 frames"));  // the project changed
        find<QSpinBox>("findNumber")->setValue(3);
        QTRY_COMPARE(find<QLabel>("findCount")->text(), QString("1 frame"));
        w().view().setFrame(5);
        w().key(Qt::Key_F3);
        QCOMPARE(w().view().frame(), std::int64_t{0});
        find<QToolButton>("findNot")->setChecked(true);
        QTRY_COMPARE(find<QLabel>("findCount")->text(), QString("11 frames"));
        w().key(Qt::Key_F3);
        QCOMPARE(w().view().frame(), std::int64_t{1});
        w().key(Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(w().view().frame(), std::int64_t{11});
        find<QToolButton>("findList")->setChecked(true);
        auto* table = find<QTableView>("findTable");
        QCOMPARE(table->model()->rowCount(), 11);
        QCOMPARE(table->currentIndex().row(), 10);
        QTest::keyClick(&bar, Qt::Key_Escape);
        QVERIFY(!bar.isOpen());
        QVERIFY(bar.found()->empty());
    }

    void aRegionIsDrawnInThePicture() {
        FindBar& bar = w()->find();
        bar.open();
        project::FindCondition inside;
        inside.by = project::FindBy::Inside;
        bar.addCondition(inside);
        QVERIFY(w().canvas().isChoosingArea());
        const int steps = w().steps();
        // Around the first instance of each frame: x from 60 to 156, y from 70 on.
        const QPoint from = w().canvas().sceneToView({40, 40}).toPoint();
        const QPoint to = w().canvas().sceneToView({170, 110}).toPoint();
        w().drag(from, to - from);
        QCOMPARE(w().steps(), steps);  // nothing was deleted
        QVERIFY(!w().canvas().isChoosingArea());
        QTRY_COMPARE(bar.found()->size(), std::size_t{12});
    }

    void filtersAreSavedAndLoaded() {
        std::vector<project::FindCondition> all(2);
        all[0].by = project::FindBy::TracksClose;
        all[0].track = "left";
        all[0].otherTrack = "right";
        all[0].limit = 12.5;
        all[1].by = project::FindBy::Inside;
        all[1].negated = true;
        all[1].region = {1, 2, 3, 4};
        const auto read = filterFromText(filterText(all));
        QCOMPARE(read.size(), std::size_t{2});
        QCOMPARE(read[0].otherTrack, std::string("right"));
        QCOMPARE(read[0].limit, 12.5);
        QVERIFY(read[1].negated && read[1].region.bottom == 4);
        QVERIFY(filterFromText("[{\"by\": \"something newer\"}, 3]").empty());

        FindBar& bar = w()->find();
        bar.open();
        bar.addCondition(all[0]);
        w().answers.text = QStringLiteral("close");
        Q_EMIT find<QToolButton>("findSaved")->menu()->aboutToShow();
        find<QAction>("findSaveFilter")->trigger();
        click("findRemove");
        QVERIFY(bar.conditions().empty());
        Q_EMIT find<QToolButton>("findSaved")->menu()->aboutToShow();
        find<QToolButton>("findSaved")->menu()->actions().front()->trigger();
        QCOMPARE(bar.conditions().size(), std::size_t{1});
        QCOMPARE(bar.conditions()[0].track, std::string("left"));
    }

    // --- Videos ---

    void removingAVideoSaysWhatGoesWithIt() {
        raise("dockVideos");
        w().answers.files = {test::sample("synthetic_6.mp4")};
        project::Labels next = w().document().snapshot();
        project::Video second = next.videos()[0];
        second.filename = "/elsewhere/second.mp4";
        next.editVideos().push_back(second);
        w().document().commit("Another", next, {ChangeKind::Videos, 0, 0, -1});
        QVERIFY(w().waitForDigest());
        auto* table = find<QTableView>("videosTable");
        QCOMPARE(table->model()->rowCount(), 2);
        w().trigger("videoDown");
        QCOMPARE(w().labels().videos()[0].filename, second.filename);
        QCOMPARE(w().view().video(), 1);  // the shown video is still shown
        QCOMPARE(w().labels().rowsOf(1).size(), std::size_t{12});
        w().answers.question.clear();
        w().trigger("videoRemove");
        QTRY_VERIFY(w().answers.question.contains("24 user instances, 24 predictions"));
        QTRY_COMPARE(w().document().videoCount(), 1);
        QCOMPARE(w().labels().instanceCount(), std::size_t{0});
        w().document().undoStack()->undo();
        QCOMPARE(w().labels().instanceCount(), std::size_t{48});
        w().document().undoStack()->undo();
        QCOMPARE(w().labels().videos()[1].filename, second.filename);
    }

    void grayscaleIsAStep() {
        QVERIFY(!w().labels().videos()[0].grayscale);
        const int steps = w().steps();
        w().trigger("videoGray");
        QCOMPARE(w().steps(), steps + 1);
        QVERIFY(w().labels().videos()[0].grayscale.has_value());
        QVERIFY(w().waitForFrame());
        QTRY_COMPARE(w().document().videoState(0).kind, VideoState::Kind::Ready);
        QCOMPARE(w().document().videoState(0).source->isGray(), *w().labels().videos()[0].grayscale);
    }

    // --- Docks ---

    // D-02, D-03
    void D_03_hiddenDocksDoNoWork() {
        raise("dockVideos");  // in front of Instances and Inspector
        auto* instances = w()->findChild<InstancesPanel*>();
        auto* model = w()->findChild<InstanceTableModel*>();
        auto* nodes = w()->findChild<NodeTableModel*>();
        QTRY_VERIFY(!instances->isVisible());
        QSignalSpy rows(model, &QAbstractItemModel::dataChanged), points(nodes, &QAbstractItemModel::dataChanged);
        for (const int frame : {4, 5, 6}) {
            w().view().setFrame(frame);
            QVERIFY(w().waitForFrame());
        }
        w().view().setSelected(w().id(1));
        QCOMPARE(rows.size() + points.size(), 0);
        raise("dockInstances");
        QCOMPARE(model->frame().frame, std::int64_t{6});
        auto* table = find<QTableView>("instancesTable");
        QCOMPARE(table->selectionModel()->selectedRows().size(), 1);
        QCOMPARE(table->selectionModel()->selectedRows()[0].data(InstanceTableModel::IdRole).toULongLong(), w().id(1));
        // D-02: another order of rows is the same selection.
        table->sortByColumn(InstanceTableModel::Number, Qt::DescendingOrder);
        QCOMPARE(table->model()->index(0, 0).data().toString(), QString("4"));
        QCOMPARE(table->selectionModel()->selectedRows()[0].data(InstanceTableModel::IdRole).toULongLong(), w().id(1));
        table->selectRow(0);
        QCOMPARE(w().view().selected(), w().id(3));
        w().trigger("labelDelete");
        w().document().undoStack()->undo();
        QCOMPARE(table->selectionModel()->selectedRows()[0].data(InstanceTableModel::IdRole).toULongLong(),
                 w().view().selected());
    }

    void viewOnlyShowsOneAlone() {
        raise("dockInstances");
        auto* table = find<QTableView>("instancesTable");
        const auto clickCell = [table](int row) {
            const QModelIndex cell = table->model()->index(row, InstanceTableModel::Only);
            table->scrollTo(cell);
            QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(cell).center());
        };
        clickCell(1);
        QVERIFY(w().view().isHidden(w().id(0)) && !w().view().isHidden(w().id(1)) && w().view().isHidden(w().id(3)));
        clickCell(1);
        QVERIFY(!w().view().isHidden(w().id(0)) && !w().view().isHidden(w().id(3)));
    }

    // N-07: a mark as background counts as a person's work; one edited frame is known at once.
    void N_07_userFramesAndMarks() {
        w().view().setFrame(20);
        w().trigger("labelNegative");
        QVERIFY(w()->digest().isUpToDate());
        w().view().setFrame(11);
        w().key(Qt::Key_U, Qt::ControlModifier);
        QCOMPARE(w().view().frame(), std::int64_t{20});
        w().key(Qt::Key_U, Qt::ControlModifier);
        QCOMPARE(w().view().frame(), std::int64_t{0});  // around the end
        w().key(Qt::Key_U, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(w().view().frame(), std::int64_t{20});
        w().view().setFrame(3);
        w().key(Qt::Key_K);
        QCOMPARE(w().view().frame(), std::int64_t{11});
        w().key(Qt::Key_J);
        QCOMPARE(w().view().frame(), std::int64_t{0});
        w().view().setFrame(5);
        w().key(Qt::Key_End, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(w().view().frame(), std::int64_t{11});
        w().view().setFrame(5);
        w().key(Qt::Key_E, Qt::ControlModifier);
        QCOMPARE(w().view().frame(), std::int64_t{0});
    }

    // N-06
    void N_06_framesOutsideAreClamped() {
        w().answers.number = 1'000'000;
        w().trigger("goFrame");
        QCOMPARE(w().view().frame(), w().view().frameCount() - 1);
        w().answers.number = -5;
        w().trigger("goFrame");
        QCOMPARE(w().view().frame(), std::int64_t{0});
    }
};

QTEST_MAIN(TestProjectDocks)
#include "tst_project_docks.moc"
