// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <atomic>
#include <set>
#include <stdexcept>

#include "engine/inference/detail/cpu_lanes.h"

using namespace skein::inference;

class TestCpuLanes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void resultsAreHandedOverInOrderByTheCallingThread() {
        CpuLanes lanes(3, 1);
        QCOMPARE(lanes.lanes(), 3);
        for (int round = 0; round < 50; ++round) {
            std::vector<int> values(static_cast<std::size_t>(round), 0);
            std::vector<std::size_t> order;
            const auto caller = std::this_thread::get_id();
            bool onCaller = true;
            lanes.run(
                values.size(),
                [&](int lane, std::size_t i) {
                    // Early items take longest, so that later ones would overtake them.
                    std::this_thread::sleep_for(std::chrono::microseconds(i % 3 == 0 ? 300 : 10));
                    values[i] = lane + 1;
                },
                [&](std::size_t i) {
                    onCaller = onCaller && std::this_thread::get_id() == caller && values[i] > 0;
                    order.push_back(i);
                });
            QVERIFY(onCaller);
            QCOMPARE(order.size(), values.size());
            for (std::size_t i = 0; i < order.size(); ++i)
                QCOMPARE(order[i], i);
        }
    }

    void lanesDoNotRunFarAhead() {
        CpuLanes lanes(2, 1);
        std::atomic<int> begun{0};
        int most = 0;
        lanes.run(
            40, [&](int, std::size_t) { ++begun; },
            [&](std::size_t i) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                most = std::max(most, begun.load() - static_cast<int>(i));
            });
        QVERIFY2(most <= 5, qPrintable(QString::number(most)));
    }

    void anExceptionReachesTheCallerAndTheLanesGoOn_data() {
        QTest::addColumn<bool>("inWork");
        QTest::newRow("of the work") << true;
        QTest::newRow("of the hand-over") << false;
    }
    void anExceptionReachesTheCallerAndTheLanesGoOn() {
        QFETCH(bool, inWork);
        CpuLanes lanes(2, 1);
        std::atomic<int> running{0};
        const auto work = [&](int, std::size_t i) {
            ++running;
            std::this_thread::sleep_for(std::chrono::microseconds(200));
            --running;
            if (inWork && i == 5)
                throw std::runtime_error("five");
        };
        const auto done = [&](std::size_t i) {
            if (!inWork && i == 5)
                throw std::runtime_error("five");
        };
        QVERIFY_EXCEPTION_THROWN(lanes.run(20, work, done), std::runtime_error);
        QCOMPARE(running.load(), 0);
        int handed = 0;
        lanes.run(
            4, [](int, std::size_t) {}, [&](std::size_t) { ++handed; });
        QCOMPARE(handed, 4);
    }
};

QTEST_GUILESS_MAIN(TestCpuLanes)
#include "tst_cpu_lanes.moc"
