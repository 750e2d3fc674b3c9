// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/image.h"

// A frame's number painted into its pixels, so that a test sees which picture it got: sixteen 8x8 cells from the top
// left, white, black, twelve bits (most significant first, white is 1), even parity, white.
namespace skein::test {

inline constexpr int kBarCell = 8;
inline constexpr int kBarCells = 16;

/// Whether the cell at `cell` is white for `number`, 0 <= number < 4096.
inline bool barIsWhite(int cell, int number) {
    if (cell == 0 || cell == kBarCells - 1)
        return true;
    if (cell == 1)
        return false;
    if (cell < 14)
        return ((number >> (13 - cell)) & 1) != 0;
    bool parity = false;
    for (int bit = 0; bit < 12; ++bit)
        parity ^= ((number >> bit) & 1) != 0;
    return parity;
}

/// The number painted into `image`; nullopt when there is none to read. `at` maps a pixel of the stored picture to one
/// of the image, for pictures that are shown turned.
template <class Map>
std::optional<int> readBarCode(const Image& image, Map at) {
    const int channel = image.channels == 1 ? 0 : 1;
    std::vector<double> cells;
    for (int cell = 0; cell < kBarCells; ++cell) {
        double sum = 0;
        for (int y = 2; y < 6; ++y)
            for (int x = 2; x < 6; ++x) {
                const auto [px, py] = at(cell * kBarCell + x, y);
                if (px < 0 || py < 0 || px >= image.width || py >= image.height)
                    return std::nullopt;
                sum += image.pixels[(static_cast<std::size_t>(py) * static_cast<std::size_t>(image.width) +
                                     static_cast<std::size_t>(px)) *
                                        static_cast<std::size_t>(image.channels) +
                                    static_cast<std::size_t>(channel)];
            }
        cells.push_back(sum / 16);
    }
    if (cells[0] - cells[1] < 20)
        return std::nullopt;
    const double threshold = (cells[0] + cells[1]) / 2;
    int number = 0;
    for (std::size_t cell = 2; cell < 14; ++cell)
        number = number * 2 + (cells[cell] > threshold ? 1 : 0);
    if ((cells[14] > threshold) != barIsWhite(14, number) || cells[15] <= threshold)
        return std::nullopt;
    return number;
}

inline std::optional<int> readBarCode(const Image& image) {
    struct Point {
        int x, y;
    };
    return readBarCode(image, [](int x, int y) { return Point{x, y}; });
}

}  // namespace skein::test
