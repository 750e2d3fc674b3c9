// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace skein::video::detail {

/// A map from luma to grey, f(Y), applied to rows of pixels. Built from the scaler's own 256 answers; where a scaled
/// and clamped line gives exactly the same 256 answers, the line is used, since it runs on whole vectors.
class LumaMap {
public:
    LumaMap() = default;
    explicit LumaMap(const std::array<std::uint8_t, 256>& table);

    [[nodiscard]] bool isLine() const noexcept { return m_isLine; }

    void toGray(const std::uint8_t* luma, std::uint8_t* gray, std::size_t count) const noexcept;

private:
    std::array<std::uint8_t, 256> m_table{};
    // f(Y) = clamp(((Y * 8 - m_black) * m_scale >> 16) + m_offset, 0, 255), in 16-bit steps as vector units have them
    bool m_isLine = false;
    std::int16_t m_black = 0;
    std::int16_t m_scale = 0;
    std::int16_t m_offset = 0;
};

/// Whether all `count` bytes are 128: chroma without colour.
[[nodiscard]] bool isAllNeutral(const std::uint8_t* bytes, std::size_t count) noexcept;

/// Every third byte of `rgb`, from the first.
void takeRed(const std::uint8_t* rgb, std::uint8_t* red, std::size_t count) noexcept;

/// `count` grey pixels as RGB, or as BGRA with alpha 255.
void grayToRgb(const std::uint8_t* gray, std::uint8_t* rgb, std::size_t count) noexcept;
void grayToBgra(const std::uint8_t* gray, std::uint8_t* bgra, std::size_t count) noexcept;

/// `count` pixels RGB to BGRA, alpha 255.
void toBgra(const std::uint8_t* rgb, std::uint8_t* bgra, std::size_t count) noexcept;

}  // namespace skein::video::detail
