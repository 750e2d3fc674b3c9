// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/batch/entry.h"
#include "engine/batch/model_cache.h"
#include "engine/pipeline/read_models.h"

namespace skein::batch {

/// What a queue may be given in place of its own; tests do.
struct QueueParts {
    ModelCache::Loader loadRunner;    ///< empty: pipeline::loadWithBackend
    pipeline::ModelReader readModel;  ///< as readModels() takes it
    std::size_t modelsKept = 4;       ///< sets of models that stay on the device between entries
};

/// A picture of a queue.
struct QueueSnapshot {
    std::vector<Entry> entries;   ///< in the order of work; of the running one the numbers are up to date
    std::int64_t runningId = 0;   ///< 0: none
    pipeline::RunStatus running;  ///< of it; `job` is null while its data is opened
    std::int64_t lastId = 0;      ///< the one that ended last; 0: none
    pipeline::RunStatus last;     ///< of it, as it ended; `job` is null when it came to none
    bool isPaused = false;
    bool isStarted = false;
    std::uint64_t version = 0;  ///< another number whenever an entry or its state has changed, progress apart
    std::string problem;        ///< the queue's file cannot be written, and why; empty: all is well
};

/// Runs, one after another, kept in a file: what is done stays done, and what was running when the process died goes on
/// where it was. An entry that fails is told and the next one begins. Models stay loaded from entry to entry.
///
/// Thread-safe. All work, and all writing of the file, happens on a thread of its own; nothing here waits for it but
/// stop(), wait() and the destructor. Poll snapshot().
class Queue {
public:
    /// Opens the queue that is kept in `file`, or an empty one to be kept there. Only one process can have it. Each
    /// entry's log is written to the folder "logs" beside it. Nothing runs before start().
    /// Errors: those of readQueue(); Io (another process has it, the folder is missing).
    [[nodiscard]] static Result<std::unique_ptr<Queue>> open(const std::filesystem::path& file, QueueParts parts = {});
    /// Stops as stop().
    ~Queue();
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;

    /// At the end; returns the entry's id.
    std::int64_t add(Entry entry);
    /// Of an entry that does not run; false otherwise.
    bool remove(std::int64_t id);
    /// To a place counted among all entries, the first being 0; false for an unknown one.
    bool move(std::int64_t id, std::size_t place);
    /// An entry that is over waits again, and goes on with what it has left; false otherwise.
    bool retry(std::int64_t id);
    enum class Finished { Keep, Discard };
    /// A waiting entry is over; a running one stops within a batch, and the frames that it has finished are kept or
    /// discarded; false otherwise.
    bool cancel(std::int64_t id, Finished finished = Finished::Keep);
    /// A waiting entry is passed over until it is let go on. A running one stops within a batch, makes room for the
    /// next, and will go on where it was; false for one that is over.
    bool setEntryPaused(std::int64_t id, bool paused);

    /// Works until nothing waits that is not paused, and whenever something is added.
    void start();
    /// A paused queue begins nothing and its run stands still.
    void setPaused(bool paused);
    /// A held queue begins nothing, and its run goes on to its end.
    void setHeld(bool held);
    /// Interrupts the running entry, which waits again and will go on where it was, and waits until it is kept.
    void stop();
    /// Waits until nothing runs or waits; returns at once for a queue that was not started.
    void wait();
    /// The same for at most this long; true: nothing is left.
    [[nodiscard]] bool waitFor(std::chrono::milliseconds time);

    [[nodiscard]] QueueSnapshot snapshot() const;
    /// The same without the entries: costs nothing however many there are.
    [[nodiscard]] QueueSnapshot glance() const;

private:
    Queue();
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace skein::batch
