// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <array>
#include <random>

#include "engine/inference/detail/stage_probe.h"
#include "engine/inference/global_peaks.h"
#include "engine/inference/grouping.h"
#include "engine/inference/packed_layout.h"
#include "tests/engine/inference/inference_cases.h"
#include "tests/engine/inference/map_data.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::inference;
using test::Maps;
using test::near;

namespace {

PackOptions packing(int nodes, PeakOptions peaks, int stride) {
    PackOptions o;
    o.peaks = peaks;
    o.confmapStride = stride;
    o.nodes = nodes;
    return o;
}

HostBatch byLoops(const Maps& maps, const PackOptions& options) {
    GlobalPeakPacker packer(options);
    packer.begin();
    for (int f = 0; f < maps.frames; ++f) {
        const std::array<MapView, 1> view = {maps.view(f)};
        packer.add(view);
    }
    return *packer.finish();
}

HostBatch byTensors(const nlohmann::json& confmaps, const PackOptions& options) {
    const probe::Array maps{test::shapeOf(confmaps), test::numbers(confmaps)};
    return *probe::packWithTensors(models::ModelType::SingleInstance, options, {maps}, 0);
}

PeakOptions peaksOf(const nlohmann::json& p) {
    return {p["threshold"].get<float>(), p["refinement"] == "integral", p.value("patch", 5)};
}

}  // namespace

/// One point of each node and picture: single-instance models and crops.
class TestGlobalPeaks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordedCases() {
        test::forCases("global_peaks", 12, [&](const nlohmann::json& c, const std::string& id) {
            const Maps maps(c["inputs"]["confmaps"]);
            const PackOptions options = packing(maps.channels, peaksOf(c["params"]), 1);
            const auto points = test::numbers(c["expected"]["points"]);
            const auto values = test::numbers(c["expected"]["values"]);
            for (const HostBatch& batch : {byLoops(maps, options), byTensors(c["inputs"]["confmaps"], options)}) {
                QVERIFY2(batch.packed.size() == 3 * values.size(), id.c_str());
                for (std::size_t i = 0; i < values.size(); ++i) {
                    QVERIFY2(near(batch.packed[3 * i], points[2 * i]), id.c_str());
                    QVERIFY2(near(batch.packed[3 * i + 1], points[2 * i + 1]), id.c_str());
                    QVERIFY2(near(batch.packed[3 * i + 2], values[i]), id.c_str());
                }
            }
        });
    }

    /// Whole single-instance models behind the network: strides, scales, scores, what counts as nothing.
    void recordedSingleInstances() {
        test::forCases("single_instance", 2, [&](const nlohmann::json& c, const std::string&) {
            const auto& p = c["params"];
            const Maps maps(c["inputs"]["confmaps"]);
            const PackOptions options = packing(maps.channels, peaksOf(p), p["stride"]);
            for (HostBatch batch : {byLoops(maps, options), byTensors(c["inputs"]["confmaps"], options)}) {
                batch.inputScale = p["input_scale"];
                batch.effScale = test::numbers(p["eff_scale"]);
                models::ModelSpec model;
                model.type = models::ModelType::SingleInstance;
                model.partNames.assign(static_cast<std::size_t>(maps.channels), "n");
                profile::Profiler profiler;
                const auto found = Grouper::create(model, {})->group(batch, profiler);
                const auto& frames = c["expected"]["frames"];
                QCOMPARE(found.size(), frames.size());
                for (std::size_t f = 0; f < frames.size(); ++f) {
                    QCOMPARE(static_cast<std::size_t>(found[f].count()), frames[f].size());
                    if (frames[f].empty())
                        continue;
                    const auto& instance = frames[f][0];
                    QVERIFY(near(found[f].instanceScores[0], test::number(instance["score"])));
                    const auto points = test::numbers(instance["points"]);
                    const auto scores = test::numbers(instance["point_scores"]);
                    for (std::size_t i = 0; i < points.size(); ++i)
                        QVERIFY(near(found[f].points[i], points[i], 1e-4F));
                    for (std::size_t i = 0; i < scores.size(); ++i)
                        QVERIFY(near(found[f].pointScores[i], scores[i]));
                }
            }
        });
    }

    /// The tensor operations written for GPUs against the loops, on maps with ties, negative mass and NaN.
    void tensorsEqualLoops() {
        std::mt19937 random(7);
        std::uniform_int_distribution<int> level(-3, 8);
        int below = 0;
        for (int round = 0; round < 40; ++round) {
            const int height = 3 + round % 7;
            const int width = 4 + round % 5;
            std::vector<float> values;
            for (int i = 0; i < 2 * 3 * height * width; ++i)
                values.push_back(round == 5 && i == 9 ? std::numeric_limits<float>::quiet_NaN()
                                                      : static_cast<float>(level(random)) / 8.0F);
            const probe::Array array{{2, 3, height, width}, values};
            const Maps maps(2, 3, height, width, values);
            for (const bool refine : {false, true}) {
                const PackOptions options = packing(3, {0.9F + 0.05F * static_cast<float>(round % 3), refine, 5}, 4);
                const HostBatch loops = byLoops(maps, options);
                const auto tensors = probe::packWithTensors(models::ModelType::SingleInstance, options, {array}, 0);
                QVERIFY(tensors.has_value());
                QCOMPARE(tensors->packed.size(), loops.packed.size());
                for (std::size_t i = 0; i < loops.packed.size(); ++i) {
                    const float size = std::max(1.0F, std::abs(loops.packed[i]));
                    QVERIFY2(near(tensors->packed[i], loops.packed[i], 1e-4F * size),
                             qPrintable(QString("%1: %2 %3").arg(round).arg(loops.packed[i]).arg(tensors->packed[i])));
                    below += std::isnan(loops.packed[i]) ? 1 : 0;
                }
            }
        }
        QVERIFY(below > 10);
    }
};

QTEST_GUILESS_MAIN(TestGlobalPeaks)
#include "tst_global_peaks.moc"
