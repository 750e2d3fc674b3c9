// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <set>

#include "tests/support/worked_time.h"
#include "ui/bridge/run_results.h"

using namespace skein;
using namespace skein::ui;
using project::FrameData;
using project::InstanceData;
using project::InstanceKind;
using project::Labels;

namespace {

project::Skeleton twoNodes() {
    return {.name = "fly", .nodes = {"head", "tail"}, .edges = {{0, 1}}, .symmetries = {}, .extraJson = {}};
}

InstanceData instance(double x, int track, InstanceKind kind = InstanceKind::Predicted) {
    InstanceData data;
    data.header.kind = kind;
    data.header.track = track;
    data.header.score = 0.5F;
    data.points = {{x, 1, 0.9, true, false}, {x + 1, 2, 0.8, true, false}};
    return data;
}

pipeline::FrameResult result(std::int64_t frame, std::vector<InstanceData> instances) {
    return {frame, FrameData{0, frame, std::move(instances), -1}};
}

std::vector<std::int64_t> upTo(std::int64_t count) {
    std::vector<std::int64_t> frames;
    for (std::int64_t i = 0; i < count; ++i)
        frames.push_back(i);
    return frames;
}

/// A project with one video and its frames' instances.
Labels projectWith(const std::vector<FrameData>& frames, const std::vector<std::string>& tracks) {
    Labels labels;
    project::Video video;
    video.filename = "fly.mp4";
    video.frameCount = 100;
    labels.editVideos().push_back(std::move(video));
    if (!frames.empty())
        labels.editSkeletons().push_back(twoNodes());
    for (const std::string& track : tracks)
        labels.editTracks().push_back({track});
    for (const FrameData& frame : frames)
        labels.appendFrame(frame);
    return labels;
}

Labels runAll(RunResults& results, Labels labels, std::size_t budget = RunResults::kStepPoints) {
    while (results.hasWork())
        labels = results.step(labels, budget).labels;
    return labels;
}

RunResults start(const Labels& labels, std::int64_t frames,
                 ExistingPredictions existing = ExistingPredictions::Replace) {
    RunResults::Setup setup;
    setup.frames = upTo(frames);
    setup.skeleton = twoNodes();
    setup.existing = existing;
    setup.trackTaken = tracksUsedElsewhere(labels, 0, setup.frames);
    return {std::move(setup), labels};
}

/// "track@x" of a frame's instances, kind first, so that whole frames compare in one line.
QStringList describe(const Labels& labels, std::int64_t frame) {
    QStringList list;
    const auto row = labels.findFrame(0, frame);
    if (!row)
        return {"no frame"};
    const project::FrameView view = labels.frame(*row);
    for (std::size_t i = 0; i < view.instanceCount(); ++i) {
        const auto [header, points] = view.instance(i);
        const QString track = header->track < 0
                                  ? QStringLiteral("-")
                                  : QString::fromStdString(labels.tracks()[std::size_t(header->track)].name);
        list << QStringLiteral("%1 %2@%3")
                    .arg(header->kind == InstanceKind::User ? "user" : "pred", track)
                    .arg(points[0].x);
    }
    return list;
}

QStringList trackNames(const Labels& labels) {
    QStringList names;
    for (const project::Track& track : labels.tracks())
        names << QString::fromStdString(track.name);
    return names;
}

}  // namespace

class TestRunResults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void firstRunIntoAnEmptyProject() {
        Labels labels = projectWith({}, {});
        RunResults results = start(labels, 10);
        const auto frames =
            results.add({result(0, {instance(1, 0), instance(2, 1)}), result(1, {}), result(2, {instance(3, 1)})},
                        {"track_0", "track_1"}, 0);
        QCOMPARE(frames, (std::vector<std::int64_t>{0, 1, 2}));
        QCOMPARE(results.finishedRanges(), (std::vector<FrameRange>{{0, 2}}));

        // Before it is in the project the view gets it with the numbers that will hold afterwards.
        const FrameData* live = results.pending(0, labels);
        QVERIFY(live != nullptr);
        QCOMPARE(live->instances[1].header.track, 1);
        QCOMPARE(live->instances[1].header.skeleton, 0U);
        QCOMPARE(results.trackName(1, labels), QStringLiteral("track_1"));
        QVERIFY(results.pending(7, labels) == nullptr);

        QVERIFY(!results.hasWork());
        results.beginCheckpoint(0);
        labels = runAll(results, labels);
        QCOMPARE(describe(labels, 0), (QStringList{"pred track_0@1", "pred track_1@2"}));
        QCOMPARE(describe(labels, 1), QStringList());
        QCOMPARE(labels.skeletons().size(), std::size_t{1});
        QVERIFY(results.pending(0, labels) == nullptr);

        // A second checkpoint finds its tracks and skeleton again, and adds the one that is new.
        results.add({result(3, {instance(4, 2), instance(5, 0)})}, {"track_0", "track_1", "track_2"}, 1);
        results.beginEnd(false, labels);
        labels = runAll(results, labels);
        QCOMPARE(describe(labels, 3), (QStringList{"pred track_2@4", "pred track_0@5"}));
        QCOMPARE(trackNames(labels), (QStringList{"track_0", "track_1", "track_2"}));
        QCOMPARE(labels.skeletons().size(), std::size_t{1});
    }

    void replaceKeepsUserInstancesAndReusesTracks() {
        Labels labels = projectWith({{0, 0, {instance(10, 0), instance(11, 1, InstanceKind::User)}, -1},
                                     {0, 1, {instance(12, 0)}, -1},
                                     {0, 50, {instance(13, 2)}, -1}},
                                    {"track_0", "track_1", "track_2"});
        RunResults results = start(labels, 2);
        results.add({result(0, {instance(1, 0)}), result(1, {instance(2, 1), instance(3, 2)})},
                    {"track_0", "track_1", "track_2"}, 0);
        results.beginEnd(true, labels);
        labels = runAll(results, labels);
        // track_0 was used on replaced frames only; track_1 holds a user instance and track_2 another frame.
        QCOMPARE(describe(labels, 0), (QStringList{"user track_1@11", "pred track_0@1"}));
        QCOMPARE(describe(labels, 1), (QStringList{"pred track_3@2", "pred track_4@3"}));
        QCOMPARE(describe(labels, 50), QStringList{"pred track_2@13"});
        QCOMPARE(trackNames(labels), (QStringList{"track_0", "track_1", "track_2", "track_3", "track_4"}));
    }

    void endingEarlyLeavesNoTrackWithTwoAnimals() {
        Labels labels = projectWith(
            {{0, 0, {instance(10, 0)}, -1}, {0, 1, {instance(11, 0)}, -1}, {0, 2, {instance(12, 0)}, -1}}, {"track_0"});
        RunResults results = start(labels, 3);
        results.add({result(0, {instance(1, 0)})}, {"track_0"}, 0);
        results.beginEnd(false, labels);
        labels = runAll(results, labels);
        QCOMPARE(describe(labels, 0), QStringList{"pred track_0@1"});
        QCOMPARE(describe(labels, 1), QStringList{"pred track_1@11"});
        QCOMPARE(describe(labels, 2), QStringList{"pred track_1@12"});
    }

    void keepAddsBesideTheOld() {
        Labels labels = projectWith({{0, 0, {instance(10, 0)}, -1}}, {"track_0"});
        RunResults results = start(labels, 1, ExistingPredictions::Keep);
        results.add({result(0, {instance(1, 0)})}, {"track_0"}, 0);
        const FrameData* live = results.pending(0, labels);
        QVERIFY(live != nullptr);
        QCOMPARE(live->instances.size(), std::size_t{2});
        results.beginEnd(true, labels);
        labels = runAll(results, labels);
        QCOMPARE(describe(labels, 0), (QStringList{"pred track_0@10", "pred track_1@1"}));
    }

    void clearTakesAllPredictionsOfTheVideo() {
        Labels labels = projectWith({{0, 0, {instance(10, 0)}, -1},
                                     {0, 60, {instance(11, 0)}, -1},
                                     {0, 70, {instance(12, 0), instance(13, -1, InstanceKind::User)}, -1}},
                                    {"track_0"});
        RunResults results = start(labels, 2, ExistingPredictions::Clear);
        results.add({result(0, {instance(1, -1)})}, {}, 0);
        results.beginEnd(true, labels);
        labels = runAll(results, labels);
        QCOMPARE(describe(labels, 0), QStringList{"pred -@1"});
        QCOMPARE(describe(labels, 60), QStringList{"no frame"});
        QCOMPARE(describe(labels, 70), QStringList{"user -@13"});
    }

    void discardGivesTheProjectBackExactly() {
        const Labels before = projectWith({{0, 0, {instance(10, 0)}, -1}}, {"track_0"});
        Labels labels = before;
        RunResults results = start(labels, 5);
        results.add({result(0, {instance(1, 0)}), result(1, {instance(2, 1)})}, {"track_0", "track_1"}, 0);
        results.beginCheckpoint(0);
        labels = runAll(results, labels);
        QCOMPARE(trackNames(labels).size(), 2);
        results.beginDiscard(labels);
        labels = runAll(results, labels);
        QVERIFY(labels.isUnchangedCopyOf(before));
    }

    void discardKeepsWhatAPersonDidMeanwhile() {
        const Labels before = projectWith({{0, 0, {instance(10, 0)}, -1}}, {"track_0"});
        Labels labels = before;
        RunResults results = start(labels, 5);
        results.add({result(0, {instance(1, 0)}), result(1, {instance(2, 1)}), result(2, {instance(3, 1)})},
                    {"track_0", "track_1"}, 0);
        results.beginCheckpoint(0);
        labels = runAll(results, labels);
        FrameData edited = labels.frame(*labels.findFrame(0, 2)).toData();
        edited.instances.push_back(instance(99, -1, InstanceKind::User));
        labels.replaceFrame(*labels.findFrame(0, 2), edited);
        results.beginDiscard(labels);
        labels = runAll(results, labels);
        QCOMPARE(describe(labels, 0), QStringList{"pred track_0@10"});
        QCOMPARE(describe(labels, 1), QStringList{"no frame"});
        QCOMPARE(describe(labels, 2), QStringList{"user -@99"});
    }

    // A person presses undo while a run goes on: tracks that the run had added are gone, and come again.
    void undoDuringARun() {
        const Labels before = projectWith({}, {});
        Labels labels = before;
        RunResults results = start(labels, 5);
        results.add({result(0, {instance(1, 0)})}, {"track_0"}, 0);
        results.beginCheckpoint(0);
        labels = runAll(results, labels);
        labels = before;
        results.add({result(1, {instance(2, 0), instance(3, 1)})}, {"track_0", "track_1"}, 1);
        QCOMPARE(results.pending(1, labels)->instances[1].header.track, 1);
        results.beginEnd(true, labels);
        labels = runAll(results, labels);
        QCOMPARE(describe(labels, 1), (QStringList{"pred track_0@2", "pred track_1@3"}));
        QCOMPARE(labels.skeletons().size(), std::size_t{1});
    }

    void checkpointsByNumberAndByTime() {
        Labels labels = projectWith({}, {});
        RunResults results = start(labels, 20000);
        results.add({result(0, {})}, {}, 100);
        QVERIFY(!results.checkpointDue(129));
        QVERIFY(results.checkpointDue(130.5));
        std::vector<pipeline::FrameResult> many;
        for (int i = 1; i < 5000; ++i)
            many.push_back(result(i, {}));
        results.add(many, {}, 101);
        QVERIFY(results.checkpointDue(101));
        results.beginCheckpoint(101);
        labels = runAll(results, labels);
        QCOMPARE(labels.frameCount(), std::size_t{5000});
        QVERIFY(!results.checkpointDue(1000));
    }

    void finishedRangesInAnyOrder() {
        Labels labels = projectWith({}, {});
        RunResults results = start(labels, 20);
        for (const int frame : {5, 7, 6, 1, 2, 0, 9, 9})
            results.add({result(frame, {})}, {}, 0);
        QCOMPARE(results.finishedRanges(), (std::vector<FrameRange>{{0, 2}, {5, 7}, {9, 9}}));
        QCOMPARE(results.finishedCount(), std::int64_t{7});
    }

    // However much has come together, no step takes longer than a display frame.
    void stepsStaySmall() {
        Labels labels = projectWith({}, {});
        labels.editSkeletons().push_back(twoNodes());
        RunResults results = start(labels, 5000);
        std::vector<pipeline::FrameResult> many;
        for (int frame = 0; frame < 5000; ++frame) {
            std::vector<InstanceData> instances;
            for (int i = 0; i < 50; ++i) {
                instances.push_back(instance(i, i));
                instances.back().points.resize(20, {1, 2, 0.5, true, false});
            }
            many.push_back(result(frame, std::move(instances)));
        }
        std::vector<std::string> names;
        for (int i = 0; i < 50; ++i)
            names.push_back("track_" + std::to_string(i));
        results.add(many, names, 0);
        results.beginEnd(true, labels);
        std::vector<double> times;
        while (results.hasWork()) {
            const test::WorkedTime time;
            labels = results.step(labels).labels;
            times.push_back(time.ms());
        }
        std::sort(times.begin(), times.end());
        qInfo("%zu steps, median %.2f ms, worst %.2f ms", times.size(), times[times.size() / 2], times.back());
        QCOMPARE(labels.instanceCount(), std::size_t{250000});
        QVERIFY(times[times.size() / 2] < 16);
    }
};

QTEST_GUILESS_MAIN(TestRunResults)
#include "tst_run_results.moc"
