// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/line_scores.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace skein::inference {
namespace {

/// Nearest whole number, halves to even. Adding and taking away 1.5 x 2^23 leaves no fraction bits; the sum rounds.
int roundHalfEven(float value) {
    constexpr float kMagic = 12582912.0F;
    if (std::fabs(value) < 4194304.0F)
        return static_cast<int>((value + kMagic) - kMagic);
    // Far outside any map, or NaN, which the peer's conversion turns into the lowest integer.
    return value > 0 ? INT32_MAX : INT32_MIN;
}

}  // namespace

std::vector<float> LineScorer::positions(int nPoints) {
    std::vector<float> t(static_cast<std::size_t>(nPoints), 0.0F);
    const float step = 1.0F / static_cast<float>(std::max(nPoints - 1, 1));
    for (int i = 0; i < nPoints; ++i)
        // The upper half counts down from 1 with a single rounding; two roundings would move samples at ties.
        t[static_cast<std::size_t>(i)] = i < nPoints / 2 || nPoints == 1
                                             ? static_cast<float>(i) * step
                                             : std::fma(-static_cast<float>(nPoints - 1 - i), step, 1.0F);
    return t;
}

LineScorer::LineScorer(const LineOptions& options, int pafStride, int pafHeight, int pafWidth, int edges)
    : m_positions(positions(options.nPoints)),
      m_stride(static_cast<float>(pafStride)),
      m_height(pafHeight),
      m_width(pafWidth),
      m_maxLength(
          static_cast<float>(options.maxEdgeLengthRatio * std::max({pafHeight, pafWidth, 2 * edges}) * pafStride)),
      m_weight(static_cast<float>(options.distPenaltyWeight)) {}

void LineScorer::sample(int i, float ax, float ay, float bx, float by, int& row, int& column) const {
    const float t = m_positions[static_cast<std::size_t>(i)];
    const float x = ax + (bx - ax) / kShortening * t;
    const float y = ay + (by - ay) / kShortening * t;
    row = std::clamp(roundHalfEven(y / m_stride), 0, m_height - 1);
    column = std::clamp(roundHalfEven(x / m_stride), 0, m_width - 1);
}

float LineScorer::penalty(float length) const {
    // A NaN length stays NaN; length 0 gives infinity, hence 0.
    const float excess = m_maxLength / length - 1.0F;
    return (excess > 0 ? 0.0F : excess) * m_weight;
}

float LineScorer::score(const MapView& pafs, int edge, float ax, float ay, float bx, float by) const {
    const float dx = bx - ax;
    const float dy = by - ay;
    const float length = std::sqrt(dx * dx + dy * dy);
    const float ux = dx / length;
    const float uy = dy / length;
    float sum = 0;
    const int count = static_cast<int>(m_positions.size());
    for (int i = 0; i < count; ++i) {
        int row = 0;
        int column = 0;
        sample(i, ax, ay, bx, by, row, column);
        const float* vector =
            pafs.data + (static_cast<std::ptrdiff_t>(row) * pafs.width + column) * pafs.channels + 2 * edge;
        sum += vector[0] * ux + vector[1] * uy;
    }
    return sum / static_cast<float>(count) + penalty(length);
}

}  // namespace skein::inference
