// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/detail/row_kernel.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/models/detail/avx2.h"

namespace skein::models {
namespace {

constexpr std::size_t kPixelStep = 12;  // pixels are multiplied by fours, sixes or twelves
constexpr std::size_t kMostTaps = RowKernel::kLargest * RowKernel::kLargest;

}  // namespace

RowKernel::RowKernel(const Shape& shape, std::size_t scale, const float* bias)
    : m_shape(shape), m_scale(scale), m_bias(vectors(shape.outChannels) * kVector) {
    std::copy_n(bias, shape.outChannels, m_bias.data());
}

void RowKernel::addPhase(std::size_t row, std::size_t column, std::vector<Tap> taps, const float* weight,
                         std::size_t outStep, std::size_t inStep) {
    const std::size_t columns = vectors(m_shape.outChannels) * kVector;
    AlignedFloats weights(columns * taps.size() * m_shape.inChannels);
    float* to = weights.data();
    for (std::size_t first = 0; first < columns;) {
        const std::size_t wide = panelOf((columns - first) / kVector) * kVector;
        for (const Tap& tap : taps)
            for (std::size_t in = 0; in < m_shape.inChannels; ++in, to += wide)
                for (std::size_t out = first; out < std::min(first + wide, m_shape.outChannels); ++out)
                    to[out - first] = weight[out * outStep + in * inStep + tap.place];
        first += wide;
    }
    for (const Tap& tap : taps) {
        m_before = std::max({m_before, -tap.y, -tap.x});
        m_after = std::max({m_after, tap.y, tap.x});
    }
    m_phases.push_back({row, column, std::move(taps), std::move(weights)});
}

RowKernel RowKernel::convolution(const Shape& shape, const float* weight, const float* bias) {
    RowKernel kernel(shape, 1, bias);
    const auto side = static_cast<std::ptrdiff_t>(shape.kernel);
    std::vector<Tap> taps;
    for (std::ptrdiff_t y = 0; y < side; ++y)
        for (std::ptrdiff_t x = 0; x < side; ++x)
            taps.push_back({y - (side - 1) / 2, x - (side - 1) / 2, static_cast<std::size_t>(y * side + x)});
    const std::size_t places = shape.kernel * shape.kernel;
    kernel.addPhase(0, 0, std::move(taps), weight, shape.inChannels * places, places);
    return kernel;
}

RowKernel RowKernel::transposed(const Shape& shape, const float* weight, const float* bias) {
    RowKernel kernel(shape, 2, bias);
    // Input i reaches outputs 2i - 1, 2i and 2i + 1 with the kernel's numbers 0, 1 and 2.
    struct Line {
        std::ptrdiff_t from;
        std::size_t number;
    };
    const std::array<std::vector<Line>, 2> lines = {std::vector<Line>{{0, 1}}, std::vector<Line>{{0, 2}, {1, 0}}};
    for (std::size_t row = 0; row < 2; ++row)
        for (std::size_t column = 0; column < 2; ++column) {
            std::vector<Tap> taps;
            for (const Line& y : lines[row])
                for (const Line& x : lines[column])
                    taps.push_back({y.from, x.from, 3 * y.number + x.number});
            kernel.addPhase(row, column, std::move(taps), weight, 9, shape.outChannels * 9);
        }
    return kernel;
}

std::size_t RowKernel::paddedWidth(std::size_t width) const {
    return (width + kPixelStep - 1) / kPixelStep * kPixelStep + static_cast<std::size_t>(m_before + m_after);
}

#if defined(__x86_64__)

namespace {

/// What one panel of outputs is computed from.
struct Panel {
    const float* const* taps;  ///< for each: where the first pixel lies
    std::size_t count;         ///< of taps
    std::size_t inner;         ///< input channels
    const float* weights;
    const float* bias;
    bool relu;
};

/// `kRows` neighbouring pixels, of which the first `rows` are written; so are the first `channels` of the panel.
template <std::size_t kRows, std::size_t kColumns>
SKEIN_AVX2 inline void rowProduct(const Panel& panel, std::size_t first, float* out, std::size_t outPixel,
                                  std::size_t rows, std::size_t channels) {
    __m256 sum[kRows][kColumns];
#pragma GCC unroll 12
    for (std::size_t i = 0; i < kRows; ++i)
#pragma GCC unroll 3
        for (std::size_t j = 0; j < kColumns; ++j)
            sum[i][j] = _mm256_loadu_ps(panel.bias + j * kVector);
    const float* weights = panel.weights;
    for (std::size_t t = 0; t < panel.count; ++t) {
        const float* const pixels = panel.taps[t] + first * panel.inner;
        for (std::size_t k = 0; k < panel.inner; ++k, weights += kColumns * kVector) {
            __m256 w[kColumns];
#pragma GCC unroll 3
            for (std::size_t j = 0; j < kColumns; ++j)
                w[j] = _mm256_loadu_ps(weights + j * kVector);
#pragma GCC unroll 12
            for (std::size_t i = 0; i < kRows; ++i) {
                const __m256 x = _mm256_broadcast_ss(pixels + i * panel.inner + k);
#pragma GCC unroll 3
                for (std::size_t j = 0; j < kColumns; ++j)
                    sum[i][j] = _mm256_fmadd_ps(x, w[j], sum[i][j]);
            }
        }
    }
#pragma GCC unroll 12
    for (std::size_t i = 0; i < kRows; ++i) {
        if (i >= rows)
            return;
#pragma GCC unroll 3
        for (std::size_t j = 0; j < kColumns; ++j) {
            // In this order a NaN stays one.
            const __m256 y = panel.relu ? _mm256_max_ps(_mm256_setzero_ps(), sum[i][j]) : sum[i][j];
            const std::size_t done = j * kVector;
            if (done < channels)
                store(out + i * outPixel + done, y, std::min(kVector, channels - done));
        }
    }
}

template <std::size_t kRows, std::size_t kColumns>
SKEIN_AVX2 void rowOf(const Panel& panel, std::size_t width, float* out, std::size_t outPixel, std::size_t channels) {
    for (std::size_t x = 0; x < width; x += kRows)
        rowProduct<kRows, kColumns>(panel, x, out + x * outPixel, outPixel, width - x, channels);
}

}  // namespace

void RowKernel::computeRow(const Phase& phase, const float* padded, std::size_t width, float* out) const {
    const std::size_t in = m_shape.inChannels;
    std::array<const float*, kMostTaps> taps{};
    for (std::size_t t = 0; t < phase.taps.size(); ++t) {
        const auto row = static_cast<std::size_t>(phase.taps[t].y + m_before);
        const auto column = static_cast<std::size_t>(phase.taps[t].x + m_before);
        taps[t] = padded + (row * paddedWidth(width) + column) * in;
    }
    const std::size_t columns = vectors(m_shape.outChannels) * kVector;
    const std::size_t outPixel = m_scale * m_shape.outChannels;
    const float* weights = phase.weights.data();
    for (std::size_t c = 0; c < columns;) {
        const std::size_t wide = panelOf((columns - c) / kVector);
        const Panel panel{taps.data(), phase.taps.size(), in, weights, m_bias.data() + c, m_shape.relu};
        const std::size_t channels = m_shape.outChannels - c;
        if (wide == 3)
            rowOf<4, 3>(panel, width, out + c, outPixel, channels);
        else if (wide == 2)
            rowOf<6, 2>(panel, width, out + c, outPixel, channels);
        else
            rowOf<12, 1>(panel, width, out + c, outPixel, channels);
        c += wide * kVector;
        weights += wide * kVector * in * phase.taps.size();
    }
}

#else

void RowKernel::computeRow(const Phase&, const float*, std::size_t, float*) const {}

#endif

void RowKernel::compute(const RowInput& input, std::size_t begin, std::size_t end, float* out) const {
    const std::size_t in = m_shape.inChannels;
    const auto before = static_cast<std::size_t>(m_before);
    const std::size_t rows = before + 1 + static_cast<std::size_t>(m_after);
    const std::size_t padded = paddedWidth(input.width) * in;
    float* const memory = scratchFloats(rows * padded);
    std::fill_n(memory, rows * padded, 0.0F);
    const std::size_t outRow = m_scale * input.width * m_shape.outChannels;
    for (std::size_t number = begin; number < end; ++number) {
        const std::size_t y = number % input.height;
        for (std::size_t r = 0; r < rows; ++r) {
            float* const to = memory + r * padded + before * in;
            if (y + r < before || y + r - before >= input.height)
                std::fill_n(to, input.width * in, 0.0F);
            else
                std::copy_n(input.pixels + (number + r - before) * input.width * in, input.width * in, to);
        }
        for (const Phase& phase : m_phases)
            computeRow(phase, memory, input.width,
                       out + ((number - begin) * m_scale + phase.row) * outRow + phase.column * m_shape.outChannels);
    }
}

}  // namespace skein::models
