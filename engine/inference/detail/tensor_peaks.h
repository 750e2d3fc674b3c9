// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <ATen/core/Tensor.h>

#include <utility>
#include <vector>

#include "engine/inference/local_peaks.h"

// Peaks as tensor operations of fixed shape, for GPUs: nothing reads the device, so that the sequence runs without a
// stop whatever the frames hold. Same results as the CPU's loops (findLocalPeaks, findGlobalPeak).
namespace skein::inference {

/// A small table on the device.
[[nodiscard]] at::Tensor deviceTable(const std::vector<float>& values, at::Device device);
[[nodiscard]] at::Tensor deviceTable(const std::vector<std::int64_t>& values, at::Device device);

/// Integral refinement. Thread-compatible; its tables live on the device.
class TensorRefiner {
public:
    TensorRefiner(int patch, at::Device device);
    /// `maps` [B, C, H, W], contiguous; `anchorX`, `anchorY` [B, C, K] float, whole pixels. Returns x and y [B, C, K].
    [[nodiscard]] std::pair<at::Tensor, at::Tensor> refine(const at::Tensor& maps, const at::Tensor& anchorX,
                                                           const at::Tensor& anchorY) const;

private:
    std::int64_t m_pad;
    at::Tensor m_patchX, m_patchY;  // [p*p] int64 offsets from the anchor
    at::Tensor m_gridX, m_gridY;    // [p*p] float, the weights of the centre of mass
};

/// Local maxima in a chosen number of slots for each map; a count above it tells the host to repeat with more.
class TensorLocalPeaks {
public:
    /// `stride`: input pixels per map pixel.
    TensorLocalPeaks(const PeakOptions& options, int stride, at::Device device);

    struct Found {
        at::Tensor peaks;   ///< [B, C, K, 3]: x, y in input pixels, value (NaN: no peak in this slot)
        at::Tensor counts;  ///< [B, C] int32, uncapped
    };
    /// `maps` [B, C, H, W] float32.
    [[nodiscard]] Found find(const at::Tensor& maps, std::int64_t slots) const;

private:
    struct Candidates {
        at::Tensor x, y;    // [B, C, K] int64, of the candidate pixel
        at::Tensor used;    // [B, C, K] bool
        at::Tensor counts;  // [B, C] int32, uncapped
    };
    [[nodiscard]] Candidates findCandidates(const at::Tensor& maps, std::int64_t slots) const;
    [[nodiscard]] at::Tensor resolved(const at::Tensor& maps, const Candidates& candidates) const;

    PeakOptions m_options;
    double m_stride;
    TensorRefiner m_refiner;
    at::Tensor m_topX, m_topY, m_topCount;  // [16], by which of E, SW, S, SE equal the candidate
    at::Tensor m_topKept;                   // [16] bool: fits two by two pixels
    at::Tensor m_topRim;                // [16, 25] bool: around the flat top, of the 5x5 pixels around the candidate
    at::Tensor m_offsetX5, m_offsetY5;  // [25]
};

/// The highest pixel of each map.
class TensorGlobalPeaks {
public:
    TensorGlobalPeaks(const PeakOptions& options, int stride, at::Device device);
    /// `maps` [N, C, H, W] float32 -> [N, C, 3]: x, y in input pixels, value; NaN, NaN, 0 below the threshold.
    [[nodiscard]] at::Tensor find(const at::Tensor& maps) const;

private:
    PeakOptions m_options;
    double m_stride;
    TensorRefiner m_refiner;
};

}  // namespace skein::inference
