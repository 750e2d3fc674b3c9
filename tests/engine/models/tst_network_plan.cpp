// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/models/network_plan.h"
#include "tests/support/case_file.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::models;

namespace {

UNetConfig unetOf(const nlohmann::json& json) {
    UNetConfig c;
    c.inChannels = json.value("in_channels", c.inChannels);
    c.kernelSize = json.value("kernel_size", c.kernelSize);
    c.filters = json.value("filters", c.filters);
    c.filtersRate = json.value("filters_rate", c.filtersRate);
    c.maxStride = json.value("max_stride", c.maxStride);
    if (!json["stem_stride"].is_null())
        c.stemStride = json["stem_stride"].get<int>();
    c.middleBlock = json.value("middle_block", c.middleBlock);
    c.upInterpolate = json.value("up_interpolate", c.upInterpolate);
    c.stacks = json.value("stacks", c.stacks);
    c.convsPerBlock = json.value("convs_per_block", c.convsPerBlock);
    c.outputStride = json.value("output_stride", c.outputStride);
    return c;
}

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

std::vector<HeadSpec> headsOf(const std::string& type, const nlohmann::json& heads) {
    const auto& confmaps = heads.at("confmaps");
    const std::size_t parts = type == "centroid" ? 1 : confmaps.at("part_names").size();
    if (type == "single_instance")
        return {headOf(HeadKind::SingleInstanceConfmaps, confmaps, parts)};
    if (type == "centroid")
        return {headOf(HeadKind::CentroidConfmaps, confmaps, parts)};
    if (type == "bottomup")
        return {headOf(HeadKind::MultiInstanceConfmaps, confmaps, parts),
                headOf(HeadKind::PartAffinityFields, heads.at("pafs"), 2 * heads.at("pafs").at("edges").size())};
    if (type == "multi_class_bottomup")
        return {headOf(HeadKind::MultiInstanceConfmaps, confmaps, parts),
                headOf(HeadKind::ClassMaps, heads.at("class_maps"), heads.at("class_maps").at("classes").size())};
    if (type == "multi_class_topdown")
        return {
            headOf(HeadKind::CenteredInstanceConfmaps, confmaps, parts),
            headOf(HeadKind::ClassVectors, heads.at("class_vectors"), heads.at("class_vectors").at("classes").size())};
    return {};
}

}  // namespace

class TestNetworkPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Every UNet configuration that was recorded: same keys, same shapes, same order; and a sentence where the peer
    /// itself cannot build or run the network.
    void recordedArchitectures_data() {
        QTest::addColumn<QString>("text");
        const auto spec = test::specDir();
        if (!spec) {
            QTest::newRow("none") << QString();
            return;
        }
        const nlohmann::json cases = test::readCases(*spec / "models-cases.json");
        for (const auto& a : cases["architectures"])
            if (a["backbone"] == "unet" && a["heads"].contains("confmaps"))
                QTest::newRow(a["tag"].get<std::string>().c_str()) << QString::fromStdString(a.dump());
    }
    void recordedArchitectures() {
        QFETCH(QString, text);
        if (text.isEmpty())
            QSKIP("the test vectors are not beside the repository");
        const auto a = nlohmann::json::parse(text.toStdString());
        ModelSpec spec;
        spec.unet = unetOf(a["config"]);
        spec.heads = headsOf(a["model_type"], a["heads"]);
        const auto plan = planNetwork(spec);
        if (a.contains("error")) {
            QVERIFY(!plan);
            QVERIFY(plan.error().message().ends_with('.'));
            return;
        }
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().describe().c_str());
        std::vector<std::pair<std::string, std::vector<std::int64_t>>> expected, got;
        for (const auto& entry : a["state_dict"]) {
            const auto shape = entry[1].get<std::vector<std::int64_t>>();
            expected.emplace_back(entry[0].get<std::string>(), shape);
        }
        for (const ParameterPlan& p : plan->parameters())
            got.emplace_back(p.key, p.shape);
        QCOMPARE(got.size(), expected.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
            QCOMPARE(got[i].first, expected[i].first);
            QCOMPARE(got[i].second, expected[i].second);
        }
        QCOMPARE(static_cast<std::size_t>(a["n_tensors"].get<int>()), got.size());
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
        QVERIFY(message([](ModelSpec& s) { s.backbone = BackboneType::SwinT; }).contains("SwinT"));
    }
};

QTEST_APPLESS_MAIN(TestNetworkPlan)
#include "tst_network_plan.moc"
