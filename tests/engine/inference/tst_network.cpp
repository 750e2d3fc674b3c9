// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/inference/detail/stage_probe.h"
#include "engine/models/model_folder.h"
#include "tests/support/case_file.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::inference;
using models::ModelSpec;
using probe::Array;
using probe::Way;

namespace {

/// The fixed pattern of the recorded probes.
Array pattern(std::int64_t channels, std::int64_t height, std::int64_t width, std::int64_t frames = 1) {
    Array input{{frames, channels, height, width}, {}};
    for (std::int64_t f = 0; f < frames; ++f)
        for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t y = 0; y < height; ++y)
                for (std::int64_t x = 0; x < width; ++x)
                    input.values.push_back(static_cast<float>((31 * y + 17 * x + 53 * c + 7 * f) % 256) / 255.0F);
    return input;
}

float largestDifference(const Array& a, const Array& b) {
    float largest = a.shape == b.shape ? 0.0F : 1e9F;
    for (std::size_t i = 0; i < a.values.size() && i < b.values.size(); ++i)
        largest = std::max(largest, std::abs(a.values[i] - b.values[i]));
    return largest;
}

}  // namespace

class TestNetwork : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;

    /// A model folder with generated weights for a configuration.
    [[nodiscard]] Result<ModelSpec> makeModel(const std::string& config, std::uint32_t seed = 1) const {
        const std::filesystem::path folder = m_dir.path().toStdString();
        test::writeFile(folder / "training_config.yaml", config);
        test::writeFile(folder / "best.ckpt", "x");
        auto spec = models::readModelSpec(folder);
        if (!spec)
            return spec;
        test::writeFile(folder / "best.ckpt", test::checkpointBytes(models::planNetwork(*spec)->parameters(), seed));
        return spec;
    }

private Q_SLOTS:
    void recordedProbes() {
        SKEIN_NEEDS_REFERENCE(reference);
        SKEIN_NEEDS_SPEC(spec);
        const auto cases = test::readCases(spec / "models-cases.json")["checkpoint_probes"]["cases"];
        QCOMPARE(cases.size(), std::size_t{6});
        for (const auto& c : cases) {
            const std::string name = std::filesystem::path(c["folder"].get<std::string>()).filename().string();
            const auto model = models::readModelSpec(reference / "models/ckpt" / name);
            QVERIFY2(model.has_value(), name.c_str());
            const Array input = pattern(c["in_channels"], c["input_hw"][0], c["input_hw"][1]);
            for (const Way way : {Way::Plain, Way::Fused}) {
                const auto heads = probe::forward(*model, input, way);
                QVERIFY2(heads.has_value(), heads ? "" : heads.error().describe().c_str());
                QCOMPARE(heads->size(), c["outputs"].size());
                for (std::size_t h = 0; h < heads->size(); ++h) {
                    const auto& e = c["outputs"][models::headName(model->heads[h].kind)];
                    const Array& got = (*heads)[h];
                    const auto shape = e["shape"].get<std::vector<std::int64_t>>();
                    QVERIFY2(std::equal(shape.begin(), shape.end(), got.shape.begin() + 1, got.shape.end()),
                             name.c_str());
                    double sum = 0;
                    double absolute = 0;
                    for (const float value : got.values) {
                        sum += static_cast<double>(value);
                        absolute += std::abs(static_cast<double>(value));
                    }
                    const double allowed = 2e-5 * std::sqrt(static_cast<double>(got.values.size())) *
                                           std::max(1.0, std::abs(e["max"].get<double>()));
                    QVERIFY2(std::abs(sum - e["sum"].get<double>()) < allowed * 10, name.c_str());
                    QVERIFY2(std::abs(absolute - e["abs_sum"].get<double>()) < allowed * 10, name.c_str());
                    const auto most = std::max_element(got.values.begin(), got.values.end());
                    // Absolute for maps of the usual height, relative for the one whose pattern gives large values.
                    const float tolerance = 2e-5F * std::max(1.0F, std::abs(e["max"].get<float>()));
                    QVERIFY2(test::near(*most, e["max"].get<float>(), tolerance),
                             qPrintable(QString("%1, head %2: largest %3, recorded %4")
                                            .arg(name.c_str())
                                            .arg(h)
                                            .arg(*most, 0, 'g', 9)
                                            .arg(e["max"].get<double>(), 0, 'g', 9)));
                    QCOMPARE(most - got.values.begin(), static_cast<std::ptrdiff_t>(e["argmax"].get<int>()));
                    for (const auto& sample : e["samples"])
                        QVERIFY2(
                            test::near(got.values[sample[0].get<std::size_t>()], sample[1].get<float>(), tolerance),
                            name.c_str());
                }
            }
        }
    }

    void recordedLayers() {
        SKEIN_NEEDS_SPEC(spec);
        const nlohmann::json cases = test::readCases(spec / "models-cases.json");
        const auto picture = [](const nlohmann::json& rows) {
            return Array{{1, 1, static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows[0].size())},
                         test::numbers(rows)};
        };
        const auto& t = cases["conv_transpose_k3_s2"];
        const models::ConvPlan up{"up", 1, 1, 3, false, true};
        const Array zero{{1}, {0.0F}};
        for (const Way way : {Way::Plain, Way::Fused}) {
            const auto pytorch = probe::convolve(up, picture(t["weight_k"]), zero, picture(t["input"]), false, way);
            QVERIFY(pytorch.has_value());
            QCOMPARE(pytorch->values, test::numbers(t["pytorch_p1_op1"]));
            const auto keras = probe::convolve(up, picture(t["weight_k"]), zero, picture(t["input"]), true, way);
            QVERIFY(keras.has_value());
            QCOMPARE(keras->values, test::numbers(t["keras_same"]));
            const auto& k = cases["conv_same_even_kernel4_ones"];
            const auto even = probe::convolve({"even", 1, 1, 4, false}, {{1, 1, 4, 4}, std::vector<float>(16, 1.0F)},
                                              zero, picture(k["input"]), false, way);
            QVERIFY(even.has_value());
            QCOMPARE(even->values, test::numbers(k["out"]));
        }
        const auto enlarged = probe::enlarge(picture(cases["upsample_bilinear_x2"]["input"]));
        QVERIFY(enlarged.has_value());
        const auto expected = test::numbers(cases["upsample_bilinear_x2"]["out"]);
        for (std::size_t i = 0; i < expected.size(); ++i)
            QVERIFY(test::near(enlarged->values[i], expected[i], 1e-6F));
        const auto pooled = probe::pool(picture(cases["maxpool_same_odd_5x5"]["input"]));
        QVERIFY(pooled.has_value());
        QCOMPARE(pooled->values, test::numbers(cases["maxpool_same_odd_5x5"]["later_calls"]));
    }

    void poolsEveryChannel() {
        Array input = pattern(5, 7, 9, 3);
        for (std::size_t i = 0; i < input.values.size(); i += 3)
            input.values[i] = -input.values[i];
        const auto pooled = probe::pool(input);
        QVERIFY(pooled.has_value());
        QCOMPARE(pooled->shape, (std::vector<std::int64_t>{3, 5, 3, 4}));
        for (std::size_t plane = 0; plane < 15; ++plane)
            for (std::size_t y = 0; y < 3; ++y)
                for (std::size_t x = 0; x < 4; ++x) {
                    const float* at = input.values.data() + plane * 63 + 2 * y * 9 + 2 * x;
                    QCOMPARE(pooled->values[plane * 12 + y * 4 + x], std::max({at[0], at[1], at[9], at[10]}));
                }
    }

    /// The fused way against plain tensor functions, for every kind of layer a UNet can have, and for sizes at which
    /// borders matter.
    void fusedEqualsPlain_data() {
        QTest::addColumn<QString>("unet");
        QTest::newRow("transposed")
            << "filters: 8\n      filters_rate: 1.5\n      max_stride: 8\n      up_interpolate: false\n"
               "      output_stride: 2";
        QTest::newRow("bilinear")
            << "filters: 7\n      filters_rate: 2\n      max_stride: 16\n      up_interpolate: true\n"
               "      output_stride: 2";
        QTest::newRow("stem") << "filters: 8\n      filters_rate: 1.5\n      max_stride: 16\n      stem_stride: 2\n"
                                 "      up_interpolate: false\n      output_stride: 2";
        QTest::newRow("stem, bilinear")
            << "filters: 8\n      filters_rate: 1.5\n      max_stride: 16\n      stem_stride: 2\n"
               "      up_interpolate: true\n      output_stride: 2";
        QTest::newRow("three convolutions") << "filters: 6\n      filters_rate: 1.7\n      max_stride: 8\n"
                                               "      convs_per_block: 3\n      output_stride: 2";
        QTest::newRow("rate one") << "filters: 16\n      filters_rate: 1\n      max_stride: 8\n      output_stride: 1";
    }
    void fusedEqualsPlain() {
        QFETCH(QString, unet);
        const auto model = makeModel(test::bottomUpConfig(unet.toStdString()));
        QVERIFY2(model.has_value(), model ? "" : model.error().describe().c_str());
        for (const auto& [height, width] : {std::pair<int, int>{64, 64}, {48, 80}, {32, 112}, {80, 32}}) {
            const Array input = pattern(1, height, width, 3);
            const auto plain = probe::forward(*model, input, Way::Plain);
            const auto fused = probe::forward(*model, input, Way::Fused);
            QVERIFY2(plain.has_value(), plain ? "" : plain.error().describe().c_str());
            QVERIFY2(fused.has_value(), fused ? "" : fused.error().describe().c_str());
            for (std::size_t h = 0; h < plain->size(); ++h) {
                float most = 0;
                for (const float value : (*plain)[h].values)
                    most = std::max(most, std::abs(value));
                QVERIFY(most > 1e-3F);  // the comparison is of something
                QVERIFY2(largestDifference((*plain)[h], (*fused)[h]) <= 1e-5F * std::max(1.0F, most),
                         qPrintable(QString::number(largestDifference((*plain)[h], (*fused)[h]))));
            }
        }
    }

    void evenKernels() {
        std::string config = test::bottomUpConfig();
        config.replace(config.find("kernel_size: 3"), 14, "kernel_size: 4");
        const auto model = makeModel(config);
        QVERIFY2(model.has_value(), model ? "" : model.error().describe().c_str());
        const Array input = pattern(1, 48, 64);
        const auto plain = probe::forward(*model, input, Way::Plain);
        const auto fused = probe::forward(*model, input, Way::Fused);
        QVERIFY(plain && fused);
        for (std::size_t h = 0; h < plain->size(); ++h)
            QVERIFY(largestDifference((*plain)[h], (*fused)[h]) <= 2e-5F);
    }

    /// A frame's maps do not depend on the frames beside it, nor on the number of threads.
    void framesAreIndependent() {
        const auto model = makeModel(test::bottomUpConfig());
        QVERIFY(model.has_value());
        const Array batch = pattern(1, 64, 64, 5);
        const auto together = probe::forward(*model, batch, Way::Fused, 2);
        QVERIFY(together.has_value());
        const std::size_t pixels = 64 * 64;
        for (std::size_t f = 0; f < 5; ++f) {
            const Array one{{1, 1, 64, 64},
                            {batch.values.begin() + static_cast<std::ptrdiff_t>(f * pixels),
                             batch.values.begin() + static_cast<std::ptrdiff_t>((f + 1) * pixels)}};
            const auto alone = probe::forward(*model, one, Way::Fused, 1);
            QVERIFY(alone.has_value());
            for (std::size_t h = 0; h < alone->size(); ++h) {
                const std::size_t size = (*alone)[h].values.size();
                for (std::size_t i = 0; i < size; ++i)
                    QVERIFY(std::abs((*alone)[h].values[i] - (*together)[h].values[f * size + i]) <= 1e-5F);
            }
        }
    }

    /// Colour for a grey network and the reverse, on numbers in 0..1.
    void channelsAreAdapted() {
        const auto model = makeModel(test::bottomUpConfig());
        QVERIFY(model.has_value());
        const Array colour = pattern(3, 32, 32);
        Array grey{{1, 1, 32, 32}, {}};
        for (std::size_t i = 0; i < 1024; ++i)
            grey.values.push_back(0.2989F * colour.values[i] + 0.587F * colour.values[1024 + i] +
                                  0.114F * colour.values[2048 + i]);
        const auto fromColour = probe::forward(*model, colour, Way::Fused);
        const auto fromGrey = probe::forward(*model, grey, Way::Fused);
        QVERIFY(fromColour && fromGrey);
        QVERIFY(largestDifference((*fromColour)[0], (*fromGrey)[0]) <= 1e-5F);

        std::string config = test::bottomUpConfig();
        config.replace(config.find("in_channels: 1"), 14, "in_channels: 3");
        const auto rgbModel = makeModel(config);
        QVERIFY(rgbModel.has_value());
        Array repeated{{1, 3, 32, 32}, {}};
        for (int c = 0; c < 3; ++c)
            repeated.values.insert(repeated.values.end(), grey.values.begin(), grey.values.end());
        const auto fromOne = probe::forward(*rgbModel, grey, Way::Fused);
        const auto fromThree = probe::forward(*rgbModel, repeated, Way::Fused);
        QVERIFY(fromOne && fromThree);
        QVERIFY(largestDifference((*fromOne)[0], (*fromThree)[0]) <= 1e-5F);
    }

    void weightsThatDoNotFit() {
        const std::filesystem::path folder = m_dir.path().toStdString();
        const auto problem = [&](auto change) {
            const auto model = makeModel(test::bottomUpConfig());
            auto parameters = models::planNetwork(*model)->parameters();
            change(parameters);
            test::writeFile(folder / "best.ckpt", test::checkpointBytes(parameters));
            const auto maps = probe::forward(*model, pattern(1, 32, 32), Way::Fused);
            return maps ? QString("accepted") : QString::fromStdString(maps.error().describe());
        };
        using Parameters = std::vector<models::ParameterPlan>;
        QCOMPARE(problem([](Parameters&) {}), QString("accepted"));
        const QString missing = problem([](Parameters& p) { p.erase(p.begin() + 4); });
        QVERIFY2(missing.contains("lacks") && missing.contains("stack0_enc1_conv0.weight"), qPrintable(missing));
        const QString surplus = problem([](Parameters& p) { p.push_back({"backbone.extra.weight", {3}}); });
        QVERIFY2(surplus.contains("backbone.extra.weight"), qPrintable(surplus));
        const QString shape = problem([](Parameters& p) { p[0].shape[2] = 5; });
        QVERIFY2(shape.contains("(8, 1, 5, 3)") && shape.contains("(8, 1, 3, 3)"), qPrintable(shape));
    }
};

QTEST_GUILESS_MAIN(TestNetwork)
#include "tst_network.moc"
