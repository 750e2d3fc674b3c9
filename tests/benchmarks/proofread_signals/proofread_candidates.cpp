// SPDX-License-Identifier: GPL-3.0-or-later
// proofread_candidates [seeds] [first seed] [tracked .slp files]: what further signs of identity errors would add to
// those that are raised. A sign is worth keeping if switches are found that were missed, or if fewer issues are to be
// read until they are seen. Scenes as in proofread_signals, and with animals of different sizes. Of files it is told on
// how many frames the signs that need no second tracking are raised: in tracks that are right each is false.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "engine/formats/slp.h"
#include "engine/proofread/issues.h"
#include "engine/tracking/track_labels.h"
#include "tests/benchmarks/proofread_signals/candidates.h"
#include "tests/support/signal_score.h"

using namespace skein;
using bench::Candidate;
using bench::CandidateSign;
using test::SignalScore;

namespace {

struct Row {
    const char* name;
    double weight;  ///< in the suspicion of an issue
};
const Row kRows[bench::kCandidates] = {{"backward", 0.5}, {"margin", 0.4}, {"forced", 0.5}, {"size", 0.6}};
const std::set<proofread::SignalKind> kRaised{proofread::SignalKind::SwapGain, proofread::SignalKind::Ensemble,
                                              proofread::SignalKind::Birth, proofread::SignalKind::Reappear};

struct Read {
    std::int64_t first = 0, last = 0;
    double severity = 0;
};

/// Issues with the sign's say: those that it lies in become graver, and it makes issues of its own.
std::vector<Read> rankedWith(const std::vector<proofread::Issue>& issues, const std::vector<CandidateSign>& signs,
                             double weight) {
    std::vector<Read> list;
    std::vector<bool> used(signs.size(), false);
    for (const proofread::Issue& issue : issues) {
        double strongest = 0;
        for (std::size_t s = 0; s < signs.size(); ++s)
            if (signs[s].frame >= issue.first - SignalScore::kTolerance &&
                signs[s].frame <= issue.last + SignalScore::kTolerance &&
                std::find(issue.tracks.begin(), issue.tracks.end(), signs[s].a) != issue.tracks.end()) {
                used[s] = true;
                strongest = std::max(strongest, signs[s].strength);
            }
        list.push_back({issue.first, issue.last, 1 - (1 - issue.severity) * (1 - weight * strongest)});
    }
    for (std::size_t s = 0; s < signs.size(); ++s)
        if (!used[s])
            list.push_back({signs[s].frame, signs[s].frame, weight * signs[s].strength});
    std::stable_sort(list.begin(), list.end(), [](const Read& a, const Read& b) { return a.severity > b.severity; });
    return list;
}

/// Issues to be read, gravest first, until 95 % of the switches were among them.
std::size_t toBeRead(const std::vector<Read>& list, std::set<std::int64_t> left) {
    const auto most = left.size() - static_cast<std::size_t>(0.95 * static_cast<double>(left.size()));
    std::size_t looked = 0;
    for (const Read& one : list) {
        if (left.size() <= most && (most > 0 || left.empty()))
            break;
        ++looked;
        left.erase(left.lower_bound(one.first - SignalScore::kTolerance),
                   left.upper_bound(one.last + SignalScore::kTolerance));
    }
    return looked;
}

struct Totals {
    SignalScore alone, together;
    std::size_t read = 0;
};

void scene(std::uint32_t first, int seeds, bool large, double spread, test::TrackSceneKind kind) {
    Totals raised, with[bench::kCandidates];
    std::string name;
    for (int s = 0; s < seeds; ++s) {
        const std::uint32_t seed = first + static_cast<std::uint32_t>(s);
        auto spec = large ? test::trackSceneOfLargeAnimals(kind, seed) : test::trackScene(kind, seed);
        spec.bodySpread = std::max(spec.bodySpread, spread);
        name = test::nameOf(spec);
        const test::TrackScene made = test::makeTrackScene(spec);
        project::Labels tracked = made.detections;
        const auto options = tracking::resolveOptions({}, tracking::factsOf(tracked.skeletons())).value();
        if (!tracking::trackLabels(tracked, options))
            std::exit(1);
        std::set<std::int64_t> switches;
        for (const test::TrueSwitch& one : test::trueSwitches(made.truth, tracked))
            switches.insert(one.frame);
        proofread::IssueFinder finder;
        const auto issues = finder.find(tracked).value();
        const auto known = test::flaggedFrames(finder.signals(), kRaised);
        raised.together.add(switches, known, tracked.frameCount());
        raised.read += toBeRead(rankedWith(issues, {}, 0), switches);
        for (int c = 0; c < bench::kCandidates; ++c) {
            const auto signs = signsOf(static_cast<Candidate>(c), made.detections, tracked, options);
            std::set<std::int64_t> frames, both = known;
            for (const CandidateSign& sign : signs) {
                frames.insert(sign.frame);
                both.insert(sign.frame);
            }
            with[c].alone.add(switches, frames, tracked.frameCount());
            with[c].together.add(switches, both, tracked.frameCount());
            with[c].read += toBeRead(rankedWith(issues, signs, kRows[c].weight), switches);
        }
    }
    const auto cells = [](const SignalScore& score) {
        std::printf("  %.3f / %4.1f%% / %.3f", score.recall(), 100 * score.share(), score.precision());
    };
    std::printf("%-14s %-10s %8zu  %21s", name.c_str(), "raised", raised.together.switches, "");
    cells(raised.together);
    std::printf("  %7zu\n", raised.read);
    for (int c = 0; c < bench::kCandidates; ++c) {
        std::printf("%-14s %-10s %8s", name.c_str(), kRows[c].name, "");
        cells(with[c].alone);
        cells(with[c].together);
        std::printf("  %7zu\n", with[c].read);
    }
    std::fflush(stdout);
}

bool file(const char* path) {
    const auto labels = formats::readSlp(path);
    if (!labels) {
        std::fprintf(stderr, "%s\n", labels.error().message().c_str());
        return false;
    }
    std::printf("%s, %zu frames:", path, labels->frameCount());
    for (const Candidate candidate : {Candidate::Margin, Candidate::Forced, Candidate::Size}) {
        std::set<std::int64_t> frames;
        for (const CandidateSign& sign : signsOf(candidate, *labels, *labels, {}))
            frames.insert(sign.frame);
        std::printf(" %s %zu", kRows[static_cast<int>(candidate)].name, frames.size());
    }
    std::printf("\n");
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    const int seeds = argc > 1 ? std::atoi(argv[1]) : 40;
    const std::uint32_t first =
        argc > 2 ? static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10)) : std::random_device{}() % 1'000'000;
    if (seeds < 1) {
        std::fprintf(stderr, "usage: proofread_candidates [seeds, at least 1] [first seed] [tracked .slp files]\n");
        return 2;
    }
    std::printf(
        "Seeds %u to %u. Recall of true switches / frames flagged / events that are true: of the sign alone, and\n"
        "with what is raised; then the issues to read until 95 %% of the switches are seen.\n\n",
        first, first + static_cast<std::uint32_t>(seeds) - 1);
    std::printf("%-14s %-10s %8s  %21s  %21s  %7s\n", "scene", "sign", "switches", "alone", "with what is raised",
                "to read");
    using Kind = test::TrackSceneKind;
    constexpr double kUnequal = 0.25;
    for (const Kind kind : {Kind::Cross, Kind::Walk, Kind::Noisy, Kind::Occl}) {
        scene(first, seeds, false, 0, kind);
        scene(first, seeds, true, 0, kind);
        scene(first, seeds, false, kUnequal, kind);
    }
    bool allRead = true;
    for (int i = 3; i < argc; ++i)
        allRead = file(argv[i]) && allRead;
    return allRead ? 0 : 1;
}
