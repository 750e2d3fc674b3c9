// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/detail/skein/skein_tracker.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/tracking/culling.h"

namespace skein::tracking {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Steps for which a track is expected where it would be by its velocity; then it ends.
constexpr std::int64_t kCoast = 5;
// The same for one that is not confirmed.
constexpr std::int64_t kTentativeCoast = 2;
// Degrees of freedom of the likelihood's tails: animals start and turn more suddenly than a bell curve says.
constexpr double kTails = 8;
// A pair that costs more is none.
constexpr double kDearest = 9;
// Each node of a pose that is taken for another animal's costs this much.
constexpr double kStranger = 2;
// A track of few detections may be a mistake: an older one has the better claim.
constexpr double kYoung = 2;
// A detection that scores less than this share of what the track's usually do is doubtful.
constexpr double kDoubtful = 0.5;
constexpr double kScoreMemory = 0.1;
// An animal that did the unforeseen is looked for this many bodies (and three usual steps) around, for so many steps.
constexpr double kStrayBodies = 0.5;
constexpr std::int64_t kStraySteps = 2;
// Two poses whose nodes are this share of a body apart are one animal found twice.
constexpr double kDouble = 0.1;
constexpr int kHitsToConfirm = 3;
// Spreads are learnt from the last so many matches of tracks that have settled, and looked at now and then.
constexpr std::size_t kRemembered = 256, kLookEvery = 16;
constexpr int kSettled = 4;
constexpr double kLeastFactor = 0.5, kMostFactor = 50;
// Medians of the chi-square distributions with two degrees of freedom and with one.
constexpr double kMedianOff = 1.386, kMedianShape = 0.455;

}  // namespace

void LearntSpread::add(double value) {
    if (m_values.size() < kRemembered)
        m_values.push_back(value);
    else
        m_values[m_next] = value;
    m_next = (m_next + 1) % kRemembered;
    if (++m_added % kLookEvery != 0)
        return;
    m_work = m_values;
    const auto middle = m_work.begin() + static_cast<std::ptrdiff_t>(m_work.size() / 2);
    std::nth_element(m_work.begin(), middle, m_work.end());
    m_factor = std::clamp(*middle / m_median, kLeastFactor, kMostFactor);
}

SkeinTracker::SkeinTracker(const TrackerOptions& options, std::optional<VideoFacts> facts)
    : m_options(options),
      m_known(facts),
      // With a known number of animals the linking decides what is one; else a track must show that it lasts.
      m_hitsToConfirm(options.mot.minHits.value_or(options.maxTracks ? 1 : kHitsToConfirm)),
      m_offSpread(kMedianOff),
      m_shapeSpread(kMedianShape) {}

/// Moves time on to `frameIndex`: tracks are predicted, those that nobody has seen for too long end.
void SkeinTracker::advance(std::int64_t frameIndex) {
    const VideoFacts& facts = m_known ? *m_known : m_learned.facts();
    m_scales = poseScales(m_options.mot.bodySize.value_or(facts.bodySize), facts.stepP95);
    std::int64_t steps = 1;
    const bool byFrames =
        m_options.mot.time == MotTime::Frames || (m_options.mot.time == MotTime::Auto && facts.regular);
    if (m_lastFrame && byFrames)
        steps = std::max<std::int64_t>(
            1, std::llrint(static_cast<double>(frameIndex - *m_lastFrame) / static_cast<double>(facts.stride)));
    m_lastFrame = frameIndex;
    m_step += steps;
    std::erase_if(m_tracks, [this](const PoseTrack& track) {
        return m_step - track.step > (track.identity >= 0 ? kCoast : kTentativeCoast);
    });
    for (PoseTrack& track : m_tracks)
        for (std::int64_t k = 0; k < steps; ++k)
            track.predict(m_scales);
}

/// Logarithm of how much less likely the pair is than a perfect one that was expected to be exact.
double SkeinTracker::costOf(const PoseFit& fit) const {
    const double offFactor = m_offSpread.factor();
    const double tail = (kTails + 2) / 2;
    double cost =
        tail * std::log1p(fit.off() / (offFactor * kTails)) +
        std::log(fit.offVariance / (m_scales.noise * m_scales.noise + m_scales.acceleration * m_scales.acceleration));
    if (fit.shapeExpected > 0)
        cost += (kTails + 1) / 2 * std::log1p(fit.shape() / (m_shapeSpread.factor() * kTails)) +
                0.5 * std::log(fit.shapeExpected / (2 * m_scales.noise * m_scales.noise));
    return cost;
}

/// Lays every detection upon every track that is near enough to be meant.
void SkeinTracker::lay() {
    m_fits.resize(m_tracks.size() * m_detections.size());
    m_mixedFits.resize(m_fits.size());
    m_costs.assign(m_fits.size(), kInfinity);
    m_mixedCosts.assign(m_fits.size(), kInfinity);
    for (std::size_t t = 0; t < m_tracks.size(); ++t) {
        const std::int64_t missed = m_step - m_tracks[t].step;
        const double farthest = m_scales.body + 3 * m_scales.step * static_cast<double>(missed);
        for (std::size_t d = 0; d < m_detections.size(); ++d) {
            if (!m_detections[d].valid)
                continue;
            const Box& box = m_detections[d].raw;
            const PointD middle = m_tracks[t].middle();
            const double x = std::max({0.0, box.left - middle.x, middle.x - box.right});
            const double y = std::max({0.0, box.top - middle.y, middle.y - box.bottom});
            if (x > farthest || y > farthest)
                continue;
            const std::size_t i = t * m_detections.size() + d;
            m_fits[i] = m_tracks[t].fit(m_detections[d].points, missed, m_scales);
            m_mixedFits[i] = m_fits[i];
            const double cost = costOf(m_fits[i]);
            if (m_fits[i].offSquared <= farthest * farthest)
                m_costs[i] = m_mixedCosts[i] = cost;
            if (const int strangers = cost > kStranger ? leaveStrangers(t, d) : 0; strangers > 0) {
                PoseFit part = m_tracks[t].fit(m_kept, missed, m_scales);
                part.strangers = strangers;
                const double partCost = costOf(part) + kStranger * strangers;
                if (partCost < cost && part.offSquared <= farthest * farthest) {
                    m_mixedFits[i] = part;
                    m_mixedCosts[i] = partCost;
                }
            }
        }
    }
}

int SkeinTracker::leaveStrangers(std::size_t track, std::size_t detection) {
    const PoseTrack& t = m_tracks[track];
    return t.withoutStrangers(m_detections[detection].points, m_step - t.step, m_scales, m_offSpread.factor(),
                              m_shapeSpread.factor(), m_kept);
}

void SkeinTracker::take(std::size_t track, std::size_t detection, const PoseFit& fit, bool foreseen) {
    PoseTrack& t = m_tracks[track];
    const BoxDetection& found = m_detections[detection];
    const double off = fit.off();
    m_scores[detection] = std::exp(-0.5 * off / (m_offSpread.factor() * kTails));
    const bool whole = fit.strangers == 0;
    std::span<const PointD> points = found.points;
    if (!whole && leaveStrangers(track, detection) > 0)
        points = m_kept;
    if (foreseen && whole && m_step - t.step == 1 && t.hits >= kSettled) {
        m_offSpread.add(off);
        if (fit.shapeExpected > 0)
            m_shapeSpread.add(fit.shape());
    }
    if (foreseen)
        t.correct(points, fit, m_scales);
    else
        t.restart(points, fit, m_scales);
    t.step = m_step;
    t.score += kScoreMemory * (found.score - t.score);
    m_trackOf[detection] = static_cast<int>(track);
    m_detectionOf[track] = static_cast<int>(detection);
}

/// Best assignment among the tracks and detections that are left; a pair dearer than kDearest counts as none.
void SkeinTracker::matchStage(Stage stage) {
    const bool mixed = stage == Stage::Mixed;
    m_rows.clear();
    m_columns.clear();
    for (std::size_t t = 0; t < m_tracks.size(); ++t)
        if (m_detectionOf[t] < 0)
            m_rows.push_back(t);
    for (std::size_t d = 0; d < m_detections.size(); ++d)
        if (m_trackOf[d] < 0 && m_detections[d].valid)
            m_columns.push_back(d);
    // What a pair saves against leaving both alone; not to pair saves nothing.
    m_stage.assign(m_rows.size() * m_columns.size(), 0.0);
    for (std::size_t r = 0; r < m_rows.size(); ++r)
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            const double cost = (mixed ? m_mixedCosts : m_costs)[m_rows[r] * m_detections.size() + m_columns[c]] +
                                (m_tracks[m_rows[r]].hits < kSettled ? kYoung : 0);
            const bool sure = m_detections[m_columns[c]].score >= kDoubtful * m_tracks[m_rows[r]].score;
            if (cost < kDearest && (sure || stage != Stage::Sure))
                m_stage[r * m_columns.size() + c] = cost - kDearest;
        }
    for (const AssignedPair& pair : m_assigner.minimise(m_stage, m_rows.size(), m_columns.size())) {
        const auto r = static_cast<std::size_t>(pair.row), c = static_cast<std::size_t>(pair.column);
        if (m_stage[r * m_columns.size() + c] < 0)
            take(m_rows[r], m_columns[c],
                 (mixed ? m_mixedFits : m_fits)[m_rows[r] * m_detections.size() + m_columns[c]], true);
    }
}

/// An animal that jumped: where one track and one detection are left and nobody else is near, they belong together.
void SkeinTracker::findStrays() {
    const auto near = [this](std::size_t t, std::size_t d) {
        const std::int64_t missed = m_step - m_tracks[t].step;
        const double farthest = kStrayBodies * m_scales.body + 3 * m_scales.step * static_cast<double>(missed);
        return missed <= kStraySteps && m_detectionOf[t] < 0 && m_trackOf[d] < 0 &&
               m_costs[t * m_detections.size() + d] < kInfinity && fitOf(t, d).offSquared <= farthest * farthest;
    };
    for (std::size_t t = 0; t < m_tracks.size(); ++t) {
        std::size_t found = m_detections.size();
        int count = 0;
        for (std::size_t d = 0; d < m_detections.size(); ++d)
            if (near(t, d)) {
                found = d;
                ++count;
            }
        if (count != 1)
            continue;
        int claims = 0;
        for (std::size_t other = 0; other < m_tracks.size(); ++other)
            claims += near(other, found) ? 1 : 0;
        if (claims == 1)
            take(t, found, fitOf(t, found), false);
    }
}

bool SkeinTracker::isDouble(std::size_t detection) const {
    for (std::size_t d = 0; d < m_detections.size(); ++d) {
        if (d == detection || m_trackOf[d] < 0)
            continue;
        double sum = 0;
        int shared = 0;
        const auto& a = m_detections[detection].points;
        const auto& b = m_detections[d].points;
        for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
            const double distance = std::hypot(a[k].x - b[k].x, a[k].y - b[k].y);
            if (distance == distance) {
                sum += distance;
                ++shared;
            }
        }
        if (shared > 0 && sum <= kDouble * m_scales.body * shared)
            return true;
    }
    return false;
}

/// A detector may find one animal in two pieces: what fits a track that has its detection, and shares no node with it.
bool SkeinTracker::isPart(std::size_t detection) const {
    for (std::size_t t = 0; t < m_detectionOf.size(); ++t) {
        if (m_detectionOf[t] < 0 || !(m_costs[t * m_detections.size() + detection] < kDearest))
            continue;
        const auto& part = m_detections[detection].points;
        const auto& found = m_detections[static_cast<std::size_t>(m_detectionOf[t])].points;
        bool shared = false;
        for (std::size_t k = 0; k < std::min(part.size(), found.size()); ++k)
            shared = shared || (part[k].x == part[k].x && found[k].x == found[k].x);
        if (!shared)
            return true;
    }
    return false;
}

void SkeinTracker::spawnRest() {
    for (std::size_t d = 0; d < m_detections.size(); ++d) {
        if (m_trackOf[d] >= 0 || !m_detections[d].valid || isDouble(d) || isPart(d))
            continue;
        PoseTrack track;
        track.key = static_cast<int>(m_identities.size());
        track.step = m_step;
        track.score = m_detections[d].score;
        track.begin(m_detections[d].points, m_scales);
        m_identities.push_back(-1);
        m_trackOf[d] = static_cast<int>(m_tracks.size());
        m_scores[d] = 1;
        m_tracks.push_back(std::move(track));
    }
}

std::vector<Assignment> SkeinTracker::update(std::int64_t frameIndex, std::span<const Detection> detections,
                                             const Image* /*image*/) {
    SKEIN_EXPECTS(!m_lastFrame || frameIndex >= *m_lastFrame, "frames must be tracked in ascending order");
    std::vector<std::size_t> culled;
    if (m_options.preCullToTarget)
        culled = beyondCount(detections, static_cast<std::size_t>(m_options.targetInstanceCount.value_or(0)),
                             m_options.preCullIou);
    m_detections.clear();
    m_places.clear();
    for (std::size_t i = 0; i < detections.size(); ++i)
        if (!std::binary_search(culled.begin(), culled.end(), i)) {
            m_places.push_back(i);
            m_detections.push_back(rawDetection(detections[i], m_options.mot.score));
        }
    if (!m_known)
        m_learned.add(frameIndex, m_detections);

    advance(frameIndex);
    m_trackOf.assign(m_detections.size(), -1);
    m_detectionOf.assign(m_tracks.size(), -1);
    m_scores.assign(m_detections.size(), 0.0);
    lay();
    matchStage(Stage::Sure);
    matchStage(Stage::Doubtful);
    matchStage(Stage::Mixed);
    findStrays();
    spawnRest();

    std::vector<Assignment> out;
    out.reserve(m_detections.size());
    m_keys.assign(m_detections.size(), -1);
    m_middles.assign(m_detections.size(), {std::nan(""), std::nan("")});
    for (std::size_t d = 0; d < m_detections.size(); ++d) {
        int identity = -1;
        if (m_trackOf[d] >= 0) {
            PoseTrack& track = m_tracks[static_cast<std::size_t>(m_trackOf[d])];
            if (track.identity < 0 && track.hits >= m_hitsToConfirm) {
                track.identity = m_nextIdentity++;
                m_identities[static_cast<std::size_t>(track.key)] = track.identity;
            }
            identity = track.identity;
            m_keys[d] = track.key;
            m_middles[d] = track.middle();
        }
        out.push_back({m_places[d], identity, m_scores[d]});
    }
    return out;
}

}  // namespace skein::tracking
