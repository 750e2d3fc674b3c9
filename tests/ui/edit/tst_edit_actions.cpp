// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QTableView>
#include <set>

#include "engine/project/edit/tracks.h"
#include "tests/ui/edit/edit_fixture.h"
#include "ui/dialogs/custom_delete_dialog.h"
#include "ui/edit/editor.h"
#include "ui/edit/instance_clip.h"
#include "ui/models/node_table_model.h"

using namespace skein;
using namespace skein::ui;
using skein::test::EditWindow;
namespace edit = skein::project::edit;

/// The menus Labels and Tracks, the clipboard and the docks, on the real window.
class TestEditActions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }
    void init() {
        test::forgetSettings();
        QApplication::clipboard()->clear();
        w = std::make_unique<EditWindow>();
        QVERIFY(w->setUp());
    }
    void cleanup() { w.reset(); }

    void A_01_keysOfSleap_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("key");
        const std::pair<const char*, const char*> known[] = {{"editCopyInstance", "Ctrl+C"},
                                                             {"editPasteInstance", "Ctrl+V"},
                                                             {"editCopyTrack", "Ctrl+Shift+C"},
                                                             {"editPasteTrack", "Ctrl+Shift+V"},
                                                             {"goLastInteracted", "Ctrl+A"},
                                                             {"goNextSuggestion", "Space"},
                                                             {"goPrevSuggestion", "Shift+Space"},
                                                             {"labelAdd", "Ctrl+I"},
                                                             {"labelDelete", "Ctrl+Backspace"},
                                                             {"labelNegative", "N"},
                                                             {"labelAcceptFrame", "Ctrl+Shift+A"},
                                                             {"labelDeletePredArea", "Ctrl+K"},
                                                             {"labelToggleNode", "V"},
                                                             {"trackSet1", "Ctrl+1"},
                                                             {"trackSet2", "Ctrl+2"},
                                                             {"trackSet9", "Ctrl+9"},
                                                             {"trackNew", "Ctrl+0"},
                                                             {"trackPropagate", "P"},
                                                             {"trackTranspose", "Ctrl+T"},
                                                             {"trackDeleteInstanceAndTrack", "Ctrl+Shift+Backspace"}};
        for (const auto& [id, key] : known)
            QTest::newRow(id) << id << key;
    }
    void A_01_keysOfSleap() {
        QFETCH(QString, id);
        QFETCH(QString, key);
        QVERIFY((*w)->actions().get(id.toLatin1().constData())->shortcuts().contains(QKeySequence(key)));
    }

    void A_02_keysDoOneThing() {
        // Every key of the table, typed into the window, fires exactly the action that it belongs to.
        std::map<QString, QString> owner;
        for (const QAction* action : (*w)->findChildren<QAction*>())
            for (const QKeySequence& key : action->shortcuts())
                if (!key.isEmpty()) {
                    const auto [at, added] = owner.emplace(key.toString(), action->objectName());
                    QVERIFY2(added || at->second == action->objectName(),
                             qPrintable(key.toString() + ": " + at->second + ", " + action->objectName()));
                }
        w->view().setSelected(w->id(0));
        QTRY_VERIFY((*w)->actions().get("trackSet2")->isEnabled());
        QSignalSpy set((*w)->actions().get("trackSet2"), &QAction::triggered);
        QSignalSpy select((*w)->actions().get("goSelect2"), &QAction::triggered);
        w->key(Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(set.size(), 1);
        QCOMPARE(select.size(), 0);
        w->key(Qt::Key_2);
        QCOMPARE(select.size(), 1);
    }

    void A_04_typingInATableCellStaysThere() {
        w->view().setSelected(w->id(0));
        auto* dock = (*w)->findChild<QWidget*>("dockInspector");
        dock->show();
        dock->raise();
        auto* table = (*w)->findChild<QTableView*>("inspectorTable");
        QTRY_VERIFY(table->isVisible());
        const QModelIndex x = table->model()->index(1, NodeTableModel::X);
        table->setCurrentIndex(x);
        table->edit(x);
        QTRY_VERIFY(table->viewport()->findChild<QLineEdit*>() != nullptr);
        auto* line = table->viewport()->findChild<QLineEdit*>();
        line->clear();
        const int steps = w->steps();
        QTest::keyClicks(line, "n1 v2");
        QCOMPARE(line->text(), QStringLiteral("n1 v2"));
        QTest::keyClick(line, Qt::Key_Delete);
        QCOMPARE(w->steps(), steps);
        QCOMPARE(w->frame().instances.size(), std::size_t{4});
        QVERIFY(!edit::isNegative(w->labels(), 0, w->view().frame()));
        QCOMPARE(w->view().selected(), w->id(0));
    }

    void A_05_everyKeyExistsOnEveryLayout() {
        // Whatever needs a layout's own characters has another key too.
        for (const QAction* action : (*w)->findChildren<QAction*>()) {
            bool depends = false, other = false;
            for (const QKeySequence& key : action->shortcuts()) {
                const int code = key[0].key();
                const bool special = code == Qt::Key_QuoteLeft || code == Qt::Key_BracketLeft ||
                                     code == Qt::Key_BracketRight || code == Qt::Key_Backslash ||
                                     code == Qt::Key_Semicolon || code == Qt::Key_Apostrophe;
                (special ? depends : other) = true;
            }
            QVERIFY2(!depends || other, qPrintable(action->objectName()));
        }
        w->view().setSelected(0);
        w->key(Qt::Key_Down, Qt::ControlModifier);
        QCOMPARE(w->view().selected(), w->canvas().contents().instances.front().header.id);
    }

    void W_05_disabledActionsSayWhy() {
        const auto reasonOf = [this](const char* id) {
            const QAction* action = (*w)->actions().get(id);
            return action->isEnabled() ? QString() : action->toolTip();
        };
        w->view().setSelected(0);
        QTRY_COMPARE(reasonOf("labelDelete"), QStringLiteral("Select an instance first."));
        QVERIFY(reasonOf("labelMerge").contains("two user instances"));
        QCOMPARE(reasonOf("editPasteInstance"), QStringLiteral("Copy an instance first."));
        w->view().setSelected(w->id(2));
        QTRY_VERIFY(reasonOf("labelDelete").isEmpty());
        QVERIFY(reasonOf("labelComplete").contains("is a prediction"));
        QVERIFY(reasonOf("trackSet4").isEmpty());
        QCOMPARE(reasonOf("trackSet5"), QStringLiteral("The project has only 4 tracks."));
        QVERIFY(reasonOf("labelDeletePredClip").contains("range"));
        QVERIFY(reasonOf("goNextSuggestion").contains("suggestions"));
        // And each action that is disabled has a reason of its own.
        for (const ActionSpec& spec : ActionTable::specs())
            if (!(*w)->actions().get(spec.id)->isEnabled())
                QVERIFY2(reasonOf(spec.id) != QLatin1String(spec.tip) && !reasonOf(spec.id).isEmpty(), spec.id);
    }

    void addsInstancesInEveryWay() {
        std::size_t count = w->frame().instances.size();
        for (const char* way : {"labelPlaceBest", "labelPlaceAverage", "labelPlaceForce", "labelPlaceRandom",
                                "labelPlacePrior", "labelPlacePrediction"}) {
            w->trigger(way);
            w->key(Qt::Key_I, Qt::ControlModifier);
            QCOMPARE(w->frame().instances.size(), ++count);
            QCOMPARE(w->view().selected(), w->frame().instances.back().header.id);
            const project::InstanceData made = w->frame().instances.back();
            for (const project::Point& p : made.points) {
                QVERIFY2(p.x >= 0 && p.x <= 383 && p.y >= 0 && p.y <= 383,
                         qPrintable(QStringLiteral("%1: %2, %3").arg(QLatin1String(way)).arg(p.x).arg(p.y)));
                QVERIFY(!p.complete);
            }
        }
        // Where nothing is labelled yet.
        w->trigger("goLast");
        QVERIFY(w->waitForFrame());
        w->trigger("labelPlaceAverage");
        w->key(Qt::Key_I, Qt::ControlModifier);
        w->key(Qt::Key_I, Qt::ControlModifier);
        QCOMPARE(w->frame().instances.size(), std::size_t{2});
        const auto a = w->frame().instances[0].points[0], b = w->frame().instances[1].points[0];
        QVERIFY(std::hypot(a.x - b.x, a.y - b.y) > 9);
    }

    void deletesAndMergesWhatIsSelected() {
        w->view().setSelection({w->id(0), w->id(1)});
        QTRY_VERIFY((*w)->actions().get("labelMerge")->isEnabled());
        const project::InstanceId first = w->id(0);
        w->trigger("labelMerge");
        QCOMPARE(w->frame().instances.size(), std::size_t{3});
        QCOMPARE(w->view().selection(), (std::vector{first}));
        w->trigger("editUndo");
        QCOMPARE(w->view().selection().size(), std::size_t{2});
        w->key(Qt::Key_Delete);
        QCOMPARE(w->frame().instances.size(), std::size_t{2});
        QVERIFY(w->view().selection().empty());
        w->trigger("editUndo");
        QCOMPARE(w->frame().instances.size(), std::size_t{4});
        w->key(Qt::Key_Backspace, Qt::ControlModifier);
        QCOMPARE(w->frame().instances.size(), std::size_t{2});
    }

    void acceptsAndDeletesPredictions() {
        w->key(Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(w->frame().instances.size(), std::size_t{6});
        QCOMPARE(w->canvas().contents().instances.size(), std::size_t{4});
        w->trigger("editUndo");
        w->trigger("labelAcceptAll");
        QCOMPARE(w->labels().instanceCount(), std::size_t{6 * EditWindow::kFrames});
        w->trigger("editUndo");
        w->trigger("labelDeletePredFrame");
        QCOMPARE(w->labels().predictedInstanceCount(), std::size_t{2 * (EditWindow::kFrames - 1)});
        w->view().setRange(FrameRange{2, 4});
        QTRY_VERIFY((*w)->actions().get("labelDeletePredClip")->isEnabled());
        w->trigger("labelDeletePredClip");
        QCOMPARE(w->labels().predictedInstanceCount(), std::size_t{2 * (EditWindow::kFrames - 4)});
        w->answers.decimal = 0.85;  // the left ones have 0.8, the right ones 0.9
        w->trigger("labelDeletePredScore");
        QCOMPARE(w->labels().predictedInstanceCount(), std::size_t{EditWindow::kFrames - 4});
        w->trigger("editUndo");
        w->answers.number = 1;
        w->trigger("labelDeletePredMax");
        QCOMPARE(w->labels().predictedInstanceCount(), std::size_t{EditWindow::kFrames - 4});
        w->trigger("editUndo");
        w->trigger("labelDeletePredOnUser");
        QCOMPARE(w->labels().predictedInstanceCount(), std::size_t{0});
        w->trigger("editUndo");
        w->trigger("labelDeletePredAll");
        QCOMPARE(w->labels().predictedInstanceCount(), std::size_t{0});
        QVERIFY(w->document().undoStack()->undoText().contains("16 predictions"));
        QTRY_VERIFY(!(*w)->actions().get("labelDeletePredAll")->isEnabled());
    }

    void customDeleteCountsFirst() {
        w->trigger("labelCustomDelete");
        auto* dialog = (*w)->findChild<CustomDeleteDialog*>();
        QVERIFY(dialog != nullptr && !dialog->isModal());
        auto* button = dialog->findChild<QPushButton*>("customDeleteButton");
        QTRY_COMPARE(button->text(), QStringLiteral("Delete 24 instances"));
        dialog->findChild<QComboBox*>("customDeleteKind")->setCurrentIndex(2);
        dialog->findChild<QComboBox*>("customDeleteTrack")->setCurrentIndex(3);  // "right"
        QTRY_COMPARE(button->text(), QStringLiteral("Delete 12 instances"));
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(w->labels().instanceCount(), std::size_t{36});
        w->trigger("editUndo");
        QCOMPARE(w->labels().instanceCount(), std::size_t{48});
    }

    void copiesAndPastes() {
        w->view().setSelected(w->id(1));
        const auto before = w->points(w->id(1));
        QTRY_VERIFY((*w)->actions().get("editCopyInstance")->isEnabled());
        w->key(Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->text().startsWith("node\tx\ty"));
        w->trigger("goLast");
        QVERIFY(w->waitForFrame());
        QTRY_VERIFY((*w)->actions().get("editPasteInstance")->isEnabled());
        w->key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(w->frame().instances.size(), std::size_t{1});
        QCOMPARE(w->frame().instances[0].points[3].x, before[3].x);
        QCOMPARE(w->frame().instances[0].header.track, 1);
        // Into another window, whose skeleton has only one of the nodes.
        EditWindow other;
        QVERIFY(other.setUp());
        project::Labels labels = other.document().snapshot();
        labels.editSkeletons()[0].nodes = {"a", "b", "node2", "d", "e"};
        other.document().commit("Rename nodes", labels, {});
        other.trigger("goLast");
        QVERIFY(other.waitForFrame());
        QTRY_VERIFY(other->actions().get("editPasteInstance")->isEnabled());
        other.trigger("editPasteInstance");
        const project::InstanceData pasted = other.frame().instances.back();
        QCOMPARE(pasted.points[2].x, before[2].x);
        QVERIFY(!hasPlace(pasted.points[0]) && !pasted.points[0].visible);
        // Damaged data is refused.
        auto* bad = new QMimeData;
        bad->setData("application/x-skein-instance+json", "{\"points\": [1, 2]");
        QVERIFY(!clipFrom(bad).has_value());
        delete bad;
    }

    void copiesTracks() {
        w->trigger("trackPropagate");
        w->view().setSelected(w->id(0));
        QTRY_VERIFY((*w)->actions().get("editCopyTrack")->isEnabled());
        w->key(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        w->trigger("goNextFrame");
        QVERIFY(w->waitForFrame());
        w->view().setSelected(w->id(1));
        QTRY_VERIFY((*w)->actions().get("editPasteTrack")->isEnabled());
        w->key(Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(w->track(w->id(1)), 0);
        QCOMPARE(w->track(w->id(0)), -1);
    }

    void setsTracksBySleapsRule() {
        w->view().setFrame(5);
        QVERIFY(w->waitForFrame());
        w->view().setSelected(w->id(0));
        QTRY_VERIFY((*w)->actions().get("trackSet2")->isEnabled());
        w->key(Qt::Key_2, Qt::ControlModifier);
        const auto tracksOn = [this](std::int64_t f) {
            const project::FrameData frame = edit::frameAt(w->labels(), 0, f);
            return std::pair(frame.instances[0].header.track, frame.instances[1].header.track);
        };
        QCOMPARE(tracksOn(4), std::pair(0, 1));
        QCOMPARE(tracksOn(5), std::pair(1, 0));
        QCOMPARE(tracksOn(11), std::pair(1, 0));
        w->trigger("editUndo");
        w->view().setRange(FrameRange{5, 7});
        w->key(Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(tracksOn(7), std::pair(1, 0));
        QCOMPARE(tracksOn(8), std::pair(0, 1));
        w->trigger("editUndo");
        w->key(Qt::Key_P);
        w->key(Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(tracksOn(5), std::pair(1, -1));
        QCOMPARE(tracksOn(6), std::pair(0, 1));
        w->key(Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(w->labels().tracks().size(), std::size_t{5});
        QCOMPARE(tracksOn(5).first, 4);
    }

    void ofASelectionThatLiesElsewhereNothingIsChanged() {
        w->view().setRange(FrameRange{5, 7});
        w->view().setFrame(4);
        w->view().setSelection({w->id(0), w->id(1)});
        const int steps = w->done();
        QSignalSpy said(&(*w)->editor(), &Editor::notice);
        (*w)->editor().transpose(w->id(0), w->id(1));
        w->key(Qt::Key_2, Qt::ControlModifier);
        w->key(Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(w->done(), steps);
        QCOMPARE(said.size(), 3);
        QVERIFY2(said[0][0].toString().contains("outside the selected frames 6\u20138"),
                 qPrintable(said[0][0].toString()));
        w->view().setFrame(5);
        (*w)->editor().transpose(w->id(0), w->id(1));
        QCOMPARE(w->done(), steps + 1);
        QCOMPARE(edit::frameAt(w->labels(), 0, 8).instances[0].header.track, 0);
        QCOMPARE(edit::frameAt(w->labels(), 0, 7).instances[0].header.track, 1);
    }

    void splittingAndDeletingKeepToTheSelectedFrames() {
        w->view().setRange(FrameRange{5, 7});
        w->view().setFrame(4);
        QVERIFY(w->waitForFrame());
        w->view().setSelected(w->id(0));
        const int steps = w->done();
        QSignalSpy said(&(*w)->editor(), &Editor::notice);
        (*w)->editor().splitTrack();
        (*w)->editor().deleteInstanceAndTrack();
        QCOMPARE(w->done(), steps);
        QCOMPARE(said.size(), 2);
        QVERIFY(said[0][0].toString().contains("outside the selected frames 6\u20138"));
        QVERIFY(said[1][0].toString().contains("outside the selected frames 6\u20138"));

        w->view().setFrame(6);
        QVERIFY(w->waitForFrame());
        w->view().setSelected(w->id(0));
        const auto trackOn = [this](std::int64_t frame) {
            return edit::frameAt(w->labels(), 0, frame).instances[0].header.track;
        };
        (*w)->editor().splitTrack();
        QCOMPARE(w->done(), steps + 1);
        QCOMPARE(trackOn(5), 0);
        QCOMPARE(trackOn(6), 4);
        QCOMPARE(trackOn(7), 4);
        QCOMPARE(trackOn(8), 0);
        w->trigger("editUndo");
        const std::size_t all = w->labels().instanceCount();
        (*w)->editor().deleteInstanceAndTrack();
        QTRY_COMPARE(w->labels().instanceCount(), all - 3);
        QCOMPARE(w->labels().tracks().size(), std::size_t{4});  // it goes on elsewhere
        QVERIFY((*w)->document().undoStack()->undoText().contains("frames 6\u20138"));
    }

    void transposesTwoOfMany() {
        // Four are here: two clicks choose them.
        w->trigger("trackTranspose");
        w->click(w->at(w->id(0), 0));
        w->click(w->at(w->id(2), 0));
        QCOMPARE(w->track(w->id(0)), 2);
        QCOMPARE(w->track(w->id(2)), 0);
        w->trigger("editUndo");
        const int steps = w->done();
        w->trigger("trackTranspose");
        w->key(Qt::Key_Escape);
        w->click(w->at(w->id(0), 0));
        w->click(w->at(w->id(1), 0));
        QCOMPARE(w->done(), steps);
        w->view().setSelection({w->id(0), w->id(1)});
        w->key(Qt::Key_T, Qt::ControlModifier);
        QTRY_COMPARE(w->track(w->id(0)), 1);
        QCOMPARE(w->track(w->id(1)), 0);
    }

    void transposesWithATrackThatIsNotHere() {
        const std::vector<project::InstanceId> others{w->id(1), w->id(2), w->id(3)};
        w->view().setSelection(others);
        w->trigger("labelDelete");
        w->trigger("trackTranspose");
        auto* menu = (*w)->findChild<QMenu*>("transposeMenu");
        QVERIFY(menu != nullptr);
        QCOMPARE(menu->actions().size(), 3);
        menu->actions()[0]->trigger();
        menu->close();
        QCOMPARE(w->track(w->id(0)), 1);
        // On the next frame both are there, and have changed places.
        const project::FrameData next = edit::frameAt(w->labels(), 0, w->view().frame() + 1);
        QCOMPARE(next.instances[0].header.track, 1);
        QCOMPARE(next.instances[1].header.track, 0);
    }

    void aTrackIsNotSplitOnItsFirstFrame() {
        w->view().setFrame(0);
        QVERIFY(w->waitForFrame());
        w->view().setSelected(w->id(0));
        QAction* split = (*w)->actions().get("trackSplit");
        QTRY_VERIFY(!split->isEnabled() && split->toolTip().contains("begins on this frame"));
        QSignalSpy notices(&(*w)->editor(), &Editor::notice);
        const int steps = w->steps();
        (*w)->editor().splitTrack();
        QCOMPARE(w->steps(), steps);
        QCOMPARE(w->labels().tracks().size(), std::size_t{4});
        QCOMPARE(notices.size(), qsizetype{1});
        QVERIFY(notices[0][0].toString().contains("first frame"));
    }

    void splitsRenamesAndDeletesTracks() {
        w->view().setFrame(6);
        QVERIFY(w->waitForFrame());
        w->view().setSelected(w->id(0));
        QTRY_VERIFY((*w)->actions().get("trackSplit")->isEnabled());
        w->trigger("trackSplit");
        QCOMPARE(w->track(w->id(0)), 4);
        w->answers.text = QStringLiteral("later");
        w->key(Qt::Key_F2);
        QCOMPARE(w->labels().tracks()[4].name, std::string("later"));
        QTRY_VERIFY(w->canvas().contents().find(w->id(0))->trackName == "later");
        w->trigger("trackDelete");
        QCOMPARE(w->labels().tracks().size(), std::size_t{4});
        QCOMPARE(w->track(w->id(0)), -1);
        w->trigger("editUndo");
        w->key(Qt::Key_Backspace, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(w->labels().instanceCount(), std::size_t{4 * EditWindow::kFrames - 6});
        QCOMPARE(w->labels().tracks().size(), std::size_t{4});
        w->trigger("trackDeleteAll");
        QVERIFY(w->labels().tracks().empty());
        QCOMPARE(w->labels().instanceCount(), std::size_t{4 * EditWindow::kFrames - 6});
    }

    void negativeFramesAndNodesByKey() {
        w->key(Qt::Key_N);
        QVERIFY(edit::isNegative(w->labels(), 0, w->view().frame()));
        QTRY_VERIFY((*w)->actions().get("labelNegative")->isChecked());
        w->key(Qt::Key_N);
        QVERIFY(!edit::isNegative(w->labels(), 0, w->view().frame()));
        w->click(w->at(w->id(1), 3));
        QTRY_VERIFY((*w)->actions().get("labelToggleNode")->isEnabled());
        w->key(Qt::Key_V);
        QVERIFY(!w->points(w->id(1))[3].visible);
    }

    void goesBackToWhatWasEdited() {
        w->view().setSelected(w->id(0));
        QTRY_VERIFY((*w)->actions().get("labelComplete")->isEnabled());
        w->trigger("labelComplete");
        const project::InstanceId id = w->id(0);
        w->trigger("goLast");
        QVERIFY(w->waitForFrame());
        w->key(Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(w->view().frame(), std::int64_t{0});
        QCOMPARE(w->view().selected(), id);
        const std::int64_t last = w->view().frameCount() - 1;
        QTRY_VERIFY((*w)->actions().get("goBack")->isEnabled());
        w->key(Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(w->view().frame(), last);
        QTRY_VERIFY((*w)->actions().get("goForward")->isEnabled());
        w->key(Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(w->view().frame(), std::int64_t{0});
    }

    void inspectorEditsNodes() {
        w->view().setSelected(w->id(0));
        auto* model = (*w)->findChild<NodeTableModel*>();
        // Behind another tab it does no work.
        QCOMPARE(model->rowCount(), 0);
        (*w)->findChild<QDockWidget*>("dockInspector")->raise();
        QTRY_VERIFY(model->rowCount() > 0);
        QCOMPARE(model->rowCount(), EditWindow::kNodes);
        QVERIFY(model->setData(model->index(2, NodeTableModel::X), "101.25"));
        QCOMPARE(w->points(w->id(0))[2].x, 101.25);
        QVERIFY(w->points(w->id(0))[2].complete);
        QVERIFY(model->setData(model->index(1, NodeTableModel::Visible), Qt::Unchecked, Qt::CheckStateRole));
        QVERIFY(!w->points(w->id(0))[1].visible);
        QVERIFY(model->setData(model->index(3, NodeTableModel::Complete), Qt::Checked, Qt::CheckStateRole));
        QVERIFY(w->points(w->id(0))[3].complete);
        QVERIFY(!model->setData(model->index(2, NodeTableModel::X), "far away"));
        const int steps = w->steps();
        QVERIFY(
            !model->setData(model->index(2, NodeTableModel::X), model->index(2, NodeTableModel::X).data(Qt::EditRole)));
        QCOMPARE(w->steps(), steps);
        // Predictions are looked at only.
        w->view().setSelected(w->id(2));
        QVERIFY(!(model->flags(model->index(0, NodeTableModel::X)) & Qt::ItemIsEditable));
        QVERIFY(!model->setData(model->index(0, NodeTableModel::X), "5"));
    }

    void trackIsEditedInTheTable() {
        auto* table = (*w)->findChild<QTableView*>("instancesTable");
        table->window()->activateWindow();
        const QModelIndex cell = table->model()->index(0, 3);
        table->setCurrentIndex(cell);
        table->edit(cell);
        auto* box = table->findChild<QComboBox*>("trackEditor");
        QVERIFY(box != nullptr);
        QCOMPARE(box->currentText(), QStringLiteral("left"));
        box->setEditText("a new one");
        QTest::keyClick(box, Qt::Key_Return);
        QTRY_COMPARE(w->labels().tracks().size(), std::size_t{5});
        QCOMPARE(w->labels().tracks()[4].name, std::string("a new one"));
        QCOMPARE(w->track(w->id(0)), 4);
    }

    void theEyeHidesAnInstance() {
        w->view().setHidden(w->id(0), true);
        QVERIFY(w->canvas().contents().find(w->id(0))->hidden);
        QCOMPARE(w->canvas().itemAt(w->at(w->id(0), 0)).instance, project::InstanceId{0});
        w->view().setHidden(w->id(0), false);
        QCOMPARE(w->canvas().itemAt(w->at(w->id(0), 0)).instance, w->id(0));
    }

    void legendWhileCtrlIsHeld() {
        auto* legend = (*w)->findChild<QWidget*>("trackLegend");
        QVERIFY(legend != nullptr && !legend->isVisible());
        (*w)->activateWindow();
        QTRY_VERIFY((*w)->isActiveWindow());
        QTest::keyPress(w->window.get(), Qt::Key_Control, Qt::ControlModifier);
        QTRY_VERIFY(legend->isVisible());
        QTest::keyRelease(w->window.get(), Qt::Key_Control);
        QVERIFY(!legend->isVisible());
    }

private:
    std::unique_ptr<EditWindow> w;
};

QTEST_MAIN(TestEditActions)
#include "tst_edit_actions.moc"
