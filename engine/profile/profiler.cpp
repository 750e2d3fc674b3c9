// SPDX-License-Identifier: BSD-3-Clause
#include "engine/profile/profiler.h"

#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <thread>
#include <utility>

namespace skein::profile {
namespace {

// Durations in classes of equal ratio: 64 per doubling, hence at most 1.1 % wide and off by half of that. Below 64 ns a
// class is one nanosecond; the last doubling starts at 2^41 ns (37 minutes).
constexpr unsigned kSubBits = 6;
constexpr std::uint64_t kSub = std::uint64_t{1} << kSubBits;
constexpr unsigned kDoublings = 36;
constexpr std::size_t kClasses = static_cast<std::size_t>(kSub) * (kDoublings + 1);

std::size_t classOf(std::uint64_t ns) {
    if (ns < kSub)
        return static_cast<std::size_t>(ns);
    const auto doubling = static_cast<unsigned>(std::bit_width(ns)) - 1 - kSubBits;
    const auto index = static_cast<std::size_t>((doubling + 1) * kSub + ((ns >> doubling) - kSub));
    return std::min(index, kClasses - 1);
}

/// Middle of a class, in nanoseconds.
double valueOf(std::size_t index) {
    if (index < kSub)
        return static_cast<double>(index);
    const std::size_t doubling = index / kSub - 1;
    const double width = static_cast<double>(std::uint64_t{1} << doubling);
    return (static_cast<double>(index % kSub + kSub) + 0.5) * width;
}

double milliseconds(double nanoseconds) {
    return nanoseconds / 1e6;
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
        case Stage::Decode:
            return "decode";
        case Stage::LoadModel:
            return "load model";
        case Stage::DeviceQueue:
            return "queue on device";
        case Stage::Wait:
            return "wait";
    }
    return "";
}

const char* partName(Part part) {
    switch (part) {
        case Part::Crops:
            return "crops";
        case Part::Peaks:
            return "NMS";
        case Part::Lines:
            return "PAF lines";
        case Part::Assignment:
            return "assignment";
    }
    return "";
}

struct Profiler::Series {
    mutable std::mutex mutex;
    std::uint64_t count = 0;
    double totalNs = 0;
    std::uint64_t leastNs = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t mostNs = 0;
    std::array<std::uint64_t, kClasses> classes{};

    void reset() {
        const std::lock_guard lock(mutex);
        count = 0;
        totalNs = 0;
        leastNs = std::numeric_limits<std::uint64_t>::max();
        mostNs = 0;
        classes.fill(0);
    }

    void add(std::uint64_t ns) {
        const std::lock_guard lock(mutex);
        ++count;
        totalNs += static_cast<double>(ns);
        leastNs = std::min(leastNs, ns);
        mostNs = std::max(mostNs, ns);
        ++classes[classOf(ns)];
    }

    /// The samples that stand at `rank` and right after it, counted from 0 in ascending order.
    [[nodiscard]] std::pair<double, double> neighbours(std::uint64_t rank) const {
        double first = -1;
        std::uint64_t seen = 0;
        for (std::size_t i = 0; i < kClasses; ++i) {
            seen += classes[i];
            // The middle of a class may lie outside of what was ever measured.
            const auto value = [&] {
                return std::clamp(valueOf(i), static_cast<double>(leastNs), static_cast<double>(mostNs));
            };
            if (first < 0 && seen > rank)
                first = value();
            if (first >= 0 && (seen > rank + 1 || seen == count))
                return {first, value()};
        }
        return {first, first};
    }

    [[nodiscard]] StageSummary summary(const char* name) const {
        const std::lock_guard lock(mutex);
        StageSummary result;
        result.name = name;
        result.count = count;
        result.totalMs = milliseconds(totalNs);
        result.avgMs = count == 0 ? 0 : result.totalMs / static_cast<double>(count);
        result.p50Ms = milliseconds(quantile(0.5));
        result.p95Ms = milliseconds(quantile(0.95));
        result.maxMs = milliseconds(static_cast<double>(mostNs));
        return result;
    }

    /// Linear interpolation between the two samples around the quantile.
    [[nodiscard]] double quantile(double q) const {
        if (count == 0)
            return 0;
        const double position = q * static_cast<double>(count - 1);
        const auto rank = static_cast<std::uint64_t>(position);
        const auto [low, high] = neighbours(rank);
        return low + (high - low) * (position - static_cast<double>(rank));
    }
};

/// Events under one lock: a turn of a stage takes far longer than keeping it.
struct Profiler::Tracer {
    mutable std::mutex mutex;
    std::chrono::steady_clock::time_point start;
    std::size_t most = 0;
    std::map<std::thread::id, int> indices;
    Trace kept;

    void add(Stage stage, std::chrono::nanoseconds duration) {
        const auto end = std::chrono::steady_clock::now();
        const std::lock_guard lock(mutex);
        if (kept.events.size() >= most) {
            ++kept.dropped;
            return;
        }
        const auto [place, isNew] = indices.emplace(std::this_thread::get_id(), static_cast<int>(kept.threads.size()));
        if (isNew)
            kept.threads.push_back(nameOfThisThread());
        const auto began = std::chrono::duration_cast<std::chrono::nanoseconds>(end - start) - duration;
        kept.events.push_back({stage, place->second, began.count(), duration.count()});
    }

    static std::string nameOfThisThread() {
        std::array<char, 16> name{};
        return ::pthread_getname_np(::pthread_self(), name.data(), name.size()) == 0 ? name.data() : "thread";
    }
};

Profiler::Profiler() : m_tracer(std::make_unique<Tracer>()) {
    for (auto& series : m_series)
        series = std::make_unique<Series>();
}
Profiler::~Profiler() = default;

void Profiler::record(Stage stage, std::chrono::nanoseconds duration) {
    const auto ns = std::max<std::chrono::nanoseconds::rep>(duration.count(), 0);
    m_series[static_cast<std::size_t>(stage)]->add(static_cast<std::uint64_t>(ns));
    if (m_isTracing)
        m_tracer->add(stage, std::chrono::nanoseconds(ns));
}

void Profiler::recordPart(Stage stage, Part part, std::chrono::nanoseconds duration) {
    const std::lock_guard lock(m_partsMutex);
    auto& series = m_parts[{stage, part}];
    if (!series)
        series = std::make_unique<Series>();
    series->add(static_cast<std::uint64_t>(std::max<std::chrono::nanoseconds::rep>(duration.count(), 0)));
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

void Profiler::noteThreads(const std::vector<std::chrono::nanoseconds>& idle, std::chrono::nanoseconds wall) {
    for (const std::chrono::nanoseconds rest : idle)
        m_series[static_cast<std::size_t>(Stage::Wait)]->add(
            static_cast<std::uint64_t>(std::max<std::chrono::nanoseconds::rep>(rest.count(), 0)));
    m_threads = static_cast<int>(idle.size());
    m_threadsWallNs = wall.count();
}

void Profiler::startTrace(std::size_t mostEvents) {
    const std::lock_guard lock(m_tracer->mutex);
    m_tracer->kept = {};
    m_tracer->indices.clear();
    m_tracer->most = mostEvents;
    m_tracer->start = std::chrono::steady_clock::now();
    m_isTracing = true;
}

Trace Profiler::trace() const {
    const std::lock_guard lock(m_tracer->mutex);
    return m_tracer->kept;
}

Trace Profiler::takeTrace() {
    m_isTracing = false;
    const std::lock_guard lock(m_tracer->mutex);
    m_tracer->most = 0;
    return std::exchange(m_tracer->kept, {});
}

void Profiler::reset() {
    for (const auto& series : m_series)
        series->reset();
    {
        const std::lock_guard lock(m_partsMutex);
        m_parts.clear();
    }
    m_toDevice = m_toDeviceBytes = m_toHost = m_toHostBytes = 0;
    m_batches = m_partial = m_frames = 0;
}

Summary Profiler::summary() const {
    Summary summary;
    for (std::size_t i = 0; i < kAllStages; ++i) {
        (i < kStageCount ? summary.stages : summary.beside)
            .push_back(m_series[i]->summary(stageName(static_cast<Stage>(i))));
    }
    {
        const std::lock_guard lock(m_partsMutex);
        for (const auto& [key, series] : m_parts)
            summary.parts.push_back({key.first, key.second, series->summary(partName(key.second))});
    }
    summary.threads = m_threads;
    summary.threadsWallMs = milliseconds(static_cast<double>(m_threadsWallNs.load()));
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
