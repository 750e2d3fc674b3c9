// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace skein {

/// Immutable 8-bit picture, `[height, width, channels]` row-major, rows packed without padding.
/// channels: 1 grey, 3 RGB, 4 BGRA (what a 32-bit QImage wants; alpha is 255).
struct Image {
    int width = 0;
    int height = 0;
    int channels = 0;
    std::vector<std::uint8_t> pixels;

    [[nodiscard]] std::size_t sizeBytes() const noexcept { return pixels.size(); }
    [[nodiscard]] std::size_t rowBytes() const noexcept {
        return static_cast<std::size_t>(width) * static_cast<std::size_t>(channels);
    }
};

using ImagePtr = std::shared_ptr<const Image>;

}  // namespace skein
