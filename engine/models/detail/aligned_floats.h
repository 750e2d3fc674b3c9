// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace skein::models {

/// Floats that begin with a cache line: vectors that lie across two lines take twice as long.
class AlignedFloats {
public:
    /// At least so many, all 0.
    explicit AlignedFloats(std::size_t count = 0) : m_lines((count + kPerLine - 1) / kPerLine) {}
    [[nodiscard]] std::size_t size() const { return m_lines.size() * kPerLine; }
    [[nodiscard]] float* data() { return reinterpret_cast<float*>(m_lines.data()); }
    [[nodiscard]] const float* data() const { return reinterpret_cast<const float*>(m_lines.data()); }

private:
    static constexpr std::size_t kPerLine = 16;
    struct alignas(64) Line {
        std::array<float, kPerLine> values{};
    };
    std::vector<Line> m_lines;
};

/// Memory that a thread computes in, kept from call to call; what was there before is undefined.
inline float* scratchFloats(std::size_t count) {
    thread_local AlignedFloats memory;
    if (memory.size() < count)
        memory = AlignedFloats(count);
    return memory.data();
}

inline constexpr std::size_t kVector = 8;  // floats
inline constexpr std::size_t kWidestPanel = 3;

/// Vectors that hold so many channels.
inline std::size_t vectors(std::size_t channels) {
    return (channels + kVector - 1) / kVector;
}

/// Columns of weights are multiplied in panels of up to three vectors. Those of the next panel when `left` are left:
/// threes and twos, since one alone would wait for its own sums.
inline std::size_t panelOf(std::size_t left) {
    return left == 4 ? 2 : std::min(left, kWidestPanel);
}

}  // namespace skein::models
