// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "engine/models/detail/avx2.h"
#include "engine/models/detail/row_kernel.h"

using namespace skein::models;

namespace {

/// A convolution of made-up numbers, and what the definition gives for it.
struct Case {
    bool isTransposed = false;
    RowKernel::Shape shape;
    std::size_t height = 0, width = 0, frames = 0;
    std::vector<float> pixels, weight, bias;

    Case() = default;
    Case(bool transposed, RowKernel::Shape s, std::size_t h, std::size_t w, std::size_t n)
        : isTransposed(transposed), shape(s), height(h), width(w), frames(n) {
        std::mt19937 random(11);
        const auto numbers = [&random](std::size_t count, float scale) {
            std::normal_distribution<float> normal(0, scale);
            std::vector<float> values(count);
            std::generate(values.begin(), values.end(), [&] { return normal(random); });
            return values;
        };
        const std::size_t products = s.inChannels * s.kernel * s.kernel;
        pixels = numbers(n * h * w * s.inChannels, 1);
        weight = numbers(s.outChannels * products, 1 / std::sqrt(static_cast<float>(products)));
        bias = numbers(s.outChannels, 1);
    }

    std::size_t scale() const { return isTransposed ? 2 : 1; }
    RowKernel kernel() const {
        return isTransposed ? RowKernel::transposed(shape, weight.data(), bias.data())
                            : RowKernel::convolution(shape, weight.data(), bias.data());
    }
    RowInput input() const { return {pixels.data(), frames, height, width}; }

    /// The input that place k of the kernel reads for output `at` of an axis; -1: none.
    std::ptrdiff_t source(std::size_t at, std::size_t k, std::size_t size) const {
        const auto reach =
            static_cast<std::ptrdiff_t>(at) +
            (isTransposed ? 1 - static_cast<std::ptrdiff_t>(k)
                          : static_cast<std::ptrdiff_t>(k) - (static_cast<std::ptrdiff_t>(shape.kernel) - 1) / 2);
        const std::ptrdiff_t from = isTransposed ? reach / 2 : reach;
        const bool isNone = reach < 0 || (isTransposed && reach % 2 != 0) || from >= static_cast<std::ptrdiff_t>(size);
        return isNone ? -1 : from;
    }
    float expected(std::size_t n, std::size_t y, std::size_t x, std::size_t out) const {
        double sum = bias[out];
        for (std::size_t ky = 0; ky < shape.kernel; ++ky)
            for (std::size_t kx = 0; kx < shape.kernel; ++kx) {
                const std::ptrdiff_t fromY = source(y, ky, height);
                const std::ptrdiff_t fromX = source(x, kx, width);
                if (fromY < 0 || fromX < 0)
                    continue;
                const std::size_t pixel =
                    (n * height + static_cast<std::size_t>(fromY)) * width + static_cast<std::size_t>(fromX);
                for (std::size_t in = 0; in < shape.inChannels; ++in) {
                    const std::size_t pair = isTransposed ? in * shape.outChannels + out : out * shape.inChannels + in;
                    sum += static_cast<double>(weight[(pair * shape.kernel + ky) * shape.kernel + kx]) *
                           pixels[pixel * shape.inChannels + in];
                }
            }
        return static_cast<float>(shape.relu ? std::max(0.0, sum) : sum);
    }
};

}  // namespace

class TestRowKernel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (!hasAvx2())
            QSKIP("This processor lacks the instructions (AVX2 and FMA).");
    }

    void equalsTheDefinition_data() {
        QTest::addColumn<Case>("made");
        QTest::newRow("one channel in") << Case(false, {16, 1, 3, true}, 20, 26, 2);
        QTest::newRow("one pixel, one channel out") << Case(false, {1, 36, 1, false}, 7, 13, 1);
        QTest::newRow("panels of three and two") << Case(false, {39, 5, 3, true}, 5, 12, 1);
        QTest::newRow("an even kernel") << Case(false, {8, 3, 4, true}, 9, 6, 1);
        QTest::newRow("a kernel larger than the picture") << Case(false, {8, 9, 7, true}, 2, 3, 2);
        QTest::newRow("a single column") << Case(false, {7, 4, 5, false}, 6, 1, 1);
        QTest::newRow("transposed") << Case(true, {36, 54, 3, true}, 6, 8, 1);
        QTest::newRow("transposed, odd sides") << Case(true, {9, 7, 3, false}, 5, 3, 2);
        QTest::newRow("transposed, a single pixel") << Case(true, {24, 8, 3, true}, 1, 1, 2);
    }
    void equalsTheDefinition() {
        QFETCH(Case, made);
        const RowKernel kernel = made.kernel();
        QCOMPARE(kernel.scale(), made.scale());
        const std::size_t height = made.height * made.scale();
        const std::size_t width = made.width * made.scale();
        std::vector<float> all(made.frames * height * width * made.shape.outChannels, -100);
        // Row by row from below: none may need what another wrote.
        for (std::size_t row = made.frames * made.height; row > 0; --row)
            kernel.compute(made.input(), row - 1, row,
                           all.data() + (row - 1) * made.scale() * width * made.shape.outChannels);
        float largest = 0;
        std::size_t i = 0;
        for (std::size_t n = 0; n < made.frames; ++n)
            for (std::size_t y = 0; y < height; ++y)
                for (std::size_t x = 0; x < width; ++x)
                    for (std::size_t out = 0; out < made.shape.outChannels; ++out)
                        largest = std::max(largest, std::abs(all[i++] - made.expected(n, y, x, out)));
        QVERIFY2(largest < 1e-5F, qPrintable(QString::number(largest)));
    }

    void aPixelThatIsNotANumberStaysOne() {
        Case made(false, {8, 1, 3, true}, 4, 4, 1);
        made.pixels[5] = std::nanf("");
        std::vector<float> all(16 * 8);
        made.kernel().compute(made.input(), 0, made.height, all.data());
        QVERIFY(std::isnan(all[5 * 8]));
    }
};

QTEST_APPLESS_MAIN(TestRowKernel)
#include "tst_row_kernel.moc"
