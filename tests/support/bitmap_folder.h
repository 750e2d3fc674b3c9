// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace skein::test {

/// An uncompressed picture of one colour, 16 x 12.
inline std::string bitmap(std::uint8_t value) {
    constexpr std::uint32_t kWidth = 16, kHeight = 12, kPixels = 3 * kWidth * kHeight;  // rows of a multiple of four
    std::string bytes = "BM";
    const auto number = [&](std::uint32_t n, int size) {
        for (int i = 0; i < size; ++i)
            bytes += static_cast<char>(n >> (8U * static_cast<unsigned>(i)));
    };
    number(54 + kPixels, 4);
    number(0, 4);
    number(54, 4);
    number(40, 4);
    number(kWidth, 4);
    number(kHeight, 4);
    number(1, 2);
    number(24, 2);
    for (const std::uint32_t n : {0U, kPixels, 2835U, 2835U, 0U, 0U})
        number(n, 4);
    return bytes + std::string(kPixels, static_cast<char>(value));
}

/// A folder of pictures, which is a video: frame k is of the colour values[k]; a negative one is a file that is no
/// picture.
inline void makeBitmapFolder(const std::filesystem::path& folder, const std::vector<int>& values) {
    std::filesystem::create_directories(folder);
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::string name = std::to_string(i);
        name.insert(0, 5 - name.size(), '0');
        std::ofstream file(folder / (name + ".bmp"), std::ios::binary);
        if (values[i] >= 0)
            file << bitmap(static_cast<std::uint8_t>(values[i]));
        else
            file << "BM, and nothing that belongs behind it";
    }
}

}  // namespace skein::test
