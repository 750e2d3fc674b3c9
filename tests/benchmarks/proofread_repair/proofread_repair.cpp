// SPDX-License-Identifier: GPL-3.0-or-later
// proofread_repair [seeds] [first seed]: mistakes are put into the truth of made-up scenes and into reference track
// files, and the top proposals accepted; prints what that gives back.
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

}  // namespace

int main(int argc, char** argv) {
    const int seeds = argc > 1 ? std::atoi(argv[1]) : 5;
    const std::uint32_t first =
        argc > 2 ? static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10)) : std::random_device{}() % 1'000'000;
    if (seeds < 1) {
        std::fprintf(stderr, "usage: proofread_repair [seeds, at least 1] [first seed]\n");
        return 2;
    }
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
