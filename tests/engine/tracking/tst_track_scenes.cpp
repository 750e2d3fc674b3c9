// SPDX-License-Identifier: BSD-3-Clause
// What benchmarks and tests of trackers, proofreading and repair rely on in the made-up scenes.
#include <QtTest>
#include <cmath>
#include <map>

#include "tests/support/track_scenes.h"

using namespace skein;
using namespace skein::test;

namespace {

constexpr TrackSceneKind kKinds[] = {TrackSceneKind::Cross, TrackSceneKind::Walk, TrackSceneKind::Noisy,
                                     TrackSceneKind::Occl};

double distance(const project::Point& a, const project::Point& b) {
    return std::hypot(a.x - b.x, a.y - b.y);
}

}  // namespace

class TestTrackScenes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void detectionsAreTheTruthWithoutTracks() {
        for (const TrackSceneKind kind : kKinds) {
            const TrackScene scene = makeTrackScene(trackScene(kind, 3));
            QCOMPARE(scene.truth.frameCount(), scene.detections.frameCount());
            QCOMPARE(scene.truth.frameCount(), scene.complete.frameCount());
            QVERIFY(scene.detections.tracks().empty());
            QCOMPARE(scene.truth.tracks().size(), std::size_t{4});
            for (std::size_t row = 0; row < scene.truth.frameCount(); ++row) {
                const auto truth = scene.truth.frame(row), found = scene.detections.frame(row);
                QCOMPARE(truth.instanceCount(), found.instanceCount());
                QCOMPARE(scene.complete.frame(row).instanceCount(), std::size_t{4});
                for (std::size_t i = 0; i < truth.instanceCount(); ++i) {
                    QVERIFY(truth.instance(i).header->track >= 0);
                    QCOMPARE(found.instance(i).header->track, -1);
                    for (std::size_t k = 0; k < truth.instance(i).points.size(); ++k)
                        QVERIFY(!truth.instance(i).points[k].exists() ||
                                truth.instance(i).points[k].x == found.instance(i).points[k].x);
                }
            }
        }
    }

    void mixedPosesAreOfWhomMostOfTheirNodesAre() {
        const TrackScene scene = makeTrackScene(trackScene(TrackSceneKind::Mixed, 3));
        std::size_t mixed = 0, halves = 0;
        for (std::size_t row = 0; row < scene.truth.frameCount(); ++row) {
            const auto truth = scene.truth.frame(row), complete = scene.complete.frame(row);
            for (std::size_t i = 0; i < truth.instanceCount(); ++i) {
                const auto found = truth.instance(i);
                std::map<std::int32_t, std::size_t> owners;
                for (std::size_t k = 0; k < found.points.size(); ++k)
                    for (std::size_t real = 0; real < complete.instanceCount(); ++real)
                        if (distance(found.points[k], complete.instance(real).points[k]) < 1.5)
                            ++owners[complete.instance(real).header->track];
                if (found.header->track < 0)
                    ++halves;
                else
                    QVERIFY(2 * owners[found.header->track] > found.points.size());
                mixed += owners.size() > 1 ? 1 : 0;
            }
        }
        QVERIFY(halves > 0 && mixed > halves);
    }

    void aSeedGivesTheSameSceneAgain() {
        const TrackSceneSpec spec = trackScene(TrackSceneKind::Noisy, 5);
        const TrackScene a = makeTrackScene(spec), b = makeTrackScene(spec);
        const TrackScene other = makeTrackScene(trackScene(TrackSceneKind::Noisy, 6));
        QVERIFY(trueSwitches(a.truth, b.truth).empty());
        QCOMPARE(a.truth.instanceCount(), b.truth.instanceCount());
        QCOMPARE(a.complete.frame(50).instance(0).points[0].x, b.complete.frame(50).instance(0).points[0].x);
        QVERIFY(a.complete.frame(50).instance(0).points[0].x != other.complete.frame(50).instance(0).points[0].x);
    }

    void pairsPassAtTheGivenDistance() {
        const TrackScene scene = makeTrackScene(trackScene(TrackSceneKind::Cross, 2));
        double nearest = 1e9;
        for (std::size_t row = 0; row < scene.complete.frameCount(); ++row) {
            const auto frame = scene.complete.frame(row);
            for (std::size_t a = 0; a < 4; ++a)
                for (std::size_t b = a + 1; b < 4; ++b)
                    nearest = std::min(nearest, distance(frame.instance(a).points[1], frame.instance(b).points[1]));
        }
        QVERIFY(nearest >= 10 - 1e-9);
        QVERIFY(nearest < 12);
    }

    void shareOfWhatIsMissedIsTheOneAskedFor() {
        std::size_t found = 0, all = 0;
        for (std::uint32_t seed = 1; seed <= 10; ++seed) {
            const TrackScene scene = makeTrackScene(trackScene(TrackSceneKind::Noisy, seed));
            found += scene.truth.instanceCount();
            all += scene.complete.instanceCount();
        }
        const double share = static_cast<double>(found) / static_cast<double>(all);
        QVERIFY2(share > 0.87 && share < 0.92, qPrintable(QString::number(share)));
        const TrackScene walk = makeTrackScene(trackScene(TrackSceneKind::Walk, 1));
        QCOMPARE(walk.truth.instanceCount(), walk.complete.instanceCount());
    }

    void animalsVanishForAsLongAsSaid() {
        const TrackSceneSpec spec = trackScene(TrackSceneKind::Occl, 4);
        const TrackScene scene = makeTrackScene(spec);
        std::vector<std::int64_t> last(4, -1);
        int pauses = 0;
        for (std::size_t row = 0; row < scene.truth.frameCount(); ++row) {
            const auto frame = scene.truth.frame(row);
            for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
                auto& seen = last[static_cast<std::size_t>(frame.instance(i).header->track)];
                const std::int64_t away = frame.frameIndex() - seen - 1;
                if (seen >= 0 && away > 0) {
                    ++pauses;
                    QVERIFY(away >= spec.leastAway && away <= spec.mostAway);
                }
                seen = frame.frameIndex();
            }
        }
        QVERIFY(pauses >= 4);
    }

    void sizesCanBeChosen() {
        TrackSceneSpec spec = trackSceneOfLargeAnimals(TrackSceneKind::Walk, 1);
        spec.animals = 9;
        spec.nodes = 13;
        spec.frames = 20;
        const TrackScene scene = makeTrackScene(spec);
        QCOMPARE(scene.truth.instanceCount(), std::size_t{9 * 20});
        const auto points = scene.complete.frame(0).instance(0).points;
        QCOMPARE(points.size(), std::size_t{13});
        const double length = distance(points.front(), points.back());
        QVERIFY(length > 0.9 * 120 && length < 1.1 * 120);
    }

    void aSwitchIsFoundWhereItIs() {
        const TrackScene scene = makeTrackScene(trackScene(TrackSceneKind::Walk, 1));
        project::Labels tracked = scene.truth;
        std::vector<std::size_t> rows;
        for (std::size_t row = 40; row < tracked.frameCount(); ++row)
            rows.push_back(row);
        (void)tracked.rewriteHeaders(rows, [](const project::FrameView&, std::span<project::InstanceHeader> headers) {
            for (auto& header : headers)
                header.track = header.track == 0 ? 2 : header.track == 2 ? 0 : header.track;
            return true;
        });
        const auto switches = trueSwitches(scene.truth, tracked);
        QCOMPARE(switches.size(), std::size_t{2});
        QCOMPARE(switches[0].frame, std::int64_t{40});
        QCOMPARE(switches[0].from + switches[0].to, 2);
    }
};

QTEST_APPLESS_MAIN(TestTrackScenes)
#include "tst_track_scenes.moc"
