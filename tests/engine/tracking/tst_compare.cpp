// SPDX-License-Identifier: BSD-3-Clause
// Presets as a table, and trying them on a stretch of a video.
#include <QtTest>
#include <set>

#include "engine/tracking/compare.h"
#include "tests/support/track_scenes.h"

using namespace skein;
using namespace skein::tracking;
using namespace skein::test;

class TestCompare : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void presetsAreFoundByTheirKeys() {
        std::set<std::string_view> keys, names;
        for (const TrackingPreset& preset : trackingPresets()) {
            QVERIFY(keys.insert(preset.key).second && names.insert(preset.name).second);
            QCOMPARE(findPreset(preset.key).value(), &preset);
            QVERIFY(preset.description.ends_with('.'));
        }
        QCOMPARE(keys.size(), std::size_t{5});
        const auto unknown = findPreset("best");
        QVERIFY(!unknown);
        QVERIFY(unknown.error().message().find("tolerant_oks") != std::string::npos);
    }

    void firstPresetIsSleapNnsDefaultWhateverTheCount() {
        QVERIFY(presetOptions(trackingPresets()[0], 4) == TrackerOptions());
        QCOMPARE(presetOptions(*findPreset("skein").value(), 4).maxTracks, std::optional(4));
    }

    void everyPresetIsTriedOnTheStretchAlone() {
        const TrackScene scene = makeTrackScene(trackScene(TrackSceneKind::Noisy, 601));
        std::vector<std::pair<std::int64_t, std::int64_t>> seen;
        const auto outcomes =
            compareOnStretch(scene.truth, {0, 20, 79}, trackingPresets(), 4, suspiciousEvents,
                             [&seen](std::int64_t done, std::int64_t total) { seen.emplace_back(done, total); });
        QVERIFY(outcomes.has_value());
        QCOMPARE(outcomes->size(), trackingPresets().size());
        QCOMPARE(seen.back(), (std::pair<std::int64_t, std::int64_t>{300, 300}));
        QVERIFY(std::is_sorted(seen.begin(), seen.end()));
        for (std::size_t i = 0; i < outcomes->size(); ++i) {
            const PresetOutcome& outcome = (*outcomes)[i];
            QCOMPARE(outcome.preset, trackingPresets()[i].key);
            QVERIFY(outcome.problem.empty());
            QCOMPARE(outcome.frames, std::int64_t{60});
            QCOMPARE(outcome.tracked.frameCount(), std::size_t{60});
            QVERIFY(outcome.tracks >= 4 && outcome.seconds > 0);
            QCOMPARE(outcome.suspiciousPer1000, static_cast<double>(outcome.suspicious) / 0.06);
        }
        for (const PresetOutcome& outcome : *outcomes)
            qInfo("%-14s %5.0f suspicious events per 1,000 frames", outcome.preset.data(), outcome.suspiciousPer1000);
        QVERIFY2(outcomes->front().suspicious > 3 * outcomes->back().suspicious,
                 "sleap-nn's defaults swap often in this scene, Skein hardly ever");
        QCOMPARE(scene.truth.frameCount(), std::size_t{120});
    }

    void aPresetThatNeedsTheCountSaysSo() {
        const TrackScene scene = makeTrackScene(trackScene(TrackSceneKind::Walk, 602));
        const auto outcomes = compareOnStretch(scene.detections, {0, 0, 119}, trackingPresets(), {});
        QVERIFY(outcomes.has_value());
        for (std::size_t i = 0; i < outcomes->size(); ++i)
            QCOMPARE((*outcomes)[i].problem.empty(), !trackingPresets()[i].needsCount);
    }

    void countingIsTheCallersAffair() {
        const TrackScene scene = makeTrackScene(trackScene(TrackSceneKind::Walk, 603));
        const auto outcomes = compareOnStretch(
            scene.detections, {0, 0, 99}, trackingPresets().first(1), {},
            [](const project::Labels& tracked) { return static_cast<std::int64_t>(tracked.frameCount()); });
        QCOMPARE(outcomes->front().suspicious, std::int64_t{100});
        QCOMPARE(outcomes->front().suspiciousPer1000, 1000.0);
    }

    void itCanBeStopped() {
        const TrackScene scene = makeTrackScene(trackScene(TrackSceneKind::Walk, 604));
        std::stop_source stop;
        const auto outcomes = compareOnStretch(
            scene.detections, {0, 0, 119}, trackingPresets(), 4, suspiciousEvents,
            [&stop](std::int64_t done, std::int64_t) {
                if (done >= 130)
                    stop.request_stop();
            },
            stop.get_token());
        QVERIFY(!outcomes);
        QVERIFY(outcomes.error().code() == ErrorCode::Cancelled);
    }

    void nothingToTrackIsSaid() {
        const TrackScene scene = makeTrackScene(trackScene(TrackSceneKind::Walk, 605));
        const auto outcomes = compareOnStretch(scene.detections, {0, 500, 600}, trackingPresets(), 4);
        QVERIFY(!outcomes);
        QVERIFY(outcomes.error().message().find("501") != std::string::npos);
    }

    void tracksOfAPersonStay() {
        TrackScene scene = makeTrackScene(trackScene(TrackSceneKind::Walk, 606));
        QVERIFY(detectionsOf(scene.truth, {0, 0, 9}).frame(0).instance(0).header->track < 0);
        QVERIFY(detectionsOf(scene.complete, {0, 0, 9}).frame(0).instance(0).header->track >= 0);
    }

    void aSwapIsOneSuspiciousEvent() {
        const TrackScene scene = makeTrackScene(trackScene(TrackSceneKind::Cross, 607));
        const std::int64_t before = suspiciousEvents(scene.truth);
        project::Labels swapped = scene.truth;
        std::vector<std::size_t> rows;
        for (std::size_t row = 10; row < swapped.frameCount(); ++row)
            rows.push_back(row);
        (void)swapped.rewriteHeaders(rows, [](const project::FrameView&, std::span<project::InstanceHeader> headers) {
            for (auto& header : headers)
                header.track = header.track == 0 ? 1 : header.track == 1 ? 0 : header.track;
            return true;
        });
        QCOMPARE(suspiciousEvents(swapped), before + 1);
    }
};

QTEST_APPLESS_MAIN(TestCompare)
#include "tst_compare.moc"
