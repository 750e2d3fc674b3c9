// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <array>
#include <cmath>
#include <map>

#include "engine/inference/bottomup_grouping.h"
#include "engine/inference/bottomup_packer.h"
#include "engine/inference/detail/stage_probe.h"
#include "engine/inference/grouping.h"
#include "engine/inference/packed_layout.h"
#include "engine/models/model_folder.h"
#include "tests/engine/inference/map_data.h"
#include "tests/engine/inference/stage_data.h"
#include "tests/support/h5_data.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::inference;
using models::ModelSpec;
using probe::Array;
using probe::Way;
using test::at;
using test::H5Array;
using test::imagesOf;
using test::largestDifference;
using test::Maps;

namespace {

int whole(const H5Array& array, std::size_t index) {
    return static_cast<int>(array.values[index]);
}

BottomUpPacker::Options optionsOf(const ModelSpec& spec, double threshold, bool refine) {
    return {{static_cast<float>(threshold), refine, 5},
            {},
            spec.heads[0].outputStride,
            spec.heads[1].outputStride,
            static_cast<int>(spec.partNames.size()),
            spec.pafEdges};
}

Maps mapsOf(const Array& head) {
    return {static_cast<int>(head.shape[0]), static_cast<int>(head.shape[1]), static_cast<int>(head.shape[2]),
            static_cast<int>(head.shape[3]), head.values};
}

}  // namespace

/// Each recorded stage of sleap-nn against ours, from the decoded frames on, with the tolerances of the reference pack.
class TestBottomUpStages : public QObject {
    Q_OBJECT

    static void addFiles() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("model");
        QTest::addColumn<double>("threshold");
        QTest::newRow("two flies") << "bottomup"
                                   << "models/ckpt/minimal_instance_bottomup" << 0.2;
        QTest::newRow("colour, size matched") << "bottomup_sizematch"
                                              << "models/ckpt/minimal_instance_bottomup" << 0.05;
        QTest::newRow("six animals, half scale") << "synthetic_bottomup"
                                                 << "models/synthetic_bottomup" << 0.2;
        QTest::newRow("Keras") << "keras_bottomup"
                               << "models/legacy_keras/minimal_instance.UNet.bottomup" << 0.2;
    }

private Q_SLOTS:
    void stages_data() { addFiles(); }
    void stages() {
        SKEIN_NEEDS_REFERENCE(reference);
        QFETCH(QString, file);
        QFETCH(QString, model);
        QFETCH(double, threshold);
        auto spec = models::readModelSpec(reference / model.toStdString());
        QVERIFY2(spec.has_value(), spec ? "" : spec.error().describe().c_str());
        // The recording of the Keras model carries the peer's shift.
        spec->kerasTransposeAlignment = false;
        const std::filesystem::path golden = reference / "golden/stages" / (file.toStdString() + ".h5");
        const auto read = [&](const std::string& name) {
            const auto array = test::readH5(golden, name);
            return array ? *array : H5Array{};
        };
        const H5Array frames = read("decoded_frames");
        QCOMPARE(frames.shape.size(), std::size_t{4});
        const auto images = imagesOf(frames, frames.shape[1], frames.shape[2], frames.shape[3]);
        InferenceOptions options;
        options.peakThreshold = threshold;

        for (const Way way : {Way::Plain, Way::Fused}) {
            const auto stages = probe::recordStages(*spec, options, images, way);
            QVERIFY2(stages.has_value(), stages ? "" : stages.error().describe().c_str());
            QCOMPARE(largestDifference(stages->preprocessed, read("model/preprocessed")), 0.0F);
            const float input = largestDifference(stages->networkInput, read("model/network_input"));
            QVERIFY2(input <= 1e-6F, qPrintable(QString::number(input)));
            for (std::size_t h = 0; h < 2; ++h) {
                const std::string name = std::string("model/head/") + models::headName(spec->heads[h].kind);
                const float maps = largestDifference(stages->heads[h], read(name));
                QVERIFY2(maps <= 2e-5F, qPrintable(QString("%1: %2").arg(name.c_str()).arg(maps)));
            }
            const Maps confmaps = mapsOf(stages->heads[0]);
            const Maps pafs = mapsOf(stages->heads[1]);
            comparePeaks(confmaps, threshold, false, read("model/peaks_rough/xy"), read("model/peaks_rough/value"),
                         read("model/peaks_rough/sample"), read("model/peaks_rough/channel"), 1e-5F);
            comparePeaks(confmaps, threshold, true, read("model/peaks/xy"), read("model/peaks/value"),
                         read("model/peaks/sample"), read("model/peaks/channel"), 1e-4F);
            BottomUpPacker packer(optionsOf(*spec, threshold, true));
            packer.begin();
            for (int f = 0; f < confmaps.frames; ++f)
                packer.add(confmaps.view(f), pafs.view(f));
            auto loops = packer.finish();
            QVERIFY(loops.has_value());
            const auto tensors =
                probe::packWithTensors(optionsOf(*spec, threshold, true), stages->heads[0], stages->heads[1], 256);
            QVERIFY2(tensors.has_value(), tensors ? "" : tensors.error().describe().c_str());
            for (HostBatch batch : {*loops, *tensors}) {
                compareScores(*spec, batch, read("model/peaks/channel"), read("model/peaks/sample"),
                              read("model/paf_candidates/edge"), read("model/paf_candidates/peak_pair"),
                              read("model/paf_candidates/line_score"), read("model/paf_candidates/count_per_sample"));
                compareMatches(*spec, batch, read("model/paf_matches/edge"), read("model/paf_matches/source_peak"),
                               read("model/paf_matches/destination_peak"), read("model/paf_matches/line_score"));
                const Image& first = *images.front();
                const auto settings = effectivePreprocess(spec->preprocess, options);
                const auto geometry = inputGeometry({first.height, first.width}, *settings, spec->maxStride());
                batch.inputScale = settings->scale;
                batch.effScale.assign(images.size(), geometry.effScale);
                compareInstances(*spec, options, batch, read("final/pred_keypoints"), read("final/pred_peak_values"),
                                 read("final/instance_scores"));
            }
        }
    }

    /// sleap-nn's own older recordings: from their stored network inputs to instances.
    void olderPipeline() {
        SKEIN_NEEDS_REFERENCE(reference);
        const auto spec = models::readModelSpec(reference / "models/ckpt/minimal_instance_bottomup");
        QVERIFY(spec.has_value());
        const std::filesystem::path golden = reference / "golden/parity/bottomup.h5";
        InferenceOptions options;
        options.peakThreshold = 0.05;
        int instances = 0;
        for (const std::string group : {"batch_0/", "batch_1/"}) {
            const auto image = test::readH5(golden, group + "image");
            QVERIFY(image.has_value());
            const auto images = imagesOf(*image, 384, 384, 1);
            const auto stages = probe::recordStages(*spec, options, images, Way::Fused);
            QVERIFY(stages.has_value());
            const Maps confmaps = mapsOf(stages->heads[0]);
            const Maps pafs = mapsOf(stages->heads[1]);
            BottomUpPacker packer(optionsOf(*spec, options.peakThreshold, true));
            packer.begin();
            for (int f = 0; f < confmaps.frames; ++f)
                packer.add(confmaps.view(f), pafs.view(f));
            profile::Profiler profiler;
            const auto found = Grouper::create(*spec, options)->group(*packer.finish(), profiler);
            for (std::size_t f = 0; f < found.size(); ++f) {
                const std::string number = std::to_string(f);
                const auto points = test::readH5(golden, group + "pred_instance_peaks/" + number);
                const auto values = test::readH5(golden, group + "pred_peak_values/" + number);
                const auto scores = test::readH5(golden, group + "instance_scores/" + number);
                QVERIFY(points && values && scores);
                QCOMPARE(static_cast<std::size_t>(found[f].count()), scores->values.size());
                instances += found[f].count();
                for (std::size_t i = 0; i < points->values.size(); ++i)
                    QVERIFY(test::near(found[f].points[i], at(*points, i), 1e-3F));
                for (std::size_t i = 0; i < values->values.size(); ++i)
                    QVERIFY(test::near(found[f].pointScores[i], at(*values, i), 1e-4F));
                for (std::size_t i = 0; i < scores->values.size(); ++i)
                    QVERIFY(test::near(found[f].instanceScores[i], at(*scores, i), 1e-4F));
            }
        }
        QCOMPARE(instances, 16);
    }

private:
    static void comparePeaks(const Maps& confmaps, double threshold, bool refine, const H5Array& xy,
                             const H5Array& value, const H5Array& sample, const H5Array& channel, float tolerance) {
        std::vector<Peak> got;
        std::vector<int> samples;
        for (int f = 0; f < confmaps.frames; ++f) {
            findLocalPeaks(confmaps.view(f), {static_cast<float>(threshold), refine, 5}, got);
            samples.resize(got.size(), f);
        }
        QCOMPARE(got.size(), value.values.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
            QCOMPARE(samples[i], whole(sample, i));
            QCOMPARE(got[i].channel, whole(channel, i));
            QVERIFY(test::near(got[i].x, at(xy, 2 * i), tolerance));
            QVERIFY(test::near(got[i].y, at(xy, 2 * i + 1), tolerance));
            QVERIFY(test::near(got[i].value, at(value, i), 2e-5F));
        }
    }

    /// Every candidate line by its pair of peaks. Samples take the nearest field pixel, so that a last-bit difference
    /// can move one: those are listed, and there may be one in a thousand.
    static void compareScores(const ModelSpec& spec, const HostBatch& batch, const H5Array& channel,
                              const H5Array& sample, const H5Array& edge, const H5Array& pair, const H5Array& score,
                              const H5Array& perSample) {
        const PackedLayout layout = layoutOf(batch);
        // A peak's number within its sample -> its number within its node.
        std::map<std::pair<int, int>, std::size_t> rank;
        {
            std::map<int, int> inSample;
            std::map<std::pair<int, int>, std::size_t> inNode;
            for (std::size_t i = 0; i < channel.values.size(); ++i) {
                const int s = whole(sample, i);
                rank[{s, inSample[s]++}] = inNode[{s, whole(channel, i)}]++;
            }
        }
        const auto slotOf = [&](std::size_t frame, int node, std::size_t number) {
            std::size_t seen = 0;
            for (std::size_t k = 0; k < layout.slots; ++k)
                if (!std::isnan(batch.packed[layout.peak(frame, static_cast<std::size_t>(node), k) + 2]) &&
                    seen++ == number)
                    return k;
            return layout.slots;
        };
        std::size_t row = 0;
        int outliers = 0;
        for (std::size_t f = 0; f < perSample.values.size(); ++f) {
            std::map<std::pair<int, std::size_t>, std::size_t> slots;
            for (const int last = static_cast<int>(row) + whole(perSample, f); static_cast<int>(row) < last; ++row) {
                const auto e = static_cast<std::size_t>(whole(edge, row));
                const auto place = [&](int node, int peak) {
                    const std::size_t number = rank[{static_cast<int>(f), peak}];
                    const auto key = std::pair(node, number);
                    if (slots.count(key) == 0)
                        slots[key] = slotOf(f, node, number);
                    return slots[key];
                };
                const std::size_t i = place(spec.pafEdges[e].source, whole(pair, 2 * row));
                const std::size_t j = place(spec.pafEdges[e].destination, whole(pair, 2 * row + 1));
                QVERIFY(i < layout.slots && j < layout.slots);
                const float got = batch.packed[layout.score(f, e, i, j)];
                if (!test::near(got, at(score, row), 1e-4F)) {
                    ++outliers;
                    qInfo("line score outlier: sample %zu, edge %zu, peaks %d and %d: %g, recorded %g", f, e,
                          whole(pair, 2 * row), whole(pair, 2 * row + 1), static_cast<double>(got), score.values[row]);
                }
            }
        }
        QCOMPARE(row, score.values.size());
        QVERIFY2(static_cast<std::size_t>(outliers) * 1000 <= row,
                 qPrintable(QString("%1 of %2 line scores differ").arg(outliers).arg(row)));
    }

    static void compareMatches(const ModelSpec& spec, const HostBatch& batch, const H5Array& edge,
                               const H5Array& source, const H5Array& destination, const H5Array& score) {
        const PackedLayout layout = layoutOf(batch);
        std::vector<Match> got;
        Assigner assigner;
        std::vector<double> costs;
        for (std::size_t f = 0; f < layout.frames; ++f)
            for (std::size_t e = 0; e < layout.edges; ++e) {
                const auto valid = [&](int node) {
                    std::vector<std::size_t> slots;
                    for (std::size_t k = 0; k < layout.slots; ++k)
                        if (!std::isnan(batch.packed[layout.peak(f, static_cast<std::size_t>(node), k) + 2]))
                            slots.push_back(k);
                    return slots;
                };
                const auto rows = valid(spec.pafEdges[e].source);
                const auto columns = valid(spec.pafEdges[e].destination);
                std::vector<float> scores;
                for (const std::size_t i : rows)
                    for (const std::size_t j : columns)
                        scores.push_back(batch.packed[layout.score(f, e, i, j)]);
                matchEdge(assigner, costs, static_cast<int>(e), scores.data(), columns.size(), rows.size(),
                          columns.size(), got);
            }
        QCOMPARE(got.size(), edge.values.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
            QCOMPARE(got[i].edge, whole(edge, i));
            QCOMPARE(got[i].source, whole(source, i));
            QCOMPARE(got[i].destination, whole(destination, i));
            QVERIFY(test::near(got[i].score, at(score, i), 1e-4F));
        }
    }

    static void compareInstances(const ModelSpec& spec, const InferenceOptions& options, const HostBatch& batch,
                                 const H5Array& points, const H5Array& values, const H5Array& scores) {
        const auto grouper = Grouper::create(spec, options);
        QVERIFY(grouper.has_value());
        profile::Profiler profiler;
        const auto found = grouper->group(batch, profiler);
        QCOMPARE(found.size(), points.shape[0]);
        const std::size_t slots = points.shape[1];
        const std::size_t nodes = points.shape[2];
        for (std::size_t f = 0; f < found.size(); ++f) {
            std::size_t recorded = 0;
            for (std::size_t i = 0; i < slots; ++i)
                recorded += std::isnan(scores.values[f * slots + i]) ? 0 : 1;
            QCOMPARE(static_cast<std::size_t>(found[f].count()), recorded);
            for (std::size_t i = 0; i < recorded; ++i) {
                QVERIFY(test::near(found[f].instanceScores[i], at(scores, f * slots + i), 1e-4F));
                for (std::size_t n = 0; n < nodes; ++n) {
                    const std::size_t there = (f * slots + i) * nodes + n;
                    const std::size_t here = i * nodes + n;
                    QVERIFY(test::near(found[f].points[2 * here], at(points, 2 * there), 1e-3F));
                    QVERIFY(test::near(found[f].points[2 * here + 1], at(points, 2 * there + 1), 1e-3F));
                    QVERIFY(test::near(found[f].pointScores[here], at(values, there), 1e-4F));
                }
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestBottomUpStages)
#include "tst_bottomup_stages.moc"
