// SPDX-License-Identifier: BSD-3-Clause
// Time per frame of the classic tracker on walking animals of 13 nodes; fails where a frame takes longer than allowed.
#include <QtTest>
#include <chrono>
#include <cmath>
#include <random>

#include "engine/tracking/tracker.h"

using namespace skein::tracking;

namespace {

constexpr int kNodes = 13;

/// Animals that walk about in an arena that grows with their number; noise on every node, 2 % of the nodes missing.
class Walk {
public:
    Walk(int animals, unsigned seed) : m_random(seed), m_size(200 * std::sqrt(animals)) {
        std::uniform_real_distribution<double> place(0, m_size);
        std::normal_distribution<double> body(0, 15);
        for (int a = 0; a < animals; ++a) {
            m_centres.push_back({place(m_random), place(m_random)});
            m_headings.push_back(place(m_random));
            std::vector<PointD> shape;
            for (int k = 0; k < kNodes; ++k)
                shape.push_back({body(m_random), body(m_random)});
            m_shapes.push_back(shape);
        }
    }

    std::vector<std::vector<PointD>> next() {
        std::normal_distribution<double> noise(0, 0.7);
        std::normal_distribution<double> turn(0, 0.2);
        std::bernoulli_distribution missing(0.02);
        std::vector<std::vector<PointD>> frame;
        for (std::size_t a = 0; a < m_centres.size(); ++a) {
            m_headings[a] += turn(m_random);
            m_centres[a].x = std::clamp(m_centres[a].x + 4 * std::cos(m_headings[a]), 0.0, m_size);
            m_centres[a].y = std::clamp(m_centres[a].y + 4 * std::sin(m_headings[a]), 0.0, m_size);
            std::vector<PointD> points;
            for (const PointD& node : m_shapes[a]) {
                points.push_back(
                    {m_centres[a].x + node.x + noise(m_random), m_centres[a].y + node.y + noise(m_random)});
                if (missing(m_random))
                    points.back() = {std::nan(""), std::nan("")};
            }
            frame.push_back(points);
        }
        return frame;
    }

private:
    std::mt19937 m_random;
    double m_size;
    std::vector<PointD> m_centres;
    std::vector<double> m_headings;
    std::vector<std::vector<PointD>> m_shapes;
};

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
        Walk walk(animals, 7);
        std::vector<double> times;
        for (int f = 0; f < kFrames; ++f) {
            const auto frame = walk.next();
            std::vector<Detection> detections;
            for (const auto& points : frame)
                detections.push_back({points, 0.9, false});
            const auto begin = std::chrono::steady_clock::now();
            const auto out = tracker->update(f, detections);
            const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
            QCOMPARE(out.size(), static_cast<std::size_t>(animals));
            times.push_back(time.count());
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
