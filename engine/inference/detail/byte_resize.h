// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <vector>

// Antialiased bilinear resizing of 8-bit pixels in fixed-point numbers, each bit of which matters: Pillow's scheme in
// torchvision's integer form. Columns first, rounded to 8 bits, then rows.
namespace skein::inference {

/// Fixed-point weights of one axis: output i is the sum over t of input[first[i] + t] * q[i * taps + t], rounded and
/// shifted right by `precision`. All inputs named lie inside. Where there are inputs enough, `taps` is a multiple of 4.
struct AxisWeights {
    std::int64_t taps = 0;
    int precision = 0;
    std::vector<std::int64_t> first;
    std::vector<std::int16_t> q;
};

/// Triangle filter, widened when shrinking.
[[nodiscard]] AxisWeights axisWeights(std::int64_t in, std::int64_t out);

/// [rows, in, channels] -> [rows, out, channels].
void resizeColumns(const AxisWeights& axis, const std::uint8_t* from, std::int64_t rows, std::int64_t in,
                   std::int64_t channels, std::uint8_t* to);
/// [in, rowBytes] -> [out, rowBytes], output rows [begin, end).
void resizeRows(const AxisWeights& axis, const std::uint8_t* from, std::int64_t rowBytes, std::int64_t begin,
                std::int64_t end, std::uint8_t* to);

}  // namespace skein::inference
