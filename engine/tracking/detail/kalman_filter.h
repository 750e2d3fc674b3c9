// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "engine/tracking/detail/matrix.h"

namespace skein::tracking {

/// What is believed of P points: for each x, its velocity, y, its velocity.
struct MotionState {
    std::vector<double> mean;  ///< 4 P
    Matrix covariance;         ///< 4 P x 4 P

    [[nodiscard]] double x(std::size_t point) const { return mean[4 * point]; }
    [[nodiscard]] double y(std::size_t point) const { return mean[4 * point + 2]; }
    /// Cuts velocities at +-`most` pixels a frame.
    void limitVelocity(double most);
};

/// Linear Kalman filter of points with constant velocity, noise learned from a few observations.
class ConstantVelocityFilter {
public:
    /// `rows` is `[frames, 2 P]`, x, y of each point, NaN where missing; `start` the state before the first row, kept
    /// fixed. Learns process noise, observation noise and start uncertainty in 20 rounds of expectation maximisation
    /// (filter, Rauch-Tung-Striebel smoother, closed-form update), all from identity. A row with anything missing
    /// counts as not observed. nullopt if the numbers got out of hand.
    [[nodiscard]] static std::optional<ConstantVelocityFilter> fit(const Matrix& rows, std::vector<double> start);

    /// Filtered state at the last row of fit().
    [[nodiscard]] const MotionState& fitted() const noexcept { return m_fitted; }

    /// One frame on, without an observation.
    void predict(MotionState& state) const;
    /// One frame on, with an observation of 2 P coordinates; with anything missing in it as predict().
    void update(MotionState& state, std::span<const double> observation) const;

private:
    struct Pass;
    void correct(MotionState& state, std::span<const double> observation) const;
    void filter(const Matrix& rows, Pass& pass) const;
    void smooth(Pass& pass) const;
    void learn(const Matrix& rows, const Pass& pass);

    Matrix m_process;      // Q
    Matrix m_observation;  // R
    std::vector<double> m_start;
    Matrix m_startCovariance;
    MotionState m_fitted;
};

}  // namespace skein::tracking
