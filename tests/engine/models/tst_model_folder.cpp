// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>

#include "engine/models/model_folder.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::models;
namespace fs = std::filesystem;

namespace {

class Folder {
public:
    [[nodiscard]] fs::path path() const { return m_dir.path().toStdString(); }
    void write(const std::string& name, const std::string& text) const { test::writeFile(path() / name, text); }
    [[nodiscard]] QString message() const {
        const auto spec = readModelSpec(path());
        return spec ? QString("accepted") : QString::fromStdString(spec.error().describe());
    }

private:
    QTemporaryDir m_dir;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace

class TestModelFolder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsOwnConfig() {
        const Folder folder;
        folder.write("training_config.yaml", test::bottomUpConfig());
        folder.write("best.ckpt", "x");
        const auto spec = readModelSpec(folder.path());
        QVERIFY2(spec.has_value(), spec ? "" : spec.error().describe().c_str());
        QCOMPARE(spec->type, ModelType::BottomUp);
        QCOMPARE(spec->backbone, BackboneType::UNet);
        QCOMPARE(spec->unet.filters, 8);
        QCOMPARE(spec->unet.maxStride, 8);
        QCOMPARE(spec->maxStride(), 8);
        QVERIFY(!spec->unet.upInterpolate);
        QCOMPARE(spec->skeleton.name, std::string("fly"));
        QCOMPARE(spec->skeleton.nodes, (std::vector<std::string>{"a", "b", "c"}));
        QCOMPARE(spec->skeleton.edges, (std::vector<project::Edge>{{0, 1}, {1, 2}}));
        QCOMPARE(spec->skeleton.symmetries.size(), std::size_t{1});
        QCOMPARE(spec->pafEdges, (std::vector<project::Edge>{{0, 1}, {1, 2}}));
        QCOMPARE(spec->heads.size(), std::size_t{2});
        QCOMPARE(spec->heads[1].channels, 4);
        QCOMPARE(spec->heads[1].outputStride, 4);
        QVERIFY(!spec->preprocess.maxHeight);
        QCOMPARE(spec->weightsFile, folder.path() / "best.ckpt");
        QVERIFY(std::find(spec->trainingFacts.begin(), spec->trainingFacts.end(),
                          std::pair<std::string, std::string>("Run name", "tiny")) != spec->trainingFacts.end());
    }

    void readsJson() {
        const Folder folder;
        folder.write("best.ckpt", "x");
        folder.write("training_config.json",
                     R"({"data_config": {"preprocessing": {"scale": 0.5, "max_height": 384},
                         "skeletons": [{"name": "s", "nodes": [{"name": "a"}, {"name": "b"}],
                                        "edges": [{"source": {"name": "a"}, "destination": {"name": "b"}}]}]},
                         "model_config": {"backbone_config": {"unet": {"filters": 16, "output_stride": 2, "filters_rate": 2}},
                                          "head_configs": {"single_instance": {"confmaps": {"part_names": ["a", "b"],
                                                           "output_stride": 2}}}}})");
        const auto spec = readModelSpec(folder.path() / "training_config.json");
        QVERIFY2(spec.has_value(), spec ? "" : spec.error().describe().c_str());
        QCOMPARE(spec->type, ModelType::SingleInstance);
        QCOMPARE(spec->preprocess.scale, 0.5);
        QCOMPARE(spec->preprocess.maxHeight, std::optional<int>(384));
        QCOMPARE(spec->unet.filtersRate, 2.0);
        QCOMPARE(spec->skeleton.edges.size(), std::size_t{1});
    }

    void everyWayToNameAFolder() {
        const Folder folder;
        folder.write("training_config.yaml", test::bottomUpConfig());
        folder.write("best.ckpt", "x");
        folder.write("last.ckpt", "x");
        folder.write("notes.txt", "x");
        for (const char* name : {"", "training_config.yaml", "best.ckpt", "last.ckpt"}) {
            const auto resolved = resolveModelFolder(folder.path() / name);
            QVERIFY(resolved.has_value());
            QVERIFY(fs::equivalent(*resolved, folder.path()));
        }
        QVERIFY(!resolveModelFolder(folder.path() / "notes.txt"));
        QVERIFY(!resolveModelFolder(folder.path() / "missing"));
    }

    void errorsSayWhatIsWrong() {
        const Folder folder;
        QVERIFY(folder.message().contains("neither training_config.yaml nor training_config.json"));
        const std::string good = test::bottomUpConfig();
        folder.write("training_config.yaml", good);
        QVERIFY(folder.message().contains("no best.ckpt"));
        folder.write("best.ckpt", "x");
        QCOMPARE(folder.message(), QString("accepted"));
        const auto with = [&](const std::string& from, const std::string& to) {
            folder.write("training_config.yaml", replaced(good, from, to));
            return folder.message();
        };
        QVERIFY(with("    bottomup:", "    bbox_centernet:").contains("bbox_centernet"));
        QVERIFY(with("    unet:", "    hourglass:").contains("hourglass"));
        QVERIFY(with("filters: 8", "filters: many").contains("filters"));
        QVERIFY(with("max_stride: 8", "max_stride: 7").contains("max_stride"));
        QVERIFY(with("scale: 1.0", "scale: -1").contains("scale"));
        QVERIFY(with("part_names: [a, b, c]", "part_names: [a, b]").contains("part"));
        QVERIFY(with("        - [b, c]", "        - [b, d]").contains("part_names"));
        QVERIFY(with("destination: {name: b}", "destination: {name: q}").contains("'q'"));
        QVERIFY(with("    scale: 1.0", "    scale: 1.0\n    tiling: {enabled: true}").contains("tiling"));
        QVERIFY(with("    scale: 1.0", "    scale: 1.0\n    crop_mode: bbox").contains("crop_mode"));
        folder.write("training_config.yaml", "just text");
        QVERIFY(folder.message().contains("no settings"));
        folder.write("training_config.yaml", "a: [1, 2");
        QVERIFY(folder.message().contains("not readable YAML"));
        folder.write("training_config.yaml", std::string(100000, '['));
        QVERIFY(folder.message().contains("training_config.yaml"));
        folder.write("training_config.yaml", std::string("\0\xff\xfe", 3));
        QVERIFY(folder.message() != "accepted");
        fs::remove(folder.path() / "training_config.yaml");
        folder.write("training_config.json", "{\"a\": ");
        QVERIFY(folder.message().contains("not readable JSON"));
        folder.write("training_config.json", std::string(100000, '['));
        QVERIFY(folder.message() != "accepted");
        std::string nested;
        for (int i = 0; i < 5000; ++i)
            nested += "{\"a\":";
        nested += "1" + std::string(5000, '}');
        folder.write("training_config.json", nested);
        QVERIFY(folder.message().contains("levels deep"));
    }

    void readsTheReferenceFolders() {
        SKEIN_NEEDS_REFERENCE(reference);
        struct Row {
            const char* folder;
            ModelType type;
            int nodes;
            int maxStride;
        };
        for (const Row& row :
             {Row{"models/ckpt/minimal_instance_bottomup", ModelType::BottomUp, 2, 8},
              {"models/ckpt/minimal_instance_centroid", ModelType::Centroid, 1, 8},
              {"models/ckpt/minimal_instance_centered_instance", ModelType::CenteredInstance, 2, 8},
              {"models/ckpt/minimal_instance_multiclass_bottomup", ModelType::MultiClassBottomUp, 2, 16},
              {"models/ckpt/minimal_instance_multiclass_centered_instance", ModelType::MultiClassTopDown, 2, 16},
              {"models/ckpt/minimal_instance_single_instance", ModelType::SingleInstance, 2, 4},
              {"models/synthetic_bottomup", ModelType::BottomUp, 4, 16}}) {
            const auto spec = readModelSpec(reference / row.folder);
            QVERIFY2(spec.has_value(), spec ? "" : spec.error().describe().c_str());
            QCOMPARE(spec->type, row.type);
            QCOMPARE(static_cast<int>(spec->partNames.size()), row.nodes);
            QCOMPARE(spec->maxStride(), row.maxStride);
            QVERIFY(!spec->trainingFacts.empty());
        }
        const auto incomplete = readModelSpec(reference / "models/ckpt/single_instance_with_metrics");
        QVERIFY(!incomplete && incomplete.error().message().find("no best.ckpt") != std::string::npos);
        const auto keras = readModelSpec(reference / "models/legacy_keras/minimal_instance.UNet.bottomup");
        QVERIFY(!keras && keras.error().message().find("Keras") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestModelFolder)
#include "tst_model_folder.moc"
