// SPDX-License-Identifier: BSD-3-Clause
#include <QTest>

#include "engine/project/find.h"
#include "tests/engine/project/edit_helpers.h"

using namespace skein;
using namespace skein::project;

class TestFind : public QObject {
    Q_OBJECT

    /// Frame 0: nothing. 1: user "a" at (10, 10). 2: predictions "a" (12, 10) score 0.2 and "b" (20, 10) score 0.9, of
    /// which "b" lacks its second node. 4: a user instance "a" (40, 10) made from the prediction beside it. Video 1,
    /// frame 0: a prediction without track. Negative: (0, 0) and (0, 7), the latter without a record.
    static Labels made() {
        Labels labels;
        labels.editVideos().resize(2);
        labels.editSkeletons().push_back(test::chainSkeleton(2));
        labels.editTracks() = {{"a", 0, -1}, {"b", 0, -1}};
        const auto instance = [](InstanceKind kind, int track, double x, float score, bool second = true) {
            InstanceData data;
            data.header.kind = kind;
            data.header.track = track;
            data.header.score = score;
            data.points = {{x, 9, 0.5, true, false}, {second ? x : kNaN, 11, 0.5, second, false}};
            return data;
        };
        labels.appendFrame({0, 0, {}, -1});
        labels.appendFrame({0, 1, {instance(InstanceKind::User, 0, 10, 0)}, -1});
        labels.appendFrame(
            {0,
             2,
             {instance(InstanceKind::Predicted, 0, 12, 0.2F), instance(InstanceKind::Predicted, 1, 20, 0.9F, false)},
             -1});
        auto prediction = instance(InstanceKind::Predicted, 0, 41, 0.1F);
        prediction.header.id = 500;
        auto user = instance(InstanceKind::User, 0, 40, 0);
        user.header.fromPredicted = 500;
        labels.appendFrame({0, 4, {prediction, user}, -1});
        labels.appendFrame({1, 0, {instance(InstanceKind::Predicted, -1, 300, 0.5F)}, -1});
        labels.editNegativeFrames() = {{0, 7}, {0, 0}};
        return labels;
    }
    using Frames = std::vector<std::int64_t>;
    /// Frames found, those of video 1 as 100 + frame.
    static Frames find(const std::vector<FindCondition>& conditions, std::optional<std::uint32_t> video = {}) {
        Frames frames;
        const auto found = findFrames(made(), conditions, video);
        for (const FoundFrame& f : *found)
            frames.push_back(f.frame + 100 * f.video);
        return frames;
    }
    static FindCondition by(FindBy what, double limit = 0) {
        FindCondition condition;
        condition.by = what;
        condition.limit = limit;
        return condition;
    }

private Q_SLOTS:
    void kinds() {
        QCOMPARE(find({by(FindBy::User)}), (Frames{1, 4}));
        QCOMPARE(find({by(FindBy::Predicted)}), (Frames{2, 100}));  // frame 4's was accepted
        QCOMPARE(find({by(FindBy::Empty)}), (Frames{0}));
        QCOMPARE(find({by(FindBy::Negative)}), (Frames{0, 7}));
        QCOMPARE(find({by(FindBy::Predicted)}, 0), (Frames{2}));
        QCOMPARE(find({}), Frames{});
    }
    void counts() {
        FindCondition count = by(FindBy::InstanceCount);
        count.number = 1;
        QCOMPARE(find({count}), (Frames{1, 4, 100}));
        count.compare = Compare::Greater;
        QCOMPARE(find({count}), (Frames{2}));
        count.compare = Compare::Less;
        QCOMPARE(find({count}), (Frames{0, 7}));  // a marked frame without a record has none either
    }
    void scoresAndNodes() {
        QCOMPARE(find({by(FindBy::ScoreBelow, 0.3)}), (Frames{2}));
        FindCondition node = by(FindBy::NodeInvisible);
        node.node = "node1";
        QCOMPARE(find({node}), (Frames{2}));
        node.node = "node0";
        QCOMPARE(find({node}), Frames{});
        node.node = "no such node";
        QCOMPARE(find({node}), Frames{});
    }
    void tracks() {
        FindCondition track = by(FindBy::Track);
        track.track = "b";
        QCOMPARE(find({track}), (Frames{2}));
        track.negated = true;
        QCOMPARE(find({track}), (Frames{0, 1, 4, 7, 100}));
        track.track = "nobody";
        track.negated = false;
        QCOMPARE(find({track}), Frames{});
    }
    // a: 10 -> 12 in one frame: 2 px; 12 -> 40 in two frames: 14 px a frame.
    void speedIsPerFrame() {
        QCOMPARE(find({by(FindBy::SpeedAbove, 1.9)}), (Frames{2, 4}));
        QCOMPARE(find({by(FindBy::SpeedAbove, 2.1)}), (Frames{4}));
        QCOMPARE(find({by(FindBy::SpeedAbove, 14.1)}), Frames{});
    }
    // On frame 2 the centres are (12, 10) and (20, 9), since one node of b is not there: 8.06 px.
    void distanceOfTracks() {
        FindCondition close = by(FindBy::TracksClose, 8.1);
        close.track = "b";
        close.otherTrack = "a";
        QCOMPARE(find({close}), (Frames{2}));
        close.limit = 8.0;
        QCOMPARE(find({close}), Frames{});
    }
    void regionAndTogether() {
        FindCondition inside = by(FindBy::Inside);
        inside.region = {0, 0, 15, 15};
        QCOMPARE(find({inside}), (Frames{1, 2}));
        QCOMPARE(find({inside, by(FindBy::User)}), (Frames{1}));
        FindCondition notUser = by(FindBy::User);
        notUser.negated = true;
        QCOMPARE(find({notUser, inside}), (Frames{2}));
    }
    void stopped() {
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(findFrames(made(), {by(FindBy::User)}, {}, stop.get_token()).error().code(), ErrorCode::Cancelled);
    }
    // The parts of a large project are searched at the same time and come back in order.
    void manyFramesComeInOrder() {
        const Labels labels = test::project(20000, 0, 3, 2);
        const auto found = findFrames(labels, {by(FindBy::Predicted)});
        QCOMPARE(found->size(), std::size_t{20000});
        for (std::size_t i = 0; i < found->size(); ++i)
            QCOMPARE((*found)[i], (FoundFrame{0, static_cast<std::int64_t>(i), 3}));
    }
};

QTEST_APPLESS_MAIN(TestFind)
#include "tst_find.moc"
