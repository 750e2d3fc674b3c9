// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace skein::profile {

/// The stages of a run, in the order of the data. Names in reports follow sleap-nn's pull request 342, so that tables
/// can be laid side by side.
enum class Stage {
    FrameBufferGet,  ///< frame_buffer.get: the device stage waits for decoded frames
    BatchPrepare,    ///< decoded pictures of a batch brought to one shape
    BatchAssemble,   ///< pictures packed into the upload buffer
    Forward,         ///< preprocessing, network, peaks and line scores on the device, up to the packed copy
    PafScorer,       ///< PAFScorer.predict: matching and grouping on the host
    Postprocess,     ///< scales undone, filters, instances built
    TrackerTrack,    ///< Tracker.track
    Write            ///< results handed to the sink
};
inline constexpr std::size_t kStageCount = 8;
[[nodiscard]] const char* stageName(Stage stage);

/// Summary of one stage's durations. p50 and p95 are interpolated between samples and within 0.6 % of them: durations
/// are counted in classes, so that a summary costs the same after ten samples and after ten million.
struct StageSummary {
    std::string name;
    std::uint64_t count = 0;
    double totalMs = 0;
    double avgMs = 0;
    double p50Ms = 0;
    double p95Ms = 0;
};

/// Copies between host and device in one direction. On the CPU device the packed hand-over counts as one copy, so that
/// "one copy per batch" can be tested everywhere.
struct CopySummary {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
};

struct Summary {
    std::vector<StageSummary> stages;
    CopySummary hostToDevice;
    CopySummary deviceToHost;
    std::uint64_t batches = 0;
    std::uint64_t partialBatches = 0;  ///< batches that left before they were full: a starved device
    std::uint64_t frames = 0;
};

/// Collects what a run costs. Thread-safe; recording a duration costs some tens of nanoseconds, a summary some tens of
/// microseconds, so that it may be taken many times a second while the run goes on.
class Profiler {
public:
    Profiler();
    ~Profiler();
    Profiler(const Profiler&) = delete;
    Profiler& operator=(const Profiler&) = delete;

    void record(Stage stage, std::chrono::nanoseconds duration);
    void countCopyToDevice(std::uint64_t bytes);
    void countCopyToHost(std::uint64_t bytes);
    void countBatch(std::uint64_t frames, bool partial);

    [[nodiscard]] Summary summary() const;

private:
    struct Series;
    std::array<std::unique_ptr<Series>, kStageCount> m_series;
    std::atomic<std::uint64_t> m_toDevice{0}, m_toDeviceBytes{0}, m_toHost{0}, m_toHostBytes{0};
    std::atomic<std::uint64_t> m_batches{0}, m_partial{0}, m_frames{0};
};

/// Records the time between construction and destruction as one sample of `stage`.
class Span {
public:
    Span(Profiler& profiler, Stage stage) : m_profiler(profiler), m_stage(stage) {}
    ~Span() { m_profiler.record(m_stage, std::chrono::steady_clock::now() - m_start); }
    Span(const Span&) = delete;
    Span& operator=(const Span&) = delete;

private:
    Profiler& m_profiler;
    Stage m_stage;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

/// Largest resident memory of this process so far, in bytes; 0 when unknown.
[[nodiscard]] std::uint64_t peakResidentBytes();

}  // namespace skein::profile
