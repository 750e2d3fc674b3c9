// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/detail/whole_video.h"

#include <algorithm>
#include <cmath>

#include "engine/tracking/detail/skein/skein_tracker.h"
#include "engine/tracking/tracklet_linker.h"

namespace skein::tracking {

namespace {

// Instances that decide which two nodes tell a body's length, and nodes that are considered.
constexpr std::int64_t kSample = 4000;
constexpr std::size_t kMostNodes = 24;
// A pair of nodes must be seen together at least this often, compared with the best pair.
constexpr double kOftenEnough = 0.8;
// Steps for which an animal that is found in two pieces may have two tracks.
constexpr std::int64_t kTakeOver = 25;

}  // namespace

void WholeVideo::measure(const project::FrameData& frame) {
    m_online.collectTracked(frame);
    std::vector<BoxDetection> detections;
    for (const Detection& detection : m_online.m_detections)
        detections.push_back(rawDetection(detection, m_options.mot.score));
    m_measure.add(frame.frameIndex, detections);
    for (const Detection& detection : m_online.m_detections) {
        if (m_sampled++ >= kSample)
            break;
        if (m_nodes == 0) {
            m_nodes = std::min(detection.points.size(), kMostNodes);
            m_lengths.assign(m_nodes * m_nodes, 0.0);
            m_together.assign(m_nodes * m_nodes, 0);
        }
        const std::size_t nodes = std::min(m_nodes, detection.points.size());
        for (std::size_t a = 0; a < nodes; ++a)
            for (std::size_t b = a + 1; b < nodes; ++b) {
                const double length = std::hypot(detection.points[a].x - detection.points[b].x,
                                                 detection.points[a].y - detection.points[b].y);
                if (std::isnan(length))
                    continue;
                m_lengths[a * m_nodes + b] += length;
                ++m_together[a * m_nodes + b];
            }
    }
}

void WholeVideo::chooseAxis() {
    const std::int64_t most = m_together.empty() ? 0 : *std::max_element(m_together.begin(), m_together.end());
    double longest = 0;
    for (std::size_t i = 0; i < m_together.size(); ++i) {
        if (m_together[i] == 0 || static_cast<double>(m_together[i]) < kOftenEnough * static_cast<double>(most))
            continue;
        const double length = m_lengths[i] / static_cast<double>(m_together[i]);
        if (length > longest) {
            longest = length;
            m_from = i / m_nodes;
            m_to = i % m_nodes;
        }
    }
}

void WholeVideo::begin(std::uint32_t video) {
    m_facts = m_measure.facts();
    if (m_options.mot.bodySize)
        m_facts.bodySize = *m_options.mot.bodySize;
    chooseAxis();
    m_online.beginVideo(video);
    if (m_options.tracker == TrackerKind::Skein)
        m_online.m_tracker = std::make_unique<SkeinTracker>(m_options, m_facts);
    else if (m_options.tracker != TrackerKind::Classic)
        m_online.m_tracker = std::make_unique<MotTracker>(m_options, m_facts);
}

PlacedInstance WholeVideo::placeOf(const project::InstanceData& instance) const {
    PlacedInstance place;
    int nodes = 0;
    for (const project::Point& point : instance.points)
        if (point.exists()) {
            place.x += point.x;
            place.y += point.y;
            ++nodes;
        }
    place.x = nodes > 0 ? place.x / nodes : project::kNaN;
    place.y = nodes > 0 ? place.y / nodes : project::kNaN;
    if (m_from != m_to && m_to < instance.points.size()) {
        const project::Point& a = instance.points[m_from];
        const project::Point& b = instance.points[m_to];
        const double length = std::hypot(a.x - b.x, a.y - b.y);
        if (a.exists() && b.exists() && length > 0)
            place.size = static_cast<float>(std::log(length));
    }
    return place;
}

void WholeVideo::remember(const project::FrameData& frame) {
    // Decisions for what passes untracked come first.
    const auto* delayed = dynamic_cast<const DelayedTracker*>(m_online.m_tracker.get());
    const std::span<const PointD> middles = delayed != nullptr ? delayed->lastMiddles() : std::span<const PointD>();
    const std::size_t passed = m_online.m_decisions.size() - middles.size();
    for (std::size_t i = 0; i < m_online.m_decisions.size(); ++i) {
        const Decision& decision = m_online.m_decisions[i];
        m_decisions.push_back(decision);
        m_places.push_back(m_options.linkTracklets ? placeOf(frame.instances[decision.instance]) : PlacedInstance{});
        if (i >= passed && !middles.empty()) {
            m_places.back().x = middles[i - passed].x;
            m_places.back().y = middles[i - passed].y;
        }
    }
    m_ends.push_back(m_decisions.size());
    m_frames.push_back(frame.frameIndex);
}

void WholeVideo::track(const project::FrameData& frame, const Image* image) {
    m_online.decide(frame, image);
    remember(frame);
}

void WholeVideo::keep(const project::FrameData& frame) {
    m_online.collectTracked(frame);
    for (const std::size_t row : m_online.m_rows) {
        const project::InstanceHeader& header = frame.instances[row].header;
        int identity = Decision::kNone;
        if (header.track >= 0)
            identity = m_kept.try_emplace(header.track, static_cast<int>(m_kept.size())).first->second;
        m_online.m_decisions.push_back({row, identity, static_cast<double>(header.trackingScore), identity});
    }
    remember(frame);
}

/// Time of each frame: frame numbers by their usual distance, or one step a frame where there is none.
std::vector<std::int64_t> WholeVideo::stepsOf() const {
    const bool byFrames =
        m_options.mot.time == MotTime::Frames || (m_options.mot.time == MotTime::Auto && m_facts.regular);
    std::vector<std::int64_t> steps;
    std::int64_t step = 0;
    for (std::size_t f = 0; f < m_frames.size(); ++f) {
        if (f > 0)
            step += byFrames
                        ? std::max<std::int64_t>(1, std::llrint(static_cast<double>(m_frames[f] - m_frames[f - 1]) /
                                                                static_cast<double>(m_facts.stride)))
                        : 1;
        steps.push_back(step);
    }
    return steps;
}

void WholeVideo::conclude() {
    const auto* delayed = dynamic_cast<const DelayedTracker*>(m_online.m_tracker.get());
    // A track that was confirmed has its first detections too.
    if (delayed != nullptr)
        for (Decision& decision : m_decisions)
            if (decision.key >= 0)
                decision.identity = std::max(delayed->identityOf(decision.key), Decision::kNone);
    if (!m_options.linkTracklets)
        return;
    PlacedVideo video;
    video.steps = stepsOf();
    video.ends = m_ends;
    video.bodySize = m_facts.bodySize;
    video.stepP95 = m_facts.stepP95;
    for (std::size_t i = 0; i < m_places.size(); ++i)
        m_places[i].track = m_decisions[i].identity;
    video.instances = std::move(m_places);
    LinkOptions link;
    link.animals = m_options.maxTracks;
    if (m_options.mot.linkGateFrames)
        link.longestGap = *m_options.mot.linkGateFrames;
    if (const auto* skein = dynamic_cast<const SkeinTracker*>(m_online.m_tracker.get())) {
        link.motion = LinkMotion{skein->scales().acceleration, skein->scales().noise};
        link.tracklets.takeOver = kTakeOver;
    }
    const LinkOutcome outcome = linkTracklets(video, link);
    for (std::size_t i = 0; i < m_decisions.size(); ++i)
        if (m_decisions[i].identity >= 0)
            m_decisions[i].identity = outcome.identity[i];
}

void WholeVideo::apply(std::size_t i, project::FrameData& frame) {
    const std::size_t begin = i == 0 ? 0 : m_ends[i - 1];
    m_online.apply(frame, std::span(m_decisions).subspan(begin, m_ends[i] - begin));
}

}  // namespace skein::tracking
