// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <array>
#include <cmath>

#include "engine/inference/crop_geometry.h"
#include "engine/inference/detail/stage_probe.h"
#include "engine/inference/global_peaks.h"
#include "engine/inference/grouping.h"
#include "engine/inference/model_set.h"
#include "engine/inference/packed_layout.h"
#include "engine/inference/unpack.h"
#include "engine/models/model_folder.h"
#include "tests/engine/inference/map_data.h"
#include "tests/engine/inference/stage_data.h"
#include "tests/support/h5_data.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::inference;
using models::ModelSpec;
using models::ModelType;
using probe::Array;
using probe::Way;
using test::at;
using test::H5Array;
using test::imagesOf;
using test::largestDifference;
using test::Maps;

namespace {

// The limits of the reference pack for equal pixels.
constexpr float kInput = 1e-6F;
constexpr float kMaps = 2e-5F;
constexpr float kMultiClassMaps = 4e-5F;  // a network whose own results spread wider, see the pack's tolerances
constexpr float kPeaks = 1e-4F;           // in map pixels
constexpr float kPoints = 1e-3F;
constexpr float kScores = 1e-4F;

Maps mapsOf(const Array& head) {
    return {static_cast<int>(head.shape[0]), static_cast<int>(head.shape[1]), static_cast<int>(head.shape[2]),
            static_cast<int>(head.shape[3]), head.values};
}

/// A recorded run of two frames and what it needs.
class Recording {
public:
    Recording(std::filesystem::path file, std::vector<ModelSpec> specs)
        : m_file(std::move(file)), models(std::move(specs)) {}
    [[nodiscard]] H5Array read(const std::string& name) const {
        const auto array = test::readH5(m_file, name);
        return array ? *array : H5Array{};
    }
    [[nodiscard]] bool has(const std::string& name) const { return test::readH5(m_file, name).has_value(); }
    [[nodiscard]] std::vector<ImagePtr> frames() const {
        const H5Array frames = read("decoded_frames");
        return frames.shape.size() == 4 ? imagesOf(frames, frames.shape[1], frames.shape[2], frames.shape[3])
                                        : std::vector<ImagePtr>{};
    }
    /// The only head goes by another name than one of several.
    [[nodiscard]] H5Array head(const std::string& group, const ModelSpec& spec, std::size_t number) const {
        return read(group + "/head/" +
                    (spec.heads.size() == 1 ? std::string("output") : models::headName(spec.heads[number].kind)));
    }

private:
    std::filesystem::path m_file;

public:
    std::vector<ModelSpec> models;  // in the order of work
};

/// The maps of a model against the recorded ones.
void compareHeads(const Recording& recording, const std::string& group, const ModelSpec& spec,
                  const std::vector<Array>& heads) {
    QCOMPARE(heads.size(), spec.heads.size());
    const float tolerance = spec.type == ModelType::MultiClassBottomUp ? kMultiClassMaps : kMaps;
    for (std::size_t h = 0; h < heads.size(); ++h) {
        const float difference = largestDifference(heads[h], recording.head(group, spec, h));
        QVERIFY2(difference <= tolerance,
                 qPrintable(QString("%1: %2").arg(models::headName(spec.heads[h].kind)).arg(difference)));
    }
}

/// Peaks of every map, before and after refinement, [map][node].
void compareGlobalPeaks(const Recording& recording, const std::string& group, const Array& head, float threshold) {
    const Maps maps = mapsOf(head);
    for (const auto& [name, refine] : {std::pair(std::string("/peaks_rough"), false), {std::string("/peaks"), true}}) {
        const H5Array xy = recording.read(group + name + "/xy");
        const H5Array value = recording.read(group + name + "/value");
        QCOMPARE(value.values.size(), static_cast<std::size_t>(maps.frames * maps.channels));
        for (int f = 0; f < maps.frames; ++f)
            for (int c = 0; c < maps.channels; ++c) {
                const auto i = static_cast<std::size_t>(f * maps.channels + c);
                const Peak peak = findGlobalPeak(maps.view(f), c, {threshold, refine, 5});
                QVERIFY(test::near(peak.x, at(xy, 2 * i), kPeaks));
                QVERIFY(test::near(peak.y, at(xy, 2 * i + 1), kPeaks));
                QVERIFY(test::near(peak.value, at(value, i), kMaps));
            }
    }
}

/// How far a refined peak may lie from the recorded one, in map pixels. It is a sum of 5 x 5 values' places divided by
/// their sum: where that is near 0 (the place is then many pixels off), the last digits of the values move it far.
float peakTolerance(const MapView& map, const Peak& rough, const Peak& refined) {
    constexpr int kHalf = 2;
    const auto x0 = static_cast<int>(rough.x);
    const auto y0 = static_cast<int>(rough.y);
    float sum = 0;
    for (int y = std::max(0, y0 - kHalf); y <= std::min(map.height - 1, y0 + kHalf); ++y)
        for (int x = std::max(0, x0 - kHalf); x <= std::min(map.width - 1, x0 + kHalf); ++x)
            sum += map.at(y, x, rough.channel);
    const float reach = kHalf + std::max(std::abs(refined.x - rough.x), std::abs(refined.y - rough.y));
    constexpr float kNoise = kMaps * (2 * kHalf + 1);  // of a sum of 25 values
    return std::max(kPeaks, kNoise * reach / std::abs(sum));
}

void compareLocalPeaks(const Recording& recording, const std::string& group, const Array& head, float threshold) {
    const Maps maps = mapsOf(head);
    for (const auto& [name, refine] : {std::pair(std::string("/peaks_rough"), false), {std::string("/peaks"), true}}) {
        const H5Array xy = recording.read(group + name + "/xy");
        const H5Array value = recording.read(group + name + "/value");
        const H5Array sample = recording.read(group + name + "/sample");
        std::vector<Peak> found;
        std::vector<Peak> rough;
        std::vector<int> samples;
        for (int f = 0; f < maps.frames; ++f) {
            findLocalPeaks(maps.view(f), {threshold, refine, 5}, found);
            findLocalPeaks(maps.view(f), {threshold, false, 5}, rough);
            samples.resize(found.size(), f);
        }
        QCOMPARE(found.size(), value.values.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            QCOMPARE(samples[i], static_cast<int>(sample.values[i]));
            const float tolerance = peakTolerance(maps.view(samples[i]), rough[i], found[i]);
            QVERIFY(test::near(found[i].x, at(xy, 2 * i), tolerance));
            QVERIFY(test::near(found[i].y, at(xy, 2 * i + 1), tolerance));
            QVERIFY(test::near(found[i].value, at(value, i), kMultiClassMaps));
        }
    }
}

/// What a centered-instance model saw in the crops around the recorded centroids.
void compareCrops(const Recording& recording, const InferenceOptions& options, const std::vector<ImagePtr>& frames) {
    const H5Array centroids = recording.read("final/pred_centroids");
    const std::size_t slots = centroids.shape[1];
    std::vector<std::vector<CentroidPoint>> places(frames.size());
    std::size_t count = 0;
    for (std::size_t f = 0; f < frames.size(); ++f)
        for (std::size_t i = 0; i < slots; ++i) {
            const std::size_t here = 2 * (f * slots + i);
            if (std::isnan(centroids.values[here]))
                continue;
            places[f].push_back({at(centroids, here), at(centroids, here + 1)});
            ++count;
        }
    if (count == 0)
        return;
    const ModelSpec& spec = recording.models.back();
    const auto settings = topDownSettings(recording.models, options);
    QVERIFY(settings.has_value());
    const auto stages = probe::recordCrops(spec, *settings, frames, places, Way::Fused);
    QVERIFY2(stages.has_value(), stages ? "" : stages.error().describe().c_str());
    QCOMPARE(largestDifference(stages->crops, recording.read("instance/crops")), 0.0F);
    QVERIFY(largestDifference(stages->networkInput, recording.read("instance/network_input")) <= kInput);
    const H5Array corners = recording.read("instance/crop_corners");
    std::size_t crop = 0;
    for (const auto& list : places)
        for (const CentroidPoint& place : list) {
            // Frames of these recordings are not resized, so that image pixels are those of the crops.
            QVERIFY(test::near(cropAxis(place.x, settings->cropSize).origin, at(corners, 8 * crop), kPeaks));
            QVERIFY(test::near(cropAxis(place.y, settings->cropSize).origin, at(corners, 8 * crop + 1), kPeaks));
            ++crop;
        }
    compareHeads(recording, "instance", spec, stages->heads);
    compareGlobalPeaks(recording, "instance", stages->heads[0], static_cast<float>(options.peakThreshold));
}

/// The whole chain against the recorded outcome; slots without any point are no instances.
void compareOutcome(const Recording& recording, const std::vector<FrameDetections>& found) {
    const H5Array points = recording.read("final/pred_keypoints");
    const H5Array values = recording.read("final/pred_peak_values");
    const H5Array scores = recording.read("final/instance_scores");
    const H5Array tracking = recording.read("final/instance_tracking_scores");
    const H5Array classes = recording.read("final/pred_class_inds");
    const H5Array centroids = recording.read("final/pred_centroids");
    QCOMPARE(found.size(), points.shape[0]);
    const std::size_t slots = points.shape[1];
    const std::size_t nodes = points.shape[2];
    for (std::size_t f = 0; f < found.size(); ++f) {
        std::size_t i = 0;
        for (std::size_t k = 0; k < slots; ++k) {
            const std::size_t slot = f * slots + k;
            bool any = false;
            for (std::size_t n = 0; n < nodes; ++n)
                any = any || !std::isnan(points.values[2 * (slot * nodes + n)]);
            if (!any)
                continue;
            QVERIFY(i < found[f].instanceScores.size());
            float sum = 0;
            for (std::size_t n = 0; n < nodes; ++n) {
                const std::size_t there = slot * nodes + n;
                const std::size_t here = i * nodes + n;
                QVERIFY(test::near(found[f].points[2 * here], at(points, 2 * there), kPoints));
                QVERIFY(test::near(found[f].points[2 * here + 1], at(points, 2 * there + 1), kPoints));
                QVERIFY(test::near(found[f].pointScores[here], at(values, there), kScores));
                sum += at(values, there);
            }
            QVERIFY(test::near(found[f].instanceScores[i], scores.values.empty() ? sum : at(scores, slot), kScores));
            if (!tracking.values.empty())
                QVERIFY(test::near(found[f].trackingScores[i], at(tracking, slot), kScores));
            if (!classes.values.empty())
                QCOMPARE(found[f].classes[i], static_cast<int>(classes.values[slot * nodes]));
            if (!centroids.values.empty())
                QVERIFY(test::near(found[f].centroids[2 * i], at(centroids, 2 * slot), kPoints));
            ++i;
        }
        QCOMPARE(found[f].instanceScores.size(), i);
    }
}

}  // namespace

/// Each recorded stage of sleap-nn against ours, for all models but plain bottom-up ones (see tst_bottomup_stages).
class TestModelStages : public QObject {
    Q_OBJECT

    static std::vector<FrameDetections> runAll(const std::vector<ModelSpec>& specs, const InferenceOptions& options,
                                               const std::vector<ImagePtr>& frames, bool queued) {
        profile::Profiler profiler;
        auto runner = queued ? probe::makeQueuedRunner(specs, options, profiler)
                             : (*openBackend())->loadRunner(specs, options, profiler);
        if (!runner) {
            qWarning("%s", runner.error().describe().c_str());
            return {};
        }
        auto pending = (*runner)->submit(frames);
        if (!pending)
            return {};
        const auto batch = (*pending)->wait();
        return batch ? Grouper::create((*runner)->spec(), options)->group(*batch, profiler)
                     : std::vector<FrameDetections>{};
    }

    static std::vector<ModelSpec> readModels(const std::filesystem::path& reference, const QString& folders) {
        std::vector<ModelSpec> specs;
        for (const QString& folder : folders.split(' ')) {
            auto spec = models::readModelSpec(reference / "models" / folder.toStdString());
            if (!spec) {
                qWarning("%s", spec.error().describe().c_str());
                return {};
            }
            specs.push_back(std::move(*spec));
        }
        return specs;
    }

private Q_SLOTS:
    void stages_data() {
        QTest::addColumn<QString>("models");
        QTest::addColumn<double>("threshold");
        QTest::addColumn<double>("scale");
        QTest::addColumn<int>("most");
        const QString one = "ckpt/minimal_instance_", keras = "legacy_keras/minimal_instance.UNet.";
        QTest::newRow("single_instance") << one + "single_instance" << 0.2 << 0.0 << 0;
        QTest::newRow("centroid") << one + "centroid" << 0.2 << 0.0 << 0;
        QTest::newRow("multiclass_bottomup") << one + "multiclass_bottomup" << 0.2 << 0.0 << 0;
        QTest::newRow("topdown") << one + "centroid " + one + "centered_instance" << 0.2 << 0.0 << 0;
        QTest::newRow("topdown_scale05") << one + "centroid " + one + "centered_instance" << 0.2 << 0.5 << 0;
        QTest::newRow("multiclass_topdown")
            << one + "centroid " + one + "multiclass_centered_instance" << 0.03 << 0.0 << 0;
        QTest::newRow("keras_single_instance") << "legacy_keras/minimal_robot.UNet.single_instance" << 0.2 << 0.0 << 0;
        QTest::newRow("keras_topdown") << keras + "centroid " + keras + "centered_instance" << 0.2 << 0.0 << 2;
    }

    void stages() {
        SKEIN_NEEDS_REFERENCE(reference);
        QFETCH(QString, models);
        QFETCH(double, threshold);
        QFETCH(double, scale);
        QFETCH(int, most);
        auto specs = readModels(reference, models);
        QVERIFY(!specs.empty());
        // The recordings of Keras models carry the peer's shift.
        for (ModelSpec& spec : specs)
            spec.kerasTransposeAlignment = false;
        const Recording recording(reference / "golden/stages" / (std::string(QTest::currentDataTag()) + ".h5"), specs);
        InferenceOptions options;
        options.device = "cpu";
        options.peakThreshold = threshold;
        options.maxInstances = most;
        options.matchSleapNn = true;
        if (scale > 0)
            options.inputScale = scale;
        const auto frames = recording.frames();
        QVERIFY(!frames.empty());

        const std::string group = specs.size() == 2 ? "centroid" : "model";
        const std::string first = recording.has(group + "/preprocessed") ? group : "centroid";
        const auto stages = probe::recordStages(specs.front(), options, frames, Way::Fused);
        QVERIFY2(stages.has_value(), stages ? "" : stages.error().describe().c_str());
        QCOMPARE(largestDifference(stages->preprocessed, recording.read(first + "/preprocessed")), 0.0F);
        QVERIFY(largestDifference(stages->networkInput, recording.read(first + "/network_input")) <= kInput);
        compareHeads(recording, first, specs.front(), stages->heads);
        if (specs.front().type == ModelType::SingleInstance)
            compareGlobalPeaks(recording, first, stages->heads[0], static_cast<float>(threshold));
        else
            compareLocalPeaks(recording, first, stages->heads[0], static_cast<float>(threshold));
        if (specs.size() == 2)
            compareCrops(recording, options, frames);
        if (QTest::currentTestFailed() || (specs.front().type == ModelType::Centroid && specs.size() == 1))
            return;
        for (const bool queued : {false, true})
            compareOutcome(recording, runAll(specs, options, frames, queued));
    }

    /// sleap-nn's own older recordings: from their stored network inputs to instances.
    void olderPipeline_data() {
        QTest::addColumn<QString>("second");
        QTest::newRow("topdown") << "ckpt/minimal_instance_centered_instance";
        QTest::newRow("multiclass_topdown") << "ckpt/minimal_instance_multiclass_centered_instance";
    }

    void olderPipeline() {
        SKEIN_NEEDS_REFERENCE(reference);
        QFETCH(QString, second);
        const auto specs = readModels(reference, "ckpt/minimal_instance_centroid " + second);
        QCOMPARE(specs.size(), std::size_t{2});
        const std::filesystem::path golden =
            reference / "golden/parity" / (std::string(QTest::currentDataTag()) + ".h5");
        InferenceOptions options;
        options.device = "cpu";
        options.peakThreshold = 0.03;
        options.maxInstances = 6;
        profile::Profiler profiler;
        auto runner = (*openBackend())->loadRunner(specs, options, profiler);
        QVERIFY(runner.has_value());
        const std::size_t nodes = specs[1].partNames.size();
        for (int frame = 0; frame < 8; ++frame) {
            const auto read = [&](const std::string& name) {
                const auto array = test::readH5(golden, "batch_" + std::to_string(frame) + "/" + name);
                return array ? *array : H5Array{};
            };
            H5Array image = read("image");
            QCOMPARE(image.shape.size(), std::size_t{4});
            image.values.resize(384 * 384);  // the frame stands there once for each crop
            auto pending = (*runner)->submit(imagesOf(image, 384, 384, 1));
            QVERIFY(pending.has_value());
            const auto batch = (*pending)->wait();
            QVERIFY(batch.has_value());
            const H5Array centroids = read("pred_centroids"), values = read("centroid_val"),
                          boxes = read("instance_bbox"), points = read("pred_instance_peaks"),
                          pointValues = read("pred_peak_values");
            const PackedLayout layout = layoutOf(*batch);
            QCOMPARE(layout.crops, values.values.size());
            // Crops of these frames were a pixel short in the version that recorded them.
            const bool stale = frame == 2 || frame == 3 || frame == 5;
            const float pointTolerance = stale ? 0.02F : kPoints;
            const float valueTolerance = stale ? 0.005F : kScores;
            for (std::size_t i = 0; i < layout.crops; ++i) {
                const float* centroid = batch->packed.data() + layout.peak(0, 0, i);
                QVERIFY(test::near(centroid[0], at(centroids, 2 * i), kPoints));
                QVERIFY(test::near(centroid[1], at(centroids, 2 * i + 1), kPoints));
                QVERIFY(test::near(centroid[2], at(values, i), kScores));
                for (std::size_t n = 0; n < nodes; ++n) {
                    const float* point = batch->packed.data() + layout.cropPoint(i, n);
                    const std::size_t there = i * nodes + n;
                    QVERIFY(test::near(point[0], at(points, 2 * there) + at(boxes, 8 * i), pointTolerance));
                    QVERIFY(test::near(point[1], at(points, 2 * there + 1) + at(boxes, 8 * i + 1), pointTolerance));
                    QVERIFY(test::near(point[2], at(pointValues, there), valueTolerance));
                }
            }
            if (layout.cropClasses == 0)
                continue;
            const H5Array classes = read("pred_class_inds"), probabilities = read("instance_scores");
            std::vector<FrameDetections> all = unpackCrops(*batch);
            for (std::size_t i = 0; i < layout.crops; ++i) {
                QCOMPARE(all[0].classes[i], static_cast<int>(classes.values[i]));
                QVERIFY(test::near(all[0].trackingScores[i], at(probabilities, i), valueTolerance));
            }
        }
    }

    /// SLEAP's own alignment is the default, and gives other numbers than the peer's.
    void kerasModelsAreMended() {
        SKEIN_NEEDS_REFERENCE(reference);
        const auto specs = readModels(reference,
                                      "legacy_keras/minimal_instance.UNet.centroid "
                                      "legacy_keras/minimal_instance.UNet.centered_instance");
        QVERIFY(!specs.empty());
        const Recording recording(reference / "golden/stages/keras_topdown.h5", specs);
        const auto frames = recording.frames();
        InferenceOptions options;
        options.device = "cpu";
        options.maxInstances = 2;
        const auto mended = runAll(specs, options, frames, false);
        options.matchSleapNn = true;
        compareOutcome(recording, runAll(specs, options, frames, false));
        const auto peer = runAll(specs, options, frames, false);
        QCOMPARE(mended.size(), peer.size());
        QVERIFY(mended[0].points != peer[0].points);
    }
};

QTEST_GUILESS_MAIN(TestModelStages)
#include "tst_model_stages.moc"
