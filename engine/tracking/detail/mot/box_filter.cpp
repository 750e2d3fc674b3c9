// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/detail/mot/box_filter.h"

namespace skein::tracking {

namespace {

// Noise as a share of the box's size (DeepSORT's), of a position and of a velocity.
constexpr double kPosition = 1.0 / 20;
constexpr double kVelocity = 1.0 / 160;
// An aspect ratio's noise does not depend on the size.
constexpr double kAspect = 1e-2, kAspectVelocity = 1e-5, kAspectObserved = 1e-1;

constexpr double kLeastSide = 1.0;
constexpr double kLeastRatio = 1e-6;

constexpr double square(double x) {
    return x * x;
}

/// Variances of SORT's filter: x, y, area, ratio.
struct SortNoise {
    std::array<double, 4> value{10, 10, 10, 10};
    std::array<double, 4> velocity{1e4, 1e4, 1e4, 0};  // the ratio has no velocity
    std::array<double, 4> valueStep{1, 1, 1, 1};
    std::array<double, 4> velocityStep{1e-2, 1e-2, 1e-4, 0};
    std::array<double, 4> observed{1, 1, 10, 10};
};
constexpr SortNoise kSort;

}  // namespace

BoxFilter::Values BoxFilter::measure(const Box& box) const {
    const double width = std::max(box.width(), kLeastSide);
    const double height = std::max(box.height(), kLeastSide);
    switch (m_kind) {
        case MotKalman::Xysr:
            return {box.centreX(), box.centreY(), width * height, width / height};
        case MotKalman::Xyah:
            return {box.centreX(), box.centreY(), width / height, height};
        case MotKalman::Auto:
        case MotKalman::Xywh:
            break;
    }
    return {box.centreX(), box.centreY(), width, height};
}

Box BoxFilter::boxOf(const BoxState& state) const {
    double width = state[2].value;
    double height = state[3].value;
    if (m_kind == MotKalman::Xysr) {
        const double area = std::max(state[2].value, kLeastSide);
        const double ratio = std::max(state[3].value, kLeastRatio);
        width = std::sqrt(area * ratio);
        height = std::sqrt(area / ratio);
    } else if (m_kind == MotKalman::Xyah) {
        height = std::max(state[3].value, kLeastSide);
        width = state[2].value * height;
    }
    return Box::around(state[0].value, state[1].value, std::max(width, kLeastSide), std::max(height, kLeastSide));
}

BoxFilter::Values BoxFilter::spread(const BoxState& state) const {
    const double height = std::max(state[3].value, kLeastSide);
    if (m_kind == MotKalman::Xyah)
        return {height, height, 1.0, height};
    const double width = std::max(state[2].value, kLeastSide);
    return {width, height, width, height};
}

BoxState BoxFilter::begin(const Box& box) const {
    BoxState state;
    const Values values = measure(box);
    for (std::size_t i = 0; i < state.size(); ++i)
        state[i].value = values[i];
    const Values scale = spread(state);
    for (std::size_t i = 0; i < state.size(); ++i) {
        if (m_kind == MotKalman::Xysr) {
            state[i].valueVariance = kSort.value[i];
            state[i].velocityVariance = kSort.velocity[i];
        } else if (m_kind == MotKalman::Xyah && i == 2) {
            state[i].valueVariance = square(kAspect);
            state[i].velocityVariance = square(kAspectVelocity);
        } else {
            state[i].valueVariance = square(2 * kPosition * scale[i]);
            state[i].velocityVariance = square(10 * kVelocity * scale[i]);
        }
    }
    return state;
}

void BoxFilter::predict(BoxState& state, bool sizeHolds) const {
    if (sizeHolds) {
        // As the published trackers: area or height; a width may go on.
        state[m_kind == MotKalman::Xysr ? 2 : 3].velocity = 0;
    }
    const Values scale = spread(state);
    for (std::size_t i = 0; i < state.size(); ++i) {
        AxisState& axis = state[i];
        if (i >= 2 && axis.value + axis.velocity <= 0)
            axis.velocity = 0;  // a size must not shrink through zero
        double valueNoise = kSort.valueStep[i];
        double velocityNoise = kSort.velocityStep[i];
        if (m_kind != MotKalman::Xysr) {
            const bool aspect = m_kind == MotKalman::Xyah && i == 2;
            valueNoise = aspect ? square(kAspect) : square(kPosition * scale[i]);
            velocityNoise = aspect ? square(kAspectVelocity) : square(kVelocity * scale[i]);
        }
        axis.value += axis.velocity;
        axis.valueVariance += 2 * axis.covariance + axis.velocityVariance + valueNoise;
        axis.covariance += axis.velocityVariance;
        axis.velocityVariance += velocityNoise;
    }
}

void BoxFilter::correct(BoxState& state, const Box& observed) const {
    if (!observed.exists())
        return;
    const Values values = measure(observed);
    const Values scale = spread(state);
    for (std::size_t i = 0; i < state.size(); ++i) {
        AxisState& axis = state[i];
        const bool aspect = m_kind == MotKalman::Xyah && i == 2;
        const double noise = m_kind == MotKalman::Xysr
                                 ? kSort.observed[i]
                                 : (aspect ? square(kAspectObserved) : square(kPosition * scale[i]));
        const double sum = axis.valueVariance + noise;
        const double valueGain = axis.valueVariance / sum;
        const double velocityGain = axis.covariance / sum;
        const double surprise = values[i] - axis.value;
        axis.value += valueGain * surprise;
        axis.velocity += velocityGain * surprise;
        // Joseph's form: stays positive whatever the rounding.
        const double rest = 1 - valueGain;
        const double value = axis.valueVariance;
        const double cross = axis.covariance;
        axis.valueVariance = square(rest) * value + square(valueGain) * noise;
        axis.covariance = rest * (cross - velocityGain * value) + valueGain * velocityGain * noise;
        axis.velocityVariance += velocityGain * (velocityGain * (value + noise) - 2 * cross);
    }
}

}  // namespace skein::tracking
