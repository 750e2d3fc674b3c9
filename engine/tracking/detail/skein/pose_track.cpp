// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/detail/skein/pose_track.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skein::tracking {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Of the body's length and of the usual step; what they are wrong by is learnt from the matches.
constexpr double kNoise = 0.02;
constexpr double kAcceleration = 0.15;
constexpr double kLeastStep = 0.02;
// Where no step could be measured.
constexpr double kGuessedStep = 0.1;
// How much of a node's new place its remembered one takes over: a body bends faster than a detector errs.
constexpr double kFollow = 0.7;
// A node whose squared distance from its expected place is this many variances is not the animal's.
constexpr double kStrange = 12;

bool seen(const PointD& p) {
    return p.x == p.x && p.y == p.y;
}

double square(double v) {
    return v * v;
}

}  // namespace

PoseScales poseScales(double body, double stepP95) {
    PoseScales scales;
    scales.body = body;
    scales.step = std::max(std::isfinite(stepP95) ? stepP95 : kGuessedStep * body, kLeastStep * body);
    scales.acceleration = kAcceleration * scales.step;
    scales.noise = kNoise * body;
    return scales;
}

void PoseMotion::predict(const PoseScales& scales) {
    const double q = square(scales.acceleration);
    x += vx;
    y += vy;
    placeVariance += 2 * covariance + velocityVariance + q / 3;
    covariance += velocityVariance + q / 2;
    velocityVariance += q;
}

void PoseMotion::correct(double placeX, double placeY, double variance) {
    const double total = placeVariance + variance;
    const double gain = placeVariance / total;
    const double velocityGain = covariance / total;
    vx += velocityGain * (placeX - x);
    vy += velocityGain * (placeY - y);
    x += gain * (placeX - x);
    y += gain * (placeY - y);
    velocityVariance -= velocityGain * covariance;
    covariance -= gain * covariance;
    placeVariance -= gain * placeVariance;
}

void PoseTrack::begin(std::span<const PointD> points, const PoseScales& scales) {
    double x = 0, y = 0;
    int visible = 0;
    for (const PointD& p : points)
        if (seen(p)) {
            x += p.x;
            y += p.y;
            ++visible;
        }
    x /= visible;
    y /= visible;
    m_motion = {x, y, 0, 0, square(scales.noise), 0, square(scales.step) / 2};
    m_shape.clear();
    for (const PointD& p : points)
        m_shape.push_back(seen(p) ? PointD{p.x - x, p.y - y} : PointD{kNaN, kNaN});
    hits = 1;
}

PoseFit PoseTrack::fit(std::span<const PointD> points, std::int64_t missed, const PoseScales& scales) const {
    PoseFit fit;
    double shapeX = 0, shapeY = 0;  // mean of the common nodes, as seen from the middle
    double allX = 0, allY = 0;
    int shared = 0, visible = 0;
    const std::size_t nodes = std::min(points.size(), m_shape.size());
    for (std::size_t k = 0; k < nodes; ++k) {
        if (!seen(points[k]))
            continue;
        allX += points[k].x;
        allY += points[k].y;
        ++visible;
        if (!seen(m_shape[k]))
            continue;
        fit.x += points[k].x - m_shape[k].x;
        fit.y += points[k].y - m_shape[k].y;
        shapeX += m_shape[k].x;
        shapeY += m_shape[k].y;
        ++shared;
    }
    const double turned = std::min(2.0, square(scales.turn) * static_cast<double>(missed));
    if (shared == 0) {
        // Nothing in common: the pose lies somewhere on the body.
        fit.x = visible > 0 ? allX / visible : kNaN;
        fit.y = visible > 0 ? allY / visible : kNaN;
        fit.offVariance = m_motion.placeVariance + square(scales.noise) + square(scales.body) / 12;
    } else {
        fit.x /= shared;
        fit.y /= shared;
        shapeX /= shared;
        shapeY /= shared;
        double spread = 0;
        for (std::size_t k = 0; k < nodes; ++k)
            if (seen(points[k]) && seen(m_shape[k])) {
                fit.shapeSquared +=
                    square(points[k].x - m_shape[k].x - fit.x) + square(points[k].y - m_shape[k].y - fit.y);
                spread += square(m_shape[k].x - shapeX) + square(m_shape[k].y - shapeY);
            }
        fit.shapeSquared /= shared;
        if (shared > 1)
            fit.shapeExpected = 2 * square(scales.noise) + turned * spread / shared;
        // Nodes on one side of the body swing about the middle when it turns.
        fit.offVariance =
            m_motion.placeVariance + square(scales.noise) / shared + turned * (square(shapeX) + square(shapeY)) / 2;
    }
    fit.offSquared = square(fit.x - m_motion.x) + square(fit.y - m_motion.y);
    return fit;
}

int PoseTrack::withoutStrangers(std::span<const PointD> points, std::int64_t missed, const PoseScales& scales,
                                double offFactor, double shapeFactor, std::vector<PointD>& kept) const {
    kept.assign(points.begin(), points.end());
    const double turned = std::min(2.0, square(scales.turn) * static_cast<double>(missed));
    const double common = (m_motion.placeVariance + square(scales.noise)) * offFactor;
    int shared = 0, strangers = 0;
    for (std::size_t k = 0; k < std::min(points.size(), m_shape.size()); ++k) {
        if (!seen(points[k]) || !seen(m_shape[k]))
            continue;
        ++shared;
        const double own = square(scales.noise) + turned * (square(m_shape[k].x) + square(m_shape[k].y)) / 2;
        const double away =
            square(points[k].x - m_motion.x - m_shape[k].x) + square(points[k].y - m_motion.y - m_shape[k].y);
        if (away >= kStrange * (common + own * shapeFactor)) {
            kept[k] = {kNaN, kNaN};
            ++strangers;
        }
    }
    return 2 * strangers > shared ? 0 : strangers;
}

void PoseTrack::correct(std::span<const PointD> points, const PoseFit& fit, const PoseScales& scales) {
    m_motion.correct(fit.x, fit.y, std::max(fit.offVariance - m_motion.placeVariance, square(scales.noise) / 100));
    reshape(points);
    ++hits;
}

void PoseTrack::restart(std::span<const PointD> points, const PoseFit& fit, const PoseScales& scales) {
    m_motion = {fit.x, fit.y, 0, 0, square(scales.noise), 0, square(scales.step) / 2};
    reshape(points);
    ++hits;
}

/// Nodes that are seen follow their new places; the others turn as those did (the rotation of least squares).
void PoseTrack::reshape(std::span<const PointD> points) {
    const std::size_t nodes = std::min(points.size(), m_shape.size());
    double oldX = 0, oldY = 0, newX = 0, newY = 0;
    int shared = 0;
    for (std::size_t k = 0; k < nodes; ++k)
        if (seen(points[k]) && seen(m_shape[k])) {
            oldX += m_shape[k].x;
            oldY += m_shape[k].y;
            newX += points[k].x - m_motion.x;
            newY += points[k].y - m_motion.y;
            ++shared;
        }
    double cosine = 1, sine = 0;
    if (shared > 0) {
        oldX /= shared;
        oldY /= shared;
        newX /= shared;
        newY /= shared;
    }
    if (shared > 1) {
        double dot = 0, cross = 0;
        for (std::size_t k = 0; k < nodes; ++k)
            if (seen(points[k]) && seen(m_shape[k])) {
                const double ax = m_shape[k].x - oldX, ay = m_shape[k].y - oldY;
                const double bx = points[k].x - m_motion.x - newX, by = points[k].y - m_motion.y - newY;
                dot += ax * bx + ay * by;
                cross += ax * by - ay * bx;
            }
        const double length = std::hypot(dot, cross);
        if (length > 0) {
            cosine = dot / length;
            sine = cross / length;
        }
    }
    for (std::size_t k = 0; k < nodes; ++k) {
        PointD& node = m_shape[k];
        if (seen(points[k])) {
            const PointD place{points[k].x - m_motion.x, points[k].y - m_motion.y};
            node = seen(node) ? PointD{node.x + kFollow * (place.x - node.x), node.y + kFollow * (place.y - node.y)}
                              : place;
        } else if (seen(node)) {
            const double x = node.x - oldX, y = node.y - oldY;
            node = {newX + cosine * x - sine * y, newY + sine * x + cosine * y};
        }
    }
}

}  // namespace skein::tracking
