// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>

#include "engine/proofread/issues.h"
#include "engine/tracking/track_labels.h"
#include "tests/support/signal_score.h"

using namespace skein;
using namespace skein::test;
using proofread::SignalKind;

class TestSignals : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void trueSwitchesOfTheDefaultTrackerAreFound_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("large");
        for (const bool large : {false, true})
            for (const auto kind :
                 {TrackSceneKind::Cross, TrackSceneKind::Walk, TrackSceneKind::Noisy, TrackSceneKind::Occl})
                QTest::newRow(nameOf(large ? trackSceneOfLargeAnimals(kind) : trackScene(kind)).c_str())
                    << static_cast<int>(kind) << large;
    }
    void trueSwitchesOfTheDefaultTrackerAreFound() {
        QFETCH(const int, kind);
        QFETCH(const bool, large);
        SignalScore score;
        for (std::uint32_t seed = 501; seed < 509; ++seed) {
            const auto scene = makeTrackScene(large ? trackSceneOfLargeAnimals(static_cast<TrackSceneKind>(kind), seed)
                                                    : trackScene(static_cast<TrackSceneKind>(kind), seed));
            project::Labels labels = scene.detections;
            const auto options = tracking::resolveOptions({}, tracking::factsOf(labels.skeletons()));
            QVERIFY(options);
            QVERIFY(tracking::trackLabels(labels, *options));
            std::set<std::int64_t> switches;
            for (const TrueSwitch& one : trueSwitches(scene.truth, labels))
                switches.insert(one.frame);
            proofread::IssueFinder finder;
            QVERIFY(finder.find(labels));
            score.add(switches,
                      flaggedFrames(finder.signals(), {SignalKind::SwapGain, SignalKind::Ensemble, SignalKind::Birth,
                                                       SignalKind::Reappear}),
                      labels.frameCount());
        }
        qInfo("%zu switches: recall %.3f, flagged %.1f %%, precision %.3f", score.switches, score.recall(),
              100 * score.share(), score.precision());
        QVERIFY(score.recall() >= 0.95);
        QVERIFY(score.share() <= 0.25);
        QVERIFY(score.precision() >= 0.8);
    }
};

QTEST_APPLESS_MAIN(TestSignals)
#include "tst_signals.moc"
