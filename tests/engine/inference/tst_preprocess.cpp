// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <nlohmann/json.hpp>
#include <random>

#include "engine/inference/detail/stage_probe.h"
#include "tests/support/case_file.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::inference;
using probe::Array;

namespace {

/// A picture given as rows of numbers, as [1, 1, h, w].
Array picture(const nlohmann::json& rows) {
    return {{1, 1, static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows[0].size())},
            test::numbers(rows)};
}

Array noise(std::int64_t frames, std::int64_t channels, std::int64_t height, std::int64_t width, unsigned seed) {
    std::mt19937 random(seed);
    Array array{{frames, channels, height, width}, {}};
    for (std::int64_t i = 0; i < frames * channels * height * width; ++i)
        array.values.push_back(static_cast<float>(random() % 256));
    return array;
}

}  // namespace

class TestPreprocess : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordedResizes() {
        SKEIN_NEEDS_SPEC(spec);
        const nlohmann::json cases = test::readCases(spec / "models-cases.json");
        int seen = 0;
        for (const auto& c : cases["resize_image"]) {
            const auto shape = test::shapeOf(c["out_uint8"]);
            for (const bool byTensors : {false, true}) {
                const auto got = probe::resize(picture(c["input"]),
                                               {static_cast<int>(shape[0]), static_cast<int>(shape[1])}, byTensors);
                QVERIFY2(got.has_value(), got ? "" : got.error().describe().c_str());
                QCOMPARE(got->values, test::numbers(c["out_uint8"]));
            }
            ++seen;
        }
        QCOMPARE(seen, 8);
        const auto& c = cases["sizematcher_ramp_10x10"];
        models::PreprocessSpec p;
        p.maxHeight = p.maxWidth = 10;
        const Array input = picture(c["input"]);
        const auto g = inputGeometry({static_cast<int>(input.shape[2]), static_cast<int>(input.shape[3])}, p, 1);
        QCOMPARE(g.effScale, c["eff_scale"].get<float>());
        const auto resized = probe::resize(input, g.resized, false);
        QVERIFY(resized.has_value());
        const std::vector<float> expected = test::numbers(c["out_uint8"]);
        for (int y = 0; y < 10; ++y)
            for (int x = 0; x < 10; ++x) {
                const bool inside = y < g.resized.height && x < g.resized.width;
                const float value = inside ? resized->values[static_cast<std::size_t>(y * g.resized.width + x)] : 0.0F;
                QCOMPARE(value, expected[static_cast<std::size_t>(10 * y + x)]);
            }
    }

    /// LibTorch's kernel and the integer tensor operations (for devices without that kernel) agree on every pixel.
    void bothResizesAgree() {
        const Size sizes[] = {{32, 40}, {48, 64}, {96, 120}, {150, 61}, {64, 33}, {5, 7}, {1, 1}, {200, 300}};
        unsigned seed = 1;
        for (const std::int64_t channels : {1, 3})
            for (const Size& size : sizes) {
                const Array input = noise(2, channels, 64, 80, seed++);
                const auto kernel = probe::resize(input, size, false);
                const auto tensors = probe::resize(input, size, true);
                QVERIFY2(kernel.has_value(),
                         qPrintable(QString("%1 %2 %3").arg(channels).arg(size.height).arg(size.width)));
                QVERIFY2(tensors.has_value(), tensors ? "" : tensors.error().describe().c_str());
                QCOMPARE(tensors->shape, kernel->shape);
                QVERIFY2(tensors->values == kernel->values, QByteArray::number(size.height).constData());
            }
    }

    void recordedGrey() {
        SKEIN_NEEDS_SPEC(spec);
        const nlohmann::json cases = test::readCases(spec / "models-cases.json");
        const auto& c = cases["rgb_to_grayscale"];
        const auto count = static_cast<std::int64_t>(c["pixels"].size());
        Array colour{{1, 3, 1, count}, {}};
        for (std::size_t channel = 0; channel < 3; ++channel)
            for (const auto& pixel : c["pixels"])
                colour.values.push_back(test::number(pixel[channel]));
        const auto grey = probe::toGrey(colour);
        QVERIFY(grey.has_value());
        QCOMPARE(grey->values, test::numbers(c["uint8"]));
        // The same colours in one long row, where the vectorised part of the kernel does the work.
        Array row{{1, 3, 1, 64 * count}, {}};
        std::vector<float> expected;
        for (std::size_t channel = 0; channel < 3; ++channel)
            for (int i = 0; i < 64; ++i)
                for (const auto& pixel : c["pixels"])
                    row.values.push_back(test::number(pixel[channel]));
        for (int i = 0; i < 64; ++i)
            for (const float value : test::numbers(c["uint8"]))
                expected.push_back(value);
        const auto longGrey = probe::toGrey(row);
        QVERIFY(longGrey.has_value());
        QCOMPARE(longGrey->values, expected);
    }

    void recordedNormalisation() {
        SKEIN_NEEDS_SPEC(spec);
        const nlohmann::json cases = test::readCases(spec / "models-cases.json");
        int seen = 0;
        for (const auto& c : cases["normalize"])
            if (c["dtype"] == "uint8") {
                const std::vector<float> in = test::numbers(c["input"]);
                const auto got = probe::normalise({{1, 1, 1, static_cast<std::int64_t>(in.size())}, in});
                QVERIFY(got.has_value());
                const std::vector<float> expected = test::numbers(c["out"]);
                for (std::size_t i = 0; i < in.size(); ++i)
                    QVERIFY(test::near(got->values[i], expected[i], 1e-7F));
                ++seen;
            }
        QVERIFY(seen >= 1);
    }

    void everyByteIsDividedOnce() {
        Array bytes{{1, 1, 16, 16}, {}};
        for (int i = 0; i < 256; ++i)
            bytes.values.push_back(static_cast<float>(i));
        const auto got = probe::normalise(bytes);
        QVERIFY(got.has_value());
        for (int i = 0; i < 256; ++i)
            QCOMPARE(got->values[static_cast<std::size_t>(i)], static_cast<float>(i) / 255.0F);
    }
};

QTEST_GUILESS_MAIN(TestPreprocess)
#include "tst_preprocess.moc"
