// SPDX-License-Identifier: GPL-3.0-or-later
#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/inference/bottomup_packer.h"
#include "engine/inference/detail/stage_loop.h"
#include "engine/inference/input_geometry.h"
#include "engine/inference/line_scores.h"
#include "engine/inference/map_packer.h"
#include "tests/benchmarks/bench_models.h"
#include "tests/benchmarks/kernels/kernels.h"

namespace skein::bench {
namespace {

using inference::MapView;
using inference::probe::StageLoop;

constexpr int kMatrix = 2048;  // of the yardstick of forward passes

inference::InferenceOptions onCpu() {
    inference::InferenceOptions options;
    options.device = "cpu";
    return options;
}

/// Multiplications and additions, counted as two, of a UNet without a stem on so many input pixels; of others 0.
double operationsOf(const models::NetworkPlan& plan, double pixels) {
    if (plan.stages || !plan.stem.empty())
        return 0;
    double sum = 0;
    const auto add = [&](const models::ConvPlan& conv, double stride) {
        sum += 2.0 * conv.kernel * conv.kernel * conv.inChannels * conv.outChannels * pixels / (stride * stride);
    };
    double stride = 1;
    for (std::size_t b = 0; b < plan.encoder.size(); ++b) {
        if (b > 0)
            stride *= 2;
        for (const models::ConvPlan& conv : plan.encoder[b])
            add(conv, stride);
    }
    for (const models::ConvPlan& conv : plan.middle)
        add(conv, plan.bottleneckStride);
    for (const models::DecoderBlockPlan& block : plan.decoder) {
        if (!block.interpolate)
            add(block.up, 2 * block.stride);  // counted by the pixels that go in
        for (const models::ConvPlan& conv : block.refine)
            add(conv, block.stride);
    }
    for (const models::HeadPlan& head : plan.heads)
        if (head.fc.empty())
            add(head.conv,
                head.source < 0 ? plan.bottleneckStride : plan.decoder[static_cast<std::size_t>(head.source)].stride);
    return sum;
}

/// One stage of a model: what is looked at (frames, or crops for a second stage), and its network.
struct Stage {
    std::string name;
    models::ModelSpec spec;
    std::vector<ImagePtr> images;  ///< as many as the largest batch
};

constexpr int kLargestBatch = 8;

/// The middle of frames, as large as the crops of a second stage.
std::vector<ImagePtr> middleOf(const std::vector<ImagePtr>& frames, int side) {
    std::vector<ImagePtr> crops;
    for (const ImagePtr& frame : frames) {
        auto crop = std::make_shared<Image>();
        crop->width = crop->height = side;
        crop->channels = frame->channels;
        const auto offset = static_cast<std::size_t>((frame->width - side) / 2 * frame->channels);
        for (int y = 0; y < side; ++y) {
            const auto row = static_cast<std::size_t>((frame->height - side) / 2 + y) * frame->rowBytes() + offset;
            const auto begin = frame->pixels.begin() + static_cast<std::ptrdiff_t>(row);
            crop->pixels.insert(crop->pixels.end(), begin, begin + static_cast<std::ptrdiff_t>(crop->rowBytes()));
        }
        crops.push_back(std::move(crop));
    }
    return crops;
}

Stage loadStage(const BenchModel& model, std::size_t number) {
    Stage stage{model.name, model.specs()[number], framesInMemory(model.video, kLargestBatch)};
    if (const auto side = stage.spec.preprocess.cropSize) {
        stage.images = middleOf(stage.images, *side);
        stage.spec.preprocess.maxHeight = stage.spec.preprocess.maxWidth = std::nullopt;  // those are of frames
    }
    return stage;
}

std::unique_ptr<StageLoop> loopOf(const Stage& stage, int batch) {
    auto loop = orThrow(
        inference::probe::makeStageLoop(stage.spec, onCpu(), std::span(stage.images).first(std::size_t(batch))));
    loop->preprocess();
    return loop;
}

/// Runs `body` with exceptions turned into the benchmark's own failure.
void guarded(benchmark::State& state, const std::function<void()>& body) {
    try {
        body();
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
    }
}

void timePreprocess(benchmark::State& state, const std::function<Stage()>& load) {
    guarded(state, [&] {
        const auto loop = loopOf(load(), 4);
        for (auto _ : state)
            loop->preprocess();
        state.SetItemsProcessed(state.iterations() * 4);
    });
}

void timeForward(benchmark::State& state, const std::function<Stage()>& load, int batch) {
    guarded(state, [&] {
        const Stage stage = load();
        const auto loop = loopOf(stage, batch);
        loop->forward();
        for (auto _ : state)
            loop->forward();
        state.SetItemsProcessed(state.iterations() * batch);
        const auto geometry = inference::inputGeometry({stage.images[0]->height, stage.images[0]->width},
                                                       stage.spec.preprocess, stage.spec.maxStride());
        const double pixels = static_cast<double>(geometry.padded.height) * geometry.padded.width;
        const double operations = operationsOf(orThrow(models::planNetwork(stage.spec)), pixels);
        if (operations > 0)
            state.counters["GFLOP/s"] = benchmark::Counter(
                1e-9 * operations * batch * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
    });
}

/// The sample's maps of one frame, and how its peaks and lines are looked for.
struct SampleMaps {
    models::ModelSpec spec;
    std::unique_ptr<StageLoop> loop;
    std::vector<MapView> maps;
    inference::PackOptions options;
};

SampleMaps sampleMaps() {
    const Stage stage = loadStage(trainedModels().front(), 0);
    SampleMaps result{stage.spec, loopOf(stage, 1), {}, inference::packOptions(stage.spec, onCpu())};
    result.loop->forward();
    result.maps = result.loop->maps(0);
    return result;
}

void timePeaks(benchmark::State& state) {
    guarded(state, [&] {
        const SampleMaps sample = sampleMaps();
        std::vector<inference::Peak> peaks;
        for (auto _ : state) {
            peaks.clear();
            inference::findLocalPeaks(sample.maps[0], sample.options.peaks, peaks);
        }
        state.counters["peaks"] = static_cast<double>(peaks.size());
        state.SetItemsProcessed(state.iterations());
    });
}

void timeLineScores(benchmark::State& state) {
    guarded(state, [&] {
        const SampleMaps sample = sampleMaps();
        std::vector<inference::Peak> peaks;
        inference::findLocalPeaks(sample.maps[0], sample.options.peaks, peaks);
        const auto stride = static_cast<float>(sample.options.confmapStride);
        const inference::LineScorer scorer(sample.options.lines, sample.options.secondStride, sample.maps[1].height,
                                           sample.maps[1].width, static_cast<int>(sample.options.edges.size()));
        std::int64_t lines = 0;
        for (auto _ : state)
            for (std::size_t e = 0; e < sample.options.edges.size(); ++e)
                for (const inference::Peak& a : peaks)
                    for (const inference::Peak& b : peaks) {
                        if (a.channel != sample.options.edges[e].source ||
                            b.channel != sample.options.edges[e].destination)
                            continue;
                        benchmark::DoNotOptimize(scorer.score(sample.maps[1], static_cast<int>(e), a.x * stride,
                                                              a.y * stride, b.x * stride, b.y * stride));
                        ++lines;
                    }
        state.counters["lines"] = static_cast<double>(lines) / static_cast<double>(state.iterations());
        state.SetItemsProcessed(state.iterations());
    });
}

/// Peaks, lines and the packed buffer of a frame: all that a processor does between network and grouping.
void timePacking(benchmark::State& state) {
    guarded(state, [&] {
        const SampleMaps sample = sampleMaps();
        inference::BottomUpPacker packer(sample.options);
        for (auto _ : state) {
            packer.begin();
            packer.add(sample.maps);
            benchmark::DoNotOptimize(packer.finish());
        }
        state.SetItemsProcessed(state.iterations());
    });
}

void timeMatrices(benchmark::State& state) {
    double best = 0;
    for (auto _ : state)
        best = std::max(best, inference::probe::matrixRate(kMatrix, 0));
    state.counters["GFLOP/s"] = best;
}

}  // namespace

void registerNetworkKernels(const std::filesystem::path& scratch) {
    using benchmark::RegisterBenchmark;
    RegisterBenchmark("matrix/2048", timeMatrices)
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1)
        ->MeasureProcessCPUTime()
        ->UseRealTime();
    const auto addStage = [](const std::string& name, const std::function<Stage()>& load,
                             const std::vector<int>& batches) {
        RegisterBenchmark(("preprocess/" + name).c_str(), timePreprocess, load)
            ->Unit(benchmark::kMillisecond)
            ->MeasureProcessCPUTime()
            ->UseRealTime();
        for (const int batch : batches)
            RegisterBenchmark(("forward/" + name + "/batch:" + std::to_string(batch)).c_str(), timeForward, load, batch)
                ->Unit(benchmark::kMillisecond)
                ->MeasureProcessCPUTime()
                ->UseRealTime();
    };
    std::vector<std::string> seen;
    for (const BenchModel& model : trainedModels())
        for (std::size_t s = 0; s < model.folders.size(); ++s) {
            // A first stage serves two pairs.
            const std::string folder = model.folders[s].filename().string();
            if (std::find(seen.begin(), seen.end(), folder) != seen.end())
                continue;
            seen.push_back(folder);
            addStage(folder, [model, s] { return loadStage(model, s); }, {1, 4, kLargestBatch});
        }
    for (const char* preset : {"convnext tiny", "swint tiny"}) {
        std::string name = preset;
        std::replace(name.begin(), name.end(), ' ', '_');
        // Large networks: a frame takes seconds on a small processor, and more of them take as many times longer.
        addStage(name, [preset, folder = scratch / name] { return loadStage(madeModel(preset, folder), 0); }, {1});
    }
    RegisterBenchmark("peaks/sample", timePeaks)->Unit(benchmark::kMicrosecond);
    RegisterBenchmark("line_scores/sample", timeLineScores)->Unit(benchmark::kMicrosecond);
    RegisterBenchmark("packing/sample", timePacking)->Unit(benchmark::kMicrosecond);
}

}  // namespace skein::bench
