// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/track_scenes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <random>

namespace skein::test {

namespace {

using project::FrameData;
using project::InstanceData;
using project::Labels;
using project::Point;

constexpr double kPi = std::numbers::pi;

/// Where an animal's middle is and where it looks.
struct Place {
    double x = 0, y = 0, heading = 0;
};

class SceneMaker {
public:
    explicit SceneMaker(const TrackSceneSpec& spec)
        : m_spec(spec), m_random(spec.seed), m_places(static_cast<std::size_t>(spec.animals)) {
        const double crowd = std::sqrt(std::max(1.0, spec.animals / 4.0));
        m_width = spec.width * crowd;
        m_height = spec.height * crowd;
        for (Place& place : m_places)
            place = {uniform(0.1, 0.9) * m_width, uniform(0.1, 0.9) * m_height, uniform(-kPi, kPi)};
        m_sizes.resize(m_places.size());
        for (double& size : m_sizes)
            size = spec.body * uniform(1 - spec.bodySpread, 1 + spec.bodySpread);
        m_untilChange.resize(m_places.size());
        m_away.assign(m_places.size(), false);
        for (int& frames : m_untilChange)
            frames = sight();
        if (spec.kind == TrackSceneKind::Cross)
            layOutPairs();
    }

    TrackScene run() {
        TrackScene scene;
        for (Labels* labels : {&scene.complete, &scene.truth, &scene.detections})
            describe(*labels, labels != &scene.detections);
        for (int f = 0; f < m_spec.frames; ++f) {
            move(f);
            FrameData complete, truth, detections;
            complete.frameIndex = truth.frameIndex = detections.frameIndex = f;
            std::vector<std::size_t> order(m_places.size());
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::shuffle(order.begin(), order.end(), m_random);
            std::vector<InstanceData> mixedPoses;
            if (m_spec.mixed > 0)
                mixedPoses = mix();
            for (const std::size_t animal : order) {
                InstanceData real = pose(animal);
                InstanceData found = mixedPoses.empty() ? detect(real) : mixedPoses[animal];
                const bool missed = chance(m_spec.missedAnimals) || m_away[animal];
                const bool empty = std::none_of(found.points.begin(), found.points.end(),
                                                [](const Point& point) { return point.exists(); });
                complete.instances.push_back(std::move(real));
                if (missed || empty)
                    continue;
                truth.instances.push_back(found);
                found.header.track = -1;
                detections.instances.push_back(std::move(found));
            }
            scene.complete.appendFrame(std::move(complete));
            scene.truth.appendFrame(std::move(truth));
            scene.detections.appendFrame(std::move(detections));
        }
        return scene;
    }

private:
    double uniform(double from, double to) { return std::uniform_real_distribution<double>(from, to)(m_random); }
    bool chance(double probability) { return uniform(0, 1) < probability; }
    int whole(int from, int to) { return std::uniform_int_distribution<int>(from, to)(m_random); }
    int sight() { return m_spec.longestSight > 0 ? whole(m_spec.longestSight / 3, m_spec.longestSight) : 0; }

    void describe(Labels& labels, bool tracks) const {
        project::Video video;
        video.filename = "scene.mp4";
        video.frameCount = m_spec.frames;
        video.width = static_cast<int>(std::ceil(m_width));
        video.height = static_cast<int>(std::ceil(m_height));
        video.channels = 1;
        video.fps = 25;
        labels.editVideos().push_back(video);
        project::Skeleton skeleton;
        skeleton.name = "animal";
        for (int node = 0; node < m_spec.nodes; ++node) {
            skeleton.nodes.push_back("node " + std::to_string(node + 1));
            if (node > 0)
                skeleton.edges.push_back({node - 1, node});
        }
        labels.editSkeletons().push_back(skeleton);
        for (int animal = 0; tracks && animal < m_spec.animals; ++animal)
            labels.editTracks().push_back({"animal " + std::to_string(animal + 1), 0, -1});
    }

    /// Each pair meets at a place and a time of its own, far from the others.
    void layOutPairs() {
        const double reach = m_spec.step * m_spec.frames;
        for (std::size_t animal = 0; animal < m_places.size(); ++animal) {
            if (animal % 2 == 0) {
                m_pairs.push_back({static_cast<double>(m_pairs.size()) * 2 * reach + reach, reach, uniform(-kPi, kPi)});
                m_meetings.push_back(uniform(0.35, 0.65) * m_spec.frames);
                m_angles.push_back(uniform(kPi / 3, 2 * kPi / 3));
            }
            m_places[animal].heading = m_pairs.back().heading + (animal % 2 == 0 ? 0 : m_angles.back());
        }
        m_width = 2 * reach * static_cast<double>(m_pairs.size());
        m_height = 2 * reach;
    }

    void move(int frame) {
        for (std::size_t animal = 0; animal < m_places.size(); ++animal) {
            if (m_spec.kind == TrackSceneKind::Cross)
                pass(animal, frame);
            else if (frame > 0)
                wander(m_places[animal]);
            if (m_spec.longestSight > 0 && --m_untilChange[animal] < 0) {
                m_away[animal] = !m_away[animal];
                m_untilChange[animal] = m_away[animal] ? whole(m_spec.leastAway, m_spec.mostAway) - 1 : sight();
            }
        }
    }

    void pass(std::size_t animal, int frame) {
        const Place& pair = m_pairs[animal / 2];
        Place& place = m_places[animal];
        // The first is at the crossing before the second is, by so much that this is how near they come.
        const double ahead = m_spec.passing / (2 * std::cos(m_angles[animal / 2] / 2));
        const double along = m_spec.step * (frame - m_meetings[animal / 2]) + (animal % 2 == 0 ? ahead : -ahead);
        place.x = pair.x + along * std::cos(place.heading);
        place.y = pair.y + along * std::sin(place.heading);
    }

    void wander(Place& place) {
        const double stride = m_spec.step * uniform(0.8, 1.2);
        place.heading += std::normal_distribution<double>(0, 0.15)(m_random);
        // Near a wall the animal turns to the middle, so that nobody bounces off.
        const double margin = m_spec.body;
        const double aheadX = place.x + margin * std::cos(place.heading);
        const double aheadY = place.y + margin * std::sin(place.heading);
        if (aheadX < 0 || aheadX > m_width || aheadY < 0 || aheadY > m_height) {
            const double inward = std::atan2(m_height / 2 - place.y, m_width / 2 - place.x);
            place.heading += std::clamp(std::remainder(inward - place.heading, 2 * kPi), -0.35, 0.35);
        }
        place.x = std::clamp(place.x + stride * std::cos(place.heading), 0.0, m_width);
        place.y = std::clamp(place.y + stride * std::sin(place.heading), 0.0, m_height);
    }

    /// Nodes lie along the body; of more than three, every other pair lies beside it.
    InstanceData pose(std::size_t animal) const {
        const Place& place = m_places[animal];
        const double size = m_sizes[animal];
        InstanceData instance;
        instance.header.kind = project::InstanceKind::User;
        instance.header.track = static_cast<std::int32_t>(animal);
        for (int node = 0; node < m_spec.nodes; ++node) {
            const double along = m_spec.nodes > 1 ? size * (0.5 - static_cast<double>(node) / (m_spec.nodes - 1)) : 0;
            constexpr std::array<double, 4> kSides{0, 0.2, 0, -0.2};
            const double beside = m_spec.nodes > 3 ? size * kSides[static_cast<std::size_t>(node % 4)] : 0;
            instance.points.push_back({place.x + along * std::cos(place.heading) - beside * std::sin(place.heading),
                                       place.y + along * std::sin(place.heading) + beside * std::cos(place.heading),
                                       project::kNaN, true, false});
        }
        return instance;
    }

    /// What is detected of everybody where animals that lie on each other exchange nodes. A pose is of whom most of its
    /// nodes are.
    std::vector<InstanceData> mix() {
        std::vector<InstanceData> poses;
        for (std::size_t animal = 0; animal < m_places.size(); ++animal)
            poses.push_back(detect(pose(animal)));
        std::vector<bool> isMixed(poses.size(), false);
        for (std::size_t a = 0; a < poses.size(); ++a)
            for (std::size_t b = a + 1; b < poses.size(); ++b) {
                const double apart = std::hypot(m_places[a].x - m_places[b].x, m_places[a].y - m_places[b].y);
                int& split = m_splits[{a, b}];
                if (apart > m_spec.body / 2) {
                    split = 0;
                    continue;
                }
                if (split == 0)
                    split = whole(1, m_spec.nodes - 1);
                if (isMixed[a] || isMixed[b] || !chance(m_spec.mixed))
                    continue;
                isMixed[a] = isMixed[b] = true;
                for (int node = split; node < m_spec.nodes; ++node)
                    std::swap(poses[a].points[static_cast<std::size_t>(node)],
                              poses[b].points[static_cast<std::size_t>(node)]);
                if (2 * split == m_spec.nodes)
                    poses[a].header.track = poses[b].header.track = -1;
                else if (2 * split < m_spec.nodes)
                    std::swap(poses[a].header.track, poses[b].header.track);
            }
        return poses;
    }

    InstanceData detect(const InstanceData& real) {
        InstanceData found = real;
        found.header.kind = project::InstanceKind::Predicted;
        double sum = 0;
        for (Point& point : found.points) {
            point.x += uniform(-m_spec.noise, m_spec.noise);
            point.y += uniform(-m_spec.noise, m_spec.noise);
            point.score = uniform(0.6, 0.95);
            if (chance(m_spec.missingNodes))
                point = {project::kNaN, project::kNaN, 0.0, false, false};
            sum += point.score;
        }
        found.header.score = static_cast<float>(sum / m_spec.nodes);
        return found;
    }

    TrackSceneSpec m_spec;
    std::mt19937 m_random;
    double m_width = 0, m_height = 0;
    std::vector<Place> m_places;
    std::vector<double> m_sizes;
    std::vector<int> m_untilChange;
    std::vector<bool> m_away;
    std::vector<Place> m_pairs;                                   // Cross: middle, and direction of the first
    std::vector<double> m_angles;                                 // Cross: between the two ways
    std::vector<double> m_meetings;                               // Cross: frame at which the pair is side by side
    std::map<std::pair<std::size_t, std::size_t>, int> m_splits;  // Mixed: node behind which a pair exchanges; 0: none
};

/// Points as a key: detections are copied, never computed with.
std::vector<double> keyOf(const project::InstanceView& instance) {
    std::vector<double> key;
    for (const Point& point : instance.points) {
        const bool there = point.exists();
        key.push_back(there ? point.x : -1e9);
        key.push_back(there ? point.y : -1e9);
    }
    return key;
}

}  // namespace

TrackSceneSpec trackScene(TrackSceneKind kind, std::uint32_t seed) {
    TrackSceneSpec spec;
    spec.kind = kind;
    spec.seed = seed;
    if (kind == TrackSceneKind::Cross) {
        spec.frames = 60;
        spec.step = 5;
    } else if (kind == TrackSceneKind::Noisy) {
        spec.missedAnimals = 0.10;
        spec.missingNodes = 0.15;
    } else if (kind == TrackSceneKind::Occl) {
        spec.longestSight = 60;
    } else if (kind == TrackSceneKind::Mixed) {
        spec.animals = 6;
        spec.nodes = 4;
        spec.body = 40;
        spec.step = 3;
        spec.frames = 240;
        spec.mixed = 0.7;
    }
    return spec;
}

TrackSceneSpec trackSceneOfLargeAnimals(TrackSceneKind kind, std::uint32_t seed) {
    TrackSceneSpec spec = trackScene(kind, seed);
    spec.body = 120;
    spec.step *= 2;
    spec.noise = 2;
    spec.width = 900;
    spec.height = 760;
    spec.passing = 25;
    return spec;
}

std::string nameOf(const TrackSceneSpec& spec) {
    constexpr std::array<const char*, 5> kNames{"cross", "walk", "noisy", "occl", "mixed"};
    const char* const size = spec.bodySpread > TrackSceneSpec().bodySpread ? "unequal "
                             : spec.body >= 100                            ? "large "
                                                                           : "";
    return size + std::string(kNames[static_cast<std::size_t>(spec.kind)]);
}

TrackScene makeTrackScene(const TrackSceneSpec& spec) {
    return SceneMaker(spec).run();
}

std::vector<TrueSwitch> trueSwitches(const Labels& truth, const Labels& tracked) {
    std::vector<TrueSwitch> switches;
    std::map<std::int32_t, std::int32_t> lastTrack;  // of each animal
    for (const std::size_t row : truth.rowsOf(0)) {
        const project::FrameView frame = truth.frame(row);
        const auto other = tracked.findFrame(0, frame.frameIndex());
        if (!other)
            continue;
        std::map<std::vector<double>, std::int32_t> trackOf;
        const project::FrameView found = tracked.frame(*other);
        for (std::size_t i = 0; i < found.instanceCount(); ++i)
            trackOf.emplace(keyOf(found.instance(i)), found.instance(i).header->track);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const auto known = trackOf.find(keyOf(frame.instance(i)));
            if (known == trackOf.end() || known->second < 0 || frame.instance(i).header->track < 0)
                continue;
            const std::int32_t animal = frame.instance(i).header->track;
            const auto [last, first] = lastTrack.try_emplace(animal, known->second);
            if (!first && last->second != known->second) {
                switches.push_back({frame.frameIndex(), animal, last->second, known->second});
                last->second = known->second;
            }
        }
    }
    return switches;
}

}  // namespace skein::test
