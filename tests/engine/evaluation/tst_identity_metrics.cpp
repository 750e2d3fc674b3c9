// SPDX-License-Identifier: BSD-3-Clause
// Identity scores: small sequences whose values are worked out from the definitions, and the figures that sleap-nn's
// eval-tracking gives for recorded runs.
#include <QtTest>
#include <array>
#include <cmath>

#include "engine/evaluation/identity_metrics.h"
#include "engine/formats/slp.h"
#include "tests/engine/evaluation/evaluation_labels.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::evaluation;
using test::Pose;

namespace {

bool same(double a, double b, double tolerance = 1e-12) {
    return std::abs(a - b) <= tolerance;
}

void add(IdentitySequence& sequence, const std::vector<int>& truth, const std::vector<int>& prediction,
         const std::vector<double>& similarity) {
    sequence.addFrame(truth, prediction, similarity);
}

/// A square animal of 20 px.
Pose animal(double x, double y, const std::string& track, bool user = true) {
    return {{{x, y}, {x + 20, y}, {x + 20, y + 20}, {x, y + 20}}, track, user, 0.9F};
}

}  // namespace

class TestIdentityMetrics : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void perfectTracking() {
        IdentitySequence sequence;
        for (int f = 0; f < 5; ++f)
            add(sequence, {3, 8}, {40, 7}, {0, 1, 1, 0});
        const IdentityScores s = scoreSequence(sequence);
        QCOMPARE(s.truePositives, 10);
        QCOMPARE(s.switches, 0);
        QCOMPARE(s.mostlyTracked, 2);
        for (const double value : {s.mota, s.motp, s.idf1, s.hota, s.detA, s.assA, s.locA})
            QVERIFY(same(value, 1));
    }

    /// Two animals swap after four of six frames. Each true identity shares 4 frames with one partner and 2 with the
    /// other, so IDTP = 8 of 12; a pair of 4 frames scores 4 / (6 + 6 - 4), one of 2 scores 2 / (6 + 6 - 2), hence
    /// AssA = (8 * 0.5 + 4 * 0.2) / 12.
    void aSwap() {
        IdentitySequence sequence;
        for (int f = 0; f < 6; ++f)
            add(sequence, {0, 1}, {0, 1}, f < 4 ? std::vector<double>{1, 0, 0, 1} : std::vector<double>{0, 1, 1, 0});
        const IdentityScores s = scoreSequence(sequence);
        QCOMPARE(s.switches, 2);
        QVERIFY((s.switchList == std::vector<IdentitySwitch>{{4, 0, 0, 1}, {4, 1, 1, 0}}));
        QCOMPARE(s.fragments, 0);
        QVERIFY(same(s.mota, 10.0 / 12));
        QVERIFY(same(s.idf1, 8.0 / 12));
        QVERIFY(same(s.detA, 1));
        QVERIFY(same(s.assA, 0.4));
        QVERIFY(same(s.hota, std::sqrt(0.4)));
    }

    /// One animal: found (0.8), missed beside a wrong prediction, found, missed with nothing predicted, found (0.6) as
    /// another; one prediction without an animal.
    void gapsAndWrongPredictions() {
        IdentitySequence sequence;
        add(sequence, {0}, {5}, {0.8});
        add(sequence, {0}, {6}, {0.1});
        add(sequence, {0}, {5}, {0.8});
        add(sequence, {0}, {}, {});
        add(sequence, {0}, {7}, {0.6});
        add(sequence, {}, {7}, {});
        const IdentityScores s = scoreSequence(sequence);
        QCOMPARE(s.truePositives, 3);
        QCOMPARE(s.missed, 2);
        QCOMPARE(s.surplus, 2);
        QCOMPARE(s.switches, 1);
        // The wrong prediction ends the first stretch; a frame without any prediction ends none.
        QCOMPARE(s.fragments, 1);
        QCOMPARE(s.partlyTracked, 1);
        QVERIFY(same(s.mota, 0));
        QVERIFY(same(s.motp, 2.2 / 3));
        QVERIFY(same(s.idf1, 2 / (2 + 1.5 + 1.5)));
        // At 0.05 and 0.10 the wrong prediction is a hit too; up to 0.60 three are, up to 0.80 two, then none.
        double detA = 0;
        double assA = 0;
        double hota = 0;
        for (int a = 1; a <= 19; ++a) {
            const double hits = a <= 2 ? 4 : a <= 12 ? 3 : a <= 16 ? 2 : 0;
            const double d = hits / (5 + 5 - hits);
            const double five = a <= 16 ? 2 * 2 / 5.0 : 0;  // of 5 true frames and 2 of identity 5
            const double six = a <= 2 ? 1 / 5.0 : 0;
            const double seven = a <= 12 ? 1 / 6.0 : 0;  // identity 7 has two frames
            const double as = hits > 0 ? (five + six + seven) / hits : 0;
            detA += d / 19;
            assA += as / 19;
            hota += std::sqrt(d * as) / 19;
        }
        QVERIFY(same(s.detA, detA));
        QVERIFY(same(s.assA, assA));
        QVERIFY(same(s.hota, hota));
        QVERIFY(same(s.hota, 0.30857604908113584));  // as the peer's code gives
        QVERIFY(same(s.locA, 0.7728070175438596));
    }

    /// The partner of the frame before goes before a better one, a switch is counted at whatever distance.
    void continuityGoesBeforeSimilarity() {
        IdentitySequence sequence;
        add(sequence, {0}, {1, 2}, {0.9, 0.1});
        add(sequence, {0}, {1, 2}, {0.55, 0.95});
        add(sequence, {0}, {}, {});
        add(sequence, {0}, {2}, {0.7});
        const IdentityScores s = scoreSequence(sequence);
        QCOMPARE(s.switches, 1);
        QVERIFY(same(s.similaritySum, 0.9 + 0.55 + 0.7));
    }

    void onlyOneSide() {
        IdentitySequence sequence;
        add(sequence, {0, 1}, {}, {});
        IdentityScores s = scoreSequence(sequence);
        QCOMPARE(s.missed, 2);
        QCOMPARE(s.mostlyLost, 2);
        QVERIFY(same(s.hota, 0));
        QVERIFY(same(s.idf1, 0));
        IdentitySequence other;
        for (int f = 0; f < 2; ++f)
            add(other, {0}, {0}, {1});
        const std::array both{s, scoreSequence(other)};
        s = combine(both);
        QVERIFY(same(s.mota, 0.5));
        QVERIFY(same(s.idf1, 2 / 3.0));
        QVERIFY(same(s.assA, 1));
        QVERIFY(same(s.detA, 0.5));
    }

    void recordedRuns_data() {
        QTest::addColumn<QString>("run");
        QTest::addColumn<QList<double>>("figures");  // MOTA MOTP IDF1 HOTA DetA AssA LocA
        QTest::addColumn<QList<int>>("counts");      // TP FN FP IDSW Frag MT PT IDTP missing frames
        QTest::newRow("tracking") << "tracking"
                                  << QList<double>{0.6427777777777778, 0.7490549191351611, 0.6716960044705225,
                                                   0.5240529057628539, 0.598909120435367,  0.45912453568311085,
                                                   0.7750725682696175}
                                  << QList<int>{1472, 328, 307, 8, 87, 3, 3, 1202, 0};
        QTest::newRow("max6") << "tracking_max6"
                              << QList<double>{0.45166666666666666, 0.7634021947100091, 0.6046046046046046,
                                               0.40061766204514526, 0.4336154971655888, 0.3705760222681132,
                                               0.7855609989902707}
                              << QList<int>{1007, 793, 190, 4, 52, 0, 6, 906, 100};
        QTest::newRow("flow") << "tracking_flow"
                              << QList<double>{0.27111111111111114, 0.7770472860077622,  0.42399000416493127,
                                               0.23356870432142304, 0.24221802654864996, 0.2253614256300088,
                                               0.8022971341711299}
                              << QList<int>{545, 1255, 56, 1, 21, 0, 6, 509, 200};
        QTest::newRow("greedy") << "tracking_greedy_iou"
                                << QList<double>{0.45055555555555554, 0.7634021947100091, 0.6688896298766256,
                                                 0.4351882212005343,  0.4330646570572756, 0.4374427063088493,
                                                 0.7856491639555324}
                                << QList<int>{1007, 793, 192, 4, 52, 0, 6, 1003, 100};
    }
    void recordedRuns() {
        SKEIN_NEEDS_REFERENCE(folder);
        QFETCH(QString, run);
        QFETCH(QList<double>, figures);
        QFETCH(QList<int>, counts);
        const auto truth = formats::readSlp(folder / "media" / "synthetic_6.truth.slp");
        const auto prediction =
            formats::readSlp(folder / "golden" / "runs" / "synthetic_bottomup" / (run + ".slp").toStdString());
        QVERIFY(truth && prediction);
        const auto result = identityMetrics(*truth, *prediction);
        QVERIFY2(result.has_value(), result ? "" : result.error().describe().c_str());
        const IdentityScores& s = result->scores;
        QCOMPARE((QList<qint64>{s.truePositives, s.missed, s.surplus, s.switches, s.fragments, s.mostlyTracked,
                                s.partlyTracked, s.idTruePositives, result->framesWithoutPrediction}),
                 QList<qint64>(counts.begin(), counts.end()));
        const QList<double> ours{s.mota, s.motp, s.idf1, s.hota, s.detA, s.assA, s.locA};
        for (qsizetype i = 0; i < ours.size(); ++i)
            QVERIFY2(same(ours[i], figures[i], 1e-9),
                     qPrintable(QString("figure %1: %2, expected %3").arg(i).arg(ours[i], 0, 'g', 12).arg(figures[i])));
        QVERIFY(result->stepOverSize > 0.03 && result->stepOverSize < 0.06);
        QCOMPARE(result->frames, 300);
        QCOMPARE(result->trueTracks, 6);
    }

    void untrackedAnimalsAreNeitherRightNorWrong() {
        const auto truth = test::labelsFrom({{animal(0, 0, "a"), animal(100, 0, "")}}, 4);
        const auto prediction = test::labelsFrom({{animal(0, 0, "x", false), animal(100, 0, "y", false),
                                                   animal(200, 0, "z", false), animal(300, 0, "", false)}},
                                                 4);
        const auto result = identityMetrics(truth, prediction).value();
        QCOMPARE(result.scores.truePositives, 1);
        QCOMPARE(result.scores.missed, 0);
        QCOMPARE(result.scores.surplus, 1);
        QCOMPARE(result.ignored, 1);
        QCOMPARE(result.untrackedPrediction, 1);
        QCOMPARE(result.notes.size(), std::size_t{2});
    }

    void aCorrectedPredictionIsNotASecondAnimal() {
        auto frames = std::vector<std::vector<Pose>>{{animal(0, 0, "a"), animal(1, 0, "a", false)}};
        const auto truth = test::labelsFrom(frames, 4);
        const auto prediction = test::labelsFrom({{animal(0, 0, "x", false)}}, 4);
        const auto result = identityMetrics(truth, prediction).value();
        QCOMPARE(result.scores.truePositives, 1);
        QCOMPARE(result.scores.missed, 0);
    }

    void switchesAreListedByNameAndFrame() {
        const auto truth = test::labelsFrom(
            {{animal(0, 0, "a"), animal(100, 0, "b")}, {animal(0, 0, "a")}, {animal(0, 0, "a"), animal(100, 0, "b")}},
            4);
        const auto prediction = test::labelsFrom({{animal(0, 0, "x", false), animal(100, 0, "y", false)},
                                                  {animal(0, 0, "x", false)},
                                                  {animal(0, 0, "x", false), animal(100, 0, "z", false)}},
                                                 4);
        const auto result = identityMetrics(truth, prediction).value();
        QCOMPARE(result.switches.size(), std::size_t{1});
        const TrackSwitch& s = result.switches.front();
        QCOMPARE(s.frameIndex, 2);
        QCOMPARE(s.animal + ": " + s.from + " to " + s.to, std::string("b: y to z"));
    }

    void singleNodesGoByDistance() {
        const auto truth = test::labelsFrom({{Pose{{{10, 10}}, "a"}}, {Pose{{{10, 10}}, "a"}}}, 1);
        const auto prediction = test::labelsFrom({{Pose{{{13, 14}}, "x", false}}, {Pose{{{70, 10}}, "x", false}}}, 1);
        const auto result = identityMetrics(truth, prediction).value();
        QCOMPARE(result.scores.truePositives, 1);
        QVERIFY(same(result.scores.motp, 1 - 5 / 100.0));
    }

    void sentences_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("words");
        QTest::newRow("truth without tracks") << 0 << "The truth has no tracks";
        QTest::newRow("prediction without tracks") << 1 << "The prediction has no tracks";
        QTest::newRow("twice") << 2 << "occurs twice in frame 0";
        QTest::newRow("other video") << 3 << "no video in common";
        QTest::newRow("other frames") << 4 << "no frame in common";
        QTest::newRow("other skeleton") << 5 << "different skeletons";
    }
    void sentences() {
        QFETCH(int, which);
        QFETCH(QString, words);
        const std::vector<std::vector<Pose>> good{{animal(0, 0, "a")}};
        auto truth = test::labelsFrom(good, 4);
        auto prediction = test::labelsFrom({{animal(0, 0, "x", false)}}, 4);
        if (which == 0)
            truth = test::labelsFrom({{animal(0, 0, "")}}, 4);
        if (which == 1)
            prediction = test::labelsFrom({{animal(0, 0, "", false)}}, 4);
        if (which == 2)
            prediction = test::labelsFrom({{animal(0, 0, "x", false), animal(90, 0, "x", false)}}, 4);
        if (which == 3) {
            prediction = test::labelsFrom({{animal(0, 0, "x", false)}}, 4, "other.mp4");
            prediction.editVideos().push_back({});
        }
        if (which == 4) {
            truth.removeFrames(std::vector<std::size_t>{0});
            project::FrameData late;
            late.frameIndex = 7;
            truth.appendFrame(late);
        }
        if (which == 5)
            prediction = test::labelsFrom({{Pose{{{1, 2}, {3, 4}}, "x", false}}}, 2);
        const auto result = identityMetrics(truth, prediction);
        QVERIFY(!result.has_value());
        QCOMPARE(result.error().code(), ErrorCode::InvalidArgument);
        QVERIFY2(QString::fromStdString(result.error().message()).contains(words), result.error().message().c_str());
    }

    /// Thousands of identities that never meet must not cost their product.
    void manyShortTracks() {
        IdentitySequence sequence;
        for (int f = 0; f < 20000; ++f)
            add(sequence, {f / 2}, {f / 3}, {1});
        const IdentityScores s = scoreSequence(sequence);
        QCOMPARE(s.truePositives, 20000);
        QVERIFY(s.idf1 > 0.4);
    }
};

QTEST_APPLESS_MAIN(TestIdentityMetrics)
#include "tst_identity_metrics.moc"
