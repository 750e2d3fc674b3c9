// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <cmath>
#include <random>

#include "engine/tracking/break_connector.h"
#include "engine/tracking/culling.h"
#include "engine/tracking/detail/identity_order.h"
#include "engine/tracking/detail/matrix.h"
#include "engine/tracking/detail/scores.h"
#include "engine/tracking/track_labels.h"
#include "engine/tracking/tracker.h"

using namespace skein;
using namespace skein::tracking;
using project::FrameData;
using project::InstanceData;
using project::InstanceKind;

namespace {

const double kNaN = std::nan("");

TrackerOptions resolved(TrackerOptions options, const TrackingFacts& facts = {}) {
    return resolveOptions(std::move(options), facts).value();
}

/// An instance of three nodes around (x, y).
InstanceData animal(double x, double y, InstanceKind kind = InstanceKind::Predicted, float score = 0.9F) {
    InstanceData instance;
    instance.header.kind = kind;
    instance.header.score = score;
    for (const auto& [dx, dy] : {std::pair{-8.0, -3.0}, std::pair{0.0, 4.0}, std::pair{8.0, -3.0}}) {
        project::Point point;
        point.x = x + dx;
        point.y = y + dy;
        point.visible = true;
        instance.points.push_back(point);
    }
    return instance;
}

FrameData frameOf(std::uint32_t video, std::int64_t index, std::vector<InstanceData> instances) {
    FrameData frame;
    frame.video = video;
    frame.frameIndex = index;
    frame.instances = std::move(instances);
    return frame;
}

/// Names of the tracks of a frame's instances, "-" for none.
QStringList names(const FrameData& frame, const std::vector<project::Track>& tracks) {
    QStringList list;
    for (const InstanceData& instance : frame.instances)
        list << (instance.header.track < 0
                     ? "-"
                     : QString::fromStdString(tracks.at(static_cast<std::size_t>(instance.header.track)).name));
    return list;
}
QStringList names(const project::Labels& labels, std::uint32_t video, std::int64_t index) {
    return names(labels.frame(labels.findFrame(video, index).value()).toData(), labels.tracks());
}

/// A project of two videos whose frames are out of order, with empty frames, misses and user instances.
project::Labels mixedProject(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> jitter(-1, 1);
    project::Labels labels;
    labels.editSkeletons().push_back({"animal", {"a", "b", "c"}, {}, {}, ""});
    labels.editVideos().resize(2);
    std::vector<FrameData> frames;
    for (std::uint32_t video = 0; video < 2; ++video)
        for (std::int64_t f = 0; f < 60; ++f) {
            std::vector<InstanceData> instances;
            for (int a = 0; a < 4; ++a)
                if (f % 17 != 3 && random() % 10 != 0)
                    instances.push_back(animal(60 * a + 2 * std::sin(0.3 * static_cast<double>(f) + a) + jitter(random),
                                               50 + 30 * std::cos(0.2 * static_cast<double>(f) + a) + jitter(random)));
            if (f % 20 == 9)
                instances.push_back(animal(60, 50, InstanceKind::User));
            std::shuffle(instances.begin(), instances.end(), random);
            frames.push_back(frameOf(video, 3 * f, std::move(instances)));
        }
    std::shuffle(frames.begin(), frames.end(), random);
    for (FrameData& frame : frames)
        labels.appendFrame(std::move(frame));
    return labels;
}

}  // namespace

class TestTracker : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // --- options -------------------------------------------------------------------------------------------------
    void impossiblePairsAreRefused_data() {
        QTest::addColumn<QString>("feature");
        QTest::addColumn<QString>("scoring");
        QTest::addColumn<bool>("possible");
        const QStringList possible{"keypoints oks",         "keypoints euclidean_dist",
                                   "keypoints cosine_sim",  "centroids euclidean_dist",
                                   "centroids cosine_sim",  "bboxes iou",
                                   "bboxes euclidean_dist", "bboxes cosine_sim"};
        for (const char* feature : {"keypoints", "centroids", "bboxes"})
            for (const char* scoring : {"oks", "iou", "euclidean_dist", "cosine_sim"})
                QTest::addRow("%s %s", feature, scoring)
                    << feature << scoring << possible.contains(QString("%1 %2").arg(feature, scoring));
    }
    void impossiblePairsAreRefused() {
        QFETCH(QString, feature);
        QFETCH(QString, scoring);
        QFETCH(bool, possible);
        TrackerOptions options;
        options.feature = parseFeature(feature.toStdString()).value();
        options.scoring = parseScoringMethod(scoring.toStdString()).value();
        QCOMPARE(QString::fromStdString(std::string(toString(options.feature))), feature);
        QCOMPARE(QString::fromStdString(std::string(toString(options.scoring))), scoring);
        const auto result = resolveOptions(options, {});
        QCOMPARE(result.has_value(), possible);
        if (!possible) {
            QCOMPARE(result.error().code(), ErrorCode::InvalidArgument);
            QVERIFY(QString::fromStdString(result.error().message()).contains(scoring));
            QVERIFY(QString::fromStdString(result.error().message()).contains(feature));
        }
    }

    void badOptionsAreRefusedByName_data() {
        QTest::addColumn<TrackerOptions>("options");
        QTest::addColumn<QString>("named");
        const auto row = [](const char* name, const auto& change) {
            TrackerOptions options;
            change(options);
            QTest::newRow(name) << options << name;
        };
        row("--tracking_window_size", [](auto& o) { o.windowSize = 0; });
        row("--min_new_track_points", [](auto& o) { o.minNewTrackPoints = -1; });
        row("--min_match_points", [](auto& o) { o.minMatchPoints = -2; });
        row("--max_tracks", [](auto& o) { o.maxTracks = 0; });
        row("--robust_best_instance", [](auto& o) { o.robustQuantile = 1.5; });
        row("--oks_stddev", [](auto& o) { o.oksStddev = 0; });
        row("--tracking_pre_cull_iou_threshold", [](auto& o) { o.preCullIou = -0.1; });
        row("--tracking_clean_iou_threshold", [](auto& o) { o.cleanIou = kNaN; });
        row("--tracking_clean_instance_count", [](auto& o) { o.cleanInstanceCount = -1; });
        row("--tracking_target_instance_count", [](auto& o) { o.preCullToTarget = true; });
        row("--post_connect_single_breaks", [](auto& o) { o.connectSingleBreaks = true; });
        row("--use_kalman", [](auto& o) { o.useKalman = true; });
        row("--use_flow", [](auto& o) {
            o.useKalman = o.useFlow = true;
            o.targetInstanceCount = 2;
        });
        row("--of_img_scale", [](auto& o) { o.flowImageScale = 0; });
        row("--of_window_size", [](auto& o) { o.flowWindowSize = 2; });
        row("--of_max_levels", [](auto& o) { o.flowMaxLevels = -1; });
        row("--kf_init_frame_count", [](auto& o) { o.kalmanInitFrameCount = 2; });
        row("--kf_reset_gap_size", [](auto& o) { o.kalmanResetGap = -1; });
        row("--kf_node_indices", [](auto& o) { o.kalmanNodes = {0, -1}; });
    }
    void badOptionsAreRefusedByName() {
        QFETCH(TrackerOptions, options);
        QFETCH(QString, named);
        const auto result = resolveOptions(options, {});
        QVERIFY(!result.has_value());
        QCOMPARE(result.error().code(), ErrorCode::InvalidArgument);
        QVERIFY2(QString::fromStdString(result.error().message()).contains(named), result.error().message().c_str());
    }

    void optionsThatDependOnTheJobAreRefused() {
        TrackerOptions flow;
        flow.useFlow = true;
        TrackingFacts facts;
        facts.hasImages = false;
        QVERIFY(!resolveOptions(flow, facts).has_value());
        facts.hasImages = true;
        QVERIFY(resolveOptions(flow, facts).has_value());

        TrackerOptions kalman;
        kalman.useKalman = true;
        kalman.maxTracks = 2;
        kalman.kalmanNodes = {3, 4};
        facts.skeletonNodeCounts = {3};
        QVERIFY(!resolveOptions(kalman, facts).has_value());
        facts.skeletonNodeCounts = {4};
        QVERIFY(resolveOptions(kalman, facts).has_value());
    }

    void trackCapSwitchesToQueuesAndSaysSo() {
        TrackerOptions options;
        options.maxTracks = 3;
        std::vector<std::string> notes;
        const auto result = resolveOptions(options, {}, {}, &notes);
        QVERIFY(result->candidates == CandidateMethod::LocalQueues);
        QCOMPARE(notes.size(), std::size_t{1});
        QVERIFY(QString::fromStdString(notes[0]).contains("local_queues"));
        notes.clear();
        QCOMPARE(resolveOptions(*result, {}, {}, &notes).value(), *result);  // idempotent
        QVERIFY(notes.empty());
    }

    void instanceCapStandsInForTargetAndTrackCap() {
        TrackingFacts facts;
        facts.maxInstances = 4;
        TrackerOptions connect;
        connect.connectSingleBreaks = true;
        auto result = resolveOptions(connect, facts);
        QCOMPARE(result->targetInstanceCount, std::optional(4));
        QCOMPARE(result->maxTracks, std::optional(4));
        QVERIFY(result->candidates == CandidateMethod::LocalQueues);

        TrackerOptions cull;
        cull.preCullToTarget = true;
        result = resolveOptions(cull, facts);
        QCOMPARE(result->targetInstanceCount, std::optional(4));
        QCOMPARE(result->maxTracks, std::optional<int>());

        QCOMPARE(resolveOptions({}, facts)->targetInstanceCount, std::optional<int>());
    }

    void singleNodeSkeletonChangesDefaultsOnly() {
        TrackingFacts facts;
        facts.skeletonNodeCounts = {1};
        auto result = resolveOptions({}, facts);
        QVERIFY(result->scoring == ScoringMethod::EuclideanDistance);
        QVERIFY(result->feature == Feature::Centroids);
        result = resolveOptions({}, facts, {true, true});
        QVERIFY(result->scoring == ScoringMethod::Oks);
        QVERIFY(result->feature == Feature::Keypoints);
        // Each for itself; what then does not go together is refused.
        QVERIFY(!resolveOptions({}, facts, {false, true}).has_value());
        facts.skeletonNodeCounts = {1, 1};
        QVERIFY(resolveOptions({}, facts)->scoring == ScoringMethod::Oks);
    }

    void oksSpreadDependsOnTheMotionModel() {
        TrackerOptions options;
        QCOMPARE(resolved(options).oksStddev, std::optional(0.025));
        options.useKalman = true;
        options.maxTracks = 2;
        QCOMPARE(resolved(options).oksStddev, std::optional(0.025));
        options.kalmanFeature = KalmanFeature::Keypoints;
        QCOMPARE(resolved(options).oksStddev, std::optional(0.1));
        options.oksStddev = 0.4;
        QCOMPARE(resolved(options).oksStddev, std::optional(0.4));
    }

    void unknownOptionValuesListThePossibleOnes() {
        const auto feature = parseFeature("image");
        QVERIFY(!feature.has_value());
        QCOMPARE(feature.error().message(),
                 std::string("--features cannot be \"image\"; possible values are keypoints, centroids, bboxes."));
        QVERIFY(!parseMatchingMethod("Hungarian").has_value());
        QVERIFY(!parseScoreReduction("").has_value());
        QVERIFY(!parseCandidateMethod("window").has_value());
        QVERIFY(!parseKalmanFeature("node").has_value());
        QCOMPARE(parseNodeIndices("0, 2,11").value(), (std::vector<int>{0, 2, 11}));
        QCOMPARE(parseNodeIndices("").value(), std::vector<int>());
        for (const char* text : {"1,,2", "a", "-1", "1 2", ",", "99999999999"})
            QVERIFY2(!parseNodeIndices(text).has_value(), text);
    }

    void unresolvedOptionsAreABrokenPrecondition() {
        QVERIFY_EXCEPTION_THROWN((void)makeTracker(TrackerOptions()), std::logic_error);
    }

    // --- the tracker ---------------------------------------------------------------------------------------------
    void framesMustAscend() {
        const auto tracker = makeTracker(resolved({}));
        (void)tracker->update(5, {});
        QVERIFY_EXCEPTION_THROWN((void)tracker->update(4, {}), std::logic_error);
    }

    void windowForgetsQueuesDoNot() {
        const std::vector<PointD> there{{10, 10}, {20, 10}, {15, 20}};
        const std::vector<Detection> one{{there, 1, false}};
        for (const CandidateMethod method : {CandidateMethod::FixedWindow, CandidateMethod::LocalQueues}) {
            TrackerOptions options;
            options.candidates = method;
            const auto tracker = makeTracker(resolved(options));
            QCOMPARE(tracker->update(0, one).front().trackId, 0);
            for (int f = 1; f <= 5; ++f)
                QVERIFY(tracker->update(f, {}).empty());
            QCOMPARE(tracker->update(6, one).front().trackId, method == CandidateMethod::FixedWindow ? 1 : 0);
        }
    }

    void instancesOfDifferentSkeletonsAreNeverCompared() {
        const std::vector<PointD> three{{10, 10}, {20, 10}, {15, 20}};
        const std::vector<PointD> two{{10, 10}, {20, 10}};
        const auto tracker = makeTracker(resolved({}));
        QCOMPARE(tracker->update(0, std::vector<Detection>{{three, 1, false}}).front().trackId, 0);
        QCOMPARE(tracker->update(1, std::vector<Detection>{{two, 1, false}}).front().trackId, 1);
    }

    void degenerateInputIsSurvived() {
        const std::vector<PointD> missing{{kNaN, kNaN}, {kNaN, kNaN}};
        const std::vector<PointD> huge{{1e300, -1e300}, {1e308, 1e308}};
        const std::vector<PointD> none;
        std::vector<TrackerOptions> all;
        for (const Feature feature : {Feature::Keypoints, Feature::Centroids, Feature::Boxes})
            for (const ScoringMethod scoring : {ScoringMethod::Oks, ScoringMethod::Iou, ScoringMethod::CosineSimilarity,
                                                ScoringMethod::EuclideanDistance})
                for (const bool queues : {false, true})
                    for (const bool kalman : {false, true}) {
                        TrackerOptions options;
                        options.feature = feature;
                        options.scoring = scoring;
                        options.candidates = queues ? CandidateMethod::LocalQueues : CandidateMethod::FixedWindow;
                        options.useKalman = kalman;
                        options.targetInstanceCount = 2;
                        options.kalmanInitFrameCount = 3;
                        options.kalmanFeature = queues ? KalmanFeature::Keypoints : KalmanFeature::Centroid;
                        if (const auto result = resolveOptions(options, {}))
                            all.push_back(*result);
                    }
        for (TrackerOptions options : all)
            for (const bool match : {false, true}) {
                options.matchSleapNn = match;
                const auto tracker = makeTracker(options);
                for (int f = 0; f < 12; ++f) {
                    const std::vector<Detection> detections{
                        {missing, 0.1, false}, {huge, kNaN, false}, {none, 0.2, false}, {huge, 1, true}};
                    for (const Assignment& assignment : tracker->update(f, detections))
                        QVERIFY(assignment.detection < detections.size());
                }
            }
    }

    // --- projects ------------------------------------------------------------------------------------------------
    void userInstancesAreTrackedInsteadOfPredictions() {
        OnlineTracking online(resolved({}), {{"old", 0}});
        FrameData first = frameOf(0, 0, {animal(50, 50), animal(150, 50)});
        online.track(first);
        QCOMPARE(names(first, online.tracks()), (QStringList{"track_0", "track_1"}));

        FrameData mixed = frameOf(0, 1, {animal(51, 50, InstanceKind::User), animal(150, 50), animal(52, 50)});
        mixed.instances[1].header.track = 0;
        online.track(mixed);
        // Predictions pass with what they had, before the tracked ones.
        QCOMPARE(names(mixed, online.tracks()), (QStringList{"old", "-", "track_0"}));
        QCOMPARE(mixed.instances[2].header.kind, InstanceKind::User);
    }

    void eachVideoStartsAnewAndNamesGoOn() {
        project::Labels labels;
        labels.editSkeletons().push_back({"animal", {"a", "b", "c"}, {}, {}, ""});
        labels.editVideos().resize(3);
        labels.editTracks() = {{"stale", 0}};
        auto stale = animal(10, 10);
        stale.header.track = 0;
        labels.appendFrame(frameOf(2, 7, {animal(10, 10)}));
        labels.appendFrame(frameOf(0, 4, {animal(10, 10), stale}));
        labels.appendFrame(frameOf(0, 2, {stale}));
        labels.appendFrame(frameOf(1, 0, {}));
        const auto outcome = trackLabels(labels, resolved({}));
        QVERIFY(outcome.has_value());
        QCOMPARE(outcome->frames, std::int64_t{4});
        QCOMPARE(outcome->trackedInstances, std::int64_t{4});
        QCOMPARE(outcome->tracks, std::int64_t{3});

        QCOMPARE(labels.frameCount(), std::size_t{4});
        QCOMPARE(labels.frame(0).frameIndex(), std::int64_t{2});  // per video, ascending
        QCOMPARE(labels.frame(3).video(), 2U);
        QCOMPARE(names(labels, 0, 2), QStringList{"track_0"});
        QCOMPARE(names(labels, 2, 7), QStringList{"track_2"});
        QCOMPARE(labels.tracks().size(), std::size_t{3});  // the stale one is gone
    }

    void onlineGivesTheSameAsAfterwards_data() {
        QTest::addColumn<TrackerOptions>("options");
        TrackerOptions options;
        QTest::newRow("default") << options;
        options.candidates = CandidateMethod::LocalQueues;
        options.maxTracks = 4;
        QTest::newRow("queues, four tracks") << options;
        options.useKalman = true;
        QTest::newRow("kalman") << options;
        options = {};
        options.cleanInstanceCount = 3;
        QTest::newRow("cleaned to three and connected") << options;
    }
    void onlineGivesTheSameAsAfterwards() {
        QFETCH(TrackerOptions, options);
        const TrackerOptions given = resolved(options);
        project::Labels labels = mixedProject(3);
        const project::Labels before = labels;
        QVERIFY(trackLabels(labels, given).has_value());

        // As a pipeline would: frame by frame, video by video, results put away at once.
        OnlineTracking online(given);
        std::size_t row = 0;
        for (std::uint32_t video = 0; video < 2; ++video)
            for (const std::size_t source : before.rowsOf(video)) {
                FrameData frame = before.frame(source).toData();
                online.track(frame);
                const FrameData expected = labels.frame(row++).toData();
                QCOMPARE(frame.frameIndex, expected.frameIndex);
                QCOMPARE(frame.instances.size(), expected.instances.size());
                for (std::size_t i = 0; i < frame.instances.size(); ++i) {
                    QCOMPARE(frame.instances[i].header.id, expected.instances[i].header.id);
                    QCOMPARE(frame.instances[i].header.track, expected.instances[i].header.track);
                    QCOMPARE(std::isnan(frame.instances[i].header.trackingScore),
                             std::isnan(expected.instances[i].header.trackingScore));
                }
            }
        QCOMPARE(row, labels.frameCount());
        QCOMPARE(online.tracks().size(), labels.tracks().size());
        QVERIFY(labels.tracks().size() >= 4);
    }

    void cancelledPassLeavesTheProjectAsItWas() {
        project::Labels labels = mixedProject(4);
        std::stop_source stop;
        int calls = 0;
        const auto outcome = trackLabels(
            labels, resolved({}),
            [&](std::int64_t done, std::int64_t total) {
                QCOMPARE(total, std::int64_t{120});
                ++calls;
                if (done >= 64)
                    stop.request_stop();
            },
            stop.get_token());
        QVERIFY(!outcome.has_value());
        QCOMPARE(outcome.error().code(), ErrorCode::Cancelled);
        QCOMPARE(calls, 2);
        QCOMPARE(labels.frame(0).toData().instances.size(), mixedProject(4).frame(0).toData().instances.size());
        QVERIFY(labels.tracks().empty());
    }

    void flowWithoutImagesIsRefused() {
        TrackerOptions options;
        options.useFlow = true;
        project::Labels labels = mixedProject(5);
        const auto outcome = trackLabels(labels, resolved(options));
        QVERIFY(!outcome.has_value());
        QCOMPARE(outcome.error().code(), ErrorCode::InvalidArgument);
    }

    /// Frames that cannot be read, or have another size, are compared unmoved rather than lost.
    void flowSurvivesMissingAndOddImages() {
        TrackerOptions options;
        options.useFlow = true;
        project::Labels plain = mixedProject(6);
        project::Labels moved = plain;
        QVERIFY(trackLabels(plain, resolved({})).has_value());
        QVERIFY(trackLabels(moved, resolved(options), {}, {}, [](std::uint32_t, std::int64_t frame) -> ImagePtr {
                    if (frame % 2 == 0)
                        return nullptr;
                    auto image = std::make_shared<Image>();
                    image->width = 64 + static_cast<int>(frame);
                    image->height = 48;
                    image->channels = frame % 3 == 0 ? 4 : 3;
                    image->pixels.assign(image->rowBytes() * 48, 90);
                    return image;
                }).has_value());
        QCOMPARE(moved.instanceCount(), plain.instanceCount());
        for (std::size_t row = 0; row < plain.frameCount(); ++row)
            QCOMPARE(names(moved.frame(row).toData(), moved.tracks()),
                     names(plain.frame(row).toData(), plain.tracks()));
    }

    void detectionsBeyondTheTrackCapAreCounted() {
        TrackerOptions options;
        options.maxTracks = 1;
        OnlineTracking online(resolved(options));
        FrameData frame = frameOf(0, 0, {animal(50, 50), animal(150, 50), animal(250, 50)});
        online.track(frame);
        QCOMPARE(frame.instances.size(), std::size_t{1});
        QCOMPARE(online.droppedInstances(), std::int64_t{2});
        QCOMPARE(online.trackedInstances(), std::int64_t{1});
    }

    // --- parts ---------------------------------------------------------------------------------------------------
    void cullingKeepsTheBestAndEveryUserInstance() {
        const std::vector<PointD> a{{0, 0}, {20, 20}};
        const std::vector<PointD> b{{2, 2}, {21, 21}};  // overlaps a
        const std::vector<PointD> c{{100, 0}, {120, 20}};
        const std::vector<Detection> detections{{a, 0.9, false}, {b, 0.8, false}, {c, 0.3, false}, {a, 0.0, true}};
        using Removed = std::vector<std::size_t>;
        QCOMPARE(beyondCount(detections, 3, 0), Removed());
        QCOMPARE(beyondCount(detections, 2, 0), Removed{2});    // lowest score
        QCOMPARE(beyondCount(detections, 2, 0.5), Removed{1});  // covered by a better one
        QCOMPARE(beyondCount(detections, 1, 0.5), (Removed{1, 2}));
        QCOMPARE(beyondCount(detections, 0, 0), (Removed{0, 1, 2}));
        // Too few are left uncovered: the best covered one comes back.
        const std::vector<Detection> heap{{a, 0.9, false}, {b, 0.8, false}, {b, 0.7, false}};
        QCOMPARE(beyondCount(heap, 2, 0.5), Removed{2});
    }

    void singleBreaksAreConnected() {
        BreakConnector connector;
        const auto next = [&connector](std::vector<std::int64_t> identities) {
            connector.connect(identities);
            return identities;
        };
        using Ids = std::vector<std::int64_t>;
        QCOMPARE(next({0, 1}), (Ids{0, 1}));
        QCOMPARE(next({0}), Ids{0});
        QCOMPARE(next({0, 2}), (Ids{0, 1}));  // 2 continues 1
        QCOMPARE(next({2, 0}), (Ids{1, 0}));  // for good
        QCOMPARE(next({2, 1}), (Ids{0, 1}));  // unless 1 is there itself; then 2 is the one newcomer for 0
        QCOMPARE(next({5, 6}), (Ids{5, 6}));  // two at once: nothing can be said
        connector.reset();
        QCOMPARE(next({2}), Ids{2});
    }

    void identitiesAreListedAsByAPythonSet() {
        IdentityOrder order;
        const auto listed = [&order](const std::vector<int>& ids) {
            order.clear();
            for (const int id : ids)
                order.insert(id);
            std::vector<int> out;
            order.list(out);
            return out;
        };
        // Recorded with CPython 3.11: list(set) after inserting one by one.
        QCOMPARE(listed({3, 1, 2, 0, 3}), (std::vector<int>{0, 1, 2, 3}));
        QCOMPARE(listed({8, 1, 9}), (std::vector<int>{8, 1, 9}));
        QCOMPARE(listed({33, 1, 2, 3, 65, 4}), (std::vector<int>{65, 33, 2, 3, 1, 4}));
        QCOMPARE(listed({40, 1, 2, 3, 72, 4, 8, 16, 9}), (std::vector<int>{1, 2, 3, 4, 40, 72, 8, 9, 16}));
    }

    void sumsAreTakenInPairwiseOrder() {
        // Eight lanes, then a tree: 1 is lost where it meets 1e16 alone.
        std::vector<double> values(16, 0.0);
        values[0] = 1e16;
        values[1] = 1;
        values[8] = 1;
        values[9] = 1;
        QCOMPARE(pairwiseSum(values), 1e16 + 2);
        QCOMPARE(pairwiseSum(std::vector<double>{1e16, 1, 1}), 1e16);
        QCOMPARE(pairwiseSum({}), 0.0);
        QCOMPARE(pairwiseSum(std::vector<double>(1000, 0.5)), 500.0);
    }

    void pseudoInverseHandlesSingularMatrices() {
        Matrix a(3, 3);
        const double u[3] = {1, 2, -1};
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                a(i, j) = 4 * u[i] * u[j];  // rank 1
        const Matrix inverse = pseudoInverse(a);
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                QVERIFY(std::abs(inverse(i, j) - u[i] * u[j] / (4 * 36)) < 1e-14);
        a = Matrix::identity(3);
        a(0, 1) = a(1, 0) = 0.5;
        const Matrix product = multiply(a, pseudoInverse(a));
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                QVERIFY(std::abs(product(i, j) - (i == j ? 1 : 0)) < 1e-14);
        const Matrix zero = pseudoInverse(Matrix(2, 2));
        for (const double value : zero.values())
            QCOMPARE(value, 0.0);
    }

    void reductionsLeaveMissingScoresOut() {
        const auto reduce = [](ScoreReduction reduction, double quantile, std::vector<double> scores) {
            return reduceScores(reduction, quantile, scores);
        };
        QCOMPARE(reduce(ScoreReduction::Mean, 1, {1, kNaN, 2}), 1.5);
        QCOMPARE(reduce(ScoreReduction::Max, 1, {kNaN, -3, -2}), -2.0);
        QCOMPARE(reduce(ScoreReduction::RobustQuantile, 0.5, {4, 1, kNaN, 3}), 3.0);
        QCOMPARE(reduce(ScoreReduction::RobustQuantile, 0.25, {0, 1}), 0.25);
        QCOMPARE(reduce(ScoreReduction::RobustQuantile, 1, {7}), 7.0);
        for (const auto reduction : {ScoreReduction::Mean, ScoreReduction::Max, ScoreReduction::RobustQuantile}) {
            QVERIFY(std::isnan(reduce(reduction, 0.5, {kNaN, kNaN})));
            QVERIFY(std::isnan(reduce(reduction, 0.5, {})));
        }
    }
};

QTEST_APPLESS_MAIN(TestTracker)
#include "tst_tracker.moc"
