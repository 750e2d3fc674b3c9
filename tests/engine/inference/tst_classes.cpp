// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <array>
#include <map>

#include "engine/inference/class_assignment.h"
#include "engine/inference/class_packer.h"
#include "engine/inference/detail/stage_probe.h"
#include "engine/inference/grouping.h"
#include "engine/inference/packed_layout.h"
#include "engine/inference/peak_store.h"
#include "engine/inference/unpack.h"
#include "tests/engine/inference/inference_cases.h"
#include "tests/engine/inference/map_data.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::inference;
using test::Maps;
using test::near;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// A batch of one frame from peaks and their class probabilities.
HostBatch batchOf(int nodes, int classes, const std::vector<std::vector<std::vector<float>>>& peaks) {
    std::size_t slots = 1;
    for (const auto& list : peaks)
        slots = std::max(slots, list.size());
    HostBatch batch = *emptyBatch(models::ModelType::MultiClassBottomUp, 1, nodes, 0, slots, classes);
    const PackedLayout layout = layoutOf(batch);
    for (std::size_t n = 0; n < peaks.size(); ++n) {
        batch.packed[layout.count(0, n)] = countAsWord(static_cast<std::int32_t>(peaks[n].size()));
        for (std::size_t k = 0; k < peaks[n].size(); ++k) {
            // x, y, value, then the classes.
            std::copy_n(peaks[n][k].begin(), 3, batch.packed.begin() + static_cast<int>(layout.peak(0, n, k)));
            std::copy(peaks[n][k].begin() + 3, peaks[n][k].end(),
                      batch.packed.begin() + static_cast<int>(layout.peakClass(0, n, k)));
        }
    }
    return batch;
}

}  // namespace

/// Who is who, from class maps and class vectors.
class TestClasses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordedPeakGroups() {
        test::forCases("group_class_peaks", 6, [](const nlohmann::json& c, const std::string& id) {
            const auto& probs = c["inputs"]["probs"];
            const auto sample = c["inputs"]["sample"].get<std::vector<int>>();
            const auto channel = c["inputs"]["channel"].get<std::vector<int>>();
            const std::size_t classes = probs[0].size();
            std::map<std::pair<int, int>, std::vector<std::size_t>> groups;
            for (std::size_t i = 0; i < sample.size(); ++i)
                groups[{sample[i], channel[i]}].push_back(i);
            std::vector<int> peaks, numbers;
            Assigner assigner;
            for (const auto& [key, members] : groups) {
                std::vector<float> values;
                for (const std::size_t i : members)
                    for (const float p : test::numbers(probs[i]))
                        values.push_back(p);
                for (const ClassedPeak& p : classifyPeaks(assigner, values, members.size(), classes)) {
                    peaks.push_back(static_cast<int>(members[static_cast<std::size_t>(p.peak)]));
                    numbers.push_back(p.classIndex);
                }
            }
            QVERIFY2(peaks == c["expected"]["peak"].get<std::vector<int>>(), id.c_str());
            QVERIFY2(numbers == c["expected"]["cls"].get<std::vector<int>>(), id.c_str());
        });
    }

    void recordedClassVectors() {
        test::forCases("class_vectors", 6, [](const nlohmann::json& c, const std::string& id) {
            const auto& probs = c["inputs"]["probs"];
            const std::size_t classes = probs[0].size();
            Assigner assigner;
            const auto got = classifyCrops(assigner, test::numbers(probs), probs.size(), classes);
            QVERIFY2(got.size() == probs.size(), id.c_str());
            if (c["expected"].contains("error")) {
                // The peer stops; what is not a number counts as 0 here, and everything else is as it was.
                for (const ClassedPeak& crop : got)
                    QVERIFY2(crop.classIndex >= 0 && crop.probability >= 0, id.c_str());
                return;
            }
            for (std::size_t i = 0; i < got.size(); ++i) {
                QVERIFY2(got[i].classIndex == c["expected"]["cls"][i].get<int>(), id.c_str());
                QVERIFY2(near(got[i].probability, test::number(c["expected"]["prob"][i])), id.c_str());
            }
        });
    }

    /// Sampling, assignment and the instance of each class, from given peaks.
    void recordedClassMaps() {
        test::forCases("classify_maps", 1, [](const nlohmann::json& c, const std::string& id) {
            const Maps maps(c["inputs"]["class_maps"]);
            const int nodes = c["params"]["n_channels"];
            std::vector<std::vector<std::vector<float>>> peaks(static_cast<std::size_t>(nodes));
            for (std::size_t i = 0; i < c["inputs"]["points"].size(); ++i) {
                std::vector<float> peak = test::numbers(c["inputs"]["points"][i]);
                std::vector<float> classes;
                sampleClasses(maps.view(0), peak[0], peak[1], classes);
                peak.push_back(test::number(c["inputs"]["values"][i]));
                peak.insert(peak.end(), classes.begin(), classes.end());
                peaks[c["inputs"]["channel"][i].get<std::size_t>()].push_back(peak);
            }
            const auto frames = unpackClasses(batchOf(nodes, maps.channels, peaks), 0, false);
            const auto points = test::numbers(c["expected"]["points"]);
            const auto values = test::numbers(c["expected"]["values"]);
            QVERIFY2(frames.size() == 1 && frames[0].points.size() == points.size(), id.c_str());
            for (std::size_t i = 0; i < points.size(); ++i)
                QVERIFY2(near(frames[0].points[i], points[i]), id.c_str());
            for (std::size_t i = 0; i < values.size(); ++i)
                QVERIFY2(near(frames[0].pointScores[i], values[i]), id.c_str());
            QVERIFY2(near(frames[0].trackingScores[0], (0.8125F + 0.375F) / 2), id.c_str());
            QVERIFY2(near(frames[0].trackingScores[1], 0.9375F), id.c_str());
        });
    }

    /// From maps to instances, by loops and by the tensor operations written for GPUs.
    void recordedWholes() {
        test::forCases("bottomup_multiclass", 4, [](const nlohmann::json& c, const std::string& id) {
            const auto& p = c["params"];
            const Maps confmaps(c["inputs"]["confmaps"]);
            const Maps classMaps(c["inputs"]["class_maps"]);
            PackOptions options;
            options.peaks = {p["threshold"], p["refinement"] == "integral", p["patch"]};
            options.confmapStride = p["cms_stride"];
            options.secondStride = p["class_stride"];
            options.nodes = confmaps.channels;
            options.classes = classMaps.channels;
            ClassPacker packer(options);
            packer.begin();
            for (int f = 0; f < confmaps.frames; ++f) {
                const std::array<MapView, 2> views = {confmaps.view(f), classMaps.view(f)};
                packer.add(views);
            }
            const auto array = [](const nlohmann::json& maps) {
                return probe::Array{test::shapeOf(maps), test::numbers(maps)};
            };
            const auto tensors =
                probe::packWithTensors(models::ModelType::MultiClassBottomUp, options,
                                       {array(c["inputs"]["confmaps"]), array(c["inputs"]["class_maps"])}, 8);
            QVERIFY2(tensors.has_value(), id.c_str());
            for (HostBatch batch : {*packer.finish(), *tensors}) {
                batch.inputScale = p["input_scale"];
                batch.effScale = test::numbers(p["eff_scale"]);
                models::ModelSpec model;
                model.type = models::ModelType::MultiClassBottomUp;
                model.partNames.assign(static_cast<std::size_t>(confmaps.channels), "n");
                InferenceOptions o;
                o.maxInstances = p["max_instances"].is_null() ? 0 : p["max_instances"].get<int>();
                profile::Profiler profiler;
                const auto found = Grouper::create(model, o)->group(batch, profiler);
                const auto& e = c["expected"];
                QVERIFY2(found.size() == e["scores"].size(), id.c_str());
                for (std::size_t f = 0; f < found.size(); ++f) {
                    std::size_t i = 0;
                    for (std::size_t k = 0; k < e["scores"][f].size(); ++k) {
                        if (e["scores"][f][k].is_null())
                            continue;
                        QVERIFY2(i < found[f].instanceScores.size(), id.c_str());
                        QCOMPARE(found[f].classes[i], static_cast<int>(k));
                        QVERIFY2(near(found[f].instanceScores[i], test::number(e["scores"][f][k])), id.c_str());
                        QVERIFY2(near(found[f].trackingScores[i], test::number(e["tracking_scores"][f][k])),
                                 id.c_str());
                        const auto points = test::numbers(e["keypoints"][f][k]);
                        for (std::size_t j = 0; j < points.size(); ++j)
                            QVERIFY2(near(found[f].points[i * points.size() + j], points[j], 1e-4F), id.c_str());
                        ++i;
                    }
                    QVERIFY2(i == found[f].instanceScores.size(), id.c_str());
                }
            }
        });
    }

    /// A class that is not there must not cost another one its place; the peer lets it.
    void absentClassesAndTheLimit() {
        // Classes 0 and 2 have a peak each, class 1 has none.
        const HostBatch batch = batchOf(1, 3, {{{10, 10, 0.9F, 0.9F, 0.0F, 0.1F}, {20, 20, 0.8F, 0.1F, 0.0F, 0.9F}}});
        const auto all = unpackClasses(batch, 0, false);
        QCOMPARE(all[0].classes, (std::vector<int>{0, 2}));
        const auto one = unpackClasses(batch, 1, false);
        QCOMPARE(one[0].classes, std::vector<int>{0});
        QCOMPARE(unpackClasses(batch, 1, true)[0].count(), 0);
        // As many as there are need no limit.
        QCOMPARE(unpackClasses(batch, 2, true)[0].classes, (std::vector<int>{0, 2}));
    }

    void whatIsNoNumber() {
        const HostBatch batch = batchOf(1, 2, {{{1, 1, 0.5F, kNan, kNan}, {5, 5, 0.5F, 0.2F, 0.7F}}});
        const auto frames = unpackClasses(batch, 0, false);
        QCOMPARE(frames[0].classes, (std::vector<int>{0, 1}));
        QVERIFY(near(frames[0].trackingScores[0], 0));
        QVERIFY(near(frames[0].points[2], 5));
    }
};

QTEST_GUILESS_MAIN(TestClasses)
#include "tst_classes.moc"
