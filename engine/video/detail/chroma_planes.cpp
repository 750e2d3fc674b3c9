// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/chroma_planes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

// Built with -O3 (CMakeLists.txt): the loops here run over every pixel and are written to be turned into vector code.
namespace skein::video::detail {
namespace {

// Weights of 15 bits as libswscale 6 rounds them (libswscale/utils.c, fill_rgb2yuv_table): away from zero.
constexpr int weight(double share, int range) {
    const double exact = (share < 0 ? -share : share) * range / 255 * (1 << 15);
    return share < 0 ? -static_cast<int>(exact + 0.5) : static_cast<int>(exact + 0.5);
}
struct Weights {
    int blue, green, red;
};
constexpr Weights kLuma = {weight(0.114, 219), weight(0.587, 219), weight(0.299, 219)};
constexpr Weights kBlue = {weight(0.500, 224), weight(-0.331, 224), weight(-0.169, 224)};
constexpr Weights kRed = {weight(-0.081, 224), weight(-0.419, 224), weight(0.500, 224)};

constexpr int kRows = 4;  // of chroma, that one row of the result is made from

[[gnu::always_inline]] inline int sum(const Weights& w, int blue, int green, int red) {
    return w.blue * blue + w.green * green + w.red * red;
}

// As one number: vector code takes it apart sooner than it gathers every fourth byte.
static_assert(std::endian::native == std::endian::little);
[[gnu::always_inline]] inline int pixelAt(const std::uint8_t* bgra, std::size_t x) {
    std::int32_t pixel = 0;
    std::memcpy(&pixel, bgra + 4 * x, sizeof pixel);
    return pixel;
}

struct Row {
    const std::uint8_t* bgra;
    std::uint8_t* luma;
    std::int16_t* blue;  ///< 15 bits: 128 times the value
    std::int16_t* red;
};

// Inlined into both functions of each kind below, so that each gets the instructions that it may use.
[[gnu::always_inline]] inline void splitRow(const Row& row, std::size_t width) {
    const std::uint8_t* const p = row.bgra;
    std::uint8_t* __restrict luma = row.luma;
    std::int16_t* __restrict blues = row.blue;
    std::int16_t* __restrict reds = row.red;
    for (std::size_t x = 0; x < width; ++x) {
        const int pixel = pixelAt(p, x);
        const int value = (sum(kLuma, pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255) + (16 << 15) + (1 << 8)) >> 9;
        luma[x] = static_cast<std::uint8_t>((2 * value + 64) >> 7);
    }
    constexpr int kMiddle = (256 << 15) + (1 << 9);
    for (std::size_t x = 0; x < width / 2; ++x) {
        const int left = pixelAt(p, 2 * x), right = pixelAt(p, 2 * x + 1);
        const int redAndBlue = (left & 0xFF00FF) + (right & 0xFF00FF);
        const int blue = redAndBlue & 511, red = redAndBlue >> 16;
        const int green = (left >> 8 & 255) + (right >> 8 & 255);
        blues[x] = static_cast<std::int16_t>(2 * ((sum(kBlue, blue, green, red) + kMiddle) >> 10));
        reds[x] = static_cast<std::int16_t>(2 * ((sum(kRed, blue, green, red) + kMiddle) >> 10));
    }
}

[[gnu::always_inline]] inline void mixRows(const std::array<const std::int16_t*, kRows>& rows, std::uint8_t* mixed,
                                           std::size_t count) {
    const std::int16_t* const a = rows[0];
    const std::int16_t* const b = rows[1];
    const std::int16_t* const c = rows[2];
    const std::int16_t* const d = rows[3];
    std::uint8_t* __restrict to = mixed;
    for (std::size_t i = 0; i < count; ++i) {
        const int value = (512 * (a[i] + d[i]) + 1536 * (b[i] + c[i]) + (64 << 12)) >> 19;
        to[i] = static_cast<std::uint8_t>(std::clamp(value, 0, 255));
    }
}

void splitBaseline(const Row& row, std::size_t width) {
    splitRow(row, width);
}
void mixBaseline(const std::array<const std::int16_t*, kRows>& rows, std::uint8_t* mixed, std::size_t count) {
    mixRows(rows, mixed, count);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void splitAvx2(const Row& row, std::size_t width) {
    splitRow(row, width);
}
__attribute__((target("avx2"))) void mixAvx2(const std::array<const std::int16_t*, kRows>& rows, std::uint8_t* mixed,
                                             std::size_t count) {
    mixRows(rows, mixed, count);
}
#endif

struct Loops {
    decltype(&splitBaseline) split = &splitBaseline;
    decltype(&mixBaseline) mix = &mixBaseline;
};

Loops fastestLoops() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") != 0)
        return {&splitAvx2, &mixAvx2};
#endif
    return {};
}

}  // namespace

void ChromaPlanes::convert(const std::uint8_t* bgra, int width, int height, Plane luma, Plane blue, Plane red) {
    static const Loops loops = fastestLoops();
    const auto columns = static_cast<std::size_t>(width);
    m_rows.resize(kRows * columns);
    // The last rows of chroma at full height: blue, then red.
    const auto rowOf = [&](int y) { return m_rows.data() + static_cast<std::size_t>(y % kRows) * columns; };
    int split = 0;
    for (int y = 0; y < height / 2; ++y) {
        std::array<const std::int16_t*, kRows> blues{}, reds{};
        for (int i = 0; i < kRows; ++i) {
            const int row = std::clamp(2 * y - 1 + i, 0, height - 1);
            for (; split <= row; ++split)
                loops.split({bgra + static_cast<std::size_t>(split) * columns * 4, luma.pixels + split * luma.stride,
                             rowOf(split), rowOf(split) + columns / 2},
                            columns);
            blues[static_cast<std::size_t>(i)] = rowOf(row);
            reds[static_cast<std::size_t>(i)] = rowOf(row) + columns / 2;
        }
        loops.mix(blues, blue.pixels + y * blue.stride, columns / 2);
        loops.mix(reds, red.pixels + y * red.stride, columns / 2);
    }
}

}  // namespace skein::video::detail
