// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <array>

#include "engine/inference/filters.h"
#include "engine/inference/grouping.h"
#include "engine/inference/packed_layout.h"
#include "engine/inference/peak_store.h"
#include "tests/engine/inference/inference_cases.h"
#include "tests/support/case_file.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::inference;
using test::near;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Instances of two nodes; the tracking score tells which is which afterwards.
FrameDetections frameOf(const std::vector<std::array<float, 4>>& points, const std::vector<float>& scores) {
    FrameDetections frame;
    frame.nodes = 2;
    for (std::size_t i = 0; i < points.size(); ++i) {
        frame.points.insert(frame.points.end(), points[i].begin(), points[i].end());
        frame.pointScores.insert(frame.pointScores.end(), 2, 0.5F);
        frame.instanceScores.push_back(scores[i]);
        frame.trackingScores.push_back(static_cast<float>(i));
    }
    return frame;
}

std::vector<int> kept(const FrameDetections& frame) {
    std::vector<int> numbers;
    for (const float number : frame.trackingScores)
        numbers.push_back(static_cast<int>(number));
    return numbers;
}

}  // namespace

class TestFilters : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordedCases() {
        test::forCases("filter", 9, [&](const nlohmann::json& c, const std::string& id) {
            const auto& in = c["inputs"];
            FrameDetections frame;
            frame.nodes = static_cast<int>(in["keypoints"][0].size());
            frame.points = test::numbers(in["keypoints"]);
            frame.pointScores = test::numbers(in["point_scores"]);
            const bool hasScores = in.contains("scores") && in["scores"].is_array();
            frame.instanceScores =
                hasScores ? test::numbers(in["scores"]) : std::vector<float>(in["keypoints"].size(), 0.0F);
            for (std::size_t i = 0; i < in["keypoints"].size(); ++i)
                frame.trackingScores.push_back(static_cast<float>(i));
            const auto& p = c["params"];
            FilterOptions o;
            o.minPeakValue = p.value("min_peak_value", 0.0);
            o.minVisibleNodes = p.value("min_visible_nodes", 0);
            o.minVisibleNodeFraction = p.value("min_visible_node_fraction", 0.0);
            o.minInstanceScore = p.value("min_instance_score", 0.0);
            o.minMeanNodeScore = p.value("min_mean_node_score", 0.0);
            o.overlapping = p.value("overlapping", false);
            o.overlapThreshold = p.value("overlapping_threshold", 0.8);
            o.overlapMethod = p.value("overlapping_method", "iou") == "oks" ? OverlapMethod::Oks : OverlapMethod::Iou;
            applyFilters(frame, o, {hasScores, false});
            QVERIFY2(kept(frame) == c["expected"].get<std::vector<int>>(), id.c_str());
            QVERIFY2(frame.points.size() == frame.instanceScores.size() * static_cast<std::size_t>(frame.nodes) * 2,
                     id.c_str());
        });
    }

    void weakPointsGoFirst() {
        FrameDetections frame = frameOf({{0, 0, 10, 10}, {50, 50, 60, 60}}, {1, 1});
        frame.pointScores = {0.9F, 0.1F, 0.9F, 0.9F};
        FilterOptions o;
        o.minPeakValue = 0.5;
        o.minVisibleNodes = 2;
        applyFilters(frame, o, {});
        QCOMPARE(kept(frame), std::vector<int>{1});
    }

    void overlapKeepsOrderAndPrefersScores() {
        // 0 and 2 are alike; the better one of them comes later.
        const FrameDetections frame =
            frameOf({{0, 0, 10, 10}, {100, 100, 120, 130}, {0, 0, 10, 11}}, {0.2F, 0.5F, 0.9F});
        FilterOptions o;
        o.overlapping = true;
        for (const OverlapMethod method : {OverlapMethod::Iou, OverlapMethod::Oks}) {
            FrameDetections copy = frame;
            o.overlapMethod = method;
            o.overlapThreshold = method == OverlapMethod::Iou ? 0.8 : 0.5;
            applyFilters(copy, o, {});
            QCOMPARE(kept(copy), (std::vector<int>{1, 2}));
        }
        // Boxes without extent never overlap; instances without points neither.
        FrameDetections points = frameOf({{5, 5, kNan, kNan}, {5, 5, kNan, kNan}, {kNan, kNan, kNan, kNan}}, {1, 2, 3});
        o.overlapMethod = OverlapMethod::Iou;
        applyFilters(points, o, {});
        QCOMPARE(points.count(), 3);
    }

    void similarities() {
        const std::array<float, 4> a = {0, 0, 10, 10}, b = {5, 5, 15, 15}, half = {0, 0, kNan, kNan};
        QVERIFY(std::abs(boxOverlap(a, b) - 25.0 / 175.0) < 1e-6);
        QCOMPARE(boxOverlap(a, half), 0.0);
        QVERIFY(std::abs(keypointSimilarity(a, a) - 1) < 1e-6);
        QCOMPARE(keypointSimilarity(half, a), 0.0);  // one point gives no scale
        QVERIFY(std::abs(keypointSimilarity(a, half) - 1) < 1e-6);
        QVERIFY(std::abs(keypointSimilarity(a, b) - std::exp(-50.0 / (2 * 100 * 0.01))) < 1e-6);
    }

    void centroidDistance() {
        FrameDetections frame;
        frame.nodes = 1;
        frame.points = {0, 0, 3, 4, 100, 100};
        frame.pointScores = frame.instanceScores = {0.5F, 0.9F, 0.1F};
        frame.trackingScores = {0, 1, 2};
        FilterOptions o;
        o.minCentroidDistance = 5;
        FrameDetections equal = frame;
        applyFilters(equal, o, {true, true});
        QCOMPARE(kept(equal), (std::vector<int>{0, 1, 2}));  // exactly 5 apart is far enough
        o.minCentroidDistance = 5.1;
        // Of bare centroids points cannot be judged.
        o.minVisibleNodes = 9;
        o.minMeanNodeScore = 9;
        o.overlapping = true;
        applyFilters(frame, o, {true, true});
        QCOMPARE(kept(frame), (std::vector<int>{1, 2}));
        o.minInstanceScore = 0.5;
        applyFilters(frame, o, {true, true});
        QCOMPARE(kept(frame), std::vector<int>{1});
        // Top-down: the centroids of the first stage count.
        FrameDetections pair = frameOf({{0, 0, 1, 1}, {50, 50, 51, 51}}, {0.5F, 0.9F});
        pair.centroids = {10, 10, 12, 10};
        o = {};
        o.minCentroidDistance = 3;
        applyFilters(pair, o, {});
        QCOMPARE(kept(pair), std::vector<int>{1});
        QCOMPARE(pair.centroids, (std::vector<float>{12, 10}));
    }

    /// Through the grouper: fixed order of scales, filters and scores, and the peer's reading of a threshold of 0.
    void inTheGrouper() {
        HostBatch batch = *emptyBatch(models::ModelType::SingleInstance, 1, 2, 0, 0, 0);
        batch.packed = {10, 10, 0.6F, 20, 20, 0.2F};
        batch.effScale = {2.0F};
        models::ModelSpec model;
        model.type = models::ModelType::SingleInstance;
        model.partNames = {"a", "b"};
        profile::Profiler profiler;
        InferenceOptions o;
        o.filters.minInstanceScore = 5;  // no effect: the score is made later
        auto found = Grouper::create(model, o)->group(batch, profiler);
        QCOMPARE(found[0].count(), 1);
        QVERIFY(near(found[0].instanceScores[0], 0.8F));
        QCOMPARE(found[0].points, (std::vector<float>{5, 5, 10, 10}));
        o.filters.minPeakValue = 0.5;
        found = Grouper::create(model, o)->group(batch, profiler);
        QVERIFY(near(found[0].instanceScores[0], 0.6F));
        o.filters.minPeakValue = 0.7;
        QCOMPARE(Grouper::create(model, o)->group(batch, profiler)[0].count(), 0);
        o = {};
        o.filters.minMeanNodeScore = 0.5;
        QCOMPARE(Grouper::create(model, o)->group(batch, profiler)[0].count(), 0);
    }

    void thresholdOfZero() {
        // Two centroids whose crops gave instances that overlap by a tenth.
        HostBatch batch = *emptyBatch(models::ModelType::CenteredInstance, 1, 2, 0, 2, 0, 2);
        const PackedLayout layout = layoutOf(batch);
        batch.packed[0] = countAsWord(2);
        const std::array<float, 6> centroids = {5, 5, 1, 15, 15, 2};
        std::copy(centroids.begin(), centroids.end(), batch.packed.begin() + static_cast<int>(layout.peak(0, 0, 0)));
        const std::array<float, 12> points = {0, 0, 1, 10, 10, 1, 7, 7, 1, 17, 17, 1};
        std::copy(points.begin(), points.end(), batch.packed.begin() + static_cast<int>(layout.cropPoint(0, 0)));
        models::ModelSpec model;
        model.type = models::ModelType::CenteredInstance;
        model.partNames = {"a", "b"};
        profile::Profiler profiler;
        InferenceOptions o;
        o.filters.overlapping = true;
        o.filters.overlapThreshold = 0;
        QCOMPARE(Grouper::create(model, o)->group(batch, profiler)[0].instanceScores, std::vector<float>{2});
        o.matchSleapNn = true;
        QCOMPARE(Grouper::create(model, o)->group(batch, profiler)[0].count(), 2);
    }

    void filtersThatCannotWorkAreTold() {
        models::ModelSpec model;
        model.type = models::ModelType::Centroid;
        model.partNames = {"centroid"};
        InferenceOptions o;
        o.filters.overlapping = true;
        QCOMPARE(Grouper::create(model, o)->warnings().size(), std::size_t{1});
        model.type = models::ModelType::SingleInstance;
        o.filters.overlapMethod = OverlapMethod::Oks;
        QCOMPARE(Grouper::create(model, o)->warnings().size(), std::size_t{1});
        model.partNames = {"a", "b"};
        QVERIFY(Grouper::create(model, o)->warnings().empty());
    }
};

QTEST_GUILESS_MAIN(TestFilters)
#include "tst_filters.moc"
