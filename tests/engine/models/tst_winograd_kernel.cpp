// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "engine/models/detail/avx2.h"
#include "engine/models/detail/winograd_kernel.h"

using namespace skein::models;

namespace {

/// A convolution of made-up numbers: its input, and what the definition gives for it, with ReLU.
struct Case {
    std::size_t first, second, out, height, width, frames;
    std::vector<float> firstPixels, secondPixels, weight, bias;

    Case() : Case(0, 0, 0, 0, 0, 0) {}
    Case(std::size_t firstChannels, std::size_t secondChannels, std::size_t outChannels, std::size_t h, std::size_t w,
         std::size_t n)
        : first(firstChannels), second(secondChannels), out(outChannels), height(h), width(w), frames(n) {
        std::mt19937 random(7);
        const auto numbers = [&random](std::size_t count, float scale) {
            std::normal_distribution<float> normal(0, scale);
            std::vector<float> values(count);
            std::generate(values.begin(), values.end(), [&] { return normal(random); });
            return values;
        };
        firstPixels = numbers(n * h * w * first, 1);
        secondPixels = numbers(n * h * w * second, 1);
        weight = numbers(out * (first + second) * 9, 1 / std::sqrt(9.0F * static_cast<float>(first + second)));
        bias = numbers(out, 1);
    }

    WinogradInput input() const {
        return {{firstPixels.data(), first}, {secondPixels.data(), second}, frames, height, width};
    }
    WinogradKernel kernel() const { return {weight.data(), bias.data(), out, first + second, true}; }

    float at(std::size_t n, std::ptrdiff_t y, std::ptrdiff_t x, std::size_t c) const {
        if (y < 0 || x < 0 || y >= static_cast<std::ptrdiff_t>(height) || x >= static_cast<std::ptrdiff_t>(width))
            return 0;
        const std::size_t pixel = (n * height + static_cast<std::size_t>(y)) * width + static_cast<std::size_t>(x);
        return c < first ? firstPixels[pixel * first + c] : secondPixels[pixel * second + c - first];
    }
    float expected(std::size_t n, std::size_t y, std::size_t x, std::size_t o) const {
        double sum = bias[o];
        for (std::size_t c = 0; c < first + second; ++c)
            for (std::ptrdiff_t dy = 0; dy < 3; ++dy)
                for (std::ptrdiff_t dx = 0; dx < 3; ++dx)
                    sum += static_cast<double>(
                               weight[(o * (first + second) + c) * 9 + static_cast<std::size_t>(3 * dy + dx)]) *
                           at(n, static_cast<std::ptrdiff_t>(y) + dy - 1, static_cast<std::ptrdiff_t>(x) + dx - 1, c);
        return static_cast<float>(std::max(0.0, sum));
    }
    std::vector<float> expected() const {
        std::vector<float> all;
        for (std::size_t n = 0; n < frames; ++n)
            for (std::size_t y = 0; y < height; ++y)
                for (std::size_t x = 0; x < width; ++x)
                    for (std::size_t o = 0; o < out; ++o)
                        all.push_back(expected(n, y, x, o));
        return all;
    }
};

float largestDifference(const std::vector<float>& a, const std::vector<float>& b) {
    float largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

}  // namespace

class TestWinogradKernel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (!hasAvx2())
            QSKIP("This processor lacks the instructions (AVX2 and FMA).");
    }

    void equalsTheDefinition_data() {
        QTest::addColumn<Case>("made");
        QTest::newRow("one whole vector") << Case(8, 0, 8, 12, 10, 1);
        QTest::newRow("odd sides") << Case(8, 0, 16, 7, 9, 2);
        QTest::newRow("a single pixel") << Case(8, 0, 8, 1, 1, 3);
        QTest::newRow("a single row and column") << Case(8, 0, 8, 1, 30, 1);
        QTest::newRow("channels that end inside a vector") << Case(13, 0, 27, 6, 8, 1);
        QTest::newRow("joined inputs") << Case(12, 19, 36, 10, 6, 2);
        QTest::newRow("panels of three and two") << Case(9, 0, 54, 8, 8, 1);
        QTest::newRow("many channels") << Case(130, 0, 100, 5, 4, 1);
        QTest::newRow("more tiles than are computed at once") << Case(8, 0, 9, 20, 40, 2);
    }
    void equalsTheDefinition() {
        QFETCH(Case, made);
        const std::vector<float> expected = made.expected();
        const WinogradKernel kernel = made.kernel();
        std::vector<float> all(expected.size(), -1);
        const std::size_t pooledHeight = made.height / 2;
        const std::size_t pooledWidth = made.width / 2;
        std::vector<float> pooled(made.frames * pooledHeight * pooledWidth * made.out, -1);
        // Some at a time from behind: none may need what another wrote.
        const WinogradInput input = made.input();
        for (std::size_t end = WinogradKernel::tiles(input); end > 0;) {
            const std::size_t begin = end - std::min<std::size_t>(end, 31);
            kernel.compute(input, begin, end, {all.data(), pooled.data()});
            end = begin;
        }
        QVERIFY2(largestDifference(all, expected) < 1e-5F,
                 qPrintable(QString::number(largestDifference(all, expected))));

        const auto outAt = [&](std::size_t n, std::size_t y, std::size_t x, std::size_t o) {
            return all[((n * made.height + y) * made.width + x) * made.out + o];
        };
        std::size_t i = 0;
        for (std::size_t n = 0; n < made.frames; ++n)
            for (std::size_t y = 0; y < pooledHeight; ++y)
                for (std::size_t x = 0; x < pooledWidth; ++x)
                    for (std::size_t o = 0; o < made.out; ++o)
                        QCOMPARE(pooled[i++],
                                 std::max({outAt(n, 2 * y, 2 * x, o), outAt(n, 2 * y, 2 * x + 1, o),
                                           outAt(n, 2 * y + 1, 2 * x, o), outAt(n, 2 * y + 1, 2 * x + 1, o)}));
    }

    void writesOnlyWhatIsAskedFor() {
        const Case made(8, 0, 12, 6, 6, 1);
        const WinogradKernel kernel = made.kernel();
        const WinogradInput input = made.input();
        std::vector<float> all(36 * 12), alone(36 * 12);
        std::vector<float> pooled(9 * 12), pooledAlone(9 * 12);
        kernel.compute(input, 0, WinogradKernel::tiles(input), {all.data(), pooled.data()});
        kernel.compute(input, 0, WinogradKernel::tiles(input), {alone.data(), nullptr});
        kernel.compute(input, 0, WinogradKernel::tiles(input), {nullptr, pooledAlone.data()});
        QCOMPARE(alone, all);
        QCOMPARE(pooledAlone, pooled);
    }

    void rowsThatNoTileReadsMayBeMissing() {
        const Case made(8, 0, 12, 12, 6, 2);
        const WinogradKernel kernel = made.kernel();
        std::vector<float> whole(2 * 72 * 12), part(2 * 72 * 12);
        kernel.compute(made.input(), 0, WinogradKernel::tiles(made.input()), {whole.data(), nullptr});
        // The tiles of rows 4 to 7 of the second frame read rows 3 to 8.
        WinogradInput input = made.input();
        input.firstRow = 12 + 3;
        const std::vector<float> rows(made.firstPixels.begin() + 15 * 6 * 8, made.firstPixels.begin() + 21 * 6 * 8);
        input.first.pixels = rows.data();
        kernel.compute(input, 18 + 6, 18 + 12, {part.data(), nullptr});
        const auto begin = static_cast<std::ptrdiff_t>((12 + 4) * 6 * 12);
        const auto end = static_cast<std::ptrdiff_t>((12 + 8) * 6 * 12);
        QVERIFY(std::equal(whole.begin() + begin, whole.begin() + end, part.begin() + begin));
    }

    void aPixelThatIsNotANumberStaysOne() {
        Case made(8, 0, 8, 4, 4, 1);
        made.firstPixels[(2 * 4 + 2) * 8] = std::nanf("");
        const WinogradKernel kernel = made.kernel();
        std::vector<float> all(16 * 8);
        kernel.compute(made.input(), 0, WinogradKernel::tiles(made.input()), {all.data(), nullptr});
        QVERIFY(std::isnan(all[(2 * 4 + 2) * 8]));
    }
};

QTEST_APPLESS_MAIN(TestWinogradKernel)
#include "tst_winograd_kernel.moc"
