// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>

#include "engine/models/detail/aligned_floats.h"

// 3x3 convolutions with a border of one zero pixel, computed as Winograd's F(2x2, 3x3) (Lavin and Gray 2016): squares
// of 4x4 inputs and the kernels are transformed by additions, multiplied, and transformed back to squares of 2x2
// outputs. That takes 16 multiplications where the sum as it is written takes 36, and its rounding errors are no
// larger.
namespace skein::models {

/// Where a convolution reads: floats [frames, height, width, channels], row-major. Channels of `second` follow those of
/// `first`, as if they had been joined; it may be empty.
struct WinogradInput {
    struct Part {
        const float* pixels = nullptr;
        std::size_t channels = 0;
    };
    Part first;
    Part second;
    std::size_t frames = 0;
    std::size_t height = 0;
    std::size_t width = 0;
    /// The row, counted through all frames, that `pixels` begin with: rows that no tile asked for reads may be missing.
    std::size_t firstRow = 0;
};

struct WinogradOutput {
    float* pixels = nullptr;
    float* pooled = nullptr;
};

/// The trained numbers of one convolution in the order in which the kernel reads them. Thread-safe. Only for processors
/// with AVX2 (hasAvx2()).
class WinogradKernel {
public:
    /// `weight`: [out, in, 3, 3]; `bias`: [out].
    WinogradKernel(const float* weight, const float* bias, std::size_t outChannels, std::size_t inChannels, bool relu);

    [[nodiscard]] std::size_t outChannels() const { return m_outChannels; }

    /// Squares of 2x2 outputs of an input, in reading order; they may be computed in any order and on different
    /// threads.
    [[nodiscard]] static std::size_t tiles(const WinogradInput& input);
    /// Writes the outputs of tiles [begin, end) to `out.pixels`, [frames, height, width, outChannels], and the largest
    /// of each 2x2 of them to `out.pooled`, [frames, height / 2, width / 2, outChannels]; either may be null.
    void compute(const WinogradInput& input, std::size_t begin, std::size_t end, const WinogradOutput& out) const;

private:
    std::size_t m_outChannels;
    std::size_t m_inChannels;
    bool m_relu;
    std::size_t m_columns;    // output channels in whole vectors
    AlignedFloats m_weights;  // [16 places of the transform][column panel][in][columns of the panel]
    AlignedFloats m_bias;
};

}  // namespace skein::models
