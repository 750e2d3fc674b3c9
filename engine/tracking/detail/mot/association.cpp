// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/detail/mot/association.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/profile/profiler.h"

namespace skein::tracking {

namespace {

// Nodes closer together than this have no extent.
constexpr double kNoExtent = 1.0;
// How much worse than the worst admissible pair any other one is.
constexpr double kJustWorse = 1e-5;

bool seen(const PointD& p) {
    return std::isfinite(p.x) && std::isfinite(p.y);
}

void include(Box& box, double x, double y) {
    box.left = std::fmin(box.left, x);
    box.right = std::fmax(box.right, x);
    box.top = std::fmin(box.top, y);
    box.bottom = std::fmax(box.bottom, y);
}

bool hasExtent(const Box& box) {
    return std::max(box.width(), box.height()) >= kNoExtent;
}

}  // namespace

std::pair<double, double> movement(const MotTrack& track, const Box& box, std::int64_t step, std::int64_t deltaT) {
    const Observation* from = &track.observed.back();
    for (const Observation& observation : track.observed)
        if (step - observation.step <= deltaT) {
            from = &observation;
            break;
        }
    return {box.centreX() - from->box.centreX(), box.centreY() - from->box.centreY()};
}

MotSimilarity MotSimilarities::kindFor(const BoxDetection& detection) const {
    const bool single = detection.points.size() == 1;
    if (m_parameters.similarity == MotSimilarity::Auto)
        return single ? MotSimilarity::Centroid : MotSimilarity::Iou;
    if (m_parameters.similarity == MotSimilarity::Oks && single)
        return MotSimilarity::Centroid;
    return m_parameters.similarity;
}

double MotSimilarities::poses(const MotTrack& track, const BoxDetection& detection, double dx, double dy,
                              double area) const {
    const double norm = (2 * m_parameters.oksStddev) * (2 * m_parameters.oksStddev) * 2 *
                        (std::isfinite(area) ? std::max(area, 1.0) : 1.0);
    double sum = 0;
    int shared = 0;
    for (std::size_t k = 0; k < std::min(track.lastPoints.size(), detection.points.size()); ++k) {
        const PointD& a = track.lastPoints[k];
        const PointD& b = detection.points[k];
        if (!seen(a) || !seen(b))
            continue;
        ++shared;
        const double x = a.x + dx - b.x;
        const double y = a.y + dy - b.y;
        sum += std::exp(-(x * x + y * y) / norm);
    }
    return shared == 0 ? 0.0 : sum / shared;
}

double MotSimilarities::compare(const MotTrack& track, const Box& box, const BoxDetection& detection, double bodySize,
                                double dx, double dy, double area) const {
    if (!detection.valid)
        return 0;
    switch (kindFor(detection)) {
        case MotSimilarity::Centroid: {
            const double x = box.centreX() - detection.raw.centreX();
            const double y = box.centreY() - detection.raw.centreY();
            const double scale = 0.5 * bodySize;
            const double s = std::exp(-(x * x + y * y) / (2 * scale * scale));
            return std::isnan(s) ? 0.0 : s;
        }
        case MotSimilarity::Oks:
            return poses(track, detection, dx, dy, area);
        case MotSimilarity::Auto:
        case MotSimilarity::Iou:
            break;
    }
    return overlap(box, detection.padded);
}

double MotSimilarities::expected(const MotTrack& track, const BoxDetection& detection, double bodySize) const {
    const double grown = track.lastPadded.area() > 0 ? track.predicted.area() / track.lastPadded.area() : 1.0;
    return compare(track, track.predicted, detection, bodySize, track.filter[0].value - track.centreX,
                   track.filter[1].value - track.centreY, track.lastRaw.area() * grown);
}

double MotSimilarities::lastSeen(const MotTrack& track, const BoxDetection& detection, double bodySize) const {
    if (track.observed.empty())
        return 0;
    return compare(track, track.observed.back().box, detection, bodySize, 0, 0, track.lastRaw.area());
}

std::optional<double> MotSimilarities::commonPart(const MotTrack& track, const BoxDetection& detection,
                                                  double bodySize) const {
    const double dx = track.filter[0].value - track.centreX;
    const double dy = track.filter[1].value - track.centreY;
    Box a;
    Box b;
    int shared = 0;
    for (std::size_t k = 0; k < std::min(track.lastPoints.size(), detection.points.size()); ++k)
        if (seen(track.lastPoints[k]) && seen(detection.points[k])) {
            ++shared;
            include(a, track.lastPoints[k].x + dx, track.lastPoints[k].y + dy);
            include(b, detection.points[k].x, detection.points[k].y);
        }
    if (shared < 2 || !hasExtent(a) || !hasExtent(b))
        return std::nullopt;
    return overlap(a.padded(m_parameters.boxPadding, kLeastPaddedSide * bodySize),
                   b.padded(m_parameters.boxPadding, kLeastPaddedSide * bodySize));
}

std::optional<std::vector<AssignedPair>> undisputed(const PairScores& pairs) {
    std::vector<AssignedPair> found;
    std::vector<bool> taken(pairs.columns, false);
    for (std::size_t row = 0; row < pairs.rows; ++row) {
        bool has = false;
        for (std::size_t column = 0; column < pairs.columns; ++column) {
            if (!pairs.admissible[pairs.at(row, column)])
                continue;
            if (has || taken[column])
                return std::nullopt;
            has = true;
            taken[column] = true;
            found.push_back({static_cast<std::int32_t>(row), static_cast<std::int32_t>(column)});
        }
    }
    return found;
}

std::vector<AssignedPair> bestThenAdmissible(const PairScores& pairs, Assigner& assigner) {
    const profile::PartSpan part(profile::Part::Assignment);
    std::vector<double> cost(pairs.score.size());
    std::transform(pairs.score.begin(), pairs.score.end(), cost.begin(), std::negate<>());
    std::vector<AssignedPair> kept;
    for (const AssignedPair& pair : assigner.minimise(cost, pairs.rows, pairs.columns))
        if (pairs.admissible[pairs.at(static_cast<std::size_t>(pair.row), static_cast<std::size_t>(pair.column))])
            kept.push_back(pair);
    return kept;
}

std::vector<AssignedPair> bestAbove(const PairScores& pairs, double worth, Assigner& assigner) {
    const profile::PartSpan part(profile::Part::Assignment);
    std::vector<double> cost(pairs.score.size());
    for (std::size_t i = 0; i < cost.size(); ++i)
        cost[i] = pairs.admissible[i] && pairs.score[i] >= worth ? -pairs.score[i] : kJustWorse - worth;
    std::vector<AssignedPair> kept;
    for (const AssignedPair& pair : assigner.minimise(cost, pairs.rows, pairs.columns)) {
        const std::size_t i = pairs.at(static_cast<std::size_t>(pair.row), static_cast<std::size_t>(pair.column));
        if (pairs.admissible[i] && pairs.score[i] >= worth)
            kept.push_back(pair);
    }
    return kept;
}

}  // namespace skein::tracking
