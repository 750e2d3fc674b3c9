// SPDX-License-Identifier: GPL-3.0-or-later
// Time from a frame in memory to its instances, one frame at a time, once everything is warm.
//   bench_latency [--device auto|cpu|cuda:N] [--frames N] [--threads N] [MODEL...]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "engine/inference/grouping.h"
#include "engine/inference/runner.h"
#include "tests/benchmarks/bench_models.h"

using namespace skein;
using namespace skein::bench;

namespace {

constexpr int kWarmFrames = 20;    // that are not counted
constexpr double kGpuLimitMs = 3;  // p95, Skein's aim for a data-centre GPU

struct Options {
    inference::InferenceOptions inference;
    int frames = 300;
    std::vector<std::string> models;
};

/// Milliseconds at a share of the sorted times, interpolated.
double quantile(const std::vector<double>& sorted, double share) {
    const double position = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const double above = sorted[std::min(below + 1, sorted.size() - 1)];
    return sorted[below] + (above - sorted[below]) * (position - static_cast<double>(below));
}

/// The processor as the system calls it, and its cores.
std::string processorName() {
    std::ifstream info("/proc/cpuinfo");
    std::string name = "unknown processor";
    for (std::string line; std::getline(info, line);)
        if (const auto colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos) {
            name = line.substr(colon + 2);
            break;
        }
    return name + ", " + std::to_string(std::thread::hardware_concurrency()) + " cores";
}

/// Prints one line; the device's name comes back.
std::string measure(inference::Backend& backend, const BenchModel& model, const Options& options) {
    const std::vector<ImagePtr> frames = framesInMemory(model.video, options.frames);
    profile::Profiler profiler;
    const auto runner = orThrow(backend.loadRunner(model.specs(), options.inference, profiler));
    const auto grouper = orThrow(inference::Grouper::create(runner->spec(), options.inference));
    if (const auto warm = runner->warmUp(frames[0]->height, frames[0]->width, frames[0]->channels); !warm)
        throw std::runtime_error(warm.error().describe());
    std::vector<double> times;
    std::int64_t instances = 0;
    for (int f = 0; f < kWarmFrames + options.frames; ++f) {
        const ImagePtr& frame = frames[static_cast<std::size_t>(f) % frames.size()];
        const auto begin = std::chrono::steady_clock::now();
        const auto pending = orThrow(runner->submit(std::span(&frame, 1)));
        const auto found = grouper.group(orThrow(pending->wait()), profiler);
        const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
        if (f < kWarmFrames)
            continue;
        times.push_back(time.count());
        instances += found.front().count();
    }
    std::sort(times.begin(), times.end());
    const std::string size = std::to_string(frames[0]->width) + " x " + std::to_string(frames[0]->height);
    std::printf("%-20s %11s %10.2f %9.2f %9.2f %9.2f %9.2f\n", model.name.c_str(), size.c_str(),
                static_cast<double>(instances) / static_cast<double>(times.size()), quantile(times, 0.5),
                quantile(times, 0.95), quantile(times, 0.99), times.back());
    std::fflush(stdout);
    return runner->device();
}

int run(const Options& options) {
    inference::Backend& backend = *orThrow(inference::openBackend());
    const inference::DeviceInfo info = backend.devices();
    std::printf("LibTorch %s; devices:", info.torchVersion.c_str());
    for (const std::string& device : info.devices)
        std::printf(" %s%s", device.c_str(), &device == &info.devices.back() ? "\n" : ",");
    if (!info.cudaReason.empty())
        std::printf("No CUDA: %s\n", info.cudaReason.c_str());
    std::printf("Milliseconds from a frame in memory to its instances, batch 1, %d frames each\n\n", options.frames);
    std::printf("%-20s %11s %10s %9s %9s %9s %9s\n", "model", "pixels", "instances", "p50", "p95", "p99", "most");
    std::string device;
    for (const BenchModel& model : trainedModels())
        if (options.models.empty() ||
            std::find(options.models.begin(), options.models.end(), model.name) != options.models.end())
            device = measure(backend, model, options);
    if (device.empty()) {
        std::fprintf(stderr, "bench_latency: there is no such model\n");
        return 2;
    }
    if (device == "cpu")
        std::printf("\nMeasured on cpu (%s)\n", processorName().c_str());
    else
        std::printf("\nMeasured on %s; Skein's aim there is %.0f ms at p95\n", device.c_str(), kGpuLimitMs);
    if (!test::referenceDir())
        std::printf("The reference pack is not beside the repository: the sample alone was measured.\n");
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    options.inference.batchSize = 1;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const bool hasValue = i + 1 < argc;
        if (argument == "--device" && hasValue)
            options.inference.device = argv[++i];
        else if (argument == "--frames" && hasValue)
            options.frames = std::max(1, std::atoi(argv[++i]));
        else if (argument == "--threads" && hasValue)
            options.inference.cpuThreads = std::max(0, std::atoi(argv[++i]));
        else if (!argument.starts_with("-"))
            options.models.push_back(argument);
        else {
            std::fprintf(stderr,
                         "Usage: bench_latency [--device auto|cpu|cuda:N] [--frames N] [--threads N] [MODEL...]\n");
            return 2;
        }
    }
    try {
        return run(options);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "bench_latency: %s\n", e.what());
        return 1;
    }
}
