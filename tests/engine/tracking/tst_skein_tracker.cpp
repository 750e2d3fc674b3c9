// SPDX-License-Identifier: BSD-3-Clause
// What is asked of the tracker named "Skein": no switch where everything is seen, hardly any where much is missed, and
// no match where none is likely.
#include <QtTest>
#include <cmath>
#include <set>

#include "engine/evaluation/identity_metrics.h"
#include "engine/tracking/presets.h"
#include "engine/tracking/track_labels.h"
#include "tests/support/track_scenes.h"

using namespace skein;
using namespace skein::tracking;
using namespace skein::test;

namespace {

const double kNaN = std::nan("");

project::Labels trackedBy(const char* preset, std::optional<int> animals, const project::Labels& detections) {
    project::Labels labels = detections;
    const auto options =
        resolveOptions(presetOptions(*findPreset(preset).value(), animals), factsOf(labels.skeletons()));
    const auto outcome = trackLabels(labels, options.value());
    if (!outcome)
        qFatal("%s", outcome.error().message().c_str());
    return labels;
}

double idf1(const project::Labels& truth, const project::Labels& tracked) {
    const auto metrics = evaluation::identityMetrics(truth, tracked);
    return metrics ? metrics->scores.idf1 : 0;
}

/// One animal of three nodes that looks along x.
std::vector<PointD> animalAt(double x, double y) {
    return {{x + 10, y}, {x, y + 1}, {x - 10, y - 1}};
}

/// The tracker by itself, fed with animals of the above kind.
class Feeder {
public:
    explicit Feeder(std::optional<int> animals = {}) {
        TrackerOptions options;
        options.tracker = TrackerKind::Skein;
        options.maxTracks = animals;
        m_tracker = makeTracker(resolveOptions(options, {}).value());
    }
    /// Identities in the order of `animals`; scores 0.9 where there are none given.
    std::vector<int> next(const std::vector<std::vector<PointD>>& animals, std::vector<double> scores = {}) {
        std::vector<Detection> detections;
        for (std::size_t i = 0; i < animals.size(); ++i)
            detections.push_back({animals[i], i < scores.size() ? scores[i] : 0.9, false});
        std::vector<int> identities(animals.size(), -2);
        for (const Assignment& assignment : m_tracker->update(m_frame++, detections))
            identities[assignment.detection] = assignment.trackId;
        return identities;
    }

private:
    std::unique_ptr<Tracker> m_tracker;
    std::int64_t m_frame = 0;
};

}  // namespace

class TestSkeinTracker : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void noSwitchWhereEverythingIsSeen_data() {
        QTest::addColumn<bool>("large");
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("counted");
        for (const bool large : {false, true})
            for (const bool counted : {false, true}) {
                QTest::addRow("%scross%s", large ? "large " : "", counted ? ", counted" : "")
                    << large << static_cast<int>(TrackSceneKind::Cross) << counted;
                QTest::addRow("%swalk%s", large ? "large " : "", counted ? ", counted" : "")
                    << large << static_cast<int>(TrackSceneKind::Walk) << counted;
            }
    }
    void noSwitchWhereEverythingIsSeen() {
        QFETCH(bool, large);
        QFETCH(int, kind);
        QFETCH(bool, counted);
        for (std::uint32_t seed = 501; seed <= 506; ++seed) {
            const auto k = static_cast<TrackSceneKind>(kind);
            const TrackScene scene = makeTrackScene(large ? trackSceneOfLargeAnimals(k, seed) : trackScene(k, seed));
            const auto tracked = trackedBy("skein", counted ? std::optional(4) : std::nullopt, scene.detections);
            QCOMPARE(tracked.instanceCount(), scene.truth.instanceCount());
            QVERIFY2(trueSwitches(scene.truth, tracked).empty(), qPrintable(QString::number(seed)));
            QCOMPARE(tracked.tracks().size(), std::size_t{4});
        }
    }

    void underNoiseItIsAheadOfThePeersOptions_data() {
        QTest::addColumn<bool>("large");
        QTest::addColumn<int>("kind");
        for (const bool large : {false, true}) {
            QTest::addRow("%snoisy", large ? "large " : "") << large << static_cast<int>(TrackSceneKind::Noisy);
            QTest::addRow("%soccl", large ? "large " : "") << large << static_cast<int>(TrackSceneKind::Occl);
        }
    }
    void underNoiseItIsAheadOfThePeersOptions() {
        QFETCH(bool, large);
        QFETCH(int, kind);
        std::map<std::string, double> mean;
        for (std::uint32_t seed = 501; seed <= 506; ++seed) {
            const auto k = static_cast<TrackSceneKind>(kind);
            const TrackScene scene = makeTrackScene(large ? trackSceneOfLargeAnimals(k, seed) : trackScene(k, seed));
            for (const TrackingPreset& preset : trackingPresets())
                mean[std::string(preset.key)] +=
                    idf1(scene.truth, trackedBy(preset.key.data(), 4, scene.detections)) / 6;
        }
        for (const auto& [preset, value] : mean)
            qInfo("%-14s IDF1 %.3f", preset.c_str(), value);
        for (const auto& [preset, value] : mean)
            QVERIFY2(mean["skein"] >= value, preset.c_str());
        QVERIFY(mean["skein"] > 0.95);
    }

    void theOrderOfDetectionsTellsNothing() {
        const TrackScene scene = makeTrackScene(trackScene(TrackSceneKind::Noisy, 507));
        project::Labels turned = scene.detections;
        std::vector<std::size_t> rows(turned.frameCount());
        for (std::size_t row = 0; row < rows.size(); ++row)
            rows[row] = row;
        (void)turned.rewriteFrames(rows, [](project::FrameData& frame) {
            std::reverse(frame.instances.begin(), frame.instances.end());
            return true;
        });
        const auto a = trackedBy("skein", 4, scene.detections), b = trackedBy("skein", 4, turned);
        QVERIFY(trueSwitches(a, b).empty());
        QVERIFY(trueSwitches(b, a).empty());
    }

    void aNewcomerFarAwayDoesNotTakeOverALostTrack() {
        Feeder feeder(2);
        for (int f = 0; f < 20; ++f)
            QCOMPARE(feeder.next({animalAt(50 + f, 50)}), std::vector<int>{0});
        const auto there = feeder.next({animalAt(400, 300)});
        QVERIFY(there[0] != 0);
        QCOMPARE(feeder.next({animalAt(72, 50), animalAt(401, 300)}), (std::vector<int>{0, there[0]}));
    }

    void aTrackMustShowThatItLastsWhereTheCountIsNotKnown() {
        Feeder feeder;
        for (int f = 0; f < 2; ++f)
            QCOMPARE(feeder.next({animalAt(50 + f, 50)}), std::vector<int>{-1});
        for (int f = 2; f < 10; ++f)
            QCOMPARE(feeder.next({animalAt(50 + f, 50)}), std::vector<int>{0});
        QCOMPARE(feeder.next({animalAt(60, 50), animalAt(300, 300)}), (std::vector<int>{0, -1}));
        for (int f = 11; f < 20; ++f)
            QCOMPARE(feeder.next({animalAt(50 + f, 50)}), std::vector<int>{0});
    }

    void missingNodesDoNotMoveAnAnimal() {
        Feeder feeder(1);
        for (int f = 0; f < 40; ++f) {
            auto animal = animalAt(50 + 2 * f, 50);
            // Never the same node twice: its middle by visible nodes would jump by a third of the body.
            if (f > 0)
                animal[static_cast<std::size_t>(f % 3)] = {kNaN, kNaN};
            QCOMPARE(feeder.next({animal}), std::vector<int>{0});
        }
    }

    void aDoubtfulDetectionGetsWhatTheSureOnesLeave() {
        Feeder feeder(1);
        for (int f = 0; f < 20; ++f)
            feeder.next({animalAt(50, 50)});
        // The doubtful one lies exactly where the animal is expected.
        const auto both = feeder.next({animalAt(50, 50), animalAt(51.5, 50.5)}, {0.2, 0.9});
        QCOMPARE(both[1], 0);
        QVERIFY(both[0] != 0);
        QCOMPARE(feeder.next({animalAt(51.5, 50.5)}, {0.2}), std::vector<int>{0});
    }

    void whereAnimalsOverlapTheirOwnNodesAreFollowed() {
        // Two animals of four nodes pass side by side; while they do, a detector that groups nodes by lines between
        // them gives each the other one's hind part.
        const auto chain = [](double x, double y, double direction) {
            std::vector<PointD> points;
            for (int k = 0; k < 4; ++k)
                points.push_back({x - direction * (20.0 * k - 30), y + (k % 2)});
            return points;
        };
        for (const double beside : {8.0, 12.0, 16.0}) {
            Feeder feeder(2);
            int mixed = 0;
            for (int f = 0; f < 80; ++f) {
                auto a = chain(100 + 4 * f, 100, 1), b = chain(420 - 4 * f, 100 + beside, -1);
                const bool overlap = std::abs((100 + 4 * f) - (420 - 4 * f)) < 30;
                if (overlap) {
                    std::swap(a[2], b[2]);
                    std::swap(a[3], b[3]);
                    ++mixed;
                }
                const auto identities = feeder.next({a, b});
                if (!overlap)
                    QVERIFY2((identities == std::vector<int>{0, 1}),
                             qPrintable(QStringLiteral("frame %1, %2 px beside").arg(f).arg(beside)));
            }
            QVERIFY(mixed >= 6);
        }
    }

    void anAnimalFoundInTwoPiecesStaysOne() {
        Feeder feeder(2);
        for (int f = 0; f < 60; ++f) {
            const auto whole = animalAt(50 + 2 * f, 50);
            if (f < 20 || f % 3 != 0) {
                QCOMPARE(feeder.next({whole}), std::vector<int>{0});
                continue;
            }
            auto front = whole, back = whole;
            front[2] = back[0] = back[1] = {kNaN, kNaN};
            const auto pieces = feeder.next({front, back}, {0.5, 0.2});
            QCOMPARE(std::set<int>(pieces.begin(), pieces.end()), (std::set<int>{-1, 0}));
        }
    }

    void aNodeThatJumpsDoesNotMoveItsAnimal() {
        Feeder feeder(2);
        for (int f = 0; f < 60; ++f) {
            auto a = animalAt(50 + 2 * f, 50), b = animalAt(50 + 2 * f, 70);
            if (f > 20 && f % 2 == 0)
                a[static_cast<std::size_t>(f / 2 % 3)].y += 18;  // to where the other one's is
            QCOMPARE(feeder.next({a, b}), (std::vector<int>{0, 1}));
        }
    }

    void anAnimalFoundTwiceStaysOne() {
        Feeder feeder;
        for (int f = 0; f < 20; ++f) {
            const auto both = feeder.next({animalAt(50 + f, 50), animalAt(50 + f, 50.4)});
            QVERIFY(f < 3 || std::set<int>(both.begin(), both.end()) == (std::set<int>{-1, 0}));
        }
    }

    void anAnimalThatJumpsAloneIsFoundAgain() {
        Feeder feeder(1);
        for (int f = 0; f < 30; ++f)
            feeder.next({animalAt(50, 50)});
        QCOMPARE(feeder.next({animalAt(58, 54)}), std::vector<int>{0});
        QCOMPARE(feeder.next({animalAt(58, 54)}), std::vector<int>{0});
    }

    void optionsOfOtherTrackersAreRefused() {
        TrackerOptions options;
        options.tracker = TrackerKind::Skein;
        QVERIFY(resolveOptions(options, {}).value().linkTracklets);
        options.windowSize = 9;
        QVERIFY(resolveOptions(options, {}).error().message().find("--tracking_window_size") != std::string::npos);
        options = {};
        options.tracker = TrackerKind::Skein;
        options.oksStddev = 0.3;
        QVERIFY(resolveOptions(options, {}).error().message().find("--oks_stddev") != std::string::npos);
        options = {};
        options.tracker = TrackerKind::Skein;
        options.mot.trackBuffer = 3;
        QVERIFY(resolveOptions(options, {}).error().message().find("--track_buffer") != std::string::npos);
    }

    void resolvedOptionsStayAsTheyAre() {
        for (const TrackingPreset& preset : trackingPresets()) {
            const auto once = resolveOptions(presetOptions(preset, 3), {});
            QVERIFY2(once.has_value(), preset.key.data());
            QVERIFY2(resolveOptions(*once, {}).value() == *once, preset.key.data());
        }
    }
};

QTEST_APPLESS_MAIN(TestSkeinTracker)
#include "tst_skein_tracker.moc"
