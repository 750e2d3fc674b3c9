// SPDX-License-Identifier: BSD-3-Clause
#include "engine/profile/profiler.h"

#include <sys/resource.h>

#include <algorithm>
#include <random>

namespace skein::profile {
namespace {

constexpr std::size_t kReservoir = std::size_t{1} << 16U;

double milliseconds(double nanoseconds) {
    return nanoseconds / 1e6;
}

/// Linear-interpolated quantile of sorted values.
double quantile(const std::vector<float>& sorted, double q) {
    if (sorted.empty())
        return 0;
    const double position = q * static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(position);
    const std::size_t high = std::min(low + 1, sorted.size() - 1);
    const double weight = position - static_cast<double>(low);
    return static_cast<double>(sorted[low]) * (1 - weight) + static_cast<double>(sorted[high]) * weight;
}

}  // namespace

const char* stageName(Stage stage) {
    switch (stage) {
        case Stage::FrameBufferGet:
            return "frame_buffer.get";
        case Stage::BatchPrepare:
            return "BatchPrepare";
        case Stage::BatchAssemble:
            return "BatchAssemble";
        case Stage::Forward:
            return "Forward";
        case Stage::PafScorer:
            return "PAFScorer.predict";
        case Stage::Postprocess:
            return "Postprocess";
        case Stage::TrackerTrack:
            return "Tracker.track";
        case Stage::Write:
            return "Write";
    }
    return "";
}

struct Profiler::Series {
    mutable std::mutex mutex;
    std::uint64_t count = 0;
    double totalNs = 0;
    std::vector<float> samplesNs;
    std::minstd_rand random{1};

    void add(double ns) {
        const std::lock_guard lock(mutex);
        ++count;
        totalNs += ns;
        if (samplesNs.size() < kReservoir) {
            samplesNs.push_back(static_cast<float>(ns));
        } else if (const std::uint64_t slot = std::uniform_int_distribution<std::uint64_t>(0, count - 1)(random);
                   slot < kReservoir) {
            samplesNs[slot] = static_cast<float>(ns);
        }
    }
};

Profiler::Profiler() {
    for (auto& series : m_series)
        series = std::make_unique<Series>();
}
Profiler::~Profiler() = default;

void Profiler::record(Stage stage, std::chrono::nanoseconds duration) {
    m_series[static_cast<std::size_t>(stage)]->add(static_cast<double>(duration.count()));
}

void Profiler::countCopyToDevice(std::uint64_t bytes) {
    ++m_toDevice;
    m_toDeviceBytes += bytes;
}

void Profiler::countCopyToHost(std::uint64_t bytes) {
    ++m_toHost;
    m_toHostBytes += bytes;
}

void Profiler::countBatch(std::uint64_t frames, bool partial) {
    ++m_batches;
    m_frames += frames;
    m_partial += partial ? 1U : 0U;
}

Summary Profiler::summary() const {
    Summary summary;
    for (std::size_t i = 0; i < kStageCount; ++i) {
        StageSummary stage;
        stage.name = stageName(static_cast<Stage>(i));
        std::vector<float> samples;
        {
            const std::lock_guard lock(m_series[i]->mutex);
            stage.count = m_series[i]->count;
            stage.totalMs = milliseconds(m_series[i]->totalNs);
            samples = m_series[i]->samplesNs;
        }
        std::sort(samples.begin(), samples.end());
        stage.avgMs = stage.count == 0 ? 0 : stage.totalMs / static_cast<double>(stage.count);
        stage.p50Ms = milliseconds(quantile(samples, 0.5));
        stage.p95Ms = milliseconds(quantile(samples, 0.95));
        summary.stages.push_back(std::move(stage));
    }
    summary.hostToDevice = {m_toDevice, m_toDeviceBytes};
    summary.deviceToHost = {m_toHost, m_toHostBytes};
    summary.batches = m_batches;
    summary.partialBatches = m_partial;
    summary.frames = m_frames;
    return summary;
}

std::uint64_t peakResidentBytes() {
    rusage usage{};
    if (::getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024U;
}

}  // namespace skein::profile
