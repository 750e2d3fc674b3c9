// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <array>

#include "engine/tracking/detail/mot/box.h"
#include "engine/tracking/mot_options.h"

namespace skein::tracking {

/// What is believed of one quantity that changes evenly: its value, its change a step, and how sure that is.
struct AxisState {
    double value = 0, velocity = 0;
    double valueVariance = 0, covariance = 0, velocityVariance = 0;
};

/// What is believed of a box: its centre's x and y, then two quantities that say its size.
using BoxState = std::array<AxisState, 4>;

/// Kalman filter of a box with constant velocity. All published box filters (SORT: Bewley et al. 2016; DeepSORT: Wojke
/// et al. 2017; BoT-SORT: Aharon et al. 2022) have diagonal noise and couple a quantity with its own velocity only, so
/// each box is four filters of two numbers, and no matrix is ever inverted. `Auto` is not a kind here.
class BoxFilter {
public:
    explicit BoxFilter(MotKalman kind) : m_kind(kind) {}

    [[nodiscard]] BoxState begin(const Box& box) const;
    /// One step on. `sizeHolds`: the size stays as it is (a lost animal does not grow).
    void predict(BoxState& state, bool sizeHolds) const;
    void correct(BoxState& state, const Box& observed) const;
    /// Sides of at least one pixel.
    [[nodiscard]] Box boxOf(const BoxState& state) const;

private:
    using Values = std::array<double, 4>;
    [[nodiscard]] Values measure(const Box& box) const;
    /// Scale of the noise of each quantity.
    [[nodiscard]] Values spread(const BoxState& state) const;

    MotKalman m_kind;
};

}  // namespace skein::tracking
