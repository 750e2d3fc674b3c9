// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/detail/mot/mot_tracker.h"

#include <algorithm>
#include <cmath>

#include "engine/tracking/culling.h"

namespace skein::tracking {

namespace {

std::unique_ptr<MotAlgorithm> algorithmOf(const MotParameters& parameters) {
    switch (parameters.tracker) {
        case TrackerKind::ByteTrack:
            return makeByteTrack(parameters);
        case TrackerKind::OcSort:
            return makeOcSort(parameters);
        case TrackerKind::Classic:
        case TrackerKind::Skein:
        case TrackerKind::Sort:
            break;
    }
    return makeSort(parameters);
}

Box between(const Box& from, const Box& to, double share) {
    const auto mix = [share](double a, double b) { return (1 - share) * a + share * b; };
    return Box::around(mix(from.centreX(), to.centreX()), mix(from.centreY(), to.centreY()),
                       mix(from.width(), to.width()), mix(from.height(), to.height()));
}

}  // namespace

MotTracker::MotTracker(const TrackerOptions& options, std::optional<VideoFacts> facts)
    : m_options(options),
      m_parameters(motParameters(options.tracker, options.mot, options.oksStddev)),
      m_algorithm(algorithmOf(m_parameters)),
      m_life(m_algorithm->life()),
      m_filter(m_parameters.kalman),
      m_known(facts) {}

/// Moves time on to `frameIndex`: tracks are predicted, those that nobody would have seen for too long end.
void MotTracker::advance(std::int64_t frameIndex) {
    const VideoFacts& facts = m_known ? *m_known : m_learned.facts();
    std::int64_t steps = 1;
    const bool byFrames = m_parameters.time == MotTime::Frames || (m_parameters.time == MotTime::Auto && facts.regular);
    if (m_lastFrame && byFrames)
        steps = std::max<std::int64_t>(1, std::llrint(std::nearbyint(static_cast<double>(frameIndex - *m_lastFrame) /
                                                                     static_cast<double>(facts.stride))));
    const std::int64_t before = m_step;
    m_step += steps;
    m_lastFrame = frameIndex;
    std::erase_if(m_tracks, [&](const MotTrack& track) {
        return track.missed + steps - 1 > m_parameters.trackBuffer ||
               (steps > 1 && m_life.tentativeDies && track.state == TrackState::Tentative);
    });
    for (MotTrack& track : m_tracks) {
        for (std::int64_t k = 0; k < steps; ++k) {
            m_filter.predict(track.filter, m_life.lostSizeHolds && track.missed + k > 0);
            if (k == 0 && steps > 1 && track.missed == 0 && m_life.replaysGap && !track.observed.empty() &&
                !track.lostAs)
                track.lostAs = {track.filter, before + 1};
        }
        track.predicted = m_filter.boxOf(track.filter);
        track.missed += steps;
        if (track.missed > 1)
            track.streak = 0;
        if (steps > 1 && track.state == TrackState::Confirmed)
            track.state = TrackState::Lost;
    }
}

void MotTracker::match(const MotMatch& match, const BoxDetection& detection, std::int64_t frameIndex) {
    MotTrack& track = m_tracks[match.track];
    if (track.lostAs && !track.observed.empty()) {
        // Led along the line from where it was seen to where it is seen, as if it had been seen all the time.
        const Observation last = track.observed.back();
        const std::int64_t gap = std::max<std::int64_t>(1, m_step - last.step);
        track.filter = track.lostAs->first;
        const std::int64_t first = std::clamp<std::int64_t>(track.lostAs->second - last.step, 1, gap);
        for (std::int64_t k = first; k <= gap; ++k) {
            if (k > first)
                m_filter.predict(track.filter, false);
            m_filter.correct(track.filter,
                             between(last.box, detection.padded, static_cast<double>(k) / static_cast<double>(gap)));
        }
        track.lostAs.reset();
    }
    m_filter.correct(track.filter, detection.padded);
    track.predicted = m_filter.boxOf(track.filter);
    track.centreX = track.filter[0].value;
    track.centreY = track.filter[1].value;

    if (!track.observed.empty()) {
        const auto [x, y] = movement(track, detection.padded, m_step, m_parameters.deltaT);
        const double length = std::hypot(x, y);
        if (length > 0)
            track.heading = {x / length, y / length};
    }
    track.observed.push_back({m_step, detection.padded});
    if (track.observed.size() > 2 * static_cast<std::size_t>(m_parameters.deltaT) + 1)
        track.observed.erase(track.observed.begin());

    ++track.hits;
    ++track.streak;
    track.missed = 0;
    track.step = m_step;
    track.lastFrame = frameIndex;
    track.lastRaw = detection.raw;
    track.lastPadded = detection.padded;
    track.lastPoints.assign(detection.points.begin(), detection.points.end());
    if (track.state == TrackState::Lost)
        track.state = TrackState::Confirmed;
}

void MotTracker::miss(MotTrack& track) {
    if (m_life.replaysGap && !track.lostAs && !track.observed.empty())
        track.lostAs = {track.filter, m_step};
    if (track.state == TrackState::Confirmed)
        track.state = TrackState::Lost;
}

int MotTracker::spawn(const BoxDetection& detection, std::int64_t frameIndex) {
    MotTrack track;
    track.key = static_cast<int>(m_identities.size());
    track.filter = m_filter.begin(detection.padded);
    track.predicted = m_filter.boxOf(track.filter);
    track.hits = track.streak = m_life.hitsAtBirth;
    track.step = m_step;
    track.firstFrame = track.lastFrame = frameIndex;
    track.lastRaw = detection.raw;
    track.lastPadded = detection.padded;
    track.lastPoints.assign(detection.points.begin(), detection.points.end());
    track.centreX = track.filter[0].value;
    track.centreY = track.filter[1].value;
    m_identities.push_back(-1);
    m_tracks.push_back(std::move(track));
    return m_tracks.back().key;
}

void MotTracker::confirm(MotTrack& track) {
    if (track.state != TrackState::Tentative || track.missed > 0 ||
        (m_life.confirmsInRow ? track.streak : track.hits) < m_parameters.minHits)
        return;
    track.state = TrackState::Confirmed;
    track.publicId = m_nextIdentity++;
    m_identities[static_cast<std::size_t>(track.key)] = track.publicId;
}

std::vector<Assignment> MotTracker::update(std::int64_t frameIndex, std::span<const Detection> detections,
                                           const Image* /*image*/) {
    SKEIN_EXPECTS(!m_lastFrame || frameIndex >= *m_lastFrame, "frames must be tracked in ascending order");
    std::vector<std::size_t> culled;
    if (m_options.preCullToTarget)
        culled = beyondCount(detections, static_cast<std::size_t>(m_options.targetInstanceCount.value_or(0)),
                             m_options.preCullIou);
    m_detections.clear();
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < detections.size(); ++i)
        if (!std::binary_search(culled.begin(), culled.end(), i)) {
            places.push_back(i);
            m_detections.push_back(rawDetection(detections[i], m_parameters.score));
        }
    if (!m_known)
        m_learned.add(frameIndex, m_detections);
    const VideoFacts& facts = m_known ? *m_known : m_learned.facts();
    for (BoxDetection& detection : m_detections)
        prepare(detection, facts, m_parameters);

    advance(frameIndex);
    m_decision.matches.clear();
    m_decision.maySpawn.assign(m_detections.size(), true);
    m_decision.ended.assign(m_tracks.size(), false);
    if (!m_detections.empty())
        m_algorithm->associate(
            {m_tracks, m_detections, m_step, frameIndex, m_parameters.bodySize.value_or(facts.bodySize)}, m_decision);

    m_keys.assign(m_detections.size(), -1);
    std::vector<double> scores(m_detections.size(), 0.0);
    std::vector<bool> matched(m_tracks.size(), false);
    for (const MotMatch& pair : m_decision.matches) {
        match(pair, m_detections[pair.detection], frameIndex);
        matched[pair.track] = true;
        m_keys[pair.detection] = m_tracks[pair.track].key;
        scores[pair.detection] = std::clamp(pair.similarity, 0.0, 1.0);
    }
    for (std::size_t i = 0; i < m_tracks.size(); ++i) {
        if (matched[i])
            continue;
        miss(m_tracks[i]);
        if (m_life.tentativeDies && m_tracks[i].state == TrackState::Tentative)
            m_decision.ended[i] = true;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < m_tracks.size(); ++i) {
        if (m_decision.ended[i] || m_tracks[i].missed > m_parameters.trackBuffer)
            continue;
        if (kept != i)
            m_tracks[kept] = std::move(m_tracks[i]);
        ++kept;
    }
    m_tracks.resize(kept);
    for (std::size_t i = 0; i < m_detections.size(); ++i)
        if (m_keys[i] < 0 && m_decision.maySpawn[i] && m_detections[i].valid &&
            m_detections[i].score >= m_parameters.newTrackThreshold) {
            m_keys[i] = spawn(m_detections[i], frameIndex);
            scores[i] = 1;
        }
    for (MotTrack& track : m_tracks)
        confirm(track);

    std::vector<Assignment> out;
    out.reserve(m_detections.size());
    for (std::size_t i = 0; i < m_detections.size(); ++i) {
        const int identity = m_keys[i] < 0 ? -1 : m_identities[static_cast<std::size_t>(m_keys[i])];
        out.push_back({places[i], identity, m_keys[i] < 0 ? 0.0 : scores[i]});
    }
    return out;
}

}  // namespace skein::tracking
