// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QTableView>
#include <random>

#include "engine/formats/slp.h"
#include "tests/engine/project/edit_helpers.h"
#include "tests/ui/edit/edit_fixture.h"
#include "ui/models/history_table_model.h"
#include "ui/models/instance_table_model.h"
#include "ui/models/node_table_model.h"
#include "ui/widgets/plain_table.h"

using namespace skein;
using namespace skein::ui;
using skein::test::EditWindow;
using skein::test::fingerprint;

namespace {

std::vector<project::InstanceId> selectedRows(const QTableView* table) {
    std::vector<project::InstanceId> ids;
    for (const QModelIndex& row : table->selectionModel()->selectedRows())
        ids.push_back(row.data(InstanceTableModel::IdRole).toULongLong());
    std::sort(ids.begin(), ids.end());
    return ids;
}

QByteArray saved(const project::Labels& labels, const QString& file) {
    if (!formats::writeSlp(labels, file.toStdString()))
        return {};
    QFile written(file);
    return written.open(QIODevice::ReadOnly) ? written.readAll() : QByteArray();
}

}  // namespace

/// Undo, redo and the history of the real window.
class TestHistory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Dark); }
    void init() {
        test::forgetSettings();
        w = std::make_unique<EditWindow>();
        QVERIFY(w->setUp());
    }
    void cleanup() { w.reset(); }

    void undoGoesBackToFrameAndSelection() {
        w->view().setFrame(3);
        QVERIFY(w->waitForFrame());
        w->view().setSelected(w->id(1));
        const project::InstanceId id = w->id(1);
        w->key(Qt::Key_Delete);
        QVERIFY(w->view().selection().empty());
        w->view().setFrame(9);
        QVERIFY(w->waitForFrame());
        w->view().setSelected(w->id(0));
        w->trigger("editUndo");
        QCOMPARE(w->view().frame(), std::int64_t{3});
        QCOMPARE(w->view().selected(), id);
        QVERIFY(w->waitForFrame());
        w->view().setFrame(9);
        QVERIFY(w->waitForFrame());
        w->trigger("editRedo");
        QCOMPARE(w->view().frame(), std::int64_t{3});
        QVERIFY(w->view().selection().empty());
    }

    void undoBringsTheChangeIntoSight() {
        const project::InstanceId id = w->id(0);
        w->view().setSelected(id);
        w->key(Qt::Key_Delete);
        VideoCanvas& canvas = w->canvas();
        // The other end of the picture fills the view.
        canvas.actualSize();
        canvas.zoomAbout(canvas.sceneToView({370, 370}), 16);
        w->trigger("editUndo");
        const QRectF seen = canvas.visibleScene();
        QVERIFY(seen.contains(QPointF(108, 80)));
    }

    void stepsAreNamed() {
        w->drag(w->at(w->id(0), 2), {20, 0});
        QCOMPARE(w->document().undoStack()->undoText(), QStringLiteral("Move node node2, frame 1"));
        QTRY_COMPARE(QString((*w)->actions().get("editUndo")->text()).remove('&'),
                     QStringLiteral("Undo Move node node2, frame 1"));
        w->trigger("viewCountFromZero");
        w->drag(w->at(w->id(0), 2), {20, 0}, Qt::AltModifier);
        QCOMPARE(w->document().undoStack()->undoText(), QStringLiteral("Move left, frame 0"));
    }

    void historyDockRollsTheState() {
        auto* model = (*w)->findChild<HistoryTableModel*>();
        QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        w->trigger("editHistory");
        auto* table = (*w)->findChild<PlainTable*>("historyTable");
        QTRY_VERIFY(table->isVisible());
        const int base = w->done();
        std::vector<std::uint64_t> states{fingerprint(w->labels())};
        for (int i = 0; i < 6; ++i) {
            w->view().setFrame(i);
            QVERIFY(w->waitForFrame());
            w->drag(w->at(w->id(0), 2), {10, 5});
            states.push_back(fingerprint(w->labels()));
        }
        QCOMPARE(model->rowCount(), base + 7);
        QCOMPARE(model->index(base + 2, HistoryTableModel::Step).data().toString(),
                 QStringLiteral("Move node node2, frame 2"));
        QCOMPARE(model->index(base + 2, HistoryTableModel::Frame).data().toString(), QStringLiteral("2"));
        QVERIFY(!model->index(base + 2, HistoryTableModel::Time).data().toString().isEmpty());
        QSignalSpy changes(&w->document(), &Document::changed);
        for (const int step : {2, 5, 0, 6, 1}) {
            changes.clear();
            const QModelIndex row = table->fromModel(model->index(base + step, HistoryTableModel::Step));
            table->scrollTo(row);
            QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(row).center());
            QCOMPARE(w->done(), base + step);
            QCOMPARE(model->current(), base + step);
            QCOMPARE(fingerprint(w->labels()), states[static_cast<std::size_t>(step)]);
            QCOMPARE(changes.size(), 1);
            // Forward, the change is on the frame of the last step; backward, on that of the first one taken back.
            QVERIFY(w->waitForFrame());
        }
        // A new step puts itself in place of those that were taken back.
        w->drag(w->at(w->id(0), 1), {5, 5});
        QCOMPARE(model->rowCount(), base + 3);
    }

    void D_02_tableAndViewSelectTheSame() {
        auto* table = (*w)->findChild<QTableView*>("instancesTable");
        const auto sorted = [this] {
            std::vector<project::InstanceId> ids;
            for (const project::InstanceId id : w->view().selection())
                if (w->canvas().contents().find(id) != nullptr)
                    ids.push_back(id);
            std::sort(ids.begin(), ids.end());
            return ids;
        };
        w->click(w->at(w->id(0), 1));
        QCOMPARE(selectedRows(table), (std::vector{w->id(0)}));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(2, 1)).center());
        QCOMPARE(w->view().selection(), (std::vector{w->id(2)}));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, Qt::ControlModifier,
                          table->visualRect(table->model()->index(0, 1)).center());
        QCOMPARE(w->view().selection(), (std::vector{w->id(2), w->id(0)}));
        QCOMPARE(selectedRows(table), sorted());
        w->view().setSelection({w->id(3), w->id(1)});
        QCOMPARE(selectedRows(table), sorted());
        w->key(Qt::Key_Delete);
        QVERIFY(selectedRows(table).empty());
        w->trigger("editUndo");
        QCOMPARE(w->view().selection().size(), std::size_t{2});
        QCOMPARE(selectedRows(table), sorted());
        w->trigger("editRedo");
        QCOMPARE(selectedRows(table), sorted());
        w->trigger("editUndo");
        std::mt19937 random(11);
        for (int i = 0; i < 150; ++i) {
            switch (random() % 7) {
                case 0:
                    w->trigger("goSelectNext");
                    break;
                case 1:
                    w->trigger(random() % 2 == 0 ? "goNextFrame" : "goPrevFrame");
                    QVERIFY(w->waitForFrame());
                    break;
                case 2:
                    w->trigger("editUndo");
                    QVERIFY(w->waitForFrame());
                    break;
                case 3:
                    w->trigger("editRedo");
                    QVERIFY(w->waitForFrame());
                    break;
                case 4:
                    w->trigger("labelAdd");
                    break;
                case 5:
                    w->trigger("labelAcceptFrame");
                    break;
                default:
                    if (table->model()->rowCount() > 0)
                        table->selectRow(static_cast<int>(random() % unsigned(table->model()->rowCount())));
            }
            QCOMPARE(selectedRows(table), sorted());
        }
    }

    void U_01_manyEditsThroughTheWindowAndBack() {
        QTemporaryDir folder;
        QAbstractItemModelTester instances((*w)->findChild<InstanceTableModel*>(),
                                           QAbstractItemModelTester::FailureReportingMode::QtTest);
        QAbstractItemModelTester nodes((*w)->findChild<NodeTableModel*>(),
                                       QAbstractItemModelTester::FailureReportingMode::QtTest);
        const int base = w->done();
        const std::uint64_t start = fingerprint(w->labels());
        const project::Labels startLabels = w->document().snapshot();
        std::mt19937 random(4711);
        const char* ids[] = {"labelAdd",          "labelDelete",
                             "labelAcceptFrame",  "labelNegative",
                             "labelMerge",        "labelComplete",
                             "labelAddMissing",   "trackSet1",
                             "trackSet2",         "trackSet3",
                             "trackNew",          "trackTranspose",
                             "trackSplit",        "trackPropagate",
                             "trackClear",        "labelDeletePredFrame",
                             "trackDeleteUnused", "trackDeleteInstanceAndTrack",
                             "editCopyInstance",  "editPasteInstance",
                             "labelToggleNode",   "goSelectNext",
                             "editUndo"};
        std::vector<std::uint64_t> prints;
        for (int i = 0; i < 400; ++i) {
            if (random() % 4 == 0) {
                w->view().setFrame(static_cast<std::int64_t>(random() % EditWindow::kFrames));
                QVERIFY(w->waitForFrame());
            }
            const project::FrameData frame = w->frame();
            if (random() % 3 == 0 && !frame.instances.empty()) {
                const project::InstanceId id = frame.instances[random() % frame.instances.size()].header.id;
                const auto node = static_cast<int>(random() % EditWindow::kNodes);
                if (!hasPlace(w->points(id)[static_cast<std::size_t>(node)]))
                    continue;
                const QPoint at = w->at(id, node);
                const QPoint by(int(random() % 61) - 30, int(random() % 61) - 30);
                switch (random() % 5) {
                    case 0:
                        w->drag(at, by, Qt::AltModifier);
                        break;
                    case 1:
                        w->drag(at, by, Qt::ControlModifier);
                        break;
                    case 2:
                        w->click(at, Qt::ShiftModifier);
                        break;
                    case 3:
                        w->doubleClick(at);
                        break;
                    default:
                        w->drag(at, by);
                }
            } else {
                if (w->view().selection().empty() || random() % 4 == 0)
                    w->trigger("goSelectNext");
                w->trigger(ids[random() % std::size(ids)]);
                if (auto* menu = (*w)->findChild<QMenu*>("transposeMenu"))
                    menu->close();
            }
        }
        const std::uint64_t end = fingerprint(w->labels());
        const int last = w->done();
        qInfo("%d steps", last - base);
        QVERIFY(last - base > 150);
        while (w->done() > base)
            w->trigger("editUndo");
        QCOMPARE(fingerprint(w->labels()), start);
        // A file holds the second in which its parts were made; both are written within one.
        bool same = false;
        for (int tries = 0; tries < 10 && !same; ++tries) {
            const QByteArray back = saved(w->labels(), folder.filePath("back.slp"));
            QVERIFY(!back.isEmpty());
            same = back == saved(startLabels, folder.filePath("start.slp"));
        }
        QVERIFY2(same, "the saved file differs");
        while (w->done() < last)
            w->trigger("editRedo");
        QCOMPARE(fingerprint(w->labels()), end);
        w->document().goToStep(base);
        QCOMPARE(fingerprint(w->labels()), start);
    }

private:
    std::unique_ptr<EditWindow> w;
};

QTEST_MAIN(TestHistory)
#include "tst_history.moc"
