// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
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
    Write,           ///< results handed to the sink
    // What the threads do besides; kept apart in reports, so that all times together are the threads' whole time.
    Decode,       ///< pictures read and decoded
    LoadModel,    ///< weights read, first pass on black frames
    DeviceQueue,  ///< work put into a GPU's queue
    Wait          ///< a thread has nothing to do, or no room for what it has done
};
inline constexpr std::size_t kStageCount = 8;  ///< those of the peer's table
inline constexpr std::size_t kAllStages = 12;
[[nodiscard]] const char* stageName(Stage stage);

/// Work within a stage that is timed on its own account: it lies inside the stage's time and adds nothing to it. On
/// several threads at once its times add up to more than the clock's. Only what the processor does.
enum class Part {
    Crops,      ///< cut out of frames, for the second of two models
    Peaks,      ///< local maxima of maps, neighbours suppressed
    Lines,      ///< candidate edges scored along part affinity fields
    Assignment  ///< best pairs chosen: nodes to instances, instances to tracks
};
[[nodiscard]] const char* partName(Part part);

/// Summary of one stage's durations. p50 and p95 are interpolated between samples and within 0.6 % of them: durations
/// are counted in classes, so that a summary costs the same after ten samples and after ten million.
struct StageSummary {
    std::string name;
    std::uint64_t count = 0;
    double totalMs = 0;
    double avgMs = 0;
    double p50Ms = 0;
    double p95Ms = 0;
    double maxMs = 0;
};

struct PartSummary {
    Stage stage = Stage::Wait;  ///< that it is a part of
    Part part = Part::Crops;
    StageSummary times;
};

/// Copies between host and device in one direction. On the CPU device the packed hand-over counts as one copy, so that
/// "one copy per batch" can be tested everywhere.
struct CopySummary {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
};

struct Summary {
    std::vector<StageSummary> stages;  ///< the first kStageCount, in their order
    std::vector<StageSummary> beside;  ///< the others, in their order
    std::vector<PartSummary> parts;    ///< those that took place, by stage and part
    int threads = 0;                   ///< that worked on the run; set at its end
    double threadsWallMs = 0;          ///< from the start of these threads to the end of the last
    CopySummary hostToDevice;
    CopySummary deviceToHost;
    std::uint64_t batches = 0;
    std::uint64_t partialBatches = 0;  ///< batches that left before they were full: a starved device
    std::uint64_t frames = 0;
};

/// One stage's turn on one thread, for a picture of the run over time.
struct TraceEvent {
    Stage stage = Stage::Wait;
    int thread = 0;            ///< index into Trace::threads
    std::int64_t startNs = 0;  ///< since the trace was started
    std::int64_t durationNs = 0;
};
struct Trace {
    std::vector<std::string> threads;  ///< names of the system's threads
    std::vector<TraceEvent> events;    ///< by end
    std::uint64_t dropped = 0;         ///< events beyond the most that are kept
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
    void recordPart(Stage stage, Part part, std::chrono::nanoseconds duration);
    void countCopyToDevice(std::uint64_t bytes);
    void countCopyToHost(std::uint64_t bytes);
    void countBatch(std::uint64_t frames, bool partial);

    /// At the end of a run that took `wall`: one entry for each thread, how long it had been through by then. That
    /// counts as waiting.
    void noteThreads(const std::vector<std::chrono::nanoseconds>& idle, std::chrono::nanoseconds wall);

    [[nodiscard]] Summary summary() const;
    /// Forgets what was counted and measured so far, so that a summary tells what came after. Copies of the batches
    /// that are under way then count without their batch.
    void reset();

    /// From now on also keeps each turn of each stage, up to `mostEvents` (32 bytes each).
    void startTrace(std::size_t mostEvents = 2'000'000);
    /// What was kept so far; empty when no trace was started.
    [[nodiscard]] Trace trace() const;
    /// The same, and keeps no more: nothing is copied.
    [[nodiscard]] Trace takeTrace();

private:
    struct Series;
    struct Tracer;
    std::array<std::unique_ptr<Series>, kAllStages> m_series;
    mutable std::mutex m_partsMutex;
    std::map<std::pair<Stage, Part>, std::unique_ptr<Series>> m_parts;
    std::unique_ptr<Tracer> m_tracer;
    std::atomic<bool> m_isTracing{false};
    std::atomic<int> m_threads{0};
    std::atomic<std::int64_t> m_threadsWallNs{0};
    std::atomic<std::uint64_t> m_toDevice{0}, m_toDeviceBytes{0}, m_toHost{0}, m_toHostBytes{0};
    std::atomic<std::uint64_t> m_batches{0}, m_partial{0}, m_frames{0};
};

/// Records the time between construction and destruction as one sample of `stage`.
class Span {
public:
    Span(Profiler& profiler, Stage stage)
        : m_profiler(profiler), m_stage(stage), m_around(std::exchange(s_now, this)) {}
    ~Span() {
        s_now = m_around;
        m_profiler.record(m_stage, std::chrono::steady_clock::now() - m_start);
    }
    Span(const Span&) = delete;
    Span& operator=(const Span&) = delete;

private:
    friend class PartSpan;
    /// The innermost one of this thread.
    inline static thread_local Span* s_now = nullptr;

    Profiler& m_profiler;
    Stage m_stage;
    Span* m_around;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

/// The same for a part of a stage.
class PartSpan {
public:
    /// Of the stage that this thread is in; outside of one nothing is recorded.
    explicit PartSpan(Part part)
        : m_profiler(Span::s_now == nullptr ? nullptr : &Span::s_now->m_profiler),
          m_stage(Span::s_now == nullptr ? Stage::Wait : Span::s_now->m_stage),
          m_part(part) {}
    /// On a thread that works for another one's stage.
    PartSpan(Profiler& profiler, Stage stage, Part part) : m_profiler(&profiler), m_stage(stage), m_part(part) {}
    ~PartSpan() {
        if (m_profiler != nullptr)
            m_profiler->recordPart(m_stage, m_part, std::chrono::steady_clock::now() - m_start);
    }
    PartSpan(const PartSpan&) = delete;
    PartSpan& operator=(const PartSpan&) = delete;

private:
    Profiler* m_profiler;
    Stage m_stage;
    Part m_part;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

/// Largest resident memory of this process so far, in bytes; 0 when unknown.
[[nodiscard]] std::uint64_t peakResidentBytes();

}  // namespace skein::profile
