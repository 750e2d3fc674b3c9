// SPDX-License-Identifier: GPL-3.0-or-later
// Skein's inference behind plain functions, so that measure.py can run it in one process with PyTorch's profiler. Each
// function that can fail says so by its result; checkError() then has the sentence. One thread.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/inference/detail/stage_loop.h"
#include "engine/inference/detail/stage_probe.h"
#include "engine/inference/grouping.h"
#include "engine/inference/runner.h"
#include "tests/benchmarks/gpu/sample_model.h"

#define SKEIN_CHECK_API extern "C" __attribute__((visibility("default")))

using namespace skein;

namespace {

std::string g_error;  // of the last function that failed

template <class T>
T orThrow(Result<T> result) {
    if (!result)
        throw std::runtime_error(result.error().describe());
    return std::move(*result);
}

/// 0, or -1 with the sentence kept.
template <class Work>
int attempt(Work&& work) {
    try {
        work();
        return 0;
    } catch (const std::exception& e) {
        g_error = e.what();
        return -1;
    }
}

struct Check {
    models::ModelSpec spec;
    inference::InferenceOptions options;
    profile::Profiler profiler;
    std::unique_ptr<inference::InferenceRunner> runner;
    std::unique_ptr<inference::Grouper> grouper;
    std::vector<ImagePtr> frames;
    std::vector<inference::FrameDetections> found;  // by frame, of the last run
    std::unique_ptr<inference::probe::StageLoop> loop;
    std::string remark;
};

}  // namespace

SKEIN_CHECK_API const char* checkError() {
    return g_error.c_str();
}

/// `device`: as of the command line, or "queued": the processor, but on the GPU's way in everything except the copies.
/// `precision`: 0 exact, 1 tf32, 2 half. `graphs`: whether batches are recorded. Null on errors.
SKEIN_CHECK_API Check* checkOpen(const char* device, const char* folder, int batch, int precision, int graphs) {
    auto check = std::make_unique<Check>();
    const bool queued = std::string(device) == "queued";
    const int failed = attempt([&] {
        check->spec = bench::sampleModel(folder);
        check->options.device = queued ? "cpu" : device;
        check->options.batchSize = batch;
        check->options.precision = static_cast<inference::Precision>(precision);
        check->options.cudaGraphs = graphs != 0;
        if (queued)
            check->runner = orThrow(inference::probe::makeQueuedRunner({check->spec}, check->options, check->profiler));
        else
            check->runner =
                orThrow(orThrow(inference::openBackend())->loadRunner({check->spec}, check->options, check->profiler));
        check->grouper =
            std::make_unique<inference::Grouper>(orThrow(inference::Grouper::create(check->spec, check->options)));
    });
    return failed != 0 ? nullptr : check.release();
}

SKEIN_CHECK_API void checkClose(Check* check) {
    delete check;
}

/// Takes a copy of grey frames, [count, height, width].
SKEIN_CHECK_API void checkFrames(Check* check, const std::uint8_t* pixels, int count, int height, int width) {
    const std::size_t size = static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
    check->frames.clear();
    for (int f = 0; f < count; ++f) {
        auto image = std::make_shared<Image>();
        image->width = width;
        image->height = height;
        image->channels = 1;
        const std::uint8_t* begin = pixels + size * static_cast<std::size_t>(f);
        image->pixels.assign(begin, begin + size);
        check->frames.push_back(std::move(image));
    }
}

/// All frames to instances: while the device has a batch, the host makes instances of the one before.
SKEIN_CHECK_API int checkRun(Check* check) {
    return attempt([&] {
        check->found.clear();
        const auto step = static_cast<std::size_t>(check->options.batchSize);
        const auto atOnce = static_cast<std::size_t>(check->runner->batchesAtOnce());
        std::deque<std::unique_ptr<inference::PendingBatch>> pending;
        const auto finish = [&](std::size_t left) {
            while (pending.size() > left) {
                for (auto& frame : check->grouper->group(orThrow(pending.front()->wait()), check->profiler))
                    check->found.push_back(std::move(frame));
                pending.pop_front();
            }
        };
        for (std::size_t f = 0; f < check->frames.size(); f += step) {
            const auto batch = std::span(check->frames).subspan(f, std::min(step, check->frames.size() - f));
            pending.push_back(orThrow(check->runner->submit(batch)));
            finish(atOnce);
        }
        finish(0);
    });
}

/// Milliseconds of each frame from memory to its instances; the runner was opened for batches of one.
SKEIN_CHECK_API int checkLatency(Check* check, double* ms) {
    return attempt([&] {
        for (std::size_t f = 0; f < check->frames.size(); ++f) {
            const auto begin = std::chrono::steady_clock::now();
            const auto pending = orThrow(check->runner->submit(std::span(check->frames).subspan(f, 1)));
            (void)check->grouper->group(orThrow(pending->wait()), check->profiler);
            ms[f] = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        }
    });
}

/// Passes of the network alone over the first batch of the frames; on a GPU they are queued and not waited for.
SKEIN_CHECK_API int checkForward(Check* check, int passes) {
    return attempt([&] {
        if (!check->loop) {
            const auto step = std::min(check->frames.size(), static_cast<std::size_t>(check->options.batchSize));
            check->loop = orThrow(
                inference::probe::makeStageLoop(check->spec, check->options, std::span(check->frames).first(step)));
            check->loop->preprocess();
        }
        for (int i = 0; i < passes; ++i)
            check->loop->forward();
    });
}

/// How batches were computed, in a sentence; valid until the next call.
SKEIN_CHECK_API const char* checkRemark(Check* check) {
    check->remark = check->runner->remark();
    return check->remark.c_str();
}

/// Instances of the last run: how many in each frame.
SKEIN_CHECK_API void checkCounts(Check* check, int* perFrame) {
    for (const auto& frame : check->found)
        *perFrame++ = frame.count();
}

/// Their points, [instances, nodes, 2], in the order of frames.
SKEIN_CHECK_API void checkPoints(Check* check, float* points) {
    for (const auto& frame : check->found)
        points = std::copy(frame.points.begin(), frame.points.end(), points);
}

/// What Skein counts itself, since the runner was opened: batches, uploads, their bytes, downloads, their bytes.
SKEIN_CHECK_API void checkCounters(Check* check, double* counters) {
    const profile::Summary summary = check->profiler.summary();
    counters[0] = static_cast<double>(summary.stages[static_cast<std::size_t>(profile::Stage::Forward)].count);
    counters[1] = static_cast<double>(summary.hostToDevice.count);
    counters[2] = static_cast<double>(summary.hostToDevice.bytes);
    counters[3] = static_cast<double>(summary.deviceToHost.count);
    counters[4] = static_cast<double>(summary.deviceToHost.bytes);
}
