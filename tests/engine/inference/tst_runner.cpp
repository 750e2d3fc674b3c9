// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <thread>

#include "engine/inference/grouping.h"
#include "engine/inference/packed_layout.h"
#include "engine/inference/runner.h"
#include "engine/models/model_folder.h"
#include "engine/models/network_plan.h"
#include "tests/engine/inference/pictures.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/h5_data.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::inference;
using models::ModelSpec;

namespace {}  // namespace

/// The inference library as the programs use it: opened at run time, frames in, one packed batch out.
class TestRunner : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    Backend* m_backend = nullptr;
    ModelSpec m_spec;

    [[nodiscard]] InferenceOptions options() const {
        InferenceOptions o;
        o.device = "cpu";
        // Generated weights give maps of no meaning; a threshold below all values makes every hill of theirs a peak.
        o.peakThreshold = -10;
        o.maxEdgeLengthRatio = 1;
        o.minLineScores = -1;
        return o;
    }
    [[nodiscard]] std::vector<FrameDetections> run(InferenceRunner& runner, const std::vector<ImagePtr>& images,
                                                   profile::Profiler& profiler) const {
        auto pending = runner.submit(images);
        if (!pending)
            return {};
        const auto batch = (*pending)->wait();
        return batch ? Grouper::create(m_spec, options())->group(*batch, profiler) : std::vector<FrameDetections>{};
    }
    [[nodiscard]] QString loadProblem(const InferenceOptions& o, std::vector<ModelSpec> specs) const {
        profile::Profiler profiler;
        const auto runner = m_backend->loadRunner(specs, o, profiler);
        return runner ? QString("accepted") : QString::fromStdString(runner.error().describe());
    }

private Q_SLOTS:
    void initTestCase() {
        const auto backend = openBackend();
        QVERIFY2(backend.has_value(), backend ? "" : backend.error().describe().c_str());
        m_backend = *backend;
        QCOMPARE(*openBackend(), m_backend);
        const std::filesystem::path folder = m_dir.path().toStdString();
        test::writeFile(folder / "training_config.yaml", test::bottomUpConfig());
        test::writeFile(folder / "best.ckpt", "x");
        auto spec = models::readModelSpec(folder);
        QVERIFY(spec.has_value());
        m_spec = *spec;
        test::writeFile(folder / "best.ckpt", test::checkpointBytes(models::planNetwork(m_spec)->parameters(), 5));
    }

    /// Whoever asks for half precision gets a result everywhere, and is told where it is an exact one.
    void halfPrecisionIsAChoiceOfMachinesThatHaveIt() {
        profile::Profiler profiler;
        const auto warningFor = [&](Precision precision) -> std::string {
            InferenceOptions o = options();
            o.precision = precision;
            const auto runner = m_backend->loadRunner({m_spec}, o, profiler);
            return runner ? (*runner)->warning() : runner.error().describe();
        };
        const std::string expected = __builtin_cpu_supports("avx512bf16")
                                         ? ""
                                         : "Exact numbers are used in place of half precision: this processor does "
                                           "not compute with it.";
        QCOMPARE(warningFor(Precision::Half), expected);
        QCOMPARE(warningFor(Precision::Tf32), std::string());  // nothing on a processor
        QCOMPARE(warningFor(Precision::Exact), std::string());
    }

    void measuringABatchLeavesNoTraceInTheProfile() {
        profile::Profiler profiler;
        auto runner = m_backend->loadRunner({m_spec}, options(), profiler);
        QVERIFY(runner.has_value());
        const Result<double> seconds = (*runner)->secondsFor(2, 64, 64, 1);
        QVERIFY2(seconds.has_value() && *seconds > 0, seconds ? "" : seconds.error().describe().c_str());
        QCOMPARE(profiler.summary().deviceToHost.count, std::uint64_t{0});
    }

    void devices() {
        const DeviceInfo info = m_backend->devices();
        QVERIFY(info.torchVersion.starts_with("2."));
        QVERIFY(!info.devices.empty());
        QCOMPARE(info.devices[0], std::string("cpu"));
        QVERIFY(info.devices.size() > 1 || !info.cudaReason.empty());
        if (info.devices.size() == 1) {
            InferenceOptions o = options();
            for (const char* word : {"cuda", "cuda:0", "cuda:0,1", "cuda:all"}) {
                o.device = word;
                const QString message = loadProblem(o, {m_spec});
                QVERIFY2(message.contains(QString::fromStdString(info.cudaReason)), qPrintable(message));
            }
        }
    }

    /// One upload and one packed download for each batch, whatever its size.
    void oneCopyEachWay() {
        profile::Profiler profiler;
        auto runner = m_backend->loadRunner({m_spec}, options(), profiler);
        QVERIFY2(runner.has_value(), runner ? "" : runner.error().describe().c_str());
        QCOMPARE((*runner)->device(), std::string("cpu"));
        QVERIFY((*runner)->warmUp(64, 80, 1).has_value());
        QCOMPARE(profiler.summary().deviceToHost.count, std::uint64_t{0});
        std::uint64_t batches = 0;
        std::uint64_t up = 0;
        std::uint64_t down = 0;
        for (const int size : {1, 3, 8}) {
            const auto images = test::pictures(size);
            auto pending = (*runner)->submit(images);
            QVERIFY2(pending.has_value(), pending ? "" : pending.error().describe().c_str());
            const auto batch = (*pending)->wait();
            QVERIFY(batch.has_value());
            QCOMPARE(batch->frames, size);
            QCOMPARE(batch->nodes, 3);
            QCOMPARE(batch->edges, 2);
            QCOMPARE(batch->packed.size(), layoutOf(*batch).size());
            QCOMPARE(batch->effScale, std::vector<float>(static_cast<std::size_t>(size), 1.0F));
            up += static_cast<std::uint64_t>(size) * 64 * 80;
            down += batch->packed.size() * sizeof(float);
            const auto summary = profiler.summary();
            QCOMPARE(summary.deviceToHost.count, ++batches);
            QCOMPARE(summary.hostToDevice.count, batches);
            QCOMPARE(summary.deviceToHost.bytes, down);
            QCOMPARE(summary.hostToDevice.bytes, up);
            QCOMPARE(summary.stages[static_cast<std::size_t>(profile::Stage::Forward)].count, batches);
            QCOMPARE(summary.stages[static_cast<std::size_t>(profile::Stage::BatchAssemble)].count, batches);
        }
    }

    void batchesAndThreadsDoNotMatter() {
        const auto images = test::pictures(7);
        profile::Profiler profiler;
        std::vector<FrameDetections> expected;
        int instances = 0;
        for (const int threads : {1, 2})
            for (const std::size_t size : {std::size_t{1}, std::size_t{3}, std::size_t{7}}) {
                InferenceOptions o = options();
                o.cpuThreads = threads;
                auto runner = m_backend->loadRunner({m_spec}, o, profiler);
                QVERIFY(runner.has_value());
                std::vector<FrameDetections> got;
                for (std::size_t f = 0; f < images.size(); f += size) {
                    const std::vector<ImagePtr> part(
                        images.begin() + static_cast<std::ptrdiff_t>(f),
                        images.begin() + static_cast<std::ptrdiff_t>(std::min(f + size, images.size())));
                    for (FrameDetections& frame : run(**runner, part, profiler))
                        got.push_back(std::move(frame));
                }
                QCOMPARE(got.size(), images.size());
                if (expected.empty()) {
                    expected = got;
                    for (const FrameDetections& frame : expected)
                        instances += frame.count();
                    QVERIFY2(instances > 10, qPrintable(QString::number(instances)));
                }
                for (std::size_t f = 0; f < got.size(); ++f) {
                    QCOMPARE(got[f].count(), expected[f].count());
                    for (std::size_t i = 0; i < got[f].points.size(); ++i)
                        QVERIFY(std::isnan(got[f].points[i]) == std::isnan(expected[f].points[i]) &&
                                !(std::abs(got[f].points[i] - expected[f].points[i]) > 1e-3F));
                }
            }
    }

    void frameShapes() {
        profile::Profiler profiler;
        auto runner = m_backend->loadRunner({m_spec}, options(), profiler);
        QVERIFY(runner.has_value());
        // Sizes that are no multiple of the stride, changing from batch to batch; colour into a grey network.
        for (const auto& [height, width, channels] :
             {std::array<int, 3>{64, 80, 1}, {63, 81, 1}, {64, 80, 3}, {1, 1, 1}, {17, 200, 3}, {64, 80, 1}})
            QCOMPARE(run(**runner, test::pictures(2, height, width, channels), profiler).size(), std::size_t{2});
        const auto four = (*runner)->submit(test::pictures(1, 32, 32, 4));
        QVERIFY(!four && four.error().message().find("channels") != std::string::npos);
        // A broken promise of the caller is not silently computed.
        std::vector<ImagePtr> mixed = {test::picture(0, 64, 80), test::picture(0, 64, 64)};
        const auto wrong = (*runner)->submit(mixed);
        QVERIFY(!wrong && wrong.error().code() == ErrorCode::Internal);
    }

    void overridesReachTheNetwork() {
        profile::Profiler profiler;
        InferenceOptions o = options();
        o.inputScale = 0.5;
        o.maxHeight = 128;
        auto runner = m_backend->loadRunner({m_spec}, o, profiler);
        QVERIFY(runner.has_value());
        QCOMPARE((*runner)->preprocess().scale, 0.5);
        auto pending = (*runner)->submit(test::pictures(2));
        QVERIFY(pending.has_value());
        const auto batch = (*pending)->wait();
        QVERIFY(batch.has_value());
        QCOMPARE(batch->inputScale, 0.5);
        QCOMPARE(batch->effScale[1], 1.0F);  // the width leaves no room to grow
        o.ensureGrayscale = true;
        o.ensureRgb = true;
        QVERIFY(loadProblem(o, {m_spec}).contains("both colour and grey"));
    }

    void worksOnAnotherThread() {
        profile::Profiler profiler;
        auto runner = m_backend->loadRunner({m_spec}, options(), profiler);
        QVERIFY(runner.has_value());
        const auto here = run(**runner, test::pictures(2), profiler);
        std::vector<FrameDetections> there;
        std::thread([&] { there = run(**runner, test::pictures(2), profiler); }).join();
        QCOMPARE(there.size(), here.size());
        for (std::size_t f = 0; f < here.size(); ++f)
            QCOMPARE(there[f].instanceScores, here[f].instanceScores);
    }

    void problemsAreSentences() {
        InferenceOptions o = options();
        o.device = "tpu";
        QVERIFY(loadProblem(o, {m_spec}).contains("'tpu' is no device"));
        for (const char* word : {"cuda:", "cuda:1x", "cuda:-1", "cuda:0,", "cuda:,1", "cuda:0,0", "cuda:0 1", "cuda0",
                                 "cuda:99999999999", ""}) {
            o.device = word;
            QVERIFY2(loadProblem(o, {m_spec}).contains("is no device"), word);
        }
        o = options();
        o.integralPatchSize = 0;
        QVERIFY(loadProblem(o, {m_spec}).contains("patch size"));
        o = options();
        o.nPoints = 0;
        QVERIFY(loadProblem(o, {m_spec}).contains("points"));
        QVERIFY(loadProblem(options(), {}).contains("No model"));
        ModelSpec other = m_spec;
        other.weightsFile = m_dir.filePath("none.ckpt").toStdString();
        QVERIFY(loadProblem(options(), {other}).contains("none.ckpt"));
        const std::string whole = test::checkpointBytes(models::planNetwork(m_spec)->parameters());
        test::writeFile(other.weightsFile, whole.substr(0, whole.size() / 3));
        QVERIFY(loadProblem(options(), {other}).contains("damaged"));
        other = m_spec;
        other.unet.filters = 9;
        QVERIFY(loadProblem(options(), {other}).contains("shape"));
    }

    /// A threshold far too low makes more pairs than memory; that is a sentence, not a crash or a lost peak.
    void tooManyPeaks() {
        profile::Profiler profiler;
        InferenceOptions o = options();
        o.peakThreshold = -1e9;
        auto runner = m_backend->loadRunner({m_spec}, o, profiler);
        QVERIFY(runner.has_value());
        auto noise = std::make_shared<Image>();
        noise->height = noise->width = 1536;
        noise->channels = 1;
        std::uint32_t state = 1;
        for (int i = 0; i < 1536 * 1536; ++i) {
            state = state * 1664525U + 1013904223U;
            noise->pixels.push_back(static_cast<std::uint8_t>(state >> 24U));
        }
        const auto pending = (*runner)->submit(std::vector<ImagePtr>{noise});
        QVERIFY(!pending);
        QCOMPARE(pending.error().code(), ErrorCode::OutOfMemory);
        QVERIFY(pending.error().message().find("raise the peak threshold") != std::string::npos);
    }

    void recordedResult() {
        SKEIN_NEEDS_REFERENCE(reference);
        const auto spec = models::readModelSpec(reference / "models/ckpt/minimal_instance_bottomup");
        QVERIFY(spec.has_value());
        const std::filesystem::path golden = reference / "golden/stages/bottomup.h5";
        const auto frames = test::readH5(golden, "decoded_frames");
        const auto points = test::readH5(golden, "final/pred_keypoints");
        QVERIFY(frames && points);
        std::vector<ImagePtr> images;
        for (std::size_t f = 0; f < 2; ++f) {
            auto image = std::make_shared<Image>();
            image->height = image->width = 384;
            image->channels = 1;
            for (std::size_t i = 0; i < 384 * 384; ++i)
                image->pixels.push_back(static_cast<std::uint8_t>(frames->values[f * 384 * 384 + i]));
            images.push_back(image);
        }
        profile::Profiler profiler;
        InferenceOptions o;
        o.device = "cpu";
        auto runner = m_backend->loadRunner({*spec}, o, profiler);
        QVERIFY2(runner.has_value(), runner ? "" : runner.error().describe().c_str());
        auto pending = (*runner)->submit(images);
        QVERIFY(pending.has_value());
        const auto found = Grouper::create(*spec, o)->group(*(*pending)->wait(), profiler);
        QCOMPARE(found.size(), std::size_t{2});
        for (std::size_t f = 0; f < 2; ++f) {
            QCOMPARE(found[f].count(), 2);
            for (std::size_t i = 0; i < 8; ++i)
                QVERIFY(std::abs(found[f].points[i] - static_cast<float>(points->values[8 * f + i])) < 1e-3F);
        }
    }
};

QTEST_GUILESS_MAIN(TestRunner)
#include "tst_runner.moc"
