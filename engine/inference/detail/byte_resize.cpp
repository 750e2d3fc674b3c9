// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/byte_resize.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "engine/models/detail/avx2.h"

namespace skein::inference {
namespace {

/// The inputs that one output reads, and their weights.
struct Window {
    std::int64_t first;
    std::vector<double> weights;
};

std::uint8_t rounded(std::int32_t sum, int precision) {
    return static_cast<std::uint8_t>(std::clamp(sum >> precision, 0, 255));
}

/// Outputs from `begin` on.
template <std::int64_t kChannels>
void resizeLine(const AxisWeights& axis, std::size_t begin, const std::uint8_t* from, std::uint8_t* to) {
    const int precision = axis.precision;  // bytes written might otherwise be those of the axis
    const std::int64_t taps = axis.taps;
    const std::int16_t* q = axis.q.data() + static_cast<std::int64_t>(begin) * taps;
    to += static_cast<std::int64_t>(begin) * kChannels;
    for (std::size_t x = begin; x < axis.first.size(); ++x) {
        const std::uint8_t* pixel = from + axis.first[x] * kChannels;
        std::array<std::int32_t, kChannels> sum;
        sum.fill(1 << (precision - 1));
        for (std::int64_t t = 0; t < taps; ++t, ++q, pixel += kChannels)
            for (std::size_t c = 0; c < kChannels; ++c)
                sum[c] += *q * pixel[c];
        for (const std::int32_t value : sum)
            *to++ = rounded(value, precision);
    }
}

template <std::int64_t kChannels>
void wholeLine(const AxisWeights& axis, const std::uint8_t* from, std::uint8_t* to) {
    resizeLine<kChannels>(axis, 0, from, to);
}

}  // namespace

AxisWeights axisWeights(std::int64_t in, std::int64_t out) {
    const double scale = static_cast<double>(in) / static_cast<double>(out);
    const double support = std::max(scale, 1.0);
    std::vector<Window> windows;
    double largest = 0;
    AxisWeights axis;
    for (std::int64_t i = 0; i < out; ++i) {
        const double centre = scale * (static_cast<double>(i) + 0.5);
        const auto first = std::max(static_cast<std::int64_t>(centre - support + 0.5), std::int64_t{0});
        const auto end = std::min(static_cast<std::int64_t>(centre + support + 0.5), in);
        Window window{first, {}};
        double sum = 0;
        for (std::int64_t j = 0; j < end - first; ++j) {
            const double distance = (static_cast<double>(j + first) - centre + 0.5) * (1.0 / support);
            window.weights.push_back(std::max(0.0, 1.0 - std::abs(distance)));
            sum += window.weights.back();
        }
        for (double& weight : window.weights) {
            weight = sum != 0 ? weight / sum : weight;
            largest = std::max(largest, weight);
        }
        axis.taps = std::max(axis.taps, end - first);
        windows.push_back(std::move(window));
    }
    // As many fraction bits as keep the largest weight below 2^15.
    while (axis.precision < 22 && static_cast<int>(0.5 + largest * (1 << (axis.precision + 1))) < (1 << 15))
        ++axis.precision;
    if (const std::int64_t whole = (axis.taps + 3) / 4 * 4; whole <= in)
        axis.taps = whole;
    axis.q.assign(static_cast<std::size_t>(out * axis.taps), 0);
    for (std::int64_t i = 0; i < out; ++i) {
        const Window& window = windows[static_cast<std::size_t>(i)];
        // Windows at the end are shorter; they begin earlier instead, with weights of nothing.
        const std::int64_t first = std::min(window.first, in - axis.taps);
        axis.first.push_back(first);
        for (std::size_t t = 0; t < window.weights.size(); ++t)
            axis.q[static_cast<std::size_t>(i * axis.taps + window.first - first) + t] =
                static_cast<std::int16_t>(std::floor(window.weights[t] * (1 << axis.precision) + 0.5));
    }
    return axis;
}

#if defined(__x86_64__)

namespace {

/// Four sums as they leave: rounded, shifted and clamped to bytes.
SKEIN_AVX2 inline std::uint32_t asBytes(__m128i sums, int precision) {
    const __m128i shifted =
        _mm_sra_epi32(_mm_add_epi32(sums, _mm_set1_epi32(1 << (precision - 1))), _mm_cvtsi32_si128(precision));
    return static_cast<std::uint32_t>(
        _mm_cvtsi128_si32(_mm_packus_epi16(_mm_packs_epi32(shifted, shifted), _mm_setzero_si128())));
}

/// Two pixels' next four inputs each, times their weights, in two parts each.
SKEIN_AVX2 inline __m128i greyProducts(const std::uint8_t* one, const std::uint8_t* two, const std::int16_t* q,
                                       std::int64_t taps) {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::memcpy(&a, one, sizeof(a));
    std::memcpy(&b, two, sizeof(b));
    const __m128i pixels =
        _mm_cvtepu8_epi16(_mm_insert_epi32(_mm_cvtsi32_si128(static_cast<int>(a)), static_cast<int>(b), 1));
    const __m128i weights = _mm_unpacklo_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(q)),
                                               _mm_loadl_epi64(reinterpret_cast<const __m128i*>(q + taps)));
    return _mm_madd_epi16(pixels, weights);
}

SKEIN_AVX2 void greyLine(const AxisWeights& axis, const std::uint8_t* from, std::uint8_t* to) {
    const std::size_t count = axis.first.size() / 4 * 4;
    const std::int16_t* q = axis.q.data();
    for (std::size_t x = 0; x < count; x += 4, q += 4 * axis.taps) {
        __m128i low = _mm_setzero_si128();
        __m128i high = _mm_setzero_si128();
        const std::int64_t* first = axis.first.data() + x;
        for (std::int64_t t = 0; t < axis.taps; t += 4) {
            low = _mm_add_epi32(low, greyProducts(from + first[0] + t, from + first[1] + t, q + t, axis.taps));
            high = _mm_add_epi32(
                high, greyProducts(from + first[2] + t, from + first[3] + t, q + 2 * axis.taps + t, axis.taps));
        }
        const std::uint32_t bytes = asBytes(_mm_hadd_epi32(low, high), axis.precision);
        std::memcpy(to + x, &bytes, sizeof(bytes));
    }
    resizeLine<1>(axis, count, from, to);
}

SKEIN_AVX2 void colourLine(const AxisWeights& axis, const std::uint8_t* from, std::uint8_t* to) {
    // Pixels whose inputs could be read 16 bytes at a time without leaving the line, and written 4 at a time.
    const std::int64_t in = axis.first.back() + axis.taps;
    std::size_t count = axis.first.size() - 1;
    while (count > 0 && (axis.first[count - 1] + axis.taps) * 3 + 4 > in * 3)
        --count;
    const __m128i redGreen = _mm_setr_epi8(0, 3, 6, 9, 1, 4, 7, 10, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m128i blue = _mm_setr_epi8(2, 5, 8, 11, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    const std::int16_t* q = axis.q.data();
    for (std::size_t x = 0; x < count; ++x, q += axis.taps) {
        const std::uint8_t* pixels = from + axis.first[x] * 3;
        __m128i low = _mm_setzero_si128();
        __m128i high = _mm_setzero_si128();
        for (std::int64_t t = 0; t < axis.taps; t += 4) {
            const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(pixels + 3 * t));
            const __m128i four = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(q + t));
            const __m128i weights = _mm_unpacklo_epi64(four, four);
            low = _mm_add_epi32(low, _mm_madd_epi16(_mm_cvtepu8_epi16(_mm_shuffle_epi8(bytes, redGreen)), weights));
            high = _mm_add_epi32(high, _mm_madd_epi16(_mm_cvtepu8_epi16(_mm_shuffle_epi8(bytes, blue)), weights));
        }
        const std::uint32_t bytes = asBytes(_mm_hadd_epi32(low, high), axis.precision);
        std::memcpy(to + 3 * x, &bytes, sizeof(bytes));
    }
    resizeLine<3>(axis, count, from, to);
}

}  // namespace

#endif

void resizeColumns(const AxisWeights& axis, const std::uint8_t* from, std::int64_t rows, std::int64_t in,
                   std::int64_t channels, std::uint8_t* to) {
    const std::int64_t out = std::ssize(axis.first);
    const bool isGrey = channels == 1;
    auto line = isGrey ? &wholeLine<1> : &wholeLine<3>;
#if defined(__x86_64__)
    if (models::hasAvx2() && axis.taps % 4 == 0)
        line = isGrey ? &greyLine : &colourLine;
#endif
    for (std::int64_t row = 0; row < rows; ++row)
        line(axis, from + row * in * channels, to + row * out * channels);
}

void resizeRows(const AxisWeights& axis, const std::uint8_t* from, std::int64_t rowBytes, std::int64_t begin,
                std::int64_t end, std::uint8_t* to) {
    constexpr std::int64_t kAtOnce = 512;
    std::array<std::int32_t, kAtOnce> sums;
    const int precision = axis.precision;
    for (std::int64_t i = begin; i < end; ++i)
        for (std::int64_t column = 0; column < rowBytes; column += kAtOnce) {
            const auto count = static_cast<std::size_t>(std::min(kAtOnce, rowBytes - column));
            std::fill_n(sums.begin(), count, 1 << (precision - 1));
            for (std::int64_t t = 0; t < axis.taps; ++t) {
                const std::int16_t q = axis.q[static_cast<std::size_t>(i * axis.taps + t)];
                const std::uint8_t* pixels = from + (axis.first[static_cast<std::size_t>(i)] + t) * rowBytes + column;
                for (std::size_t x = 0; x < count; ++x)
                    sums[x] += q * static_cast<std::int16_t>(pixels[x]);
            }
            std::uint8_t* const line = to + i * rowBytes + column;
            for (std::size_t x = 0; x < count; ++x)
                line[x] = rounded(sums[x], precision);
        }
}

}  // namespace skein::inference
