// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/tracklets.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace skein::tracking {

namespace {

// Steps over which a velocity is taken, and for how long it is believed.
constexpr std::int64_t kVelocitySteps = 4;
constexpr std::int64_t kBelieved = 5;
// Farther than this the pieces of an animal are not from each other.
constexpr double kTakeOverBodies = 1;

/// The last places of a track.
struct Trail {
    struct Place {
        std::int64_t step = 0;
        double x = 0, y = 0;
    };
    std::vector<Place> places;  // oldest first, at most kVelocitySteps + 1
    int tracklet = -1;

    void add(std::int64_t step, double x, double y) {
        places.push_back({step, x, y});
        if (places.size() > static_cast<std::size_t>(kVelocitySteps) + 1)
            places.erase(places.begin());
    }
    [[nodiscard]] std::array<double, 2> velocity() const {
        const Place& last = places.back();
        for (const Place& place : places)
            if (place.step < last.step && last.step - place.step <= kVelocitySteps) {
                const auto steps = static_cast<double>(last.step - place.step);
                return {(last.x - place.x) / steps, (last.y - place.y) / steps};
            }
        return {0, 0};
    }
    [[nodiscard]] std::array<double, 2> expectedAt(std::int64_t step) const {
        const auto v = velocity();
        const auto ahead = static_cast<double>(step - places.back().step);
        return {places.back().x + v[0] * ahead, places.back().y + v[1] * ahead};
    }
};

class Cutter {
public:
    Cutter(const PlacedVideo& video, const TrackletOptions& options) : m_video(video), m_options(options) {
        m_result.ofInstance.assign(video.instances.size(), -1);
    }

    Tracklets run() {
        if (m_options.takeOver > 0)
            findTakeOvers();
        std::size_t begin = 0;
        for (std::size_t f = 0; f < m_video.ends.size(); ++f) {
            frame(begin, m_video.ends[f], m_video.steps[f]);
            begin = m_video.ends[f];
        }
        finishSizes();
        return std::move(m_result);
    }

private:
    void frame(std::size_t begin, std::size_t end, std::int64_t step) {
        m_present.clear();
        for (std::size_t i = begin; i < end; ++i)
            if (m_video.instances[i].track >= 0)
                m_present.push_back(i);
        m_cut.assign(m_present.size(), false);
        findDoubtfulMeetings(step);
        for (std::size_t k = 0; k < m_present.size(); ++k)
            append(m_present[k], step, m_cut[k]);
    }

    struct Span {
        std::int64_t first = 0, last = 0;
    };
    [[nodiscard]] std::unordered_map<int, Span> spansOfTracks() const {
        std::unordered_map<int, Span> spans;
        std::size_t i = 0;
        for (std::size_t f = 0; f < m_video.ends.size(); ++f)
            for (; i < m_video.ends[f]; ++i)
                if (const int track = m_video.instances[i].track; track >= 0)
                    spans.try_emplace(track, Span{m_video.steps[f], 0}).first->second.last = m_video.steps[f];
        return spans;
    }

    void findTakeOvers() {
        const std::unordered_map<int, Span> spans = spansOfTracks();
        std::size_t begin = 0;
        for (std::size_t f = 0; f < m_video.ends.size(); begin = m_video.ends[f++]) {
            const std::int64_t step = m_video.steps[f];
            for (std::size_t i = begin; i < m_video.ends[f]; ++i) {
                const PlacedInstance& ending = m_video.instances[i];
                if (ending.track < 0 || spans.at(ending.track).last != step)
                    continue;
                for (std::size_t j = begin; j < m_video.ends[f]; ++j) {
                    const PlacedInstance& other = m_video.instances[j];
                    if (other.track < 0 || other.track == ending.track)
                        continue;
                    const Span& span = spans.at(other.track);
                    if (span.last > step && step - span.first < m_options.takeOver &&
                        span.first > spans.at(ending.track).first &&
                        std::hypot(ending.x - other.x, ending.y - other.y) <= kTakeOverBodies * m_video.bodySize)
                        m_takenOver[other.track] = step;
                }
            }
        }
    }

    void findDoubtfulMeetings(std::int64_t step) {
        if (m_options.swapStrength >= 1)
            return;
        m_expected.clear();
        m_meetings.clear();
        for (const std::size_t i : m_present) {
            const auto known = m_trails.find(m_video.instances[i].track);
            const bool usable = known != m_trails.end() && !known->second.places.empty() &&
                                step - known->second.places.back().step <= kBelieved;
            m_expected.push_back(usable ? known->second.expectedAt(step) : std::array<double, 2>{NAN, NAN});
        }
        const auto way = [this](std::size_t expected, std::size_t found) {
            const PlacedInstance& instance = m_video.instances[m_present[found]];
            return std::hypot(m_expected[expected][0] - instance.x, m_expected[expected][1] - instance.y);
        };
        for (std::size_t a = 0; a < m_present.size(); ++a)
            for (std::size_t b = a + 1; b < m_present.size(); ++b) {
                const double keep = way(a, a) + way(b, b);
                const double change = way(a, b) + way(b, a);
                const double gain = keep - change;
                if (!(gain > m_options.swapStrength * (keep + change)) ||
                    gain < m_options.leastGain * m_video.bodySize || change > m_options.mostLeft * m_video.bodySize)
                    continue;
                m_meetings.push_back({gain, a, b});
            }
        // An animal's way leads on through the meeting, so that a tracker that changes its mind again is seen to.
        std::sort(m_meetings.begin(), m_meetings.end(),
                  [](const Meeting& x, const Meeting& y) { return x.gain > y.gain; });
        for (const Meeting& meeting : m_meetings) {
            if (m_cut[meeting.a] || m_cut[meeting.b])
                continue;
            m_cut[meeting.a] = m_cut[meeting.b] = true;
            ++m_result.doubtfulMeetings;
            std::swap(m_trails[m_video.instances[m_present[meeting.a]].track].places,
                      m_trails[m_video.instances[m_present[meeting.b]].track].places);
        }
    }

    void append(std::size_t i, std::int64_t step, bool cut) {
        const PlacedInstance& instance = m_video.instances[i];
        const bool somewhere = !std::isnan(instance.x) && !std::isnan(instance.y);
        Trail& trail = m_trails[instance.track];
        const bool paused =
            trail.tracklet >= 0 &&
            step - m_result.list[static_cast<std::size_t>(trail.tracklet)].lastStep > m_options.longestPause;
        const auto takeOver = m_takenOver.find(instance.track);
        if (takeOver != m_takenOver.end() && step > takeOver->second) {
            cut = cut || trail.tracklet >= 0;
            m_takenOver.erase(takeOver);
        }
        if (trail.tracklet < 0 || cut || paused) {
            Tracklet fresh;
            fresh.track = instance.track;
            fresh.firstStep = step;
            fresh.previous = trail.tracklet;
            fresh.atMeeting = cut;
            fresh.firstPlace = fresh.lastPlace = {instance.x, instance.y};
            trail.tracklet = static_cast<int>(m_result.list.size());
            if (!cut)
                trail.places.clear();
            m_result.list.push_back(fresh);
            m_sizes.emplace_back();
        }
        Tracklet& tracklet = m_result.list[static_cast<std::size_t>(trail.tracklet)];
        m_result.ofInstance[i] = trail.tracklet;
        tracklet.lastStep = step;
        ++tracklet.instances;
        if (somewhere) {
            trail.add(step, instance.x, instance.y);
            if (std::isnan(tracklet.firstPlace[0]))
                tracklet.firstPlace = {instance.x, instance.y};
            tracklet.lastPlace = {instance.x, instance.y};
            tracklet.velocity = trail.velocity();
            if (const std::int64_t age = step - tracklet.firstStep; age > 0 && age <= kVelocitySteps)
                tracklet.firstVelocity = {(instance.x - tracklet.firstPlace[0]) / static_cast<double>(age),
                                          (instance.y - tracklet.firstPlace[1]) / static_cast<double>(age)};
        }
        if (!std::isnan(instance.size)) {
            const auto size = static_cast<double>(instance.size);
            Sums& sums = m_sizes[static_cast<std::size_t>(trail.tracklet)];
            ++tracklet.sizeCount;
            sums.sum += size;
            sums.squares += size * size;
        }
    }

    void finishSizes() {
        double squares = 0;
        std::int64_t count = 0;
        for (std::size_t t = 0; t < m_sizes.size(); ++t) {
            Tracklet& tracklet = m_result.list[t];
            if (tracklet.sizeCount == 0)
                continue;
            tracklet.sizeMean = m_sizes[t].sum / static_cast<double>(tracklet.sizeCount);
            squares += m_sizes[t].squares - m_sizes[t].sum * tracklet.sizeMean;
            count += tracklet.sizeCount - 1;
        }
        m_result.sizeSpread = count > 0 ? std::sqrt(std::max(0.0, squares / static_cast<double>(count))) : 0.0;
    }

    struct Meeting {
        double gain = 0;
        std::size_t a = 0, b = 0;  // positions in m_present
    };
    struct Sums {
        double sum = 0, squares = 0;
    };
    const PlacedVideo& m_video;
    const TrackletOptions& m_options;
    Tracklets m_result;
    std::unordered_map<int, Trail> m_trails;
    std::unordered_map<int, std::int64_t> m_takenOver;  // step after which a track is cut
    std::vector<Sums> m_sizes;
    // Of one frame.
    std::vector<std::size_t> m_present;
    std::vector<bool> m_cut;
    std::vector<Meeting> m_meetings;
    std::vector<std::array<double, 2>> m_expected;
};

}  // namespace

Tracklets cutTracklets(const PlacedVideo& video, const TrackletOptions& options) {
    return Cutter(video, options).run();
}

double usualStep(const PlacedVideo& video) {
    struct Place {
        std::int64_t step = 0;
        double x = 0, y = 0;
    };
    std::unordered_map<int, Place> last;
    std::vector<double> steps;
    std::size_t begin = 0;
    for (std::size_t f = 0; f < video.ends.size(); ++f) {
        for (std::size_t i = begin; i < video.ends[f]; ++i) {
            const PlacedInstance& instance = video.instances[i];
            if (instance.track < 0 || std::isnan(instance.x))
                continue;
            const auto [known, isNew] = last.try_emplace(instance.track, Place{video.steps[f], instance.x, instance.y});
            if (isNew)
                continue;
            if (video.steps[f] == known->second.step + 1)
                steps.push_back(std::hypot(instance.x - known->second.x, instance.y - known->second.y));
            known->second = {video.steps[f], instance.x, instance.y};
        }
        begin = video.ends[f];
    }
    if (steps.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const auto place = static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(steps.size() - 1));
    std::nth_element(steps.begin(), steps.begin() + place, steps.end());
    return steps[static_cast<std::size_t>(place)];
}

}  // namespace skein::tracking
