// SPDX-License-Identifier: BSD-3-Clause
// Time per frame of the classic tracker on walking animals of 13 nodes; fails where a frame takes longer than allowed.
#include <QtTest>
#include <chrono>

#include "engine/tracking/tracker.h"
#include "tests/support/walking_animals.h"
#include "tests/support/worked_time.h"

using namespace skein::tracking;

namespace {

constexpr int kNodes = 13;

}  // namespace

class TestTrackerSpeed : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void timePerFrame_data() {
        QTest::addColumn<int>("animals");
        QTest::addColumn<QString>("setting");
        QTest::addColumn<double>("mostMs");
        for (const char* setting : {"default", "oks 0.3", "local_queues", "centroids", "kalman"}) {
            QTest::addRow("2 animals, %s", setting) << 2 << setting << 0.05;
            QTest::addRow("5 animals, %s", setting) << 5 << setting << 0.2;
            QTest::addRow("20 animals, %s", setting) << 20 << setting << 3.0;
        }
    }
    void timePerFrame() {
        QFETCH(int, animals);
        QFETCH(QString, setting);
        QFETCH(double, mostMs);
        TrackerOptions options;
        if (setting == "oks 0.3")
            options.oksStddev = 0.3;
        if (setting == "local_queues")
            options.candidates = CandidateMethod::LocalQueues;
        if (setting == "centroids") {
            options.feature = Feature::Centroids;
            options.scoring = ScoringMethod::EuclideanDistance;
        }
        if (setting == "kalman") {
            options.useKalman = true;
            options.maxTracks = animals;
        }
        const auto tracker = makeTracker(resolveOptions(options, {}).value());
        constexpr int kFrames = 500;
        skein::test::WalkingAnimals walk(animals, kNodes, 7);
        std::vector<double> times;
        for (int f = 0; f < kFrames; ++f) {
            const auto frame = walk.next();
            std::vector<Detection> detections;
            for (const auto& points : frame)
                detections.push_back({points, 0.9, false});
            const skein::test::WorkedTime time;
            const auto out = tracker->update(f, detections);
            times.push_back(time.ms());
            QCOMPARE(out.size(), static_cast<std::size_t>(animals));
        }
        double sum = 0;
        for (const double time : times)
            sum += time;
        std::sort(times.begin(), times.end());
        const double median = times[times.size() / 2];
        qInfo("%.4f ms a frame (median; mean %.4f, most %.4f; allowed %.2f)", median, sum / kFrames, times.back(),
              mostMs);
        QVERIFY(median <= mostMs);
    }
};

QTEST_APPLESS_MAIN(TestTrackerSpeed)
#include "tst_tracker_speed.moc"
