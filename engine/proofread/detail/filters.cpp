// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proofread/detail/filters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace skein::proofread {

namespace {

constexpr int kMostCoefficients = 6;

/// Value at 0 of the polynomial that fits best; the order falls where there are too few points.
double fitAtZero(std::span<const double> times, std::span<const double> values, int order) {
    const int n = std::min<int>(order + 1, static_cast<int>(times.size()));
    std::array<std::array<double, kMostCoefficients + 1>, kMostCoefficients> m{};
    for (std::size_t k = 0; k < times.size(); ++k) {
        std::array<double, 2 * kMostCoefficients> powers{};
        powers[0] = 1;
        for (int p = 1; p < 2 * n - 1; ++p)
            powers[static_cast<std::size_t>(p)] = powers[static_cast<std::size_t>(p - 1)] * times[k];
        for (int r = 0; r < n; ++r) {
            auto& row = m[static_cast<std::size_t>(r)];
            for (int c = 0; c < n; ++c)
                row[static_cast<std::size_t>(c)] += powers[static_cast<std::size_t>(r + c)];
            row[static_cast<std::size_t>(n)] += powers[static_cast<std::size_t>(r)] * values[k];
        }
    }
    // Gauss-Jordan with partial pivoting; times are scaled to -1..1, so that the system stays tame.
    for (int p = 0; p < n; ++p) {
        int best = p;
        for (int r = p + 1; r < n; ++r)
            if (std::abs(m[static_cast<std::size_t>(r)][static_cast<std::size_t>(p)]) >
                std::abs(m[static_cast<std::size_t>(best)][static_cast<std::size_t>(p)]))
                best = r;
        std::swap(m[static_cast<std::size_t>(p)], m[static_cast<std::size_t>(best)]);
        auto& pivot = m[static_cast<std::size_t>(p)];
        if (std::abs(pivot[static_cast<std::size_t>(p)]) < 1e-12)
            return fitAtZero(times, values, order - 1);
        for (int r = 0; r < n; ++r) {
            if (r == p)
                continue;
            auto& row = m[static_cast<std::size_t>(r)];
            const double factor = row[static_cast<std::size_t>(p)] / pivot[static_cast<std::size_t>(p)];
            for (int c = p; c <= n; ++c)
                row[static_cast<std::size_t>(c)] -= factor * pivot[static_cast<std::size_t>(c)];
        }
    }
    return m[0][static_cast<std::size_t>(n)] / m[0][0];
}

void savitzkyGolay(std::span<const std::int64_t> frames, std::span<double> values, const SmoothOptions& options) {
    const std::vector<double> raw(values.begin(), values.end());
    const std::int64_t half = options.window / 2;
    std::vector<double> times;
    std::size_t first = 0, end = 0;
    for (std::size_t k = 0; k < frames.size(); ++k) {
        while (frames[k] - frames[first] > half)
            ++first;
        while (end < frames.size() && frames[end] - frames[k] <= half)
            ++end;
        times.clear();
        for (std::size_t j = first; j < end; ++j)
            times.push_back(static_cast<double>(frames[j] - frames[k]) / static_cast<double>(half));
        values[k] = fitAtZero(times, std::span(raw).subspan(first, end - first), options.order);
    }
}

void oneEuro(std::span<const std::int64_t> frames, std::span<double> values, const SmoothOptions& options) {
    const auto share = [](double cutoff, double seconds) {
        const double r = 2 * std::numbers::pi * cutoff * seconds;
        return r / (r + 1);
    };
    double rawBefore = values[0], slope = 0;
    for (std::size_t k = 1; k < values.size(); ++k) {
        const double seconds = static_cast<double>(frames[k] - frames[k - 1]) / options.framesPerSecond;
        const double raw = values[k];
        const double slopeShare = share(1, seconds);
        slope += slopeShare * ((raw - rawBefore) / seconds - slope);
        rawBefore = raw;
        values[k] =
            values[k - 1] + share(options.minCutoff + options.beta * std::abs(slope), seconds) * (raw - values[k - 1]);
    }
}

/// Variance of the measurements, from second differences of neighbouring frames: white noise of variance r has second
/// differences of variance 6 r, and smooth movement adds little.
double noiseOf(std::span<const std::int64_t> frames, std::span<const double> values) {
    std::vector<double> second;
    for (std::size_t k = 2; k < values.size(); ++k)
        if (frames[k] - frames[k - 2] == 2)
            second.push_back(std::abs(values[k] - 2 * values[k - 1] + values[k - 2]));
    if (second.empty())
        return 0;
    const auto middle = second.begin() + static_cast<std::ptrdiff_t>(second.size() / 2);
    std::nth_element(second.begin(), middle, second.end());
    return 1.4826 * 1.4826 * *middle * *middle / 6;
}

struct State {
    double x = 0, v = 0;            // mean
    double xx = 0, xv = 0, vv = 0;  // covariance
};

State predicted(const State& s, double dt, double q) {
    return {s.x + dt * s.v, s.v, s.xx + 2 * dt * s.xv + dt * dt * s.vv + q * dt * dt * dt / 3,
            s.xv + dt * s.vv + q * dt * dt / 2, s.vv + q * dt};
}

void kalmanRts(std::span<const std::int64_t> frames, std::span<double> values, const SmoothOptions& options) {
    const double r = noiseOf(frames, values);
    if (!(r > 0))
        return;  // nothing to calm
    const double q = r / (options.timeConstant * options.timeConstant * options.timeConstant);
    std::vector<State> filtered(values.size()), ahead(values.size());
    State state{values[0], 0, r, 0, 1e6 * r};
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (k > 0)
            state = predicted(state, static_cast<double>(frames[k] - frames[k - 1]), q);
        ahead[k] = state;
        const double gain = state.xx / (state.xx + r), gainV = state.xv / (state.xx + r);
        const double off = values[k] - state.x;
        state = {state.x + gain * off, state.v + gainV * off, (1 - gain) * state.xx, (1 - gain) * state.xv,
                 state.vv - gainV * state.xv};
        filtered[k] = state;
    }
    State smoothed = filtered.back();
    values.back() = smoothed.x;
    for (std::size_t k = values.size() - 1; k-- > 0;) {
        const State &f = filtered[k], &a = ahead[k + 1];
        const double dt = static_cast<double>(frames[k + 1] - frames[k]);
        // Gain: covariance of the filtered state with the next one, times the inverse of the next one's.
        const double xx = f.xx + dt * f.xv, xv = f.xv, vx = f.xv + dt * f.vv, vv = f.vv;
        const double determinant = a.xx * a.vv - a.xv * a.xv;
        if (!(determinant > 0))
            return;
        const double gXX = (xx * a.vv - xv * a.xv) / determinant, gXV = (xv * a.xx - xx * a.xv) / determinant;
        const double gVX = (vx * a.vv - vv * a.xv) / determinant, gVV = (vv * a.xx - vx * a.xv) / determinant;
        const double dx = smoothed.x - a.x, dv = smoothed.v - a.v;
        smoothed.x = f.x + gXX * dx + gXV * dv;
        smoothed.v = f.v + gVX * dx + gVV * dv;
        values[k] = smoothed.x;
    }
}

}  // namespace

void filterSeries(std::span<const std::int64_t> frames, std::span<double> values, const SmoothOptions& options) {
    if (values.size() < 2)
        return;
    switch (options.method) {
        case SmoothMethod::SavitzkyGolay:
            savitzkyGolay(frames, values, options);
            break;
        case SmoothMethod::OneEuro:
            oneEuro(frames, values, options);
            break;
        case SmoothMethod::KalmanRts:
            kalmanRts(frames, values, options);
            break;
    }
}

}  // namespace skein::proofread
