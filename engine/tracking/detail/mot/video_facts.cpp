// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/detail/mot/video_facts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skein::tracking {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Two detections with this share of the smaller box in common are one animal seen twice.
constexpr double kDuplicate = 0.5;
// A link between two frames is sure when the second choice is this many times farther, on both sides.
constexpr double kClearlyNearer = 2.0;
// Only chains of sure links of this many detections tell how far an animal steps.
constexpr std::size_t kChain = 10;
// A single point has no size; its step tells one: this many times the 99th percentile, at least 16 px.
constexpr double kBodyFromStep = 8.0;
constexpr double kLeastBody = 16.0;
// Values that RunningFacts remembers, and frames between two looks at them once there are some.
constexpr std::size_t kRemembered = 2048;
constexpr std::int64_t kLookEvery = 16;

/// Distance of each valid detection to the nearest other one that is not the same animal again.
void addSpacings(std::span<const BoxDetection> detections, auto& into) {
    for (std::size_t i = 0; i < detections.size(); ++i) {
        double nearest = kInfinity;
        for (std::size_t j = 0; detections[i].valid && j < detections.size(); ++j) {
            if (i == j || !detections[j].valid)
                continue;
            const double smaller = std::min(detections[i].raw.area(), detections[j].raw.area());
            if (smaller > 0 && commonArea(detections[i].raw, detections[j].raw) / smaller > kDuplicate)
                continue;
            nearest = std::min(nearest, std::hypot(detections[i].raw.centreX() - detections[j].raw.centreX(),
                                                   detections[i].raw.centreY() - detections[j].raw.centreY()));
        }
        if (std::isfinite(nearest))
            into.push_back(nearest);
    }
}

double bodySize(double diagonal, double stepP99, double spacing) {
    if (diagonal > 0)
        return diagonal;
    if (stepP99 > 0)
        return std::min(std::max(kBodyFromStep * stepP99, kLeastBody), spacing > 0 ? spacing : kInfinity);
    return spacing > 0 ? spacing : VideoFacts().bodySize;
}

}  // namespace

double quantileOf(std::vector<double>& values, double quantile) {
    if (values.empty())
        return kNaN;
    const double place = quantile * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::ptrdiff_t>(place);
    std::nth_element(values.begin(), values.begin() + below, values.end());
    const double low = values[static_cast<std::size_t>(below)];
    if (static_cast<std::size_t>(below) + 1 == values.size())
        return low;
    const double high = *std::min_element(values.begin() + below + 1, values.end());
    return low + (high - low) * (place - static_cast<double>(below));
}

void judgeStride(const std::map<std::int64_t, std::int64_t>& deltas, VideoFacts& facts) {
    std::int64_t all = 0;
    std::int64_t most = 0;
    for (const auto& [delta, count] : deltas) {
        all += count;
        if (count > most) {
            most = count;
            facts.stride = delta;
        }
    }
    facts.regular = 2 * most >= all;
}

BoxDetection rawDetection(const Detection& detection, MotScore score) {
    BoxDetection out;
    out.points = detection.points;
    double sum = 0;
    int scored = 0;
    bool anyScore = false;
    for (std::size_t k = 0; k < detection.points.size(); ++k) {
        const PointD& p = detection.points[k];
        if (std::isnan(p.x) || std::isnan(p.y))
            continue;
        if (out.visible++ == 0)
            out.raw = {p.x, p.y, p.x, p.y};
        out.raw.left = std::min(out.raw.left, p.x);
        out.raw.right = std::max(out.raw.right, p.x);
        out.raw.top = std::min(out.raw.top, p.y);
        out.raw.bottom = std::max(out.raw.bottom, p.y);
        if (k < detection.pointScores.size() && std::isfinite(detection.pointScores[k])) {
            sum += detection.pointScores[k];
            anyScore = anyScore || detection.pointScores[k] != 0;
            ++scored;
        }
    }
    out.valid = out.visible > 0;
    if (detection.user || score == MotScore::None)
        out.score = 1;
    else if (score == MotScore::Auto && anyScore)
        out.score = sum / scored;
    else
        out.score = std::isfinite(detection.score) ? detection.score : 0.0;
    out.score = std::clamp(out.score, 0.0, 1.0);
    return out;
}

void prepare(BoxDetection& detection, const VideoFacts& facts, const MotParameters& parameters) {
    if (parameters.normalizeScores)
        detection.score = std::min(1.0, detection.score / std::max(facts.scoreScale, 1e-6));
    if (!detection.valid)
        return;
    const double body = parameters.bodySize.value_or(facts.bodySize);
    const bool point = detection.visible == 1 || std::max(detection.raw.width(), detection.raw.height()) < 1;
    detection.padded = point ? Box::around(detection.raw.centreX(), detection.raw.centreY(), body, body)
                             : detection.raw.padded(parameters.boxPadding, kLeastPaddedSide * body);
}

void VideoMeasure::add(std::int64_t frameIndex, std::span<const BoxDetection> detections) {
    if (!m_frames.empty() && frameIndex > m_frames.back())
        ++m_deltas[frameIndex - m_frames.back()];
    m_frames.push_back(frameIndex);
    addSpacings(detections, m_spacings);
    for (const BoxDetection& detection : detections) {
        if (!detection.valid)
            continue;
        m_places.push_back({detection.raw.centreX(), detection.raw.centreY()});
        m_scores.push_back(detection.score);
        if (detection.visible >= 2)
            m_diagonals.push_back(std::hypot(detection.raw.width(), detection.raw.height()));
    }
    m_ends.push_back(m_places.size());
}

/// Steps of animals along chains of links that leave no doubt.
std::vector<double> VideoMeasure::steps(double farthest) const {
    std::vector<double> found;
    struct Chain {
        std::size_t length = 1;
        std::vector<double> waiting;  // until it is long enough to be believed
    };
    std::vector<Chain> chains, next;
    VideoFacts time;
    judgeStride(m_deltas, time);
    std::size_t begin = 0;
    for (std::size_t f = 0; f < m_ends.size(); ++f) {
        const std::size_t previous = f == 0 ? 0 : (f == 1 ? 0 : m_ends[f - 2]);
        const std::size_t before = f == 0 ? 0 : begin - previous;
        const std::size_t now = m_ends[f] - begin;
        next.assign(now, {});
        const double spread = f == 0 || !time.regular
                                  ? 1.0
                                  : std::max(1.0, std::nearbyint(static_cast<double>(m_frames[f] - m_frames[f - 1]) /
                                                                 static_cast<double>(time.stride)));
        const auto distance = [&](std::size_t a, std::size_t b) {
            return std::hypot(m_places[previous + a].x - m_places[begin + b].x,
                              m_places[previous + a].y - m_places[begin + b].y);
        };
        for (std::size_t a = 0; a < before; ++a) {
            // Nearest and second nearest, from a and then back from its nearest.
            std::size_t best = now;
            double first = kInfinity;
            double second = kInfinity;
            for (std::size_t b = 0; b < now; ++b) {
                const double d = distance(a, b);
                if (d < first) {
                    second = first;
                    first = d;
                    best = b;
                } else {
                    second = std::min(second, d);
                }
            }
            if (best == now || !(first < farthest) || second < kClearlyNearer * first)
                continue;
            bool sure = true;
            for (std::size_t other = 0; other < before && sure; ++other)
                sure = other == a || distance(other, best) >= std::max(kClearlyNearer * first, 1e-9);
            if (!sure)
                continue;
            Chain chain = std::move(chains[a]);
            ++chain.length;
            if (chain.length < kChain) {
                chain.waiting.push_back(first / spread);
            } else {
                found.insert(found.end(), chain.waiting.begin(), chain.waiting.end());
                chain.waiting.clear();
                found.push_back(first / spread);
            }
            next[best] = std::move(chain);
        }
        std::swap(chains, next);
        begin = m_ends[f];
    }
    return found;
}

VideoFacts VideoMeasure::facts() const {
    VideoFacts facts;
    judgeStride(m_deltas, facts);
    std::vector<double> values = m_scores;
    if (!values.empty())
        facts.scoreScale = quantileOf(values, 0.95);
    values = m_spacings;
    const double spacing = quantileOf(values, 0.5);
    std::vector<double> walked = steps(spacing > 0 ? 0.5 * spacing : kInfinity);
    facts.stepP95 = quantileOf(walked, 0.95);
    values = m_diagonals;
    facts.bodySize = bodySize(quantileOf(values, 0.5), quantileOf(walked, 0.99), spacing);
    return facts;
}

void RunningFacts::add(std::int64_t frameIndex, std::span<const BoxDetection> detections) {
    if (m_added > 0 && frameIndex > m_lastFrame)
        ++m_deltas[frameIndex - m_lastFrame];
    m_lastFrame = frameIndex;
    addSpacings(detections, m_spacings);
    for (const BoxDetection& detection : detections) {
        if (!detection.valid)
            continue;
        m_scores.push_back(detection.score);
        if (detection.visible >= 2)
            m_diagonals.push_back(std::hypot(detection.raw.width(), detection.raw.height()));
    }
    for (auto* values : {&m_diagonals, &m_scores, &m_spacings})
        while (values->size() > kRemembered)
            values->pop_front();
    judgeStride(m_deltas, m_facts);
    if (m_added++ > 4 * kLookEvery && m_added % kLookEvery != 0)
        return;
    std::vector<double> values(m_scores.begin(), m_scores.end());
    if (!values.empty())
        m_facts.scoreScale = quantileOf(values, 0.95);
    values.assign(m_diagonals.begin(), m_diagonals.end());
    const double diagonal = quantileOf(values, 0.5);
    values.assign(m_spacings.begin(), m_spacings.end());
    // Without any extent half the usual distance of two animals has to do.
    m_facts.bodySize = bodySize(diagonal, kNaN, 0.5 * quantileOf(values, 0.5));
}

}  // namespace skein::tracking
