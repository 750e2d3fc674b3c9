// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>

#include "engine/pipeline/frame_list.h"

using namespace skein;
using namespace skein::pipeline;
using Frames = std::vector<std::int64_t>;

class TestFrameList : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void listsMixNumbersAndRangesInTheirOrder() {
        const auto list = parseFrameList("5, 1-3,7,3");
        QVERIFY(list);
        QCOMPARE(list->within(100), (Frames{5, 1, 2, 3, 7, 3}));
    }

    void emptyTextIsAnEmptyList() {
        const auto list = parseFrameList(" ");
        QVERIFY(list);
        QVERIFY(list->ranges.empty());
    }

    void backwardRangeIsEmptyAsInSleapNn() {
        const auto list = parseFrameList("5-3");
        QVERIFY(list);
        QVERIFY(list->within(100).empty());
    }

    void framesOutsideAreCountedAndLeftOut() {
        std::int64_t outside = 0;
        const auto list = parseFrameList("8-12,99,3");
        QVERIFY(list);
        QCOMPARE(list->within(10, &outside), (Frames{8, 9, 3}));
        QCOMPARE(outside, 4);
    }

    void hugeRangeCostsOnlyWhatIsInside() {
        std::int64_t outside = 0;
        const auto list = parseFrameList("0-9000000000000000000");
        QVERIFY(list);
        QCOMPARE(list->within(3, &outside), (Frames{0, 1, 2}));
        QVERIFY(outside > 0);
    }

    void whatIsNoNumberIsNamed_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"a", "1-b", "-5", "1--3", "1.5", "99999999999999999999"})
            QTest::newRow(text) << QString(text);
    }
    void whatIsNoNumberIsNamed() {
        QFETCH(QString, text);
        const auto list = parseFrameList(text.toStdString());
        QVERIFY(!list);
        QVERIFY(list.error().message().find(text.toStdString()) != std::string::npos);
    }

    void listsAreWrittenShort() {
        QCOMPARE(formatFrameList({0, 1, 2, 7, 9, 10}), std::string("0-2,7,9-10"));
        QCOMPARE(formatFrameList({}), std::string());
    }
};

QTEST_APPLESS_MAIN(TestFrameList)
#include "tst_frame_list.moc"
