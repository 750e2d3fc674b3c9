// SPDX-License-Identifier: BSD-3-Clause
// Pose metrics: small cases whose values are worked out from the definitions, and the figures that sleap-nn's eval
// gives for recorded runs.
#include <QtTest>
#include <cmath>

#include "engine/evaluation/pose_metrics.h"
#include "engine/formats/slp.h"
#include "tests/engine/evaluation/evaluation_labels.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::evaluation;
using test::Pose;

namespace {

bool same(double a, double b, double tolerance = 1e-9) {
    return std::abs(a - b) <= tolerance;
}

Pose square(double x, double y, bool user, float score = 1) {
    return {{{x, y}, {x + 100, y}, {x + 100, y + 100}, {x, y + 100}}, "", user, score};
}

}  // namespace

class TestPoseMetrics : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Sides of 100 px and a spread of 0.025 give exp(-d^2 / (0.0025 * 20000)) = exp(-d^2 / 50) per node.
    void oneShiftedPose() {
        const auto truth = test::labelsFrom({{square(0, 0, true)}}, 4);
        Pose found = square(3, 4, false, 0.7F);
        found.points[1] = test::kAbsent;
        const auto m = poseMetrics(truth, test::labelsFrom({{found}}, 4)).value();
        QCOMPARE(m.matched, 1);
        QCOMPARE(m.missed + m.surplus, 0);
        QVERIFY(same(m.mOks, 3 * std::exp(-0.5) / 4));
        QVERIFY(same(m.distance.mean, 5) && same(m.distance.p99, 5));
        // 5 px is not below 5; the missing node never counts.
        QVERIFY(same(m.pck[4], 0) && same(m.pck[5], 0.75));
        QVERIFY(same(m.mPck, 0.75 * 5 / 10));
        QCOMPARE(m.mPckOfNode.size(), std::size_t{4});
        QVERIFY(same(m.mPckOfNode[0], 0.5) && same(m.mPckOfNode[1], 0));
        QCOMPARE(m.visibleBoth, 3);
        QCOMPARE(m.visibleTrue, 1);
        QVERIFY(same(m.visibilityPrecision, 1) && same(m.visibilityRecall, 0.75));
        // 0.4549 reaches no threshold from 0.5 on.
        QVERIFY(same(m.oksVoc.mAP, 0) && same(m.oksVoc.mAR, 0));
    }

    /// Three animals, one missed, one found well (score 0.9), one badly (OKS 0.73, score 0.5), one wrong prediction.
    void precisionOverRecall() {
        const auto truth = test::labelsFrom({{square(0, 0, true), square(500, 0, true), square(0, 500, true)}}, 4);
        const double off = 4;
        const auto prediction = test::labelsFrom(
            {{square(500 + off, 0, false, 0.5F), square(0, 0, false, 0.9F), square(900, 900, false, 0.1F)}}, 4);
        const auto m = poseMetrics(truth, prediction).value();
        QCOMPARE(m.matched, 2);
        QCOMPARE(m.missed, 1);
        QCOMPARE(m.surplus, 1);
        const double bad = std::exp(-off * off / 50);
        QVERIFY(same(m.mOks, (1 + bad) / 2));
        QVERIFY(bad > 0.7 && bad < 0.75);
        // Both right up to 0.70: precision 1 up to recall 2/3 (67 of 101 steps); above, one right up to 1/3 (34 steps).
        for (std::size_t t = 0; t < 10; ++t) {
            const bool both = t <= 4;
            QVERIFY(same(m.oksVoc.averagePrecision[t], (both ? 67 : 34) / 101.0));
            QVERIFY(same(m.oksVoc.recall[t], (both ? 2 : 1) / 3.0));
        }
        QVERIFY(same(m.oksVoc.mAP, (5 * 67 + 5 * 34) / 1010.0));
        QVERIFY(same(m.precision, 2 / 3.0) && same(m.recall, 2 / 3.0) && same(m.f1, 2 / 3.0));
    }

    /// The better scored prediction chooses first, even where another would fit better.
    void betterScoresChooseFirst() {
        const auto truth = test::labelsFrom({{square(0, 0, true)}}, 4);
        const auto prediction = test::labelsFrom({{square(1, 0, false, 0.2F), square(4, 0, false, 0.8F)}}, 4);
        const auto m = poseMetrics(truth, prediction).value();
        QVERIFY(same(m.distance.mean, 4));
        QCOMPARE(m.surplus, 1);
    }

    void aPoseWithoutExtentGoesByDistance() {
        Pose single = square(0, 0, true);
        for (std::size_t k = 1; k < 4; ++k)
            single.points[k] = test::kAbsent;
        const auto m =
            poseMetrics(test::labelsFrom({{single}}, 4), test::labelsFrom({{square(6, 8, false)}}, 4)).value();
        QVERIFY(same(m.mOks, 1 - 10 / 50.0));
        QCOMPARE(m.visiblePredicted, 3);
    }

    void centroids() {
        const auto truth = test::labelsFrom({{square(0, 0, true), square(200, 0, true)}}, 4);
        const auto prediction = test::labelsFrom(
            {{Pose{{{50, 53}}, "", false, 1}, Pose{{{250, 46}}, "", false, 1}, Pose{{{400, 50}}, "", false, 1}}}, 1);
        const auto m = poseMetrics(truth, prediction).value();
        QVERIFY(m.method == MatchMethod::Centroid);
        QCOMPARE(m.matched, 2);
        QCOMPARE(m.surplus, 1);
        QVERIFY(same(m.distance.mean, 3.5));
        QVERIFY(same(m.precision, 2 / 3.0) && same(m.recall, 1));
        QVERIFY(std::isnan(m.mOks));
        PoseOptions near;
        near.matchThreshold = 3.5;
        QCOMPARE(poseMetrics(truth, prediction, near)->matched, 1);
    }

    /// Predictions in the truth are no truth unless asked for; frames that nobody labelled do not count.
    void userLabelsOnly() {
        const auto truth = test::labelsFrom({{square(0, 0, true), square(300, 0, false)}, {square(0, 0, false)}}, 4);
        const auto prediction = test::labelsFrom({{square(0, 0, false)}, {square(0, 0, false)}}, 4);
        const auto user = poseMetrics(truth, prediction).value();
        QCOMPARE(user.frames, 1);
        QCOMPARE(user.missed, 0);
        PoseOptions all;
        all.userLabelsOnly = false;
        const auto everything = poseMetrics(truth, prediction, all).value();
        QCOMPARE(everything.frames, 2);
        QCOMPARE(everything.matched, 2);
        QCOMPARE(everything.missed, 1);
    }

    void videosAreFoundByName() {
        const auto truth = test::labelsFrom({{square(0, 0, true)}}, 4, "/a/b/clip.mp4");
        QVERIFY(matchVideos(truth, test::labelsFrom({}, 4, "D:\\data\\clip.mp4")).notes.empty());
        const auto other = matchVideos(truth, test::labelsFrom({}, 4, "/c/other.mp4"));
        QCOMPARE(other.pairs.size(), std::size_t{1});
        QCOMPARE(other.notes.size(), std::size_t{1});
        auto package = test::labelsFrom({}, 4, ".");
        package.editVideos()[0].dataset = "video0/video";
        package.editVideos()[0].sourceJson = R"({"backend": {"filename": "/elsewhere/clip.mp4"}})";
        QVERIFY(matchVideos(truth, package).notes.empty());
        auto two = package;
        two.editVideos().push_back(package.videos()[0]);
        QVERIFY(matchVideos(truth, two).pairs.empty());  // one name, two videos: not decidable
    }

    void recordedRuns_data() {
        QTest::addColumn<QString>("run");
        QTest::addColumn<QList<double>>("figures");
        QTest::addColumn<QList<double>>("averagePrecision");
        // mOKS mAP mAR pckAP pckAR mean p50 p75 p90 p95 p99 mPCK PCK@5 PCK@10 visibility recall, mPCK of 4 nodes
        QTest::newRow("default") << "default"
                                 << QList<double>{0.7006564386597737,
                                                  0.374396171873431,
                                                  0.4845,
                                                  0.8114288039416635,
                                                  0.84275,
                                                  1.5703471574839796,
                                                  1.1198868479031585,
                                                  1.5732230497287052,
                                                  2.1118390720819353,
                                                  2.740852500034246,
                                                  14.697286201848009,
                                                  0.8846282372598162,
                                                  0.948203842940685,
                                                  0.9546783625730995,
                                                  0.9684628237259816,
                                                  0.888888888888889,
                                                  0.8894736842105264,
                                                  0.9156223893065997,
                                                  0.8445279866332497}
                                 << QList<double>{0.7685115374960643,    0.7251864018967051,  0.6501346541681874,
                                                  0.5464153777903553,    0.4347018522418477,  0.32455768080048103,
                                                  0.19801572179059754,   0.08090587283444585, 0.015241414124478311,
                                                  0.00029120559114735004};
        QTest::newRow("tracking") << "tracking"
                                  << QList<double>{0.6836733662264752, 0.33784067059625356, 0.4488333333333333,
                                                   0.7882050051842016, 0.8192777777777778,  1.6259214463224123,
                                                   1.1356878275831885, 1.5987144954895363,  2.204364010138864,
                                                   2.9995486846556716, 15.63955152676009,   0.876564261555806,
                                                   0.9398252536640361, 0.9509582863585119,  0.9661781285231116,
                                                   0.8862457722660653, 0.8861330326944756,  0.9050732807215333,
                                                   0.8288049605411499}
                                  << QList<double>{0.7428826587335315,   0.6871034875117483,  0.6019348752149624,
                                                   0.5015416383632576,   0.3711941689150627,  0.25879823774412175,
                                                   0.14768388797170878,  0.05661809618350679, 0.010382060997634841,
                                                   0.0002675943270002676};
    }
    void recordedRuns() {
        SKEIN_NEEDS_REFERENCE(folder);
        QFETCH(QString, run);
        QFETCH(QList<double>, figures);
        QFETCH(QList<double>, averagePrecision);
        const auto truth = formats::readSlp(folder / "media" / "synthetic_6.truth.slp");
        const auto prediction =
            formats::readSlp(folder / "golden" / "runs" / "synthetic_bottomup" / (run + ".slp").toStdString());
        QVERIFY(truth && prediction);
        const auto result = poseMetrics(*truth, *prediction);
        QVERIFY2(result.has_value(), result ? "" : result.error().describe().c_str());
        const PoseMetrics& m = *result;
        const QList<double> ours{m.mOks,          m.oksVoc.mAP,    m.oksVoc.mAR,    m.pckVoc.mAP,   m.pckVoc.mAR,
                                 m.distance.mean, m.distance.p50,  m.distance.p75,  m.distance.p90, m.distance.p95,
                                 m.distance.p99,  m.mPck,          m.pck[4],        m.pck[9],       m.visibilityRecall,
                                 m.mPckOfNode[0], m.mPckOfNode[1], m.mPckOfNode[2], m.mPckOfNode[3]};
        QCOMPARE(ours.size(), figures.size());
        for (qsizetype i = 0; i < ours.size(); ++i)
            QVERIFY2(same(ours[i], figures[i]),
                     qPrintable(QString("figure %1: %2, expected %3").arg(i).arg(ours[i], 0, 'g', 12).arg(figures[i])));
        for (std::size_t t = 0; t < 10; ++t)
            QVERIFY(same(m.oksVoc.averagePrecision[t], averagePrecision[static_cast<qsizetype>(t)]));
        QVERIFY(same(m.visibilityPrecision, 1));
    }

    void sentences_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("words");
        QTest::newRow("nothing by hand") << 0 << "no instance that a person labelled";
        QTest::newRow("empty prediction") << 1 << "The prediction holds no instance";
        QTest::newRow("different skeletons") << 2 << "different skeletons";
        QTest::newRow("labelled frame not predicted") << 3 << "None of the frames that a person labelled";
        QTest::newRow("spread") << 4 << "--oks_stddev must be greater than 0";
        QTest::newRow("one node by pose") << 5 << "--match_method centroid";
    }
    void sentences() {
        QFETCH(int, which);
        QFETCH(QString, words);
        auto truth = test::labelsFrom({{square(0, 0, true)}}, 4);
        auto prediction = test::labelsFrom({{square(0, 0, false)}}, 4);
        PoseOptions options;
        if (which == 0)
            truth = prediction;
        if (which == 1)
            prediction = test::labelsFrom({{}}, 4);
        if (which == 2)
            prediction = test::labelsFrom({{Pose{{{0, 0}, {1, 1}}, "", false}}}, 2);
        if (which == 3) {
            truth = test::labelsFrom({{square(0, 0, false)}, {square(0, 0, true)}}, 4);
        }
        if (which == 4)
            options.oksStddev = 0;
        if (which == 5) {
            prediction = test::labelsFrom({{Pose{{{0, 0}}, "", false}}}, 1);
            options.method = MatchMethod::Oks;
        }
        const auto result = poseMetrics(truth, prediction, options);
        QVERIFY(!result.has_value());
        QVERIFY2(QString::fromStdString(result.error().message()).contains(words), result.error().message().c_str());
    }
};

QTEST_APPLESS_MAIN(TestPoseMetrics)
#include "tst_pose_metrics.moc"
