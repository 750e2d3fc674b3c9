// SPDX-License-Identifier: GPL-3.0-or-later
// Times of single kernels by Google Benchmark, whose options it takes: --benchmark_filter=REGEX,
// --benchmark_format=json, --benchmark_list_tests.
#include "tests/benchmarks/kernels/kernels.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <exception>

#include "tests/benchmarks/bench_models.h"

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 2;
    try {
        const skein::bench::ScratchFolder scratch;
        skein::bench::registerNetworkKernels(scratch.path());
        skein::bench::registerHostKernels();
        skein::bench::registerFileKernels(scratch.path());
        benchmark::RunSpecifiedBenchmarks();
        benchmark::Shutdown();
    } catch (const std::exception& e) {
        std::fprintf(stderr, "bench_kernels: %s\n", e.what());
        return 1;
    }
    return 0;
}
