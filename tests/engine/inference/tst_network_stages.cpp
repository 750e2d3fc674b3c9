// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <cmath>

#include "engine/inference/detail/stage_probe.h"
#include "engine/models/model_folder.h"
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
    }
    void recordedMaps() {
        SKEIN_NEEDS_REFERENCE(reference);
        QFETCH(QString, file);
        QFETCH(QString, group);
        QFETCH(QString, model);
        const auto spec = models::readModelSpec(reference / "models" / model.toStdString());
        QVERIFY2(spec.has_value(), spec ? "" : spec.error().describe().c_str());
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
};

QTEST_APPLESS_MAIN(TestNetworkStages)
#include "tst_network_stages.moc"
