// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "engine/inference/detail/stage_probe.h"
#include "engine/models/model_folder.h"
#include "engine/models/network_plan.h"
#include "tests/support/case_file.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/h5_data.h"

using namespace skein;
using namespace skein::inference;
using models::ModelSpec;
using models::ParameterPlan;
using probe::Array;
using probe::Way;

namespace {

const std::filesystem::path kData = std::filesystem::path(SKEIN_SOURCE_DIR) / "tests/data/networks";

/// The pattern of make_maps.py.
Array pattern(std::int64_t channels, std::int64_t height, std::int64_t width) {
    Array input{{1, channels, height, width}, {}};
    for (std::int64_t c = 0; c < channels; ++c)
        for (std::int64_t y = 0; y < height; ++y)
            for (std::int64_t x = 0; x < width; ++x)
                input.values.push_back(static_cast<float>((31 * y + 17 * x + 53 * c) % 256) / 255.0F);
    return input;
}

/// FNV-1a over "key (sizes)" lines, as in make_maps.py.
std::string hashOf(const std::vector<ParameterPlan>& parameters) {
    std::uint64_t value = 0xcbf29ce484222325;
    for (const ParameterPlan& parameter : parameters) {
        std::string line = parameter.key + " (";
        for (std::size_t d = 0; d < parameter.shape.size(); ++d)
            line += (d > 0 ? ", " : "") + std::to_string(parameter.shape[d]);
        for (const char c : line + ")\n")
            value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
    return text;
}

}  // namespace

/// Networks of every backbone, head and option against sleap-nn's maps, with weights by a formula (tests/data).
class TestNetworkOptions : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;

    [[nodiscard]] Result<ModelSpec> makeModel(const nlohmann::json& config) const {
        const std::filesystem::path folder = m_dir.path().toStdString();
        test::writeFile(folder / "training_config.json", nlohmann::json{{"model_config", config}}.dump());
        test::writeFile(folder / "best.ckpt", "x");
        auto spec = models::readModelSpec(folder);
        if (spec)
            test::writeFile(folder / "best.ckpt", test::checkpointBytes(models::planNetwork(*spec)->parameters()));
        return spec;
    }
    [[nodiscard]] static nlohmann::json caseOf(const char* tag) {
        const nlohmann::json cases = test::readCases(kData / "cases.json")["cases"];
        for (const auto& c : cases)
            if (c["tag"] == tag)
                return c["model_config"];
        return {};
    }

private Q_SLOTS:
    void mapsOfEveryOption_data() {
        QTest::addColumn<int>("number");
        const auto cases = test::readCases(kData / "cases.json")["cases"];
        QVERIFY(cases.size() > 50);
        for (std::size_t i = 0; i < cases.size(); ++i)
            QTest::newRow(cases[i]["tag"].get<std::string>().c_str()) << static_cast<int>(i);
    }
    void mapsOfEveryOption() {
        QFETCH(int, number);
        const auto c = test::readCases(kData / "cases.json")["cases"][static_cast<std::size_t>(number)];
        const auto spec = makeModel(c["model_config"]);
        QVERIFY2(spec.has_value(), spec ? "" : spec.error().describe().c_str());
        const Array input = pattern(c["size"][0], c["size"][1], c["size"][2]);
        for (const Way way : {Way::Plain, Way::Fused}) {
            const auto maps = probe::forward(*spec, input, way);
            QVERIFY2(maps.has_value(), maps ? "" : maps.error().describe().c_str());
            QCOMPARE(maps->size(), spec->heads.size());
            for (std::size_t h = 0; h < maps->size(); ++h) {
                const std::string name = models::headName(spec->heads[h].kind);
                const auto recorded = test::readH5(kData / "maps.h5", std::to_string(number) + "/" + name);
                QVERIFY2(recorded.has_value(), name.c_str());
                const Array& got = (*maps)[h];
                QVERIFY(std::equal(got.shape.begin(), got.shape.end(), recorded->shape.begin(), recorded->shape.end()));
                double largest = 0;
                for (std::size_t i = 0; i < got.values.size(); ++i)
                    largest = std::max(largest, std::abs(static_cast<double>(got.values[i]) - recorded->values[i]));
                // Asked for is 1e-4; sums in another order give a twentieth of it.
                QVERIFY2(largest <= 1e-5, qPrintable(QString("%1: %2").arg(name.c_str()).arg(largest)));
            }
        }
    }

    /// All keys and shapes of the large networks, in order, by their hash.
    void presetsHaveTheirWeights() {
        const auto presets = test::readCases(kData / "cases.json")["presets"];
        QCOMPARE(presets.size(), std::size_t{7});
        for (const auto& preset : presets) {
            const std::filesystem::path folder = m_dir.path().toStdString();
            test::writeFile(folder / "training_config.json",
                            nlohmann::json{{"model_config", preset["model_config"]}}.dump());
            test::writeFile(folder / "best.ckpt", "x");
            const auto spec = models::readModelSpec(folder);
            QVERIFY2(spec.has_value(), spec ? "" : spec.error().describe().c_str());
            const auto plan = models::planNetwork(*spec);
            QVERIFY(plan.has_value());
            QCOMPARE(hashOf(plan->parameters()), preset["hash"].get<std::string>());
        }
    }

    /// Half precision is for UNets: other backbones compute exactly and say so, in place of failing.
    void otherBackbonesAnswerHalfPrecisionWithExactNumbers() {
        const auto spec = makeModel(caseOf("convnext, bottomup"));
        QVERIFY(spec.has_value());
        InferenceOptions options;
        options.precision = Precision::Half;
        profile::Profiler profiler;
        const auto runner = probe::makeQueuedRunner({*spec}, options, profiler);
        QVERIFY2(runner.has_value(), runner ? "" : runner.error().describe().c_str());
        QCOMPARE((*runner)->warning(),
                 std::string("Exact numbers are used in place of half precision: only UNet models can."));
        QVERIFY((*runner)->warmUp(96, 64, 1).has_value());
    }

    /// A batch is computed frame by frame and all at once alike.
    void framesOfABatchAreIndependent() {
        for (const char* tag : {"convnext, bottomup", "swint, bottomup", "swint, multi_class_topdown"}) {
            const auto spec = makeModel(caseOf(tag));
            QVERIFY(spec.has_value());
            Array batch = pattern(1, 96, 64);
            const auto alone = probe::forward(*spec, batch, Way::Fused);
            const std::vector<float> frame = batch.values;
            for (float& value : batch.values)
                value = 1 - value;
            batch.values.insert(batch.values.end(), frame.begin(), frame.end());
            batch.shape[0] = 2;
            const auto together = probe::forward(*spec, batch, Way::Fused, 2);
            QVERIFY(alone && together);
            for (std::size_t h = 0; h < alone->size(); ++h) {
                const std::vector<float>& one = (*alone)[h].values;
                const std::vector<float>& two = (*together)[h].values;
                QCOMPARE(two.size(), 2 * one.size());
                float first = 0;
                for (std::size_t i = 0; i < one.size(); ++i) {
                    QVERIFY(std::abs(one[i] - two[one.size() + i]) <= 1e-5F);
                    first = std::max(first, std::abs(one[i] - two[i]));
                }
                QVERIFY(first > 1e-3F);  // another picture gives other maps
            }
        }
    }

    void weightsThatDoNotFit() {
        const std::filesystem::path folder = m_dir.path().toStdString();
        const auto problem = [&](const char* tag, auto change) {
            const auto model = makeModel(caseOf(tag));
            auto parameters = models::planNetwork(*model)->parameters();
            change(parameters);
            test::writeFile(folder / "best.ckpt", test::checkpointBytes(parameters));
            const auto maps = probe::forward(*model, pattern(1, 32, 32), Way::Fused);
            return maps ? QString("accepted") : QString::fromStdString(maps.error().describe());
        };
        using Parameters = std::vector<ParameterPlan>;
        const auto find = [](Parameters& p, const std::string& end) {
            return std::find_if(p.begin(), p.end(), [&](const ParameterPlan& q) { return q.key.ends_with(end); });
        };
        for (const char* tag : {"convnext, bottomup", "swint, bottomup"}) {
            QCOMPARE(problem(tag, [](Parameters&) {}), QString("accepted"));
            const QString missing = problem(tag, [](Parameters& p) { p.erase(p.begin() + 5); });
            QVERIFY2(missing.contains("lacks") && missing.contains("backbone.enc.features.1.0."), qPrintable(missing));
            const QString surplus = problem(tag, [](Parameters& p) { p.push_back({"backbone.enc.extra", {3}}); });
            QVERIFY2(surplus.contains("backbone.enc.extra"), qPrintable(surplus));
            const QString shape = problem(tag, [](Parameters& p) { p[0].shape[3] = 5; });
            QVERIFY2(shape.contains("features.0.0.weight") && shape.contains(", 1, 4, 5)"), qPrintable(shape));
        }
        const char* const index = "relative_position_index";
        const QString asNumbers = problem("swint, bottomup", [&](Parameters& p) { find(p, index)->integer = false; });
        QVERIFY2(asNumbers.contains(index) && asNumbers.contains("float32"), qPrintable(asNumbers));
        // The table of a larger window points outside that of a smaller one.
        const auto model = makeModel(caseOf("swint, window 1"));
        auto bytes = test::checkpointBytes(models::planNetwork(*model)->parameters());
        const std::string zero(8, '\0');
        const auto at = bytes.find(std::string("best/data/") + "6");
        QVERIFY(at != std::string::npos);
        // Its only entry, after the member's name and padding.
        for (std::size_t i = (at + 63) / 64 * 64; i < bytes.size(); i += 64)
            if (bytes.compare(i, 8, zero) == 0) {
                bytes[i] = 9;
                break;
            }
        test::writeFile(folder / "best.ckpt", bytes);
        const auto outside = probe::forward(*model, pattern(1, 32, 32), Way::Fused);
        QVERIFY(!outside);
        QVERIFY2(outside.error().message().find("points outside") != std::string::npos,
                 outside.error().describe().c_str());
    }

    void framesThatAreTooSmall() {
        for (const char* tag : {"convnext, padded too little", "swint, padded too little", "unet, stem"}) {
            const auto spec = makeModel(caseOf(tag));
            QVERIFY(spec.has_value());
            const auto maps = probe::forward(*spec, pattern(1, 8, 32), Way::Fused);
            QVERIFY(!maps);
            QVERIFY2(maps.error().message().find("32 x 8 pixels are too small") != std::string::npos,
                     maps.error().describe().c_str());
        }
    }

    /// Without pooling a class head reads one pixel: right for crops as large as the stride, refused for others.
    void classVectorsWithoutPooling() {
        nlohmann::json config = caseOf("unet, multi_class_topdown");
        const auto pooled = makeModel(config);
        QVERIFY(pooled.has_value());
        const auto expected = probe::forward(*pooled, pattern(1, 8, 8), Way::Fused);
        config["head_configs"]["multi_class_topdown"]["class_vectors"]["global_pool"] = false;
        const auto plain = makeModel(config);
        QVERIFY2(plain.has_value(), plain ? "" : plain.error().describe().c_str());
        const auto got = probe::forward(*plain, pattern(1, 8, 8), Way::Fused);
        QVERIFY(expected && got);
        QCOMPARE((*got)[1].values, (*expected)[1].values);
        const auto larger = probe::forward(*plain, pattern(1, 16, 24), Way::Fused);
        QVERIFY(!larger && larger.error().message().find("3 x 2") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestNetworkOptions)
#include "tst_network_options.moc"
