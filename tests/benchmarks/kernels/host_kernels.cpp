// SPDX-License-Identifier: GPL-3.0-or-later
#include <benchmark/benchmark.h>

#include <random>
#include <string>
#include <vector>

#include "engine/base/assignment.h"
#include "engine/inference/grouping.h"
#include "engine/tracking/tracker.h"
#include "tests/benchmarks/bench_models.h"
#include "tests/benchmarks/kernels/kernels.h"
#include "tests/support/made_batch.h"
#include "tests/support/walking_animals.h"

namespace skein::bench {
namespace {

constexpr int kNodes = 13;
constexpr int kBatch = 8;

/// Matching of lines and grouping into instances, for a batch of eight frames.
void timeGrouping(benchmark::State& state, int animals, int nodes) {
    const models::ModelSpec spec = test::treeModel(nodes);
    const inference::HostBatch batch = test::madeBatch(spec, test::walkAndBack(animals, nodes, kBatch));
    const auto grouper = orThrow(inference::Grouper::create(spec, {}));
    profile::Profiler profiler;
    std::size_t instances = 0;
    for (auto _ : state) {
        const auto frames = grouper.group(batch, profiler);
        instances = static_cast<std::size_t>(frames.front().count());
    }
    state.counters["instances"] = static_cast<double>(instances);
    state.SetItemsProcessed(state.iterations() * kBatch);
}

void timeAssignment(benchmark::State& state) {
    const auto size = static_cast<std::size_t>(state.range(0));
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(0, 1);
    std::vector<double> costs(size * size);
    for (double& cost : costs)
        cost = unit(random);
    Assigner assigner;
    for (auto _ : state)
        benchmark::DoNotOptimize(assigner.minimise(costs, size, size).data());
}

void timeTracker(benchmark::State& state, tracking::CandidateMethod candidates, int animals) {
    tracking::TrackerOptions options;
    options.candidates = candidates;
    const auto tracker = tracking::makeTracker(orThrow(tracking::resolveOptions(options, {})));
    const auto walk = test::walkAndBack(animals, kNodes, 200);
    std::int64_t frame = 0;
    std::vector<tracking::Detection> detections;
    for (auto _ : state) {
        detections.clear();
        for (const auto& points : walk[static_cast<std::size_t>(frame) % walk.size()])
            detections.push_back({points, 0.9, false});
        benchmark::DoNotOptimize(tracker->update(frame++, detections));
    }
    state.SetItemsProcessed(state.iterations());
}

}  // namespace

void registerHostKernels() {
    using benchmark::RegisterBenchmark;
    for (const auto& [animals, nodes] : {std::pair{2, kNodes}, {10, kNodes}, {50, 20}})
        RegisterBenchmark(("grouping/animals:" + std::to_string(animals) + "/nodes:" + std::to_string(nodes)).c_str(),
                          timeGrouping, animals, nodes)
            ->Unit(benchmark::kMicrosecond);
    RegisterBenchmark("assignment", timeAssignment)->Arg(2)->Arg(5)->Arg(20)->Arg(50)->Unit(benchmark::kMicrosecond);
    for (const auto& [method, name] : {std::pair{tracking::CandidateMethod::FixedWindow, "fixed_window"},
                                       {tracking::CandidateMethod::LocalQueues, "local_queues"}})
        for (const int animals : {2, 5, 20})
            RegisterBenchmark(("tracker/" + std::string(name) + "/animals:" + std::to_string(animals)).c_str(),
                              timeTracker, method, animals)
                ->Unit(benchmark::kMicrosecond);
}

}  // namespace skein::bench
