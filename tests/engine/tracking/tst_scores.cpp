// SPDX-License-Identifier: BSD-3-Clause
// How two instances are compared, and that the short cut changes nothing.
#include <QtTest>
#include <cmath>
#include <random>

#include "engine/tracking/detail/scores.h"

using namespace skein::tracking;

namespace {

const double kNaN = std::nan("");

}  // namespace

class TestScores : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void similarityOfPosesDependsOnTheDetectionsExtent() {
        Scorer scorer(ScoringMethod::Oks, 0.025);
        const std::vector<double> detection{0, 0, 10, 20, kNaN, kNaN};
        scorer.setDetection(detection);
        const double norm = 0.05 * 0.05 * 2 * 200;
        const std::vector<double> near{0.5, 0, 10, 20, 3, 3};
        QVERIFY(std::abs(scorer.score(near, extentOf(near)) - (std::exp(-0.25 / norm) + 1) / 2) < 1e-12);
        const std::vector<double> missing{kNaN, kNaN, 10, 20, 3, 3};
        QVERIFY(std::abs(scorer.score(missing, extentOf(missing)) - 0.5) < 1e-12);
        const std::vector<double> far{500, 500, 600, 600, 3, 3};
        QCOMPARE(scorer.score(far, extentOf(far)), 0.0);
        const std::vector<double> absent(6, kNaN);
        scorer.setDetection(absent);
        QVERIFY(std::isnan(scorer.score(near, extentOf(near))));
    }

    void extentsChangeNoScore() {
        // Poses at distances on both sides of where similarities vanish, with missing nodes; without the extent of the
        // candidate nothing can be left out.
        std::mt19937 random(3);
        std::uniform_real_distribution<double> unit(0, 1);
        const Extent everywhere{-1e9, -1e9, 1e9, 1e9};
        int zeros = 0, others = 0;
        for (int round = 0; round < 20000; ++round) {
            const double away = 200 * unit(random), size = 4 + 60 * unit(random);
            std::vector<double> detection, candidate;
            for (int k = 0; k < 10; ++k) {
                detection.push_back(unit(random) < 0.1 ? kNaN : size * unit(random));
                candidate.push_back(unit(random) < 0.1 ? kNaN : away + size * unit(random));
            }
            Scorer scorer(ScoringMethod::Oks, 0.025 + 0.1 * unit(random));
            scorer.setDetection(detection);
            const double quick = scorer.score(candidate, extentOf(candidate));
            const double full = scorer.score(candidate, everywhere);
            QVERIFY(quick == full || (std::isnan(quick) && std::isnan(full)));
            (full == 0 ? zeros : others) += 1;
        }
        QVERIFY(zeros > 1000 && others > 1000);
    }
};

QTEST_APPLESS_MAIN(TestScores)
#include "tst_scores.moc"
