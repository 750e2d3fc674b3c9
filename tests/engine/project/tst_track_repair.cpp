// SPDX-License-Identifier: BSD-3-Clause
#include <QTest>
#include <cmath>
#include <ctime>

#include "engine/project/edit/gaps.h"
#include "engine/project/edit/track_repair.h"
#include "tests/engine/project/edit_helpers.h"

using namespace skein;
using namespace skein::project;
using skein::test::fingerprint;
using skein::test::tracksAreUnique;
namespace edit = skein::project::edit;

namespace {

InstanceId idAt(const Labels& labels, std::int64_t frame, std::size_t i) {
    return labels.frame(*labels.findFrame(0, frame)).instance(i).header->id;
}

/// Frames on which the track has an instance.
std::vector<std::int64_t> framesOf(const Labels& labels, std::int32_t track) {
    std::vector<std::int64_t> frames;
    for (const std::size_t row : labels.rowsOf(0)) {
        const FrameView frame = labels.frame(row);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i)
            if (frame.instance(i).header->track == track) {
                frames.push_back(frame.frameIndex());
                break;
            }
    }
    return frames;
}

std::vector<std::int64_t> range(std::int64_t first, std::int64_t last) {
    std::vector<std::int64_t> frames;
    for (; first <= last; ++first)
        frames.push_back(first);
    return frames;
}

/// `frames` frames with three predictions; on every other one the first two are accepted.
Labels withAccepted(int frames) {
    Labels labels = test::project(frames, 0, 3, 2);
    for (int f = 0; f < frames; f += 2)
        for (std::size_t i = 0; i < 2; ++i)
            labels = edit::acceptPrediction(labels, {0, f, idAt(labels, f, i)}, false).labels;
    return labels;
}

/// Each user instance has the track of the prediction it was made from.
bool pairsAgree(const Labels& labels) {
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const FrameData frame = labels.frame(row).toData();
        for (const InstanceData& user : frame.instances)
            for (const InstanceData& source : frame.instances)
                if (user.header.fromPredicted != 0 && user.header.fromPredicted == source.header.id &&
                    user.header.track != source.header.track)
                    return false;
    }
    return true;
}

/// Any edit of tracks, by the window's own ways.
edit::Outcome randomTrackEdit(const Labels& labels, std::mt19937& random) {
    const auto below = [&random](std::size_t n) { return n == 0 ? std::size_t{0} : random() % n; };
    const std::int64_t frames = labels.videos()[0].frameCount;
    const auto frame = static_cast<std::int64_t>(below(static_cast<std::size_t>(frames)));
    const edit::FrameSpan span{frame, frame + static_cast<std::int64_t>(below(4))};
    const auto tracks = labels.tracks().size();
    const auto a = static_cast<std::int32_t>(below(tracks)), b = static_cast<std::int32_t>(below(tracks));
    const FrameData here = edit::frameAt(labels, 0, frame);
    const InstanceId id = here.instances.empty() ? 0 : here.instances[below(here.instances.size())].header.id;
    const auto propagate = below(2) == 0 ? std::optional(span) : std::nullopt;
    switch (below(13)) {
        case 0:
            return edit::joinTracks(labels, a, b, static_cast<edit::JoinRule>(below(3)));
        case 1: {
            std::vector<std::vector<std::int32_t>> become(1);
            for (std::size_t t = 0; t < tracks; ++t)
                become[0].push_back(below(2) == 0 ? static_cast<std::int32_t>(t) : b);
            return edit::joinAll(labels, become);
        }
        case 2:
            return edit::clearTrack(labels, 0, a, span, below(2) == 0);
        case 3:
            return edit::trimTrack(labels, 0, a, {frame / 2, frame}, below(2) == 0);
        case 4:
            return edit::fillGaps(labels, edit::gapsOf(labels, 0, a, 5), edit::GapPath::Linear);
        case 5:
            return edit::removeFilled(labels);
        case 6:
            return edit::setNewTrack(labels, {0, frame, id}, propagate);
        case 7:
            return edit::splitTrack(labels, {0, frame, id});
        case 8:
            return edit::transposeTracks(labels, 0, span, a, b);
        case 9: {
            const std::int32_t gone[] = {a};
            return tracks > 6 ? edit::deleteTracks(labels, gone, false) : edit::unchanged(labels);
        }
        default:
            return edit::setTrack(labels, {0, frame, id}, a, propagate);
    }
}

}  // namespace

class TestTrackRepair : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void splitAndJoinAreInverse() {
        const Labels before = test::project(10, 0, 2, 3);
        const Labels split = edit::splitTrack(before, {0, 6, idAt(before, 6, 0)}).labels;
        QCOMPARE(split.tracks().size(), std::size_t{3});
        QVERIFY(edit::joinConflicts(split, 2, 0).empty());
        const edit::Outcome joined = edit::joinTracks(split, 2, 0, edit::JoinRule::Leave);
        QCOMPARE(joined.changed, std::size_t{4});
        QVERIFY(joined.extent.tracks);
        QCOMPARE(fingerprint(joined.labels), fingerprint(before));
    }

    void conflictsAreListedAndResolvedByEachRule() {
        // On frames 3 to 5 both are there; the scores of the second are higher.
        Labels labels = test::project(8, 0, 2, 3);
        labels = edit::clearTrack(labels, 0, 0, {6, 7}, true).labels;
        labels = edit::clearTrack(labels, 0, 1, {0, 2}, true).labels;
        const auto conflicts = edit::joinConflicts(labels, 1, 0);
        QCOMPARE(conflicts.size(), std::size_t{3});
        QCOMPARE(conflicts[0].frame, std::int64_t{3});
        QCOMPARE(conflicts[0].from, idAt(labels, 3, 1));
        QCOMPARE(conflicts[0].into, idAt(labels, 3, 0));

        const Labels left = edit::joinTracks(labels, 1, 0, edit::JoinRule::Leave).labels;
        QCOMPARE(framesOf(left, 0), range(0, 7));
        QCOMPARE(framesOf(left, 1), range(3, 5));

        const Labels scored = edit::joinTracks(labels, 1, 0, edit::JoinRule::BetterScore).labels;
        QCOMPARE(scored.tracks().size(), std::size_t{1});
        QCOMPARE(framesOf(scored, 0), range(0, 7));
        QCOMPARE(edit::find(scored, {0, 4, conflicts[1].from}).header->track, 0);
        QCOMPARE(edit::find(scored, {0, 4, conflicts[1].into}).header->track, -1);

        const Labels mine = edit::acceptPrediction(labels, {0, 4, conflicts[1].into}, false).labels;
        const Labels users = edit::joinTracks(mine, 1, 0, edit::JoinRule::UserFirst).labels;
        QCOMPARE(edit::find(users, {0, 4, conflicts[1].into}).header->track, 0);
        QCOMPARE(edit::find(users, {0, 4, conflicts[1].from}).header->track, -1);
        QCOMPARE(edit::find(users, {0, 3, conflicts[0].from}).header->track, 0);
        QVERIFY(pairsAgree(users) && tracksAreUnique(users));
    }

    void aJoinInOneVideoLeavesTheOthers() {
        Labels labels = test::project(4, 0, 2, 3);
        labels.editVideos().push_back(labels.videos()[0]);
        FrameData elsewhere = edit::frameAt(labels, 0, 0);
        elsewhere.video = 1;
        for (InstanceData& instance : elsewhere.instances)
            instance.header.id = 0;
        labels.appendFrame(elsewhere);
        labels = edit::clearTrack(labels, 0, 0, {2, 3}, true).labels;
        labels = edit::clearTrack(labels, 0, 1, {0, 1}, true).labels;
        const Labels joined = edit::joinTracks(labels, 1, 0, edit::JoinRule::Leave, 0U).labels;
        QCOMPARE(joined.tracks().size(), std::size_t{2});
        QCOMPARE(framesOf(joined, 0), range(0, 3));
        QCOMPARE(edit::frameAt(joined, 1, 0).instances[1].header.track, 1);
    }

    void tracksAreTrimmedAndCleared() {
        const Labels labels = test::project(10, 0, 2, 3);
        const Labels trimmed = edit::trimTrack(labels, 0, 0, {3, 6}, false).labels;
        QCOMPARE(framesOf(trimmed, 0), range(3, 6));
        QCOMPARE(trimmed.instanceCount(), labels.instanceCount());
        QCOMPARE(framesOf(trimmed, 1), range(0, 9));
        const edit::Outcome after = edit::clearTrack(labels, 0, 0, {5, edit::kToEnd}, true);
        QCOMPARE(framesOf(after.labels, 0), range(0, 4));
        QCOMPARE(after.labels.instanceCount(), labels.instanceCount() - 5);
        QCOMPARE(after.changed, std::size_t{5});
        QCOMPARE(edit::clearTrack(labels, 0, 9, {0, 5}, true).changed, std::size_t{0});
    }

    void aSwapAlsoWorksWithAnAbsentTrack() {
        Labels labels = test::project(6, 0, 2, 3);
        labels = edit::clearTrack(labels, 0, 1, {2, 3}, true).labels;
        const Labels swapped = edit::transposeTracks(labels, 0, {2, edit::kToEnd}, 0, 1).labels;
        QCOMPARE(framesOf(swapped, 1), range(0, 5));
        QCOMPARE(framesOf(swapped, 0), (std::vector<std::int64_t>{0, 1, 4, 5}));
    }

    void aGapIsFilledOnTheWayBetweenItsSides() {
        Labels labels = test::project(12, 0, 2, 2);
        // A parabola in x, a straight line in y.
        for (std::int64_t f = 0; f < 12; ++f) {
            FrameData frame = edit::frameAt(labels, 0, f);
            for (Point& p : frame.instances[0].points) {
                p.x = 100 + 0.5 * double(f * f);
                p.y = 50 + 3 * double(f);
            }
            labels = edit::withFrame(labels, frame);
        }
        const Labels whole = labels;
        labels = edit::clearTrack(labels, 0, 0, {5, 7}, true).labels;
        const auto gaps = edit::gapsOf(labels, 0, -1, 5);
        QCOMPARE(gaps.size(), std::size_t{1});
        QVERIFY(gaps[0] == (edit::Gap{0, 0, {5, 7}}));
        QVERIFY(edit::gapAt(labels, 0, 0, 6, 5) == gaps[0]);
        QVERIFY(!edit::gapAt(labels, 0, 0, 6, 2) && !edit::gapAt(labels, 0, 0, 4, 5) &&
                !edit::gapAt(labels, 0, 1, 6, 5));
        QVERIFY(edit::gapsOf(labels, 0, -1, 2).empty());

        const edit::Outcome linear = edit::fillGaps(labels, gaps, edit::GapPath::Linear);
        QCOMPARE(linear.changed, std::size_t{3});
        QCOMPARE(linear.made.size(), std::size_t{3});
        const double from = 100 + 8, to = 100 + 32;
        const auto middle = edit::find(linear.labels, {0, 6, linear.made[1]});
        QVERIFY(std::abs(middle.points[0].x - (from + to) / 2) < 1e-9);
        QCOMPARE(middle.header->score, 0.0F);
        QCOMPARE(middle.header->track, 0);
        QVERIFY(edit::isFilled(middle));
        QVERIFY(!edit::isFilled(edit::find(linear.labels, {0, 6, idAt(linear.labels, 6, 0)})));

        const edit::Outcome smooth = edit::fillGaps(labels, gaps, edit::GapPath::Smooth);
        for (std::int64_t f = 5; f <= 7; ++f) {
            const auto pose = edit::find(smooth.labels, {0, f, smooth.made[std::size_t(f - 5)]}).points;
            QVERIFY(std::abs(pose[0].x - (100 + 0.5 * double(f * f))) < 1.1);
            QVERIFY(std::abs(pose[1].y - (50 + 3 * double(f))) < 1e-9);
        }
        const edit::Outcome without = edit::removeFilled(smooth.labels);
        QCOMPARE(without.changed, std::size_t{3});
        QCOMPARE(fingerprint(without.labels), fingerprint(labels));
        QCOMPARE(edit::removeFilled(whole).changed, std::size_t{0});
    }

    void framesThatAreNotRecordedAreAddedToFillAGap() {
        Labels labels = test::project(6, 0, 1, 2);
        const std::size_t rows[] = {2, 3};
        labels.removeFrames(rows);
        const auto gaps = edit::gapsOf(labels, 0, 0, 5);
        const Labels filled = edit::fillGaps(labels, gaps, edit::GapPath::Linear).labels;
        QCOMPARE(framesOf(filled, 0), range(0, 5));
    }

    void missingNodesAreFilledInPredictionsOnly() {
        Labels labels = test::project(9, 0, 2, 2);
        for (std::int64_t f = 0; f < 9; ++f) {
            FrameData frame = edit::frameAt(labels, 0, f);
            for (InstanceData& instance : frame.instances)
                instance.points[1] = {double(10 * f), 5, 0.9, true, false};
            if (f == 3 || f == 4)
                frame.instances[0].points[1] = {kNaN, kNaN, 0, false, false};
            if (f > 2 && f < 7)
                frame.instances[1].points[1] = {kNaN, kNaN, 0, false, false};
            labels = edit::withFrame(labels, frame);
        }
        const edit::Outcome filled = edit::fillNodes(labels, 0, 3);
        QCOMPARE(filled.changed, std::size_t{2});
        QCOMPARE(edit::frameAt(filled.labels, 0, 4).instances[0].points[1].x, 40.0);
        QCOMPARE(edit::frameAt(filled.labels, 0, 4).instances[0].points[1].score, 0.0);
        QVERIFY(!edit::frameAt(filled.labels, 0, 4).instances[1].points[1].exists());
    }

    void sidesAreExchangedAndBack() {
        Labels labels = test::project(6, 0, 2, 3);
        labels.editSkeletons()[0].symmetries = {{0, 2}};
        const Labels flipped = edit::flipSides(labels, 0, 1, {2, 4}).labels;
        for (std::int64_t f = 0; f < 6; ++f) {
            const FrameData a = edit::frameAt(labels, 0, f), b = edit::frameAt(flipped, 0, f);
            const bool meant = f >= 2 && f <= 4;
            QCOMPARE(b.instances[1].points[0].x, a.instances[1].points[meant ? 2 : 0].x);
            QCOMPARE(b.instances[1].points[1].x, a.instances[1].points[1].x);
            QCOMPARE(b.instances[0].points[0].x, a.instances[0].points[0].x);
        }
        QCOMPARE(fingerprint(edit::flipSides(flipped, 0, 1, {2, 4}).labels), fingerprint(labels));
    }

    // P-02, P-04
    void anySequenceOfTrackEditsKeepsTracksUniqueAndPairsTogether() {
        std::mt19937 random(2024);
        const Labels starts[] = {withAccepted(8), test::project(8, 0, 4, 2), test::project(8, 2, 3, 2)};
        QVERIFY(pairsAgree(starts[0]) && tracksAreUnique(starts[0]));
        for (int sequence = 0; sequence < 10'000; ++sequence) {
            Labels labels = starts[sequence % 3];
            for (int step = 0; step < 6; ++step)
                labels = randomTrackEdit(labels, random).labels;
            QVERIFY2(tracksAreUnique(labels), std::to_string(sequence).c_str());
            QVERIFY2(pairsAgree(labels), std::to_string(sequence).c_str());
        }
    }

    // P-03, the engine's half
    void aSwapOverAMillionFramesIsQuick() {
        Labels labels;
        labels.editVideos().emplace_back();
        labels.editSkeletons().push_back({"animal", {"a"}, {}, {}, {}});
        for (int t = 0; t < 2; ++t)
            labels.editTracks().push_back({"track_" + std::to_string(t), 0, -1});
        LabelsBuilder builder(std::move(labels));
        for (std::int64_t f = 0; f < 1'000'000; ++f) {
            builder.beginFrame(0, f);
            for (int t = 0; t < 2; ++t) {
                InstanceHeader header;
                header.track = t;
                builder.addInstance(header, 1)[0] = {double(t), double(f), 1, true, false};
            }
        }
        labels = builder.finish();
        std::vector<double> ms;
        for (int i = 0; i < 5; ++i) {
            const std::clock_t begin = std::clock();
            const edit::Outcome outcome = edit::transposeTracks(labels, 0, {0, edit::kToEnd}, 0, 1);
            ms.push_back(1000.0 * double(std::clock() - begin) / CLOCKS_PER_SEC);
            QCOMPARE(outcome.changed, std::size_t{2'000'000});
        }
        std::sort(ms.begin(), ms.end());
        qInfo("swap over 1,000,000 frames: %.0f ms (least of 5: %.0f)", ms[2], ms[0]);
        QVERIFY(ms[0] <= 200);  // the limit is 100 ms on the reference machine; tests share theirs
    }
};

QTEST_APPLESS_MAIN(TestTrackRepair)
#include "tst_track_repair.moc"
