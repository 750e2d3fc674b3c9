// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>

#include "engine/models/model_folder.h"
#include "engine/models/training_log.h"
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

    /// What the dialog shows of each reference folder. The weights are not looked at: damaged ones do no harm.
    void readsTheReferenceFolders_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<int>("type");
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<QString>("edges");
        QTest::addColumn<QString>("input");  // channels, scale, largest height x width, crop
        QTest::addColumn<QString>("strides");
        QTest::addColumn<QString>("facts");
        const auto row = [](const char* folder, ModelType type, const char* nodes, const char* edges, const char* input,
                            const char* strides, const char* facts) {
            QTest::newRow(folder) << folder << static_cast<int>(type) << nodes << edges << input << strides << facts;
        };
        const char* const ten = "Largest number of epochs: 10; Batch size: 4; Optimizer: Adam; Learning rate: 0.0001";
        row("ckpt/minimal_instance_bottomup", ModelType::BottomUp, "A B", "A-B", "1, 1, 384 x 384", "8: 2 4", ten);
        row("ckpt/minimal_instance_centroid", ModelType::Centroid, "A B", "A-B", "1, 1, 384 x 384", "8: 4",
            "Run name: minimal_instance_centroid; Epochs trained: 22; Best validation loss: 3.49e-07 in epoch 22");
        row("ckpt/minimal_instance_centered_instance", ModelType::CenteredInstance, "A B", "A-B",
            "1, 1, 384 x 384, crop 96", "8: 2", ten);
        row("ckpt/minimal_instance_multiclass_bottomup", ModelType::MultiClassBottomUp, "A B", "A-B",
            "1, 0.5, 384 x 384", "16: 2 2", "Parameters: 80683; Epochs trained: 200");
        row("ckpt/minimal_instance_multiclass_centered_instance", ModelType::MultiClassTopDown, "A B", "A-B",
            "1, 1, 384 x 384, crop 128", "16: 2 16", "Parameters: 91731; Epochs trained: 50");
        row("ckpt/minimal_instance_single_instance", ModelType::SingleInstance, "A B", "A-B", "3, 0.5, 320 x 560",
            "4: 4", "Training labels: tests/data/slp_hdf5/small_robot_minimal.slp; Parameters: 18250");
        row("synthetic_bottomup", ModelType::BottomUp, "head thorax abdomen tip",
            "head-thorax thorax-abdomen abdomen-tip", "1, 0.5", "16: 2 4",
            "Seed: 7; sleap-nn version: 0.3.5; Training labels: t101.slp, t102.slp, t103.slp, t104.slp; Epochs "
            "trained: "
            "34");
        row("legacy_keras/min_tracks_2node.UNet.bottomup_multiclass", ModelType::MultiClassBottomUp, "head thorax",
            "thorax-head", "1, 0.5", "16: 2 2", "Largest number of epochs: 200; Parameters: 80683");
        row("legacy_keras/min_tracks_2node.UNet.topdown_multiclass", ModelType::MultiClassTopDown, "head thorax",
            "thorax-head", "1, 1, crop 128", "16: 2 16", "SLEAP version: 1.1.1; Parameters: 91731");
        row("legacy_keras/minimal_instance.UNet.bottomup", ModelType::BottomUp, "A B", "A-B", "1, 1", "8: 2 4",
            "Parameters: 150648; Epochs trained: 10");
        row("legacy_keras/minimal_instance.UNet.centered_instance", ModelType::CenteredInstance, "A B", "A-B",
            "1, 1, crop 96", "8: 2", "Optimizer: adam; Parameters: 150574");
        row("legacy_keras/minimal_instance.UNet.centroid", ModelType::Centroid, "A B", "A-B", "1, 1", "8: 4",
            "Epochs trained: 24; Parameters: 127161");
        row("legacy_keras/minimal_robot.UNet.single_instance", ModelType::SingleInstance, "A B", "A-B", "3, 0.5",
            "4: 4", "Learning rate: 0.001; Parameters: 18250; Best validation loss: 0.00153 in epoch 9");
    }
    void readsTheReferenceFolders() {
        SKEIN_NEEDS_REFERENCE(reference);
        QFETCH(QString, folder);
        QFETCH(int, type);
        QFETCH(QString, nodes);
        QFETCH(QString, edges);
        QFETCH(QString, input);
        QFETCH(QString, strides);
        QFETCH(QString, facts);
        fs::path path = reference / "models" / folder.toStdString();
        const QTemporaryDir copy;
        if (fs::exists(path / "best.ckpt")) {
            // The same folder with weights that nobody could read.
            const fs::path to = copy.path().toStdString();
            for (const char* name : {"training_config.yaml", "training_log.csv"})
                if (fs::exists(path / name))
                    fs::copy_file(path / name, to / name);
            test::writeFile(to / "best.ckpt", "no weights");
            path = to;
        }
        const auto spec = readModelSpec(path);
        QVERIFY2(spec.has_value(), spec ? "" : spec.error().describe().c_str());
        QCOMPARE(static_cast<int>(spec->type), type);
        QStringList got;
        for (const std::string& node : spec->skeleton.nodes)
            got << QString::fromStdString(node);
        QCOMPARE(got.join(' '), nodes);
        QStringList pairs;
        for (const project::Edge& edge : spec->skeleton.edges)
            pairs << got[edge.source] + "-" + got[edge.destination];
        QCOMPARE(pairs.join(' '), edges);
        const PreprocessSpec& p = spec->preprocess;
        QString text = QString("%1, %2").arg(spec->inChannels()).arg(p.scale);
        if (p.maxHeight && p.maxWidth)
            text += QString(", %1 x %2").arg(*p.maxHeight).arg(*p.maxWidth);
        if (p.cropSize)
            text += QString(", crop %1").arg(*p.cropSize);
        QCOMPARE(text, input);
        QString heads = QString("%1:").arg(spec->maxStride());
        for (const HeadSpec& head : spec->heads)
            heads += QString(" %1").arg(head.outputStride);
        QCOMPARE(heads, strides);
        QStringList known;
        for (const auto& [name, value] : spec->trainingFacts)
            known << QString::fromStdString(name + ": " + value);
        for (const QString& fact : facts.split("; "))
            QVERIFY2(known.contains(fact), qPrintable(fact + " is not among: " + known.join("; ")));
    }

    void aFolderWithoutWeights() {
        SKEIN_NEEDS_REFERENCE(reference);
        const auto incomplete = readModelSpec(reference / "models/ckpt/single_instance_with_metrics");
        QVERIFY(!incomplete && incomplete.error().code() == ErrorCode::NotFound);
        const std::string& message = incomplete.error().message();
        QVERIFY(message.find("single_instance_with_metrics has no best.ckpt") != std::string::npos);
        QVERIFY(message.find("copy the file") != std::string::npos);
    }

    void configurationsUnderOtherNames() {
        const Folder folder;
        folder.write("best.ckpt", "x");
        folder.write("my_model.yaml", test::bottomUpConfig());
        QVERIFY(!readModelSpec(folder.path()));
        const auto named = readModelSpec(folder.path() / "my_model.yaml");
        QVERIFY2(named.has_value(), named ? "" : named.error().describe().c_str());
        QCOMPARE(named->configFile.filename(), fs::path("my_model.yaml"));
        // The folder's own wins, as in sleap-nn: initial_config.yaml lies beside it and lacks what training found out.
        folder.write("training_config.yaml", replaced(test::bottomUpConfig(), "scale: 1.0", "scale: 0.25"));
        const auto own = readModelSpec(folder.path() / "my_model.yaml");
        QVERIFY(own.has_value());
        QCOMPARE(own->preprocess.scale, 0.25);
    }

    void trainingLogs() {
        const Folder folder;
        const auto log = [&](const std::string& text) {
            folder.write("training_log.csv", text);
            return readTrainingLog(folder.path() / "training_log.csv");
        };
        const auto result = log("epoch,train/loss,val/loss\r\n0,,0.5\r\n0,0.4,0.25\r\n1,0.3,0.75\r\n");
        QVERIFY(result.has_value());
        QCOMPARE(result->epochs, 2);
        QCOMPARE(result->bestLoss, 0.25);
        QCOMPARE(result->bestEpoch, 1);
        for (const char* useless : {"", "epoch,val_loss\n", "a,b\n1,2\n", "epoch,val_loss\n0,nan\n", "epoch\n0\n",
                                    "epoch,val_loss\n1e300,0.5\n", "epoch,val_loss\n0,0.5x\n"})
            QVERIFY2(!log(useless), useless);
        QVERIFY(!readTrainingLog(folder.path() / "none.csv"));
    }
};

QTEST_APPLESS_MAIN(TestModelFolder)
#include "tst_model_folder.moc"
