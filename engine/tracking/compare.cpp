// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/compare.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

#include "engine/tracking/detail/scores.h"

namespace skein::tracking {

namespace {

/// Mean of the visible nodes, and the diagonal of their box.
struct Place {
    double x = std::nan(""), y = std::nan(""), diagonal = std::nan("");
};

Place placeOf(const project::InstanceView& instance) {
    Extent box;
    double x = 0, y = 0;
    int visible = 0;
    for (const project::Point& point : instance.points)
        if (point.exists()) {
            x += point.x;
            y += point.y;
            ++visible;
            box.left = std::min(box.left, point.x);
            box.right = std::max(box.right, point.x);
            box.top = std::min(box.top, point.y);
            box.bottom = std::max(box.bottom, point.y);
        }
    if (visible == 0)
        return {};
    return {x / visible, y / visible, std::hypot(box.right - box.left, box.bottom - box.top)};
}

/// Median diagonal of the instances' boxes.
double bodySizeOf(const project::Labels& labels) {
    std::vector<double> diagonals;
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const project::FrameView frame = labels.frame(row);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i)
            if (const double diagonal = placeOf(frame.instance(i)).diagonal; diagonal > 0)
                diagonals.push_back(diagonal);
    }
    if (diagonals.empty())
        return 1;
    const auto middle = diagonals.begin() + static_cast<std::ptrdiff_t>(diagonals.size() / 2);
    std::nth_element(diagonals.begin(), middle, diagonals.end());
    return *middle;
}

// Frames over which a velocity is taken, and for how long it is believed.
constexpr std::int64_t kVelocityFrames = 4, kBelieved = 5;
// What changing partners must save: a share of both ways, and of a body.
constexpr double kSavedShare = 0.3, kSavedBodies = 0.2;

/// Where a track was in the last frames that it was in.
class Trail {
public:
    struct Seen {
        std::int64_t frame = 0;
        double x = 0, y = 0;
    };
    [[nodiscard]] bool empty() const { return m_seen.empty(); }
    [[nodiscard]] const Seen& last() const { return m_seen.back(); }
    void add(const Seen& seen) {
        m_seen.push_back(seen);
        if (m_seen.size() > static_cast<std::size_t>(kVelocityFrames) + 1)
            m_seen.erase(m_seen.begin());
    }
    void clear() { m_seen.clear(); }
    /// By its velocity; where it was last, if that was too long ago.
    [[nodiscard]] Seen expectedAt(std::int64_t frame) const {
        Seen at = last();
        const std::int64_t ahead = frame - at.frame;
        const auto since = std::find_if(m_seen.begin(), m_seen.end(), [&at](const Seen& seen) {
            return seen.frame < at.frame && at.frame - seen.frame <= kVelocityFrames;
        });
        if (since != m_seen.end() && ahead <= kBelieved) {
            const double share = static_cast<double>(ahead) / static_cast<double>(at.frame - since->frame);
            at.x += share * (last().x - since->x);
            at.y += share * (last().y - since->y);
        }
        return at;
    }

private:
    std::vector<Seen> m_seen;
};

/// Counts events frame by frame; what follows an event of the same track in the next frame belongs to it.
class SuspicionScan {
public:
    explicit SuspicionScan(double body) : m_body(body) {}

    void frame(const project::FrameView& frame) {
        m_now.clear();
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const Place place = placeOf(frame.instance(i));
            const std::int32_t track = frame.instance(i).header->track;
            if (track >= 0 && place.x == place.x)
                m_now.push_back({track, {frame.frameIndex(), place.x, place.y}});
        }
        findSwaps(frame.frameIndex());
        for (const Present& present : m_now) {
            Trail& trail = m_trails[present.track];
            if (trail.empty() ? m_any : distance(trail.last(), present.at) > m_body) {
                flag(present.track, present.track, frame.frameIndex());
                trail.clear();
            }
            trail.add(present.at);
        }
        m_any = m_any || !m_now.empty();
    }
    [[nodiscard]] std::int64_t events() const { return m_events; }

private:
    struct Present {
        std::int32_t track = 0;
        Trail::Seen at;
    };
    static double distance(const Trail::Seen& a, const Trail::Seen& b) { return std::hypot(a.x - b.x, a.y - b.y); }

    void findSwaps(std::int64_t frame) {
        for (std::size_t a = 0; a < m_now.size(); ++a)
            for (std::size_t b = a + 1; b < m_now.size(); ++b) {
                Trail& first = m_trails[m_now[a].track];
                Trail& second = m_trails[m_now[b].track];
                if (first.empty() || second.empty() || frame - first.last().frame > kBelieved ||
                    frame - second.last().frame > kBelieved)
                    continue;
                const Trail::Seen p = first.expectedAt(frame), q = second.expectedAt(frame);
                const double keep = distance(p, m_now[a].at) + distance(q, m_now[b].at);
                const double change = distance(p, m_now[b].at) + distance(q, m_now[a].at);
                if (keep - change <= kSavedShare * (keep + change) || keep - change <= kSavedBodies * m_body)
                    continue;
                flag(m_now[a].track, m_now[b].track, frame);
                // An animal's way leads on through the meeting.
                std::swap(first, second);
            }
    }

    void flag(std::int32_t a, std::int32_t b, std::int64_t frame) {
        const auto follows = [this, frame](std::int32_t track) {
            const auto known = m_flagged.find(track);
            return known != m_flagged.end() && frame - known->second <= 1;
        };
        if (!follows(a) && !follows(b))
            ++m_events;
        m_flagged[a] = m_flagged[b] = frame;
    }

    double m_body;
    bool m_any = false;
    std::map<std::int32_t, Trail> m_trails;
    std::map<std::int32_t, std::int64_t> m_flagged;
    std::vector<Present> m_now;
    std::int64_t m_events = 0;
};

PresetOutcome runPreset(const project::Labels& detections, const TrackingPreset& preset, std::optional<int> animals,
                        const SuspicionCounter& count, const TrackingProgress& progress, const std::stop_token& stop,
                        bool& cancelled) {
    PresetOutcome outcome;
    outcome.preset = preset.key;
    if (preset.needsCount && !animals) {
        outcome.problem = "It needs the number of animals.";
        return outcome;
    }
    const auto options = resolveOptions(presetOptions(preset, animals), factsOf(detections.skeletons()));
    if (!options) {
        outcome.problem = options.error().message();
        return outcome;
    }
    outcome.tracked = detections;
    const auto begin = std::chrono::steady_clock::now();
    const auto done = trackLabels(outcome.tracked, *options, progress, stop);
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!done) {
        cancelled = done.error().code() == ErrorCode::Cancelled;
        outcome.problem = done.error().message();
        return outcome;
    }
    outcome.frames = done->frames;
    outcome.instances = done->trackedInstances;
    outcome.untracked = static_cast<std::int64_t>(detections.instanceCount()) - done->trackedInstances;
    outcome.tracks = done->tracks;
    outcome.suspicious = count(outcome.tracked);
    outcome.suspiciousPer1000 =
        done->frames > 0 ? 1000.0 * static_cast<double>(outcome.suspicious) / static_cast<double>(done->frames) : 0;
    return outcome;
}

}  // namespace

std::int64_t suspiciousEvents(const project::Labels& tracked) {
    SuspicionScan scan(bodySizeOf(tracked));
    for (const std::size_t row :
         tracked.frameCount() > 0 ? tracked.rowsOf(tracked.frame(0).video()) : std::vector<std::size_t>())
        scan.frame(tracked.frame(row));
    return scan.events();
}

project::Labels detectionsOf(const project::Labels& labels, const Stretch& stretch) {
    project::Labels part = labels;
    std::vector<std::size_t> others;
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const project::FrameView frame = labels.frame(row);
        if (frame.video() != stretch.video || frame.frameIndex() < stretch.first || frame.frameIndex() > stretch.last)
            others.push_back(row);
    }
    part.removeFrames(others);
    std::vector<std::size_t> rows(part.frameCount());
    for (std::size_t row = 0; row < rows.size(); ++row)
        rows[row] = row;
    (void)part.rewriteHeaders(rows, [](const project::FrameView&, std::span<project::InstanceHeader> headers) {
        bool changed = false;
        for (project::InstanceHeader& header : headers) {
            changed = changed || (header.kind == project::InstanceKind::Predicted && header.track >= 0);
            if (header.kind == project::InstanceKind::Predicted)
                header.track = -1;
        }
        return changed;
    });
    return part;
}

Result<std::vector<PresetOutcome>> compareOnStretch(const project::Labels& labels, const Stretch& stretch,
                                                    std::span<const TrackingPreset> presets, std::optional<int> animals,
                                                    const SuspicionCounter& count, const TrackingProgress& progress,
                                                    std::stop_token stop) {
    const project::Labels detections = detectionsOf(labels, stretch);
    if (detections.instanceCount() == 0)
        return fail(ErrorCode::InvalidArgument,
                    "There is nothing to track between frames " + std::to_string(stretch.first + 1) + " and " +
                        std::to_string(stretch.last + 1) + "; choose a stretch with predicted instances.");
    const auto frames = static_cast<std::int64_t>(detections.frameCount());
    const std::int64_t total = frames * static_cast<std::int64_t>(presets.size());
    std::vector<PresetOutcome> outcomes;
    for (const TrackingPreset& preset : presets) {
        const std::int64_t before = frames * static_cast<std::int64_t>(outcomes.size());
        bool cancelled = false;
        outcomes.push_back(runPreset(
            detections, preset, animals, count,
            [&](std::int64_t done, std::int64_t) {
                if (progress)
                    progress(before + done, total);
            },
            stop, cancelled));
        if (cancelled)
            return fail(ErrorCode::Cancelled, "The comparison was stopped.");
    }
    if (progress)
        progress(total, total);
    return outcomes;
}

}  // namespace skein::tracking
