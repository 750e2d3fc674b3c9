// SPDX-License-Identifier: GPL-3.0-or-later
#include <benchmark/benchmark.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "engine/formats/slp.h"
#include "engine/video/video_source.h"
#include "tests/benchmarks/bench_models.h"
#include "tests/benchmarks/kernels/kernels.h"
#include "tests/support/big_project.h"
#include "tests/support/video_maker.h"

namespace skein::bench {
namespace {

constexpr int kGroup = 600;  // frames between key frames of the video for seeks
constexpr int kKept = 16;    // frames that are kept for certain after decoding on

/// Nothing, and the state says why, where the video is not decoded by what was asked for.
std::shared_ptr<video::VideoSource> openFor(benchmark::State& state, const std::filesystem::path& path,
                                            video::DecoderChoice decoder) {
    video::OpenOptions options;
    options.decoder = decoder;
    auto source = video::openVideo(path, options);
    const std::string problem = !source                                               ? source.error().message()
                                : decoder == video::DecoderChoice::Processor          ? std::string()
                                : (*source)->decoderNote().find("the processor") == 0 ? (*source)->decoderNote()
                                                                                      : std::string();
    if (problem.empty())
        return *source;
    state.SkipWithError(problem.c_str());
    return nullptr;
}

/// Every frame in order; an iteration is one frame.
void timeDecode(benchmark::State& state, const std::filesystem::path& path, video::DecoderChoice decoder) {
    const auto source = openFor(state, path, decoder);
    if (!source)
        return;
    video::FrameNumber frame = 0;
    for (auto _ : state) {
        const auto image = source->read(frame, source->engineFormat());
        if (!image)
            return state.SkipWithError(image.error().message().c_str());
        frame = (frame + 1) % source->frameCount();
    }
    state.SetItemsProcessed(state.iterations());
}

enum class Seek { Random, Back };

/// `Random`: anywhere in a group of 600 frames, which costs half the group on average. `Back`: steps back within the
/// pictures decoded last, which are kept.
void timeSeek(benchmark::State& state, const std::filesystem::path& scratch, Seek seek, video::DecoderChoice decoder) {
    test::VideoSpec spec;
    spec.width = spec.height = 384;
    spec.frames = spec.gop = kGroup;
    spec.encoderOptions = "preset=veryfast:keyint=600:scenecut=0";
    const std::filesystem::path path = scratch / "one_group.mp4";
    if (!std::filesystem::exists(path) && !test::makeVideo(path, spec))
        return state.SkipWithError("libx264 is missing");
    const auto source = openFor(state, path, decoder);
    if (!source)
        return;
    std::mt19937 random(7);
    std::uniform_int_distribution<video::FrameNumber> any(0, kGroup - 1);
    const auto read = [&](video::FrameNumber frame) { return source->read(frame, source->engineFormat()); };
    video::FrameNumber frame = kGroup - 1;
    if (seek == Seek::Back && !read(frame))
        return state.SkipWithError("the video cannot be read");
    for (auto _ : state) {
        frame = seek == Seek::Random ? any(random) : frame > kGroup - kKept ? frame - 1 : kGroup - 1;
        if (const auto image = read(frame); !image)
            return state.SkipWithError(image.error().message().c_str());
    }
    state.SetItemsProcessed(state.iterations());
}

/// 100,000 instances of 13 nodes.
test::BigProject project() {
    test::BigProject spec;
    spec.frames = 10'000;
    spec.animals = 10;
    spec.nodes = 13;
    return spec;
}

void timeWrite(benchmark::State& state, const std::filesystem::path& scratch) {
    const project::Labels labels = test::makeBigProject(project());
    for (auto _ : state)
        if (const auto written = formats::writeSlp(labels, scratch / "written.slp"); !written)
            return state.SkipWithError(written.error().message().c_str());
    state.SetItemsProcessed(state.iterations() * 100'000);
}

void timeRead(benchmark::State& state, const std::filesystem::path& scratch) {
    const std::filesystem::path path = test::bigProjectFile(scratch, project());
    for (auto _ : state)
        if (const auto labels = formats::readSlp(path); !labels)
            return state.SkipWithError(labels.error().message().c_str());
    state.SetItemsProcessed(state.iterations() * 100'000);
}

}  // namespace

void registerFileKernels(const std::filesystem::path& scratch) {
    using benchmark::RegisterBenchmark;
    std::vector<std::filesystem::path> videos;
    for (const BenchModel& model : trainedModels())
        if (std::find(videos.begin(), videos.end(), model.video) == videos.end())
            videos.push_back(model.video);
    using video::DecoderChoice;
    for (const auto& [suffix, decoder] : {std::pair("", DecoderChoice::Processor), {"_gpu", DecoderChoice::Gpu}}) {
        for (const auto& path : videos)
            RegisterBenchmark(("decode" + std::string(suffix) + "/" + path.stem().string()).c_str(), timeDecode, path,
                              decoder)
                ->Unit(benchmark::kMicrosecond)
                ->MeasureProcessCPUTime()
                ->UseRealTime();
        for (const auto& [name, seek] : {std::pair("random_in_group_of_600", Seek::Random), {"step_back", Seek::Back}})
            RegisterBenchmark(("seek" + std::string(suffix) + "/" + name).c_str(), timeSeek, scratch, seek, decoder)
                ->Unit(benchmark::kMillisecond)
                ->MeasureProcessCPUTime()
                ->UseRealTime();
    }
    RegisterBenchmark("slp_write/instances:100000", timeWrite, scratch)
        ->Unit(benchmark::kMillisecond)
        ->MeasureProcessCPUTime()
        ->UseRealTime();
    RegisterBenchmark("slp_read/instances:100000", timeRead, scratch)
        ->Unit(benchmark::kMillisecond)
        ->MeasureProcessCPUTime()
        ->UseRealTime();
}

}  // namespace skein::bench
