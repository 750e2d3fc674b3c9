// SPDX-License-Identifier: BSD-3-Clause
// Trackers and linking on the detections of a recorded run, scored against the true animals: box trackers do as well as
// sleap-nn's on the same file, and linking makes nothing worse.
#include <QtTest>

#include "engine/evaluation/identity_metrics.h"
#include "engine/formats/slp.h"
#include "engine/tracking/track_labels.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::tracking;

class TestLinkingGolden : public QObject {
    Q_OBJECT
    std::optional<project::Labels> m_truth, m_detections;

    evaluation::IdentityScores scoresOf(const TrackerOptions& wanted) {
        project::Labels labels = *m_detections;
        const auto options = resolveOptions(wanted, factsOf(labels.skeletons()));
        if (!options || !trackLabels(labels, *options))
            return {};
        const auto metrics = evaluation::identityMetrics(*m_truth, labels);
        return metrics ? metrics->scores : evaluation::IdentityScores();
    }

private Q_SLOTS:
    void initTestCase() {
        SKEIN_NEEDS_REFERENCE(folder);
        const auto truth = formats::readSlp(folder / "media" / "synthetic_6.truth.slp");
        const auto detections = formats::readSlp(folder / "golden" / "runs" / "synthetic_bottomup" / "default.slp");
        QVERIFY(truth && detections);
        m_truth = *truth;
        m_detections = *detections;
    }

    void asGoodAsThePeer_data() {
        QTest::addColumn<QString>("tracker");
        QTest::addColumn<int>("animals");
        QTest::addColumn<double>("idf1");  // of sleap-nn 0.3.5 on this file
        QTest::addColumn<int>("switches");
        QTest::newRow("sort") << "sort" << 0 << 0.5340 << 5;
        QTest::newRow("bytetrack") << "bytetrack" << 0 << 0.5104 << 5;
        QTest::newRow("ocsort") << "ocsort" << 0 << 0.5340 << 5;
        QTest::newRow("bytetrack, 6 animals") << "bytetrack" << 6 << 0.5443 << 4;
    }
    void asGoodAsThePeer() {
        QFETCH(QString, tracker);
        QFETCH(int, animals);
        QFETCH(double, idf1);
        QFETCH(int, switches);
        TrackerOptions options;
        options.tracker = parseTracker(tracker.toStdString()).value();
        if (animals > 0)
            options.maxTracks = animals;
        const auto scores = scoresOf(options);
        qInfo("IDF1 %.4f, switches %lld", scores.idf1, static_cast<long long>(scores.switches));
        QVERIFY(scores.idf1 >= idf1 - 5e-5);
        QVERIFY(scores.switches <= switches);
    }

    void linkingMakesNothingWorse_data() {
        QTest::addColumn<QString>("tracker");
        for (const char* name : {"classic", "sort", "bytetrack", "ocsort"})
            QTest::newRow(name) << name;
    }
    void linkingMakesNothingWorse() {
        QFETCH(QString, tracker);
        TrackerOptions options;
        options.tracker = parseTracker(tracker.toStdString()).value();
        const auto plain = scoresOf(options);
        options.linkTracklets = true;
        const auto linked = scoresOf(options);
        options.maxTracks = 6;
        const auto known = scoresOf(options);
        qInfo("IDF1 %.4f, linked %.4f, 6 animals %.4f; switches %lld, %lld, %lld", plain.idf1, linked.idf1, known.idf1,
              static_cast<long long>(plain.switches), static_cast<long long>(linked.switches),
              static_cast<long long>(known.switches));
        QVERIFY(plain.idf1 > 0.5);
        QVERIFY(linked.idf1 >= plain.idf1);
        QVERIFY(linked.switches <= plain.switches);
        QVERIFY(known.idf1 >= plain.idf1);
        QVERIFY(known.switches <= plain.switches);
    }
};

QTEST_APPLESS_MAIN(TestLinkingGolden)
#include "tst_linking_golden.moc"
