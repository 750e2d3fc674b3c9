// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <ctime>
#include <set>

#include "engine/proofread/apply_fix.h"
#include "engine/proofread/issues.h"
#include "tests/engine/proofread/made_tracks.h"
#include "tests/support/track_scenes.h"

using namespace skein;
using namespace skein::test;
using proofread::Fix;
using proofread::Issue;
using proofread::IssueKind;

namespace {

std::vector<Issue> found(const project::Labels& labels, const proofread::IssueOptions& options = {}) {
    auto issues = proofread::findIssues(labels, options);
    return issues ? *issues : std::vector<Issue>{};
}

std::string textOf(const std::vector<Issue>& issues) {
    std::string text;
    for (const Issue& issue : issues) {
        text += std::string(proofread::nameOf(issue.kind)) + " " + std::to_string(issue.first) + " " +
                std::to_string(issue.frame) + " " + std::to_string(issue.last) + " " + std::to_string(issue.severity) +
                " " + issue.reason;
        for (const std::int32_t track : issue.tracks)
            text += " t" + std::to_string(track);
        for (const project::InstanceId id : issue.instances)
            text += " i" + std::to_string(id);
        text += "\n";
    }
    return text;
}

/// Changes the instance of a track on one frame.
template <class Change>
project::Labels withInstance(const project::Labels& labels, std::int64_t frame, std::int32_t track, Change change) {
    project::FrameData data = edit::frameAt(labels, 0, frame);
    for (project::InstanceData& instance : data.instances)
        if (instance.header.track == track)
            change(instance);
    return edit::withFrame(labels, data);
}

}  // namespace

class TestIssues : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // P-05
    void injectedSwapsAreAtTheTopOfTheList() {
        int swaps = 0, onTop = 0;
        for (const std::uint32_t seed : {11U, 12U, 13U, 14U, 15U}) {
            project::Labels labels = makeTracks({4, 1500, seed, 40, 200, 0.5, 0.03});
            const auto clean = found(labels);
            std::size_t doubtful = 0;
            for (const Issue& issue : clean)
                doubtful += issue.severity > 0.3 ? 1 : 0;
            if (doubtful > 3)
                qWarning("%s",
                         textOf(std::vector<Issue>(clean.begin(), clean.begin() + std::ptrdiff_t(doubtful))).c_str());
            QVERIFY2(doubtful <= 3, std::to_string(doubtful).c_str());

            std::mt19937 random(seed);
            std::vector<std::pair<std::int64_t, std::set<std::int32_t>>> injected;
            for (int k = 0; k < 20; ++k) {
                const std::int64_t frame = 30 + 72 * k + static_cast<std::int64_t>(random() % 40);
                const auto a = static_cast<std::int32_t>(random() % 4);
                const auto b = static_cast<std::int32_t>((static_cast<unsigned>(a) + 1 + random() % 3) % 4);
                labels = edit::transposeTracks(labels, 0, {frame, edit::kToEnd}, a, b).labels;
                injected.push_back({frame, {a, b}});
            }
            const auto issues = found(labels);
            for (const auto& [frame, tracks] : injected) {
                ++swaps;
                for (std::size_t i = 0; i < std::min<std::size_t>(40, issues.size()); ++i)
                    if (issues[i].fix.kind == Fix::Kind::Swap && std::abs(issues[i].frame - frame) <= 1 &&
                        std::set<std::int32_t>{issues[i].fix.a, issues[i].fix.b} == tracks) {
                        ++onTop;
                        break;
                    }
            }
        }
        qInfo("%d of %d swaps in the first 40", onTop, swaps);
        QVERIFY(onTop * 100 >= swaps * 95);
    }

    // P-07, the engine's half
    void acceptingASwapClosesTheIssueAndTakingItBackReopensIt() {
        const project::Labels truth = makeTracks({4, 400, 3, 40, 200, 0.5, 0.03});
        const project::Labels labels = edit::transposeTracks(truth, 0, {200, edit::kToEnd}, 1, 2).labels;
        proofread::IssueFinder finder;
        const auto before = *finder.find(labels);
        QVERIFY(!before.empty());
        const Issue& top = before.front();
        QCOMPARE(top.kind, IssueKind::Swap);
        QCOMPARE(top.frame, std::int64_t{200});
        const auto fixed = proofread::applyFix(labels, top);
        const auto after = *finder.find(fixed.labels);
        for (const Issue& issue : after)
            QVERIFY(issue.kind != IssueKind::Swap || std::abs(issue.frame - 200) > 5);
        QCOMPARE(textOf(*finder.find(labels)), textOf(before));
    }

    void aJumpIsFound() {
        project::Labels labels = makeTracks({2, 300, 5, 40, 200, 0.5, 0.03});
        labels = withInstance(labels, 150, 1, [](project::InstanceData& instance) {
            for (project::Point& p : instance.points)
                p.x += 70;
        });
        const auto jumps = ofKind(found(labels), IssueKind::Jump);
        QVERIFY(!jumps.empty());
        QVERIFY(std::abs(jumps.front().frame - 150) <= 1);
        QCOMPARE(jumps.front().tracks, std::vector<std::int32_t>{1});
    }

    void aTrackThatBreaksOffIsToBeJoined() {
        project::Labels labels = makeTracks({3, 300, 6, 40, 200, 0.5, 0.03});
        labels = edit::splitTrack(labels, {0, 120, labels.frame(120).instance(1).header->id}).labels;
        labels = edit::clearTrack(labels, 0, 1, {110, 119}, true).labels;
        const auto breaks = ofKind(found(labels), IssueKind::Break);
        QCOMPARE(breaks.size(), std::size_t{1});
        QCOMPARE(breaks[0].tracks, (std::vector<std::int32_t>{1, 3}));
        QCOMPARE(breaks[0].first, std::int64_t{109});
        QCOMPARE(breaks[0].frame, std::int64_t{120});
        const project::Labels joined = proofread::applyFix(labels, breaks[0]).labels;
        QCOMPARE(joined.tracks().size(), std::size_t{3});
        QVERIFY(ofKind(found(joined), IssueKind::Break).empty());
    }

    void aShortTrackIsFound() {
        project::Labels labels = makeTracks({2, 300, 7, 40, 200, 0.5, 0.03});
        project::FrameData frame = edit::frameAt(labels, 0, 100);
        project::InstanceData ghost = frame.instances[0];
        labels.editTracks().push_back({"ghost", 100, -1});
        ghost.header.id = 0;
        ghost.header.track = 2;
        for (project::Point& p : ghost.points)
            p.x += 300;
        frame.instances.push_back(ghost);
        labels = edit::withFrame(labels, frame);
        const auto issues = found(labels);
        const auto shorts = ofKind(issues, IssueKind::ShortTrack);
        QCOMPARE(shorts.size(), std::size_t{1});
        QCOMPARE(shorts[0].tracks, std::vector<std::int32_t>{2});
        const auto counts = ofKind(issues, IssueKind::CountChange);
        QCOMPARE(counts.size(), std::size_t{1});
        QCOMPARE(counts[0].first, std::int64_t{100});
        QCOMPARE(counts[0].last, std::int64_t{100});
    }

    void aDuplicateIsFoundAndTheLesserOneGoes() {
        project::Labels labels = makeTracks({2, 300, 8, 40, 200, 0.5, 0.03});
        labels.editTracks().push_back({"double", 0, -1});
        std::vector<project::InstanceId> doubles;
        for (std::int64_t f = 100; f < 104; ++f) {
            project::FrameData frame = edit::frameAt(labels, 0, f);
            project::InstanceData twin = frame.instances[0];
            twin.header.id = 0;
            twin.header.track = 2;
            for (project::Point& p : twin.points)
                p.x += 1;
            frame.instances.push_back(twin);
            labels = edit::withFrame(labels, frame);
            doubles.push_back(edit::frameAt(labels, 0, f).instances.back().header.id);
        }
        const auto duplicates = ofKind(found(labels), IssueKind::Duplicate);
        QCOMPARE(duplicates.size(), std::size_t{1});
        QCOMPARE(duplicates[0].first, std::int64_t{100});
        QCOMPARE(duplicates[0].last, std::int64_t{103});
        QVERIFY(duplicates[0].severity > 0.8);
        std::sort(doubles.begin(), doubles.end());
        QCOMPARE(duplicates[0].fix.instances, doubles);
        const project::Labels fixed = proofread::applyFix(labels, duplicates[0]).labels;
        QCOMPARE(fixed.instanceCount(), std::size_t{600});
        QVERIFY(ofKind(found(fixed), IssueKind::Duplicate).empty());
    }

    void aPredictionAndTheUserInstanceMadeFromItAreNoDuplicate() {
        project::Labels labels = makeTracks({2, 100, 8, 40, 200, 0.5, 0.03});
        project::FrameData frame = edit::frameAt(labels, 0, 50);
        project::InstanceData mine = frame.instances[0];
        mine.header.kind = project::InstanceKind::User;
        mine.header.fromPredicted = mine.header.id;
        mine.header.id = 0;
        frame.instances.push_back(mine);
        labels = edit::withFrame(labels, frame);
        const auto issues = found(labels);
        QVERIFY(ofKind(issues, IssueKind::Duplicate).empty());
        QVERIFY(ofKind(issues, IssueKind::CountChange).empty());
    }

    void exchangedSidesAreFoundAndSetRight() {
        const project::Labels truth = makeTracks({2, 300, 9, 40, 200, 0.5, 0.03});
        const project::Labels labels = edit::flipSides(truth, 0, 1, {150, 153}).labels;
        const auto flips = ofKind(found(labels), IssueKind::Flip);
        QCOMPARE(flips.size(), std::size_t{1});
        QCOMPARE(flips[0].first, std::int64_t{150});
        QCOMPARE(flips[0].last, std::int64_t{153});
        QCOMPARE(flips[0].tracks, std::vector<std::int32_t>{1});
        const project::Labels fixed = proofread::applyFix(labels, flips[0]).labels;
        for (std::int64_t f = 150; f <= 153; ++f) {
            const auto row = *fixed.findFrame(0, f);
            QCOMPARE(fixed.frame(row).instance(1).points[1].x, truth.frame(row).instance(1).points[1].x);
        }
        QVERIFY(ofKind(found(truth), IssueKind::Flip).empty());
    }

    void anOddEdgeAndALowScoreAreFound() {
        project::Labels labels = makeTracks({2, 300, 10, 40, 200, 0.5, 0.03});
        labels = withInstance(labels, 80, 0, [](project::InstanceData& instance) { instance.points[3].y += 60; });
        labels = withInstance(labels, 200, 1, [](project::InstanceData& instance) {
            for (project::Point& p : instance.points)
                p.score = 0.05;
        });
        const auto issues = found(labels);
        const auto edges = ofKind(issues, IssueKind::EdgeLength);
        QCOMPARE(edges.size(), std::size_t{1});
        QCOMPARE(edges[0].frame, std::int64_t{80});
        QVERIFY(edges[0].reason.find("snout to tail") != std::string::npos);
        const auto low = ofKind(issues, IssueKind::LowScore);
        QVERIFY(!low.empty());
        QCOMPARE(low[0].frame, std::int64_t{200});
    }

    void meetingsAreListedForReviewAndDoNotCrowdTheTop() {
        const auto issues = found(makeTracks({4, 1000, 4, 40, 200, 0.5, 0.03}));
        const auto meetings = ofKind(issues, IssueKind::Encounter);
        QVERIFY(!meetings.empty());
        for (const Issue& meeting : meetings) {
            QCOMPARE(meeting.tracks.size(), std::size_t{2});
            QVERIFY(meeting.severity <= 0.2);
        }
    }

    // P-06
    void afterAnEditTheResultIsThatOfAFreshLook_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("clean ways") << 0;
        QTest::newRow("a noisy scene") << 1;
    }
    void afterAnEditTheResultIsThatOfAFreshLook() {
        QFETCH(const int, kind);
        project::Labels labels = kind == 0 ? makeTracks({5, 2000, 21, 40, 200, 0.5, 0.03})
                                           : makeTrackScene(trackScene(TrackSceneKind::Noisy, 21)).truth;
        const auto frames = labels.frameCount();
        std::mt19937 random(5);
        proofread::IssueFinder finder;
        QVERIFY(finder.find(labels));
        QCOMPARE(finder.framesScanned(), frames);
        const project::Labels start = labels;
        std::size_t least = frames;
        for (int step = 0; step < 60; ++step) {
            const auto frame = static_cast<std::int64_t>(random() % frames);
            const auto a = static_cast<std::int32_t>(random() % labels.tracks().size());
            const auto b = static_cast<std::int32_t>(random() % labels.tracks().size());
            const std::int64_t until = frame + static_cast<std::int64_t>(random() % 10);
            switch (random() % 6) {
                case 0:
                    labels = edit::transposeTracks(labels, 0, {frame, until}, a, b).labels;
                    break;
                case 1:
                    labels = edit::clearTrack(labels, 0, a, {frame, until}, random() % 2 == 0).labels;
                    break;
                case 2:
                    labels = edit::flipSides(labels, 0, a, {frame, until}).labels;
                    break;
                case 3:
                    labels = withInstance(labels, frame, a, [&](project::InstanceData& instance) {
                        for (project::Point& p : instance.points)
                            p.x += 25;
                    });
                    break;
                case 4: {
                    const std::size_t rows[] = {random() % labels.frameCount()};
                    labels.removeFrames(rows);
                    break;
                }
                default:
                    labels = step % 20 == 7 ? start : labels;  // as undo does
            }
            const auto again = finder.find(labels);
            QVERIFY(again);
            least = std::min(least, finder.framesScanned() == 0 ? frames : finder.framesScanned());
            QCOMPARE(textOf(*again), textOf(found(labels)));
        }
        if (kind == 0)
            QVERIFY(least < 200);
    }

    // P-06
    void aMillionInstancesTakeFiveSeconds() {
        const project::Labels labels = makeTracks({4, 250'000, 2, 40, 200, 0.5, 0.03});
        QCOMPARE(labels.instanceCount(), std::size_t{1'000'000});
        proofread::IssueFinder finder;
        const auto seconds = [](auto work) {
            const std::clock_t begin = std::clock();
            work();
            return double(std::clock() - begin) / CLOCKS_PER_SEC;
        };
        const double first = seconds([&] { QVERIFY(finder.find(labels)); });
        const project::Labels edited = edit::transposeTracks(labels, 0, {1000, 1003}, 0, 1).labels;
        const double again = seconds([&] { QVERIFY(finder.find(edited)); });
        qInfo("first %.2f s, after an edit %.2f s (%zu frames)", first, again, finder.framesScanned());
        QVERIFY(first <= 5);
        QVERIFY(finder.framesScanned() < 300);
    }

    void aStoppedSearchSaysSoAndTheNextBeginsAfresh() {
        const project::Labels labels = makeTracks({4, 5000, 2, 40, 200, 0.5, 0.03});
        proofread::IssueFinder finder;
        std::stop_source stop;
        double reached = 0;
        const auto stopped = finder.find(
            labels,
            [&](double share) {
                reached = share;
                if (share > 0.3)
                    stop.request_stop();
            },
            stop.get_token());
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code(), ErrorCode::Cancelled);
        QVERIFY(reached < 0.9);
        QCOMPARE(textOf(*finder.find(labels)), textOf(found(labels)));
    }

    void emptyAndUntrackedProjectsHaveNoDoubtsAboutTracks() {
        QVERIFY(found(project::Labels()).empty());
        const TrackScene scene = makeTrackScene(trackScene(TrackSceneKind::Walk, 2));
        for (const Issue& issue : found(scene.detections))
            QVERIFY(issue.kind == IssueKind::Duplicate || issue.kind == IssueKind::EdgeLength ||
                    issue.kind == IssueKind::LowScore || issue.kind == IssueKind::CountChange);
    }
};

QTEST_APPLESS_MAIN(TestIssues)
#include "tst_issues.moc"
