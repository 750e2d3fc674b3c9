// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/luma_map.h"

#include <algorithm>
#include <bit>
#include <cstring>

// Built with -O3 (CMakeLists.txt): the loops here run over every pixel of every frame and are written to be turned into
// vector code.
namespace skein::video::detail {
namespace {

[[gnu::always_inline]] inline std::uint8_t onLine(std::uint8_t luma, std::int16_t black, std::int16_t scale,
                                                  std::int16_t offset) noexcept {
    const auto raised = static_cast<std::int16_t>(luma * 8 - black);
    const auto scaled = static_cast<std::int16_t>((static_cast<std::int32_t>(raised) * scale) >> 16);
    const auto moved = static_cast<std::int16_t>(scaled + offset);
    return static_cast<std::uint8_t>(std::clamp<std::int16_t>(moved, 0, 255));
}

struct Line {
    std::int16_t black, scale, offset;
};

// Inlined into both functions below, so that each gets the instructions that it may use.
[[gnu::always_inline]] inline void along(const Line& line, const std::uint8_t* luma, std::uint8_t* gray,
                                         std::size_t count) noexcept {
    const Line l = line;
    for (std::size_t i = 0; i < count; ++i)
        gray[i] = onLine(luma[i], l.black, l.scale, l.offset);
}

void alongBaseline(const Line& line, const std::uint8_t* luma, std::uint8_t* gray, std::size_t count) noexcept {
    along(line, luma, gray, count);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void alongAvx2(const Line& line, const std::uint8_t* luma, std::uint8_t* gray,
                                               std::size_t count) noexcept {
    along(line, luma, gray, count);
}
#endif

auto fastestLine() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") != 0)
        return &alongAvx2;
#endif
    return &alongBaseline;
}

}  // namespace

LumaMap::LumaMap(const std::array<std::uint8_t, 256>& table) : m_table(table) {
    // Slope from the part that is not clamped.
    int low = 0;
    while (low < 255 && table[static_cast<std::size_t>(low) + 1] == table[0])
        ++low;
    int high = 255;
    while (high > 0 && table[static_cast<std::size_t>(high) - 1] == table[255])
        --high;
    if (high <= low)
        return;
    const int rise = table[static_cast<std::size_t>(high)] - table[static_cast<std::size_t>(low)];
    const int slope = rise * 8192 / (high - low);
    if (slope < 256 || slope > 32000)
        return;
    const auto isEqual = [&table](std::int16_t black, std::int16_t scale, std::int16_t offset) {
        for (int y = 0; y < 256; ++y)
            if (onLine(static_cast<std::uint8_t>(y), black, scale, offset) != table[static_cast<std::size_t>(y)])
                return false;
        return true;
    };
    for (int scale = slope - 100; scale <= slope + 100; ++scale)
        for (int black = 8 * low - 24; black <= 8 * low + 16; ++black)
            for (int offset = 0; offset <= 1; ++offset)
                if (isEqual(static_cast<std::int16_t>(black), static_cast<std::int16_t>(scale),
                            static_cast<std::int16_t>(offset))) {
                    m_isLine = true;
                    m_black = static_cast<std::int16_t>(black);
                    m_scale = static_cast<std::int16_t>(scale);
                    m_offset = static_cast<std::int16_t>(offset);
                    return;
                }
}

void LumaMap::toGray(const std::uint8_t* luma, std::uint8_t* gray, std::size_t count) const noexcept {
    if (m_isLine) {
        static const auto fastest = fastestLine();
        fastest({m_black, m_scale, m_offset}, luma, gray, count);
    } else {
        for (std::size_t i = 0; i < count; ++i)
            gray[i] = m_table[luma[i]];
    }
}

bool isAllNeutral(const std::uint8_t* bytes, std::size_t count) noexcept {
    std::uint8_t differs = 0;
    for (std::size_t i = 0; i < count; ++i)
        differs = static_cast<std::uint8_t>(differs | (bytes[i] ^ 128U));
    return differs == 0;
}

void takeRed(const std::uint8_t* rgb, std::uint8_t* red, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i)
        red[i] = rgb[3 * i];
}

void grayToRgb(const std::uint8_t* gray, std::uint8_t* rgb, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i)
        rgb[3 * i] = rgb[3 * i + 1] = rgb[3 * i + 2] = gray[i];
}

void grayToBgra(const std::uint8_t* gray, std::uint8_t* bgra, std::size_t count) noexcept {
    constexpr auto kAlpha = std::bit_cast<std::uint32_t>(std::array<std::uint8_t, 4>{0, 0, 0, 255});
    for (std::size_t i = 0; i < count; ++i) {
        // As one number: vector code writes it sooner than single bytes.
        const std::uint32_t pixel = gray[i] * 0x01010101U | kAlpha;
        std::memcpy(bgra + 4 * i, &pixel, sizeof pixel);
    }
}

void toBgra(const std::uint8_t* rgb, std::uint8_t* bgra, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        bgra[4 * i] = rgb[3 * i + 2];
        bgra[4 * i + 1] = rgb[3 * i + 1];
        bgra[4 * i + 2] = rgb[3 * i];
        bgra[4 * i + 3] = 255;
    }
}

}  // namespace skein::video::detail
