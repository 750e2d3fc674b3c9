// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>

#include "engine/evaluation/identity_metrics.h"
#include "engine/proofread/repair.h"
#include "engine/tracking/track_labels.h"
#include "tests/engine/proofread/made_tracks.h"
#include "tests/support/injected_errors.h"
#include "tests/support/track_scenes.h"

using namespace skein;
using namespace skein::test;

namespace {

project::Labels sceneTruth(TrackSceneKind kind, std::uint32_t seed, bool large) {
    auto spec = large ? trackSceneOfLargeAnimals(kind, seed) : trackScene(kind, seed);
    spec.nodes = 5;
    spec.frames = 400;
    project::Labels truth = makeTrackScene(spec).truth;
    truth.editSkeletons()[0].symmetries = {{1, 3}};
    return truth;
}

double idf1(const project::Labels& truth, const project::Labels& labels) {
    return evaluation::identityMetrics(truth, labels)->scores.idf1;
}

proofread::RepairOptions everything() {
    proofread::RepairOptions options;
    options.swaps = 0.5;
    options.flips = 0.5;
    options.duplicates = 0.7;
    options.joins = proofread::JoinChoice::Safe;
    return options;
}

}  // namespace

class TestRepair : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void acceptingTheTopProposalsGivesBackWhatWasLost_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("large");
        for (const bool large : {false, true})
            for (const auto kind : {TrackSceneKind::Walk, TrackSceneKind::Noisy, TrackSceneKind::Occl})
                QTest::newRow(nameOf(large ? trackSceneOfLargeAnimals(kind) : trackScene(kind)).c_str())
                    << static_cast<int>(kind) << large;
    }
    void acceptingTheTopProposalsGivesBackWhatWasLost() {
        QFETCH(const int, kind);
        QFETCH(const bool, large);
        double before = 0, after = 0;
        for (const std::uint32_t seed : {31U, 32U, 33U}) {
            const project::Labels truth = sceneTruth(static_cast<TrackSceneKind>(kind), seed, large);
            const project::Labels wrong = withErrors(truth, {3, 3, 3, 3, seed});
            const auto repaired = proofread::repair(wrong, everything());
            QVERIFY(repaired);
            before += idf1(truth, wrong) / 3;
            after += idf1(truth, repaired->labels) / 3;
        }
        qInfo("IDF1 %.3f, repaired %.3f", before, after);
        QVERIFY(before < 0.9);
        QVERIFY(after - before >= 0.8 * (1 - before));
    }

    void whatIsRightStaysUntouched() {
        for (const auto kind : {TrackSceneKind::Walk, TrackSceneKind::Occl})
            for (const bool large : {false, true}) {
                const project::Labels truth = sceneTruth(kind, 41, large);
                const auto repaired = proofread::repair(truth, everything());
                QVERIFY(repaired);
                for (const std::string& sentence : repaired->report.done)
                    qWarning("%s", sentence.c_str());
                QCOMPARE(alteredInstances(truth, repaired->labels), std::size_t{0});
                QCOMPARE(repaired->labels.instanceCount(), truth.instanceCount());
            }
    }

    void onlyWhatIsChosenIsDone() {
        const project::Labels truth = sceneTruth(TrackSceneKind::Walk, 51, true);
        const project::Labels wrong = withErrors(truth, {3, 3, 3, 3, 51});
        proofread::RepairOptions joins;
        joins.joins = proofread::JoinChoice::Safe;
        const auto joined = proofread::repair(wrong, joins);
        QCOMPARE(joined->report.swaps + joined->report.flips + joined->report.duplicates, std::size_t{0});
        QVERIFY(joined->report.joins >= 2);
        QCOMPARE(joined->report.done.size(), joined->report.joins);
        QVERIFY(joined->report.after.tracks < joined->report.before.tracks);
        QCOMPARE(joined->labels.instanceCount(), wrong.instanceCount());
        const auto nothing = proofread::repair(wrong, {});
        QVERIFY(nothing->labels.isUnchangedCopyOf(wrong));
    }

    void aRepairThatIsStoppedSaysSo() {
        std::stop_source stop;
        stop.request_stop();
        const auto stopped =
            proofread::repair(makeTracks({4, 500, 1, 40, 200, 0.5, 0.03}), everything(), {}, stop.get_token());
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code(), ErrorCode::Cancelled);
    }

    void joinsAreProposedWithTheirMargin() {
        const project::Labels truth = makeTracks({3, 400, 6, 40, 200, 0.5, 0.03});
        project::Labels labels =
            edit::splitTrack(truth, {0, 120, edit::frameAt(truth, 0, 120).instances[1].header.id}).labels;
        labels = edit::clearTrack(labels, 0, 1, {100, 119}, true).labels;
        const auto joins = *proofread::planJoins(labels);
        QCOMPARE(joins.size(), std::size_t{1});
        QCOMPARE(joins[0].from, 1);
        QCOMPARE(joins[0].to, 3);
        QCOMPARE(joins[0].lastFrame, std::int64_t{99});
        QCOMPARE(joins[0].firstFrame, std::int64_t{120});
        QVERIFY(joins[0].safe && joins[0].margin >= 3);
        const auto before = proofread::summaryOf(labels);
        QCOMPARE(before.tracks, std::size_t{4});
        const auto joined = proofread::applyJoins(labels, joins).labels;
        const auto after = proofread::summaryOf(joined);
        QCOMPARE(after.tracks, std::size_t{3});
        QCOMPARE(after.fragments, std::size_t{4});
        QCOMPARE(alteredInstances(edit::clearTrack(truth, 0, 1, {100, 119}, true).labels, joined), std::size_t{0});
        proofread::JoinOptions never;
        never.longestGap = 10;
        QVERIFY(proofread::planJoins(labels, never)->empty());
    }

    void tracksOfThingsFoundTwiceContinueNobody() {
        // Two animals that hardly move, one of them found twice now and then for some frames: the ends of these tracks
        // are nearer to each other than the costs of leaving them open.
        project::Labels labels = makeTracks({2, 600, 6, 120, 150, 0.5, 0.002});
        for (int k = 0; k < 12; ++k) {
            labels.editTracks().push_back({"double " + std::to_string(k + 1), 0, -1});
            const std::int64_t first = 30 + 45 * k;
            for (std::int64_t frame = first; frame < first + 2 + k % 4; ++frame) {
                project::FrameData data = edit::frameAt(labels, 0, frame);
                project::InstanceData twin = data.instances[static_cast<std::size_t>(k % 2)];
                twin.header.id = 0;
                twin.header.track = static_cast<std::int32_t>(labels.tracks().size()) - 1;
                for (project::Point& p : twin.points)
                    p.x += 30;
                data.instances.push_back(std::move(twin));
                labels = edit::withFrame(labels, std::move(data));
            }
        }
        labels = edit::splitTrack(labels, {0, 300, edit::frameAt(labels, 0, 300).instances[1].header.id}).labels;
        const auto joins = *proofread::planJoins(labels);
        QCOMPARE(joins.size(), std::size_t{1});
        QCOMPARE(joins[0].from, 1);
        QCOMPARE(joins[0].firstFrame, std::int64_t{300});
        QVERIFY(joins[0].safe);
    }

    void anExchangeThatIsAskedBackIsLeftAsItWas() {
        // Where nobody can tell, repairing what was repaired must not turn tracks round again.
        std::size_t altered = 0, instances = 0;
        for (const std::uint32_t seed : {61U, 62U, 63U}) {
            project::Labels tracked = makeTrackScene(trackScene(TrackSceneKind::Noisy, seed)).detections;
            const auto options = tracking::resolveOptions({}, tracking::factsOf(tracked.skeletons()));
            QVERIFY(tracking::trackLabels(tracked, options.value()));
            const auto once = proofread::repair(tracked, everything());
            const auto twice = proofread::repair(once->labels, everything());
            altered += alteredInstances(once->labels, twice->labels);
            instances += tracked.instanceCount();
        }
        qInfo("%zu of %zu altered by the second repair", altered, instances);
        QVERIFY(20 * altered <= instances);
    }

    void aWholeAnimalIsNotExchangedWithAFragmentOfIt() {
        // A second track has one node of the animal: its tail, and suddenly its snout. Either would go on as the
        // animal.
        project::Labels labels = makeTracks({1, 400, 6, 40, 200, 0.5, 0.03});
        labels.editTracks().push_back({"fragment", 0, -1});
        for (std::int64_t frame = 180; frame < 220; ++frame) {
            project::FrameData data = edit::frameAt(labels, 0, frame);
            project::InstanceData part = data.instances[0];
            part.header.id = 0;
            part.header.track = 1;
            for (std::size_t n = 0; n < part.points.size(); ++n)
                if (n != (frame < 200 ? 3U : 0U))
                    part.points[n] = {project::kNaN, project::kNaN, 0, false, false};
            data.instances.push_back(std::move(part));
            labels = edit::withFrame(labels, std::move(data));
        }
        proofread::RepairOptions options;
        options.swaps = 0;
        const auto repaired = proofread::repair(labels, options);
        QVERIFY(repaired);
        QCOMPARE(repaired->report.swaps, std::size_t{0});
        QVERIFY(repaired->labels.isUnchangedCopyOf(labels));
        // A person is still asked, but not first.
        const auto swaps = ofKind(*proofread::findIssues(labels), proofread::IssueKind::Swap);
        const auto there =
            std::find_if(swaps.begin(), swaps.end(), [](const proofread::Issue& one) { return one.frame == 200; });
        QVERIFY(there != swaps.end());
        QVERIFY(there->severity <= 0.3 && there->fix.kind == proofread::Fix::Kind::Swap);
    }

    void aJoinOfTracksInAChainEndsAtTheFirst() {
        project::Labels labels = makeTracks({2, 300, 6, 40, 200, 0.5, 0.03});
        for (const std::int64_t frame : {100, 200})
            labels =
                edit::splitTrack(labels, {0, frame, edit::frameAt(labels, 0, frame).instances[0].header.id}).labels;
        QCOMPARE(labels.tracks().size(), std::size_t{4});
        const auto joined = proofread::applyJoins(labels, *proofread::planJoins(labels)).labels;
        QCOMPARE(joined.tracks().size(), std::size_t{2});
        QCOMPARE(edit::frameAt(joined, 0, 250).instances[0].header.track, 0);
    }

    void aSecondRepairFindsNoJoinThatTheFirstMadePossible() {
        proofread::RepairOptions options;
        options.joins = proofread::JoinChoice::Safe;
        std::size_t joins = 0;
        for (const TrackSceneKind kind : {TrackSceneKind::Noisy, TrackSceneKind::Occl})
            for (std::uint32_t seed = 71; seed < 91; ++seed) {
                project::Labels tracked = makeTrackScene(trackScene(kind, seed)).detections;
                tracking::TrackerOptions loose;
                loose.windowSize = 2;  // tracks break often
                QVERIFY(tracking::trackLabels(
                    tracked, tracking::resolveOptions(loose, tracking::factsOf(tracked.skeletons())).value()));
                const auto once = proofread::repair(tracked, options);
                joins += once->report.joins;
                const auto twice = proofread::repair(once->labels, options);
                QCOMPARE(twice->report.joins, std::size_t{0});
            }
        QVERIFY(joins > 20);
    }

    void onlyTheChosenTracksAreFilled() {
        project::Labels labels = makeTracks({2, 60, 6, 40, 200, 0.5, 0.03});
        for (const int track : {0, 1})
            labels = edit::clearTrack(labels, 0, track, {30, 31}, true).labels;
        proofread::GapOptions options;
        options.tracks = {1};
        const proofread::GapPlan plan = proofread::planGaps(labels, options);
        QCOMPARE(plan.gaps.size(), std::size_t{1});
        QCOMPARE(plan.gaps[0].track, 1);
        const project::Labels filled = proofread::applyGaps(labels, plan, options).labels;
        QCOMPARE(edit::frameAt(filled, 0, 30).instances.size(), edit::frameAt(labels, 0, 30).instances.size() + 1);
    }

    void aGapBetweenPosesWithoutACommonNodeStays() {
        project::Labels labels = makeTracks({1, 60, 6, 40, 200, 0.5, 0.03});
        labels = edit::clearTrack(labels, 0, 0, {30, 32}, true).labels;
        QCOMPARE(proofread::planGaps(labels).gaps.size(), std::size_t{1});
        const auto keepOnly = [&labels](std::int64_t frame, std::size_t from, std::size_t to) {
            project::FrameData data = edit::frameAt(labels, 0, frame);
            for (std::size_t n = 0; n < data.instances[0].points.size(); ++n)
                if (n < from || n >= to)
                    data.instances[0].points[n] = {project::kNaN, project::kNaN, 0, false, false};
            labels = edit::withFrame(labels, std::move(data));
        };
        keepOnly(29, 0, 2);
        keepOnly(33, 2, 4);
        const proofread::GapPlan plan = proofread::planGaps(labels);
        QVERIFY(plan.gaps.empty());
        QCOMPARE(plan.strange, std::size_t{1});
        proofread::GapOptions wholeOnes;
        wholeOnes.longestNode = 0;
        QCOMPARE(proofread::applyGaps(labels, plan, wholeOnes).changed, std::size_t{0});
    }

    void gapsAreFilledWhereTheWayIsPlausibleAndDetectionsAreAdopted() {
        const project::Labels truth = makeTracks({2, 300, 6, 40, 200, 0.5, 0.03});
        project::Labels labels = edit::clearTrack(truth, 0, 0, {50, 52}, true).labels;  // to be filled
        labels = edit::clearTrack(labels, 0, 1, {100, 102}, false).labels;              // to be adopted
        labels = edit::clearTrack(labels, 0, 1, {150, 169}, true).labels;               // too long
        const auto plan = proofread::planGaps(labels);
        QCOMPARE(plan.gaps.size(), std::size_t{1});
        QCOMPARE(plan.gaps[0].span.first, std::int64_t{50});
        QCOMPARE(plan.adoptions.size(), std::size_t{3});
        const auto outcome = proofread::applyGaps(labels, plan);
        QCOMPARE(outcome.made.size(), std::size_t{3});
        for (std::int64_t f = 100; f <= 102; ++f)
            QCOMPARE(edit::frameAt(outcome.labels, 0, f).instances[1].header.track, 1);
        for (const project::InstanceId id : outcome.made)
            for (std::int64_t f = 50; f <= 52; ++f)
                if (const auto filled = edit::find(outcome.labels, {0, f, id}); filled.header != nullptr) {
                    const auto real = edit::frameAt(truth, 0, f).instances[0].points;
                    for (std::size_t n = 0; n < real.size(); ++n)
                        QVERIFY(std::hypot(filled.points[n].x - real[n].x, filled.points[n].y - real[n].y) < 4);
                }
        // Elsewhere after the gap: nobody fills that.
        project::Labels jumped = edit::clearTrack(truth, 0, 0, {50, 52}, true).labels;
        for (std::int64_t f = 53; f < 300; ++f) {
            project::FrameData frame = edit::frameAt(jumped, 0, f);
            for (project::InstanceData& instance : frame.instances)
                if (instance.header.track == 0)
                    for (project::Point& p : instance.points)
                        p.x += 400;
            jumped = edit::withFrame(jumped, frame);
        }
        const auto none = proofread::planGaps(jumped);
        QVERIFY(none.gaps.empty());
        QCOMPARE(none.tooFar, std::size_t{1});
    }
};

QTEST_APPLESS_MAIN(TestRepair)
#include "tst_repair.moc"
