// SPDX-License-Identifier: GPL-3.0-or-later
// proofread_repair [seeds] [first seed] [FILE.slp]: mistakes are put into the truth of made-up scenes and into
// reference track files, and the top proposals accepted; prints what that gives back. With a file: of each kind of
// mistake alone, and what was done.
#include <cstdio>
#include <cstdlib>
#include <random>

#include "engine/evaluation/identity_metrics.h"
#include "engine/formats/slp.h"
#include "engine/proofread/repair.h"
#include "tests/support/injected_errors.h"
#include "tests/support/reference.h"
#include "tests/support/track_scenes.h"

using namespace skein;

namespace {

double idf1(const project::Labels& truth, const project::Labels& labels) {
    const auto metrics = evaluation::identityMetrics(truth, labels);
    return metrics ? metrics->scores.idf1 : project::kNaN;
}

proofread::RepairOptions topProposals() {
    proofread::RepairOptions options;
    options.swaps = 0.5;
    options.flips = 0.5;
    options.duplicates = 0.7;
    options.joins = proofread::JoinChoice::Safe;
    return options;
}

struct Row {
    std::string name;
    double before = 0, after = 0;
    std::size_t instances = 0, altered = 0;  // of files without mistakes, repaired all the same
    int cases = 0;

    /// `isTruth`: it has no mistakes of its own. Those of predictions are repaired first, since who injects a mistake
    /// beside one that is there cannot ask for the latter back.
    void add(const project::Labels& given, const test::InjectedErrors& errors, bool isTruth) {
        const auto untouched = proofread::repair(given, topProposals());
        if (!untouched)
            std::exit(1);
        altered += test::alteredInstances(given, untouched->labels);
        instances += given.instanceCount();
        const project::Labels& truth = isTruth ? given : untouched->labels;
        const project::Labels wrong = test::withErrors(truth, errors);
        const auto repaired = proofread::repair(wrong, topProposals());
        if (!repaired)
            std::exit(1);
        before += idf1(truth, wrong);
        after += idf1(truth, repaired->labels);
        ++cases;
    }

    bool print() const {
        const double n = cases, lost = 1 - before / n, back = lost > 0 ? (after - before) / n / lost : 1;
        std::printf("%-42s %8.4f %8.4f %7.1f%%   %7zu of %zu   %s\n", name.c_str(), before / n, after / n, 100 * back,
                    altered, instances, back >= 0.8 ? "holds" : "MISSES");
        return back >= 0.8;
    }
};

/// Each kind of mistake alone in one file.
int lookAt(const char* file, int seeds, std::uint32_t first) {
    const auto given = formats::readSlp(file);
    if (!given || !evaluation::hasTracks(*given)) {
        std::fprintf(stderr, "proofread_repair: %s cannot be read or has no tracks\n", file);
        return 1;
    }
    const auto untouched = proofread::repair(*given, topProposals());
    if (!untouched)
        return 1;
    const project::Labels& truth = untouched->labels;
    std::printf("Without mistakes: %zu swaps, %zu flips, %zu duplicates, %zu joins; %zu of %zu instances altered\n",
                untouched->report.swaps, untouched->report.flips, untouched->report.duplicates, untouched->report.joins,
                test::alteredInstances(*given, truth), given->instanceCount());
    for (const std::string& sentence : untouched->report.done)
        std::printf("    %s\n", sentence.c_str());
    for (int s = 0; s < seeds; ++s) {
        const std::uint32_t seed = first + static_cast<std::uint32_t>(s);
        const std::pair<const char*, test::InjectedErrors> kinds[] = {{"swaps", {4, 0, 0, 0, seed}},
                                                                      {"breaks", {0, 4, 0, 0, seed}},
                                                                      {"duplicates", {0, 0, 4, 0, seed}},
                                                                      {"flips", {0, 0, 0, 4, seed}}};
        for (const auto& [name, errors] : kinds) {
            const project::Labels wrong = test::withErrors(truth, errors);
            const auto repaired = proofread::repair(wrong, topProposals());
            if (!repaired)
                return 1;
            std::printf("seed %u, 4 %-10s  IDF1 %.4f, repaired %.4f\n", seed, name, idf1(truth, wrong),
                        idf1(truth, repaired->labels));
            for (const std::string& sentence : repaired->report.done)
                std::printf("    %s\n", sentence.c_str());
        }
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const int seeds = argc > 1 ? std::atoi(argv[1]) : 5;
    const std::uint32_t first =
        argc > 2 ? static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10)) : std::random_device{}() % 1'000'000;
    if (seeds < 1) {
        std::fprintf(stderr, "usage: proofread_repair [seeds, at least 1] [first seed] [FILE.slp]\n");
        return 2;
    }
    if (argc > 3)
        return lookAt(argv[3], seeds, first);
    std::printf("Seeds %u to %u; 4 swaps, 4 breaks, 4 duplicates and 4 flips each (2 of each in the short scene)\n\n",
                first, first + static_cast<std::uint32_t>(seeds) - 1);
    std::printf("%-42s %8s %8s %8s   %s\n", "", "IDF1", "repaired", "back", "altered without mistakes");
    bool allHold = true;
    for (const bool large : {false, true})
        for (const auto kind : {test::TrackSceneKind::Cross, test::TrackSceneKind::Walk, test::TrackSceneKind::Noisy,
                                test::TrackSceneKind::Occl}) {
            Row row;
            for (int s = 0; s < seeds; ++s) {
                const std::uint32_t seed = first + static_cast<std::uint32_t>(s);
                auto spec = large ? test::trackSceneOfLargeAnimals(kind, seed) : test::trackScene(kind, seed);
                const bool isShort = kind == test::TrackSceneKind::Cross;
                spec.nodes = 5;
                spec.frames = isShort ? spec.frames : 600;
                row.name = test::nameOf(spec);
                project::Labels truth = test::makeTrackScene(spec).truth;
                truth.editSkeletons()[0].symmetries = {{1, 3}};
                const int count = isShort ? 2 : 4;
                row.add(truth, {count, count, count, count, seed}, true);
            }
            allHold = row.print() && allHold;
        }
    const auto reference = test::referenceDir();
    if (!reference)
        std::printf("The reference pack is not there: its track files are left out.\n");
    for (const char* file : {"media/synthetic_6.truth.slp", "slp/clip.slp", "slp/centered_pair_predictions.slp",
                             "golden/runs/synthetic_bottomup/tracking_max6.slp", "golden/runs/topdown/tracking.slp"}) {
        if (!reference)
            break;
        const auto truth = formats::readSlp(*reference / file);
        if (!truth || !evaluation::hasTracks(*truth)) {
            std::printf("%-42s has no tracks\n", file);
            continue;
        }
        const bool isTruth = std::string(file).find("truth") != std::string::npos;
        Row row;
        row.name = file;
        for (int s = 0; s < seeds; ++s)
            row.add(*truth, {4, 4, 4, 4, first + static_cast<std::uint32_t>(s)}, isTruth);
        allHold = row.print() && allHold;
    }
    std::printf("\n%s\n", allHold ? "At least 80 % of what was lost comes back everywhere."
                                  : "Somewhere less than 80 % of what was lost comes back.");
    return allHold ? 0 : 1;
}
