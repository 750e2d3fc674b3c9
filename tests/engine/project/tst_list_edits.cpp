// SPDX-License-Identifier: BSD-3-Clause
#include <QTest>
#include <random>

#include "engine/project/edit/skeletons.h"
#include "engine/project/edit/suggestions.h"
#include "engine/project/edit/videos.h"
#include "tests/engine/project/edit_helpers.h"

using namespace skein;
using namespace skein::project;

namespace {

/// Of everything that the edits of lists can change, frames and points included.
std::uint64_t fingerprintOfAll(const Labels& labels) {
    test::Fingerprint f;
    f.add(test::fingerprint(labels));
    for (const Video& video : labels.videos()) {
        f.add(video.filename);
        f.add(video.grayscale.has_value() ? int(*video.grayscale) : -1);
    }
    for (const Skeleton& skeleton : labels.skeletons()) {
        f.add(skeleton.name);
        for (const std::string& node : skeleton.nodes)
            f.add(node);
        for (const Edge& edge : skeleton.edges) {
            f.add(edge.source);
            f.add(edge.destination);
        }
        for (const auto& pair : skeleton.symmetries) {
            f.add(pair[0]);
            f.add(pair[1]);
        }
    }
    for (const Suggestion& s : labels.suggestions()) {
        f.add(s.video);
        f.add(s.frameIndex);
        f.add(s.group);
        f.add(s.rowJson);
    }
    // The look-ups by video and frame must tell the same as the rows.
    for (std::uint32_t v = 0; v < labels.videos().size(); ++v)
        for (const std::size_t row : labels.rowsOf(v)) {
            f.add(row);
            f.add(labels.frame(row).video());
        }
    return f.value();
}

Labels threeVideos() {
    Labels labels = test::project(5, 1, 1, 4);
    Video second = labels.videos()[0], third = second;
    second.filename = "second.mp4";
    third.filename = "third.mp4";
    labels.editVideos().push_back(second);
    labels.editVideos().push_back(third);
    for (std::int64_t f = 0; f < 3; ++f) {
        FrameData frame = labels.frame(static_cast<std::size_t>(f)).toData();
        for (InstanceData& instance : frame.instances)
            instance.header.id = 0;
        frame.video = f == 2 ? 1 : 2;
        labels.appendFrame(frame);
    }
    labels.editSuggestions() = {{0, 4, 0, {}}, {1, 1, 2, {}}, {2, 0, 0, {}}};
    labels.editNegativeFrames() = {{1, 9}, {2, 8}};
    return labels;
}

edit::Outcome randomListEdit(const Labels& labels, std::mt19937& random) {
    const auto below = [&random](std::size_t n) { return n == 0 ? std::size_t{0} : random() % n; };
    const Skeleton& skeleton = labels.skeletons()[0];
    const std::size_t node = below(skeleton.nodes.size()), other = below(skeleton.nodes.size());
    switch (below(16)) {
        case 0:
        case 1:
            return edit::addNode(labels, 0, edit::freeNodeName(skeleton));
        case 2: {
            const std::size_t gone[] = {node};
            return skeleton.nodes.size() < 3 ? edit::unchanged(labels) : edit::removeNodes(labels, 0, gone);
        }
        case 3:
            return edit::renameNode(labels, 0, node, "name" + std::to_string(random() % 100));
        case 4:
        case 5:
            return edit::moveNode(labels, 0, node, other);
        case 6:
            return edit::addEdge(labels, 0, {static_cast<int>(node), static_cast<int>(other)});
        case 7: {
            const std::size_t gone[] = {below(skeleton.edges.size())};
            return edit::removeEdges(labels, 0, gone);
        }
        case 8:
            return edit::setSymmetry(labels, 0, node, below(3) == 0 ? std::nullopt : std::optional(other));
        case 9: {
            Skeleton next = test::chainSkeleton(static_cast<int>(2 + below(5)));
            return edit::replaceSkeleton(labels, 0, next);
        }
        case 10: {
            const Suggestion some[] = {{static_cast<std::uint32_t>(below(labels.videos().size())),
                                        static_cast<std::int64_t>(below(30)),
                                        0,
                                        {}}};
            return edit::addSuggestions(labels, some, below(10) == 0);
        }
        case 11: {
            const std::size_t gone[] = {below(labels.suggestions().size())};
            return labels.suggestions().empty() ? edit::unchanged(labels) : edit::removeSuggestions(labels, gone);
        }
        case 12:
            return edit::moveVideo(labels, below(labels.videos().size()), below(labels.videos().size()));
        case 13: {
            const std::size_t gone[] = {below(labels.videos().size())};
            return labels.videos().size() < 2 || below(6) != 0 ? edit::unchanged(labels)
                                                               : edit::removeVideos(labels, gone);
        }
        case 14: {
            const std::size_t some[] = {below(labels.videos().size())};
            return edit::setGrayscale(labels, some, below(2) == 0 ? std::optional(true) : std::nullopt);
        }
        default:
            return test::randomEdit(labels, random);
    }
}

}  // namespace

class TestListEdits : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void suggestionsAreAddedOnceAndRemoved() {
        const Labels before = threeVideos();
        const Suggestion added[] = {{0, 2, 5, "{}"}, {1, 1, 0, {}}, {0, 2, 0, {}}, {9, 0, 0, {}}, {0, -1, 0, {}}};
        const edit::Outcome more = edit::addSuggestions(before, added);
        QCOMPARE(more.changed, std::size_t{1});
        QCOMPARE(more.labels.suggestions().size(), std::size_t{4});
        QCOMPARE(more.labels.suggestions().back().group, std::int64_t{5});
        QVERIFY(edit::isSuggested(more.labels, 0, 2));
        const edit::Outcome instead = edit::addSuggestions(before, added, true);
        QCOMPARE(instead.labels.suggestions().size(), std::size_t{2});
        const std::size_t places[] = {2, 0};
        const edit::Outcome fewer = edit::removeSuggestions(before, places);
        QCOMPARE(fewer.labels.suggestions().size(), std::size_t{1});
        QCOMPARE(fewer.labels.suggestions()[0].video, 1U);
        QCOMPARE(edit::clearSuggestions(before).changed, std::size_t{3});
        QCOMPARE(edit::clearSuggestions(edit::clearSuggestions(before).labels).changed, std::size_t{0});
    }

    void pointsStayWithTheirNodes() {
        const Labels before = test::project(3, 1, 1, 4);
        const std::vector<Point> old(before.frame(1).instance(0).points.begin(),
                                     before.frame(1).instance(0).points.end());
        const auto pointsOf = [](const edit::Outcome& outcome) {
            const auto points = outcome.labels.frame(1).instance(0).points;
            return std::vector<Point>(points.begin(), points.end());
        };
        const auto added = pointsOf(edit::addNode(before, 0, "tail"));
        QCOMPARE(added.size(), std::size_t{5});
        QVERIFY(!added[4].exists() && !added[4].visible);
        QCOMPARE(added[3].x, old[3].x);

        const edit::Outcome moved = edit::moveNode(before, 0, 3, 1);  // 0 3 1 2
        QCOMPARE(moved.labels.skeletons()[0].nodes[1], std::string("node3"));
        QCOMPARE(pointsOf(moved)[1].x, old[3].x);
        QCOMPARE(pointsOf(moved)[3].x, old[2].x);
        // Edges 0-1 1-2 2-3 now lead between the same nodes: 0-2 2-3 3-1.
        QCOMPARE(moved.labels.skeletons()[0].edges, (std::vector<Edge>{{0, 2}, {2, 3}, {3, 1}}));

        const std::size_t gone[] = {1};
        const edit::Outcome fewer = edit::removeNodes(before, 0, gone);
        QCOMPARE(pointsOf(fewer).size(), std::size_t{3});
        QCOMPARE(pointsOf(fewer)[1].x, old[2].x);
        QCOMPARE(fewer.labels.skeletons()[0].edges, (std::vector<Edge>{{1, 2}}));
        QCOMPARE(fewer.labels.instanceCount(), before.instanceCount());
    }

    void anotherSkeletonsInstancesAreLeftAlone() {
        Labels labels = test::project(2, 1, 0, 3);
        labels.editSkeletons().push_back(test::chainSkeleton(2));
        InstanceData other;
        other.header.skeleton = 1;
        other.points = {{1, 2, 0, true, false}, {3, 4, 0, true, false}};
        labels.appendFrame({0, 1000, {other}, -1});
        const edit::Outcome outcome = edit::addNode(labels, 0, "x");
        QCOMPARE(outcome.labels.frame(2).instance(0).points.size(), std::size_t{2});
        QCOMPARE(outcome.labels.frame(0).instance(0).points.size(), std::size_t{4});
    }

    void lossIsCountedBeforeAnythingGoes() {
        const Labels labels = test::project(3, 1, 1, 4);
        const Skeleton next = test::chainSkeleton(2);
        const edit::SkeletonLoss loss = edit::lossByReplacing(labels, 0, next);
        QCOMPARE(loss.nodes, (std::vector<std::string>{"node2", "node3"}));
        QCOMPARE(loss.instances, std::size_t{6});
        QCOMPARE(loss.points, std::size_t{12});
        QCOMPARE(edit::replaceSkeleton(labels, 0, next).labels.frame(0).instance(0).points.size(), std::size_t{2});
        const std::size_t one[] = {0};
        QCOMPARE(edit::lossByRemoving(labels, 0, one).points, std::size_t{6});
    }

    void whatCannotBeChangesNothing() {
        const Labels labels = test::project(1, 1, 0, 3);
        QCOMPARE(edit::addNode(labels, 0, "node1").changed, std::size_t{0});
        QCOMPARE(edit::addNode(labels, 0, "").changed, std::size_t{0});
        QCOMPARE(edit::addNode(labels, 7, "x").changed, std::size_t{0});
        QCOMPARE(edit::renameNode(labels, 0, 0, "node2").changed, std::size_t{0});
        QCOMPARE(edit::addEdge(labels, 0, {0, 1}).changed, std::size_t{0});
        QCOMPARE(edit::addEdge(labels, 0, {1, 1}).changed, std::size_t{0});
        QCOMPARE(edit::addEdge(labels, 0, {0, 5}).changed, std::size_t{0});
        QCOMPARE(edit::setSymmetry(labels, 0, 1, 1).changed, std::size_t{0});
        QCOMPARE(edit::moveVideo(labels, 0, 3).changed, std::size_t{0});
    }

    void symmetryIsOfTwo() {
        const Labels labels = test::project(1, 1, 0, 4);
        Labels next = edit::setSymmetry(labels, 0, 0, 1).labels;
        next = edit::setSymmetry(next, 0, 2, 1).labels;  // 1 leaves 0
        QVERIFY(!edit::symmetryOf(next.skeletons()[0], 0));
        QCOMPARE(*edit::symmetryOf(next.skeletons()[0], 1), std::size_t{2});
        next = edit::setSymmetry(next, 0, 2, std::nullopt).labels;
        QVERIFY(next.skeletons()[0].symmetries.empty());
    }

    void videosLeaveWithWhatBelongsToThem() {
        const Labels before = threeVideos();
        const std::size_t gone[] = {1};
        const edit::VideoContents contents = edit::contentsOf(before, gone);
        QCOMPARE(contents.frames, std::size_t{1});
        QCOMPARE(contents.userInstances, std::size_t{1});
        QCOMPARE(contents.predictions, std::size_t{1});
        QCOMPARE(contents.suggestions, std::size_t{1});
        QCOMPARE(contents.negatives, std::size_t{1});
        const Labels after = edit::removeVideos(before, gone).labels;
        QCOMPARE(after.videos().size(), std::size_t{2});
        QCOMPARE(after.videos()[1].filename, std::string("third.mp4"));
        QCOMPARE(after.frameCount(), before.frameCount() - 1);
        QCOMPARE(after.rowsOf(1).size(), std::size_t{2});
        QCOMPARE(after.frame(*after.findFrame(1, 1)).video(), 1U);
        QCOMPARE(after.suggestions().size(), std::size_t{2});
        QCOMPARE(after.suggestions()[1].video, 1U);
        QCOMPARE(after.negativeFrames().size(), std::size_t{1});
        QCOMPARE(after.negativeFrames()[0].first, 1U);
    }

    void videosMoveWithWhatBelongsToThem() {
        const Labels before = threeVideos();
        const Labels after = edit::moveVideo(before, 2, 0).labels;  // third, made, second
        QCOMPARE(after.videos()[0].filename, std::string("third.mp4"));
        QCOMPARE(after.rowsOf(0).size(), std::size_t{2});
        QCOMPARE(after.rowsOf(1).size(), std::size_t{5});
        QCOMPARE(after.suggestions()[0].video, 1U);
        QCOMPARE(after.suggestions()[2].video, 0U);
        QCOMPARE(fingerprintOfAll(edit::moveVideo(after, 0, 2).labels), fingerprintOfAll(before));
        // A frame added afterwards lands in the right list.
        Labels more = after;
        more.appendFrame({0, 50, {}, -1});
        QCOMPARE(more.rowsOf(0).size(), std::size_t{3});
    }

    // U-01: a step is taken back by keeping the value from before; whatever later edits share with it, it stays.
    void U_01_everyEarlierStateIsKeptByteForByte() {
        std::mt19937 random(31);
        std::vector<Labels> states{threeVideos()};
        std::vector<std::uint64_t> prints{fingerprintOfAll(states[0])};
        std::size_t steps = 0;
        for (int i = 0; i < 3000; ++i) {
            edit::Outcome outcome = randomListEdit(states.back(), random);
            if (outcome.changed == 0)
                continue;
            ++steps;
            for (std::size_t row = 0; row < outcome.labels.frameCount(); ++row) {
                const FrameView frame = outcome.labels.frame(row);
                QVERIFY(frame.video() < outcome.labels.videos().size());
                for (std::size_t k = 0; k < frame.instanceCount(); ++k)
                    QCOMPARE(frame.instance(k).points.size(), outcome.labels.skeletons()[0].nodes.size());
            }
            states.push_back(std::move(outcome.labels));
            prints.push_back(fingerprintOfAll(states.back()));
        }
        QVERIFY(steps > 500);
        for (std::size_t i = states.size(); i-- > 0;)
            QCOMPARE(fingerprintOfAll(states[i]), prints[i]);
    }
};

QTEST_APPLESS_MAIN(TestListEdits)
#include "tst_list_edits.moc"
