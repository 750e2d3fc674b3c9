// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "engine/inference/detail/stage_probe.h"
#include "engine/inference/grouping.h"
#include "engine/inference/model_set.h"
#include "engine/inference/packed_layout.h"
#include "engine/inference/runner.h"
#include "engine/models/model_folder.h"
#include "engine/models/network_plan.h"
#include "tests/engine/inference/pictures.h"
#include "tests/support/checkpoint_writer.h"

using namespace skein;
using namespace skein::inference;
using models::HeadKind;
using models::HeadSpec;
using models::ModelSpec;
using models::ModelType;

namespace {

const char* kRunNames[] = {
    "single", "centroid",         "bottomup", "multi_class_bottomup", "topdown", "multi_class_topdown",
    "given",  "multi_class_given"};

}  // namespace

/// Every kind of run with generated weights: what is copied, and that neither batches nor threads nor the device's way
/// of working change the result.
class TestModelRunners : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    ModelSpec m_base;
    int m_written = 0;

    ModelSpec model(ModelType type) {
        ModelSpec spec = m_base;
        spec.type = type;
        spec.pafEdges.clear();
        const int nodes = static_cast<int>(spec.partNames.size());
        const auto head = [](HeadKind kind, int channels, int stride) {
            return HeadSpec{.kind = kind, .channels = channels, .outputStride = stride};
        };
        switch (type) {
            case ModelType::SingleInstance:
                spec.heads = {head(HeadKind::SingleInstanceConfmaps, nodes, 2)};
                break;
            case ModelType::Centroid:
                spec.partNames = {"centroid"};
                spec.heads = {head(HeadKind::CentroidConfmaps, 1, 2)};
                break;
            case ModelType::BottomUp:
                spec.pafEdges = m_base.pafEdges;
                spec.heads = m_base.heads;
                break;
            case ModelType::MultiClassBottomUp:
                spec.classNames = {"x", "y", "z"};
                spec.heads = {head(HeadKind::MultiInstanceConfmaps, nodes, 2), head(HeadKind::ClassMaps, 3, 4)};
                spec.heads[1].sigmoid = true;
                break;
            case ModelType::MultiClassTopDown:
                spec.classNames = {"x", "y", "z"};
                spec.heads = {head(HeadKind::CenteredInstanceConfmaps, nodes, 2), head(HeadKind::ClassVectors, 3, 4)};
                break;
            case ModelType::CenteredInstance:
                spec.heads = {head(HeadKind::CenteredInstanceConfmaps, nodes, 2)};
                break;
        }
        if (type == ModelType::CenteredInstance || type == ModelType::MultiClassTopDown)
            spec.preprocess.cropSize = 24;
        spec.weightsFile = m_dir.filePath(QString("w%1.ckpt").arg(m_written)).toStdString();
        const auto plan = models::planNetwork(spec);
        if (plan)
            test::writeFile(spec.weightsFile,
                            test::checkpointBytes(plan->parameters(), static_cast<std::uint32_t>(11 + m_written)));
        ++m_written;
        return spec;
    }

    std::vector<ModelSpec> modelsOf(const std::string& name) {
        if (name == "single")
            return {model(ModelType::SingleInstance)};
        if (name == "centroid")
            return {model(ModelType::Centroid)};
        if (name == "bottomup")
            return {model(ModelType::BottomUp)};
        if (name == "multi_class_bottomup")
            return {model(ModelType::MultiClassBottomUp)};
        if (name == "given")
            return {model(ModelType::CenteredInstance)};
        if (name == "multi_class_given")
            return {model(ModelType::MultiClassTopDown)};
        // In the wrong order: it must not matter.
        return {model(name == "topdown" ? ModelType::CenteredInstance : ModelType::MultiClassTopDown),
                model(ModelType::Centroid)};
    }

    static InferenceOptions options() {
        InferenceOptions o;
        o.device = "cpu";
        // Generated weights give maps of no meaning; a threshold below all values makes every hill of theirs a peak.
        o.peakThreshold = -10;
        o.maxEdgeLengthRatio = 1;
        o.minLineScores = -1;
        o.maxInstances = 5;
        return o;
    }

    static std::vector<std::vector<CentroidPoint>> placesFor(std::size_t first, std::size_t count) {
        std::vector<std::vector<CentroidPoint>> places(count);
        for (std::size_t f = 0; f < count; ++f)
            for (std::size_t i = 0; i < (first + f) % 4; ++i)
                places[f].push_back({static_cast<float>(10 + 17 * i), static_cast<float>(5 + 9 * (first + f))});
        return places;
    }

    static Result<HostBatch> batchOf(InferenceRunner& runner, bool given, std::span<const ImagePtr> images,
                                     std::size_t first) {
        auto pending = given ? runner.submitAround(images, placesFor(first, images.size())) : runner.submit(images);
        if (!pending)
            return fail(pending.error());
        return (*pending)->wait();
    }

    static std::vector<FrameDetections> run(InferenceRunner& runner, bool given, const std::vector<ImagePtr>& images,
                                            std::size_t batchSize, const InferenceOptions& o) {
        std::vector<FrameDetections> frames;
        profile::Profiler profiler;
        const auto grouper = Grouper::create(runner.spec(), o);
        for (std::size_t f = 0; f < images.size(); f += batchSize) {
            const std::size_t count = std::min(batchSize, images.size() - f);
            const auto batch = batchOf(runner, given, std::span(images).subspan(f, count), f);
            if (!batch) {
                qWarning("%s", batch.error().describe().c_str());
                return {};
            }
            for (FrameDetections& frame : grouper->group(*batch, profiler))
                frames.push_back(std::move(frame));
        }
        return frames;
    }

    static int count(const std::vector<FrameDetections>& frames) {
        int instances = 0;
        for (const FrameDetections& frame : frames)
            instances += frame.count();
        return instances;
    }

    static void compare(const std::vector<FrameDetections>& got, const std::vector<FrameDetections>& expected) {
        const auto close = [](const std::vector<float>& a, const std::vector<float>& b, float tolerance) {
            return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [&](float p, float q) {
                       return (std::isnan(p) && std::isnan(q)) ||
                              std::abs(p - q) <= tolerance * std::max(1.0F, std::abs(q));
                   });
        };
        QCOMPARE(got.size(), expected.size());
        for (std::size_t f = 0; f < got.size(); ++f) {
            QCOMPARE(got[f].count(), expected[f].count());
            QVERIFY(close(got[f].points, expected[f].points, 1e-3F));
            QVERIFY(close(got[f].pointScores, expected[f].pointScores, 1e-4F));
            QVERIFY(close(got[f].instanceScores, expected[f].instanceScores, 1e-3F));
            QVERIFY(close(got[f].trackingScores, expected[f].trackingScores, 1e-4F));
            QVERIFY(close(got[f].centroids, expected[f].centroids, 1e-3F));
            QCOMPARE(got[f].classes, expected[f].classes);
        }
    }

    static void addRuns() {
        QTest::addColumn<QString>("name");
        for (const char* name : kRunNames)
            QTest::newRow(name) << name;
    }

private Q_SLOTS:
    void initTestCase() {
        const std::filesystem::path folder = m_dir.path().toStdString();
        test::writeFile(folder / "training_config.yaml", test::bottomUpConfig());
        test::writeFile(folder / "best.ckpt", "x");
        auto spec = models::readModelSpec(folder);
        QVERIFY(spec.has_value());
        m_base = *spec;
    }

    void copiesAndBatches_data() { addRuns(); }
    /// One upload and one packed download for each batch, whatever its size; the same instances with every batch size,
    /// number of threads, and by the GPU's way of working.
    void copiesAndBatches() {
        QFETCH(QString, name);
        const std::vector<ModelSpec> specs = modelsOf(name.toStdString());
        const auto arranged = arrangeModels(specs);
        QVERIFY(arranged.has_value());
        const bool given = needsCentroids(*arranged);
        const auto images = test::pictures(8, 48, 64);
        const auto backend = openBackend();
        QVERIFY(backend.has_value());

        std::vector<FrameDetections> expected;
        for (const auto& [queued, threads] : {std::pair(false, 1), {false, 2}, {true, 2}}) {
            InferenceOptions o = options();
            o.cpuThreads = threads;
            profile::Profiler profiler;
            auto runner =
                queued ? probe::makeQueuedRunner(specs, o, profiler) : (*backend)->loadRunner(specs, o, profiler);
            QVERIFY2(runner.has_value(), runner ? "" : runner.error().describe().c_str());
            QCOMPARE((*runner)->spec().type, arranged->back().type);
            QVERIFY((*runner)->warmUp(48, 64, 1).has_value());
            QCOMPARE(profiler.summary().deviceToHost.count, std::uint64_t{0});
            std::uint64_t batches = 0;
            for (const std::size_t size : {std::size_t{1}, std::size_t{3}, std::size_t{8}}) {
                const auto frames = run(**runner, given, images, size, o);
                if (expected.empty()) {
                    expected = frames;
                    QVERIFY2(count(frames) >= 8, qPrintable(QString::number(count(frames))));
                }
                compare(frames, expected);
                batches += (images.size() + size - 1) / size;
                const auto summary = profiler.summary();
                QCOMPARE(summary.hostToDevice.count, batches);
                QCOMPARE(summary.stages[static_cast<std::size_t>(profile::Stage::Forward)].count, batches);
                // Where room was too small for what was found, a batch is fetched once more.
                if (queued)
                    QVERIFY2(summary.deviceToHost.count <= batches + 6,
                             qPrintable(QString::number(summary.deviceToHost.count)));
                else
                    QCOMPARE(summary.deviceToHost.count, batches);
            }
            // The room has been found: from here on it is one copy each.
            const auto before = profiler.summary().deviceToHost.count;
            compare(run(**runner, given, images, 8, o), expected);
            QCOMPARE(profiler.summary().deviceToHost.count, before + 1);
        }
    }

    void preprocessing_data() { addRuns(); }
    /// Size matching, scale, channels and crops by the GPU's way of working against the CPU's.
    void preprocessing() {
        QFETCH(QString, name);
        const std::vector<ModelSpec> specs = modelsOf(name.toStdString());
        const bool given = needsCentroids(specs);
        InferenceOptions o = options();
        o.inputScale = 0.75;
        o.maxHeight = 56;
        o.maxWidth = 100;
        o.ensureGrayscale = true;
        o.cropSize = 21;
        o.maxInstances = 0;
        o.integralPatchSize = 3;
        const auto images = test::pictures(3, 61, 83, 3);
        profile::Profiler profiler;
        auto plain = (*openBackend())->loadRunner(specs, o, profiler);
        auto queued = probe::makeQueuedRunner(specs, o, profiler);
        QVERIFY(plain && queued);
        const auto expected = run(**plain, given, images, 3, o);
        QVERIFY(count(expected) > 0);
        compare(run(**queued, given, images, 3, o), expected);
    }

    /// A batch without any instance passes through every kind of run.
    void nothingFound_data() { addRuns(); }
    void nothingFound() {
        QFETCH(QString, name);
        const std::vector<ModelSpec> specs = modelsOf(name.toStdString());
        const bool given = needsCentroids(specs);
        InferenceOptions o = options();
        o.peakThreshold = 1e9;
        const auto images = test::pictures(2);
        for (const bool queued : {false, true}) {
            profile::Profiler profiler;
            auto runner =
                queued ? probe::makeQueuedRunner(specs, o, profiler) : (*openBackend())->loadRunner(specs, o, profiler);
            QVERIFY(runner.has_value());
            const std::vector<std::vector<CentroidPoint>> nowhere(2);
            auto pending = given ? (*runner)->submitAround(images, nowhere) : (*runner)->submit(images);
            QVERIFY(pending.has_value());
            const auto batch = (*pending)->wait();
            QVERIFY2(batch.has_value(), batch ? "" : batch.error().describe().c_str());
            const auto frames = Grouper::create((*runner)->spec(), o)->group(*batch, profiler);
            QCOMPARE(frames.size(), std::size_t{2});
            QCOMPARE(count(frames), 0);
            QCOMPARE(profiler.summary().deviceToHost.count, std::uint64_t{1});
        }
    }

    /// More peaks and crops than there was room for: the batch is repeated, nothing is lost.
    void roomThatIsTooSmall() {
        InferenceOptions o = options();
        o.maxInstances = 0;
        const auto specs = modelsOf("topdown");
        const auto images = test::pictures(4, 192, 256);
        profile::Profiler profiler;
        auto plain = (*openBackend())->loadRunner(specs, o, profiler);
        const auto expected = run(**plain, false, images, 4, o);
        QVERIFY2(count(expected) > 4 * 16, qPrintable(QString::number(count(expected))));
        auto queued = probe::makeQueuedRunner(specs, o, profiler);
        compare(run(**queued, false, images, 4, o), expected);
    }

    void thresholdOfTheFirstStage() {
        const auto specs = modelsOf("topdown");
        const auto images = test::pictures(2);
        profile::Profiler profiler;
        InferenceOptions o = options();
        const auto instances = [&] {
            return count(run(**(*openBackend())->loadRunner(specs, o, profiler), false, images, 2, o));
        };
        QVERIFY(instances() > 0);
        o.centroidPeakThreshold = 1e9;
        QCOMPARE(instances(), 0);
        // Exactly 0 is a threshold here; the peer takes it for none.
        o.peakThreshold = 1e9;
        o.centroidPeakThreshold = 0;
        o.matchSleapNn = true;
        QCOMPARE(instances(), 0);
    }

    void callersMistakes() {
        profile::Profiler profiler;
        const auto images = test::pictures(1);
        const std::vector<std::vector<CentroidPoint>> places(1);
        auto given = (*openBackend())->loadRunner(modelsOf("given"), options(), profiler);
        QVERIFY(!(*given)->submit(images));
        auto single = (*openBackend())->loadRunner(modelsOf("single"), options(), profiler);
        QVERIFY(!(*single)->submitAround(images, places));
        auto wrong = modelsOf("single");
        wrong.push_back(model(ModelType::BottomUp));
        const auto pair = (*openBackend())->loadRunner(wrong, options(), profiler);
        QVERIFY(!pair && pair.error().message().find("cannot run together") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestModelRunners)
#include "tst_model_runners.moc"
