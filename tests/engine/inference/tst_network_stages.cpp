// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/inference/detail/stage_probe.h"
#include "engine/models/model_folder.h"
#include "tests/support/case_file.h"
#include "tests/support/h5_data.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::inference;
using probe::Array;
using probe::Way;

namespace {

// The tolerance of the reference pack for raw maps.
constexpr float kTolerance = 2e-5F;
// One model loses more digits: sleap-nn's own maps differ by 2.7e-5 between oneDNN's convolutions and the plain ones,
// and by 1.9e-5 from those computed in double.
constexpr float kRoughTolerance = 4e-5F;

Array arrayOf(const test::H5Array& stored) {
    Array array;
    array.shape.assign(stored.shape.begin(), stored.shape.end());
    for (const double value : stored.values)
        array.values.push_back(static_cast<float>(value));
    return array;
}

float largestDifference(const Array& a, const Array& b) {
    if (a.shape != b.shape)
        return 1e9F;
    float largest = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        const float difference = std::abs(a.values[i] - b.values[i]);
        if (!(difference <= largest))  // a NaN must not pass
            largest = difference;
    }
    return largest;
}

const char* const kKerasFolders[] = {"min_tracks_2node.UNet.bottomup_multiclass",
                                     "min_tracks_2node.UNet.topdown_multiclass",
                                     "minimal_instance.UNet.bottomup",
                                     "minimal_instance.UNet.centered_instance",
                                     "minimal_instance.UNet.centroid",
                                     "minimal_robot.UNet.single_instance"};

/// From [n, h, w, c] to [n, c, h, w]; vectors stay as they are.
Array channelsFirst(const test::H5Array& stored) {
    Array array = arrayOf(stored);
    if (array.shape.size() != 4)
        return array;
    const std::size_t pixels = stored.shape[1] * stored.shape[2];
    const std::size_t channels = stored.shape[3];
    array.shape = {array.shape[0], array.shape[3], array.shape[1], array.shape[2]};
    for (std::size_t p = 0; p < pixels; ++p)
        for (std::size_t c = 0; c < channels; ++c)
            array.values[c * pixels + p] = static_cast<float>(stored.values[p * channels + c]);
    return array;
}

}  // namespace

/// The network of every model type on sleap-nn's recorded network inputs, against its recorded maps.
class TestNetworkStages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordedMaps_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("group");
        QTest::addColumn<QString>("model");
        const auto row = [](const char* file, const char* group, const char* model) {
            QTest::newRow(qPrintable(QString("%1, %2").arg(file, group))) << file << group << model;
        };
        const char* const centroid = "ckpt/minimal_instance_centroid";
        row("bottomup", "model", "ckpt/minimal_instance_bottomup");
        row("bottomup_sizematch", "model", "ckpt/minimal_instance_bottomup");
        row("synthetic_bottomup", "model", "synthetic_bottomup");
        row("centroid", "model", centroid);
        row("multiclass_bottomup", "model", "ckpt/minimal_instance_multiclass_bottomup");
        row("single_instance", "model", "ckpt/minimal_instance_single_instance");
        row("topdown", "centroid", centroid);
        row("topdown", "instance", "ckpt/minimal_instance_centered_instance");
        row("topdown_scale05", "centroid", centroid);  // in which no crop was made
        row("multiclass_topdown", "centroid", centroid);
        row("multiclass_topdown", "instance", "ckpt/minimal_instance_multiclass_centered_instance");
        row("keras_bottomup", "model", "legacy_keras/minimal_instance.UNet.bottomup");
        row("keras_single_instance", "model", "legacy_keras/minimal_robot.UNet.single_instance");
        row("keras_topdown", "centroid", "legacy_keras/minimal_instance.UNet.centroid");
        row("keras_topdown", "instance", "legacy_keras/minimal_instance.UNet.centered_instance");
    }
    void recordedMaps() {
        SKEIN_NEEDS_REFERENCE(reference);
        QFETCH(QString, file);
        QFETCH(QString, group);
        QFETCH(QString, model);
        auto spec = models::readModelSpec(reference / "models" / model.toStdString());
        QVERIFY2(spec.has_value(), spec ? "" : spec.error().describe().c_str());
        // sleap-nn's own maps of Keras models have its shifted transposed convolutions in them.
        spec->kerasTransposeAlignment = false;
        const std::filesystem::path golden = reference / "golden/stages" / (file.toStdString() + ".h5");
        const auto input = test::readH5(golden, group.toStdString() + "/network_input");
        QVERIFY(input.has_value() && input->shape.size() == 4);
        for (const Way way : {Way::Plain, Way::Fused}) {
            const auto maps = probe::forward(*spec, arrayOf(*input), way);
            QVERIFY2(maps.has_value(), maps ? "" : maps.error().describe().c_str());
            QCOMPARE(maps->size(), spec->heads.size());
            for (std::size_t h = 0; h < maps->size(); ++h) {
                const std::string name = maps->size() == 1 ? "output" : models::headName(spec->heads[h].kind);
                const auto recorded = test::readH5(golden, group.toStdString() + "/head/" + name);
                QVERIFY2(recorded.has_value(), name.c_str());
                const float difference = largestDifference((*maps)[h], arrayOf(*recorded));
                QVERIFY2(difference <= (file == "multiclass_bottomup" ? kRoughTolerance : kTolerance),
                         qPrintable(QString("%1, %2: %3")
                                        .arg(name.c_str(), way == Way::Fused ? "fused" : "plain")
                                        .arg(difference)));
            }
        }
    }

    /// What TensorFlow itself gave for black pictures.
    void kerasActivations_data() {
        QTest::addColumn<QString>("folder");
        for (const char* folder : kKerasFolders)
            QTest::newRow(folder) << folder;
    }
    void kerasActivations() {
        SKEIN_NEEDS_REFERENCE(reference);
        QFETCH(QString, folder);
        const std::filesystem::path path = reference / "models/legacy_keras" / folder.toStdString();
        const auto spec = models::readModelSpec(path);
        QVERIFY2(spec.has_value(), spec ? "" : spec.error().describe().c_str());
        QVERIFY(spec->kerasTransposeAlignment);
        const auto recorded = [&](const models::HeadSpec& head) {
            const std::string name = models::headName(head.kind);
            auto maps = test::readH5(path / "dummy_activations.h5", name + "_0");
            return maps ? maps : test::readH5(path / "dummy_activations.h5", name);
        };
        const auto confmaps = recorded(spec->heads.front());
        QVERIFY(confmaps && confmaps->shape.size() == 4);
        const auto stride = static_cast<std::size_t>(spec->heads.front().outputStride);
        Array black{{1, spec->inChannels(), static_cast<std::int64_t>(stride * confmaps->shape[1]),
                     static_cast<std::int64_t>(stride * confmaps->shape[2])},
                    {}};
        black.values.assign(static_cast<std::size_t>(black.shape[1] * black.shape[2] * black.shape[3]), 0.0F);
        for (const Way way : {Way::Plain, Way::Fused}) {
            const auto maps = probe::forward(*spec, black, way);
            QVERIFY2(maps.has_value(), maps ? "" : maps.error().describe().c_str());
            for (std::size_t h = 0; h < maps->size(); ++h) {
                const auto expected = recorded(spec->heads[h]);
                QVERIFY(expected.has_value());
                const Array turned = channelsFirst(*expected);
                QVERIFY2(largestDifference((*maps)[h], turned) <= 5e-5F,
                         qPrintable(QString("head %1: %2").arg(h).arg(largestDifference((*maps)[h], turned))));
            }
        }
        // The peer's placing is another one wherever there are transposed convolutions; that the recording tells.
        if (!spec->unet.upInterpolate) {
            auto shifted = *spec;
            shifted.kerasTransposeAlignment = false;
            const auto maps = probe::forward(shifted, black, Way::Fused);
            QVERIFY(maps.has_value());
            QVERIFY(largestDifference((*maps)[0], channelsFirst(*confmaps)) > 1e-4F);
        }
    }

    /// The same models on a pattern, with both ways to place transposed convolutions.
    void kerasProbes() {
        SKEIN_NEEDS_REFERENCE(reference);
        SKEIN_NEEDS_SPEC(specs);
        const auto cases = test::readCases(specs / "models-cases.json")["legacy_probes"]["cases"];
        QCOMPARE(cases.size(), std::size_t{6});
        for (const auto& c : cases) {
            const std::string name = std::filesystem::path(c["folder"].get<std::string>()).filename().string();
            auto spec = models::readModelSpec(reference / "models/legacy_keras" / name);
            QVERIFY2(spec.has_value(), spec ? "" : spec.error().describe().c_str());
            QCOMPARE(spec->inChannels(), c["in_channels"].get<int>());
            Array input{{1, c["in_channels"], c["input_hw"][0], c["input_hw"][1]}, {}};
            for (int channel = 0; channel < input.shape[1]; ++channel)
                for (int y = 0; y < input.shape[2]; ++y)
                    for (int x = 0; x < input.shape[3]; ++x)
                        input.values.push_back(static_cast<float>((31 * y + 17 * x + 53 * channel) % 256) / 255.0F);
            for (const bool keras : {false, true}) {
                const char* const kind = keras ? "outputs_keras_alignment" : "outputs_sleap_nn_alignment";
                if (!c.contains(kind))
                    continue;  // recorded once where both are the same
                spec->kerasTransposeAlignment = keras;
                for (const Way way : {Way::Plain, Way::Fused}) {
                    const auto maps = probe::forward(*spec, input, way);
                    QVERIFY2(maps.has_value(), maps ? "" : maps.error().describe().c_str());
                    for (std::size_t h = 0; h < maps->size(); ++h) {
                        const auto& e = c[kind][models::headName(spec->heads[h].kind)];
                        const std::vector<float>& values = (*maps)[h].values;
                        const float tolerance = 2e-5F * std::max(1.0F, std::abs(e["max"].get<float>()));
                        const auto most = std::max_element(values.begin(), values.end());
                        QVERIFY2(test::near(*most, e["max"].get<float>(), tolerance), name.c_str());
                        for (const auto& sample : e["samples"])
                            QVERIFY2(
                                test::near(values.at(sample[0].get<std::size_t>()), sample[1].get<float>(), tolerance),
                                name.c_str());
                        double sum = 0;
                        for (const float value : values)
                            sum += static_cast<double>(value);
                        QVERIFY2(
                            std::abs(sum - e["sum"].get<double>()) <= 1e-5 * std::max(1.0, e["abs_sum"].get<double>()),
                            name.c_str());
                    }
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestNetworkStages)
#include "tst_network_stages.moc"
