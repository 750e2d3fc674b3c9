// SPDX-License-Identifier: BSD-3-Clause
#include <QTest>

#include "engine/project/edit/merge.h"

using namespace skein::project;
using edit::Prefer;

namespace {

InstanceData at(double x, InstanceKind kind, std::int32_t track = -1) {
    InstanceData instance;
    instance.header.kind = kind;
    instance.header.track = track;
    for (int node = 0; node < 3; ++node)
        instance.points.push_back({x + 10 * node, 50, 0.5, true, false});
    return instance;
}

Labels base() {
    Labels labels;
    Skeleton skeleton;
    skeleton.nodes = {"nose", "back", "tail"};
    labels.editSkeletons().push_back(skeleton);
    Video video;
    video.filename = "one.mp4";
    labels.editVideos().push_back(video);
    labels.editTracks() = {{"anna", 0, -1}, {"bert", 0, -1}};
    return labels;
}

Labels with(Labels labels, std::vector<std::pair<std::int64_t, std::vector<InstanceData>>> frames) {
    for (auto& [index, instances] : frames)
        labels.appendFrame({0, index, instances, -1});
    return labels;
}

constexpr auto kUser = InstanceKind::User;
constexpr auto kPredicted = InstanceKind::Predicted;

std::size_t countOn(const Labels& labels, std::int64_t frame) {
    const auto row = labels.findFrame(0, frame);
    return row ? labels.frame(*row).instanceCount() : 0;
}

}  // namespace

class TestMerge : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void mergingAProjectWithItselfChangesNothing() {
        const Labels mine = with(base(), {{0, {at(1, kUser, 0), at(200, kPredicted)}}, {5, {}}});
        const auto merged = edit::mergeProjects(mine, mine, {{0}, Prefer::Both, Prefer::Both});
        QVERIFY(merged.nothing());
        QCOMPARE(merged.counts.duplicates, 2U);
        QCOMPARE(merged.labels.instanceCount(), mine.instanceCount());
    }

    void newVideosSkeletonsTracksAndFramesAreAdded() {
        const Labels mine = with(base(), {{0, {at(1, kUser, 0)}}});
        Labels theirs = base();
        theirs.editVideos()[0].filename = "two.mp4";
        theirs.editTracks()[0].name = "carl";
        theirs.editSkeletons()[0].nodes = {"a", "b", "c"};
        theirs = with(theirs, {{0, {at(1, kUser, 0)}}, {3, {at(9, kPredicted, 1)}}});
        theirs.editSuggestions().push_back({0, 7, 0, {}});
        theirs.editNegativeFrames().emplace_back(0, 8);
        const auto merged = edit::mergeProjects(mine, theirs, {{-1}, {}, {}});
        QCOMPARE(merged.counts.videosAdded, 1U);
        QCOMPARE(merged.counts.skeletonsAdded, 1U);
        QCOMPARE(merged.counts.tracksAdded, 1U);
        QCOMPARE(merged.counts.framesAdded, 2U);
        QCOMPARE(merged.labels.suggestions().at(0).video, 1U);
        QCOMPARE(merged.labels.negativeFrames().at(0).first, 1U);
        const auto row = merged.labels.findFrame(1, 3);
        QVERIFY(row);
        const auto instance = merged.labels.frame(*row).instance(0);
        QCOMPARE(instance.header->track, 1);  // "bert" is the same track in both
        QCOMPARE(instance.header->skeleton, 1U);
    }

    void pointsFollowTheNamesOfTheirNodes() {
        Labels theirs = base();
        theirs.editSkeletons()[0].nodes = {"tail", "nose", "back"};
        theirs = with(theirs, {{4, {at(1, kUser)}}});
        const auto merged = edit::mergeProjects(base(), theirs, {{0}, {}, {}});
        QCOMPARE(merged.counts.skeletonsAdded, 0U);
        const auto points = merged.labels.frame(0).instance(0).points;
        QCOMPARE(points[0].x, 11.0);
        QCOMPARE(points[1].x, 21.0);
        QCOMPARE(points[2].x, 1.0);
    }

    void userInstancesInConflictAreSettledAsAsked() {
        const Labels mine = with(base(), {{0, {at(1, kUser, 0)}}});
        const Labels theirs = with(base(), {{0, {at(3, kUser, 0), at(300, kUser, 1)}}});
        const auto x = [](const Labels& labels) { return labels.frame(0).instance(0).points[0].x; };
        const auto keep = edit::mergeProjects(mine, theirs, {{0}, Prefer::Mine, {}});
        QCOMPARE(keep.counts.userConflicts, 1U);
        QCOMPARE(keep.counts.usersAdded, 1U);  // the other animal
        QCOMPARE(x(keep.labels), 1.0);
        const auto take = edit::mergeProjects(mine, theirs, {{0}, Prefer::Theirs, {}});
        QCOMPARE(take.counts.replaced, 1U);
        QCOMPARE(x(take.labels), 3.0);
        QCOMPARE(countOn(take.labels, 0), 2U);
        QCOMPARE(take.labels.frame(0).instance(0).header->id, mine.frame(0).instance(0).header->id);
        const auto both = edit::mergeProjects(mine, theirs, {{0}, Prefer::Both, {}});
        QCOMPARE(countOn(both.labels, 0), 3U);
        QCOMPARE(both.labels.frame(0).instance(1).header->track, -1);  // one track has one instance
    }

    void aPredictionUnderAUserInstanceBecomesItsSource() {
        const Labels mine = with(base(), {{0, {at(1, kUser)}}});
        const Labels theirs = with(base(), {{0, {at(2, kPredicted), at(300, kPredicted)}}});
        const auto merged = edit::mergeProjects(mine, theirs, {{0}, {}, {}});
        QCOMPARE(countOn(merged.labels, 0), 3U);
        QCOMPARE(merged.labels.frame(0).instance(0).header->fromPredicted,
                 merged.labels.frame(0).instance(1).header->id);
    }

    void linksOfTheirsAreKept() {
        Labels theirs = base();
        FrameData frame{0, 2, {at(1, kPredicted), at(1, kUser)}, -1};
        frame.instances[0].header.id = 500;
        frame.instances[1].header.fromPredicted = 500;
        theirs.appendFrame(frame);
        for (const Labels& mine : {base(), with(base(), {{2, {at(300, kPredicted)}}})}) {
            const auto merged = edit::mergeProjects(mine, theirs, {{0}, {}, {}});
            const FrameView view = merged.labels.frame(*merged.labels.findFrame(0, 2));
            const InstanceHeader *user = nullptr, *source = nullptr;
            for (std::size_t i = 0; i < view.instanceCount(); ++i)
                if (view.instance(i).points[0].x == 1)
                    (view.instance(i).header->kind == kUser ? user : source) = view.instance(i).header;
            QVERIFY(user != nullptr && source != nullptr);
            QCOMPARE(user->fromPredicted, source->id);
        }
    }

    void predictionsOfBothAreSettledAsAsked() {
        const Labels mine = with(base(), {{0, {at(1, kPredicted)}}});
        const Labels theirs = with(base(), {{0, {at(3, kPredicted), at(300, kPredicted)}}});
        QCOMPARE(countOn(edit::mergeProjects(mine, theirs, {{0}, {}, Prefer::Mine}).labels, 0), 1U);
        QCOMPARE(countOn(edit::mergeProjects(mine, theirs, {{0}, {}, Prefer::Theirs}).labels, 0), 2U);
        QCOMPARE(countOn(edit::mergeProjects(mine, theirs, {{0}, {}, Prefer::Both}).labels, 0), 3U);
    }
};

QTEST_GUILESS_MAIN(TestMerge)
#include "tst_merge.moc"
