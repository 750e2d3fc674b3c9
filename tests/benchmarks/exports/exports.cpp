// SPDX-License-Identifier: GPL-3.0-or-later
// What each export of a large project takes, beside its limits: 1,000,000 instances of 13 nodes in under 30 s and 300
// MB beyond the project itself.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

#include "engine/formats/export/export_labels.h"
#include "engine/formats/slp.h"
#include "tests/support/big_project.h"

namespace {

using namespace skein;
using namespace skein::formats;
namespace fs = std::filesystem;

constexpr double kMostSeconds = 30, kMostMegabytes = 300;

/// A field of /proc/self/status, MB.
double memory(const std::string& field) {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word)
        if (word == field + ":") {
            double kilobytes = 0;
            status >> kilobytes;
            return kilobytes / 1024;
        }
    return 0;
}

template <class Work>
bool measure(const char* name, const fs::path& file, Work work) {
    std::ofstream("/proc/self/clear_refs") << "5";  // the peak counts from here
    const double before = memory("VmRSS");
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t processor = std::clock();
    const std::string problem = work();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double own = double(std::clock() - processor) / CLOCKS_PER_SEC;
    const double more = memory("VmHWM") - before;
    std::error_code ec;
    const double size = double(fs::file_size(file, ec)) / (1 << 20);
    const bool isOver = seconds > kMostSeconds || more > kMostMegabytes || !problem.empty();
    std::printf("%-18s %8.1f %8.1f %10.0f %10.1f  %s%s\n", name, seconds, own, more, ec ? 0.0 : size,
                isOver ? "OVER " : "", problem.c_str());
    std::fflush(stdout);
    fs::remove(file, ec);
    return !isOver;
}

}  // namespace

int main(int argc, char** argv) {
    const fs::path folder = argc > 1 ? fs::path(argv[1]) : fs::temp_directory_path();
    test::BigProject spec;
    spec.frames = argc > 2 ? std::atoll(argv[2]) : 500'000;
    spec.animals = 2;
    spec.nodes = 13;
    spec.tracksEach = 1;
    const project::Labels labels = test::makeBigProject(spec);
    std::printf("%zu instances of %d nodes; the project takes %.0f MB\n", labels.instanceCount(), spec.nodes,
                memory("VmRSS"));
    std::printf("limits: %.0f s, %.0f MB more than the project\n\n", kMostSeconds, kMostMegabytes);
    std::printf("%-18s %8s %8s %10s %10s\n", "format", "seconds", "CPU s", "more MB", "file MB");
    bool isGood = true;
    for (const char* name : {"analysis", "csv", "csv-tidy", "coco", "dlc", "nwb", "json"}) {
        const fs::path file = folder / (std::string("exports.") + name);
        isGood = measure(name, file,
                         [&]() -> std::string {
                             const auto written = exportLabels(labels, *exportFormatNamed(name), file);
                             return written ? "" : written.error().describe();
                         }) &&
                 isGood;
    }
    const fs::path file = folder / "exports.analysis";
    isGood = measure("analysis, standard", file,
                     [&]() -> std::string {
                         ExportOptions options;
                         options.standardAxes = true;
                         const auto written = exportLabels(labels, ExportFormat::Analysis, file, options);
                         return written ? "" : written.error().describe();
                     }) &&
             isGood;
    const fs::path slp = folder / "exports.slp";
    isGood = measure("slp", slp,
                     [&]() -> std::string {
                         const auto written = writeSlp(labels, slp);
                         return written ? "" : written.error().describe();
                     }) &&
             isGood;
    return isGood ? 0 : 1;
}
