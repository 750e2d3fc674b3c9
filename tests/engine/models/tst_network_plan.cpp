// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/models/network_plan.h"
#include "engine/models/training_config.h"
#include "tests/support/case_file.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::models;

namespace {

HeadSpec headOf(HeadKind kind, const nlohmann::json& json, std::size_t channels) {
    HeadSpec head;
    head.kind = kind;
    head.channels = static_cast<int>(channels);
    head.outputStride = json.value("output_stride", 1);
    if (kind == HeadKind::ClassVectors) {
        head.fcLayers = json.value("num_fc_layers", 1);
        head.fcUnits = json.value("num_fc_units", 64);
    }
    return head;
}

}  // namespace

class TestNetworkPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Every configuration that was recorded, read as a training configuration: same keys, same shapes, same order; and
    /// a sentence where the peer itself cannot build or run the network.
    void recordedArchitectures_data() {
        QTest::addColumn<QString>("text");
        const auto spec = test::specDir();
        if (!spec) {
            QTest::newRow("none") << QString();
            return;
        }
        const nlohmann::json cases = test::readCases(*spec / "models-cases.json");
        for (const auto& a : cases["architectures"])
            if (a["heads"].contains("confmaps"))
                QTest::newRow(a["tag"].get<std::string>().c_str()) << QString::fromStdString(a.dump());
    }
    void recordedArchitectures() {
        QFETCH(QString, text);
        if (text.isEmpty())
            QSKIP("the test vectors are not beside the repository");
        const auto a = nlohmann::json::parse(text.toStdString());
        const QTemporaryDir dir;
        const std::filesystem::path file = dir.filePath("training_config.json").toStdString();
        std::ofstream(file) << nlohmann::json{{"model_config",
                                               {{"backbone_config", {{a["backbone"].get<std::string>(), a["config"]}}},
                                                {"head_configs", {{a["model_type"].get<std::string>(), a["heads"]}}}}}};
        const auto spec = readTrainingConfig(file);
        QVERIFY2(spec.has_value(), spec ? "" : spec.error().describe().c_str());
        const auto plan = planNetwork(*spec);
        if (a.contains("error")) {
            QVERIFY(!plan);
            QVERIFY(plan.error().message().ends_with('.'));
            return;
        }
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().describe().c_str());
        const std::vector<ParameterPlan> parameters = plan->parameters();
        QCOMPARE(parameters.size(), a["n_tensors"].get<std::size_t>());
        std::int64_t count = 0;
        for (const ParameterPlan& parameter : parameters) {
            std::int64_t size = 1;
            for (const std::int64_t length : parameter.shape)
                size *= length;
            count += size;  // index tables were counted too
        }
        QCOMPARE(count, a["n_params"].get<std::int64_t>());
        if (a.contains("state_dict")) {
            QCOMPARE(parameters.size(), a["state_dict"].size());
            for (std::size_t i = 0; i < parameters.size(); ++i) {
                QCOMPARE(parameters[i].key, a["state_dict"][i][0].get<std::string>());
                QCOMPARE(parameters[i].shape, a["state_dict"][i][1].get<std::vector<std::int64_t>>());
            }
        }
        std::map<int, int> channels = {{plan->bottleneckStride, plan->bottleneckChannels}};
        for (const DecoderBlockPlan& block : plan->decoder)
            channels[block.stride] = block.channels;
        for (const auto& [stride, filters] : a["stride_to_filters"].items()) {
            QVERIFY(channels.count(std::stoi(stride)) == 1);
            QCOMPARE(channels[std::stoi(stride)], filters.get<int>());
        }
    }

    void channelsAreTruncated() {
        ModelSpec spec;
        spec.unet.filters = 8;
        spec.unet.maxStride = 16;
        spec.unet.outputStride = 2;
        spec.heads = {headOf(HeadKind::SingleInstanceConfmaps, {{"output_stride", 2}}, 2)};
        const auto plan = planNetwork(spec);
        QVERIFY(plan.has_value());
        QCOMPARE(plan->bottleneckChannels, 40);  // 8 * 1.5^4 = 40.5
    }

    void impossibleOptionsAreNamed() {
        const auto message = [](auto change) {
            ModelSpec spec;
            spec.unet.outputStride = 2;
            spec.heads = {headOf(HeadKind::SingleInstanceConfmaps, {{"output_stride", 2}}, 2)};
            change(spec);
            const auto plan = planNetwork(spec);
            return plan ? QString("accepted") : QString::fromStdString(plan.error().message());
        };
        QVERIFY(message([](ModelSpec&) {}) == "accepted");
        QVERIFY(message([](ModelSpec& s) { s.unet.stacks = 2; }).contains("stacks"));
        QVERIFY(message([](ModelSpec& s) { s.unet.convsPerBlock = 1; }).contains("convs_per_block"));
        QVERIFY(message([](ModelSpec& s) { s.unet.middleBlock = false; }).contains("middle_block"));
        QVERIFY(message([](ModelSpec& s) { s.unet.maxStride = 12; }).contains("max_stride"));
        QVERIFY(message([](ModelSpec& s) { s.unet.outputStride = 32; }).contains("output_stride"));
        QVERIFY(message([](ModelSpec& s) {
                    s.unet.stemStride = 4;
                    s.unet.outputStride = 1;
                    s.heads[0].outputStride = 1;
                }).contains("stem_stride"));
        QVERIFY(message([](ModelSpec& s) { s.unet.filters = 0; }).contains("filters"));
        QVERIFY(message([](ModelSpec& s) { s.unet.filtersRate = 1e30; }).contains("filters"));
        QVERIFY(message([](ModelSpec& s) { s.heads[0].outputStride = 32; }).contains("SingleInstanceConfmapsHead"));
        QVERIFY(message([](ModelSpec& s) { s.heads[0].channels = 0; }).contains("channels"));
        QVERIFY(message([](ModelSpec& s) { s.heads.clear(); }).contains("no head"));
        QVERIFY(message([](ModelSpec& s) {
                    s.heads[0].kind = HeadKind::ClassVectors;
                    s.heads[0].fcLayers = 0;
                }).contains("num_fc_units"));
    }

    void impossibleStagesAreNamed() {
        const auto message = [](BackboneType type, auto change) {
            ModelSpec spec;
            spec.backbone = type;
            TransformerConfig& c = spec.transformer;
            c.depths = {1, 1, 1, 1};
            c.channels = {4, 8, 12, 16};
            c.embed = 8;
            c.numHeads = {1, 2, 4, 8};
            c.outputStride = 2;
            spec.heads = {headOf(HeadKind::SingleInstanceConfmaps, {{"output_stride", 2}}, 2)};
            change(spec, c);
            const auto plan = planNetwork(spec);
            return plan ? QString("accepted") : QString::fromStdString(plan.error().message());
        };
        using C = TransformerConfig;
        for (const BackboneType type : {BackboneType::ConvNext, BackboneType::SwinT}) {
            const auto with = [&](auto change) { return message(type, change); };
            QCOMPARE(with([](ModelSpec&, C&) {}), QString("accepted"));
            QCOMPARE(with([](ModelSpec&, C& c) { c.convsPerBlock = 1, c.filtersRate = 1; }), QString("accepted"));
            QVERIFY(with([](ModelSpec&, C& c) { c.depths = {1, 1}; }).contains("four stages"));
            QVERIFY(with([](ModelSpec&, C& c) { c.depths[2] = -1; }).contains("-1 blocks"));
            QVERIFY(with([](ModelSpec&, C& c) { c.patchSize = 0; }).contains("stem"));
            QVERIFY(with([](ModelSpec&, C& c) { c.stemPatchStride = 1000000; }).contains("stem"));
            QVERIFY(with([](ModelSpec&, C& c) { c.kernelSize = 0; }).contains("kernel_size"));
            QVERIFY(with([](ModelSpec&, C& c) { c.convsPerBlock = 0; }).contains("convs_per_block"));
            QVERIFY(with([](ModelSpec&, C& c) { c.convsPerBlock = 1; }).contains("convs_per_block"));
            QVERIFY(with([](ModelSpec&, C& c) { c.outputStride = 64; }).contains("output_stride"));
            QVERIFY(with([](ModelSpec&, C& c) { c.maxStride = 0; }).contains("max_stride"));
            QVERIFY(with([](ModelSpec&, C& c) { c.filtersRate = 0; }).contains("filters_rate"));
            QVERIFY(with([](ModelSpec&, C& c) { c.filtersRate = 1e9; }).contains("filters_rate"));
            QVERIFY(with([](ModelSpec&, C& c) { c.inChannels = 0; }).contains("in_channels"));
            QVERIFY(with([](ModelSpec& s, C&) { s.heads[0].outputStride = 3; }).contains("output_stride 3"));
            // Contracted, the last block would get other channels than it takes; the peer builds and cannot run it.
            QVERIFY(with([](ModelSpec& s, C& c) {
                        c.blockContraction = true;
                        c.outputStride = s.heads[0].outputStride = 1;
                    }).contains("channels"));
        }
        QVERIFY(message(BackboneType::ConvNext, [](ModelSpec&, C& c) { c.channels[1] = 0; }).contains("0 channels"));
        QVERIFY(message(BackboneType::SwinT, [](ModelSpec&, C& c) { c.windowSize = 0; }).contains("window_size"));
        QVERIFY(message(BackboneType::SwinT, [](ModelSpec&, C& c) { c.embed = 1 << 30; }).contains("embed"));
        QVERIFY(message(BackboneType::SwinT, [](ModelSpec&, C& c) { c.numHeads[3] = 3; }).contains("heads"));
        QVERIFY(message(BackboneType::SwinT, [](ModelSpec&, C& c) { c.numHeads[0] = 0; }).contains("heads"));
    }
};

QTEST_APPLESS_MAIN(TestNetworkPlan)
#include "tst_network_plan.moc"
