// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace skein::video::detail {

/// Pictures of packed colours as one plane of luma and two of chroma at half the width and height (4:2:0): BT.601,
/// limited range. Gives the bytes of libav's scaler with SWS_BILINEAR | SWS_ACCURATE_RND, in a third of its time; a
/// test compares them. Thread-compatible.
class ChromaPlanes {
public:
    /// Below this height libav's scaler weighs rows in another way.
    static constexpr int kLeastHeight = 8;

    struct Plane {
        std::uint8_t* pixels;
        std::ptrdiff_t stride;  ///< bytes
    };

    /// `bgra`: height rows of width * 4 bytes, alpha unused. width and height are even, height at least kLeastHeight.
    void convert(const std::uint8_t* bgra, int width, int height, Plane luma, Plane blue, Plane red);

private:
    std::vector<std::int16_t> m_rows;
};

}  // namespace skein::video::detail
