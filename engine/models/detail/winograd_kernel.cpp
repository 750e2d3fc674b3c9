// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/detail/winograd_kernel.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/models/detail/avx2.h"

namespace skein::models {
namespace {

constexpr std::size_t kPlaces = 16;  // of a transformed square
constexpr std::size_t kTiles = 24;   // at once; multiplied by fours, sixes or twelves
constexpr std::size_t kRowStep = 12;

/// The kernel's 3x3 numbers at the 16 places: G g G^T.
std::array<float, kPlaces> transformed(const float* g) {
    std::array<std::array<float, 3>, 4> rows{};
    const auto along = [](float a, float b, float c) {
        return std::array<float, 4>{a, (a + b + c) / 2, (a - b + c) / 2, c};
    };
    for (std::size_t x = 0; x < 3; ++x) {
        const auto column = along(g[x], g[3 + x], g[6 + x]);
        for (std::size_t y = 0; y < 4; ++y)
            rows[y][x] = column[y];
    }
    std::array<float, kPlaces> result{};
    for (std::size_t y = 0; y < 4; ++y) {
        const auto row = along(rows[y][0], rows[y][1], rows[y][2]);
        std::copy(row.begin(), row.end(), result.begin() + static_cast<std::ptrdiff_t>(4 * y));
    }
    return result;
}

}  // namespace

WinogradKernel::WinogradKernel(const float* weight, const float* bias, std::size_t outChannels, std::size_t inChannels,
                               bool relu)
    : m_outChannels(outChannels),
      m_inChannels(inChannels),
      m_relu(relu),
      m_columns(vectors(outChannels) * kVector),
      m_weights(kPlaces * inChannels * m_columns),
      m_bias(m_columns) {
    const std::size_t columns = m_columns;
    std::copy_n(bias, outChannels, m_bias.data());
    std::size_t first = 0;  // column
    while (first < columns) {
        const std::size_t wide = panelOf((columns - first) / kVector) * kVector;
        for (std::size_t out = first; out < std::min(first + wide, outChannels); ++out)
            for (std::size_t in = 0; in < inChannels; ++in) {
                const auto places = transformed(weight + (out * inChannels + in) * 9);
                for (std::size_t p = 0; p < kPlaces; ++p)
                    m_weights.data()[(p * columns + first) * inChannels + in * wide + (out - first)] = places[p];
            }
        first += wide;
    }
}

std::size_t WinogradKernel::tiles(const WinogradInput& input) {
    return input.frames * ((input.height + 1) / 2) * ((input.width + 1) / 2);
}

#if defined(__x86_64__)

namespace {

/// B^T d B of one vector of channels: 4x4 pixels, `row` and `pixel` floats apart, to 16 places. Row by row of the
/// result, although pixels are read twice so: all at once would not fit into the registers.
template <bool kWhole>
SKEIN_AVX2 inline void intoPlaces(const float* pixels, std::size_t row, std::size_t pixel, __m256i mask, float* places,
                                  std::size_t place) {
    const auto at = [&](std::size_t y, std::size_t x) SKEIN_AVX2 {
        const float* const from = pixels + y * row + x * pixel;
        return kWhole ? _mm256_loadu_ps(from) : _mm256_maskload_ps(from, mask);
    };
#pragma GCC unroll 4
    for (std::size_t y = 0; y < 4; ++y) {
        __m256 t[4];
#pragma GCC unroll 4
        for (std::size_t x = 0; x < 4; ++x)
            t[x] = y == 0   ? _mm256_sub_ps(at(0, x), at(2, x))
                   : y == 1 ? _mm256_add_ps(at(1, x), at(2, x))
                   : y == 2 ? _mm256_sub_ps(at(2, x), at(1, x))
                            : _mm256_sub_ps(at(1, x), at(3, x));
        float* const to = places + 4 * y * place;
        _mm256_storeu_ps(to, _mm256_sub_ps(t[0], t[2]));
        _mm256_storeu_ps(to + place, _mm256_add_ps(t[1], t[2]));
        _mm256_storeu_ps(to + 2 * place, _mm256_sub_ps(t[2], t[1]));
        _mm256_storeu_ps(to + 3 * place, _mm256_sub_ps(t[1], t[3]));
    }
}

SKEIN_AVX2 void intoPlaces(const float* pixels, std::size_t row, std::size_t channels, float* places,
                           std::size_t place) {
    std::size_t c = 0;
    for (; c + kVector <= channels; c += kVector)
        intoPlaces<true>(pixels + c, row, channels, _mm256_setzero_si256(), places + c, place);
    if (c < channels)
        intoPlaces<false>(pixels + c, row, channels, maskOf(channels - c), places + c, place);
}

/// Sums of products of `kRows` tiles and `kColumns` vectors over all input channels.
template <std::size_t kRows, std::size_t kColumns>
SKEIN_AVX2 inline void multiply(const float* a, std::size_t aRow, const float* b, std::size_t inner, float* out,
                                std::size_t outRow) {
    __m256 sum[kRows][kColumns];
#pragma GCC unroll 12
    for (std::size_t i = 0; i < kRows; ++i)
#pragma GCC unroll 3
        for (std::size_t j = 0; j < kColumns; ++j)
            sum[i][j] = _mm256_setzero_ps();
    for (std::size_t k = 0; k < inner; ++k) {
        __m256 w[kColumns];
#pragma GCC unroll 3
        for (std::size_t j = 0; j < kColumns; ++j)
            w[j] = _mm256_loadu_ps(b + j * kVector);
#pragma GCC unroll 12
        for (std::size_t i = 0; i < kRows; ++i) {
            const __m256 x = _mm256_broadcast_ss(a + i * aRow + k);
#pragma GCC unroll 3
            for (std::size_t j = 0; j < kColumns; ++j)
                sum[i][j] = _mm256_fmadd_ps(x, w[j], sum[i][j]);
        }
        b += kColumns * kVector;
    }
#pragma GCC unroll 12
    for (std::size_t i = 0; i < kRows; ++i)
#pragma GCC unroll 3
        for (std::size_t j = 0; j < kColumns; ++j)
            _mm256_storeu_ps(out + i * outRow + j * kVector, sum[i][j]);
}

template <std::size_t kRows, std::size_t kColumns>
SKEIN_AVX2 void multiplyAll(const float* a, std::size_t aRow, const float* b, std::size_t inner, float* out,
                            std::size_t outRow, std::size_t rows) {
    for (std::size_t i = 0; i < rows; i += kRows)
        multiply<kRows, kColumns>(a + i * aRow, aRow, b, inner, out + i * outRow, outRow);
}

/// A^T m A of one vector of channels, with bias and ReLU: `y` gets 2x2 outputs.
SKEIN_AVX2 inline void outOfPlaces(const float* places, std::size_t place, __m256 bias, bool relu, __m256 y[2][2]) {
    __m256 t[2][4];
#pragma GCC unroll 4
    for (std::size_t x = 0; x < 4; ++x) {
        const __m256 m1 = _mm256_loadu_ps(places + (4 + x) * place);
        const __m256 m2 = _mm256_loadu_ps(places + (8 + x) * place);
        t[0][x] = _mm256_add_ps(_mm256_add_ps(_mm256_loadu_ps(places + x * place), m1), m2);
        t[1][x] = _mm256_sub_ps(_mm256_sub_ps(m1, m2), _mm256_loadu_ps(places + (12 + x) * place));
    }
#pragma GCC unroll 2
    for (std::size_t r = 0; r < 2; ++r) {
        y[r][0] = _mm256_add_ps(_mm256_add_ps(_mm256_add_ps(t[r][0], t[r][1]), t[r][2]), bias);
        y[r][1] = _mm256_add_ps(_mm256_sub_ps(_mm256_sub_ps(t[r][1], t[r][2]), t[r][3]), bias);
        if (relu) {
            // In this order a NaN stays one.
            y[r][0] = _mm256_max_ps(_mm256_setzero_ps(), y[r][0]);
            y[r][1] = _mm256_max_ps(_mm256_setzero_ps(), y[r][1]);
        }
    }
}

/// Place of a tile: its frame, and its upper left output pixel.
struct Tile {
    std::size_t frame, y, x;
};

Tile tileAt(const WinogradInput& input, std::size_t number) {
    const std::size_t across = (input.width + 1) / 2;
    const std::size_t down = (input.height + 1) / 2;
    return {number / (across * down), number / across % down * 2, number % across * 2};
}

void advance(const WinogradInput& input, Tile& tile) {
    tile.x += 2;
    if (tile.x < input.width)
        return;
    tile.x = 0;
    tile.y += 2;
    if (tile.y < input.height)
        return;
    tile.y = 0;
    ++tile.frame;
}

/// Transforms the square around a tile. `patch` holds 16 pixels of the channels, for squares that stick out.
SKEIN_AVX2 void readTile(const WinogradInput& input, const WinogradInput::Part& part, const Tile& tile, float* patch,
                         float* places, std::size_t place) {
    // Of the 4x4 pixels; only for those that are inside.
    const auto pixelAt = [&](std::size_t y, std::size_t x) {
        const std::size_t row = tile.frame * input.height + tile.y + y - 1 - input.firstRow;
        return part.pixels + (row * input.width + tile.x + x - 1) * part.channels;
    };
    const bool inside = tile.y >= 1 && tile.y + 2 < input.height && tile.x >= 1 && tile.x + 2 < input.width;
    if (inside)
        return intoPlaces(pixelAt(0, 0), input.width * part.channels, part.channels, places, place);
    std::fill_n(patch, 16 * part.channels, 0.0F);
    const std::size_t left = tile.x == 0 ? 1 : 0;
    const std::size_t end = std::min<std::size_t>(4, input.width + 1 - tile.x);
    for (std::size_t y = tile.y == 0 ? 1 : 0; y < 4 && tile.y + y < input.height + 1; ++y)
        std::memcpy(patch + (4 * y + left) * part.channels, pixelAt(y, left),
                    (end - left) * part.channels * sizeof(float));
    intoPlaces(patch, 4 * part.channels, part.channels, places, place);
}

/// Where a tile's outputs go, and how many of its 2x2 are inside.
struct Target {
    float* pixels;
    float* pooled;
    std::size_t row;
    std::size_t rows;
    std::size_t columns;
};

Target targetOf(const WinogradInput& input, const WinogradOutput& out, const Tile& tile, std::size_t channels) {
    Target target{nullptr, nullptr, input.width * channels, std::min<std::size_t>(2, input.height - tile.y),
                  std::min<std::size_t>(2, input.width - tile.x)};
    if (out.pixels != nullptr)
        target.pixels = out.pixels + ((tile.frame * input.height + tile.y) * input.width + tile.x) * channels;
    if (out.pooled != nullptr && target.rows == 2 && target.columns == 2)
        target.pooled =
            out.pooled + ((tile.frame * (input.height / 2) + tile.y / 2) * (input.width / 2) + tile.x / 2) * channels;
    return target;
}

SKEIN_AVX2 void writeTile(const Target& target, const float* places, std::size_t place, const float* bias,
                          std::size_t channels, bool relu) {
    for (std::size_t c = 0; c < channels; c += kVector) {
        __m256 y[2][2];
        outOfPlaces(places + c, place, _mm256_loadu_ps(bias + c), relu, y);
        const std::size_t count = std::min(kVector, channels - c);
        if (target.pixels != nullptr)
            for (std::size_t r = 0; r < target.rows; ++r)
                for (std::size_t x = 0; x < target.columns; ++x)
                    store(target.pixels + r * target.row + x * channels + c, y[r][x], count);
        if (target.pooled != nullptr)
            store(target.pooled + c, _mm256_max_ps(_mm256_max_ps(y[0][0], y[0][1]), _mm256_max_ps(y[1][0], y[1][1])),
                  count);
    }
}

/// One place of the transform: tiles' inputs times weights, panel by panel.
void multiplyPlace(const float* in, std::size_t inRow, const float* weights, std::size_t inner, float* out,
                   std::size_t columns, std::size_t rows) {
    for (std::size_t c = 0; c < columns;) {
        const std::size_t wide = panelOf((columns - c) / kVector);
        const float* const panel = weights + c * inner;
        if (wide == 3)
            multiplyAll<4, 3>(in, inRow, panel, inner, out + c, columns, rows);
        else if (wide == 2)
            multiplyAll<6, 2>(in, inRow, panel, inner, out + c, columns, rows);
        else
            multiplyAll<12, 1>(in, inRow, panel, inner, out + c, columns, rows);
        c += wide * kVector;
    }
}

}  // namespace

void WinogradKernel::compute(const WinogradInput& input, std::size_t begin, std::size_t end,
                             const WinogradOutput& out) const {
    // Parts are written in whole vectors; the first one's excess is overwritten by the second.
    const std::size_t inRow = std::max(vectors(input.first.channels) * kVector,
                                       input.first.channels + vectors(input.second.channels) * kVector);
    const std::size_t columns = m_columns;
    const std::size_t inPlace = kTiles * inRow;
    const std::size_t outPlace = kTiles * columns;
    float* const in = scratchFloats(kPlaces * (inPlace + outPlace + inRow));
    float* const products = in + kPlaces * inPlace;
    float* const patch = products + kPlaces * outPlace;
    for (std::size_t first = begin; first < end; first += kTiles) {
        const std::size_t count = std::min(kTiles, end - first);
        const Tile begun = tileAt(input, first);
        Tile tile = begun;
        for (std::size_t t = 0; t < count; ++t, advance(input, tile)) {
            readTile(input, input.first, tile, patch, in + t * inRow, inPlace);
            if (input.second.channels > 0)
                readTile(input, input.second, tile, patch, in + t * inRow + input.first.channels, inPlace);
        }
        // Rows of tiles that are not there hold what was there before, and nobody reads what becomes of them.
        const std::size_t rows = (count + kRowStep - 1) / kRowStep * kRowStep;
        for (std::size_t p = 0; p < kPlaces; ++p)
            multiplyPlace(in + p * inPlace, inRow, m_weights.data() + p * columns * m_inChannels, m_inChannels,
                          products + p * outPlace, columns, rows);
        tile = begun;
        for (std::size_t t = 0; t < count; ++t, advance(input, tile))
            writeTile(targetOf(input, out, tile, m_outChannels), products + t * columns, outPlace, m_bias.data(),
                      m_outChannels, m_relu);
    }
}

#else

void WinogradKernel::compute(const WinogradInput&, std::size_t, std::size_t, const WinogradOutput&) const {}

#endif

}  // namespace skein::models
