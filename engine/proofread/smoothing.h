// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/project/labels.h"
#include "engine/proofread/issues.h"

/// Calmer points as a layer beside the raw ones, which are never overwritten.
namespace skein::proofread {

enum class SmoothMethod {
    /// Least squares fit of a polynomial to a window of frames, valued at its middle (Savitzky and Golay 1964, here
    /// with whatever frames of the window there are).
    SavitzkyGolay,
    /// Low pass whose cut-off grows with speed (Casiez, Roussel and Vogel 2012). Looks back only, as live filters do.
    OneEuro,
    /// Constant-velocity Kalman filter with the backward pass of Rauch, Tung and Striebel (1965). The noise of a
    /// measurement is taken from each node's own second differences.
    KalmanRts
};

/// "savitzky_golay", "one_euro", "kalman": as in files and on the command line.
[[nodiscard]] std::string_view nameOf(SmoothMethod method);
[[nodiscard]] std::optional<SmoothMethod> smoothMethodNamed(std::string_view name);

struct SmoothOptions {
    SmoothMethod method = SmoothMethod::SavitzkyGolay;
    int window = 9;               ///< SavitzkyGolay: frames, odd, 3 to 501
    int order = 2;                ///< SavitzkyGolay: degree of the polynomial, 0 to 5, less than the window
    double minCutoff = 1;         ///< OneEuro: cut-off at rest in Hz, above 0
    double beta = 0.05;           ///< OneEuro: growth of the cut-off, in Hz per pixel a second, from 0
    double framesPerSecond = 0;   ///< OneEuro; 0: the video's, or 25 where that is not known
    double timeConstant = 4;      ///< KalmanRts: frames over which movement may change, above 0
    std::int64_t longestGap = 5;  ///< over longer absences nothing is drawn together
    /// Names of the tracks; empty: all. Names, since indices change while a project is edited.
    std::vector<std::string> tracks = {};

    friend bool operator==(const SmoothOptions&, const SmoothOptions&) = default;
};

/// Smoothed points of one video. Instances keep their ids; nodes that are absent stay absent.
class PointLayer {
public:
    /// x, y of each node, NaN where absent; empty for instances that the layer does not know (no track).
    [[nodiscard]] std::span<const project::Point> pointsOf(project::InstanceId instance) const;
    [[nodiscard]] std::size_t instanceCount() const { return m_ids.size(); }

private:
    friend class Smoother;
    std::vector<project::InstanceId> m_ids;  // ascending
    std::vector<std::size_t> m_ends;         // of each, in m_points
    std::vector<project::Point> m_points;
};

/// Works on each node of each track of the video by itself, over the shown instances of tracks. Errors: Cancelled;
/// InvalidArgument, one sentence that names the option.
[[nodiscard]] Result<PointLayer> smooth(const project::Labels& labels, std::uint32_t video,
                                        const SmoothOptions& options = {}, const Progress& progress = {},
                                        std::stop_token stop = {});

/// A copy of the project with the layer's points in place of the raw ones: for export, never for editing.
[[nodiscard]] project::Labels withLayer(const project::Labels& labels, std::uint32_t video, const PointLayer& layer);

/// Every video smoothed, for export. Errors: those of smooth().
[[nodiscard]] Result<project::Labels> smoothedProject(const project::Labels& labels, const SmoothOptions& options = {},
                                                      const Progress& progress = {}, std::stop_token stop = {});

/// What a layer changes, in pixels. How restless points are is the median length of a node's second difference over
/// three frames in a row: 0 for movement at constant velocity.
struct SmoothEffect {
    std::size_t points = 0;
    double meanMove = 0, move95 = 0, mostMove = 0;  ///< how far points lie from the raw ones
    double restlessBefore = 0, restlessAfter = 0;
};
[[nodiscard]] SmoothEffect effectOf(const project::Labels& labels, std::uint32_t video, const PointLayer& layer);

}  // namespace skein::proofread
