// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <vector>

#include "engine/inference/local_peaks.h"

namespace skein::inference {

struct LineOptions {
    double maxEdgeLengthRatio = 0.25;
    double distPenaltyWeight = 1.0;
    int nPoints = 10;
};

/// Scores how well a part affinity field supports a line between two peaks (Cao et al., "Realtime Multi-Person 2D Pose
/// Estimation using Part Affinity Fields", CVPR 2017, in sleap-nn's form): the mean over samples of the field's
/// component along the line, less a penalty for lines that are long. Sampling takes the nearest pixel, so that every
/// rounding here follows the peer's single-precision arithmetic step by step; this file must not be compiled with
/// contraction of products and sums.
class LineScorer {
public:
    /// `pafStride`: input pixels per field pixel; the field is [height, width, 2 x edges].
    LineScorer(const LineOptions& options, int pafStride, int pafHeight, int pafWidth, int edges);

    /// Score of the line from a to b (input pixels) in the field of `edge`; NaN for a line without length.
    [[nodiscard]] float score(const MapView& pafs, int edge, float ax, float ay, float bx, float by) const;

    /// Field pixel of sample `i` of that line.
    void sample(int i, float ax, float ay, float bx, float by, int& row, int& column) const;

    /// The addend for a line of this length, in [-weight, 0].
    [[nodiscard]] float penalty(float length) const;

    /// Positions of the samples along the line, 0 to 1.
    [[nodiscard]] static std::vector<float> positions(int nPoints);

    /// Lines longer than this (input pixels) are penalised. The number of channels takes part in the maximum, as in the
    /// peer; that matters for tiny fields only.
    [[nodiscard]] float maxLength() const { return m_maxLength; }

    /// Divisor 1 + 2^-23 of every difference: a by-product of the peer's interpolation. The far end falls a hair short,
    /// which decides rounding ties.
    static constexpr float kShortening = 1.0F + 1.1920929e-7F;

private:
    std::vector<float> m_positions;
    float m_stride;
    int m_height;
    int m_width;
    float m_maxLength;
    float m_weight;
};

}  // namespace skein::inference
