// SPDX-License-Identifier: BSD-3-Clause
#include <QTest>
#include <cmath>

#include "engine/suggestions/detail/cluster.h"
#include "engine/suggestions/suggest.h"
#include "tests/support/fake_video.h"

using namespace skein;
using namespace skein::suggestions;
using project::InstanceKind;

namespace {

/// A project of one video (or more) to which instances are added by hand.
struct Made {
    project::Labels labels;
    std::int64_t frames;
    int nodes;

    explicit Made(std::int64_t frameCount, int nodeCount = 1, int tracks = 0, int videos = 1)
        : frames(frameCount), nodes(nodeCount) {
        for (int v = 0; v < videos; ++v) {
            project::Video video;
            video.filename = "video" + std::to_string(v) + ".mp4";
            video.frameCount = frameCount;
            labels.editVideos().push_back(video);
        }
        project::Skeleton skeleton;
        for (int n = 0; n < nodeCount; ++n)
            skeleton.nodes.push_back("n" + std::to_string(n));
        labels.editSkeletons().push_back(skeleton);
        for (int t = 0; t < tracks; ++t)
            labels.editTracks().push_back({"t" + std::to_string(t), 0, -1});
    }

    project::InstanceData instance(std::vector<std::pair<double, double>> at, int track = -1, float score = 1,
                                   InstanceKind kind = InstanceKind::Predicted, double nodeScore = 0.9) const {
        project::InstanceData made;
        made.header.kind = kind;
        made.header.track = track;
        made.header.score = score;
        for (const auto& [x, y] : at)
            made.points.push_back({x, y, nodeScore, std::isfinite(x), false});
        return made;
    }
    void add(std::int64_t frame, std::vector<project::InstanceData> instances, std::uint32_t video = 0) {
        labels.appendFrame({video, frame, std::move(instances), -1});
    }
    void suggest(std::int64_t frame, std::uint32_t video = 0) {
        labels.editSuggestions().push_back({video, frame, 0, {}});
    }

    [[nodiscard]] Result<std::vector<Suggested>> full(Request request, std::stop_token stop = {}) const {
        if (request.videos.empty())
            request.videos = {0};
        Surroundings around;
        around.frameCount = [this](std::uint32_t) { return frames; };
        around.stop = stop;
        return skein::suggestions::suggest(labels, request, around);
    }
    [[nodiscard]] std::vector<std::int64_t> run(Method method) const {
        Request request;
        request.method = std::move(method);
        const auto found = full(request);
        std::vector<std::int64_t> numbers;
        if (found)
            for (const Suggested& one : *found)
                numbers.push_back(one.frame);
        return numbers;
    }
};

using Frames = std::vector<std::int64_t>;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// One bright corner, and a chequered ground: two kinds of pictures.
class TwoKinds : public test::FakeVideo {
public:
    using FakeVideo::FakeVideo;
    [[nodiscard]] Result<ImagePtr> read(video::FrameNumber frame, video::PixelFormat format,
                                        std::stop_token stop) override {
        auto base = FakeVideo::read(frame, format, stop);
        if (!base)
            return base;
        auto image = std::make_shared<Image>(**base);
        for (int y = 0; y < image->height; ++y)
            for (int x = 0; x < image->width; ++x) {
                const bool bright = frame % 10 < 7 ? x >= 24 && y >= 22 : (x / 8 + y / 8) % 2 == 0;
                image->pixels[static_cast<std::size_t>(y * image->width + x)] =
                    static_cast<std::uint8_t>((bright ? 200 : 20) + frame % 3);
            }
        return ImagePtr(std::move(image));
    }
};

}  // namespace

class TestSuggestions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // 100 frames, 4 wanted: every 25th.
    void N_08_strideTakesEveryNth() {
        QCOMPARE(Made(100).run(Sample{4, Sampling::Stride, 1}), (Frames{0, 25, 50, 75}));
        // 10 / 4 = 2 by integers: 0, 2, 4, 6, and no fifth.
        QCOMPARE(Made(10).run(Sample{4, Sampling::Stride, 1}), (Frames{0, 2, 4, 6}));
        // More wanted than there are: all of them.
        QCOMPARE(Made(3).run(Sample{20, Sampling::Stride, 1}), (Frames{0, 1, 2}));
    }

    // Frames 0, 1 and 5 of 10 are suggested: free are 2 3 4 6 7 8 9, seven; 7 / 3 = 2; the free ones of number 0, 2, 4.
    void N_08_strideCountsFreeFramesOnly() {
        Made made(10);
        for (const int frame : {5, 0, 1})
            made.suggest(frame);
        QCOMPARE(made.run(Sample{3, Sampling::Stride, 1}), (Frames{2, 4, 7}));
        Request request;
        request.method = Sample{3, Sampling::Stride, 1};
        request.replace = true;  // then nothing is taken: 10 / 3 = 3
        Frames frames;
        const auto found = made.full(request);
        for (const Suggested& one : *found)
            frames.push_back(one.frame);
        QCOMPARE(frames, (Frames{0, 3, 6}));
    }

    // Of 0, 25, 50, 75 a person labelled 25, and 50 is background.
    void framesThatPeopleDidAreSkipped() {
        Made made(100);
        made.add(25, {made.instance({{1, 1}}, -1, 0, InstanceKind::User)});
        made.add(0, {made.instance({{1, 1}})});
        made.labels.editNegativeFrames().emplace_back(0, 50);
        QCOMPARE(made.run(Sample{4, Sampling::Stride, 1}), (Frames{0, 75}));
    }

    void randomIsTheSameForASeedAndInRange() {
        const Made made(1000);
        const Frames first = made.run(Sample{20, Sampling::Random, 7});
        QCOMPARE(first.size(), std::size_t{20});
        QVERIFY(std::is_sorted(first.begin(), first.end()));
        QVERIFY(std::adjacent_find(first.begin(), first.end()) == first.end());
        QVERIFY(first.front() >= 0 && first.back() < 1000);
        QCOMPARE(made.run(Sample{20, Sampling::Random, 7}), first);
        QVERIFY(made.run(Sample{20, Sampling::Random, 8}) != first);
    }

    void spanGroupAndVideosAreKept() {
        Made made(100, 1, 0, 2);
        Request request;
        request.method = Sample{2, Sampling::Stride, 1};
        request.videos = {0, 1};
        request.span = project::edit::FrameSpan{40, 59};
        auto found = made.full(request);
        QVERIFY(found);
        QCOMPARE(found->size(), std::size_t{4});
        QCOMPARE((*found)[1].frame, std::int64_t{50});
        QCOMPARE((*found)[2].video, 1U);
        QCOMPARE((*found)[2].group, std::int64_t{1});  // the video's place
        request.group = 9;
        found = made.full(request);
        QCOMPARE((*found)[2].group, std::int64_t{9});
    }

    // Limit 3, at least 1, at most 2. Frame 0: scores 2 and 5: one low, yes. 1: 5: none. 2: 1, 2, 3: three low, too
    // many. 3: exactly 3 counts as low, yes. 4: the low one was accepted, so it is not shown; a user frame anyway.
    void N_08_predictionScoreCountsShownOnes() {
        Made made(10);
        made.add(0, {made.instance({{0, 0}}, -1, 2), made.instance({{0, 0}}, -1, 5)});
        made.add(1, {made.instance({{0, 0}}, -1, 5)});
        made.add(2, {made.instance({{0, 0}}, -1, 1), made.instance({{0, 0}}, -1, 2), made.instance({{0, 0}}, -1, 3)});
        made.add(3, {made.instance({{0, 0}}, -1, 3)});
        auto low = made.instance({{0, 0}}, -1, 1);
        low.header.id = 77;
        auto user = made.instance({{0, 0}}, -1, 0, InstanceKind::User);
        user.header.fromPredicted = 77;
        made.add(4, {low, user});
        QCOMPARE(made.run(PredictionScore{}), (Frames{0, 3}));
        QCOMPARE(made.run(PredictionScore{false, 3.0, 3, 3}), (Frames{2}));
    }

    // Mean node scores 0.9 (frame 0), 0.4 (1) and, of the two visible of three nodes, 0.5 (2): below 0.5 is frame 1.
    void meanNodeScoreIsTheSecondMode() {
        Made made(10, 3);
        made.add(0, {made.instance({{0, 0}, {1, 1}, {2, 2}}, -1, 0.1F, InstanceKind::Predicted, 0.9)});
        made.add(1, {made.instance({{0, 0}, {1, 1}, {2, 2}}, -1, 9, InstanceKind::Predicted, 0.4)});
        auto third = made.instance({{0, 0}, {1, 1}, {kNone, kNone}}, -1, 9);
        third.points[0].score = 0.3;
        third.points[1].score = 0.7;
        made.add(2, {third});
        QCOMPARE(made.run(PredictionScore{true, 0.5, 1, 2}), (Frames{1}));
    }

    // One track at x = 0, 1, 11, 11 on frames 0 to 3 of 4: d = 1, 10, 0; min 0, range 10. Over 0.1 * 10 = 1: only
    // d[1] = 10, which is frame 1, the one before the jump. At 0.05 also d[0] = 1 > 0.5.
    void N_08_velocityTakesTheFrameBeforeTheJump() {
        Made made(4, 2, 1);
        const double x[] = {0, 1, 11, 11};
        for (int f = 0; f < 4; ++f)
            made.add(f, {made.instance({{x[f], 0}, {50.0 * f, 0}}, 0)});
        QCOMPARE(made.run(Velocity{}), (Frames{1}));
        QCOMPARE(made.run(Velocity{"n0", 0.05}), (Frames{0, 1}));
        // The other node moves by 50 each time: range 0, nothing stands out.
        QCOMPARE(made.run(Velocity{"n1", 0.1}), Frames{});
    }

    // The track is away on frames 1 and 2 (where it was last counts) and comes back 8 px on: d = 0, 0, 8 -> frame 2. A
    // second track first seen on frame 2 did not jump there from nowhere.
    void N_08_velocityBridgesGaps() {
        Made made(4, 1, 2);
        made.add(0, {made.instance({{0, 0}}, 0)});
        made.add(2, {made.instance({{500, 500}}, 1)});
        made.add(3, {made.instance({{8, 0}}, 0), made.instance({{500, 500}}, 1)});
        QCOMPARE(made.run(Velocity{}), (Frames{2}));
    }

    // Track 0 lacks the node on frame 1 while track 1 jumps by 30 from 0 to 1 and 30 more from 2 to 3: the ways into
    // and out of frame 1 are unknown and count as 0, so only d[2] = 30 stands out.
    void N_08_velocityOfAnAbsentNodeIsStill() {
        Made made(4, 1, 2);
        const double y[] = {0, 30, 30, 60};
        for (int f = 0; f < 4; ++f)
            made.add(f, {made.instance({{f == 1 ? kNone : 5.0, 5}}, 0), made.instance({{0, y[f]}}, 1)});
        QCOMPARE(made.run(Velocity{}), (Frames{2}));
    }

    // Two nodes: from 0 to 1 they move by 4 and 18: mean 11 > 10 -> frame 1. From 1 to 2 by 20 and 0: mean 10, not
    // over. From 2 to 4 is no step of one frame.
    void N_08_maxPointDisplacementIsTheMeanOverNodes() {
        Made made(6, 2, 1);
        made.add(0, {made.instance({{0, 0}, {0, 0}}, 0)});
        made.add(1, {made.instance({{4, 0}, {0, 18}}, 0)});
        made.add(2, {made.instance({{24, 0}, {0, 18}}, 0)});
        made.add(4, {made.instance({{300, 0}, {300, 18}}, 0)});
        QCOMPARE(made.run(MaxPointDisplacement{}), (Frames{1}));
        QCOMPARE(made.run(MaxPointDisplacement{9}), (Frames{1, 2}));
    }

    void oneAnimalWithoutTracksIsOneTrack() {
        Made made(3, 1, 0);
        made.add(0, {made.instance({{0, 0}})});
        made.add(1, {made.instance({{50, 0}})});
        QCOMPARE(made.run(MaxPointDisplacement{}), (Frames{1}));
        made.add(2, {made.instance({{50, 0}}), made.instance({{90, 0}})});
        QCOMPARE(made.run(MaxPointDisplacement{}), Frames{});  // two animals: who is who is unknown
    }

    void N_08_chunkIsCutToTheVideo() {
        Made made(10);
        QCOMPARE(made.run(FrameChunk{7, 30}), (Frames{7, 8, 9}));
        QCOMPARE(made.run(FrameChunk{8, 7}), Frames{});
    }

    // Frame 0: 3 px apart. 1: 6 px apart. 2: two against one. 3: two pairs that agree in the other order. 4: not in the
    // other project.
    void disagreementPairsInstances() {
        Made a(10), b(10);
        a.add(0, {a.instance({{0, 0}})});
        b.add(0, {b.instance({{3, 0}})});
        a.add(1, {a.instance({{0, 0}})});
        b.add(1, {b.instance({{0, 6}})});
        a.add(2, {a.instance({{0, 0}}), a.instance({{9, 0}})});
        b.add(2, {b.instance({{0, 0}})});
        a.add(3, {a.instance({{0, 0}}), a.instance({{90, 0}})});
        b.add(3, {b.instance({{91, 0}}), b.instance({{0, 1}})});
        a.add(4, {a.instance({{0, 0}})});
        const auto other = std::make_shared<const project::Labels>(b.labels);
        QCOMPARE(a.run(Disagreement{other, 5}), (Frames{1, 2}));
        QCOMPARE(a.run(Disagreement{other, 2}), (Frames{0, 1, 2}));
        Request request;
        request.method = Disagreement{};
        QCOMPARE(a.full(request).error().code(), ErrorCode::InvalidArgument);
    }

    // Nine straight chains of three nodes, turned and shifted differently, and two that are bent: the more bent one
    // first. Straight ones differ by nothing but rounding.
    void noveltyFindsTheBentOnes() {
        Made made(20, 3);
        for (int f = 0; f < 9; ++f) {
            const double a = f * 0.6, c = std::cos(a) * 10, s = std::sin(a) * 10;
            made.add(f, {made.instance({{50 + f - c, 50 - s}, {50.0 + f, 50}, {50 + f + c, 50 + s}})});
        }
        made.add(12, {made.instance({{40, 50}, {50, 50}, {58, 56}})});
        made.add(15, {made.instance({{40, 50}, {50, 50}, {50, 60}})});
        const Frames found = made.run(PoseNovelty{2});
        QCOMPARE(found, (Frames{15, 12}));
        // Once a person labelled a right angle, that is no news.
        made.add(18, {made.instance({{20, 30}, {20, 20}, {30, 20}}, -1, 0, InstanceKind::User)});
        const Frames after = made.run(PoseNovelty{1});
        QCOMPARE(after.size(), std::size_t{1});
        QVERIFY(after.front() != 15);
    }

    void instanceCountNamesTheOthers() {
        Made made(10);
        made.add(0, {made.instance({{0, 0}}), made.instance({{0, 0}})});
        made.add(1, {made.instance({{0, 0}})});
        made.add(2, {});
        QCOMPARE(made.run(InstanceCount{2}), (Frames{1, 2}));
    }

    // 7 of 10 pictures are of one kind, 3 of the other: two clusters of exactly these.
    void pictureClustersAreTheTwoKinds_data() {
        QTest::addColumn<int>("feature");
        QTest::newRow("raw") << int(ImageFeatures::Feature::Raw);
        QTest::newRow("hog") << int(ImageFeatures::Feature::Hog);
        QTest::newRow("orb-like") << int(ImageFeatures::Feature::OrbLike);
    }
    void pictureClustersAreTheTwoKinds() {
        QFETCH(int, feature);
        Made made(40);
        ImageFeatures method;
        method.feature = static_cast<ImageFeatures::Feature>(feature);
        method.clusters = 2;
        method.perCluster = 100;
        method.components = 2;
        Request request;
        request.method = method;
        request.videos = {0};
        Surroundings around;
        around.frameCount = [](std::uint32_t) { return std::int64_t{40}; };
        around.open = [](std::uint32_t) -> Result<std::shared_ptr<video::VideoSource>> {
            auto pictures = std::make_shared<TwoKinds>(40, 64, 48);
            pictures->broken.insert(3);
            return std::shared_ptr<video::VideoSource>(pictures);
        };
        double last = 0;
        around.progress = [&last](double share) {
            QVERIFY(share >= last && share <= 1);
            last = share;
        };
        const auto found = suggestions::suggest(made.labels, request, around);
        QVERIFY(found);
        QCOMPARE(found->size(), std::size_t{39});  // all but the damaged one
        QCOMPARE(last, 1.0);
        for (const Suggested& one : *found)
            QCOMPARE(one.group == found->front().group, one.frame % 10 < 7);
        std::stop_source stopped;
        stopped.request_stop();
        around.stop = stopped.get_token();
        QCOMPARE(suggestions::suggest(made.labels, request, around).error().code(), ErrorCode::Cancelled);
    }

    void mostOfPictures() {
        ImageFeatures method;
        QCOMPARE(mostOf(method, 3), std::int64_t{75});
        method.acrossVideos = true;
        QCOMPARE(mostOf(method, 3), std::int64_t{25});
    }

    // Points on a line (1, 1)t, t = -3, -1, 1, 3: the first component is all there is: t * sqrt(2), up to sign.
    void principalScoresOfALine() {
        const double t[] = {-3, -1, 1, 3};
        const auto scores = detail::principalScores(
            4, 2, [&](std::size_t a, std::size_t b) { return (5 + t[a]) * (5 + t[b]) + (2 + t[a]) * (2 + t[b]); });
        for (std::size_t r = 0; r < 4; ++r) {
            QVERIFY(std::abs(std::abs(scores.row(r)[0]) - std::abs(t[r]) * std::sqrt(2.0)) < 1e-9);
            QVERIFY(std::abs(scores.row(r)[1]) < 1e-5);
        }
    }

    void stoppedMeansCancelled() {
        Made made(10);
        std::stop_source stop;
        stop.request_stop();
        Request request;
        request.method = PredictionScore{};
        QCOMPARE(made.full(request, stop.get_token()).error().code(), ErrorCode::Cancelled);
    }
};

QTEST_APPLESS_MAIN(TestSuggestions)
#include "tst_suggestions.moc"
