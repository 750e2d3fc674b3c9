// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QStyleOptionHeader>
#include <QTest>

#include "ui/frame_steps.h"
#include "ui/theme.h"
#include "ui/timeline/timeline_data.h"
#include "ui/widgets/plain_table.h"
#include "ui/widgets/table_order.h"

using namespace skein;
using namespace skein::ui;

namespace {

/// Names and numbers; counts how often it is asked.
class Animals : public QStandardItemModel {
public:
    Animals() : QStandardItemModel(0, 2) {
        setHorizontalHeaderLabels({"Name", "Weight"});
        for (const auto& [name, weight] :
             {std::pair{"rat", "1,100 g"}, {"Fly 10", "0.9 g"}, {"fly 2", ""}, {"owl", "12 g"}})
            appendRow({new QStandardItem(name), new QStandardItem(weight)});
    }
    QVariant data(const QModelIndex& index, int role) const override {
        ++asked;
        return QStandardItemModel::data(index, role);
    }
    mutable int asked = 0;
};

/// Many rows, for a worker.
class Many : public QAbstractTableModel, public LargeTable {
public:
    static constexpr int kRows = 200'000;
    class Rows : public TableRows {
    public:
        [[nodiscard]] int count() const override { return kRows; }
        [[nodiscard]] bool isNumber(int column) const override { return column == 0; }
        [[nodiscard]] double number(int row, int) const override { return double((row * 7919LL) % kRows); }
        [[nodiscard]] QString text(int row, int column) const override {
            return column == 0 ? QString::number((row * 7919LL) % kRows) : QStringLiteral("group %1").arg(row % 100);
        }
    };
    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : kRows; }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 2; }
    QVariant data(const QModelIndex& index, int role) const override {
        return role == Qt::DisplayRole ? Rows().text(index.row(), index.column()) : QVariant();
    }
    [[nodiscard]] std::shared_ptr<const TableRows> rowsForWorker() const override { return std::make_shared<Rows>(); }
};

QStringList column(const QAbstractItemModel* model, int c) {
    QStringList texts;
    for (int row = 0; row < model->rowCount(); ++row)
        texts << model->index(row, c).data().toString();
    return texts;
}

}  // namespace

class TestTables : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }
    void init() { QSettings(QSettings::IniFormat, QSettings::UserScope, "skein", "skein").clear(); }

    void aTitleIsWholeBesideTheMarkOfTheOrder() {
        QStandardItemModel model(1, 2);
        model.setHorizontalHeaderLabels({"Name", "Labelled frames"});
        PlainTable table("t", "t", nullptr);
        table.setModel(&model);
        table.setColumnWidths({10, 2}, 0);
        table.sortByColumn(1, Qt::AscendingOrder);
        QStyleOptionHeader option;
        option.initFrom(table.horizontalHeader());
        option.state |= QStyle::State_Horizontal;
        option.sortIndicator = QStyleOptionHeader::SortUp;
        option.rect = QRect(0, 0, table.horizontalHeader()->sectionSize(1), table.horizontalHeader()->height());
        const int room =
            table.style()->subElementRect(QStyle::SE_HeaderLabel, &option, table.horizontalHeader()).width();
        QVERIFY(room >= table.horizontalHeader()->fontMetrics().horizontalAdvance("Labelled frames"));
    }

    void theColumnThatTakesTheRestKeepsALeastWidth() {
        QStandardItemModel model(1, 4);
        model.setHorizontalHeaderLabels({"Track", "A", "B", "C"});
        PlainTable table("t", "t", nullptr);
        table.setModel(&model);
        table.setColumnWidths({10, 20, 20, 20}, 0);
        const int least = 10 * table.fontMetrics().horizontalAdvance(QLatin1Char('0'));
        table.resize(300, 200);
        table.show();
        QTRY_VERIFY(table.horizontalHeader()->sectionSize(0) >= least);
        QVERIFY(table.horizontalHeader()->length() > table.viewport()->width());
        table.resize(1400, 200);
        QTRY_COMPARE(table.horizontalHeader()->length(), table.viewport()->width());
        // What it gets back when another column goes, it gives when that comes again.
        table.setColumnHidden(1, true);
        QTRY_COMPARE(table.horizontalHeader()->length(), table.viewport()->width());
        table.resize(300, 200);
        QTRY_VERIFY(table.horizontalHeader()->sectionSize(0) >= least);
        model.removeRows(0, 1);
        QTRY_COMPARE(table.horizontalScrollBarPolicy(), Qt::ScrollBarAlwaysOff);
    }

    void headerClicksSortAndTheThirdGoesBack() {
        Animals model;
        PlainTable table("t", "t", nullptr);
        table.setModel(&model);
        table.setColumnWidths({10, 10}, 0);
        table.resize(400, 300);
        table.show();
        QAbstractItemModelTester tester(table.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto click = [&table](int section) {
            QHeaderView* head = table.horizontalHeader();
            QTest::mouseClick(head->viewport(), Qt::LeftButton, {},
                              QPoint(head->sectionViewportPosition(section) + 8, head->height() / 2));
        };
        const QStringList before = column(table.model(), 0);
        click(0);  // numbers in names count as numbers, case does not
        QCOMPARE(column(table.model(), 0), (QStringList{"fly 2", "Fly 10", "owl", "rat"}));
        table.selectRow(0);
        QCOMPARE(table.selectedModelRows(), (QList<int>{2}));
        click(0);
        QCOMPARE(column(table.model(), 0), (QStringList{"rat", "owl", "Fly 10", "fly 2"}));
        QCOMPARE(table.selectedModelRows(), (QList<int>{2}));  // the same animal
        click(0);
        QCOMPARE(column(table.model(), 0), before);
        click(1);  // as numbers, nothing last
        QCOMPARE(column(table.model(), 1), (QStringList{"0.9 g", "12 g", "1,100 g", ""}));
        model.appendRow({new QStandardItem("ant"), new QStandardItem("0.01 g")});
        QCOMPARE(column(table.model(), 0).first(), QString("ant"));
        table.selectModelRow(0);
        QCOMPARE(table.currentIndex().data().toString(), QString("rat"));
    }

    void slashFiltersAndEscShowsAll() {
        Animals model;
        PlainTable table("t", "t", nullptr);
        table.setModel(&model);
        table.setColumnWidths({10, 10}, 0);
        table.show();
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_Slash);
        auto* line = table.findChild<QLineEdit*>("tFilter");
        QVERIFY(line->isVisible());
        QTest::keyClicks(line, "FLY");
        QCOMPARE(column(table.model(), 0), (QStringList{"Fly 10", "fly 2"}));
        QTest::keyClick(line, Qt::Key_Escape);
        QVERIFY(!line->isVisible());
        QCOMPARE(table.model()->rowCount(), 4);
    }

    void copiesShownColumnsInShownOrder() {
        Animals model;
        PlainTable table("t", "t", nullptr);
        table.setModel(&model);
        table.setColumnWidths({10, 10}, 0);
        table.setSelectionMode(QAbstractItemView::ExtendedSelection);
        table.show();
        table.sortByColumn(0, Qt::AscendingOrder);
        table.selectAll();
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(),
                 QString("Name\tWeight\nfly 2\t\nFly 10\t0.9 g\nowl\t12 g\nrat\t1,100 g"));
        table.setColumnHidden(1, true);
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QString("Name\nfly 2\nFly 10\nowl\nrat"));
    }

    void columnsAndOrderAreRemembered() {
        Animals model;
        {
            PlainTable table("remembered", "t", nullptr);
            table.setModel(&model);
            table.setColumnWidths({10, 10}, 0);
            table.show();
            Q_EMIT table.horizontalHeader()->customContextMenuRequested({4, 4});
            auto* menu = table.findChild<QMenu*>("rememberedColumns");
            QVERIFY(menu != nullptr);
            menu->actions().at(1)->trigger();
            menu->close();
            QVERIFY(table.isColumnHidden(1));
            table.sortByColumn(0, Qt::DescendingOrder);
        }
        PlainTable table("remembered", "t", nullptr);
        table.setModel(&model);
        table.setColumnWidths({10, 10}, 0);
        table.show();
        QVERIFY(table.isColumnHidden(1));
        QCOMPARE(column(table.model(), 0).first(), QString("rat"));
    }

    // D-01: the worker sorts; until it is done the old order stands and the table can be used.
    void D_01_oldOrderStandsUntilTheNewOneIsThere() {
        Many model;
        TableOrder order(nullptr);
        order.setSourceModel(&model);
        QSignalSpy done(&order, &TableOrder::ordered);
        order.sort(0, Qt::AscendingOrder);
        QVERIFY(order.isWorking());
        QCOMPARE(order.index(1, 0).data().toString(), QString("7919"));
        QVERIFY(done.wait(test::kPatienceMs));
        for (const int row : {0, 1, 777, Many::kRows - 1})
            QCOMPARE(order.index(row, 0).data().toString(), QString::number(row));
        QCOMPARE(order.mapFromSource(model.index(1, 0)).row(), 7919);
        order.setFilter("group 42");
        QVERIFY(done.wait(test::kPatienceMs));
        QCOMPARE(order.rowCount(), Many::kRows / 100);
        // A wish that comes while it works counts, the one before does not.
        order.setFilter("group 7");
        order.setFilter({});
        order.sort(-1);
        QTRY_VERIFY(!order.isWorking() && order.rowCount() == Many::kRows);
        QCOMPARE(order.index(1, 0).data().toString(), QString("7919"));
    }

    // D-03
    void D_03_aHiddenTableAsksNothing() {
        Animals model;
        PlainTable table("t", "t", nullptr);
        table.setModel(&model);
        table.setColumnWidths({10, 10}, 0);
        table.show();
        table.sortByColumn(0, Qt::AscendingOrder);
        table.hide();
        QCoreApplication::processEvents();
        model.asked = 0;
        model.item(0)->setText("zebra");
        model.item(3)->setText("ape");
        QCoreApplication::processEvents();
        QCOMPARE(model.asked, 0);
        table.show();
        QTRY_COMPARE(column(table.model(), 0).first(), QString("ape"));
    }

    // N-07: the neighbour in several lists, and around the end.
    void N_07_neighbourAmongLists() {
        const std::vector<std::int64_t> a{10, 20, 90}, b{15, 20}, none;
        const FrameLists lists{&a, &none, nullptr, &b};
        const auto step = [&](std::int64_t from, int direction) {
            const auto found = stepAmong(lists, from, direction);
            return std::pair(found->frame, found->wrapped);
        };
        using Step = std::pair<std::int64_t, bool>;
        QCOMPARE(step(10, 1), Step(15, false));
        QCOMPARE(step(15, 1), Step(20, false));
        QCOMPARE(step(20, 1), Step(90, false));
        QCOMPARE(step(90, 1), Step(10, true));
        QCOMPARE(step(20, -1), Step(15, false));
        QCOMPARE(step(10, -1), Step(90, true));
        QVERIFY(!stepAmong({&none, nullptr}, 5, 1));
    }

    // The index that is kept up to date by single frames is the one that a walk over the project gives.
    void singleFramesKeepTheIndexTrue() {
        project::Labels labels;
        labels.editVideos().resize(1);
        for (int t = 0; t < 5; ++t)
            labels.editTracks().push_back({"t", 0, -1});
        for (std::int64_t f = 0; f < 60; f += 2)
            labels.appendFrame({0, f, {}, -1});
        TimelineData kept = timelineOf(labels, 0);
        std::srand(5);
        for (int i = 0; i < 3000; ++i) {
            project::FrameData frame{0, std::rand() % 60, {}, -1};
            for (int n = std::rand() % 4; n > 0; --n) {
                project::InstanceData instance;
                instance.header.kind =
                    std::rand() % 2 == 0 ? project::InstanceKind::User : project::InstanceKind::Predicted;
                instance.header.track = std::rand() % 6 - 1;
                frame.instances.push_back(instance);
            }
            if (std::rand() % 10 == 0)
                labels.editNegativeFrames() = {{0, frame.frameIndex}};
            const std::int64_t touched = frame.frameIndex;
            if (const auto row = labels.findFrame(0, touched))
                labels.replaceFrame(*row, frame);
            else
                labels.appendFrame(frame);
            // A mark that moved concerns the frame that it left as well.
            const TimelineData fresh = timelineOf(labels, 0);
            kept.refreshFrame(labels, touched);
            for (const std::int64_t f : fresh.userOrNegative)
                if (!std::binary_search(kept.userOrNegative.begin(), kept.userOrNegative.end(), f))
                    QFAIL("a frame is missing");
            for (const std::int64_t f : std::vector<std::int64_t>(kept.userOrNegative))
                if (!std::binary_search(fresh.userOrNegative.begin(), fresh.userOrNegative.end(), f))
                    kept.refreshFrame(labels, f);
            QCOMPARE(kept.userOrNegative, fresh.userOrNegative);
            QCOMPARE(kept.user, fresh.user);
            QCOMPARE(kept.predicted, fresh.predicted);
            QCOMPARE(kept.labelled, fresh.labelled);
            QCOMPARE(kept.trackStarts, fresh.trackStarts);
            QCOMPARE(kept.trackEnds, fresh.trackEnds);
            QCOMPARE(kept.placeOf, fresh.placeOf);
            QCOMPARE(kept.lanes.size(), fresh.lanes.size());
            for (std::size_t l = 0; l < fresh.lanes.size(); ++l) {
                QCOMPARE(kept.lanes[l].track, fresh.lanes[l].track);
                QCOMPARE(kept.lanes[l].spans, fresh.lanes[l].spans);
                QCOMPARE(kept.lanes[l].userFrames, fresh.lanes[l].userFrames);
            }
        }
    }
};

QTEST_MAIN(TestTables)
#include "tst_tables.moc"
