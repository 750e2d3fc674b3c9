// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <array>
#include <random>

#include "engine/inference/bottomup_packer.h"
#include "engine/inference/crop_geometry.h"
#include "engine/inference/detail/stage_probe.h"
#include "engine/inference/given_centroids.h"
#include "engine/inference/global_peaks.h"
#include "engine/inference/grouping.h"
#include "engine/inference/model_set.h"
#include "engine/inference/packed_layout.h"
#include "engine/inference/peak_store.h"
#include "engine/inference/unpack.h"
#include "tests/engine/inference/inference_cases.h"
#include "tests/engine/inference/map_data.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::inference;
using models::ModelSpec;
using models::ModelType;
using probe::Array;
using test::Maps;
using test::near;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Crops of one grey picture around some places, both ways; the first one's pixels are returned when they agree.
std::vector<float> crop(const Array& picture, const std::vector<CentroidPoint>& centroids, int size,
                        float effScale = 1) {
    const std::vector<int> frame(centroids.size(), 0);
    const auto loops = probe::cropPixels(picture, frame, centroids, effScale, size, false);
    const auto tensors = probe::cropPixels(picture, frame, centroids, effScale, size, true);
    if (!loops || !tensors || loops->values != tensors->values || loops->shape != tensors->shape)
        return {};
    return loops->values;
}

ModelSpec modelOf(ModelType type, std::optional<int> cropSize = std::nullopt) {
    ModelSpec spec;
    spec.type = type;
    spec.skeleton.nodes = spec.partNames = {"a", "b"};
    spec.preprocess.cropSize = cropSize;
    if (type == ModelType::Centroid)
        spec.partNames = {"centroid"};
    return spec;
}

QString problem(const std::vector<ModelSpec>& given) {
    const auto arranged = arrangeModels(given);
    return arranged ? QString("accepted") : QString::fromStdString(arranged.error().message());
}

}  // namespace

/// From centroids to crops to instances.
class TestTopDown : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordedCrops() {
        test::forCases("crop", 5, [](const nlohmann::json& c, const std::string& id) {
            const auto& image = c["inputs"]["image"];
            const auto shape = test::shapeOf(image);
            const Array picture{{1, 1, shape[0], shape[1]}, test::numbers(image)};
            const auto at = test::numbers(c["inputs"]["centroid"]);
            const int size = c["params"]["crop"];
            QVERIFY2(near(cropAxis(at[0], size).origin, test::number(c["expected"]["topleft"][0])), id.c_str());
            QVERIFY2(near(cropAxis(at[1], size).origin, test::number(c["expected"]["topleft"][1])), id.c_str());
            QVERIFY2(crop(picture, {{at[0], at[1]}}, size) == test::numbers(c["expected"]["pixels"]), id.c_str());
        });
    }

    /// The network is the identity here: its confidence map is the crop itself.
    void recordedIdentity() {
        test::forCases("topdown_identity", 8, [](const nlohmann::json& c, const std::string& id) {
            const auto& p = c["params"];
            const int size = p["crop"];
            Array picture{{1, 1, p["image_hw"][0], p["image_hw"][1]}, {}};
            picture.values.assign(static_cast<std::size_t>(picture.shape[2] * picture.shape[3]), 0.0F);
            for (const auto& pixel : c["inputs"]["pixels_xyv"])
                picture.values[static_cast<std::size_t>(pixel[1].get<std::int64_t>() * picture.shape[3] +
                                                        pixel[0].get<std::int64_t>())] = pixel[2].get<float>();
            std::vector<CentroidPoint> centroids;
            for (const auto& at : c["inputs"]["centroids"])
                centroids.push_back({at[0].get<float>(), at[1].get<float>()});
            const auto pixels = crop(picture, centroids, size);
            QVERIFY2(pixels.size() == centroids.size() * static_cast<std::size_t>(size * size), id.c_str());
            // Packed as a runner would, and unpacked.
            HostBatch batch = *emptyBatch(ModelType::CenteredInstance, 1, 1, 0, centroids.size(), 0, centroids.size());
            const PackedLayout layout = layoutOf(batch);
            batch.packed[0] = countAsWord(static_cast<std::int32_t>(centroids.size()));
            const auto& e = c["expected"];
            for (std::size_t i = 0; i < centroids.size(); ++i) {
                std::vector<float> map(pixels.begin() + static_cast<std::ptrdiff_t>(i) * size * size,
                                       pixels.begin() + static_cast<std::ptrdiff_t>(i + 1) * size * size);
                for (float& value : map)
                    value /= 255;
                const Peak peak = findGlobalPeak({map.data(), size, size, 1}, 0,
                                                 {p["threshold"].get<float>(), p["refinement"] == "integral", 5});
                const CropAxis x = cropAxis(centroids[i].x, size);
                const CropAxis y = cropAxis(centroids[i].y, size);
                QVERIFY2(near(x.origin, test::number(e["crop_topleft"][i][0])), id.c_str());
                QVERIFY2(near(y.origin, test::number(e["crop_topleft"][i][1])), id.c_str());
                QVERIFY2(near(peak.x, test::number(e["crop_keypoints"][i][0][0])), id.c_str());
                QVERIFY2(near(peak.y, test::number(e["crop_keypoints"][i][0][1])), id.c_str());
                const std::array<float, 3> place = {centroids[i].x, centroids[i].y, 1};
                std::copy(place.begin(), place.end(), batch.packed.begin() + static_cast<int>(layout.peak(0, 0, i)));
                const std::array<float, 3> point = {peak.x + x.origin, peak.y + y.origin, peak.value};
                std::copy(point.begin(), point.end(), batch.packed.begin() + static_cast<int>(layout.cropPoint(i, 0)));
            }
            const auto frames = unpackCrops(batch);
            QCOMPARE(frames[0].instanceScores.size(), centroids.size());
            for (std::size_t i = 0; i < centroids.size(); ++i) {
                QVERIFY2(near(frames[0].points[2 * i], test::number(e["keypoints"][i][0][0])), id.c_str());
                QVERIFY2(near(frames[0].points[2 * i + 1], test::number(e["keypoints"][i][0][1])), id.c_str());
                QVERIFY2(near(frames[0].pointScores[i], test::number(e["point_scores"][i][0])), id.c_str());
            }
        });
    }

    void recordedCentroids() {
        test::forCases("centroid", 3, [](const nlohmann::json& c, const std::string& id) {
            const auto& p = c["params"];
            const Maps maps(c["inputs"]["confmaps"]);
            PackOptions options;
            options.peaks = {p["threshold"].get<float>(), p["refinement"] == "integral", 5};
            options.confmapStride = p["stride"];
            options.nodes = 1;
            BottomUpPacker packer(options, ModelType::Centroid);
            packer.begin();
            for (int f = 0; f < maps.frames; ++f) {
                const std::array<MapView, 1> view = {maps.view(f)};
                static_cast<MapPacker&>(packer).add(view);
            }
            const Array array{test::shapeOf(c["inputs"]["confmaps"]), test::numbers(c["inputs"]["confmaps"])};
            const auto tensors = probe::packWithTensors(ModelType::Centroid, options, {array}, 8);
            QVERIFY2(tensors.has_value(), id.c_str());
            for (HostBatch batch : {*packer.finish(), *tensors}) {
                batch.inputScale = p["input_scale"];
                batch.effScale = test::numbers(p["eff_scale"]);
                InferenceOptions o;
                o.maxInstances = p["max_instances"].is_null() ? 0 : p["max_instances"].get<int>();
                profile::Profiler profiler;
                const auto found = Grouper::create(modelOf(ModelType::Centroid), o)->group(batch, profiler);
                const auto& values = c["expected"]["values"];
                for (std::size_t f = 0; f < values.size(); ++f) {
                    std::size_t count = 0;
                    for (std::size_t i = 0; i < values[f].size(); ++i) {
                        if (values[f][i].is_null())
                            continue;
                        ++count;
                        QVERIFY2(i < found[f].instanceScores.size(), id.c_str());
                        const auto& at = c["expected"]["points"][f][i];
                        QVERIFY2(near(found[f].points[2 * i], test::number(at[0])), id.c_str());
                        QVERIFY2(near(found[f].points[2 * i + 1], test::number(at[1])), id.c_str());
                        QVERIFY2(near(found[f].instanceScores[i], test::number(values[f][i])), id.c_str());
                        QVERIFY2(near(found[f].pointScores[i], test::number(values[f][i])), id.c_str());
                    }
                    QVERIFY2(found[f].instanceScores.size() == count, id.c_str());
                }
            }
        });
    }

    void recordedGivenCentroids() {
        test::forCases("gt_centroid", 5, [](const nlohmann::json& c, const std::string& id) {
            const auto& p = c["params"];
            CentroidRule rule;
            rule.method = *parseCentroidMethod(p["method"].get<std::string>());
            if (!p["anchor"].is_null())
                rule.anchor = p["anchor"].get<int>();
            if (!p["fallback"].is_null())
                rule.fallback = *parseCentroidMethod(p["fallback"].get<std::string>());
            for (std::size_t i = 0; i < c["expected"].size(); ++i) {
                std::vector<project::Point> points;
                for (const auto& at : c["inputs"]["instances"][i]) {
                    const float x = test::number(at[0]);
                    points.push_back({x, test::number(at[1]), 0, !std::isnan(x), false});
                }
                const auto got = centroidOf(points, rule);
                const auto& expected = c["expected"][i];
                QVERIFY2(got.has_value() == !expected[0].is_null(), id.c_str());
                if (got)
                    QVERIFY2(near(got->x, test::number(expected[0])) && near(got->y, test::number(expected[1])),
                             id.c_str());
            }
        });
    }

    void geometricMedianOfThreeCorners() {
        // The point that sees all sides of a triangle under 120 degrees.
        const std::vector<project::Point> points = {
            {0, 0, 0, true, false}, {4, 0, 0, true, false}, {0, 4, 0, true, false}};
        CentroidRule rule;
        rule.method = CentroidMethod::GeometricMedian;
        const auto got = centroidOf(points, rule);
        QVERIFY(got && near(got->x, 0.845299F, 1e-4F) && near(got->y, 0.845299F, 1e-4F));
    }

    void whatACentroidIs() {
        ModelSpec centroid = modelOf(ModelType::Centroid);
        ModelSpec instance = modelOf(ModelType::CenteredInstance, 32);
        QCOMPARE(centroidDefinition({centroid, instance}, std::nullopt)->tag(), std::string("center_of_mass"));
        centroid.centroidMethod = "bbox_center";
        QCOMPARE(centroidDefinition({centroid, instance}, std::nullopt)->tag(), std::string("bbox_center"));
        instance.anchorPart = "b";
        QCOMPARE(centroidDefinition({centroid, instance}, std::nullopt)->tag(), std::string("anchor:b"));
        const auto given = centroidDefinition({centroid, instance}, "a");
        QCOMPARE(given->tag(), std::string("anchor:a"));
        QCOMPARE(given->on(instance.skeleton).anchor, std::optional<int>(0));
        project::Skeleton other;
        other.nodes = {"x", "a"};
        QCOMPARE(given->on(other).anchor, std::optional<int>(1));
        const auto unknown = centroidDefinition({instance}, "tail");
        QVERIFY(!unknown && unknown.error().message().find("a, b") != std::string::npos);
        QVERIFY(!parseCentroidMethod("middle"));
    }

    /// One gather against plain copies: odd and even sizes, colour, every kind of overhang, places far outside.
    void cropsBothWays() {
        std::mt19937 random(3);
        std::uniform_real_distribution<float> place(-30, 60);
        for (const auto& [channels, size] : {std::pair{1, 8}, {3, 7}, {3, 16}, {1, 1}, {1, 50}}) {
            Array frames{{3, channels, 20, 30}, {}};
            for (int i = 0; i < 3 * channels * 20 * 30; ++i)
                frames.values.push_back(static_cast<float>((i * 7919) % 256));
            std::vector<int> frame;
            std::vector<CentroidPoint> centroids = {{1e9F, 3}, {-1e9F, -1e9F}, {0, 0}, {29.5F, 19.5F}};
            for (int i = 0; i < 40; ++i)
                centroids.push_back({place(random), place(random)});
            for (std::size_t i = 0; i < centroids.size(); ++i)
                frame.push_back(static_cast<int>(i % 3));
            for (const float effScale : {1.0F, 0.6857143F}) {
                const auto loops = probe::cropPixels(frames, frame, centroids, effScale, size, false);
                const auto tensors = probe::cropPixels(frames, frame, centroids, effScale, size, true);
                QVERIFY(loops && tensors);
                QCOMPARE(tensors->shape, loops->shape);
                QVERIFY(tensors->values == loops->values);
                QVERIFY(*std::max_element(loops->values.begin(), loops->values.end()) > 0);
            }
        }
    }

    void pairs() {
        const ModelSpec centroid = modelOf(ModelType::Centroid);
        for (const ModelType type : {ModelType::CenteredInstance, ModelType::MultiClassTopDown}) {
            const ModelSpec instance = modelOf(type, 64);
            for (const auto& given : {std::vector{centroid, instance}, std::vector{instance, centroid}}) {
                const auto arranged = arrangeModels(given);
                QVERIFY(arranged.has_value());
                QCOMPARE(arranged->front().type, ModelType::Centroid);
                QCOMPARE(arranged->back().type, type);
                QVERIFY(!needsCentroids(*arranged));
                QVERIFY(describeModels(*arranged).find("top-down") != std::string::npos ||
                        describeModels(*arranged).find("Top-down") != std::string::npos);
            }
            QVERIFY(needsCentroids({instance}));
        }
        QVERIFY(!needsCentroids({centroid}));
        QVERIFY(problem({}).contains("No model"));
        QVERIFY(problem({centroid, centroid, centroid}).contains("3 were given"));
        QVERIFY(problem({centroid, centroid}).contains("Both models are of the type Centroid"));
        QVERIFY(problem({centroid, modelOf(ModelType::BottomUp)}).contains("cannot run together"));
        QVERIFY(problem({modelOf(ModelType::SingleInstance), modelOf(ModelType::CenteredInstance)})
                    .contains("every other model runs alone"));
        QCOMPARE(problem({modelOf(ModelType::BottomUp)}), QString("accepted"));
    }

    void settingsComeFromTheRightPlace() {
        ModelSpec centroid = modelOf(ModelType::Centroid, 999);
        ModelSpec instance = modelOf(ModelType::CenteredInstance, 96);
        centroid.preprocess.maxHeight = 100;
        centroid.preprocess.scale = 0.5;
        centroid.preprocess.ensureGrayscale = true;
        instance.preprocess.maxHeight = 200;
        instance.preprocess.maxWidth = 300;
        instance.preprocess.scale = 0.75;
        instance.preprocess.ensureRgb = true;
        InferenceOptions o;
        auto settings = topDownSettings({centroid, instance}, o);
        QVERIFY(settings.has_value());
        QCOMPARE(settings->frames.maxHeight, std::optional<int>(100));
        QCOMPARE(settings->frames.maxWidth, std::optional<int>(300));
        QCOMPARE(settings->frames.scale, 0.5);
        QVERIFY(settings->frames.ensureGrayscale && !settings->frames.ensureRgb);
        QCOMPARE(settings->crops.scale, 0.75);
        QVERIFY(!settings->crops.maxHeight && !settings->crops.ensureRgb);
        QCOMPARE(settings->cropSize, 96);
        o.inputScale = 0.25;
        o.maxWidth = 50;
        o.cropSize = 32;
        settings = topDownSettings({centroid, instance}, o);
        QCOMPARE(settings->frames.scale, 0.25);
        QCOMPARE(settings->crops.scale, 0.25);
        QCOMPARE(settings->frames.maxWidth, std::optional<int>(50));
        QCOMPARE(settings->cropSize, 32);
        // Alone: frames are size matched and nothing else.
        settings = topDownSettings({instance}, o);
        QCOMPARE(settings->frames.scale, 1.0);
        QCOMPARE(settings->crops.scale, 0.25);
        QCOMPARE(settings->frames.maxHeight, std::optional<int>(200));
        QVERIFY(!settings->frames.ensureRgb);
        instance.preprocess.cropSize.reset();
        o.cropSize.reset();
        QVERIFY(!topDownSettings({centroid, instance}, o));
        o.cropSize = 100000;
        QVERIFY(!topDownSettings({centroid, instance}, o));
    }

    void skeletonOfTheOutput() {
        ModelSpec centroid = modelOf(ModelType::Centroid);
        QCOMPARE(outputSkeleton({centroid}).nodes, std::vector<std::string>{"centroid"});
        QVERIFY(outputSkeleton({centroid}).edges.empty());
        centroid.skeleton.nodes = {"thorax"};
        QCOMPARE(outputSkeleton({centroid}).nodes, std::vector<std::string>{"thorax"});
        QCOMPARE(outputSkeleton({centroid, modelOf(ModelType::CenteredInstance)}).nodes.size(), std::size_t{2});
    }

    /// Crops belong to the centroids that are numbers, by frame, then slot; classes are given frame by frame.
    void cropsAndClassesByFrame() {
        HostBatch batch = *emptyBatch(ModelType::MultiClassTopDown, 2, 1, 0, 3, 2, 4);
        const PackedLayout layout = layoutOf(batch);
        const auto put = [&](std::size_t at, std::initializer_list<float> words) {
            std::copy(words.begin(), words.end(), batch.packed.begin() + static_cast<std::ptrdiff_t>(at));
        };
        batch.packed[0] = countAsWord(3);
        batch.packed[1] = countAsWord(1);
        put(layout.peak(0, 0, 0), {10, 10, 0.5F});
        put(layout.peak(0, 0, 1), {kNan, kNan, kNan});
        put(layout.peak(0, 0, 2), {30, 30, 0.7F});
        put(layout.peak(1, 0, 0), {50, 50, 0.9F});
        put(layout.cropPoint(0, 0), {11, 11, 0.1F});
        put(layout.cropPoint(1, 0), {kNan, kNan, 0});
        put(layout.cropPoint(2, 0), {51, 51, 0.3F});
        put(layout.cropClass(0), {0.9F, 0.1F, 0.95F, 0.05F, 0.8F, 0.2F});
        batch.effScale = {0.5F, 0.5F};
        batch.inputScale = 0.25;  // of the crops, undone already
        ModelSpec model = modelOf(ModelType::MultiClassTopDown);
        model.partNames = {"a"};
        profile::Profiler profiler;
        const auto found = Grouper::create(model, {})->group(batch, profiler);
        // The crop without a visible point takes part in the assignment and is gone afterwards.
        QCOMPARE(found[0].count(), 1);
        QCOMPARE(found[0].classes, std::vector<int>{1});
        QVERIFY(near(found[0].trackingScores[0], 0.1F));
        QVERIFY(near(found[0].points[0], 22) && near(found[0].instanceScores[0], 0.5F));
        QCOMPARE(found[0].centroids, (std::vector<float>{10, 10}));
        QCOMPARE(found[1].classes, std::vector<int>{0});
        QVERIFY(near(found[1].trackingScores[0], 0.8F));
        QVERIFY(near(found[1].points[0], 102));
    }
};

QTEST_GUILESS_MAIN(TestTopDown)
#include "tst_topdown.moc"
