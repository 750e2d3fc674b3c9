// SPDX-License-Identifier: GPL-3.0-or-later
// proofread_signals [seeds] [first seed]: how well the signs of identity errors find true switches. Scenes are tracked
// by the classic tracker with its defaults; seeds are fresh unless a first one is given, and are printed.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>

#include "engine/proofread/issues.h"
#include "engine/tracking/track_labels.h"
#include "tests/support/signal_score.h"

using namespace skein;
using proofread::Signal;
using proofread::SignalKind;
using test::SignalScore;

namespace {

struct Row {
    const char* name;
    std::set<SignalKind> kinds;
};

const Row kRows[] = {
    {"swap gain", {SignalKind::SwapGain}},
    {"ensemble", {SignalKind::Ensemble}},
    {"life cycle", {SignalKind::Birth, SignalKind::Reappear}},
    {"speed", {SignalKind::Speed}},
    {"all but speed", {SignalKind::SwapGain, SignalKind::Ensemble, SignalKind::Birth, SignalKind::Reappear}},
};

std::set<std::int64_t> framesOf(const std::vector<test::TrueSwitch>& switches) {
    std::set<std::int64_t> frames;
    for (const test::TrueSwitch& one : switches)
        frames.insert(one.frame);
    return frames;
}

}  // namespace

int main(int argc, char** argv) {
    const int seeds = argc > 1 ? std::atoi(argv[1]) : 8;
    const std::uint32_t first =
        argc > 2 ? static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10)) : std::random_device{}() % 1'000'000;
    if (seeds < 1) {
        std::fprintf(stderr, "usage: proofread_signals [seeds, at least 1] [first seed]\n");
        return 2;
    }
    std::printf("Seeds %u to %u; tolerance +-%d frames; switches by frame\n\n", first,
                first + static_cast<std::uint32_t>(seeds) - 1, static_cast<int>(SignalScore::kTolerance));
    std::printf("%-12s %-14s %8s %8s %8s %8s %10s\n", "scene", "signs", "switches", "recall", "flagged", "precise",
                "events");
    bool allHold = true;
    for (const bool large : {false, true})
        for (const auto kind : {test::TrackSceneKind::Cross, test::TrackSceneKind::Walk, test::TrackSceneKind::Noisy,
                                test::TrackSceneKind::Occl}) {
            std::vector<SignalScore> scores(std::size(kRows));
            std::string name;
            std::size_t looked = 0, switches = 0;
            for (int s = 0; s < seeds; ++s) {
                const std::uint32_t seed = first + static_cast<std::uint32_t>(s);
                const auto spec = large ? test::trackSceneOfLargeAnimals(kind, seed) : test::trackScene(kind, seed);
                name = test::nameOf(spec);
                const test::TrackScene scene = test::makeTrackScene(spec);
                project::Labels labels = scene.detections;
                const auto options =
                    tracking::resolveOptions({}, tracking::factsOf(scene.detections.skeletons())).value();
                if (!tracking::trackLabels(labels, options))
                    return 1;
                const auto trueFrames = framesOf(test::trueSwitches(scene.truth, labels));
                proofread::IssueFinder finder;
                const auto issues = finder.find(labels).value();
                for (std::size_t r = 0; r < std::size(kRows); ++r)
                    scores[r].add(trueFrames, test::flaggedFrames(finder.signals(), kRows[r].kinds),
                                  labels.frameCount());
                // Issues to be read, worst first, until 95 % of the switches were among them.
                std::set<std::int64_t> left = trueFrames;
                const std::size_t most = trueFrames.size() - static_cast<std::size_t>(0.95 * double(trueFrames.size()));
                switches += trueFrames.size();
                for (const proofread::Issue& issue : issues) {
                    if (left.size() <= most && (most > 0 || left.empty()))
                        break;
                    ++looked;
                    left.erase(left.lower_bound(issue.first - SignalScore::kTolerance),
                               left.upper_bound(issue.last + SignalScore::kTolerance));
                }
            }
            for (std::size_t r = 0; r < std::size(kRows); ++r) {
                const SignalScore& score = scores[r];
                const bool isBar = r + 1 == std::size(kRows);
                const bool holds = score.recall() >= 0.95 && score.share() <= 0.25 && score.precision() >= 0.8;
                std::printf("%-12s %-14s %8zu %8.3f %7.1f%% %8.3f %10zu %s\n", name.c_str(), kRows[r].name,
                            score.switches, score.recall(), 100 * score.share(), score.precision(), score.events,
                            isBar ? (holds ? "holds" : "MISSES") : "");
                allHold = allHold && (!isBar || holds);
            }
            std::printf("%-12s issues to read until 95 %% of %zu switches are seen: %zu\n\n", name.c_str(), switches,
                        looked);
        }
    std::printf("%s\n", allHold ? "The bar (recall 0.95, flagged 25 %, precision 0.8) holds in every scene."
                                : "The bar (recall 0.95, flagged 25 %, precision 0.8) is missed.");
    return allHold ? 0 : 1;
}
