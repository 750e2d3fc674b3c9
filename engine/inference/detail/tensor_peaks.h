// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

#include "engine/inference/bottomup_packer.h"

namespace skein::inference {

/// Peaks and line scores of a bottom-up batch as about ninety tensor operations of fixed shape, for GPUs: nothing reads
/// the device, so that the sequence runs without a stop whatever the frames hold. The result is one packed tensor in
/// the layout of PackedLayout with a chosen number of slots; a count above it tells the host to repeat with more. Same
/// results as BottomUpPacker. Thread-compatible; constants live on the device from construction on.
class TensorPeaks {
public:
    TensorPeaks(const BottomUpPacker::Options& options, at::Device device);

    /// `confmaps` [B, C, H, W] and `pafs` [B, 2E, Hp, Wp], float32 -> float32 [PackedLayout::size()].
    [[nodiscard]] at::Tensor pack(const at::Tensor& confmaps, const at::Tensor& pafs, std::int64_t slots) const;

private:
    struct Candidates {
        at::Tensor x, y;    // [B, C, K] int64, of the candidate pixel
        at::Tensor used;    // [B, C, K] bool
        at::Tensor counts;  // [B, C] int32, uncapped
    };
    [[nodiscard]] Candidates findCandidates(const at::Tensor& maps, std::int64_t slots) const;
    [[nodiscard]] at::Tensor refined(const at::Tensor& maps, const Candidates& candidates) const;
    [[nodiscard]] at::Tensor lineScores(const at::Tensor& peaks, const at::Tensor& pafs) const;

    BottomUpPacker::Options m_options;
    at::Tensor m_topX, m_topY, m_topCount;  // [16], by which of E, SW, S, SE equal the candidate
    at::Tensor m_topKept;                   // [16] bool: fits two by two pixels
    at::Tensor m_topRim;                // [16, 25] bool: around the flat top, of the 5x5 pixels around the candidate
    at::Tensor m_offsetX5, m_offsetY5;  // [25]
    at::Tensor m_patchX, m_patchY;      // [p*p] int64 offsets from the anchor
    at::Tensor m_gridX, m_gridY;        // [p*p] float, the weights of the centre of mass
    at::Tensor m_edgeSource, m_edgeDestination;
    at::Tensor m_positions;   // [P] of the samples along a line
    at::Tensor m_shortening;  // 1 + 2^-23: a tensor, since dividing by a number multiplies by its reciprocal on GPUs
};

}  // namespace skein::inference
