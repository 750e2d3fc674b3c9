// SPDX-License-Identifier: GPL-3.0-or-later
// How well the trackers keep identities in made-up scenes, and what a frame costs them.
//   trackers [--seeds N] [--from SEED] [--presets] [SCENE...]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/evaluation/identity_metrics.h"
#include "engine/tracking/presets.h"
#include "engine/tracking/track_labels.h"
#include "tests/support/track_scenes.h"
#include "tests/support/walking_animals.h"

using namespace skein;
using namespace skein::tracking;

namespace {

/// One line of the tables.
struct Contender {
    std::string name;
    TrackerOptions options;
    bool peer = false;  ///< an option set that sleap-nn has too
};

/// The presets, and sleap-nn's other option sets: Skein's tracker must not be behind the best of them.
std::vector<Contender> contenders(int animals, bool presetsOnly) {
    std::vector<Contender> list;
    for (const TrackingPreset& preset : trackingPresets())
        list.push_back({std::string(preset.name), presetOptions(preset, animals), preset.key != "skein"});
    list.push_back({"Skein, count not known", presetOptions(*findPreset("skein").value()), false});
    if (presetsOnly)
        return list;
    const auto add = [&list](const char* name, auto change) {
        TrackerOptions options;
        change(options);
        list.push_back({name, options, true});
    };
    add("local_queues", [](TrackerOptions& o) { o.candidates = CandidateMethod::LocalQueues; });
    add("max_tracks", [&](TrackerOptions& o) { o.maxTracks = animals; });
    add("centroids, distance", [&](TrackerOptions& o) {
        o.feature = Feature::Centroids;
        o.scoring = ScoringMethod::EuclideanDistance;
        o.maxTracks = animals;
    });
    add("oks_stddev 0.1", [](TrackerOptions& o) { o.oksStddev = 0.1; });
    add("oks_stddev 0.3", [](TrackerOptions& o) { o.oksStddev = 0.3; });
    add("sort", [](TrackerOptions& o) { o.tracker = TrackerKind::Sort; });
    add("bytetrack", [](TrackerOptions& o) { o.tracker = TrackerKind::ByteTrack; });
    add("ocsort", [](TrackerOptions& o) { o.tracker = TrackerKind::OcSort; });
    add("sort, count", [&](TrackerOptions& o) {
        o.tracker = TrackerKind::Sort;
        o.maxTracks = animals;
    });
    add("ocsort, count", [&](TrackerOptions& o) {
        o.tracker = TrackerKind::OcSort;
        o.maxTracks = animals;
    });
    return list;
}

/// Means over the seeds of a scene.
struct Quality {
    double switches = 0, idf1 = 0, hota = 0, ids = 0, untracked = 0;
};

template <class T>
T orDie(Result<T> result, const std::string& what) {
    if (!result) {
        std::fprintf(stderr, "trackers: %s: %s\n", what.c_str(), result.error().describe().c_str());
        std::exit(1);
    }
    return std::move(*result);
}

Quality qualityOf(const Contender& contender, const std::vector<test::TrackScene>& scenes) {
    Quality mean;
    const auto n = static_cast<double>(scenes.size());
    for (const test::TrackScene& scene : scenes) {
        project::Labels tracked = scene.detections;
        const TrackerOptions options =
            orDie(resolveOptions(contender.options, factsOf(tracked.skeletons())), contender.name);
        const TrackingOutcome outcome = orDie(trackLabels(tracked, options), contender.name);
        const auto metrics = orDie(evaluation::identityMetrics(scene.truth, tracked), contender.name);
        mean.switches += static_cast<double>(test::trueSwitches(scene.truth, tracked).size()) / n;
        mean.idf1 += metrics.scores.idf1 / n;
        mean.hota += metrics.scores.hota / n;
        mean.ids += static_cast<double>(outcome.tracks) / n;
        mean.untracked += static_cast<double>(static_cast<std::int64_t>(scene.detections.instanceCount()) -
                                              outcome.trackedInstances) /
                          n;
    }
    return mean;
}

/// Prints the table of a scene; false where Skein's tracker misses what is asked of it.
bool printScene(const test::TrackSceneSpec& first, int seeds, bool presetsOnly) {
    std::vector<test::TrackScene> scenes;
    std::size_t detections = 0;
    for (int s = 0; s < seeds; ++s) {
        test::TrackSceneSpec spec = first;
        spec.seed += static_cast<std::uint32_t>(s);
        scenes.push_back(test::makeTrackScene(spec));
        detections += scenes.back().detections.instanceCount();
    }
    std::printf("\n%s: %d animals of %.0f px, %d frames, seeds %u to %u, %.0f detections each\n",
                test::nameOf(first).c_str(), first.animals, first.body, first.frames, first.seed,
                first.seed + static_cast<std::uint32_t>(seeds) - 1, static_cast<double>(detections) / seeds);
    std::printf("  %-26s %9s %7s %7s %6s %10s\n", "", "switches", "IDF1", "HOTA", "ids", "no track");
    double bestPeer = 0;
    Quality skein;
    for (const Contender& contender : contenders(first.animals, presetsOnly)) {
        const Quality q = qualityOf(contender, scenes);
        std::printf("  %-26s %9.2f %7.3f %7.3f %6.1f %10.1f\n", contender.name.c_str(), q.switches, q.idf1, q.hota,
                    q.ids, q.untracked);
        if (contender.peer)
            bestPeer = std::max(bestPeer, q.idf1);
        if (contender.name == "Skein")
            skein = q;
    }
    const bool clean = first.missedAnimals == 0 && first.longestSight == 0 && first.mixed == 0;
    const bool good = clean ? skein.switches == 0 : skein.idf1 >= bestPeer && (skein.idf1 > 0.95 || first.mixed > 0);
    if (clean)
        std::printf("  Skein: %.2f switches (aim: 0): %s\n", skein.switches, good ? "held" : "MISSED");
    else
        std::printf("  Skein: IDF1 %.3f, best other %.3f (aim: as good, and above 0.95): %s\n", skein.idf1, bestPeer,
                    good ? "held" : "MISSED");
    return good;
}

/// Milliseconds a frame of 13 nodes, median over 500 frames.
double costOf(const TrackerOptions& options, int animals) {
    const auto tracker = makeTracker(orDie(resolveOptions(options, {}), "cost"));
    test::WalkingAnimals walk(animals, 13, 7);
    std::vector<double> times;
    for (int f = 0; f < 500; ++f) {
        const auto frame = walk.next();
        std::vector<Detection> detections;
        for (const auto& points : frame)
            detections.push_back({points, 0.9, false});
        const auto begin = std::chrono::steady_clock::now();
        (void)tracker->update(f, detections);
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    std::nth_element(times.begin(), times.begin() + 250, times.end());
    return times[250];
}

bool printCost() {
    constexpr int kAnimals[] = {2, 5, 20};
    constexpr double kMost[] = {0.05, 0.2, 3};
    std::printf("\nCost of a frame, 13 nodes, ms (median)\n  %-26s %9s %9s %9s\n", "animals", "2", "5", "20");
    std::printf("  %-26s %9.0f %9.0f %9.0f\n", "sleap-nn 0.3.5, defaults", 5.0, 24.0, 740.0);
    std::printf("  %-26s %9.2f %9.2f %9.2f\n", "aim", kMost[0], kMost[1], kMost[2]);
    bool good = true;
    for (const Contender& contender : contenders(4, true)) {
        std::printf("  %-26s", contender.name.c_str());
        for (std::size_t i = 0; i < 3; ++i) {
            TrackerOptions options = contender.options;
            if (options.maxTracks)
                options.maxTracks = kAnimals[i];
            const double ms = costOf(options, kAnimals[i]);
            good = good && ms <= kMost[i];
            std::printf(" %9.4f", ms);
        }
        std::printf("\n");
    }
    std::printf("  %s\n", good ? "held" : "MISSED");
    return good;
}

}  // namespace

int main(int argc, char** argv) {
    int seeds = 8;
    std::uint32_t from = 1001;
    bool presetsOnly = false;
    std::vector<std::string> wanted;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--seeds" && i + 1 < argc)
            seeds = std::max(1, std::atoi(argv[++i]));
        else if (argument == "--from" && i + 1 < argc)
            from = static_cast<std::uint32_t>(std::atoi(argv[++i]));
        else if (argument == "--presets")
            presetsOnly = true;
        else
            wanted.push_back(argument);
    }
    const auto asked = [&wanted](const std::string& name) {
        return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
    };
    bool good = true;
    using test::TrackSceneKind;
    for (const bool large : {false, true})
        for (const TrackSceneKind kind : {TrackSceneKind::Cross, TrackSceneKind::Walk, TrackSceneKind::Noisy,
                                          TrackSceneKind::Occl, TrackSceneKind::Mixed}) {
            const auto spec = large ? test::trackSceneOfLargeAnimals(kind, from) : test::trackScene(kind, from);
            if (asked(test::nameOf(spec)))
                good = printScene(spec, seeds, presetsOnly) && good;
        }
    if (asked("cost"))
        good = printCost() && good;
    return good ? 0 : 1;
}
