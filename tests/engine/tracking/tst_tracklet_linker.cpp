// SPDX-License-Identifier: BSD-3-Clause
// Cutting tracks into tracklets and joining them.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <random>
#include <set>

#include "engine/tracking/detail/min_cost_flow.h"
#include "engine/tracking/track_labels.h"
#include "engine/tracking/tracklet_linker.h"

using namespace skein;
using namespace skein::tracking;

namespace {

struct Seen {
    double x = 0, y = 0;
    int track = -1;
    float size = std::numeric_limits<float>::quiet_NaN();
};

PlacedVideo video(const std::vector<std::vector<Seen>>& frames) {
    PlacedVideo out;
    out.bodySize = 20;
    out.stepP95 = 4;
    for (std::size_t f = 0; f < frames.size(); ++f) {
        for (const Seen& seen : frames[f])
            out.instances.push_back({seen.x, seen.y, seen.size, seen.track});
        out.ends.push_back(out.instances.size());
        out.steps.push_back(static_cast<std::int64_t>(f));
    }
    return out;
}

std::set<int> identities(const LinkOutcome& outcome) {
    std::set<int> found(outcome.identity.begin(), outcome.identity.end());
    found.erase(-1);
    return found;
}

}  // namespace

class TestTrackletLinker : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aBrokenTrackIsJoined() {
        std::vector<std::vector<Seen>> frames(60);
        for (int f = 0; f < 60; ++f)
            if (f < 20 || f >= 32)
                frames[static_cast<std::size_t>(f)] = {{3.0 * f, 50, f < 20 ? 0 : 1}};
        const LinkOutcome outcome = linkTracklets(video(frames));
        QCOMPARE(outcome.tracklets.list.size(), std::size_t{2});
        QCOMPARE(outcome.joins.size(), std::size_t{1});
        QVERIFY(outcome.joins[0].margin > 3);
        QCOMPARE(identities(outcome), std::set<int>{0});
    }

    void whatIsTooFarIsNot() {
        std::vector<std::vector<Seen>> frames(60);
        for (int f = 0; f < 60; ++f)
            frames[static_cast<std::size_t>(f)] = {{f < 20 ? 0.0 : 900.0, 50, f < 20 ? 0 : 1}};
        QCOMPARE(identities(linkTracklets(video(frames))).size(), std::size_t{2});
    }

    /// Two candidates as near as each other: without a known number nobody is guessed.
    void aDoubtfulJoinIsNotMade() {
        std::vector<std::vector<Seen>> frames(60);
        for (int f = 0; f < 60; ++f)
            if (f < 20)
                frames[static_cast<std::size_t>(f)] = {{100, 100, 0}};
            else if (f >= 30)
                frames[static_cast<std::size_t>(f)] = {{85, 100, 1}, {115, 100, 2}};
        QCOMPARE(identities(linkTracklets(video(frames))).size(), std::size_t{3});
        LinkOptions two;
        two.animals = 2;
        const LinkOutcome known = linkTracklets(video(frames), two);
        QCOMPARE(identities(known).size(), std::size_t{2});
        QCOMPARE(known.untracked, 0);
    }

    /// It is found in two pieces for some steps; then the track of the second one has it alone.
    void aTrackThatTookAnAnimalOverIsItsContinuation() {
        std::vector<std::vector<Seen>> frames(100);
        for (int f = 0; f < 100; ++f) {
            if (f < 50)
                frames[static_cast<std::size_t>(f)].push_back({2.0 * f, 50, 0});
            if (f >= 44)
                frames[static_cast<std::size_t>(f)].push_back({2.0 * f + (f < 50 ? 9 : 0), 50, 1});
        }
        LinkOptions one;
        one.animals = 1;
        const auto trackedFrames = [&frames](const LinkOutcome& outcome) {
            std::size_t i = 0, count = 0;
            for (const auto& seen : frames)
                for (std::size_t k = 0; k < seen.size(); ++k)
                    count += outcome.identity[i++] >= 0 ? 1 : 0;
            return count;
        };
        QVERIFY(trackedFrames(linkTracklets(video(frames), one)) < 60);  // one of the two alone
        one.tracklets.takeOver = 25;
        const LinkOutcome outcome = linkTracklets(video(frames), one);
        QCOMPARE(trackedFrames(outcome), std::size_t{100});
        QCOMPARE(identities(outcome), std::set<int>{0});
        // Where the number of animals is not known it goes on as well.
        LinkOptions open;
        open.tracklets.takeOver = 25;
        QCOMPARE(linkTracklets(video(frames), open).identity.back(), 0);
    }

    /// Two animals pass each other and the tracker lets them exchange identities.
    void aSwapIsUndone() {
        std::vector<std::vector<Seen>> frames;
        for (int f = 0; f < 60; ++f) {
            const bool after = f >= 30;
            frames.push_back({{4.0 * f, 40, after ? 1 : 0}, {240 - 4.0 * f, 52, after ? 0 : 1}});
        }
        const LinkOutcome outcome = linkTracklets(video(frames));
        QCOMPARE(outcome.tracklets.doubtfulMeetings, 1);
        for (std::size_t f = 0; f < 60; ++f) {
            QCOMPARE(outcome.identity[2 * f], 0);
            QCOMPARE(outcome.identity[2 * f + 1], 1);
        }
    }

    /// What two lengths say counts where places say nothing.
    void lengthsTellAnimalsApart() {
        std::vector<std::vector<Seen>> frames(60);
        const float small = std::log(20.0F);
        const float large = std::log(30.0F);
        for (int f = 0; f < 60; ++f) {
            const float wobble = 0.02F * static_cast<float>(f % 3 - 1);
            if (f < 20)
                frames[static_cast<std::size_t>(f)] = {{90, 100, 0, small + wobble}, {110, 100, 1, large + wobble}};
            else if (f >= 40)
                frames[static_cast<std::size_t>(f)] = {{101, 90, 2, large + wobble}, {99, 110, 3, small + wobble}};
        }
        const LinkOutcome outcome = linkTracklets(video(frames));
        QCOMPARE(outcome.identity.back(), 0);
        QCOMPARE(outcome.identity[outcome.identity.size() - 2], 1);
    }

    /// Three animals at a time, one of them a mistake that comes and goes.
    void aKnownNumberLeavesMistakesOut() {
        std::vector<std::vector<Seen>> frames;
        for (int f = 0; f < 90; ++f) {
            frames.push_back({{2.0 * f, 40, f < 45 ? 0 : 4}, {2.0 * f, 200, 1}});
            if (f % 10 < 3)
                frames.back().push_back({500, 500, 10 + f / 10});
        }
        LinkOptions two;
        two.animals = 2;
        const LinkOutcome outcome = linkTracklets(video(frames), two);
        QCOMPARE(identities(outcome), (std::set<int>{0, 1}));
        QCOMPARE(outcome.untracked, 27);
    }

    /// An animal that hides and comes back elsewhere is the one that was missing.
    void aKnownNumberFindsTheMissingOne() {
        std::vector<std::vector<Seen>> frames(100);
        for (int f = 0; f < 100; ++f) {
            auto& frame = frames[static_cast<std::size_t>(f)];
            frame.push_back({50, 50, 0});
            if (f < 30)
                frame.push_back({300, 300, 1});
            if (f >= 60)
                frame.push_back({800, 100, 2});
        }
        LinkOptions two;
        two.animals = 2;
        QCOMPARE(identities(linkTracklets(video(frames), two)), (std::set<int>{0, 1}));
    }

    void theCheapestFlowWins() {
        for (const int units : {1, 2}) {
            MinCostFlow flow(4);
            const std::size_t a = flow.addEdge(0, 1, 1, 1);
            const std::size_t b = flow.addEdge(0, 2, 1, 4);
            const std::size_t c = flow.addEdge(1, 2, 1, -3);
            const std::size_t d = flow.addEdge(1, 3, 1, 5);
            const std::size_t e = flow.addEdge(2, 3, 1, 1);
            flow.send(units);
            // The second unit takes the middle back.
            QCOMPARE(flow.carries(c), units == 1);
            QCOMPARE(flow.carries(b) && flow.carries(d), units == 2);
            QVERIFY(flow.carries(a) && flow.carries(e));
        }
    }

    /// Twice the frames, about twice the time: nothing looks back over the whole history.
    void timeGrowsWithFrames_data() {
        QTest::addColumn<QString>("tracker");
        for (const char* name : {"classic", "sort", "bytetrack", "ocsort"})
            QTest::newRow(name) << name;
    }
    void timeGrowsWithFrames() {
        QFETCH(QString, tracker);
        const auto seconds = [&tracker](int count) {
            std::mt19937 random(5);
            std::normal_distribution<double> noise(0, 0.5);
            project::Labels labels;
            project::Skeleton skeleton;
            skeleton.nodes = {"a", "b", "c"};
            labels.editSkeletons().push_back(skeleton);
            labels.editVideos().push_back({});
            for (int f = 0; f < count; ++f) {
                project::FrameData frame;
                frame.frameIndex = f;
                for (int animal = 0; animal < 5; ++animal) {
                    if (random() % 20 == 0)
                        continue;
                    project::InstanceData instance;
                    instance.header.score = 0.9F;
                    const double x = 300 + 250 * std::sin(0.01 * f + animal) + noise(random);
                    const double y = 300 + 250 * std::cos(0.013 * f + 2 * animal) + noise(random);
                    for (int k = 0; k < 3; ++k) {
                        project::Point point;
                        point.x = x + 10 * k;
                        point.y = y + 7 * (k % 2);
                        point.score = 0.8;
                        point.visible = true;
                        instance.points.push_back(point);
                    }
                    frame.instances.push_back(instance);
                }
                labels.appendFrame(std::move(frame));
            }
            TrackerOptions options;
            options.tracker = parseTracker(tracker.toStdString()).value();
            options.linkTracklets = true;
            const auto resolved = resolveOptions(options, factsOf(labels.skeletons())).value();
            const std::clock_t begin = std::clock();  // of this process: others on the machine do not count
            const bool done = trackLabels(labels, resolved).has_value();
            const double spent = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
            return done ? spent : -1.0;
        };
        // The least of three each: other work on the machine only ever adds.
        const auto least = [&seconds](int frames) {
            return std::min({seconds(frames), seconds(frames), seconds(frames)});
        };
        const double few = least(2000);
        const double many = least(8000);
        QVERIFY(few > 0 && many > 0);
        qInfo("%.1f and %.1f us a frame", few / 2000 * 1e6, many / 8000 * 1e6);
        // Four times the frames; a rescan of the history would take sixteen times as long.
        QVERIFY(many < 8 * few);
    }
};

QTEST_APPLESS_MAIN(TestTrackletLinker)
#include "tst_tracklet_linker.moc"
