// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "engine/models/model_folder.h"
#include "engine/models/network_plan.h"
#include "tests/benchmarks/gpu/sample_model.h"

using namespace skein;

class TestSampleModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// What the check on a GPU is told of the sample model is what its configuration says.
    void isTheConfiguration() {
        const auto folder = std::filesystem::path(SKEIN_SOURCE_DIR) / "resources/sample/synthetic_bottomup";
        const auto read = models::readModelSpec(folder);
        QVERIFY(read.has_value());
        const models::ModelSpec told = bench::sampleModel(folder);
        QCOMPARE(told.type, read->type);
        QCOMPARE(told.backbone, read->backbone);
        QCOMPARE(told.maxStride(), read->maxStride());
        QCOMPARE(told.preprocess.scale, read->preprocess.scale);
        QVERIFY(!read->preprocess.maxHeight && !read->preprocess.maxWidth && !read->preprocess.cropSize);
        QVERIFY(!read->preprocess.ensureGrayscale && !read->preprocess.ensureRgb);
        QCOMPARE(told.skeleton.nodes, read->skeleton.nodes);
        QCOMPARE(told.partNames, read->partNames);
        QCOMPARE(told.pafEdges.size(), read->pafEdges.size());
        for (std::size_t e = 0; e < told.pafEdges.size(); ++e) {
            QCOMPARE(told.pafEdges[e].source, read->pafEdges[e].source);
            QCOMPARE(told.pafEdges[e].destination, read->pafEdges[e].destination);
        }
        QCOMPARE(told.heads.size(), read->heads.size());
        for (std::size_t h = 0; h < told.heads.size(); ++h) {
            QCOMPARE(told.heads[h].kind, read->heads[h].kind);
            QCOMPARE(told.heads[h].channels, read->heads[h].channels);
            QCOMPARE(told.heads[h].outputStride, read->heads[h].outputStride);
        }
        const auto a = models::planNetwork(told)->parameters(), b = models::planNetwork(*read)->parameters();
        QCOMPARE(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            QCOMPARE(a[i].key, b[i].key);
            QCOMPARE(a[i].shape, b[i].shape);
        }
        QCOMPARE(told.weightsFile, read->weightsFile);
    }
};

QTEST_APPLESS_MAIN(TestSampleModel)
#include "tst_sample_model.moc"
