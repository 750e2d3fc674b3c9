// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <vector>

#include "engine/models/detail/aligned_floats.h"

namespace skein::models {

/// Where a convolution reads: floats [frames, height, width, channels], row-major.
struct RowInput {
    const float* pixels = nullptr;
    std::size_t frames = 0;
    std::size_t height = 0;
    std::size_t width = 0;
};

/// Convolutions for which no transform pays: of one pixel, of few channels, transposed. Computed as they are defined, a
/// row at a time, each output held in registers until all its products are there. Thread-safe. Only for processors with
/// AVX2 (hasAvx2()).
class RowKernel {
public:
    static constexpr std::size_t kLargest = 7;  ///< kernel
    struct Shape {
        std::size_t outChannels = 0;
        std::size_t inChannels = 0;
        std::size_t kernel = 1;  ///< at most kLargest; of transposed ones 3
        bool relu = false;
    };
    /// `weight`: [out, in, kernel, kernel]; `bias`: [out]. The border is of zeros and as wide as keeps the size; that
    /// of an even kernel is one wider at the right and bottom.
    [[nodiscard]] static RowKernel convolution(const Shape& shape, const float* weight, const float* bias);
    /// To twice the size: stride 2, padding 1, output padding 1. `weight`: [in, out, 3, 3].
    [[nodiscard]] static RowKernel transposed(const Shape& shape, const float* weight, const float* bias);

    [[nodiscard]] std::size_t outChannels() const { return m_shape.outChannels; }
    /// The output's size in those of the input: 1 or 2.
    [[nodiscard]] std::size_t scale() const { return m_scale; }

    /// Writes what comes of input rows [begin, end), counted through all frames, to `out`: [scale * (end - begin),
    /// scale * width, outChannels].
    void compute(const RowInput& input, std::size_t begin, std::size_t end, float* out) const;

private:
    /// A place of the kernel: the input pixel it reads from an output's own, and its weight's place in the kernel.
    struct Tap {
        std::ptrdiff_t y, x;
        std::size_t place;
    };
    /// The outputs at one of scale x scale places; they read the same taps.
    struct Phase {
        std::size_t row, column;
        std::vector<Tap> taps;
        AlignedFloats weights;  ///< [column panel][tap][in][columns of the panel]
    };
    RowKernel(const Shape& shape, std::size_t scale, const float* bias);
    void addPhase(std::size_t row, std::size_t column, std::vector<Tap> taps, const float* weight, std::size_t outStep,
                  std::size_t inStep);
    [[nodiscard]] std::size_t paddedWidth(std::size_t width) const;
    void computeRow(const Phase& phase, const float* padded, std::size_t width, float* out) const;

    Shape m_shape;
    std::size_t m_scale;
    std::ptrdiff_t m_before = 0;  ///< rows and columns read before an output's own
    std::ptrdiff_t m_after = 0;
    AlignedFloats m_bias;
    std::vector<Phase> m_phases;
};

}  // namespace skein::models
