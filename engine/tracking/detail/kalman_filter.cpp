// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/detail/kalman_filter.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace skein::tracking {

namespace {

constexpr int kRounds = 20;

std::span<const double> rowOf(const Matrix& matrix, std::size_t row) {
    return matrix.values().subspan(row * matrix.columns(), matrix.columns());
}

bool complete(std::span<const double> observation) {
    return std::none_of(observation.begin(), observation.end(), [](double value) { return std::isnan(value); });
}

/// Positions take on their velocity: the transition A applied from the left, on a vector or on the rows of a matrix.
void advance(std::vector<double>& mean) {
    for (std::size_t i = 0; i + 1 < mean.size(); i += 2)
        mean[i] += mean[i + 1];
}
void advanceRows(Matrix& matrix) {
    for (std::size_t i = 0; i + 1 < matrix.rows(); i += 2)
        for (std::size_t j = 0; j < matrix.columns(); ++j)
            matrix(i, j) += matrix(i + 1, j);
}
/// A' from the right.
void advanceColumns(Matrix& matrix) {
    for (std::size_t i = 0; i < matrix.rows(); ++i)
        for (std::size_t j = 0; j + 1 < matrix.columns(); j += 2)
            matrix(i, j) += matrix(i, j + 1);
}

/// H P H': the positions' part of a covariance.
Matrix positions(const Matrix& covariance) {
    Matrix result(covariance.rows() / 2, covariance.columns() / 2);
    for (std::size_t i = 0; i < result.rows(); ++i)
        for (std::size_t j = 0; j < result.columns(); ++j)
            result(i, j) = covariance(2 * i, 2 * j);
    return result;
}

/// P H'.
Matrix positionColumns(const Matrix& covariance) {
    Matrix result(covariance.rows(), covariance.columns() / 2);
    for (std::size_t i = 0; i < result.rows(); ++i)
        for (std::size_t j = 0; j < result.columns(); ++j)
            result(i, j) = covariance(i, 2 * j);
    return result;
}

void addOuter(Matrix& matrix, std::span<const double> v) {
    for (std::size_t i = 0; i < v.size(); ++i)
        for (std::size_t j = 0; j < v.size(); ++j)
            matrix(i, j) += v[i] * v[j];
}

/// Rounding makes covariances slightly lopsided, and rounds of learning let that grow until it is all that is left.
void symmetrise(Matrix& matrix) {
    for (std::size_t i = 0; i < matrix.rows(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const double mean = (matrix(i, j) + matrix(j, i)) / 2;
            matrix(i, j) = mean;
            matrix(j, i) = mean;
        }
}

bool finite(std::span<const double> values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

void MotionState::limitVelocity(double most) {
    for (std::size_t i = 1; i < mean.size(); i += 2)
        mean[i] = std::clamp(mean[i], -most, most);
}

/// One run over the rows.
struct ConstantVelocityFilter::Pass {
    std::vector<MotionState> predicted, filtered, smoothed;
    std::vector<Matrix> gains;  // of the smoother, between row t and t + 1
};

void ConstantVelocityFilter::predict(MotionState& state) const {
    advance(state.mean);
    advanceColumns(state.covariance);
    advanceRows(state.covariance);
    state.covariance += m_process;
    symmetrise(state.covariance);
}

void ConstantVelocityFilter::correct(MotionState& state, std::span<const double> observation) const {
    if (!complete(observation))
        return;
    Matrix innovation = positions(state.covariance);
    innovation += m_observation;
    const Matrix gain = multiply(positionColumns(state.covariance), pseudoInverse(innovation));
    std::vector<double> surprise(observation.size());
    for (std::size_t i = 0; i < surprise.size(); ++i)
        surprise[i] = observation[i] - state.mean[2 * i];
    const std::vector<double> step = multiply(gain, surprise);
    for (std::size_t i = 0; i < step.size(); ++i)
        state.mean[i] += step[i];
    Matrix seen(observation.size(), state.covariance.columns());
    for (std::size_t i = 0; i < seen.rows(); ++i)
        for (std::size_t j = 0; j < seen.columns(); ++j)
            seen(i, j) = state.covariance(2 * i, j);
    state.covariance -= multiply(gain, seen);
    symmetrise(state.covariance);
}

void ConstantVelocityFilter::update(MotionState& state, std::span<const double> observation) const {
    predict(state);
    correct(state, observation);
}

void ConstantVelocityFilter::filter(const Matrix& rows, Pass& pass) const {
    pass.predicted.clear();
    pass.filtered.clear();
    MotionState state{m_start, m_startCovariance};
    for (std::size_t t = 0; t < rows.rows(); ++t) {
        if (t > 0)
            predict(state);
        pass.predicted.push_back(state);
        correct(state, rowOf(rows, t));
        pass.filtered.push_back(state);
    }
}

void ConstantVelocityFilter::smooth(Pass& pass) const {
    const std::size_t count = pass.filtered.size();
    pass.smoothed = pass.filtered;
    pass.gains.assign(count - 1, Matrix());
    for (std::size_t t = count - 1; t-- > 0;) {
        const MotionState& ahead = pass.predicted[t + 1];
        const MotionState& next = pass.smoothed[t + 1];
        Matrix forward = pass.filtered[t].covariance;
        advanceColumns(forward);
        const Matrix gain = multiply(forward, pseudoInverse(ahead.covariance));
        std::vector<double> difference(next.mean.size());
        for (std::size_t i = 0; i < difference.size(); ++i)
            difference[i] = next.mean[i] - ahead.mean[i];
        const std::vector<double> step = multiply(gain, difference);
        MotionState& smoothed = pass.smoothed[t];
        for (std::size_t i = 0; i < step.size(); ++i)
            smoothed.mean[i] += step[i];
        Matrix spread = next.covariance;
        spread -= ahead.covariance;
        smoothed.covariance += multiply(gain, multiplyTransposed(spread, gain));
        symmetrise(smoothed.covariance);
        pass.gains[t] = gain;
    }
}

void ConstantVelocityFilter::learn(const Matrix& rows, const Pass& pass) {
    const std::size_t count = rows.rows();
    Matrix observation(m_observation.rows(), m_observation.columns());
    double observed = 0;
    for (std::size_t t = 0; t < count; ++t) {
        const auto row = rowOf(rows, t);
        if (!complete(row))
            continue;
        std::vector<double> error(row.size());
        for (std::size_t i = 0; i < error.size(); ++i)
            error[i] = row[i] - pass.smoothed[t].mean[2 * i];
        addOuter(observation, error);
        observation += positions(pass.smoothed[t].covariance);
        ++observed;
    }
    if (observed > 0)
        observation *= 1.0 / observed;
    m_observation = std::move(observation);

    const std::size_t size = m_start.size();
    Matrix process(size, size);
    for (std::size_t t = 0; t + 1 < count; ++t) {
        const MotionState& now = pass.smoothed[t];
        const MotionState& next = pass.smoothed[t + 1];
        std::vector<double> expected = now.mean;
        advance(expected);
        std::vector<double> error(size);
        for (std::size_t i = 0; i < size; ++i)
            error[i] = next.mean[i] - expected[i];
        Matrix moved = now.covariance;
        advanceColumns(moved);
        advanceRows(moved);
        Matrix pair = multiplyTransposed(next.covariance, pass.gains[t]);
        advanceColumns(pair);
        addOuter(process, error);
        process += moved;
        process += next.covariance;
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j < size; ++j)
                process(i, j) -= pair(i, j) + pair(j, i);
    }
    process *= 1.0 / static_cast<double>(count - 1);
    m_process = std::move(process);

    std::vector<double> shift(size);
    for (std::size_t i = 0; i < size; ++i)
        shift[i] = pass.smoothed[0].mean[i] - m_start[i];
    m_startCovariance = pass.smoothed[0].covariance;
    addOuter(m_startCovariance, shift);
}

std::optional<ConstantVelocityFilter> ConstantVelocityFilter::fit(const Matrix& rows, std::vector<double> start) {
    ConstantVelocityFilter filter;
    const std::size_t size = start.size();
    filter.m_process = Matrix::identity(size);
    filter.m_observation = Matrix::identity(rows.columns());
    filter.m_start = std::move(start);
    filter.m_startCovariance = Matrix::identity(size);
    Pass pass;
    for (int round = 0; round < kRounds; ++round) {
        filter.filter(rows, pass);
        filter.smooth(pass);
        filter.learn(rows, pass);
        if (!finite(filter.m_process.values()) || !finite(filter.m_observation.values()))
            return std::nullopt;
    }
    filter.filter(rows, pass);
    filter.m_fitted = pass.filtered.back();
    if (!finite(filter.m_fitted.mean) || !finite(filter.m_fitted.covariance.values()))
        return std::nullopt;
    return filter;
}

}  // namespace skein::tracking
