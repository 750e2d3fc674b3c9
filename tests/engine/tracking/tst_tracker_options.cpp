// SPDX-License-Identifier: BSD-3-Clause
// Options of all trackers: what cannot work together is refused in one sentence before any work.
#include <QtTest>
#include <functional>

#include "engine/tracking/tracker_options.h"

using namespace skein;
using namespace skein::tracking;

namespace {

using Change = std::function<void(TrackerOptions&)>;

TrackerOptions boxes(TrackerKind kind = TrackerKind::ByteTrack) {
    TrackerOptions options;
    options.tracker = kind;
    return options;
}

}  // namespace

class TestTrackerOptions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void trackersByName() {
        for (const TrackerKind kind :
             {TrackerKind::Classic, TrackerKind::Sort, TrackerKind::ByteTrack, TrackerKind::OcSort})
            QVERIFY(parseTracker(toString(kind)).value() == kind);
        for (const char* name : {"botsort", "deepsort", "strongsort", "deepocsort"}) {
            const auto refused = parseTracker(name);
            QVERIFY(!refused.has_value());
            QCOMPARE(refused.error().code(), ErrorCode::Unsupported);
            QVERIFY(QString::fromStdString(refused.error().message()).contains("appearance"));
            QVERIFY(QString::fromStdString(refused.error().message()).contains("bytetrack"));
        }
        QCOMPARE(parseTracker("fast").error().code(), ErrorCode::InvalidArgument);
    }

    void presets() {
        const MotParameters sort = motParameters(TrackerKind::Sort, {}, {});
        QCOMPARE(sort.trackBuffer, 30);
        QCOMPARE(sort.newTrackThreshold, 0.1);
        MotOptions paper;
        paper.preset = MotPreset::Paper;
        QCOMPARE(motParameters(TrackerKind::Sort, paper, {}).trackBuffer, 1);
        QVERIFY(!motParameters(TrackerKind::Sort, paper, {}).normalizeScores);
        QVERIFY(motParameters(TrackerKind::ByteTrack, paper, {}).kalman == MotKalman::Xyah);
        QVERIFY(motParameters(TrackerKind::ByteTrack, {}, {}).kalman == MotKalman::Xywh);
        QCOMPARE(motParameters(TrackerKind::ByteTrack, {}, {}).minHits, 2);
        QCOMPARE(motParameters(TrackerKind::OcSort, {}, {}).highThreshold, 0.6);
        MotOptions own;
        own.minHits = 7;
        QCOMPARE(motParameters(TrackerKind::OcSort, own, 0.3).minHits, 7);
        QCOMPARE(motParameters(TrackerKind::OcSort, own, 0.3).oksStddev, 0.3);
    }

    void parametersByName() {
        MotOptions o;
        QVERIFY(setMotParameter(o, splitMotParameter(" use_byte = TRUE ").value()).has_value());
        QCOMPARE(o.useByte, std::optional<bool>(true));
        QVERIFY(setMotParameter(o, {"kalman", "xyah"}).has_value());
        QVERIFY(o.kalman == MotKalman::Xyah);
        QVERIFY(setMotParameter(o, {"track_buffer", "12"}).has_value());
        QCOMPARE(o.trackBuffer, std::optional<int>(12));
        QVERIFY(setMotParameter(o, {"inertia", "0.5"}).has_value());
        QCOMPARE(o.inertia, std::optional<double>(0.5));

        QVERIFY(!splitMotParameter("use_byte").has_value());
        QCOMPARE(setMotParameter(o, {"track_buffer", "3"}).error().code(), ErrorCode::InvalidArgument);  // twice
        QVERIFY(!setMotParameter(o, {"min_hits", "two"}).has_value());
        QVERIFY(!setMotParameter(o, {"kalman", "abc"}).has_value());
        QCOMPARE(setMotParameter(o, {"ema_alpha", "0.5"}).error().code(), ErrorCode::Unsupported);
        const auto unknown = setMotParameter(o, {"speed", "9"});
        QVERIFY(QString::fromStdString(unknown.error().message()).contains("track_buffer"));
    }

    void impossibleCombinations_data() {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("word");
        const auto row = [](const char* name, const char* word, Change change) {
            QTest::newRow(name) << std::move(change) << word;
        };
        row("classic with box options", "--track_buffer", [](TrackerOptions& o) { o.mot.trackBuffer = 3; });
        row("classic with box constants", "--mot_param", [](TrackerOptions& o) { o.mot.useByte = true; });
        const auto box = [&row](const char* name, const char* word, Change change) {
            row(name, word, [change](TrackerOptions& o) {
                o.tracker = TrackerKind::Sort;
                change(o);
            });
        };
        box("flow", "--use_flow", [](TrackerOptions& o) { o.useFlow = true; });
        box("Kalman", "--use_kalman", [](TrackerOptions& o) { o.useKalman = true; });
        box("window", "--tracking_window_size", [](TrackerOptions& o) { o.windowSize = 9; });
        box("candidates", "--candidates_method",
            [](TrackerOptions& o) { o.candidates = CandidateMethod::LocalQueues; });
        box("features", "--features", [](TrackerOptions& o) { o.feature = Feature::Boxes; });
        box("greedy", "--track_matching_method", [](TrackerOptions& o) { o.matching = MatchingMethod::Greedy; });
        box("breaks", "--link_tracklets", [](TrackerOptions& o) {
            o.connectSingleBreaks = true;
            o.targetInstanceCount = 2;
        });
        box("cosine", "cosine_sim", [](TrackerOptions& o) { o.scoring = ScoringMethod::CosineSimilarity; });
        box("spread without OKS", "--oks_stddev", [](TrackerOptions& o) { o.oksStddev = 0.2; });
        box("share", "--track_high_threshold", [](TrackerOptions& o) { o.mot.highThreshold = 1.5; });
        box("order of thresholds", "--track_low_threshold", [](TrackerOptions& o) {
            o.mot.highThreshold = 0.2;
            o.mot.lowThreshold = 0.4;
        });
        box("hits", "--min_hits", [](TrackerOptions& o) { o.mot.minHits = 0; });
        box("cull without target", "--tracking_target_instance_count",
            [](TrackerOptions& o) { o.preCullToTarget = true; });
        box("vectors", "--appearance_weight", [](TrackerOptions& o) { o.appearanceWeight = 0.5; });
        row("vectors alone", "embeddings", [](TrackerOptions& o) { o.appearanceOnly = true; });
        row("weight without vectors", "appearance vectors", [](TrackerOptions& o) { o.appearanceWeight = 0.3; });
        row("weight and flow", "--use_flow", [](TrackerOptions& o) {
            o.appearanceWeight = 0.3;
            o.useFlow = true;
        });
        row("weight and distance", "--euclidean_scale", [](TrackerOptions& o) {
            o.appearanceWeight = 0.3;
            o.feature = Feature::Centroids;
            o.scoring = ScoringMethod::EuclideanDistance;
        });
        row("body of no size", "body_size", [](TrackerOptions& o) {
            o.linkTracklets = true;
            o.mot.bodySize = -1;
        });
    }
    void impossibleCombinations() {
        QFETCH(Change, change);
        QFETCH(QString, word);
        TrackerOptions options;
        change(options);
        const auto result = resolveOptions(options, {});
        QVERIFY(!result.has_value());
        QCOMPARE(result.error().code(), ErrorCode::InvalidArgument);
        const QString sentence = QString::fromStdString(result.error().message());
        QVERIFY2(sentence.contains(word), qPrintable(sentence));
    }

    void whatAllTrackersShare() {
        TrackerOptions options = boxes();
        options.maxTracks = 3;
        options.targetInstanceCount = 4;
        options.preCullToTarget = true;
        options.cleanInstanceCount = 3;
        std::vector<std::string> notes;
        const auto resolved = resolveOptions(options, {}, {}, &notes);
        QVERIFY2(resolved.has_value(), resolved ? "" : resolved.error().describe().c_str());
        QVERIFY(resolved->linkTracklets);
        QCOMPARE(notes.size(), std::size_t{1});
        QVERIFY(resolveOptions(*resolved, {}).value() == *resolved);
        TrackerOptions classic;
        classic.linkTracklets = true;
        classic.mot.bodySize = 40;
        QVERIFY(resolveOptions(classic, {}).has_value());
    }

    void scoresChooseTheSimilarity() {
        TrackerOptions options = boxes();
        options.scoring = ScoringMethod::EuclideanDistance;
        QVERIFY(resolveOptions(options, {})->mot.similarity == MotSimilarity::Centroid);
        options = boxes();
        options.oksStddev = 0.05;
        const auto byPose = resolveOptions(options, {}, {.scoring = true});
        QVERIFY(byPose->mot.similarity == MotSimilarity::Oks);
        QVERIFY(resolveOptions(*byPose, {}).value() == *byPose);
        QVERIFY(resolveOptions(boxes(), {})->mot.similarity == MotSimilarity::Auto);
    }
};

QTEST_APPLESS_MAIN(TestTrackerOptions)
#include "tst_tracker_options.moc"
